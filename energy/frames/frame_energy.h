/* SPDX-License-Identifier: MIT */
/* Energy of the cut within a frame's band.   Layer: energy.
 *
 *   t = S·(0.6·r + 4·s·min (d / band, 1)),   n-links λ·S·e^(−1.5·√(d²/m)) / len
 *
 * r = ln ((p_O + ε) / (p_B + ε)) of a pixel's colour (frame_colours.h), cut to ±6; d its distance
 * from the moved border and s = ±1 its side, without this prior where a pixel was not in the
 * previous frame; λ = 10·(N / 200,000)^⅓ for frames of N pixels, m the mean of d² in the band. This
 * is the energy of border refinement (refine.h) without strokes and with weaker n-links, since the
 * previous silhouette already determines most of the shape.
 *
 * Pixels outside the band are fixed. A link to a fixed neighbour is part of a free pixel's t-link.
 * So fixed pixels need no nodes: their links are 0 in the window's grid, whose energy is that of
 * the band up to a constant.
 *
 * Everything is a function of the frames and the previous mask, the same bits everywhere.
 *
 * Threads: one at a time.
 */
#ifndef FS_ENERGY_FRAMES_FRAME_ENERGY_H
#define FS_ENERGY_FRAMES_FRAME_ENERGY_H

#include "energy/frames/frame_colours.h"
#include "solver/grid.h"

G_BEGIN_DECLS

typedef struct {
  int width, height; /* of the window            */
  int32_t *tlink;    /* [height · width]         */
  uint16_t *nlink[FS_N_DIRECTIONS];
  FsLab *lab;  /* [height · width] of the band and adjacent pixels */
  double mean; /* of d², in squared units of lab.h          */
  size_t capacity;
  /* The pixels whose planes are not 0: as in FsFrameBand. */
  FsBandRun *runs;
  size_t *row_start;
  size_t n_runs, runs_capacity, rows_capacity;
} FsFrameEnergy;

void fs_frame_energy_init (FsFrameEnergy *energy);
void fs_frame_energy_clear (FsFrameEnergy *energy);

/* Fills the planes, 8 neighbours, after fs_frame_colours_weigh. FALSE where memory is short. Cost:
 * some 100 operations a free pixel, shared among threads. */
gboolean fs_frame_energy_fill (FsFrameEnergy *energy, const FsImage *image, const FsFrameBand *band,
                               const FsFrameColours *colours);

/* Fills the planes from a grid of the whole frame, 8 undirected neighbours, in place of colours and
 * distances: its energy with all pixels outside the band fixed. FALSE where memory is short. */
gboolean fs_frame_energy_take (FsFrameEnergy *energy, const FsImage *image, const FsFrameBand *band,
                               const FsGrid *grid);

/* λ·S·e^(−1.5·√(d²/m)), the capacity of a link of length 1 before it is rounded, for each entry of
 * squared differences (lab_contrast.h). */
void fs_frame_energy_list_links (const FsImage *image, double mean, double *of_entry);

/* --- The same in tables, for devices that make links (frame_tables.h) --- */

/* The mean of d² alone, as fs_frame_energy_fill measures it. */
double fs_frame_energy_measure_mean (const FsImage *image, const FsFrameBand *band);

/* The n-links of each entry, FS_LAB_CONTRAST_ENTRIES of either length. */
void fs_frame_energy_weigh_links (const FsImage *image, double mean, uint16_t *straight,
                                  uint16_t *diagonal);

/* Prior at each distance from the moved border, 0 … half_width. */
void fs_frame_energy_list_priors (const FsFrameBand *band, int16_t *prior);

/* The energy of a labelling of the free pixels (height · width bytes, 0 or 1). Cost O(free). */
int64_t fs_frame_energy_sum (const FsFrameEnergy *energy, const uint8_t *labels);

G_END_DECLS

#endif
