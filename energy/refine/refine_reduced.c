/* SPDX-License-Identifier: MIT */
#include "energy/image/next_seed.h"
#include "energy/image/row_threads.h"
#include "energy/image/target_clones.h"
#include "energy/refine/refine_internal.h"

#include <string.h>

typedef struct {
  int x0, x1, y0, y1; /* of the photo */
} Block;

static Block
block_at (const FsRefinement *refinement, int x, int y)
{
  const FsGeodesicLevel *level = refinement->model->level;
  int shift = refinement->shift;
  return (Block){ x << shift, MIN ((x + 1) << shift, level->photo_width), y << shift,
                  MIN ((y + 1) << shift, level->photo_height) };
}

typedef struct {
  FsRefinement *refinement;
  const uint8_t *mask; /* of the photo */
} ReduceJob;

/* Adds a row of a mask to what its columns have; in vectors. */
static void
add_row (const uint8_t *restrict mask, size_t width, uint8_t *restrict columns)
{
  for (size_t x = 0; x < width; x++)
    columns[x] += mask[x];
}

/* The sum of n columns, with at most n_rows each. Whole blocks of the usual sizes at once: a
 * product adds up all bytes in its highest. */
static int
count_object (const uint8_t *columns, int n, int n_rows)
{
  uint64_t eight;
  uint32_t four;
  if (n == 8 && n_rows <= 8) {
    memcpy (&eight, columns, sizeof eight);
    return (int)(eight * UINT64_C (0x0101010101010101) >> 56);
  }
  if (n == 4 && n_rows <= 4) {
    memcpy (&four, columns, sizeof four);
    return (int)(four * 0x01010101u >> 24);
  }
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += columns[i];
  return sum;
}

static inline void
classify_block (int n_object, int n, uint8_t *first, uint8_t *block)
{
  *first = 2 * n_object >= n;
  *block = n_object > 0 && n_object < n ? FS_REFINE_WAS_MIXED : 0;
}

/* Classifies n whole blocks; inlined with a constant `shift`. */
static inline void
classify_whole (const uint8_t *restrict columns, int n, int shift, uint8_t *restrict first,
                uint8_t *restrict blocks)
{
  for (int x = 0; x < n; x++)
    classify_block (count_object (columns + (x << shift), 1 << shift, 1 << shift), 1 << (2 * shift),
                    &first[x], &blocks[x]);
}

/* The usual sizes; returns how many blocks there were. */
static inline int
classify_usual (const uint8_t *columns, int width, int shift, uint8_t *first, uint8_t *blocks)
{
  const int n = width >> shift;
  switch (shift) {
  case 1:
    classify_whole (columns, n, 1, first, blocks);
    return n;
  case 2:
    classify_whole (columns, n, 2, first, blocks);
    return n;
  case 3:
    classify_whole (columns, n, 3, first, blocks);
    return n;
  default:
    return 0;
  }
}

/* A row of blocks. A column of one has 2^FS_GEODESIC_SHIFT_MAX pixels at most. */
FS_TARGET_CLONES static void
reduce_mask_of_row (const ReduceJob *job, int y, uint8_t *columns)
{
  FsRefinement *refinement = job->refinement;
  size_t width = (size_t)refinement->model->level->photo_width;
  uint8_t *first = refinement->first + (size_t)y * (size_t)refinement->level->photo_width;
  uint8_t *blocks = refinement->blocks + (size_t)y * (size_t)refinement->level->photo_width;
  const int y0 = block_at (refinement, 0, y).y0, y1 = block_at (refinement, 0, y).y1;
  memset (columns, 0, width);
  for (int j = y0; j < y1; j++)
    add_row (job->mask + (size_t)j * width, width, columns);
  int n_whole = y1 - y0 == 1 << refinement->shift
                    ? classify_usual (columns, (int)width, refinement->shift, first, blocks)
                    : 0;
  for (int x = n_whole; x < refinement->level->photo_width; x++) {
    Block b = block_at (refinement, x, y);
    classify_block (count_object (columns + b.x0, b.x1 - b.x0, y1 - y0), (b.x1 - b.x0) * (y1 - y0),
                    &first[x], &blocks[x]);
  }
}

/* A row of blocks. */
FS_TARGET_CLONES static void
reduce_seeds_of_row (FsRefinement *refinement, int y)
{
  size_t width = (size_t)refinement->seeds->width,
         reduced_width = (size_t)refinement->level->photo_width;
  uint8_t *blocks = refinement->blocks + (size_t)y * reduced_width;
  uint8_t *own = refinement->own_label + (size_t)y * reduced_width;
  for (int j = y << refinement->shift;
       j < MIN ((y + 1) << refinement->shift, refinement->seeds->height); j++) {
    const uint8_t *labels = refinement->seeds->label + (size_t)j * width;
    for (size_t x = fs_next_seed (labels, 0, width); x < width;
         x = fs_next_seed (labels, x + 1, width))
      blocks[x >> refinement->shift] |= labels[x] == FS_SEED_BACKGROUND
                                            ? FS_REFINE_HAS_BACKGROUND_SEED
                                            : FS_REFINE_HAS_OBJECT_SEED;
  }
  for (size_t i = 0; i < reduced_width; i++) {
    uint8_t kinds = blocks[i] & (FS_REFINE_HAS_BACKGROUND_SEED | FS_REFINE_HAS_OBJECT_SEED);
    own[i] = kinds == FS_REFINE_HAS_BACKGROUND_SEED ? FS_SEED_BACKGROUND
             : kinds == FS_REFINE_HAS_OBJECT_SEED   ? FS_SEED_OBJECT
                                                    : FS_SEED_NONE;
  }
}

/* By the majority of a block's pixels; half of them are enough for object. */
static void
reduce_rows (int y0, int y1, gpointer data)
{
  const ReduceJob *job = data;
  g_autofree uint8_t *columns = g_new (uint8_t, job->refinement->model->level->photo_width);
  for (int y = y0; y < y1; y++) {
    reduce_mask_of_row (job, y, columns);
    reduce_seeds_of_row (job->refinement, y);
  }
}

/* The cost of weighing a colour by the strokes, in pixels' work. */
enum { PIXELS_A_BIN = 20 };

static void
weigh_strokes (int first, int last, gpointer data)
{
  FsRefinement *refinement = data;
  const FsModelClass *class = refinement->model->terms->model;
  class->weigh_colours (refinement->model, refinement->photo->of_bin + first, last - first,
                        refinement->by_stroke + first);
}

void
fs_refinement_reduce (FsRefinement *refinement, const uint8_t *mask)
{
  ReduceJob job = { refinement, mask };
  fs_row_threads_run (refinement->level->photo_height,
                      refinement->model->level->photo_width << refinement->shift, reduce_rows,
                      &job);
  fs_row_threads_run ((int)refinement->terms->n_bins, PIXELS_A_BIN, weigh_strokes, refinement);
}
