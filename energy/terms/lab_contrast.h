/* SPDX-License-Identifier: MIT */
/* N-links by the contrast of Lab colours: w = λ·exp(−2·√(d²/m)) / len.   Layer: energy.
 *
 * d² is the squared Lab difference of two neighbours, m its mean over the photo, len 1 or √2. The
 * form is Boykov & Jolly's (2001) with a Laplacian in place of their Gaussian: it falls more
 * steeply at weak edges and less at strong ones. Rows are sampled for m where the photo has twice
 * FS_LAB_CONTRAST_SAMPLES pixels or more.
 *
 * Capacities come from a table over d² that is made once for the photo: every d² below 256 units
 * (1 in Lab) has an entry of its own, beyond there are 256 entries to an octave.
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_TERMS_LAB_CONTRAST_H
#define FS_ENERGY_TERMS_LAB_CONTRAST_H

#include "energy/terms/photo_terms.h"

G_BEGIN_DECLS

#define FS_LAB_CONTRAST_SAMPLES 250000
#define FS_LAB_CONTRAST_ENTRIES 4096

/* The entry of a squared difference. */
static inline uint32_t
fs_lab_contrast_entry (int32_t d2)
{
  union {
    float f;
    uint32_t bits;
  } v = { .f = (float)(MIN (d2, (1 << 24) - 257) + 256) }; /* below 2²⁴, hence exact */
  return (v.bits >> 15) - ((127 + 8) << 8);
}

/* The centre of the squared differences of an entry. */
double fs_lab_contrast_middle (int entry);

/* Fills the n-links, with `weight` as λ in capacity units; links that leave the photo are 0. Cost
 * O(N), shared among threads. Errors: FS_SOLVER_ERROR_CANCELLED. */
gboolean fs_lab_contrast_fill (FsPhotoTerms *terms, double weight, const FsProgress *progress,
                               GError **error);

/* Makes the tables of the same n-links without filling planes; reads only the sampled rows. */
gboolean fs_lab_contrast_make_tables (FsPhotoTerms *terms, double weight,
                                      const FsProgress *progress, GError **error);

G_END_DECLS

#endif
