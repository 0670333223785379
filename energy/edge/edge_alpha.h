/* SPDX-License-Identifier: MIT */
/* Alpha of a window's pixels.   Layer: energy.
 *
 * Threads: one at a time per object.
 */
#ifndef FS_ENERGY_EDGE_EDGE_ALPHA_H
#define FS_ENERGY_EDGE_EDGE_ALPHA_H

#include "energy/edge/wide_level.h"

G_BEGIN_DECLS

enum { FS_EDGE_N_WIDE = 3, FS_EDGE_N_SHIFTS = 3 };

typedef struct {
  FsEdgeSettings settings;
  FsEdgeCells cells[FS_EDGE_N_SHIFTS]; /* of each shift; not used where the width is 0 */
  FsEdgeLevel narrow;                  /* of pixels; the same                      */
  FsWideLevel wide[FS_EDGE_N_WIDE];    /* with an automatic width                  */
  FsRect area;                         /* of `raw`                                 */
  uint8_t *raw;                        /* alpha before haze is removed             */
  double *row;                         /* alpha of a row of it, scratch            */
  uint8_t *shifted, *rows;             /* scratch for shifts                       */
} FsEdgeAlpha;

/* For windows whose alpha area has up to `side` pixels a side. FALSE where memory is short; to be
 * cleared then, too. */
gboolean fs_edge_alpha_init (FsEdgeAlpha *alpha, const FsEdgeInput *input, int side);
void fs_edge_alpha_clear (FsEdgeAlpha *alpha);

/* A border so far away has no effect on a pixel's alpha; pixels. */
int fs_edge_alpha_get_radius (const FsEdgeSettings *settings);
/* The mask is read so far around the alpha area; pixels. */
int fs_edge_alpha_get_margin (const FsEdgeSettings *settings);

/* Fills the window's alpha in its alpha area. */
void fs_edge_alpha_find (FsEdgeAlpha *alpha, FsEdgeWindow *window);

G_END_DECLS

#endif
