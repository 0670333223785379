/* SPDX-License-Identifier: MIT */
#include "app/live/document_edge.h"

#include "app/live/document_private.h"

gboolean
fs_document_begin_zone (FsDocument *self, FsStrokeShape shape, FsEdgeZone zone, float radius_px)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self) && radius_px > 0, FALSE);

  if (fs_document_is_drawing (self) || !fs_edge_history_begin (self->edge, shape, zone, radius_px))
    return FALSE;
  fs_document_notify_undo_redo (self);
  return TRUE;
}

static void
set_settings (FsDocument *self, const FsEdgeSettings *settings, gboolean continues)
{
  guint before = fs_edge_history_get_n_done (self->edge);
  fs_edge_history_set_settings (self->edge, settings, fs_document_count_finished (self), continues);
  fs_document_edge_changed (self, (FsRect){ 0 });
  fs_document_edge_edited (self, fs_edge_history_get_n_done (self->edge) > before
                                     ? FS_DOCUMENT_EDGE
                                     : FS_DOCUMENT_EDGE_AGAIN);
}

gboolean
fs_document_set_edge_settings (FsDocument *self, const FsEdgeSettings *settings, gboolean continues)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self) && settings, FALSE);

  FsEdgeSettings present = fs_edge_history_get_settings (self->edge);
  if (fs_document_is_drawing (self) || fs_edge_settings_equal (&present, settings))
    return FALSE;
  set_settings (self, settings, continues);
  return TRUE;
}

void
fs_document_edit_edge_again (FsDocument *self, const FsEdgeEdit *edit)
{
  g_return_if_fail (FS_IS_DOCUMENT (self) && edit && !fs_document_is_drawing (self));

  const FsStroke *zone = edit->zone;
  if (!zone) {
    set_settings (self, &edit->settings, FALSE);
    return;
  }
  if (!fs_document_begin_zone (self, zone->shape, (FsEdgeZone)zone->label, zone->radius_px))
    return;
  fs_document_extend_stroke (self, (const FsSample *)(gpointer)zone->samples->data,
                             zone->samples->len);
  fs_document_end_stroke (self);
}

FsEdgeSettings
fs_document_get_edge_settings (FsDocument *self)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self), FS_EDGE_SETTINGS_DEFAULT);
  return fs_edge_history_get_settings (self->edge);
}

const uint8_t *
fs_document_get_zones (FsDocument *self)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self), NULL);
  return fs_edge_history_get_zones (self->edge);
}

const GPtrArray *
fs_document_get_edge_edits (FsDocument *self, guint *n_done)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (self) && n_done, NULL);
  *n_done = fs_edge_history_get_n_done (self->edge);
  return fs_edge_history_get_edits (self->edge);
}
