/* SPDX-License-Identifier: MIT */
/* Contrast-sensitive n-links: w = λ·g(d²), g(d²) = 1 / (1 + d²).   Layer: energy.
 *
 * Source: Li, Sun, Tang & Shum 2004 (Lazy Snapping), equation 3; d² is the squared RGB difference
 * of two neighbours, diagonals are weighted by 1/√2. Capacities come from a table over the 195,076
 * possible values of d², made once, so every backend has the same integers. Where the scaled weight
 * exceeds FS_NLINK_MAX it is cut to it; with the default λ that concerns only equal neighbours (d²
 * = 0).
 */
#ifndef FS_ENERGY_TERMS_CONTRAST_H
#define FS_ENERGY_TERMS_CONTRAST_H

#include "energy/terms/photo_terms.h"

G_BEGIN_DECLS

#define FS_CONTRAST_D2_MAX  (3 * 255 * 255)
#define FS_CONTRAST_SAMPLES 1000000

typedef struct {
  uint16_t straight[FS_CONTRAST_D2_MAX + 1];
  uint16_t diagonal[FS_CONTRAST_D2_MAX + 1];
} FsContrastTable;

/* `weight` is λ in capacity units: the n-link of two equal neighbours. g_free. */
FsContrastTable *fs_contrast_table_new (double weight);

/* The same for g(d²) = exp(−βd²), as in Rother, Kolmogorov & Blake 2004 (GrabCut), equation 11. */
FsContrastTable *fs_contrast_table_new_gaussian (double weight, double beta);

/* The mean of d² over neighbouring pixels in the first n_directions directions; at least 1/3. Rows
 * are sampled where the photo has more than FS_CONTRAST_SAMPLES pixels. */
double fs_contrast_mean (const FsImage *image, int n_directions);

/* Gives the table to photo terms, which own it then. */
void fs_contrast_set_tables (FsContrastTable *table, FsPhotoTerms *terms);
/* The same, and fills their n-links as fs_contrast_fill does. */
gboolean fs_contrast_fill_terms (FsContrastTable *table, FsPhotoTerms *terms,
                                 const FsProgress *progress, GError **error);

/* Fills nlink[d], W·H capacities each, for the first n_directions directions (2 or 4); links that
 * leave the photo are 0. Errors: FS_SOLVER_ERROR_CANCELLED. Cost O(N). */
gboolean fs_contrast_fill (const FsContrastTable *table, const FsImage *image, int n_directions,
                           uint16_t *nlink[FS_N_DIRECTIONS], const FsProgress *progress,
                           GError **error);

G_END_DECLS

#endif
