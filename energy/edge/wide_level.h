/* SPDX-License-Identifier: MIT */
/* Wide level: a wide filter, and where its alpha is to be trusted.   Layer: energy.
 *
 * A wide filter sees hair and blur that a narrow one cuts off, but makes haze where both sides look
 * alike. It counts where its alpha contradicts the mask strongly at some pixels a few pixels from
 * the border, as hair does, and not merely weakly at many.
 *
 * Threads: one at a time per level.
 */
#ifndef FS_ENERGY_EDGE_WIDE_LEVEL_H
#define FS_ENERGY_EDGE_WIDE_LEVEL_H

#include "energy/edge/edge_level.h"

G_BEGIN_DECLS

/* Measured (docs/decisions/edges.md). */
typedef struct {
  int shift;        /* of the level                                                     */
  int filter;       /* the radius of its filter, in cells                               */
  int radius;       /* of the squares that are counted, in cells                        */
  int border;       /* so many cells from the border it begins                          */
  double strong;    /* alpha so far from the mask's is a strong contradiction …         */
  double weak;      /* … and a weak one                                                 */
  double certain;   /* colours explain at least this fraction of the mask's variance: else alpha is
                     * only the mask blurred, and contradicts nothing */
  double low, high; /* strong ones among the weak ones: up to low it counts nothing, from high on
                     * fully */
} FsWideLevelRule;

typedef struct {
  FsWideLevelRule rule;
  FsEdgeLevel level;
  uint8_t *contradictions; /* of each of level.lined: 0 none, 1 weak, 2 strong */
  FsRect counted;          /* the cells that have a weight of their own …   */
  int32_t *own_weights;    /* … 0 to 2^16                                   */
  FsRect cells;            /* those that have the mean of the weights near  */
  float *weights;          /* 0 to 1                                        */
  gboolean is_empty;       /* all weights are 0 */
} FsWideLevel;

/* As those of FsEdgeLevel. */
gboolean fs_wide_level_init (FsWideLevel *wide, FsEdgeCells *cells, const FsWideLevelRule *rule,
                             int side);
void fs_wide_level_clear (FsWideLevel *wide);
int fs_wide_level_get_margin (const FsWideLevelRule *rule);
void fs_wide_level_fit (FsWideLevel *wide, const FsEdgeWindow *window, FsRect area);

/* Mixes this level's alpha with that of the pixels x0 ≤ x < x1 of a row of that area; 0 to 1. */
void fs_wide_level_mix (const FsWideLevel *wide, const FsEdgeWindow *window, int y, int x0, int x1,
                        double *alpha);

G_END_DECLS

#endif
