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
  FsGuess *guess;         /* of the next fit and those after it, or NULL */
  FsGuess *fitted_guess;  /* … of the last one                           */
  const FsSeedMap *seeds; /* borrowed: the last that were given */
  FsSolver *solver;       /* NULL before the first solve */
  FsCutLinks links;       /* the solver's, and what it has not taken yet */
  GArray *changes;        /* of FsTlinkChange, scratch */
  GArray *fixed;          /* of FsFixedSpan, scratch   */
  GArray *star_changes;   /* of FsStarChange, scratch  */
  GArray *pixels;         /* of uint32_t, theirs       */
  FsSolution solution;    /* of the last finished solve */
  gint64 solve_us;
  gint64 first_us;        /* of the first solve after a fit                        */
  gint64 cut_us;          /* of all solves since the last fit                      */
  gint64 model_us;        /* of the last fit                                       */
  gint64 energy_us;       /* of the n-links and the last fit's t-links             */
  gint64 nlinks_us;       /* … of which were the n-links, made once for all siblings */
  gboolean is_star_stale; /* the star is not yet that of the seeds */
  guint64 fitted_at;      /* for the owner: the generation of the seeds that the models are of */
  FsPreview *preview;     /* NULL until the first one is asked for */
  FsLocality locality;
  /* The mask after border refinement, W·H bytes, and whether it stands: then `solution` is its own,
   * not the solver's. */
  uint8_t *refined_mask;
  gboolean is_refined;
} FsModelCut;

/* Makes the n-links (O(N)); the solver's state waits for the first solve, so that a preview need
 * not wait for it. Errors: FS_SOLVER_ERROR. */
FsModelCut *fs_model_cut_new (FsImage *image, const FsSettings *settings,
                              const FsProgress *progress, GError **error);
/* A second one that shares photo, settings, guess and n-links. Cheap. */
FsModelCut *fs_model_cut_new_sibling (FsModelCut *cut, GError **error);
void fs_model_cut_free (FsModelCut *cut);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsModelCut, fs_model_cut_free)

/* The backend that its solves really use. */
const FsBackend *fs_model_cut_get_backend (FsModelCut *cut);

/* What fits weigh from now on beside the seeds: a first guess of the photo's size, or none. Takes a
 * reference. */
void fs_model_cut_set_guess (FsModelCut *cut, FsGuess *guess);

/* Fits the models to the seeds and makes every t-link anew; the flow is kept. The solver takes them
 * over in the next solve: a preview in between does not wait for it. */
gboolean fs_model_cut_fit (FsModelCut *cut, const FsSeedMap *seeds, GError **error);
/* The same with stability: a mask prior towards `previous` (NULL: none), and the next solve cuts
 * twice, the second time with the pixels clamped that the locality filter rejects (energy.h). */
gboolean fs_model_cut_fit_after (FsModelCut *cut, const FsSeedMap *seeds,
                                 const FsPreviousMask *previous, GError **error);

/* Where the seeds lie that are to be cut, if not where they did: those that were given last are
 * read by later calls too. */
void fs_model_cut_set_seeds (FsModelCut *cut, const FsSeedMap *seeds);

/* Sets the t-links of the listed pixels from their labels, by the present models, and extends the
 * star, by a limited number of pixels. FALSE where the star is not yet that of the seeds: further
 * calls, with no pixels if need be, must extend it before the next solve. A pending locality filter
 * is given up: its result would depend on when the pixels came. */
gboolean fs_model_cut_change (FsModelCut *cut, const FsPixelList *pixels, const FsSeedMap *seeds);

/* An upper bound of the pixels whose links have changed since the last solve. */
size_t fs_model_cut_count_waiting (FsModelCut *cut);

/* Makes the solver's state if it is not there, and hands it over what has changed. Errors:
 * FS_SOLVER_ERROR. */
gboolean fs_model_cut_update_solver (FsModelCut *cut, GError **error);

/* Solves and notes solution and time. Errors: also FS_SOLVER_ERROR_CANCELLED. */
gboolean fs_model_cut_solve (FsModelCut *cut, const FsProgress *progress, GError **error);

/* Whether the last solve's border is to be refined before the mask is final. */
gboolean fs_model_cut_wants_refinement (FsModelCut *cut);

/* Refines it (refine_cut.h), with the seeds of the last fit, which are those of the solve. What the
 * solver holds stays. Errors: also FS_SOLVER_ERROR_CANCELLED. */
gboolean fs_model_cut_refine (FsModelCut *cut, const FsSeedMap *seeds, const FsProgress *progress,
                              GError **error);

/* The mask, refined where it was, by its runs (mask_runs.h); NULL where memory is short. Cost O(N).
 */
GBytes *fs_model_cut_pack_mask (FsModelCut *cut);

/* Whether an exact solve from new models is likely to take longer than a frame or two: on a device
 * when the last one has. */
gboolean fs_model_cut_wants_preview (FsModelCut *cut);

/* A mask for the eye, W·H bytes, by levels and bands: the device's where one cuts, which knows no
 * deadline, else the processor's. Of the latter, levels that would not be done before deadline_us
 * (0: none) are left in blocks, and `hasty` tells of it. Errors: also FS_SOLVER_ERROR_CANCELLED. */
gboolean fs_model_cut_preview (FsModelCut *cut, const FsProgress *progress, gint64 deadline_us,
                               uint8_t *mask, gboolean *hasty, GError **error);

/* The same without a deadline, for who solves next: where threads allow it the processor's solver
 * takes over meanwhile what has changed. */
gboolean fs_model_cut_preview_before_solve (FsModelCut *cut, const FsProgress *progress,
                                            uint8_t *mask, GError **error);

G_END_DECLS

#endif
