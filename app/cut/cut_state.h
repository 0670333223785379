/* SPDX-License-Identifier: MIT */
/* A cut with one set of colour models: an energy and its solver.   Layer: app.
 *
 * The live loop has two of them on the same n-links: one that the strokes change while its models
 * stand still, and one on which new models are fitted meanwhile.
 *
 * Threads: one at a time per cut; siblings may run at once.
 */
#ifndef FS_APP_CUT_CUT_STATE_H
#define FS_APP_CUT_CUT_STATE_H

#include "app/cut/solver_sync.h"
#include "app/strokes/previous_mask.h"
#include "energy/energy.h"
#include "solver/multilevel/preview.h"
#include "solver/solver.h"

G_BEGIN_DECLS

/* The locality filter of stability (energy.h). */
typedef enum {
  FS_LOCALITY_NONE,    /* the fit has no mask prior, or seeds have changed before the filter ran */
  FS_LOCALITY_PENDING, /* the next solve is the fit's first, and runs the filter                 */
  FS_LOCALITY_APPLIED, /* the pixels that it rejects are clamped in the energy                   */
} FsLocality;

typedef struct {
  FsEnergy *energy; /* with implicit links (implicit_links.h) where the backend makes them */
  const FsBackend *backend;
  FsGuess *guess;         /* of later fits, or NULL     */
  FsGuess *fitted_guess;  /* of the last fit, or NULL   */
  const FsSeedMap *seeds; /* borrowed: the last that were given */
  FsSolver *solver;       /* NULL before the first solve */
  FsCutLinks links;       /* the solver's, and what it has not taken yet */
  GArray *changes;        /* of FsTlinkChange, scratch */
  GArray *fixed;          /* of FsFixedSpan, scratch   */
  GArray *star_changes;   /* of FsStarChange, scratch  */
  GArray *pixels;         /* of uint32_t, scratch      */
  FsSolution solution;    /* of the last finished solve */
  gint64 solve_us;
  gint64 first_us;        /* of the first solve after a fit                        */
  gint64 cut_us;          /* of all solves since the last fit                      */
  gint64 model_us;        /* of the last fit                                       */
  gint64 energy_us;       /* of the n-links and the last fit's t-links             */
  gint64 nlinks_us;       /* the n-links' part of that, made once for all siblings */
  gboolean is_star_stale; /* the star is not yet that of the seeds */
  guint64 fitted_at;      /* for the owner: the generation of the seeds that the models are of */
  FsPreview *preview;     /* NULL until the first one is asked for */
  FsLocality locality;
  /* The mask after border refinement, W·H bytes, and whether it stands: then `solution` is its own,
   * not the solver's. */
  uint8_t *refined_mask;
  gboolean is_refined;
} FsModelCut;

/* Makes the n-links, O(N). The solver is made by the first solve, so that a preview need not wait
 * for it. Errors: FS_SOLVER_ERROR. */
FsModelCut *fs_model_cut_new (FsImage *image, const FsSettings *settings,
                              const FsProgress *progress, GError **error);
/* A second cut that shares photo, settings, guess and n-links. Cheap. */
FsModelCut *fs_model_cut_new_sibling (FsModelCut *cut, GError **error);
void fs_model_cut_free (FsModelCut *cut);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsModelCut, fs_model_cut_free)

/* The backend that its solves use: after a failure not the one that was chosen. */
const FsBackend *fs_model_cut_get_backend (FsModelCut *cut);

/* Sets the first guess, of the photo's size, that later fits weigh with the seeds; NULL for none.
 * Takes a reference. */
void fs_model_cut_set_guess (FsModelCut *cut, FsGuess *guess);

/* Fits the models to the seeds and computes every t-link. The flow stays; the solver takes the
 * t-links over in the next solve, so that a preview in between need not wait for it. Errors:
 * FS_SOLVER_ERROR. */
gboolean fs_model_cut_fit (FsModelCut *cut, const FsSeedMap *seeds, GError **error);
/* The same with stability: a mask prior towards `previous` (NULL: none), and the next solve cuts
 * twice, the second time with the pixels clamped that the locality filter rejects (energy.h). */
gboolean fs_model_cut_fit_after (FsModelCut *cut, const FsSeedMap *seeds,
                                 const FsPreviousMask *previous, GError **error);

/* Sets the seed map that later calls read, in place of the one given last. Borrowed. */
void fs_model_cut_set_seeds (FsModelCut *cut, const FsSeedMap *seeds);

/* Sets the t-links of the listed pixels from their labels, by the present models, and extends the
 * star, by a limited number of pixels. FALSE where the star is not yet that of the seeds: further
 * calls, with no pixels if need be, must extend it before the next solve. A pending locality filter
 * is given up: its result would depend on when the pixels came. */
gboolean fs_model_cut_change (FsModelCut *cut, const FsPixelList *pixels, const FsSeedMap *seeds);

/* An upper bound of the pixels whose links have changed since the last solve. */
size_t fs_model_cut_count_waiting (FsModelCut *cut);

/* Makes the solver if there is none, and passes on the changes. Errors: FS_SOLVER_ERROR. */
gboolean fs_model_cut_update_solver (FsModelCut *cut, GError **error);

/* Solves and records solution and time. Errors: also FS_SOLVER_ERROR_CANCELLED. */
gboolean fs_model_cut_solve (FsModelCut *cut, const FsProgress *progress, GError **error);

/* TRUE if the last solve's border is to be refined before the mask is final. */
gboolean fs_model_cut_wants_refinement (FsModelCut *cut);

/* Refines the border (refine_cut.h). `seeds` are those of the last fit and of the solve. The solver
 * keeps its own solution. Errors: also FS_SOLVER_ERROR_CANCELLED. */
gboolean fs_model_cut_refine (FsModelCut *cut, const FsSeedMap *seeds, const FsProgress *progress,
                              GError **error);

/* The mask, the refined one where there is one, as runs (mask_runs.h). NULL where memory is short.
 * Cost O(N). */
GBytes *fs_model_cut_pack_mask (FsModelCut *cut);

/* TRUE if an exact solve of new models is likely to take longer than a frame or two: by the photo's
 * size, and on a device only if the last such solve has. */
gboolean fs_model_cut_wants_preview (FsModelCut *cut);

/* Computes a preview (solver/multilevel/preview.h) into `mask`, W·H bytes: on the device where one
 * cuts, which ignores the deadline, else on the CPU. There, levels that would not be done before
 * deadline_us (0: none) are left in blocks, and `hasty` becomes TRUE. Errors: also
 * FS_SOLVER_ERROR_CANCELLED. */
gboolean fs_model_cut_preview (FsModelCut *cut, const FsProgress *progress, gint64 deadline_us,
                               uint8_t *mask, gboolean *hasty, GError **error);

/* The same without a deadline, before a solve: where threads allow it, a CPU solver takes over the
 * changes meanwhile. */
gboolean fs_model_cut_preview_before_solve (FsModelCut *cut, const FsProgress *progress,
                                            uint8_t *mask, GError **error);

G_END_DECLS

#endif
