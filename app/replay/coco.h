/* SPDX-License-Identifier: MIT */
/* Objects of many photos as one data set in COCO's format (Lin et al. 2014, "Microsoft COCO: common
 * objects in context"; https://cocodataset.org/#format-data), which trainers and annotation tools
 * read.   Layer: app.
 *
 *   { "info": …, "licenses": [],
 *     "images":      [ { "id", "file_name", "width", "height" }, … ],
 *     "annotations": [ { "id", "image_id", "category_id", "area", "bbox", "iscrowd": 0,
 *                        "segmentation": { "size": [height, width], "counts": [ … ] } }, … ],
 *     "categories":  [ { "id", "name", "supercategory": "object" }, … ] }
 *
 * Every list in the order in which things came, ids from 1 on. A segmentation is the mask to the
 * pixel: lengths of runs, column after column, of what is not the object and what is, in turn.
 * Objects of the same name are of the same category.
 *
 * Threads: one at a time per set.
 */
#ifndef FS_APP_REPLAY_COCO_H
#define FS_APP_REPLAY_COCO_H

#include "app/session/session.h"

G_BEGIN_DECLS

typedef struct _FsCoco FsCoco;

FsCoco *fs_coco_new (void);
void fs_coco_free (FsCoco *coco);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsCoco, fs_coco_free)

/* Adds a photo and the objects in it, FS_SEED_OBJECT and up, that `numbers` (width·height labels)
 * has pixels of: an annotation each, called as `labels` (of FsSessionLabel, one for each number)
 * say. A name of a photo that is there already is that photo, of the same size. Returns how many
 * objects there were. O(N). */
guint fs_coco_add (FsCoco *coco, const char *file_name, int width, int height,
                   const uint8_t *numbers, const GArray *labels);

guint fs_coco_get_n_photos (const FsCoco *coco);

/* g_free. */
char *fs_coco_to_json (const FsCoco *coco);

G_END_DECLS

#endif
