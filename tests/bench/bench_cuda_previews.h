/* SPDX-License-Identifier: MIT */
/* Previews of bench_cuda.c, made by the device and by the processor. */
#ifndef FS_BENCH_CUDA_PREVIEWS_H
#define FS_BENCH_CUDA_PREVIEWS_H

#include "solver/kernels/engine.h"
#include "solver/multilevel/preview.h"
#include "tests/bench/bench_instance.h"
#include "tests/bench/bench_clocks.h"

G_BEGIN_DECLS

/* The same problem in both backends; each has t-links of its own, for each writes them. */
typedef struct {
  BenchInstance *instance;
  FsGrid *grid, copy;
  FsSolver *cpu, *cuda; /* the first is NULL with --alone */
  FsSolver *first;      /* keeps the photo on the device */
  uint8_t *mask, *other, *tiles;
  GArray *spans; /* of FsFixedSpan: a stroke's, for the device */
} BenchCudaMatch;

/* What they take, and what those say that were made last. */
typedef struct {
  int levels, band_px;
  BenchClocks first, flips, again, painted, persons;
  BenchClocks fitted; /* cuts after persons' strokes, each after its preview */
  FsEnginePreviewResult device;
  FsPreviewStats stats;
  size_t wrong; /* pixels */
} BenchCudaPreviews;

/* Solves and reads the mask; returns milliseconds of the wall, without the reading. */
double bench_cuda_solve (FsSolver *solver, uint8_t *mask);

/* Fits the models to the seeds as they are now: all t-links are others. The processor's solver is
 * not told. */
void bench_cuda_fit (BenchCudaMatch *match);

/* Cuts what they were fitted to. Previews go on in match->other, which stays. */
void bench_cuda_cut_fitted (BenchCudaMatch *match, BenchClocks *times);

/* Takes strokes back, with the models: the mask must be as it was, and is proven where that is
 * wished. */
void bench_cuda_take_back (BenchCudaMatch *match, const GPtrArray *strokes);

/* The first is of a solver that has cut nothing, the others of the match's own: after a person's
 * strokes (of BenchStroke; NULL: none) and so many artificial ones. Exits where two masks differ.
 */
void bench_cuda_time_previews (BenchCudaMatch *match, FsSolver *fresh, const GPtrArray *strokes,
                               int rounds, BenchCudaPreviews *previews);

/* Prints them as further members of an object. */
void bench_cuda_print_previews (const BenchCudaMatch *match, const BenchCudaPreviews *previews);

G_END_DECLS

#endif
