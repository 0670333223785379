/* SPDX-License-Identifier: MIT */
/* The object map of the shown mask: the object of each pixel.   Layer: ui.
 *
 * Follows a document: whenever the mask has settled and the strokes name several objects, these are
 * told apart by a worker (app/live/document_objects.h), which the next edit stops. What was found
 * last stays until then, and goes where there is one object again.
 *
 * Signals: "changed" ().
 *
 * Threads: the main one.
 */
#ifndef FS_UI_VIEW_OBJECT_MAP_H
#define FS_UI_VIEW_OBJECT_MAP_H

#include "app/live/document.h"

G_BEGIN_DECLS

#define FS_TYPE_OBJECT_SHARES (fs_object_shares_get_type ())
G_DECLARE_FINAL_TYPE (FsObjectShares, fs_object_shares, FS, OBJECT_SHARES, GObject)

FsObjectShares *fs_object_shares_new (void);

/* NULL: none. */
void fs_object_shares_set_document (FsObjectShares *self, FsDocument *document);

/* width·height numbers of objects' labels, 1 where there is none, of the mask that settled last;
 * NULL with one object. Until the next "changed". */
const uint8_t *fs_object_shares_get_numbers (FsObjectShares *self);
/* Whether they are those of the present mask, and it has settled. */
gboolean fs_object_shares_are_present (FsObjectShares *self);

G_END_DECLS

#endif
