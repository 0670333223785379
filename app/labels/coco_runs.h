/* SPDX-License-Identifier: MIT */
/* Run lengths of COCO: column after column, beginning with a run outside the object.   Layer: app.
 *
 * Source: the mask API of Lin et al. 2014, "Microsoft COCO: common objects in context". In packed
 * form a length, from the fourth on its difference to the length two before, is written in groups
 * of five bits, the lowest first: bit 5 says that more follow, bit 4 of the last is the sign, and
 * 48 is added to each, which makes it a printable character.
 *
 * Threads: any.
 */
#ifndef FS_APP_LABELS_COCO_RUNS_H
#define FS_APP_LABELS_COCO_RUNS_H

#include "app/labels/label_set.h"

G_BEGIN_DECLS

/* The lengths (gint64) of the object in a photo of this height; their sum is width·height. NULL
 * where memory is short. g_array_unref. */
GArray *fs_coco_runs_new (const FsLabelObject *object, int width, int height);

void fs_coco_runs_append_packed (GString *text, const GArray *lengths);

G_END_DECLS

#endif
