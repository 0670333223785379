/* SPDX-License-Identifier: MIT */
/* Data sets in COCO's format: objects of many photos for trainers and annotation tools.   Layer:
 * app.
 *
 * Source: Lin et al. 2014, "Microsoft COCO: common objects in context";
 * https://cocodataset.org/#format-data.
 *
 *   { "info": …, "licenses": [],
 *     "images":      [ { "id", "file_name", "width", "height" }, … ],
 *     "annotations": [ { "id", "image_id", "category_id", "area", "bbox", "iscrowd": 0,
 *                        "segmentation": { "size": [height, width], "counts": [ … ] } }, … ],
 *     "categories":  [ { "id", "name", "supercategory": "object" }, … ] }
 *
 * Lists are in the order of addition, with ids from 1 on. A segmentation is the exact mask,
 * run-length encoded column by column, beginning with a run outside the object. Objects with the
 * same name have the same category.
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

/* Adds a photo, and an annotation for each object, FS_SEED_OBJECT and up, with pixels in `numbers`
 * (width·height labels). Their names are those of `labels` (of FsSessionLabel, one for each
 * number). A name that was added before means the same photo, of the same size. Returns the number
 * of objects. O(N). */
guint fs_coco_add (FsCoco *coco, const char *file_name, int width, int height,
                   const uint8_t *numbers, const GArray *labels);

guint fs_coco_get_n_photos (const FsCoco *coco);

/* g_free. */
char *fs_coco_to_json (const FsCoco *coco);

G_END_DECLS

#endif
