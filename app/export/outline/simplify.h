/* SPDX-License-Identifier: MIT */
/* Simplification of one traced contour (contour.h).   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_EXPORT_OUTLINE_SIMPLIFY_H
#define FS_APP_EXPORT_OUTLINE_SIMPLIFY_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define FS_CONTOUR_CORNER_PX 3

/* In half pixels of the photo, from its upper left corner. */
typedef struct {
  int x2, y2;
} FsContourPoint;

/* A step along one border edge: its direction, and whether the corner before it is fixed. */
enum { FS_STEP_EAST, FS_STEP_SOUTH, FS_STEP_WEST, FS_STEP_NORTH };
#define FS_STEP_DIRECTION 3
#define FS_STEP_FIXED     4

extern const int fs_step_x[4], fs_step_y[4];

typedef struct {
  FsContourPoint *points;
  gsize n, capacity;
} FsContourPoints;

/* Fills `points` from the n steps of a closed contour that starts at the corner (x, y), in pixels.
 * Marks more corners as fixed. FALSE where memory is short. */
gboolean fs_contour_simplify (uint8_t *steps, gsize n, int x, int y, double tolerance_px,
                              FsContourPoints *points);

G_END_DECLS

#endif
