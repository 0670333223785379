/* SPDX-License-Identifier: MIT */
/* Object map of the shown mask: the object of each pixel.   Layer: ui.
 *
 * Follows a document: whenever the mask is final and the strokes have several objects, a worker
 * computes the map (app/live/objects/document_objects.h); an edit cancels it. The last map stays
 * until there is a new one, or only one object is left.
 *
 * Signals: "changed" ().
 *
 * Threads: the main one.
 */
#ifndef FS_UI_VIEW_OBJECT_MAP_H
#define FS_UI_VIEW_OBJECT_MAP_H

#include "app/live/document.h"

G_BEGIN_DECLS

#define FS_TYPE_OBJECT_MAP (fs_object_map_get_type ())
G_DECLARE_FINAL_TYPE (FsObjectMap, fs_object_map, FS, OBJECT_MAP, GObject)

FsObjectMap *fs_object_map_new (void);

/* NULL: none. */
void fs_object_map_set_document (FsObjectMap *self, FsDocument *document);

/* width·height labels of objects, 1 where there is none, for the last final mask; NULL with one
 * object. Valid until the next "changed". */
const uint8_t *fs_object_map_get_numbers (FsObjectMap *self);
/* TRUE if the map is that of the current mask, and this is final. */
gboolean fs_object_map_is_current (FsObjectMap *self);

G_END_DECLS

#endif
