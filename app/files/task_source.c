/* SPDX-License-Identifier: MIT */
#include "app/files/task_source.h"

#define KEY "fretsaw-kept-source"

typedef struct {
  GObject *source;
  GMainContext *context;
} Kept;

static gboolean
on_idle (gpointer source)
{
  return G_SOURCE_REMOVE;
}

/* Not g_main_context_invoke(), which a worker's thread may run at once between two iterations. */
static void
let_go (gpointer data)
{
  Kept *kept = data;
  if (g_main_context_is_owner (kept->context)) {
    g_object_unref (kept->source);
  } else {
    g_autoptr (GSource) idle = g_idle_source_new ();
    g_source_set_callback (idle, on_idle, kept->source, g_object_unref);
    g_source_attach (idle, kept->context);
  }
  g_main_context_unref (kept->context);
  g_free (kept);
}

void
fs_task_keep_source (GTask *task)
{
  g_return_if_fail (G_IS_TASK (task) && g_task_get_source_object (task) != NULL);

  Kept *kept = g_new (Kept, 1);
  kept->source = g_object_ref (g_task_get_source_object (task));
  kept->context = g_main_context_ref (g_task_get_context (task));
  g_object_set_data_full (G_OBJECT (task), KEY, kept, let_go);
}
