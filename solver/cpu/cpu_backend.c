/* SPDX-License-Identifier: MIT */
/* The CPU backend: the function table of solver.h. state/layout.h lists the files that do the work.
 */
#include "solver/backend.h"
#include "solver/cpu/state/layout.h"
#include "solver/cpu/mask.h"
#include "solver/cpu/search/tree_init.h"
#include "solver/cpu/search/regions.h"
#include "solver/cpu/search/search.h"
#include "solver/cpu/star.h"
#include "solver/system/threads.h"
#include "solver/cpu/tlinks.h"
#include "solver/system/checked_memory.h"
#include "solver/solver.h"

#include <string.h>

/* Changing more than one pixel in so many is cheaper with new trees than with repaired ones. */
enum { PIXELS_PER_REPAIR = 8 };

typedef struct {
  FsSolver solver;
  FsCpuLayout layout;
  FsCpuSearch search;
  FsCpuMask mask;
  FsCpuRun run;
  int n_threads;
  gboolean is_fresh;  /* most pixels are new since the last solve */
  int64_t sum_tlinks; /* Σ max(t, 0)                              */
  int64_t sum_excess; /* Σ max(e, 0), had nothing been pushed yet */
} CpuSolver;

static CpuSolver *
cpu_solver (FsSolver *solver)
{
  return (CpuSolver *)solver;
}

static const char *
cpu_device (void)
{
  return fs_cpu_search_uses_avx2 () ? "CPU, AVX2" : "CPU";
}

static FsCpuRun
choose_run (const FsGrid *grid)
{
  gboolean eight = grid->neighbours == FS_NEIGHBOURS_8;
#ifdef FS_WITH_AVX2
  if (fs_cpu_search_uses_avx2 ())
    return eight ? fs_cpu_run_8_avx2 : fs_cpu_run_4_avx2;
#endif
  return eight ? fs_cpu_run_8 : fs_cpu_run_4;
}

static void
cpu_destroy (FsSolver *solver)
{
  CpuSolver *cpu = cpu_solver (solver);
  fs_cpu_search_clear (&cpu->search);
  fs_cpu_mask_clear (&cpu->mask);
  fs_cpu_layout_clear (&cpu->layout);
  fs_memory_free (cpu);
}

enum { ROWS_PER_ITEM = 8 };

/* Tile rows, shared by threads. */
static int
n_items (const CpuSolver *cpu)
{
  return (cpu->layout.tile_rows - 1) / ROWS_PER_ITEM + 1;
}

typedef struct {
  CpuSolver *cpu;
  int64_t sum[FS_THREADS_MAX]; /* per worker: Σ max(t, 0) */
} Sum;

static void
sum_energy_rows (int item, int worker, gpointer data)
{
  Sum *total = data;
  const FsGrid *grid = total->cpu->solver.grid;
  int first = item * ROWS_PER_ITEM;
  int last = MIN (first + ROWS_PER_ITEM, total->cpu->layout.tile_rows);
  size_t begin = (size_t)first * FS_CPU_TILE * grid->width;
  size_t end = (size_t)MIN (last * FS_CPU_TILE, grid->height) * grid->width;
  int64_t sum = 0;
  for (size_t p = begin; p < end; p++)
    sum += MAX (grid->tlink[p], 0);
  total->sum[worker] += sum;
}

/* No tile is initialised before an edit or a search comes near it. */
static void
sum_all (CpuSolver *cpu)
{
  Sum total = { .cpu = cpu };
  fs_threads_run (cpu->n_threads, n_items (cpu), sum_energy_rows, &total);
  cpu->sum_tlinks = 0;
  for (int i = 0; i < FS_THREADS_MAX; i++)
    cpu->sum_tlinks += total.sum[i];
  cpu->sum_excess = cpu->sum_tlinks;
}

static FsSolver *
cpu_create (FsGrid *grid, GError **error)
{
  CpuSolver *cpu = fs_memory_new (1, sizeof *cpu);
  if (cpu != NULL)
    *cpu = (CpuSolver){ .solver = { .backend = &fs_backend_cpu, .grid = grid } };
  if (cpu == NULL || !fs_cpu_layout_init (&cpu->layout, grid)
      || !fs_cpu_mask_init (&cpu->mask, &cpu->layout)
      || !fs_cpu_search_init (&cpu->search, &cpu->layout)) {
    if (cpu != NULL)
      cpu_destroy (&cpu->solver);
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for the cut of %d × %d pixels", grid->width, grid->height);
    return NULL;
  }
  cpu->run = choose_run (grid);
  cpu->n_threads = MIN (fs_solver_get_threads (), FS_THREADS_MAX);
  sum_all (cpu);
  cpu->is_fresh = TRUE;
  return &cpu->solver;
}

static void
cpu_rebuild (FsSolver *solver, FsGrid *grid)
{
  CpuSolver *cpu = cpu_solver (solver);
  solver->grid = grid;
  fs_cpu_layout_forget (&cpu->layout, grid);
  fs_cpu_search_reset (&cpu->search);
  cpu->search.flow = 0;
  fs_cpu_mask_forget (&cpu->mask);
  sum_all (cpu);
  cpu->is_fresh = TRUE;
}

static size_t
node_of (const CpuSolver *cpu, size_t pixel)
{
  size_t width = (size_t)cpu->layout.width;
  return fs_cpu_layout_node (&cpu->layout, (int)(pixel % width), (int)(pixel / width));
}

/* Builds the tile of a node that is to change, unless it is. */
static void
need_node (CpuSolver *cpu, size_t node)
{
  if (!fs_cpu_layout_is_built (&cpu->layout, node / FS_CPU_TILE_PIXELS))
    fs_cpu_tree_init_lazy (&cpu->layout, (uint32_t)node);
}

/* No overflow: the excess is a t-link and at most eight n-links more. */
static void
add_excess (CpuSolver *cpu, size_t node, int32_t added)
{
  int32_t excess = cpu->layout.excess[node];
  cpu->sum_excess += (int64_t)MAX (excess + added, 0) - MAX (excess, 0);
  fs_cpu_search_change_excess (&cpu->search, (uint32_t)node, excess + added);
}

/* Returns whether a node's tile may stay as it is, not built: no flow has passed, so that its
 * excess is its t-link, and the search, which ends when the sink's trees are closed, asks only who
 * is a deficit. Whether the others are sources is seen when the tile is built. */
static gboolean
may_stay_lazy (const CpuSolver *cpu, size_t node, int32_t old, int32_t tlink)
{
  return !fs_cpu_layout_is_built (&cpu->layout, node / FS_CPU_TILE_PIXELS)
         && (old < 0) == (tlink < 0);
}

static void
change_tlink (CpuSolver *cpu, size_t pixel, int32_t tlink)
{
  FsGrid *grid = cpu->solver.grid;
  int32_t old = grid->tlink[pixel];
  if (old == tlink)
    return;
  int64_t gained = (int64_t)MAX (tlink, 0) - MAX (old, 0);
  size_t node = node_of (cpu, pixel);
  gboolean stays = may_stay_lazy (cpu, node, old, tlink);
  if (!stays)
    need_node (cpu, node);
  grid->tlink[pixel] = tlink;
  cpu->sum_tlinks += gained;
  if (stays)
    cpu->sum_excess += gained;
  else
    add_excess (cpu, node, tlink - old);
}

/* Both ends of an arc whose capacity is to change, while it still is what it was. */
static void
need_arc (CpuSolver *cpu, size_t pixel, uint8_t arc)
{
  need_node (cpu, node_of (cpu, pixel));
  need_node (cpu, node_of (cpu, pixel + (size_t)fs_grid_step (cpu->solver.grid, arc)));
}

/* The flow through an arc of the grid; 0 for the star link of a pixel that has none. */
static int32_t
arc_flow (CpuSolver *cpu, size_t pixel, uint8_t arc)
{
  const FsCpuLayout *layout = &cpu->layout;
  if (arc == FS_STAR_NONE)
    return 0;
  need_arc (cpu, pixel, arc);
  size_t residual =
      node_of (cpu, pixel) * layout->n_directions + fs_cpu_layout_direction (layout, arc);
  return fs_grid_capacity (cpu->solver.grid, pixel, arc) - layout->residual[residual];
}

/* Fits the flow of such an arc to capacities that have changed. */
static void
fit_flow (CpuSolver *cpu, size_t pixel, uint8_t arc, int32_t flow)
{
  const FsGrid *grid = cpu->solver.grid;
  if (arc == FS_STAR_NONE)
    return;
  size_t parent = pixel + (size_t)fs_grid_step (grid, arc);
  int32_t forth = fs_grid_capacity (grid, pixel, arc);
  int32_t back = fs_grid_capacity (grid, parent, arc ^ FS_DIRECTION_OPPOSITE);
  int32_t new_flow = CLAMP (flow, -back, forth);
  size_t node = node_of (cpu, pixel);
  fs_cpu_search_change_arcs (&cpu->search, (uint32_t)node,
                             fs_cpu_layout_direction (&cpu->layout, arc),
                             (uint16_t)(forth - new_flow), (uint16_t)(back + new_flow));
  if (new_flow == flow)
    return;
  add_excess (cpu, node, flow - new_flow);
  add_excess (cpu, node_of (cpu, parent), new_flow - flow);
}

static void
change_star (CpuSolver *cpu, size_t pixel, uint8_t star)
{
  FsGrid *grid = cpu->solver.grid;
  uint8_t old = grid->star[pixel];
  if (old == star)
    return;
  int32_t old_flow = arc_flow (cpu, pixel, old);
  int32_t flow = arc_flow (cpu, pixel, star);
  grid->star[pixel] = star;
  fit_flow (cpu, pixel, old, old_flow);
  fit_flow (cpu, pixel, star, flow);
}

/* Without a star: its links would have to be told from the planes'. */
static void
change_nlink (CpuSolver *cpu, const FsNlinkChange *change)
{
  const FsGrid *grid = cpu->solver.grid;
  int32_t flow = arc_flow (cpu, change->pixel, change->direction);
  /* The planes are the caller's, who lets the solver write them. */
  ((uint16_t *)grid->nlink[change->direction])[change->pixel] = change->forth;
  ((uint16_t *)grid->nlink_back[change->direction])[change->pixel] = change->back;
  fit_flow (cpu, change->pixel, change->direction, flow);
}

/* The most pixels that may change for the trees to be worth mending. */
static size_t
max_repaired (const CpuSolver *cpu)
{
  return fs_grid_n_pixels (cpu->solver.grid) / PIXELS_PER_REPAIR;
}

static void
forget_trees (CpuSolver *cpu)
{
  fs_cpu_search_reset (&cpu->search);
  cpu->is_fresh = TRUE;
}

/* Before n pixels change: forgets the trees where making new ones is cheaper. */
static void
expect_changes (CpuSolver *cpu, size_t n)
{
  if (n > max_repaired (cpu))
    forget_trees (cpu);
}

static gboolean
cpu_change_tlinks (FsSolver *solver, const FsTlinkChange *changes, size_t n, GError **error)
{
  CpuSolver *cpu = cpu_solver (solver);
  expect_changes (cpu, n);
  for (size_t i = 0; i < n; i++)
    change_tlink (cpu, changes[i].pixel, changes[i].tlink);
  return TRUE;
}

typedef struct {
  CpuSolver *cpu;
  const int32_t *tlinks;
  FsCpuSums gained[FS_THREADS_MAX]; /* per worker */
} Replacement;

static void
replace_rows (int item, int worker, gpointer data)
{
  Replacement *replacement = data;
  CpuSolver *cpu = replacement->cpu;
  int first = item * ROWS_PER_ITEM;
  int last = MIN (first + ROWS_PER_ITEM, cpu->layout.tile_rows);
  FsCpuSums gained =
      fs_cpu_tlinks_replace (&cpu->layout, cpu->solver.grid, replacement->tlinks, first, last);
  replacement->gained[worker].tlinks += gained.tlinks;
  replacement->gained[worker].excess += gained.excess;
}

static void
replace_all (CpuSolver *cpu, const int32_t *tlinks)
{
  Replacement replacement = { .cpu = cpu, .tlinks = tlinks };
  fs_threads_run (cpu->n_threads, n_items (cpu), replace_rows, &replacement);
  for (int i = 0; i < FS_THREADS_MAX; i++) {
    cpu->sum_tlinks += replacement.gained[i].tlinks;
    cpu->sum_excess += replacement.gained[i].excess;
  }
}

static gboolean
cpu_replace_tlinks (FsSolver *solver, const int32_t *tlinks, GError **error)
{
  CpuSolver *cpu = cpu_solver (solver);
  if (fs_cpu_tlinks_differ (solver->grid, tlinks, max_repaired (cpu))) {
    forget_trees (cpu);
    replace_all (cpu, tlinks);
    return TRUE;
  }
  for (size_t p = 0; p < fs_grid_n_pixels (solver->grid); p++)
    change_tlink (cpu, p, tlinks[p]);
  return TRUE;
}

static gboolean
cpu_change_star (FsSolver *solver, const FsStarChange *changes, size_t n, GError **error)
{
  CpuSolver *cpu = cpu_solver (solver);
  expect_changes (cpu, n);
  for (size_t i = 0; i < n; i++)
    change_star (cpu, changes[i].pixel, changes[i].star);
  return TRUE;
}

/* A star, mostly unchanged. */
enum { PIXELS_PER_GLANCE = 64 };

static size_t
count_changed (const uint8_t *star, const uint8_t *old, size_t n)
{
  size_t n_changed = 0;
  for (size_t begin = 0; begin < n; begin += PIXELS_PER_GLANCE) {
    size_t end = MIN (begin + PIXELS_PER_GLANCE, n);
    uint8_t changed = 0;
    for (size_t p = begin; p < end; p++)
      changed += star[p] != old[p];
    n_changed += changed;
  }
  return n_changed;
}

typedef struct {
  CpuSolver *cpu;
  FsGrid is; /* the grid with its new star */
  int phase;
  int64_t gained[FS_THREADS_MAX]; /* per worker */
} StarReplacement;

/* Every other item, for each writes to the rows beside its own. */
static void
replace_star_rows (int item, int worker, gpointer data)
{
  StarReplacement *replacement = data;
  CpuSolver *cpu = replacement->cpu;
  int first = (2 * item + replacement->phase) * ROWS_PER_ITEM;
  int last = MIN (first + ROWS_PER_ITEM, cpu->layout.tile_rows);
  replacement->gained[worker] +=
      fs_cpu_star_replace (&cpu->layout, cpu->solver.grid, &replacement->is, first, last);
}

/* The trees are to be made anew. */
static void
replace_whole_star (CpuSolver *cpu, const uint8_t *star)
{
  FsGrid *grid = cpu->solver.grid;
  StarReplacement replacement = { .cpu = cpu, .is = *grid };
  replacement.is.star = (uint8_t *)star; /* which is only read */
  for (replacement.phase = 0; replacement.phase < 2; replacement.phase++)
    fs_threads_run (cpu->n_threads, (n_items (cpu) + 1 - replacement.phase) / 2, replace_star_rows,
                    &replacement);
  for (int i = 0; i < FS_THREADS_MAX; i++)
    cpu->sum_excess += replacement.gained[i];
  memcpy (grid->star, star, fs_grid_n_pixels (grid));
}

static gboolean
cpu_replace_star (FsSolver *solver, const uint8_t *star, GError **error)
{
  CpuSolver *cpu = cpu_solver (solver);
  const uint8_t *old = solver->grid->star;
  size_t n = fs_grid_n_pixels (solver->grid);
  expect_changes (cpu, count_changed (star, old, n));
  if (!cpu->search.has_trees && !fs_grid_lacks_planes (solver->grid)) {
    replace_whole_star (cpu, star);
    return TRUE;
  }
  for (size_t begin = 0; begin < n; begin += PIXELS_PER_GLANCE) {
    size_t end = MIN (begin + PIXELS_PER_GLANCE, n);
    if (memcmp (star + begin, old + begin, end - begin) == 0)
      continue;
    for (size_t p = begin; p < end; p++)
      change_star (cpu, p, star[p]);
  }
  return TRUE;
}

static gboolean
cpu_change_nlinks (FsSolver *solver, const FsNlinkChange *changes, size_t n, GError **error)
{
  CpuSolver *cpu = cpu_solver (solver);
  expect_changes (cpu, n);
  for (size_t i = 0; i < n; i++)
    change_nlink (cpu, &changes[i]);
  return TRUE;
}

static gboolean
cpu_solve (FsSolver *solver, const FsProgress *progress, FsSolution *solution, GError **error)
{
  CpuSolver *cpu = cpu_solver (solver);
  cpu->search.n_polls = 0;
  FsSearchOutcome outcome = FS_SEARCH_DONE;
  /* Regions lose their trees when they are cancelled. Once only, then: whoever cancels often gets
   * on with the trees of the whole, which stay. */
  gboolean is_fresh = cpu->is_fresh;
  if (is_fresh && !cpu->search.has_trees)
    outcome = fs_cpu_regions_run (&cpu->search, cpu->run, cpu->n_threads, progress);
  cpu->is_fresh = FALSE;
  if (outcome == FS_SEARCH_DONE)
    outcome = cpu->run (&cpu->search, progress);
  if (outcome != FS_SEARCH_DONE)
    return fs_search_outcome_fail (outcome, error);
  fs_cpu_mask_update (&cpu->mask, &cpu->layout, solver->grid, is_fresh ? cpu->n_threads : 1);
  solution->energy = cpu->mask.energy;
  solution->bound = cpu->sum_tlinks - (cpu->sum_excess - cpu->search.flow);
  solution->exact = solution->energy == solution->bound;
  return TRUE;
}

static void
cpu_read_mask (FsSolver *solver, int x, int y, int width, int height, uint8_t *mask,
               size_t stride_bytes)
{
  fs_cpu_mask_read (&cpu_solver (solver)->mask, x, y, width, height, mask, stride_bytes);
}

static void
cpu_take_changed_tiles (FsSolver *solver, uint8_t *tiles)
{
  fs_cpu_mask_take (&cpu_solver (solver)->mask, tiles);
}

static void
cpu_read_state (FsSolver *solver, int y, int n_rows, int32_t *excess,
                uint16_t *residual[FS_N_DIRECTIONS])
{
  fs_cpu_layout_read (&cpu_solver (solver)->layout, y, n_rows, excess, residual);
}

static size_t
cpu_size_bytes (FsSolver *solver)
{
  CpuSolver *cpu = cpu_solver (solver);
  return sizeof *cpu + cpu->layout.block_bytes + cpu->mask.block_bytes
         + fs_cpu_search_bytes (&cpu->search);
}

const FsBackend fs_backend_cpu = {
  .name = "cpu",
  .device = cpu_device,
  .create = cpu_create,
  .destroy = cpu_destroy,
  .change_tlinks = cpu_change_tlinks,
  .replace_tlinks = cpu_replace_tlinks,
  .change_star = cpu_change_star,
  .replace_star = cpu_replace_star,
  .change_nlinks = cpu_change_nlinks,
  .solve = cpu_solve,
  .read_mask = cpu_read_mask,
  .take_changed_tiles = cpu_take_changed_tiles,
  .read_state = cpu_read_state,
  .size_bytes = cpu_size_bytes,
  .rebuild = cpu_rebuild,
  .reads_links = TRUE,
};
