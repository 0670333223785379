/* SPDX-License-Identifier: MIT */
/* The fields of a document.   Layer: app, private to document*.c.
 *
 * Threads: as the document.
 */
#ifndef FS_APP_LIVE_DOCUMENT_PRIVATE_H
#define FS_APP_LIVE_DOCUMENT_PRIVATE_H

#include "app/live/final_waiters.h"
#include "app/live/live_thread.h"
#include "app/strokes/edge_history.h"

G_BEGIN_DECLS

typedef struct _FsDocument FsDocument;

struct _FsDocument {
  GObject parent_instance;

  FsImage *image;
  FsSettings settings;
  FsHistory *history;
  FsEdgeHistory *edge;
  FsLive *live;
  GArray *final_masks; /* of uint8_t, MaskState: that of the first i + 1 strokes */

  uint8_t *mask;  /* [H·W] */
  uint8_t *tiles; /* scratch for fs_live_collect */
  GArray *rects;  /* of FsRect, scratch for "mask-updated" */
  FsDocumentStatus status;
  guint64 generation; /* of the newest edit */
  gboolean busy;
  FsFinalWaiters waiters;
};

/* The number of strokes that are finished and not undone. */
static inline guint
fs_document_count_finished (FsDocument *self)
{
  return fs_history_get_n_strokes (self->history) - (fs_history_is_drawing (self->history) ? 1 : 0);
}

/* Emits "edited", after both properties of undo and redo. */
void fs_document_history_changed (FsDocument *self, FsDocumentEdit edit);
/* Neither can be done while a stroke grows, so its beginning and end change both. */
void fs_document_notify_undo_redo (FsDocument *self);

/* Emits "edge-changed". */
void fs_document_edge_changed (FsDocument *self, FsRect rect);
/* After an edit of the edge that is new: there is one order of undo. */
void fs_document_edge_edited (FsDocument *self, FsDocumentEdit edit);

G_END_DECLS

#endif
