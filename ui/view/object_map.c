/* SPDX-License-Identifier: MIT */
#include "ui/view/object_map.h"

#include "app/live/objects/document_objects.h"
#include "solver/system/checked_memory.h"

struct _FsObjectMap {
  GObject parent_instance;
  FsDocument *document;
  guint64 generation; /* of the mask of the last or running computation; 0: none */
  GCancellable *running;
  uint8_t *numbers;
};

G_DEFINE_FINAL_TYPE (FsObjectMap, fs_object_map, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
stop_mapping (FsObjectMap *self)
{
  if (self->running != NULL)
    g_cancellable_cancel (self->running);
  g_clear_object (&self->running);
  self->generation = 0;
}

/* Takes ownership of the numbers. */
static void
take_numbers (FsObjectMap *self, uint8_t *numbers)
{
  uint8_t *previous = self->numbers;
  self->numbers = numbers;
  if (previous != numbers)
    g_signal_emit (self, signals[CHANGED], 0);
  fs_memory_free (previous);
}

/* Without enough memory objects are shown without separation, and nothing else fails. */
static void
on_mapped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsObjectMap) self = user_data;
  uint8_t *numbers = fs_document_map_objects_finish (FS_DOCUMENT (source), result, NULL);
  if (numbers == NULL) /* or it was cancelled */
    return;
  g_clear_object (&self->running);
  take_numbers (self, numbers);
}

static void
follow_document (FsObjectMap *self)
{
  FsDocumentStatus status = fs_document_get_status (self->document);
  if (!status.is_final || fs_document_is_drawing (self->document)) {
    stop_mapping (self);
    return;
  }
  if (!status.has_mask || fs_document_count_objects (self->document) < 2) {
    stop_mapping (self);
    take_numbers (self, NULL);
    return;
  }
  if (status.generation == self->generation)
    return;
  stop_mapping (self);
  self->generation = status.generation;
  self->running = g_cancellable_new ();
  fs_document_map_objects_async (self->document, self->running, on_mapped, g_object_ref (self));
}

void
fs_object_map_set_document (FsObjectMap *self, FsDocument *document)
{
  stop_mapping (self);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  take_numbers (self, NULL);
  g_set_object (&self->document, document);
  if (document == NULL)
    return;
  g_signal_connect_object (document, "status-changed", G_CALLBACK (follow_document), self,
                           G_CONNECT_SWAPPED);
  follow_document (self);
}

const uint8_t *
fs_object_map_get_numbers (FsObjectMap *self)
{
  return self->numbers;
}

gboolean
fs_object_map_is_current (FsObjectMap *self)
{
  return self->numbers != NULL && self->running == NULL && self->generation != 0;
}

FsObjectMap *
fs_object_map_new (void)
{
  return g_object_new (FS_TYPE_OBJECT_MAP, NULL);
}

static void
fs_object_map_dispose (GObject *object)
{
  FsObjectMap *self = FS_OBJECT_MAP (object);
  stop_mapping (self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->numbers, fs_memory_free);
  G_OBJECT_CLASS (fs_object_map_parent_class)->dispose (object);
}

static void
fs_object_map_class_init (FsObjectMapClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fs_object_map_dispose;
  signals[CHANGED] = g_signal_new ("changed", FS_TYPE_OBJECT_MAP, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
fs_object_map_init (FsObjectMap *self)
{
}
