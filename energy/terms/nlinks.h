/* SPDX-License-Identifier: MIT */
/* N-links of a photo, with or without planes.   Layer: energy.
 *
 * Photo terms that were made without planes have tables, from which any of its n-links follow.
 *
 * Threads: safe.
 */
#ifndef FS_ENERGY_TERMS_NLINKS_H
#define FS_ENERGY_TERMS_NLINKS_H

#include "energy/terms/photo_terms.h"

G_BEGIN_DECLS

/* Makes the planes, unless they are there. Cost O(N). Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_nlinks_need (FsPhotoTerms *terms, GError **error);

/* The n-links of pixels [x0, x0 + n) of row y in each direction; 0 for those that leave the photo.
 */
void fs_nlinks_read (const FsPhotoTerms *terms, int y, int x0, int n,
                     uint16_t *out[FS_N_DIRECTIONS]);

/* As FsGridLinks.read of terms without planes. */
void fs_nlinks_read_among (gconstpointer terms, int x0, int y0, int width, int height,
                           uint16_t *const out[FS_N_DIRECTIONS]);

/* One more than the sum of all n-links of each of n pixels side by side. Without planes it costs
 * about as much for one as for ten. */
void fs_nlinks_sums (const FsPhotoTerms *terms, uint32_t pixel, int n, int32_t *sums);
int32_t fs_nlinks_sum (const FsPhotoTerms *terms, uint32_t pixel);

/* Has what the sum of a pixel's n-links follows from brought near, for a call that comes soon. */
void fs_nlinks_fetch (const FsPhotoTerms *terms, uint32_t pixel);

G_END_DECLS

#endif
