/* SPDX-License-Identifier: MIT */
/* The flow of a band's cut, saved for the next one.   Layer: solver.
 *
 * Between two cuts of bands of one grid both the capacities and the band may change. Any flow
 * within the capacities is a valid start (Kohli & Torr 2007), wherever it comes from: what a cut
 * has found lies in planes of the grid, and the next cut takes what still fits of it on pairs of
 * pixels that are both in its band. A node's excess is then its t-link plus inflow less outflow.
 * Trees are made anew.
 *
 * Threads: as those of the cut.
 */
#ifndef FS_SOLVER_MULTILEVEL_BAND_FLOW_H
#define FS_SOLVER_MULTILEVEL_BAND_FLOW_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

typedef struct {
  int16_t *plane[FS_N_DIRECTIONS]; /* [pixels]: the flow from a pixel in a direction; n-links up to
                                      FS_NLINK_MAX each way */
  size_t n_pixels;
  int64_t n_reused; /* the last cut's initial flow, summed over pairs */
} FsBandFlow;

void fs_band_flow_init (FsBandFlow *flow);
void fs_band_flow_clear (FsBandFlow *flow);

/* No flow, for a grid of so many pixels. FALSE where memory is short. */
gboolean fs_band_flow_reset (FsBandFlow *flow, size_t n_pixels);

/* Pixels [pixel, pixel + n) of a run are nodes [node, node + n): sends what fits of their flow. All
 * nodes have been built, and none of their arcs carries anything. */
void fs_band_flow_send (FsBandFlow *flow, FsCpuLayout *layout, uint32_t node, size_t pixel,
                        size_t n);

/* Takes over what flows from these nodes. Their capacities, the same both ways, are planes of the
 * grid, indexed by pixels. */
void fs_band_flow_take (FsBandFlow *flow, const FsCpuLayout *layout, uint32_t node, size_t pixel,
                        size_t n, const uint16_t *const capacity[FS_N_DIRECTIONS]);

G_END_DECLS

#endif
