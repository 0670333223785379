/* SPDX-License-Identifier: MIT */
/* N-links of a photo, read from planes or computed from link tables.   Layer: energy.
 *
 * Photo terms made without planes have only the tables (implicit links).
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_TERMS_NLINKS_H
#define FS_ENERGY_TERMS_NLINKS_H

#include "energy/terms/photo_terms.h"

G_BEGIN_DECLS

/* Fills the planes, unless they are filled. Cost O(N). Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_nlinks_need (FsPhotoTerms *terms, GError **error);

/* The n-links of pixels [x0, x0 + n) of row y in each direction; 0 for those that leave the photo.
 */
void fs_nlinks_read (const FsPhotoTerms *terms, int y, int x0, int n,
                     uint16_t *out[FS_N_DIRECTIONS]);

/* The callback FsGridLinks.read, for terms without planes. */
void fs_nlinks_read_among (gconstpointer terms, int x0, int y0, int width, int height,
                           uint16_t *const out[FS_N_DIRECTIONS]);

/* For each of n consecutive pixels of a row one more than the sum of all its n-links. Without
 * planes one pixel costs about as much as ten. */
void fs_nlinks_sums (const FsPhotoTerms *terms, uint32_t pixel, int n, int32_t *sums);
int32_t fs_nlinks_sum (const FsPhotoTerms *terms, uint32_t pixel);

/* Prefetches the data of fs_nlinks_sum for a pixel. */
void fs_nlinks_fetch (const FsPhotoTerms *terms, uint32_t pixel);

G_END_DECLS

#endif
