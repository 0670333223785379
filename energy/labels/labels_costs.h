/* SPDX-License-Identifier: MIT */
/* Costs of labels as the Middlebury MRF problems define them.   Layer: energy.
 *
 * Source: Szeliski, Zabih, Scharstein, Veksler, Kolmogorov, Agarwala, Tappen & Rother 2008 and its
 * benchmark; every division truncates and every sum is an integer, so that energies are theirs to
 * the unit. Planes of data costs are [label · W·H + y·W + x].
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_LABELS_LABELS_COSTS_H
#define FS_ENERGY_LABELS_LABELS_COSTS_H

#include "energy/image/image.h"
#include "solver/expansion/move/label_problem.h"

G_BEGIN_DECLS

/* Stereo. A label is a disparity: pixel (x, y) of the left image is seen at (x − label, y) of the
 * right one. The cost is the sum over R, G, B of the Birchfield–Tomasi difference, which compares
 * each with the range between the other and its half-way neighbours (the smaller of both ways),
 * squared if asked for, and at most `max`; that, or the largest sum there is where it is less, is
 * the cost of a match outside the image. Both images are of one size. */
void fs_labels_fill_stereo (const FsImage *left, const FsImage *right, int n_labels,
                            gboolean squared, int32_t max, int32_t *data);

/* Restoration. A label is a grey value: (I − label)² of the image's blue channel, which of a grey
 * one is its grey; 0 where the mask, which may be NULL and else is as large as the image, is 0. */
void fs_labels_fill_restoration (const FsImage *image, const FsImage *mask, int n_labels,
                                 int32_t *data);

/* scale · min(|a − b|^power, most) for power 0 (Potts, 0⁰ = 0), 1 or 2: [a · n_labels + b]. FALSE,
 * with nothing of use in the table, where a value does not fit FS_PAIR_COST_MAX. */
gboolean fs_labels_fill_table (int power, int32_t scale, int32_t max, int n_labels, int32_t *table);

/* Weights for the pairs in the neighbourhood's forward directions (NULL for others): `factor` where
 * the colours of both pixels differ by less than `below` (squares, summed over R, G, B), else 1. 0
 * where there is no neighbour. */
void fs_labels_fill_cue (const FsImage *image, int32_t below, uint16_t factor,
                         uint16_t *weight[FS_N_DIRECTIONS]);

G_END_DECLS

#endif
