/* SPDX-License-Identifier: MIT */
#include "solver/cuda/cuda_changes.h"

#include "solver/system/checked_memory.h"

#include <stdlib.h>
#include <string.h>

/* Memory for n elements that an engine is told of. */
static void *
new_list (size_t n, size_t size, FsEngineError *failure)
{
  void *list = fs_memory_new (n, size);
  if (list == NULL)
    *failure = (FsEngineError){ "not enough memory for the changes" };
  return list;
}

static void
set_tlinks (FsGrid *grid, const FsTlinkChange *changes, size_t n)
{
  for (size_t i = 0; i < n; i++)
    grid->tlink[changes[i].pixel] = changes[i].tlink;
}

/* Returns whether n pairs of pixels, one after the other, ascend. */
static gboolean
ascend (const FsTlinkChange *changes, size_t n)
{
  guint falls = 0;
  for (size_t i = 0; i < n; i++)
    falls |= changes[i].pixel >= changes[i + 1].pixel;
  return falls == 0;
}

/* Where the first of two runs of ascending pixels ends: within one no pixel occurs twice. */
static size_t
end_of_run (const FsTlinkChange *changes, size_t n)
{
  enum { AT_ONCE = 32 };
  size_t end = 1;
  while (end + AT_ONCE <= n && ascend (changes + end - 1, AT_ONCE))
    end += AT_ONCE;
  while (end < n && changes[end - 1].pixel < changes[end].pixel)
    end++;
  return MIN (end, n);
}

enum { FEW = 8 };

/* The list of a stroke is a run or few, for strokes are painted row by row. Lists where each ends;
 * returns FALSE where they are more. */
static gboolean
list_runs (const FsTlinkChange *changes, size_t n, size_t ends[FEW])
{
  size_t i = 0;
  for (int run = 0; run < FEW && i < n; run++)
    ends[run] = i += end_of_run (changes + i, n - i);
  return i == n;
}

static gboolean
send_runs (const FsEngineTable *table, FsEngine *engine, const FsTlinkChange *changes, size_t n,
           const size_t ends[FEW], FsEngineError *failure)
{
  int status = FS_ENGINE_DONE;
  size_t i = 0;
  for (int run = 0; i < n && status == FS_ENGINE_DONE; i = ends[run++])
    status = table->change_tlinks (engine, changes + i, ends[run] - i, failure);
  return status == FS_ENGINE_DONE;
}

gboolean
fs_cuda_change_tlinks (const FsEngineTable *table, FsEngine *engine, FsGrid *grid,
                       gboolean has_planes, const FsTlinkChange *changes, size_t n,
                       FsEngineError *failure)
{
  size_t ends[FEW];
  gboolean in_runs = list_runs (changes, n, ends);
  if (has_planes || !in_runs)
    set_tlinks (grid, changes, n);
  if (engine == NULL)
    return TRUE;
  if (in_runs)
    return send_runs (table, engine, changes, n, ends, failure);
  FsTlinkChange *last = new_list (n, sizeof *last, failure);
  if (last == NULL)
    return FALSE;
  for (size_t i = 0; i < n; i++)
    last[i] = (FsTlinkChange){ changes[i].pixel, grid->tlink[changes[i].pixel] };
  int status = table->change_tlinks (engine, last, n, failure);
  fs_memory_free (last);
  return status == FS_ENGINE_DONE;
}

/* Within a call no pixel may be fixed to both sides. */
gboolean
fs_cuda_fix_tlinks (const FsEngineTable *table, FsEngine *engine, const FsFixedSpan *spans,
                    size_t n, FsEngineError *failure)
{
  int status = FS_ENGINE_DONE;
  for (size_t i = 0, run; i < n && status == FS_ENGINE_DONE; i += run) {
    run = 1;
    while (i + run < n && spans[i + run].to_sink == spans[i].to_sink)
      run++;
    status = table->fix_tlinks (engine, spans + i, run, failure);
  }
  return status == FS_ENGINE_DONE;
}

gboolean
fs_cuda_replace_tlinks (const FsEngineTable *table, FsEngine *engine, FsGrid *grid,
                        const int32_t *tlinks, FsEngineError *failure)
{
  memmove (grid->tlink, tlinks, fs_grid_n_pixels (grid) * sizeof *tlinks);
  return engine == NULL || table->replace_tlinks (engine, tlinks, failure) == FS_ENGINE_DONE;
}

/* --- Pairs of arcs --- */

/* Notes the pair of arcs that leads from a pixel where a star points, as it is now. */
static size_t
note_pair (FsEnginePair *pairs, size_t n, const FsGrid *grid, uint32_t pixel, uint8_t star)
{
  if (star == FS_STAR_NONE)
    return n;
  FsEnginePair pair = { .pixel = pixel, .direction = star };
  if (star >= FS_N_DIRECTIONS) {
    pair.pixel = (uint32_t)(pixel + fs_grid_step (grid, star));
    pair.direction = star ^ FS_DIRECTION_OPPOSITE;
  }
  pair.old_forth = fs_grid_capacity (grid, pair.pixel, pair.direction);
  pairs[n] = pair;
  return n + 1;
}

static int
compare_pairs (const void *left, const void *right)
{
  const FsEnginePair *a = left, *b = right;
  if (a->pixel != b->pixel)
    return a->pixel < b->pixel ? -1 : 1;
  return (int)a->direction - (int)b->direction;
}

static gboolean
are_sorted (const FsEnginePair *pairs, size_t n)
{
  for (size_t i = 1; i < n; i++)
    if (compare_pairs (&pairs[i - 1], &pairs[i]) > 0)
      return FALSE;
  return TRUE;
}

/* Removes duplicates and sets the pairs' new capacities. Returns their number. */
static size_t
finish_pairs (FsEnginePair *pairs, size_t n, const FsGrid *grid)
{
  /* Many changes at once, those of a frame, come in order. */
  if (!are_sorted (pairs, n))
    qsort (pairs, n, sizeof *pairs, compare_pairs);
  size_t n_unique = 0;
  for (size_t i = 0; i < n; i++) {
    if (n_unique > 0 && compare_pairs (&pairs[n_unique - 1], &pairs[i]) == 0)
      continue;
    FsEnginePair pair = pairs[i];
    size_t there = (size_t)((ptrdiff_t)pair.pixel + fs_grid_step (grid, pair.direction));
    pair.new_forth = fs_grid_capacity (grid, pair.pixel, pair.direction);
    pair.new_back = fs_grid_capacity (grid, there, pair.direction ^ FS_DIRECTION_OPPOSITE);
    pairs[n_unique++] = pair;
  }
  return n_unique;
}

static void
set_nlinks (const FsGrid *grid, const FsNlinkChange *changes, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const FsNlinkChange *change = &changes[i];
    /* The contract has them writable. */
    ((uint16_t *)grid->nlink[change->direction])[change->pixel] = change->forth;
    ((uint16_t *)grid->nlink_back[change->direction])[change->pixel] = change->back;
  }
}

gboolean
fs_cuda_change_nlinks (const FsEngineTable *table, FsEngine *engine, FsGrid *grid,
                       const FsNlinkChange *changes, size_t n, FsEngineError *failure)
{
  gboolean done = engine == NULL;
  FsEnginePair *pairs = engine != NULL ? new_list (n, sizeof *pairs, failure) : NULL;
  size_t n_pairs = 0;
  for (size_t i = 0; pairs != NULL && i < n; i++)
    n_pairs = note_pair (pairs, n_pairs, grid, changes[i].pixel, changes[i].direction);
  set_nlinks (grid, changes, n);
  if (pairs != NULL) {
    n_pairs = finish_pairs (pairs, n_pairs, grid);
    done = table->change_nlinks (engine, pairs, n_pairs, failure) == FS_ENGINE_DONE;
  }
  fs_memory_free (pairs);
  return done;
}

/* --- The star --- */

/* In the star's plane: a pixel that has been listed. */
enum { LISTED = 8, LISTED_NONE = 16 };

static gboolean
is_listed (uint8_t star)
{
  return star >= LISTED && star <= LISTED_NONE;
}

static uint8_t
listed (uint8_t star)
{
  return star == FS_STAR_NONE ? LISTED_NONE : star | LISTED;
}

/* Sets every change in the plane and lists each pixel once, as it is after them all. Returns how
 * many they are. */
static size_t
list_stars (const FsGrid *grid, const FsStarChange *changes, size_t n, FsStarChange *last)
{
  size_t n_last = 0;
  for (size_t i = n; i-- > 0;) {
    uint8_t *star = &grid->star[changes[i].pixel];
    if (is_listed (*star))
      continue;
    last[n_last++] = (FsStarChange){ changes[i].pixel, changes[i].star };
    *star = listed (changes[i].star);
  }
  for (size_t i = 0; i < n_last; i++)
    grid->star[last[i].pixel] = last[i].star;
  return n_last;
}

static void
set_stars (FsGrid *grid, const FsStarChange *changes, size_t n)
{
  for (size_t i = 0; i < n; i++)
    grid->star[changes[i].pixel] = changes[i].star;
}

gboolean
fs_cuda_change_star (const FsEngineTable *table, FsEngine *engine, FsGrid *grid,
                     const FsStarChange *changes, size_t n, FsEngineError *failure)
{
  FsStarChange *last = engine != NULL ? new_list (n, sizeof *last, failure) : NULL;
  if (last == NULL) {
    set_stars (grid, changes, n);
    return engine == NULL;
  }
  size_t n_last = list_stars (grid, changes, n, last);
  int status = table->change_star (engine, last, n_last, failure);
  fs_memory_free (last);
  return status == FS_ENGINE_DONE;
}

/* Lists the pixels whose star differs. Returns how many they are; `changes` may be NULL. */
static size_t
list_differing (const FsGrid *grid, const uint8_t *star, FsStarChange *changes)
{
  size_t n = 0, n_pixels = fs_grid_n_pixels (grid);
  for (size_t p = 0; p < n_pixels; p++)
    if (star[p] != grid->star[p]) {
      if (changes != NULL)
        changes[n] = (FsStarChange){ (uint32_t)p, star[p] };
      n++;
    }
  return n;
}

gboolean
fs_cuda_replace_star (const FsEngineTable *table, FsEngine *engine, FsGrid *grid,
                      const uint8_t *star, FsEngineError *failure)
{
  gboolean done = engine == NULL;
  size_t n = engine != NULL ? list_differing (grid, star, NULL) : 0;
  FsStarChange *changes = engine != NULL ? new_list (n, sizeof *changes, failure) : NULL;
  if (changes != NULL) {
    list_differing (grid, star, changes);
    done = fs_cuda_change_star (table, engine, grid, changes, n, failure);
  }
  memmove (grid->star, star, fs_grid_n_pixels (grid));
  fs_memory_free (changes);
  return done;
}
