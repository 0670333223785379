/* SPDX-License-Identifier: MIT */
/* Photo montage: costs of the source image of each pixel.   Layer: energy.
 *
 * Source: Agarwala et al. 2004 as the Middlebury MRF benchmark has it. A label is a source image; a
 * source is missing at a pixel where it is black (0, 0, 0). A missing source costs MISSING unless
 * all of them are. Taking neighbours p, q from different sources a, b costs
 *
 *   0          where all sources are missing at p or at q, or a at p and b at q
 *   MISSING    where one of the two is missing at one of the two else
 *   ⌊|a(p) − b(p)| + |a(q) − b(q)|⌋ + 1   elsewhere, in Euclidean distances of R, G, B
 *
 * The first two lines violate the triangle inequality, so that expansions truncate some terms.
 *
 * Threads: immutable once made.
 */
#ifndef FS_ENERGY_LABELS_LABELS_MONTAGE_H
#define FS_ENERGY_LABELS_LABELS_MONTAGE_H

#include "energy/image/image.h"
#include "solver/expansion/move/label_problem.h"

G_BEGIN_DECLS

#define FS_MONTAGE_SOURCES_MAX 32

typedef struct _FsMontage FsMontage;

/* Takes references to n images of one size, 1 … FS_MONTAGE_SOURCES_MAX. Errors:
 * FS_SOLVER_ERROR_MEMORY. */
FsMontage *fs_montage_new (FsImage *const *sources, int n, int32_t missing_cost, GError **error);
void fs_montage_free (FsMontage *montage);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsMontage, fs_montage_free)

/* Fills the data costs, [label · W·H + y·W + x]. */
void fs_montage_fill_data (const FsMontage *montage, int32_t *data);

/* An FsPairCost: `data` is the montage. At most MISSING or 884, whichever is more. */
int32_t fs_montage_pair_cost (const void *data, size_t p, FsDirection d, int a, int b);
int32_t fs_montage_pair_cost_max (const FsMontage *montage);

G_END_DECLS

#endif
