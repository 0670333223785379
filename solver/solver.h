/* SPDX-License-Identifier: MIT */
/* One exact minimum cut, kept up to date.   Layer: solver.
 *
 * A solver is bound to one grid and keeps residual n-links and a signed excess per pixel (a
 * pseudoflow, Hochbaum 2008): e(p) = t(p) + inflow − outflow. Any capacity-feasible flow is a valid
 * start, so changed t-links are added to the excess (Kohli & Torr 2007) and the next solve begins
 * where the last one ended, also when that one was cancelled. Changed star links take back the flow
 * that no longer fits; its two ends have it as excess and deficit.
 *
 * The mask is canonical: background = the pixels that can still reach a deficit (e < 0) in the
 * residual graph, all others object. It is the same set for every maximum flow, hence bit-identical
 * for every backend, thread count, history and starting flow.
 *
 * Threads: one thread at a time per solver; cancellation may come from any thread.
 */
#ifndef FS_SOLVER_SOLVER_H
#define FS_SOLVER_SOLVER_H

#include "solver/grid.h"
#include "solver/progress.h"
#include "solver/solver_types.h"

G_BEGIN_DECLS

/* Display tiles of the mask: FS_MASK_TILE² pixels, numbered row by row. */
#define FS_MASK_TILE 64

extern const FsBackend fs_backend_cpu;

/* "cpu" or "cuda", and its device in words ("CPU, AVX2"); static storage. */
const char *fs_backend_get_name (const FsBackend *backend);
const char *fs_backend_get_device (const FsBackend *backend);

/* The backend named "cpu" or "cuda"; "auto" is the CPU's, which every machine has. Errors:
 * FS_SOLVER_ERROR_BACKEND for an unknown name and for one that this build or machine lacks. */
const FsBackend *fs_backend_find (const char *name, GError **error);

/* Builds the state for `grid` (O(N)). The grid and its planes stay the caller's, must outlive the
 * solver; the n-links change through it alone, and it stays whether there is a star. Errors:
 * INVALID (shape, planes missing, links out of the grid), MEMORY. Capacities are trusted: see
 * fs_grid_validate, part of which builds with a sanitizer or -Dchecks=true do here. Of a grid that
 * has `links` in place of planes the t-links may change, and nothing else; its state can be read,
 * and its cut be certified, only once the planes are there. */
FsSolver *fs_solver_new (const FsBackend *backend, FsGrid *grid, GError **error);
void fs_solver_free (FsSolver *solver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsSolver, fs_solver_free)

/* Makes a solver what fs_solver_new makes of `grid`, which must have the shape of its own, in the
 * memory that it has. FALSE: this backend does not, and the solver stays as it was. */
gboolean fs_solver_rebuild (FsSolver *solver, FsGrid *grid);

/* The number of threads that solvers made from now on may use; 0, the default: as many as there are
 * processors. The mask never depends on it. Threads: any. */
void fs_solver_set_threads (int n_threads);
int fs_solver_get_threads (void);

/* Sets the t-links of n pixels, up to ±FS_TLINK_MAX, in the grid and in the state. A pixel may
 * occur twice: the last one wins. Cost O(n). Errors, here and of the other changes: none of the
 * CPU; where a device has failed, MEMORY for the processor in its place. */
gboolean fs_solver_change_tlinks (FsSolver *solver, const FsTlinkChange *changes, size_t n,
                                  GError **error);

/* Sets every t-link from a plane of W·H (new colour models), which is copied. Keeps the flow. Cost
 * O(N). */
gboolean fs_solver_replace_tlinks (FsSolver *solver, const int32_t *tlinks, GError **error);

/* The same for the star links of a grid that has a star: of n pixels (cost O(n)), or all of them
 * from a plane of W·H (O(N)). What counts is the forest that all changes together make: the order
 * of the pixels does not matter. Directions that lead out of the grid are refused as misuse. */
gboolean fs_solver_change_star (FsSolver *solver, const FsStarChange *changes, size_t n,
                                GError **error);
gboolean fs_solver_replace_star (FsSolver *solver, const uint8_t *star, GError **error);

/* Returns whether the solver can follow changed n-links; else make a new one. */
gboolean fs_solver_changes_nlinks (FsSolver *solver);

/* Sets n pairs of n-links, in the planes, which must be writable and have nlink_back, and in the
 * state; what no longer fits of the flow becomes excess and deficit. A pair may occur twice: the
 * last one wins. Only where fs_solver_changes_nlinks, and without a star. Cost O(n). */
gboolean fs_solver_change_nlinks (FsSolver *solver, const FsNlinkChange *changes, size_t n,
                                  GError **error);

/* Finds the exact minimum cut of the grid as it is now. After changes of n pixels the cost is that
 * of what changed, not of the photo. Errors: CANCELLED, MEMORY, BACKEND (a path longer than a word
 * of the CPU's has room for); the state stays valid. Blocks. */
gboolean fs_solver_solve (FsSolver *solver, const FsProgress *progress, FsSolution *solution,
                          GError **error);

/* Copies a rectangle of the last solved mask, one byte (0 or 1) a pixel, to mask[j·stride_bytes +
 * i]. */
void fs_solver_read_mask (FsSolver *solver, int x, int y, int width, int height, uint8_t *mask,
                          size_t stride_bytes);

/* Sets tiles[ty·⌈W/64⌉ + tx] to 1 where the mask of the last solve differs from the mask when this
 * was last called (from all 0 at first), to 0 elsewhere. */
void fs_solver_take_changed_tiles (FsSolver *solver, uint8_t *tiles);

/* Copies rows [y, y + n_rows) of the state: excess, and the forward residuals of the directions in
 * use. The backward residual of a pair is the sum of its two capacities less the forward one. */
void fs_solver_read_state (FsSolver *solver, int y, int n_rows, int32_t *excess,
                           uint16_t *residual[FS_N_DIRECTIONS]);

/* The backend that does the work: not the solver's own once its device has failed. */
const FsBackend *fs_solver_get_backend (FsSolver *solver);

/* Bytes of the state, the grid's own planes not counted. */
size_t fs_solver_size_bytes (FsSolver *solver);

G_END_DECLS

#endif
