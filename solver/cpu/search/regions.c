/* SPDX-License-Identifier: MIT */
#include "solver/cpu/search/regions.h"
#include "solver/system/checked_memory.h"
#include "solver/cpu/search/tree_init.h"
#include "solver/cpu/search/prepare.h"
#include "solver/system/threads.h"

/* A side longer than the most is halved. */
enum { MAX_TILES = 40, SEAM_TILES = 2 };

/* Tiles. */
typedef struct {
  int x0, y0, x1, y1;
} Box;

typedef struct {
  Box box;
  Box seam;    /* between its halves */
  int half[2]; /* of the regions; −1 of one that has none */
  int level;   /* one more than its halves'; 0 of one that has none */
  /* Active nodes that its search has left to the region of which it is a half. */
  FsNodes waiting[FS_N_TREES];
  uint32_t depth[FS_N_TREES]; /* of its trees, at most */
} Region;

typedef struct {
  FsCpuLayout *layout;
  FsCpuRun run;
  int n_threads;
  int n;          /* halves come before what they are halves of: the last one is the whole */
  Region *region; /* [n] */
  FsThreadsOrder *order;
  Box margin;                          /* left to the whole */
  FsCpuSearch *search[FS_THREADS_MAX]; /* per worker */
  FsProgress progress[FS_THREADS_MAX]; /* … */
  atomic_int outcome; /* of the first region that was not searched; others need not begin then */
} Regions;

/* --- which there are --- */

/* FALSE of one that has no halves. */
static gboolean
halve (Box box, Box half[2], Box *seam)
{
  int width = box.x1 - box.x0, height = box.y1 - box.y0;
  if (MAX (width, height) <= MAX_TILES)
    return FALSE;
  half[0] = half[1] = *seam = box;
  if (width >= height) {
    half[0].x1 = seam->x0 = box.x0 + (width - SEAM_TILES) / 2;
    half[1].x0 = seam->x1 = seam->x0 + SEAM_TILES;
  } else {
    half[0].y1 = seam->y0 = box.y0 + (height - SEAM_TILES) / 2;
    half[1].y0 = seam->y1 = seam->y0 + SEAM_TILES;
  }
  return TRUE;
}

static int
count (Box box)
{
  Box half[2], seam;
  return halve (box, half, &seam) ? count (half[0]) + count (half[1]) + 1 : 1;
}

/* Returns the region's number. */
static int
divide_box (Regions *regions, Box box)
{
  Box half[2];
  Region region = { .box = box, .half = { -1, -1 } };
  if (halve (box, half, &region.seam)) {
    for (int i = 0; i < 2; i++) {
      region.half[i] = divide_box (regions, half[i]);
      region.level = MAX (region.level, regions->region[region.half[i]].level + 1);
    }
  }
  regions->region[regions->n] = region;
  regions->order[regions->n] = (FsThreadsOrder){ .before = { region.half[0], region.half[1] } };
  return regions->n++;
}

/* Regions lie side by side where a photo has more columns than one may have. */
static void
find_margin (Regions *regions)
{
  const FsCpuLayout *layout = regions->layout;
  int width = layout->tile_cols > MAX_TILES ? SEAM_TILES : 0;
  regions->margin = (Box){ 0, 0, width, layout->tile_rows };
}

/* FALSE when memory ends. */
static gboolean
find_regions (Regions *regions)
{
  Box box = { regions->margin.x1, 0, regions->layout->tile_cols, regions->layout->tile_rows };
  size_t n = (size_t)count (box);
  regions->region = fs_memory_new (n, sizeof *regions->region);
  regions->order = fs_memory_new (n, sizeof *regions->order);
  if (regions->region == NULL || regions->order == NULL)
    return FALSE;
  divide_box (regions, box);
  return TRUE;
}

/* --- seams --- */

static void
wall (Regions *regions, Box box)
{
  for (int ty = box.y0; ty < box.y1; ty++)
    for (int tx = box.x0; tx < box.x1; tx++)
      fs_cpu_tree_init_wall (regions->layout, tx, ty);
}

static void
wall_all (Regions *regions)
{
  wall (regions, regions->margin);
  for (int i = 0; i < regions->n; i++)
    if (regions->region[i].level > 0)
      wall (regions, regions->region[i].seam);
}

static void
confine (FsCpuSearch *search, Box box)
{
  search->first_row = box.y0;
  search->last_row = box.y1;
  search->first_col = box.x0;
  search->last_col = box.x1;
}

/* Lists some pixels of each tile. */
static void
list_pixels (FsCpuSearch *search, Box box, uint64_t pixels)
{
  for (int ty = box.y0; ty < box.y1; ty++)
    for (int tx = box.x0; tx < box.x1; tx++) {
      uint32_t tile = (uint32_t)(ty * search->layout->tile_cols + tx);
      for (uint64_t left = pixels; left != 0; left &= left - 1)
        fs_cpu_tree_init_seam (search,
                               tile * FS_CPU_TILE_PIXELS + (uint32_t)__builtin_ctzll (left));
    }
}

/* Lists who stands on either side between two columns of tiles. */
static void
list_column (FsCpuSearch *search, int tx, int y0, int y1)
{
  const uint64_t column = UINT64_C (0x0101010101010101);
  list_pixels (search, (Box){ tx - 1, y0, tx, y1 }, column << (FS_CPU_TILE - 1));
  list_pixels (search, (Box){ tx, y0, tx + 1, y1 }, column);
}

static void
list_row (FsCpuSearch *search, int ty, int x0, int x1)
{
  const uint64_t row = 0xff;
  list_pixels (search, (Box){ x0, ty - 1, x1, ty }, row << (FS_CPU_TILE_PIXELS - FS_CPU_TILE));
  list_pixels (search, (Box){ x0, ty, x1, ty + 1 }, row);
}

/* Makes trees of a wall, right through a region or along its left side, and lists who stands beside
 * it. */
static void
open_seam (FsCpuSearch *search, Box box, Box seam)
{
  confine (search, seam);
  fs_cpu_tree_init_words (search);
  fs_cpu_tree_init_lists (search, seam.y0, seam.y1);
  if (seam.x0 == box.x0 && seam.x1 == box.x1) {
    list_row (search, seam.y0, seam.x0, seam.x1);
    list_row (search, seam.y1, seam.x0, seam.x1);
    return;
  }
  if (seam.x0 > 0)
    list_column (search, seam.x0, seam.y0, seam.y1);
  list_column (search, seam.x1, seam.y0, seam.y1);
}

/* --- what a region leaves --- */

static const uint32_t listed[FS_N_TREES] = { FS_WORD_SOURCE | FS_WORD_QUEUED,
                                             FS_WORD_SINK | FS_WORD_QUEUED };

/* FALSE when memory ends. */
static gboolean
put_aside (FsCpuSearch *search, Region *region)
{
  for (int tree = 0; tree < FS_N_TREES; tree++) {
    FsLists *waiting = &search->waiting[tree];
    while (fs_lists_seek (waiting))
      fs_nodes_push (&region->waiting[tree], &search->pool, fs_lists_pop (waiting, &search->pool));
    region->depth[tree] = MAX (region->depth[tree], search->top[tree] + 1);
  }
  return !search->pool.failed;
}

/* The search has scanned none of what the halves' have: orphans so far out are set free, which is
 * cheaper than to let them move away and away. */
static void
take_over (FsCpuSearch *search, Region *region, Region *half)
{
  for (int tree = 0; tree < FS_N_TREES; tree++) {
    FsNodes *waiting = &half->waiting[tree];
    region->depth[tree] = MAX (region->depth[tree], half->depth[tree]);
    if (!fs_cpu_search_reserve (search, tree, half->depth[tree]))
      search->pool.failed = TRUE;
    for (size_t i = 0; i < waiting->n; i++) {
      uint32_t word = search->layout->word[waiting->node[i]];
      if ((word & (FS_WORD_TREE | FS_WORD_QUEUED)) == listed[tree])
        fs_lists_push (&search->waiting[tree], &search->pool, fs_word_distance (word),
                       waiting->node[i]);
    }
    fs_nodes_clear (waiting);
  }
}

/* --- the search --- */

/* Gives a search the trees of a region, whose halves are done. */
static FsSearchOutcome
init_trees (Regions *regions, Region *region, FsCpuSearch *search, const FsProgress *progress)
{
  fs_cpu_search_reset (search);
  fs_cpu_search_begin (search, progress);
  if (region->level > 0) {
    for (int i = 0; i < 2; i++)
      take_over (search, region, &regions->region[region->half[i]]);
    open_seam (search, region->box, region->seam);
    confine (search, region->box);
  } else {
    confine (search, region->box);
    fs_cpu_tree_init_lists (search, region->box.y0, region->box.y1);
  }
  search->has_trees = TRUE;
  return fs_cpu_search_end (search, !fs_cpu_search_poll (search));
}

static FsSearchOutcome
search_region (Regions *regions, Region *region, FsCpuSearch *search, const FsProgress *progress)
{
  search->max_steps =
      FS_SEARCH_REGION_STEPS + (uint32_t)region->level * FS_SEARCH_REGION_STEPS_A_LEVEL;
  FsSearchOutcome outcome = init_trees (regions, region, search, progress);
  if (outcome == FS_SEARCH_DONE)
    outcome = regions->run (search, progress);
  if (outcome == FS_SEARCH_DONE && !put_aside (search, region))
    outcome = FS_SEARCH_NO_MEMORY;
  return outcome;
}

static void
run_item (int item, int worker, gpointer data)
{
  Regions *regions = data;
  if (atomic_load (&regions->outcome) != FS_SEARCH_DONE)
    return;
  int outcome = (int)search_region (regions, &regions->region[item], regions->search[worker],
                                    &regions->progress[worker]);
  int done = FS_SEARCH_DONE;
  if (outcome != FS_SEARCH_DONE)
    atomic_compare_exchange_strong (&regions->outcome, &done, outcome);
}

/* All regions but the last one, which is the whole problem. */
static FsSearchOutcome
run_regions (Regions *regions, FsCpuSearch *others)
{
  int n_threads = regions->n_threads;
  FsCpuSearch *whole = regions->search[0];
  gboolean complete = TRUE;
  for (int i = 1; i < n_threads; i++) {
    regions->search[i] = &others[i];
    complete = fs_cpu_search_init (&others[i], regions->layout) && complete;
    others[i].is_subproblem = TRUE;
    /* Reports come on the calling thread only. */
    regions->progress[i] = (FsProgress){ .cancel = regions->progress[0].cancel };
  }
  whole->is_subproblem = TRUE;
  if (complete)
    fs_threads_run_in_order (n_threads, regions->n - 1, regions->order, run_item, regions);
  whole->is_subproblem = FALSE;
  for (int i = 1; i < n_threads; i++) {
    whole->flow += others[i].flow;
    fs_cpu_search_clear (&others[i]);
  }
  return complete ? (FsSearchOutcome)atomic_load (&regions->outcome) : FS_SEARCH_NO_MEMORY;
}

static FsSearchOutcome
run_all (Regions *regions)
{
  const Box all = { 0, 0, regions->layout->tile_cols, regions->layout->tile_rows };
  FsCpuSearch others[FS_THREADS_MAX], *whole = regions->search[0];
  wall_all (regions);
  FsSearchOutcome outcome = run_regions (regions, others);
  if (outcome == FS_SEARCH_DONE)
    outcome = init_trees (regions, &regions->region[regions->n - 1], whole, &regions->progress[0]);
  if (outcome == FS_SEARCH_DONE && regions->margin.x1 > 0)
    open_seam (whole, all, regions->margin);
  confine (whole, all);
  if (outcome != FS_SEARCH_DONE)
    fs_cpu_search_reset (whole);
  return outcome;
}

static FsSearchOutcome
prepare_whole (FsCpuSearch *whole, int n_threads, const FsProgress *progress)
{
  fs_cpu_search_begin (whole, progress);
  return fs_cpu_search_end (whole, fs_cpu_prepare_run (whole, n_threads));
}

static void
clear_regions (Regions *regions)
{
  for (int i = 0; i < regions->n; i++)
    for (int tree = 0; tree < FS_N_TREES; tree++)
      fs_nodes_clear (&regions->region[i].waiting[tree]);
  fs_memory_free (regions->region);
  fs_memory_free (regions->order);
}

FsSearchOutcome
fs_cpu_regions_run (FsCpuSearch *whole, FsCpuRun run, int n_threads, const FsProgress *progress)
{
  FsCpuLayout *layout = whole->layout;
  if (MAX (layout->tile_cols, layout->tile_rows) <= MAX_TILES)
    return FS_SEARCH_DONE;
  Regions regions = { .layout = layout,
                      .run = run,
                      .n_threads = MIN (n_threads, FS_THREADS_MAX),
                      .search = { whole },
                      .progress = { *progress } };
  find_margin (&regions);
  FsSearchOutcome outcome = find_regions (&regions)
                                ? prepare_whole (whole, regions.n_threads, progress)
                                : FS_SEARCH_NO_MEMORY;
  if (outcome == FS_SEARCH_DONE)
    outcome = run_all (&regions);
  clear_regions (&regions);
  return outcome;
}
