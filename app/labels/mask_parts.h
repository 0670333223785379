/* SPDX-License-Identifier: MIT */
/* Connected parts of an object's mask (four neighbours).   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_LABELS_MASK_PARTS_H
#define FS_APP_LABELS_MASK_PARTS_H

#include "app/labels/label_set.h"

G_BEGIN_DECLS

/* The parts (FsLabelObject *), in the order of their first pixels. Cost: a few steps a run. */
GPtrArray *fs_mask_parts_new (const FsLabelObject *object);

G_END_DECLS

#endif
