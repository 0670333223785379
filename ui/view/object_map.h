/* SPDX-License-Identifier: MIT */
/* The object map of the shown mask: the object of each pixel.   Layer: ui.
 *
 * Follows a document: whenever the mask is final and the strokes name several objects, a
 * worker computes the map (app/live/document_objects.h), until the next edit cancels it. The last
 * map stays until then, and goes where there is one object again.
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

/* width·height numbers of objects' labels, 1 where there is none, of the last final mask;
 * NULL with one object. Until the next "changed". */
const uint8_t *fs_object_map_get_numbers (FsObjectMap *self);
/* Returns whether they are those of the present mask, and it is final. */
gboolean fs_object_map_is_current (FsObjectMap *self);

G_END_DECLS

#endif
