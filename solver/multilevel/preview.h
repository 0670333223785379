/* SPDX-License-Identifier: MIT */
/* Previews: approximate masks by levels and bands, long before the exact one.   Layer: solver.
 *
 * The multilevel narrow band (Lombaert et al. 2005; Lattari 2010, algorithm 15): the coarsest level
 * of a pyramid is cut whole, and its mask projected; then, level by level down to the photo, only a
 * band around the projected border is cut again, with the labels outside it fixed.
 *
 * A preview is a valid labelling that respects every seed, and no more: it misses what the coarse
 * levels miss, thin and scattered structures above all. Never show it as exact. It neither reads
 * nor changes the state of a solver that is bound to the same grid. Differences from the sources:
 * the pyramid shrinks the energy and retains seeds (pyramid.h); a band also includes the blocks
 * that contradict their seeds (band.h); each band is solved in compact storage, so memory follows
 * the border. A level whose longer side is at most the band's dilation is cut whole, and there are
 * no levels above it: without levels, or with a dilation of the photo's size, the preview is the
 * exact cut.
 *
 * A device computes the same mask from its solver's links (fs_solver_preview): the pyramid, the
 * bands and their cuts stay on the device, and only the mask is copied.
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
  int n_unrefined;    /* the finest levels that are not cut again but filled block by block, except
                         for seeds: for a photo that is shown reduced. 0 … n_levels − 1             */
  gboolean goes_on;   /* the mask passed in is as the last call by the same solver left it: a device
                         then writes only what differs                                              */
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

/* Computes the pyramid's n-links once for the preview's life; t-links and the star are read when
 * solving. The grid is borrowed and must outlive the preview. Cost O(N), memory about 6 bytes a
 * pixel. Errors: FS_SOLVER_ERROR_INVALID (shape), MEMORY, CANCELLED. */
FsPreview *fs_preview_new (const FsGrid *grid, const FsPreviewOptions *options,
                           const FsProgress *progress, GError **error);
void fs_preview_free (FsPreview *preview);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPreview, fs_preview_free)

/* Reports t-links of the grid that have changed since the last solve: those of n pixels (y·W + x),
 * or all of them (optional before the first solve). */
void fs_preview_change (FsPreview *preview, const uint32_t *pixels, size_t n);
void fs_preview_change_all (FsPreview *preview);

/* The same for star links; fs_preview_change_all includes them. */
void fs_preview_change_star (FsPreview *preview, const uint32_t *pixels, size_t n);

/* Writes W·H bytes, 0 or 1, to `mask`. `stats` may be NULL. Blocks. After the first call the
 * workspace is there; it grows only where a band grows. Errors: CANCELLED, MEMORY; the mask is then
 * undefined, and the next call starts afresh. */
gboolean fs_preview_solve (FsPreview *preview, const FsProgress *progress, uint8_t *mask,
                           FsPreviewStats *stats, GError **error);

/* The time (g_get_monotonic_time) until which the following solves may refine; 0, the default: no
 * limit. A level that would not be done in time, by how long it took before, is filled block by
 * block like an unrefined one. The coarsest level is always cut. */
void fs_preview_set_deadline (FsPreview *preview, gint64 deadline_us);
/* Returns whether the last solve had to fill a level for want of time. */
gboolean fs_preview_is_hasty (const FsPreview *preview);

/* The same on the solver's device, from the solver's links; its flow and mask do not change. *done:
 * whether there is a mask; FALSE, with TRUE returned, where the solver's backend makes no previews,
 * or no longer because its device failed: use an FsPreview of the same links then. The stats'
 * size_bytes is the device's. There is no deadline. Errors: CANCELLED. */
gboolean fs_solver_preview (FsSolver *solver, const FsPreviewOptions *options,
                            const FsProgress *progress, uint8_t *mask, FsPreviewStats *stats,
                            gboolean *done, GError **error);

/* The number of levels that are used: a level that the band would cover is cut whole, and there is
 * none above it. For backends. */
int fs_preview_count_levels (const FsGrid *grid, const FsPreviewOptions *options);

/* Bytes of the workspace now. */
size_t fs_preview_size_bytes (const FsPreview *preview);

G_END_DECLS

#endif
