/* SPDX-License-Identifier: MIT */
/* Cuts of border refinement (energy/refine/refine.h).   Layer: app.
 *
 * First, among strokes that cover enough, the cuts of the whole photo by cells that add and remove
 * components (energy/refine/add_components.h, energy/refine/remove_components.h); none of them
 * shows but in where the others begin. Then up to fs_refinement_get_rounds exact cuts, each
 * learning from the one before, until the mask stands still; one that draws the border; one more
 * where the band is widened, where something is refused, and, with stability, for what is not
 * accepted. Where they ran on a reduced photo one more cut follows, of the photo's own pixels along
 * the border. The last one's energy is the mask's.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_CUT_REFINE_CUT_H
#define FS_APP_CUT_REFINE_CUT_H

#include "energy/refine/full_resolution_border.h"
#include "solver/certificate.h"
#include "solver/solver.h"

G_BEGIN_DECLS

typedef struct {
  FsRefinement *refinement;
  FsSolver *solver; /* of the rounds, bound to the refinement's grid; NULL where the mask had no
                       border, or a finished mask leaves no pixel free */
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

/* Proves the last cut, which made `mask`. Only where there was a border. Errors: FS_SOLVER_ERROR.
 */
gboolean fs_refine_cut_certify (const FsRefineCut *cut, const uint8_t *mask,
                                FsCertificate *certificate, GError **error);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsRefineCut, fs_refine_cut_clear)

G_END_DECLS

#endif
