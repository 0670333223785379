/* SPDX-License-Identifier: MIT */
/* A backend's function table, and the base struct of all backends' solvers.   Layer:
 * solver.
 */
#ifndef FS_SOLVER_BACKEND_H
#define FS_SOLVER_BACKEND_H

#include "solver/grid.h"
#include "solver/progress.h"
#include "solver/solver_types.h"

G_BEGIN_DECLS

struct _FsLinkSource;
struct _FsPlaneOwner;
struct FsFixedSpan;
struct _FsPreviewOptions;
struct _FsPreviewStats;

/* The functions of a backend; those of solver.h check arguments and call through them. */
struct _FsBackend {
  const char *name; /* "cpu", "cuda" */
  /* The device in words ("CPU, AVX2"), static storage. */
  const char *(*device) (void);
  FsSolver *(*create) (FsGrid *grid, GError **error);
  void (*destroy) (FsSolver *solver);
  gboolean (*change_tlinks) (FsSolver *solver, const FsTlinkChange *changes, size_t n,
                             GError **error);
  gboolean (*replace_tlinks) (FsSolver *solver, const int32_t *tlinks, GError **error);
  gboolean (*change_star) (FsSolver *solver, const FsStarChange *changes, size_t n, GError **error);
  /* NULL: n-links stay as they are. */
  gboolean (*change_nlinks) (FsSolver *solver, const FsNlinkChange *changes, size_t n,
                             GError **error);
  gboolean (*replace_star) (FsSolver *solver, const uint8_t *star, GError **error);
  gboolean (*solve) (FsSolver *solver, const FsProgress *progress, FsSolution *solution,
                     GError **error);
  void (*read_mask) (FsSolver *solver, int x, int y, int width, int height, uint8_t *mask,
                     size_t stride_bytes);
  void (*take_changed_tiles) (FsSolver *solver, uint8_t *tiles);
  void (*read_state) (FsSolver *solver, int y, int n_rows, int32_t *excess,
                      uint16_t *residual[FS_N_DIRECTIONS]);
  size_t (*size_bytes) (FsSolver *solver);
  /* NULL: a new one has to be made. */
  void (*rebuild) (FsSolver *solver, FsGrid *grid);
  /* The backend that does the work now; NULL: always this one. */
  const struct _FsBackend *(*in_use) (FsSolver *solver);
  /* Links that are made from a photo (implicit_links.h); all NULL: they have to be given as planes.
   */
  FsSolver *(*create_built) (FsGrid *grid, const struct _FsLinkSource *source,
                             const struct _FsPlaneOwner *owner, GError **error);
  gboolean (*builds) (FsSolver *solver);
  gboolean (*rebuild_tlinks) (FsSolver *solver, const struct _FsLinkSource *source, GError **error);
  gboolean (*fix_tlinks) (FsSolver *solver, const struct FsFixedSpan *spans, size_t n,
                          GError **error);
  gboolean (*need_planes) (FsSolver *solver, GError **error);
  /* As fs_solver_preview (preview.h); NULL: the backend makes none. */
  gboolean (*preview) (FsSolver *solver, const struct _FsPreviewOptions *options,
                       const FsProgress *progress, uint8_t *mask, struct _FsPreviewStats *stats,
                       gboolean *done, GError **error);
  /* Returns whether a grid may have `links` in place of planes. */
  gboolean reads_links;
};

struct _FsSolver {
  const FsBackend *backend;
  FsGrid *grid;
};

G_END_DECLS

#endif
