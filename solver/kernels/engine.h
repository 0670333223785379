/* SPDX-License-Identifier: MIT */
/* C interface of the kernels that cut grids.   Layer: solver/kernels.
 *
 * An engine holds one grid's problem and state on a device and follows its changes.
 * solver/cuda/cuda_backend.c makes a backend of solver.h out of a table; there are two tables: of
 * the CUDA module, opened at run time, and of the kernels' twin in plain C, which tests use.
 *
 * Numbers, planes and directions are those of solver/grid.h. Every call that can fail returns 0, or
 * another number and a text in FsEngineError; after a failure, but not after a cancelled solve,
 * only mask() and destroy() may follow.
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

/* A photo that a device keeps, with what its n-links follow from. */
typedef struct FsEnginePhoto FsEnginePhoto;

/* Row-major planes of the host, read by create() alone; or, in place of n-links and t-links, a
 * photo, which the engine needs as long as it lives, and terms. */
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

/* What a solve says, and what it took. */
typedef struct {
  int64_t energy, bound;
  int64_t epochs;     /* exact labellings                 */
  int64_t discharges; /* visits of tiles that pushed      */
  int64_t labellings; /* visits of tiles that made labels */
  int64_t phases;     /* of all discharges                */
  int64_t pushes;     /* passes over a tile in all phases */
  double busy;        /* share of the device's room that discharges filled while they ran */
  double ms[3];       /* of raising, lowering, discharging */
  double device_ms;   /* of the device's own clock        */
  double build_ms;    /* … for the links that were made last from a photo */
  int64_t bytes_up;   /* to the device since the last solve, without photos */
  int64_t bytes_down; /* from it, with this solve                           */
} FsEngineResult;

/* Rows of a tile of 32 × 32 pixels, a bit each. */
typedef struct {
  uint32_t tile, rows;
} FsEngineRows;

/* A preview by levels and bands (solver/multilevel/preview.h), of the links as they are. */
typedef struct {
  int n_levels; /* coarse ones, all of which are made: 0 … FS_ENGINE_LEVELS */
  int band_px;
  int32_t soft_tlink;
  int n_unrefined;
  int goes_on; /* what the last preview, which went well, has shown still stands */
  /* Is called with the mask, as mask() gives it, as often as it takes, from within the call: with
   * `rows` NULL it is all to be taken over, otherwise rows of n tiles of it, and what it is after
   * the last time counts. */
  void (*show) (void *data, const uint32_t *mask, const FsEngineRows *rows, size_t n);
  void *data;
} FsEnginePreview;

typedef struct {
  int64_t energy;
  int64_t n_solved[FS_ENGINE_LEVELS + 1]; /* pixels that were cut, of each level */
  int64_t pyramid_bytes;                  /* there: coarse links, masks, flows   */
  int64_t band_bytes;                     /* … and the state of a band's tiles   */
  int64_t discharges, labellings;         /* visits of tiles, as of a solve      */
  double device_ms;
} FsEnginePreviewResult;

/* What cuts bands (photo_links.h), one after another, each from nothing. */
typedef struct FsEngineBand FsEngineBand;

typedef struct {
  int version; /* FS_ENGINE_VERSION */
  /* Finds the device and writes its name. The other calls want this to have gone well once. */
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
  /* The same, of an engine with a photo: every t-link as the terms say. */
  int (*remake_tlinks) (FsEngine *engine, const FsTlinkTerms *terms, FsEngineError *error);
  /* The same, of some pixels that become fixed. A pixel that occurs twice does so on one side. */
  int (*fix_tlinks) (FsEngine *engine, const FsFixedSpan *spans, size_t n, FsEngineError *error);
  /* The star links of n different pixels. */
  int (*change_star) (FsEngine *engine, const FsStarChange *changes, size_t n,
                      FsEngineError *error);
  /* n different pairs, of a problem that has nlink_back and no star. */
  int (*change_nlinks) (FsEngine *engine, const FsEnginePair *pairs, size_t n,
                        FsEngineError *error);
  /* `is_cancelled` is asked again and again; a cancelled engine goes on with the next solve. */
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
  /* Leaves the state of solves and mask() as they are. A cancelled engine goes on. */
  int (*preview) (FsEngine *engine, const FsEnginePreview *options, int (*is_cancelled) (void *),
                  void *data, FsEnginePreviewResult *result, FsEngineError *error);
  /* The space is copied. Threads: one at a time per cutter. */
  int (*create_band) (const FsBandSpace *space, FsEngineBand **band, FsEngineError *error);
  void (*destroy_band) (FsEngineBand *band);
  /* Memory for a band of so many tiles, 1 at least, with all its tables, for the caller to fill.
   * Valid until the next call; it grows, and stays. */
  int (*reserve_band) (FsEngineBand *band, int n_tiles, int n_pulls, FsBandTiles *tiles,
                       FsEngineError *error);
  /* Cuts what was filled in after the last reserve_band(), as its n-links and t-links follow from
   * it, with 8 neighbours. The mask: a word a row of a tile, 1 for object, of the band's pixels;
   * valid until the next call. */
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
