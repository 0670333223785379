/* SPDX-License-Identifier: MIT */
/* Exact cut of one object from a photo with seeds: energy, solver, border refinement.   Layer: cut.
 *
 * The steps, in this order: prepare, solve, iterate (GrabCut's, any number), refine, certify. A
 * live cut goes on from there: refit or extend for changed seeds, solve, and so on.
 *
 * Threads: one at a time; cancellation from any thread.
 */
#ifndef FS_CUT_PHOTO_CUT_H
#define FS_CUT_PHOTO_CUT_H

#include "cut/refine_cut.h"
#include "energy/energy.h"

G_BEGIN_DECLS

typedef struct {
  /* The problem, borrowed. */
  FsImage *image;
  const FsSettings *settings;
  const FsSeedMap *seeds;
  FsGuess *guess; /* or NULL */
  const FsBackend *backend;
  const FsProgress *progress; /* or NULL */
  uint8_t *mask;              /* [height · width] in refine, out: 0 or 1 */
  gboolean has_own_tlinks;    /* the caller adds t-links of its own to the seeds' after prepare */
  gboolean is_verified;       /* certify comes last */
  gboolean has_preview;       /* the caller previews the links */
  gboolean is_live;           /* the seeds will change: links are planes, refine keeps the solver */
  /* The result. */
  FsEnergy *energy;
  FsSolver *solver; /* of the first cut; NULL after refine, unless it is verified */
  FsRefineCut refined;
  FsSolution solution; /* of the last cut */
  int n_refinements;   /* cuts of refine */
  gint64 links_us, model_us, tlinks_us;
} FsPhotoCut;

/* Makes the energy, fits its model to the seeds and fills the links. Errors: FS_SOLVER_ERROR. */
gboolean fs_photo_cut_prepare (FsPhotoCut *cut, GError **error);

/* Makes the solver of the links as they are. Errors: FS_SOLVER_ERROR. */
gboolean fs_photo_cut_make_solver (FsPhotoCut *cut, GError **error);

/* Live: fits the model to the present seeds, in place of prepare. Keeps the flow. Errors:
 * FS_SOLVER_ERROR. */
gboolean fs_photo_cut_refit (FsPhotoCut *cut, GError **error);

/* Live: takes over the labels of n pixels, which are all that have changed since the last fit or
 * extension, while the model stays. Cost: theirs. Errors: FS_SOLVER_ERROR. */
gboolean fs_photo_cut_extend (FsPhotoCut *cut, const uint32_t *pixels, size_t n, GError **error);

/* Cuts, first making the solver if there is none, and reads the mask. Errors: FS_SOLVER_ERROR. */
gboolean fs_photo_cut_solve (FsPhotoCut *cut, GError **error);

/* Fits the model to the mask and cuts again; gmm only. `changed` becomes TRUE if the mask did.
 * Errors: FS_SOLVER_ERROR. */
gboolean fs_photo_cut_iterate (FsPhotoCut *cut, gboolean *changed, GError **error);

/* Refines the border where settings and seeds ask for it. Errors: FS_SOLVER_ERROR. */
gboolean fs_photo_cut_refine (FsPhotoCut *cut, GError **error);

/* Checks the certificate of the last cut. Errors: FS_SOLVER_ERROR. */
gboolean fs_photo_cut_certify (const FsPhotoCut *cut, FsCertificate *certificate, GError **error);

/* The backend that made the last cut. */
const FsBackend *fs_photo_cut_get_backend (const FsPhotoCut *cut);

/* Frees the result; the problem stays its owner's. */
void fs_photo_cut_clear (FsPhotoCut *cut);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsPhotoCut, fs_photo_cut_clear)

/* The number of a single object: that of its seeds, FS_SEED_OBJECT without any. */
uint8_t fs_photo_cut_get_number (const FsSeedMap *seeds);

G_END_DECLS

#endif
