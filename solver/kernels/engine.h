/* SPDX-License-Identifier: MIT */
/* C interface of the kernels that cut grids.   Layer: solver/kernels.
 *
 * An engine has one grid's problem and state on a device, and is updated when they change.
 * solver/cuda/cuda_backend.c implements a backend of solver.h with a table of engine functions.
 * There are two tables: that of the CUDA module, opened at run time, and that of the kernels' twin
 * in plain C, for tests.
 *
 * Numbers, planes and directions are those of solver/grid.h. Every call that can fail returns 0, or
 * another status and a text in FsEngineError; after a failure, but not after a cancelled solve,
 * only mask() and destroy() may be called.
 *
 * Threads: one at a time per engine.
 */
#ifndef FS_SOLVER_KERNELS_ENGINE_H
#define FS_SOLVER_KERNELS_ENGINE_H

#include "solver/changes.h"
#include "solver/photo_links.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FS_ENGINE_VERSION 10
#define FS_ENGINE_LEVELS  12 /* of a preview, at most */

typedef struct FsEngine FsEngine;

typedef enum {
  FS_ENGINE_DONE,
  FS_ENGINE_CANCELLED,
  FS_ENGINE_NO_DEVICE,
  FS_ENGINE_NO_MEMORY,
  FS_ENGINE_FAILED, /* a call of the device's library failed */
} FsEngineStatus;

typedef struct {
  char text[256];
} FsEngineError;

/* A photo on a device, with the tables of its n-links. */
typedef struct FsEnginePhoto FsEnginePhoto;

/* Row-major planes of the host, read by create() alone; or, in place of n-links and t-links, a
 * photo, which must outlive the engine, and terms. */
typedef struct {
  int width, height, neighbours;
  const uint16_t *nlink[4];
  const uint16_t *nlink_back[4]; /* all NULL: undirected */
  const int32_t *tlink;
  const uint8_t *star;        /* NULL: none */
  const FsEnginePhoto *photo; /* NULL: planes */
  const FsTlinkTerms *terms;
} FsEngineProblem;

/* A pair of arcs whose capacities have changed. */
typedef struct {
  uint32_t pixel;
  uint16_t direction;           /* 0 … 3: from the pixel to its neighbour */
  uint16_t old_forth;           /* capacity before                        */
  uint16_t new_forth, new_back; /* capacities after                       */
} FsEnginePair;

/* Result and statistics of a solve. */
typedef struct {
  int64_t energy, bound;
  int64_t epochs;     /* exact labellings                 */
  int64_t discharges; /* visits of tiles that pushed      */
  int64_t labellings; /* visits of tiles that made labels */
  int64_t phases;     /* of all discharges                */
  int64_t pushes;     /* passes over a tile in all phases */
  double busy;        /* fraction of the device's blocks that were busy during discharges */
  double ms[3];       /* of raising, lowering, discharging */
  double device_ms;   /* of the device's own clock        */
  double build_ms;    /* the same, of the last computation of links from a photo */
  int64_t bytes_up;   /* to the device since the last solve, without photos */
  int64_t bytes_down; /* from it, with this solve                           */
} FsEngineResult;

/* Rows of a tile of 32 × 32 pixels, a bit each. */
typedef struct {
  uint32_t tile, rows;
} FsEngineRows;

/* A preview by levels and bands (solver/multilevel/preview.h), from the present links. */
typedef struct {
  int n_levels; /* coarse levels, all of which are used: 0 … FS_ENGINE_LEVELS */
  int band_px;
  int32_t soft_tlink;
  int n_unrefined;
  int goes_on; /* the mask that the last, successful preview showed is unchanged */
  /* Called with the mask, as mask() returns it, once or several times within the call. `rows` NULL:
   * all of the mask is to be copied; else rows of n tiles. The mask is complete after the last
   * call. */
  void (*show) (void *data, const uint32_t *mask, const FsEngineRows *rows, size_t n);
  void *data;
} FsEnginePreview;

typedef struct {
  int64_t energy;
  int64_t n_solved[FS_ENGINE_LEVELS + 1]; /* pixels that were cut, of each level        */
  int64_t pyramid_bytes;                  /* device memory: coarse links, masks, flows  */
  int64_t band_bytes;                     /* device memory: the state of a band's tiles */
  int64_t discharges, labellings;         /* visits of tiles, as of a solve      */
  double device_ms;
} FsEnginePreviewResult;

/* A cutter of bands (photo_links.h), one after another, each without initial flow. */
typedef struct FsEngineBand FsEngineBand;

typedef struct {
  int version; /* FS_ENGINE_VERSION */
  /* Opens the device and writes its name. Must have succeeded once before any other call. */
  int (*open) (char *name, size_t name_bytes, FsEngineError *error);
  /* A copy of width · height words and all tables. Threads: any; engines of several threads may
   * use one photo. */
  int (*load_photo) (const FsPhotoLinks *links, int width, int height, FsEnginePhoto **photo,
                     FsEngineError *error);
  void (*unload_photo) (FsEnginePhoto *photo);
  int (*create) (const FsEngineProblem *problem, FsEngine **engine, FsEngineError *error);
  void (*destroy) (FsEngine *engine);
  /* A pixel that occurs twice has the same t-link twice. */
  int (*change_tlinks) (FsEngine *engine, const FsTlinkChange *changes, size_t n,
                        FsEngineError *error);
  int (*replace_tlinks) (FsEngine *engine, const int32_t *tlinks, FsEngineError *error);
  /* Recomputes every t-link of an engine with a photo from terms. */
  int (*remake_tlinks) (FsEngine *engine, const FsTlinkTerms *terms, FsEngineError *error);
  /* The same for spans of pixels that become fixed. A pixel that occurs twice has one side. */
  int (*fix_tlinks) (FsEngine *engine, const FsFixedSpan *spans, size_t n, FsEngineError *error);
  /* The star links of n different pixels. */
  int (*change_star) (FsEngine *engine, const FsStarChange *changes, size_t n,
                      FsEngineError *error);
  /* n different pairs, of a problem that has nlink_back and no star. */
  int (*change_nlinks) (FsEngine *engine, const FsEnginePair *pairs, size_t n,
                        FsEngineError *error);
  /* `is_cancelled` is polled; after a cancelled solve the next one goes on. */
  int (*solve) (FsEngine *engine, int (*is_cancelled) (void *), void *data, FsEngineResult *result,
                FsEngineError *error);
  /* The mask of the last solve: a word a row of a tile of 32 × 32 pixels, 1 for object, tiles row
   * by row. Valid until the next call. */
  const uint32_t *(*mask) (FsEngine *engine);
  /* The tiles of 32 × 32 in which the mask has changed since this was called last (from all 0 at
   * first), each once, in any order. Valid until the next call. */
  const uint32_t *(*take_changed) (FsEngine *engine, size_t *n);
  /* Rows [y, y + n_rows) of the state, row-major; residual[d] for the forward directions in use. */
  int (*read_state) (FsEngine *engine, int y, int n_rows, int32_t *excess, uint16_t *residual[4],
                     FsEngineError *error);
  size_t (*size_bytes) (FsEngine *engine);
  /* Does not change the state of solves, nor mask(). May be called again after cancellation. */
  int (*preview) (FsEngine *engine, const FsEnginePreview *options, int (*is_cancelled) (void *),
                  void *data, FsEnginePreviewResult *result, FsEngineError *error);
  /* The space is copied. Threads: one at a time per cutter. */
  int (*create_band) (const FsBandSpace *space, FsEngineBand **band, FsEngineError *error);
  void (*destroy_band) (FsEngineBand *band);
  /* Provides memory for a band of n_tiles ≥ 1 tiles with all its tables, for the caller to fill.
   * Valid until the next call; the memory is reused. */
  int (*reserve_band) (FsEngineBand *band, int n_tiles, int n_pulls, FsBandTiles *tiles,
                       FsEngineError *error);
  /* Cuts the band that was filled in after the last reserve_band(), with 8 neighbours. The mask: a
   * word per row of a tile, 1 for object, of the band's pixels; valid until the next call. */
  int (*cut_band) (FsEngineBand *band, int (*is_cancelled) (void *), void *data,
                   const uint32_t **mask, FsEngineResult *result, FsEngineError *error);
} FsEngineTable;

/* The symbol of the module. */
#define FS_ENGINE_SYMBOL "fs_engine_cuda"
typedef const FsEngineTable *FsEngineEntry (void);

#ifdef __cplusplus
}
#endif

#endif
