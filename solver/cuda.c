/* SPDX-License-Identifier: MIT */
#include "solver/cuda.h"

#include "solver/checked_memory.h"

#include <dlfcn.h>
#include <string.h>

enum { TILE = 32, TILES_PER_BIG = FS_MASK_TILE / TILE };

typedef struct {
  FsSolver solver;
  const FsEngineTable *table;
  FsEngine *engine; /* NULL after a failure */
  FsSolver *cpu;    /* goes on after it      */
  uint32_t *kept;   /* [tiles][32]: the engine's last mask, until the CPU has one */
  int tile_cols, tile_rows;
  uint8_t *changed; /* [tiles]: what the engine says       */
  uint32_t *taken;  /* [tiles][32]: the mask last taken    */
  FsEngineResult result;
} CudaSolver;

static CudaSolver *
cuda_solver (FsSolver *solver)
{
  return (CudaSolver *)solver;
}

/* --- The module --- */

static struct {
  GMutex mutex;
  const FsEngineTable *table; /* NULL: not there */
  const FsEngineTable *test_table;
  gboolean is_tried;
  char device[128];
  char reason[512];
  const char *notice; /* atomic: who reads it must not wait for a driver that is being opened */
} module;

/* What is installed, or what the environment names instead. */
static const FsEngineTable *
load_table (void)
{
  const char *named = g_getenv ("FRETSAW_CUDA_MODULE");
  void *handle =
      dlopen (named != NULL ? named : FS_MODULE_DIR "/fretsaw-cuda.so", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    g_strlcpy (module.reason, "its module is not installed", sizeof module.reason);
    return NULL;
  }
  FsEngineEntry *entry = NULL;
  *(void **)&entry = dlsym (handle, FS_ENGINE_SYMBOL);
  const FsEngineTable *table = entry != NULL ? entry () : NULL;
  if (table == NULL || table->version != FS_ENGINE_VERSION) {
    g_strlcpy (module.reason, "its module is of another version", sizeof module.reason);
    return NULL;
  }
  return table;
}

static const FsEngineTable *
open_table (const FsEngineTable *table)
{
  FsEngineError failure = { "" };
  if (table == NULL)
    return NULL;
  if (table->open (module.device, sizeof module.device, &failure) == FS_ENGINE_DONE)
    return table;
  g_strlcpy (module.reason, failure.text, sizeof module.reason);
  return NULL;
}

static const FsEngineTable *
get_table (void)
{
  g_mutex_lock (&module.mutex);
  if (!module.is_tried) {
    module.is_tried = TRUE;
    module.table = open_table (module.test_table != NULL ? module.test_table : load_table ());
  }
  const FsEngineTable *table = module.table;
  g_mutex_unlock (&module.mutex);
  return table;
}

gboolean
fs_cuda_is_available (GError **error)
{
  if (get_table () != NULL)
    return TRUE;
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND,
               "the CUDA backend cannot be used: %s", module.reason);
  return FALSE;
}

const char *
fs_cuda_notice (void)
{
  return g_atomic_pointer_get (&module.notice);
}

void
fs_cuda_use_table (const FsEngineTable *table)
{
  g_mutex_lock (&module.mutex);
  module.test_table = table;
  module.is_tried = FALSE;
  g_atomic_pointer_set (&module.notice, NULL);
  g_mutex_unlock (&module.mutex);
}

static const char *
cuda_device (void)
{
  return get_table () != NULL ? module.device : "no CUDA device";
}

/* --- Going on with the CPU --- */

/* The first failure is the one that is told. */
static void
keep_notice (const FsEngineError *failure)
{
  g_autofree char *text =
      g_strdup_printf ("the graphics processor failed (%s); the cut goes on with the processor",
                       failure->text);
  g_atomic_pointer_compare_and_exchange (&module.notice, NULL, g_intern_string (text));
}

static size_t
mask_bytes (const CudaSolver *cuda)
{
  return (size_t)cuda->tile_cols * (size_t)cuda->tile_rows * TILE * sizeof (uint32_t);
}

/* The old mask stands until there is another; without memory for it the mask is empty till then. */
static void
keep_mask (CudaSolver *cuda)
{
  cuda->kept = fs_memory_new (mask_bytes (cuda), 1);
  if (cuda->kept != NULL)
    memcpy (cuda->kept, cuda->table->mask (cuda->engine), mask_bytes (cuda));
}

/* Gives the engine up. The grid holds the whole problem, so nothing is lost but time. */
static gboolean
go_on_with_cpu (CudaSolver *cuda, const FsEngineError *failure, GError **error)
{
  keep_notice (failure);
  if (cuda->engine != NULL)
    keep_mask (cuda);
  g_clear_pointer (&cuda->engine, cuda->table->destroy);
  cuda->result = (FsEngineResult){ 0 };
  cuda->cpu = fs_solver_new (&fs_backend_cpu, cuda->solver.grid, error);
  return cuda->cpu != NULL;
}

/* --- The table --- */

static void
cuda_destroy (FsSolver *solver)
{
  CudaSolver *cuda = cuda_solver (solver);
  g_clear_pointer (&cuda->engine, cuda->table->destroy);
  g_clear_pointer (&cuda->cpu, fs_solver_free);
  fs_memory_free (cuda->changed);
  fs_memory_free (cuda->taken);
  fs_memory_free (cuda->kept);
  fs_memory_free (cuda);
}

static FsEngineProblem
problem_of (const FsGrid *grid)
{
  FsEngineProblem problem = { .width = grid->width,
                              .height = grid->height,
                              .neighbours = (int)grid->neighbours,
                              .tlink = grid->tlink,
                              .star = grid->star };
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    problem.nlink[d] = grid->nlink[d];
    problem.nlink_back[d] = grid->nlink_back[d];
  }
  return problem;
}

static gboolean
allocate (CudaSolver *cuda)
{
  const FsGrid *grid = cuda->solver.grid;
  cuda->tile_cols = (grid->width - 1) / TILE + 1;
  cuda->tile_rows = (grid->height - 1) / TILE + 1;
  size_t n_tiles = (size_t)cuda->tile_cols * (size_t)cuda->tile_rows;
  cuda->changed = fs_memory_new (n_tiles, 1);
  cuda->taken = fs_memory_new (n_tiles, TILE * sizeof *cuda->taken);
  if (cuda->changed == NULL || cuda->taken == NULL)
    return FALSE;
  memset (cuda->taken, 0, mask_bytes (cuda));
  return TRUE;
}

static FsSolver *
cuda_create (FsGrid *grid, GError **error)
{
  const FsEngineTable *table = get_table ();
  if (!fs_cuda_is_available (error))
    return NULL;
  CudaSolver *cuda = fs_memory_new (1, sizeof *cuda);
  if (cuda != NULL)
    *cuda = (CudaSolver){ .solver = { .backend = &fs_backend_cuda, .grid = grid }, .table = table };
  if (cuda == NULL || !allocate (cuda)) {
    if (cuda != NULL)
      cuda_destroy (&cuda->solver);
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for the cut of %d × %d pixels", grid->width, grid->height);
    return NULL;
  }
  FsEngineProblem problem = problem_of (grid);
  FsEngineError failure = { "" };
  if (table->create (&problem, &cuda->engine, &failure) != FS_ENGINE_DONE
      && !go_on_with_cpu (cuda, &failure, error)) {
    cuda_destroy (&cuda->solver);
    return NULL;
  }
  return &cuda->solver;
}

static gboolean
cuda_change_tlinks (FsSolver *solver, const FsTlinkChange *changes, size_t n, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  if (cuda->cpu != NULL)
    return fs_solver_change_tlinks (cuda->cpu, changes, n, error);
  int32_t *tlink = solver->grid->tlink;
  for (size_t i = 0; i < n; i++)
    tlink[changes[i].pixel] = changes[i].tlink;
  g_autofree FsEngineTlink *last = g_new (FsEngineTlink, n);
  for (size_t i = 0; i < n; i++)
    last[i] = (FsEngineTlink){ changes[i].pixel, tlink[changes[i].pixel] };
  FsEngineError failure = { "" };
  return cuda->table->change_tlinks (cuda->engine, last, n, &failure) == FS_ENGINE_DONE
         || go_on_with_cpu (cuda, &failure, error);
}

static gboolean
cuda_replace_tlinks (FsSolver *solver, const int32_t *tlinks, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  if (cuda->cpu != NULL)
    return fs_solver_replace_tlinks (cuda->cpu, tlinks, error);
  memmove (solver->grid->tlink, tlinks, fs_grid_n_pixels (solver->grid) * sizeof *tlinks);
  FsEngineError failure = { "" };
  return cuda->table->replace_tlinks (cuda->engine, tlinks, &failure) == FS_ENGINE_DONE
         || go_on_with_cpu (cuda, &failure, error);
}

/* Adds the pair of arcs between a pixel and what would be its parent, as it is now. */
static void
note_pair (GArray *pairs, const FsGrid *grid, uint32_t pixel, uint8_t star)
{
  if (star == FS_STAR_NONE)
    return;
  FsEnginePair pair = { .pixel = pixel, .direction = star };
  if (star >= FS_N_DIRECTIONS) {
    pair.pixel = (uint32_t)(pixel + fs_grid_step (grid, star));
    pair.direction = star ^ FS_DIRECTION_OPPOSITE;
  }
  pair.old_forth = fs_grid_capacity (grid, pair.pixel, pair.direction);
  g_array_append_val (pairs, pair);
}

static int
compare_pairs (gconstpointer left, gconstpointer right)
{
  const FsEnginePair *a = left, *b = right;
  if (a->pixel != b->pixel)
    return a->pixel < b->pixel ? -1 : 1;
  return (int)a->direction - (int)b->direction;
}

/* Leaves every pair once, with its new capacities. */
static void
finish_pairs (GArray *pairs, const FsGrid *grid)
{
  g_array_sort (pairs, compare_pairs);
  guint n_kept = 0;
  FsEnginePair *pair = (FsEnginePair *)pairs->data;
  for (guint i = 0; i < pairs->len; i++) {
    if (n_kept > 0 && compare_pairs (&pair[n_kept - 1], &pair[i]) == 0)
      continue;
    FsEnginePair kept = pair[i];
    size_t there = (size_t)((ptrdiff_t)kept.pixel + fs_grid_step (grid, kept.direction));
    kept.new_forth = fs_grid_capacity (grid, kept.pixel, kept.direction);
    kept.new_back = fs_grid_capacity (grid, there, kept.direction ^ FS_DIRECTION_OPPOSITE);
    pair[n_kept++] = kept;
  }
  g_array_set_size (pairs, n_kept);
}

/* Sends the changes of the star, each of which changes the pair of arcs to the pixel's old parent
 * and that to its new one. Capacities are those before all changes and after all of them. */
static gboolean
change_stars (CudaSolver *cuda, const FsStarChange *changes, size_t n, GError **error)
{
  FsGrid *grid = cuda->solver.grid;
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (FsEnginePair));
  for (size_t i = 0; i < n; i++) {
    note_pair (pairs, grid, changes[i].pixel, grid->star[changes[i].pixel]);
    note_pair (pairs, grid, changes[i].pixel, changes[i].star);
  }
  for (size_t i = 0; i < n; i++)
    grid->star[changes[i].pixel] = changes[i].star;
  finish_pairs (pairs, grid);
  g_autofree FsEngineStar *last = g_new (FsEngineStar, n);
  for (size_t i = 0; i < n; i++)
    last[i] = (FsEngineStar){ changes[i].pixel, grid->star[changes[i].pixel] };
  FsEngineError failure = { "" };
  return cuda->table->change_star (cuda->engine, last, n, (const FsEnginePair *)pairs->data,
                                   pairs->len, &failure)
             == FS_ENGINE_DONE
         || go_on_with_cpu (cuda, &failure, error);
}

static gboolean
cuda_change_star (FsSolver *solver, const FsStarChange *changes, size_t n, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  if (cuda->cpu != NULL)
    return fs_solver_change_star (cuda->cpu, changes, n, error);
  return change_stars (cuda, changes, n, error);
}

static gboolean
cuda_replace_star (FsSolver *solver, const uint8_t *star, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  if (cuda->cpu != NULL)
    return fs_solver_replace_star (cuda->cpu, star, error);
  const uint8_t *old = solver->grid->star;
  size_t n = fs_grid_n_pixels (solver->grid);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  for (size_t p = 0; p < n; p++)
    if (star[p] != old[p]) {
      FsStarChange change = { (uint32_t)p, star[p] };
      g_array_append_val (changes, change);
    }
  return change_stars (cuda, (const FsStarChange *)changes->data, changes->len, error);
}

/* What a running engine asks again and again. */
typedef struct {
  const FsProgress *progress;
  gint64 started_us, reported_us;
} Watch;

enum { REPORT_US = 5000, HALF_WAY_US = 50000 };

/* How far a device is cannot be known: the fraction says how long it has been at it. */
static int
is_cancelled (void *data)
{
  Watch *watch = data;
  const FsProgress *progress = watch->progress;
  gint64 now_us = g_get_monotonic_time ();
  if (progress->report != NULL && now_us - watch->reported_us >= REPORT_US) {
    double passed_us = (double)(now_us - watch->started_us);
    watch->reported_us = now_us;
    progress->report (passed_us / (passed_us + HALF_WAY_US), progress->user_data);
  }
  return fs_progress_is_cancelled (progress);
}

static gboolean
solve_on_cpu (CudaSolver *cuda, const FsProgress *progress, FsSolution *solution, GError **error)
{
  if (!fs_solver_solve (cuda->cpu, progress, solution, error))
    return FALSE;
  g_clear_pointer (&cuda->kept, fs_memory_free);
  return TRUE;
}

static gboolean
cuda_solve (FsSolver *solver, const FsProgress *progress, FsSolution *solution, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->cpu == NULL) {
    Watch watch = { .progress = progress, .started_us = g_get_monotonic_time () };
    int status = cuda->table->solve (cuda->engine, is_cancelled, &watch, &cuda->result, &failure);
    if (status == FS_ENGINE_CANCELLED) {
      g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the cut was cancelled");
      return FALSE;
    }
    if (status == FS_ENGINE_DONE) {
      solution->energy = cuda->result.energy;
      solution->bound = cuda->result.bound;
      solution->exact = solution->energy == solution->bound;
      return TRUE;
    }
    if (!go_on_with_cpu (cuda, &failure, error))
      return FALSE;
  }
  return solve_on_cpu (cuda, progress, solution, error);
}

/* --- Reading --- */

/* The mask in words, a row of a tile each; NULL where it is the CPU's. */
static const uint32_t *
mask_words (CudaSolver *cuda)
{
  return cuda->cpu == NULL ? cuda->table->mask (cuda->engine) : cuda->kept;
}

static void
cuda_read_mask (FsSolver *solver, int x, int y, int width, int height, uint8_t *mask,
                size_t stride_bytes)
{
  CudaSolver *cuda = cuda_solver (solver);
  const uint32_t *object = mask_words (cuda);
  if (object == NULL) {
    fs_solver_read_mask (cuda->cpu, x, y, width, height, mask, stride_bytes);
    return;
  }
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++) {
      size_t tile = (size_t)((y + j) / TILE) * cuda->tile_cols + (x + i) / TILE;
      mask[(size_t)j * stride_bytes + i] =
          object[tile * TILE + (y + j) % TILE] >> (x + i) % TILE & 1;
    }
}

/* Compares the CPU's mask of a tile with what was taken, and takes it. */
static gboolean
take_tile_of_cpu (CudaSolver *cuda, int tile_x, int tile_y)
{
  uint8_t mask[TILE][TILE];
  const FsGrid *grid = cuda->solver.grid;
  uint32_t *taken = cuda->taken + ((size_t)tile_y * cuda->tile_cols + tile_x) * TILE;
  int width = MIN (TILE, grid->width - tile_x * TILE);
  int height = MIN (TILE, grid->height - tile_y * TILE);
  fs_solver_read_mask (cuda->cpu, tile_x * TILE, tile_y * TILE, width, height, mask[0], TILE);
  gboolean differs = FALSE;
  for (int y = 0; y < height; y++) {
    uint32_t row = 0, inside = width == TILE ? G_MAXUINT32 : (1u << width) - 1;
    for (int x = 0; x < width; x++)
      row |= (uint32_t)mask[y][x] << x;
    differs |= ((row ^ taken[y]) & inside) != 0;
    taken[y] = row;
  }
  return differs;
}

/* The same of a mask in words; pixels beyond the photo's edge do not count. */
static gboolean
take_tile_of_words (CudaSolver *cuda, const uint32_t *words, int tile_x, int tile_y)
{
  size_t tile = (size_t)tile_y * cuda->tile_cols + tile_x;
  const FsGrid *grid = cuda->solver.grid;
  if (!cuda->changed[tile])
    return FALSE;
  const uint32_t *object = words + tile * TILE;
  uint32_t *taken = cuda->taken + tile * TILE;
  int width = grid->width - tile_x * TILE, height = MIN (TILE, grid->height - tile_y * TILE);
  uint32_t inside = width >= TILE ? G_MAXUINT32 : (1u << width) - 1;
  gboolean differs = FALSE;
  for (int y = 0; y < height; y++) {
    differs |= ((object[y] ^ taken[y]) & inside) != 0;
    taken[y] = object[y];
  }
  return differs;
}

static void
cuda_take_changed_tiles (FsSolver *solver, uint8_t *tiles)
{
  CudaSolver *cuda = cuda_solver (solver);
  int big_cols = (cuda->tile_cols - 1) / TILES_PER_BIG + 1;
  int big_rows = (cuda->tile_rows - 1) / TILES_PER_BIG + 1;
  memset (tiles, 0, (size_t)big_cols * (size_t)big_rows);
  const uint32_t *words = mask_words (cuda);
  if (cuda->cpu == NULL)
    cuda->table->take_changed (cuda->engine, cuda->changed);
  else
    memset (cuda->changed, 1, (size_t)cuda->tile_cols * (size_t)cuda->tile_rows);
  for (int y = 0; y < cuda->tile_rows; y++)
    for (int x = 0; x < cuda->tile_cols; x++)
      tiles[y / TILES_PER_BIG * big_cols + x / TILES_PER_BIG] |=
          words != NULL ? take_tile_of_words (cuda, words, x, y) : take_tile_of_cpu (cuda, x, y);
}

/* After a solve by the engine its state is that of a flow; where it cannot be read any more, it is
 * the state of the CPU's. */
static void
cuda_read_state (FsSolver *solver, int y, int n_rows, int32_t *excess,
                 uint16_t *residual[FS_N_DIRECTIONS])
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->cpu == NULL
      && cuda->table->read_state (cuda->engine, y, n_rows, excess, residual, &failure)
             == FS_ENGINE_DONE)
    return;
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  if (cuda->cpu == NULL
      && (!go_on_with_cpu (cuda, &failure, &error)
          || !solve_on_cpu (cuda, NULL, &solution, &error))) {
    g_warning ("%s", error->message);
    return;
  }
  fs_solver_read_state (cuda->cpu, y, n_rows, excess, residual);
}

static size_t
cuda_size_bytes (FsSolver *solver)
{
  CudaSolver *cuda = cuda_solver (solver);
  if (cuda->cpu != NULL)
    return fs_solver_size_bytes (cuda->cpu);
  size_t n_tiles = (size_t)cuda->tile_cols * (size_t)cuda->tile_rows;
  return sizeof *cuda + n_tiles * (1 + TILE * sizeof *cuda->taken)
         + cuda->table->size_bytes (cuda->engine);
}

static const FsBackend *
cuda_in_use (FsSolver *solver)
{
  FsSolver *cpu = cuda_solver (solver)->cpu;
  return cpu != NULL ? cpu->backend : &fs_backend_cuda;
}

void
fs_cuda_last_result (FsSolver *solver, FsEngineResult *result)
{
  g_return_if_fail (solver != NULL && solver->backend == &fs_backend_cuda && result != NULL);
  *result = cuda_solver (solver)->result;
}

const FsBackend fs_backend_cuda = {
  .name = "cuda",
  .device = cuda_device,
  .create = cuda_create,
  .destroy = cuda_destroy,
  .change_tlinks = cuda_change_tlinks,
  .replace_tlinks = cuda_replace_tlinks,
  .change_star = cuda_change_star,
  .replace_star = cuda_replace_star,
  .solve = cuda_solve,
  .read_mask = cuda_read_mask,
  .take_changed_tiles = cuda_take_changed_tiles,
  .read_state = cuda_read_state,
  .size_bytes = cuda_size_bytes,
  .in_use = cuda_in_use,
};
