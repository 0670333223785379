/* SPDX-License-Identifier: MIT */
#include "app/files/task_source.h"

#define KEY "fretsaw-source-reference"

typedef struct {
  GObject *source;
  GMainContext *context;
} Reference;

static gboolean
on_idle (gpointer source)
{
  return G_SOURCE_REMOVE;
}

/* Not g_main_context_invoke(), which a worker's thread may run at once between two iterations. */
static void
let_go (gpointer data)
{
  Reference *reference = data;
  if (g_main_context_is_owner (reference->context)) {
    g_object_unref (reference->source);
  } else {
    g_autoptr (GSource) idle = g_idle_source_new ();
    g_source_set_callback (idle, on_idle, reference->source, g_object_unref);
    g_source_attach (idle, reference->context);
  }
  g_main_context_unref (reference->context);
  g_free (reference);
}

void
fs_task_hold_source (GTask *task)
{
  g_return_if_fail (G_IS_TASK (task) && g_task_get_source_object (task) != NULL);

  Reference *reference = g_new (Reference, 1);
  reference->source = g_object_ref (g_task_get_source_object (task));
  reference->context = g_main_context_ref (g_task_get_context (task));
  g_object_set_data_full (G_OBJECT (task), KEY, reference, let_go);
}
