/* SPDX-License-Identifier: MIT */
/* A mask for the eye, long before the exact one.   Layer: solver.
 *
 * The multilevel narrow band (Lombaert et al. 2005; Lattari 2010, algorithm 15): the coarsest level
 * of a pyramid is cut whole, and its mask projected; then, level by level down to the photo, only a
 * band around the projected border is cut again, with the labels outside it held fixed.
 *
 * A preview is a valid labelling that respects every seed, and nothing more: it misses what the
 * coarse levels miss, thin and scattered parts above all. Never show it as exact. It neither reads
 * nor disturbs the state of a solver that is bound to the same grid. Differing from the sources:
 * the pyramid shrinks the energy and keeps seeds (pyramid.h); a band also takes up the blocks that
 * contradict their seeds (band.h); each band is solved in compact storage, so memory follows the
 * border. A level whose longer side is no more than the band's dilation is cut whole, and the
 * levels above it fall away: with no levels, and with a dilation of the photo's size, the preview
 * is the exact cut.
 *
 * A device makes the same mask of the links that its solver holds (fs_solver_preview): the pyramid,
 * the bands and their cuts stay there, and only the mask comes back.
 *
 * Threads: one at a time per preview; cancellation from any thread. While one call runs, nobody may
 * write the grid.
 */
#ifndef FS_SOLVER_MULTILEVEL_PREVIEW_H
#define FS_SOLVER_MULTILEVEL_PREVIEW_H

#include "solver/multilevel/pyramid.h"
#include "solver/solver.h"

G_BEGIN_DECLS

/* A zeroed struct is the exact cut; FS_PREVIEW_DEFAULT is what the window uses. */
typedef struct _FsPreviewOptions {
  int n_levels;       /* coarse levels, 0 … FS_LEVELS_MAX                          */
  int band_px;        /* dilation of the band at every level, ≥ 0                  */
  int32_t soft_tlink; /* the largest |t| that colours alone make: sure pixels above it are seeds,
                         which survive at every level (pyramid.h). 0: every sure pixel is a seed */
  int n_unrefined;    /* the finest levels that are not cut again but filled block by block, seeds
                         excepted: for a photo that is shown smaller than it is. 0 … n_levels − 1   */
  gboolean goes_on;   /* the mask that is given is as the last call by the same solver left it: a
                         device then writes only what differs                                       */
} FsPreviewOptions;

#define FS_PREVIEW_DEFAULT ((FsPreviewOptions){ .n_levels = 3, .band_px = 2 })

typedef struct _FsPreviewStats {
  int n_levels;                       /* coarse levels that were used                        */
  size_t n_pixels[FS_LEVELS_MAX + 1]; /* of each level                                       */
  size_t n_solved[FS_LEVELS_MAX + 1]; /* pixels in the band, or all where a level was whole  */
  int64_t energy;                     /* fs_grid_energy of the mask                          */
  size_t size_bytes;                  /* the workspace, grid and mask not counted            */
} FsPreviewStats;

typedef struct _FsPreview FsPreview;

/* Makes the pyramid's n-links, which last as long as the preview; t-links and the star are read
 * when solving. The grid stays the caller's and must outlive the preview. Cost O(N), memory about 6
 * bytes a pixel. Errors: FS_SOLVER_ERROR_INVALID (shape), MEMORY, CANCELLED. */
FsPreview *fs_preview_new (const FsGrid *grid, const FsPreviewOptions *options,
                           const FsProgress *progress, GError **error);
void fs_preview_free (FsPreview *preview);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPreview, fs_preview_free)

/* Tells of t-links of the grid that have changed since the last solve: those of n pixels (y·W + x),
 * or all of them (also before the first solve, where it may be left out). */
void fs_preview_change (FsPreview *preview, const uint32_t *pixels, size_t n);
void fs_preview_change_all (FsPreview *preview);

/* The same for star links; fs_preview_change_all tells of them too. */
void fs_preview_change_star (FsPreview *preview, const uint32_t *pixels, size_t n);

/* Writes W·H bytes, 0 or 1, to `mask`. `stats` may be NULL. Blocks. After the first call the
 * workspace is there; it grows only where a band grows. Errors: CANCELLED, MEMORY; the mask is then
 * undefined, and the next call starts afresh. */
gboolean fs_preview_solve (FsPreview *preview, const FsProgress *progress, uint8_t *mask,
                           FsPreviewStats *stats, GError **error);

/* Until when (g_get_monotonic_time) the following solves may go on refining; 0, the start, for
 * ever. A level that would not be done in time, judged by how long it took before, is filled block
 * by block like an unrefined one. The coarsest level is always cut. */
void fs_preview_set_deadline (FsPreview *preview, gint64 deadline_us);
/* Whether the last solve had to fill a level for want of time. */
gboolean fs_preview_is_hasty (const FsPreview *preview);

/* The same by the solver's device, of the links that the solver holds, whose flow and mask stay as
 * they are. *done: whether there is a mask; FALSE, with TRUE returned, where the solver's backend
 * makes no previews, or none any
 * more because its device failed: an FsPreview of the same links then makes it. Of the stats'
 * size_bytes, the device's. There is no deadline. Errors: CANCELLED. */
gboolean fs_solver_preview (FsSolver *solver, const FsPreviewOptions *options,
                            const FsProgress *progress, uint8_t *mask, FsPreviewStats *stats,
                            gboolean *done, GError **error);

/* How many of so many levels are of use: a level that the band would cover anyway is cut whole, and
 * there is nothing above it. For backends. */
int fs_preview_count_levels (const FsGrid *grid, const FsPreviewOptions *options);

/* Bytes of the workspace now. */
size_t fs_preview_size_bytes (const FsPreview *preview);

G_END_DECLS

#endif
