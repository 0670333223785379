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

#include "energy/edge/edge_window.h"

G_BEGIN_DECLS

/* Alpha is offset + slopes · (red, green, blue), channels from 0 to 255. `certainty` is the
 * fraction of the mask's variance that the functions around explain; `is_near` says that a border
 * is within the filter's radius: where it is not, alpha is the mask. */
typedef struct {
  double offset, slopes[3];
  float certainty;
  gboolean is_near;
} FsEdgeLine;

typedef struct {
  int shift;         /* a cell has 2^shift pixels a side */
  int radius;        /* of the filter's windows, in cells  */
  FsRect all;        /* the cells of the photo            */
  FsRect cells;      /* those that have a line            */
  FsRect outer;      /* those that have sums              */
  int32_t *sums;     /* of the pixels of each of `outer`  */
  FsEdgeLine *lines; /* of each of `cells` */
} FsEdgeLevel;

/* Sums of a cell's pixels: colours, pixels, those inside, their colours, products. */
enum {
  FS_RED,
  FS_GREEN,
  FS_BLUE,
  FS_COUNT,
  FS_INSIDE,
  FS_INSIDE_RED,
  FS_INSIDE_GREEN,
  FS_INSIDE_BLUE,
  FS_RR,
  FS_RG,
  FS_RB,
  FS_GG,
  FS_GB,
  FS_BB,
  FS_N_SUMS
};

/* For areas of up to `side` pixels a side. FALSE where memory is short; to be cleared then, too. */
gboolean fs_edge_level_init (FsEdgeLevel *level, const FsEdgeInput *input, int shift, int radius,
                             int side);
void fs_edge_level_clear (FsEdgeLevel *level);

/* So far around an area a level reads the mask; pixels. */
int fs_edge_level_get_margin (int shift, int radius);

/* Computes the lines for the pixels of `area`, inside the photo, from the window's mask. */
void fs_edge_level_fit (FsEdgeLevel *level, const FsEdgeWindow *window, FsRect area);

/* The line at a pixel of that area; at levels above 0 interpolated between cells. */
FsEdgeLine fs_edge_level_get_line (const FsEdgeLevel *level, int x, int y);

/* The four cells whose centres are around a pixel's centre, and its place between them, 0 to 1. */
typedef struct {
  int left, right, top, bottom;
  double tx, ty;
} FsEdgeCorner;

FsEdgeCorner fs_edge_level_get_corner (const FsEdgeLevel *level, int x, int y);

/* 0 to 1. */
static inline double
fs_edge_line_alpha (const FsEdgeLine *line, double red, double green, double blue)
{
  const double alpha =
      line->offset + line->slopes[0] * red + line->slopes[1] * green + line->slopes[2] * blue;
  return CLAMP (alpha, 0, 1);
}

static inline const int32_t *
fs_edge_level_get_sums (const FsEdgeLevel *level, int x, int y)
{
  return level->sums + fs_rect_place (level->outer, x, y) * FS_N_SUMS;
}

G_END_DECLS

#endif
