/* SPDX-License-Identifier: MIT */
/* State of the kernels' twin, and the calls between its sources.   Layer: solver/kernels (tests).
 */
#ifndef FS_SOLVER_KERNELS_SOLVE_HOST_STATE_H
#define FS_SOLVER_KERNELS_SOLVE_HOST_STATE_H

#include "solver/kernels/solve/problem.h"

typedef struct {
  uint32_t *tile;
  int count;
} FsHostList;

struct FsEngine {
  FsGridState grid;
  FsProblem problem;
  const FsEnginePhoto *photo; /* NULL: links came as planes */
  int32_t strength;           /* of pixels that are fixed, as in the terms told last */
  FsHostList list[2];         /* this round's and the next one's */
  uint32_t *changed;          /* tiles, each once */
  uint8_t *is_changed;
  size_t n_changed;
  uint32_t random;
  int phases, pushes, rise, rounds, first_distance_cap;
  int has_begun;        /* a solve has begun                                     */
  int has_cut;          /* a solve has ended, for nearly the same t-links        */
  int32_t distance_cap; /* of this epoch                                         */
  int is_cut;           /* whether some tile's labels ended at the distance cap  */
  int64_t n_discharges, n_labellings;
  uint32_t *preview; /* mask of the last preview */
};

/* Numbers 0 … n − 1 in a drawn order. */
void fs_host_shuffle (FsEngine *engine, int *order, int n);

/* --- Rounds, as queue.cuh on the device --- */

/* Visits at once: all of them begin before the first ends. */
enum { FS_HOST_VISITS = 3 };

/* Sets flags of a tile and lists it for the next round, once. */
void fs_host_wake (FsEngine *engine, int tile, uint32_t flags);

/* Begins the next round, with the tiles listed for it. */
void fs_host_end_round (FsEngine *engine);

/* Begins a round with the tiles that have any flag of `wanted`, and clears `cleared` in all. */
void fs_host_gather (FsEngine *engine, uint32_t wanted, uint32_t cleared);

/* --- Labels: labels_host.c, as labels_warp.cuh on the device --- */

/* Takes the border flow of a tile into its planes. */
void fs_host_absorb (FsEngine *engine, int tile);

/* The halo's pixels with one label; lanes lie `stride_bytes` apart. */
FsHaloBits fs_host_halo_bits (const FsLabelLane *first, size_t stride_bytes, int32_t label);

/* Sets the label of all pixels that the last search found; lanes lie `stride_bytes` apart. */
void fs_host_end_label (FsLabelLane *first, size_t stride_bytes, int32_t label);

/* Raises or lowers the labels of the listed tiles until none is left. */
void fs_host_label_all (FsEngine *engine, int raise);

/* --- Discharges: discharge_host.c, as discharge_block.cuh on the device --- */

/* Discharges the listed tiles, for as many rounds as an epoch has at most. */
void fs_host_discharge_all (FsEngine *engine);

/* --- Pre-flow: scanline_preflow_host.c, as scanline_preflow.cuh on the device --- */

/* Pre-flow along rows, then along columns, with 4 neighbours. `slots`: the places of the photo's
 * tiles among the engine's, −1 for none; NULL where these are all. `marks`: flags that tiles with
 * flow get. */
void fs_host_preflow (FsEngine *engine, const int32_t *slots, uint32_t marks);

#endif
