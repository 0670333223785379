/* SPDX-License-Identifier: MIT */
/* Alpha as a local linear function of the colours: the guided filter.   Layer: energy.
 *
 * The mask after a guided filter with the photo as guide (He, Sun & Tang, "Guided Image Filtering",
 * 2013, closed form for colour). Wide filters work on cells of 2 × 2 or 4 × 4 pixels and
 * interpolate the linear functions between these (He & Sun, "Fast Guided Filter", 2015).
 *
 * Threads: one at a time per level.
 */
#ifndef FS_ENERGY_EDGE_EDGE_LEVEL_H
#define FS_ENERGY_EDGE_EDGE_LEVEL_H

#include "energy/edge/edge_cells.h"

G_BEGIN_DECLS

/* Alpha is offset + slopes · (red, green, blue), channels from 0 to 255. `certainty` is the
 * fraction of the mask's variance that the functions around explain. */
typedef struct {
  double offset, slopes[3];
  float certainty;
} FsEdgeLine;

typedef struct {
  FsEdgeCells *cells; /* borrowed; other levels may use them, too                          */
  int radius;         /* of the filter's windows, in cells                                */
  FsRect inner;       /* the cells whose windows have been looked at                      */
  uint8_t *sides;     /* of the window of each                                            */
  FsSparseSum *terms; /* of each that has both sides, scratch                             */
  FsRect lined;       /* the cells that may have a line: those near a border or next to one */
  FsEdgeLine *lines;  /* of each                                                          */
  uint8_t *wanted;    /* of each, scratch                                                 */
} FsEdgeLevel;

/* For areas of up to `side` pixels a side. FALSE where memory is short; to be cleared then, too. */
gboolean fs_edge_level_init (FsEdgeLevel *level, FsEdgeCells *cells, int radius, int side);
void fs_edge_level_clear (FsEdgeLevel *level);

/* So far around an area a level reads the mask; pixels. */
int fs_edge_level_get_margin (int shift, int radius);

/* Computes the lines for the pixels of `area`, inside the photo. The cells have been filled with an
 * area that is wider by the margin. */
void fs_edge_level_fit (FsEdgeLevel *level, const FsEdgeWindow *window, FsRect area);

/* A border is within the filter's radius of the cell: where there is none, alpha is the mask. */
static inline gboolean
fs_edge_level_is_near (const FsEdgeLevel *level, int x, int y)
{
  return level->sides[fs_rect_place (level->inner, x, y)] == FS_SIDES_BOTH;
}

/* The line of a cell that is near, or next to one that is. */
static inline const FsEdgeLine *
fs_edge_level_get_line (const FsEdgeLevel *level, int x, int y)
{
  return &level->lines[fs_rect_place (level->lined, x, y)];
}

/* The four cells whose centres are around a pixel's centre, and its place between them, 0 to 1. */
typedef struct {
  int left, right, top, bottom;
  double tx, ty;
} FsEdgeCorner;

/* The cell before a pixel's centre among n, and the way from its centre to the next one's. */
static inline int
fs_edge_level_get_before (const FsEdgeLevel *level, int x, int n, double *t)
{
  const double side = 1 << level->cells->shift, at = (x + 0.5) / side - 0.5;
  const int before = at < 0 ? 0 : MIN ((int)at, MAX (n - 2, 0));
  *t = CLAMP (at - before, 0, n > 1 ? 1 : 0);
  return before;
}

static inline FsEdgeCorner
fs_edge_level_get_corner (const FsEdgeLevel *level, int x, int y)
{
  FsEdgeCorner corner;
  corner.left = fs_edge_level_get_before (level, x, level->cells->all.x1, &corner.tx);
  corner.top = fs_edge_level_get_before (level, y, level->cells->all.y1, &corner.ty);
  corner.right = corner.left + (corner.tx > 0);
  corner.bottom = corner.top + (corner.ty > 0);
  return corner;
}

/* The line between these cells' lines; FALSE where none of them is near. */
gboolean fs_edge_level_interpolate (const FsEdgeLevel *level, const FsEdgeCorner *corner,
                                    FsEdgeLine *line);

/* 0 to 1. */
static inline double
fs_edge_line_alpha (const FsEdgeLine *line, double red, double green, double blue)
{
  const double alpha =
      line->offset + line->slopes[0] * red + line->slopes[1] * green + line->slopes[2] * blue;
  return CLAMP (alpha, 0, 1);
}

G_END_DECLS

#endif
