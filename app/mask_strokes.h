/* SPDX-License-Identifier: MIT */
/* Strokes that a person could have painted to say what a finished mask says: how a mask of another
 * program becomes a starting selection.   Layer: app.
 *
 * The mask is looked at through square cells, FS_MASK_STROKES_CELLS along its longer side. Every
 * connected piece of cells that lie wholly inside a region, with a margin, becomes one stroke,
 * which walks all over it (a depth-first walk of a spanning tree, so that consecutive samples are
 * neighbouring cells) and so paints nothing outside. The strip of a cell or two along the region's
 * border is left to the cut. A part of the mask (mask_parts.h) that is narrower than that gets
 * strokes by smaller cells, or by its pixels. As strokes, an imported mask can be
 * undone, painted over, saved and recovered like everything else.
 *
 * Threads: any.
 */
#ifndef FS_APP_MASK_STROKES_H
#define FS_APP_MASK_STROKES_H

#include "app/stroke.h"
#include <gio/gio.h>

G_BEGIN_DECLS

#define FS_MASK_STROKES_CELLS 128
#define FS_MASK_STROKES_MAX   400 /* of each label: the largest pieces */

/* `labels`: width·height of FS_SEED_NONE, FS_SEED_BACKGROUND, FS_SEED_OBJECT; others are taken for
 * none. Returns FsStroke, those of the background first; empty where no piece is large enough. NULL
 * where memory is short. */
GPtrArray *fs_mask_strokes_new (const uint8_t *labels, int width, int height);

/* How many parts of the labels, of either, have no stroke: those beyond FS_MASK_STROKES_MAX. 0
 * where memory is short. */
guint fs_mask_strokes_count_missing (const GPtrArray *strokes, const uint8_t *labels, int width,
                                     int height);

/* Reads a mask of the photo's size for fs_mask_strokes_new(), in any format that photos have: a
 * picture with transparent parts means what it shows, any other one object where it is bright.
 * Blocks. g_free. Errors: FS_PHOTO_ERROR. */
uint8_t *fs_mask_strokes_load (const char *path, int width, int height, GCancellable *cancellable,
                               GError **error);

G_END_DECLS

#endif
