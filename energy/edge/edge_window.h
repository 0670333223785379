/* SPDX-License-Identifier: MIT */
/* Window: a tile of the photo with the pixels around it that its edge is computed from.
 * Layer: energy.
 *
 * Threads: one at a time per window.
 */
#ifndef FS_ENERGY_EDGE_EDGE_WINDOW_H
#define FS_ENERGY_EDGE_EDGE_WINDOW_H

#include "energy/edge/edge_input.h"
#include "energy/edge/sparse_sums.h"
#include "energy/edge/zone_alpha.h"
#include "energy/image/rect_pixels.h"

G_BEGIN_DECLS

/* Areas are rectangles of the photo, planes have a byte for each of their pixels. */
typedef struct {
  const FsEdgeInput *input;
  const FsZoneAlpha *zones; /* or NULL */
  FsRect photo;             /* all of it                                            */
  FsRect alpha_area;        /* those that get alpha                                 */
  FsRect mask_area;         /* those whose mask is read                             */
  uint8_t *mask;            /* there: 0 or 1, with rounded corners                  */
  uint8_t *alpha;           /* in alpha_area                                        */
  FsSparseSum *columns;     /* scratch of each column                               */
  int *column_rows;         /* the same                                             */
  uint8_t *wanted;          /* of each of alpha_area, scratch                       */
  int64_t *box_columns;     /* FS_BOX_SUMS_MAX of each column, scratch              */
  int64_t *means;           /* scratch of rounded corners; or NULL                  */
} FsEdgeWindow;

static inline gsize
fs_edge_window_in_photo (const FsEdgeWindow *w, int x, int y)
{
  return (gsize)y * (gsize)w->photo.x1 + (gsize)x;
}

static inline uint8_t
fs_edge_window_mark (const FsEdgeWindow *w, int x, int y)
{
  return w->input->marks ? w->input->marks[fs_edge_window_in_photo (w, x, y)] : FS_SEED_NONE;
}

G_END_DECLS

#endif
