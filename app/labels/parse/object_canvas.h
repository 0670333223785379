/* SPDX-License-Identifier: MIT */
/* A plane on which the mask of one object is drawn: runs and polygons, one over the other.
 * Layer: app.
 *
 * A polygon is filled by the even-odd rule, without its line. Several are joined. Two rules say
 * which pixels are inside: those whose centres are; or that of COCO's mask API, where corners are
 * rounded to fifths of a pixel, lines are drawn on that grid, and a column of pixels is crossed
 * where a line passes from the third to the fourth of its five columns.
 *
 * Source: the mask API of Lin et al. 2014, "Microsoft COCO: common objects in context".
 *
 * Memory: two bytes a pixel. Threads: one at a time.
 */
#ifndef FS_APP_LABELS_PARSE_OBJECT_CANVAS_H
#define FS_APP_LABELS_PARSE_OBJECT_CANVAS_H

#include "app/labels/label_set.h"

G_BEGIN_DECLS

typedef struct _FsObjectCanvas FsObjectCanvas;

/* Corners beyond are refused. */
#define FS_CANVAS_MAX_PLACE_PX 1e6

typedef enum { FS_CANVAS_CENTRES, FS_CANVAS_FIFTHS } FsCanvasRule;

/* NULL where memory is short. */
FsObjectCanvas *fs_object_canvas_new (int width, int height);
void fs_object_canvas_free (FsObjectCanvas *canvas);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsObjectCanvas, fs_object_canvas_free)

/* Draws the pixels y0 ≤ y < y1 of column x, and x0 ≤ x < x1 of row y, which lie in the plane. */
void fs_object_canvas_add_column (FsObjectCanvas *canvas, int x, int y0, int y1);
void fs_object_canvas_add_row (FsObjectCanvas *canvas, int y, int x0, int x1);

/* Draws a polygon of n corners: x, y, x, y, …. FALSE, and nothing is drawn, for fewer than three or
 * one that is not finite or beyond FS_CANVAS_MAX_PLACE_PX, and once the canvas is spent. */
gboolean fs_object_canvas_add_polygon (FsObjectCanvas *canvas, FsCanvasRule rule, const double *xy,
                                       gsize n);

/* TRUE once so much has been drawn that a set of real objects cannot need it: the rest should be
 * left out. */
gboolean fs_object_canvas_is_spent (const FsObjectCanvas *canvas);

/* Moves what is drawn to the object, which has no runs, and leaves the plane empty. */
void fs_object_canvas_take (FsObjectCanvas *canvas, FsLabelObject *object);
/* Empties the plane. */
void fs_object_canvas_clear (FsObjectCanvas *canvas);
/* The number of pixels that are drawn. */
gint64 fs_object_canvas_count (const FsObjectCanvas *canvas);

G_END_DECLS

#endif
