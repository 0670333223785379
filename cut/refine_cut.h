/* SPDX-License-Identifier: MIT */
/* Cuts of border refinement (energy/refine/refine.h).   Layer: cut.
 *
 * The cuts, in this order:
 *
 * - where strokes cover enough, the whole photo by cells, to add and remove components
 *   (add_components.h, remove_components.h); their result is only the start of the next cuts;
 * - up to fs_refinement_get_rounds rounds of the band, each with the colours of the mask before it,
 *   until the mask no longer changes; then one that draws the border;
 * - one more each where the band is widened, where changes are refused, and where the locality
 *   filter of stability rejects some;
 * - where the rounds ran on a reduced photo, one of the photo's own pixels along the border.
 *
 * The energy of the mask is that of the last cut.
 *
 * Threads: one at a time.
 */
#ifndef FS_CUT_REFINE_CUT_H
#define FS_CUT_REFINE_CUT_H

#include "energy/refine/full_resolution_border.h"
#include "solver/certificate.h"
#include "solver/solver.h"

G_BEGIN_DECLS

typedef struct {
  FsRefinement *refinement;
  FsSolver *solver;       /* of the rounds, bound to the refinement's grid; NULL if the mask has no
                             border,       or a finished mask leaves no pixel free */
  FsBorderDetail *detail; /* of the last cut, where the rounds ran on a reduced photo; else NULL */
  FsSolution solution;
  int n_rounds; /* cuts */
} FsRefineCut;

/* `mask`, W·H bytes of 0 and 1, is the first cut of an energy that wants refinement and was fitted
 * to `seeds`, and becomes the last one. Energy and seeds are borrowed until the cut is cleared.
 * Blocks. Errors: FS_SOLVER_ERROR, also CANCELLED; the mask is then undefined. */
gboolean fs_refine_cut_run (FsRefineCut *cut, FsEnergy *energy, const FsSeedMap *seeds,
                            const FsBackend *backend, uint8_t *mask, const FsProgress *progress,
                            GError **error);
void fs_refine_cut_clear (FsRefineCut *cut);

/* Checks the certificate of the last cut, which made `mask`. Only if there is a border. Errors:
 * FS_SOLVER_ERROR. */
gboolean fs_refine_cut_certify (const FsRefineCut *cut, const uint8_t *mask,
                                FsCertificate *certificate, GError **error);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsRefineCut, fs_refine_cut_clear)

G_END_DECLS

#endif
