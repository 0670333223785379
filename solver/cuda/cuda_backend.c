/* SPDX-License-Identifier: MIT */
#include "solver/cuda/cuda_backend.h"

#include "solver/backend.h"
#include "solver/cuda/cancel.h"
#include "solver/cuda/cuda_changes.h"
#include "solver/cuda/cuda_module.h"
#include "solver/cuda/cuda_photos.h"
#include "solver/implicit_links.h"
#include "solver/mask_words.h"
#include "solver/multilevel/preview.h"
#include "solver/system/checked_memory.h"
#include "solver/system/threads.h"

#include <string.h>

enum { TILE = 32, TILES_PER_BIG = FS_MASK_TILE / TILE };

typedef struct {
  FsSolver solver;
  const FsEngineTable *table;
  FsEngine *engine;           /* NULL after a failure */
  const FsEnginePhoto *photo; /* NULL: links came as planes */
  FsPlaneOwner owner;         /* fills the grid's planes when they are needed */
  gboolean lacks_planes;      /* they are not filled yet */
  FsSolver *cpu;              /* goes on after it; NULL till it is first asked to solve */
  uint32_t *last_mask;        /* [tiles][32]: the engine's last mask, until the CPU has one */
  int tile_cols, tile_rows;
  uint32_t *taken; /* [tiles][32]: the mask last taken    */
  FsEngineResult result;
  FsEnginePreviewResult preview;
  gboolean has_preview; /* the last one went well */
} CudaSolver;

static CudaSolver *
cuda_solver (FsSolver *solver)
{
  return (CudaSolver *)solver;
}

/* --- Going on with the CPU --- */

static size_t
mask_bytes (const CudaSolver *cuda)
{
  return (size_t)cuda->tile_cols * (size_t)cuda->tile_rows * TILE * sizeof (uint32_t);
}

/* Saves the engine's mask until the CPU has one; without memory for it the mask is empty till then.
 */
static void
save_mask (CudaSolver *cuda)
{
  cuda->last_mask = fs_memory_new (mask_bytes (cuda), 1);
  if (cuda->last_mask != NULL)
    memcpy (cuda->last_mask, cuda->table->mask (cuda->engine), mask_bytes (cuda));
}

static void
drop_engine (CudaSolver *cuda)
{
  g_clear_pointer (&cuda->engine, cuda->table->destroy);
  g_clear_pointer (&cuda->photo, fs_cuda_photos_give_back);
}

/* Gives the engine up. The grid holds the whole problem, so nothing is lost but time. */
static void
give_up_engine (CudaSolver *cuda, const FsEngineError *failure)
{
  fs_cuda_module_set_notice (failure);
  if (cuda->engine != NULL)
    save_mask (cuda);
  drop_engine (cuda);
  cuda->result = (FsEngineResult){ 0 };
}

static gboolean
cuda_need_planes (FsSolver *solver, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  if (cuda->lacks_planes && !cuda->owner.fill (solver->grid, cuda->owner.data, error))
    return FALSE;
  cuda->lacks_planes = FALSE;
  return TRUE;
}

/* The CPU solver that goes on in its place. Where memory was short, its allocation is tried again.
 */
static FsSolver *
get_successor (CudaSolver *cuda, GError **error)
{
  if (cuda->cpu != NULL)
    return cuda->cpu;
  if (!cuda_need_planes (&cuda->solver, error))
    return NULL;
  return cuda->cpu = fs_solver_new (&fs_backend_cpu, cuda->solver.grid, error);
}

/* --- The table --- */

static void
cuda_destroy (FsSolver *solver)
{
  CudaSolver *cuda = cuda_solver (solver);
  drop_engine (cuda);
  g_clear_pointer (&cuda->cpu, fs_solver_free);
  fs_memory_free (cuda->taken);
  fs_memory_free (cuda->last_mask);
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
allocate_solver (CudaSolver *cuda)
{
  const FsGrid *grid = cuda->solver.grid;
  cuda->tile_cols = (grid->width - 1) / TILE + 1;
  cuda->tile_rows = (grid->height - 1) / TILE + 1;
  size_t n_tiles = (size_t)cuda->tile_cols * (size_t)cuda->tile_rows;
  cuda->taken = fs_memory_new (n_tiles, TILE * sizeof *cuda->taken);
  if (cuda->taken == NULL)
    return FALSE;
  memset (cuda->taken, 0, mask_bytes (cuda));
  return TRUE;
}

/* A solver without an engine. */
static CudaSolver *
new_solver (FsGrid *grid, GError **error)
{
  const FsEngineTable *table = fs_cuda_module_get ();
  if (!fs_cuda_is_available (error))
    return NULL;
  CudaSolver *cuda = fs_memory_new (1, sizeof *cuda);
  if (cuda != NULL)
    *cuda = (CudaSolver){ .solver = { .backend = &fs_backend_cuda, .grid = grid }, .table = table };
  if (cuda != NULL && allocate_solver (cuda))
    return cuda;
  if (cuda != NULL)
    cuda_destroy (&cuda->solver);
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for the cut of %d × %d pixels", grid->width, grid->height);
  return NULL;
}

/* `source`: NULL where links come as planes. */
static gboolean
make_engine (CudaSolver *cuda, const FsLinkSource *source, FsEngineError *failure)
{
  FsEngineProblem problem = problem_of (cuda->solver.grid);
  if (source != NULL) {
    cuda->photo = fs_cuda_photos_take (cuda->table, source, cuda->solver.grid, failure);
    if (cuda->photo == NULL)
      return FALSE;
    problem.photo = cuda->photo;
    problem.terms = &source->terms;
  }
  return cuda->table->create (&problem, &cuda->engine, failure) == FS_ENGINE_DONE;
}

static FsSolver *
cuda_create_built (FsGrid *grid, const FsLinkSource *source, const FsPlaneOwner *owner,
                   GError **error)
{
  FsEngineError failure = { "" };
  CudaSolver *cuda = new_solver (grid, error);
  if (cuda == NULL)
    return NULL;
  if (owner != NULL) {
    cuda->owner = *owner;
    cuda->lacks_planes = TRUE;
  }
  if (make_engine (cuda, source, &failure))
    return &cuda->solver;
  give_up_engine (cuda, &failure);
  if (get_successor (cuda, error) != NULL)
    return &cuda->solver;
  cuda_destroy (&cuda->solver);
  return NULL;
}

static FsSolver *
cuda_create (FsGrid *grid, GError **error)
{
  return cuda_create_built (grid, NULL, NULL, error);
}

/* --- Changes --- */

/* While there is neither engine nor CPU solver, changes are made to the grid alone. */
static gboolean
cuda_change_tlinks (FsSolver *solver, const FsTlinkChange *changes, size_t n, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->cpu != NULL)
    return fs_solver_change_tlinks (cuda->cpu, changes, n, error);
  if (!fs_cuda_change_tlinks (cuda->table, cuda->engine, solver->grid, !cuda->lacks_planes, changes,
                              n, &failure))
    give_up_engine (cuda, &failure);
  return TRUE;
}

static gboolean
cuda_replace_tlinks (FsSolver *solver, const int32_t *tlinks, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->cpu != NULL)
    return fs_solver_replace_tlinks (cuda->cpu, tlinks, error);
  if (!fs_cuda_replace_tlinks (cuda->table, cuda->engine, solver->grid, tlinks, &failure))
    give_up_engine (cuda, &failure);
  return TRUE;
}

static gboolean
cuda_builds (FsSolver *solver)
{
  CudaSolver *cuda = cuda_solver (solver);
  return cuda->engine != NULL && cuda->photo != NULL;
}

static gboolean
cuda_rebuild_tlinks (FsSolver *solver, const FsLinkSource *source, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  cuda->lacks_planes = TRUE;
  if (cuda->table->remake_tlinks (cuda->engine, &source->terms, &failure) != FS_ENGINE_DONE)
    give_up_engine (cuda, &failure);
  return TRUE;
}

static gboolean
cuda_fix_tlinks (FsSolver *solver, const FsFixedSpan *spans, size_t n, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  (void)error;
  cuda->lacks_planes = TRUE;
  if (!fs_cuda_fix_tlinks (cuda->table, cuda->engine, spans, n, &failure))
    give_up_engine (cuda, &failure);
  return TRUE;
}

static gboolean
cuda_change_star (FsSolver *solver, const FsStarChange *changes, size_t n, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->cpu != NULL)
    return fs_solver_change_star (cuda->cpu, changes, n, error);
  if (!fs_cuda_change_star (cuda->table, cuda->engine, solver->grid, changes, n, &failure))
    give_up_engine (cuda, &failure);
  return TRUE;
}

static gboolean
cuda_change_nlinks (FsSolver *solver, const FsNlinkChange *changes, size_t n, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->cpu != NULL)
    return fs_solver_change_nlinks (cuda->cpu, changes, n, error);
  if (!fs_cuda_change_nlinks (cuda->table, cuda->engine, solver->grid, changes, n, &failure))
    give_up_engine (cuda, &failure);
  return TRUE;
}

static gboolean
cuda_replace_star (FsSolver *solver, const uint8_t *star, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->cpu != NULL)
    return fs_solver_replace_star (cuda->cpu, star, error);
  if (!fs_cuda_replace_star (cuda->table, cuda->engine, solver->grid, star, &failure))
    give_up_engine (cuda, &failure);
  return TRUE;
}

/* --- Solving --- */

static gboolean
solve_on_cpu (CudaSolver *cuda, const FsProgress *progress, FsSolution *solution, GError **error)
{
  FsSolver *cpu = get_successor (cuda, error);
  if (cpu == NULL || !fs_solver_solve (cpu, progress, solution, error))
    return FALSE;
  g_clear_pointer (&cuda->last_mask, fs_memory_free);
  return TRUE;
}

static gboolean
cuda_solve (FsSolver *solver, const FsProgress *progress, FsSolution *solution, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->engine != NULL) {
    FsCudaWatch watch = fs_cuda_watch_start (progress);
    int status = cuda->table->solve (cuda->engine, fs_cuda_watch_is_cancelled, &watch,
                                     &cuda->result, &failure);
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
    give_up_engine (cuda, &failure);
  }
  return solve_on_cpu (cuda, progress, solution, error);
}

/* --- Reading --- */

/* The mask in words, a row of a tile each; NULL where it is the successor's. */
static const uint32_t *
mask_words (CudaSolver *cuda)
{
  return cuda->engine != NULL ? cuda->table->mask (cuda->engine) : cuda->last_mask;
}

/* Where there is neither yet, nothing is object. */
static void
read_mask_of_cpu (CudaSolver *cuda, int x, int y, int width, int height, uint8_t *mask,
                  size_t stride_bytes)
{
  if (cuda->cpu != NULL) {
    fs_solver_read_mask (cuda->cpu, x, y, width, height, mask, stride_bytes);
    return;
  }
  for (int j = 0; j < height; j++)
    memset (mask + (size_t)j * stride_bytes, 0, (size_t)width);
}

/* The first word of a row of a mask. */
static const uint32_t *
words_of_row (const CudaSolver *cuda, const uint32_t *words, int y)
{
  return words + (size_t)(y / TILE) * (size_t)cuda->tile_cols * TILE + y % TILE;
}

static void
cuda_read_mask (FsSolver *solver, int x, int y, int width, int height, uint8_t *mask,
                size_t stride_bytes)
{
  CudaSolver *cuda = cuda_solver (solver);
  const uint32_t *object = mask_words (cuda);
  if (object == NULL) {
    read_mask_of_cpu (cuda, x, y, width, height, mask, stride_bytes);
    return;
  }
  for (int j = 0; j < height; j++)
    fs_mask_unpack_row (words_of_row (cuda, object, y + j), x, width,
                        mask + (size_t)j * stride_bytes);
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
  read_mask_of_cpu (cuda, tile_x * TILE, tile_y * TILE, width, height, mask[0], TILE);
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

/* Without an engine nobody says which tiles have changed. */
static void
take_all_tiles (CudaSolver *cuda, uint8_t *tiles, int big_cols)
{
  for (int y = 0; y < cuda->tile_rows; y++)
    for (int x = 0; x < cuda->tile_cols; x++)
      tiles[y / TILES_PER_BIG * big_cols + x / TILES_PER_BIG] |=
          cuda->last_mask != NULL ? take_tile_of_words (cuda, cuda->last_mask, x, y)
                                  : take_tile_of_cpu (cuda, x, y);
}

static void
cuda_take_changed_tiles (FsSolver *solver, uint8_t *tiles)
{
  CudaSolver *cuda = cuda_solver (solver);
  int big_cols = (cuda->tile_cols - 1) / TILES_PER_BIG + 1;
  int big_rows = (cuda->tile_rows - 1) / TILES_PER_BIG + 1;
  memset (tiles, 0, (size_t)big_cols * (size_t)big_rows);
  if (cuda->engine == NULL) {
    take_all_tiles (cuda, tiles, big_cols);
    return;
  }
  size_t n;
  const uint32_t *words = cuda->table->mask (cuda->engine);
  const uint32_t *changed = cuda->table->take_changed (cuda->engine, &n);
  for (size_t i = 0; i < n; i++) {
    int x = (int)changed[i] % cuda->tile_cols, y = (int)changed[i] / cuda->tile_cols;
    tiles[y / TILES_PER_BIG * big_cols + x / TILES_PER_BIG] |=
        take_tile_of_words (cuda, words, x, y);
  }
}

/* After a solve by the engine its state is that of a flow; where it cannot be read any more, it is
 * the state of the successor's. */
static void
cuda_read_state (FsSolver *solver, int y, int n_rows, int32_t *excess,
                 uint16_t *residual[FS_N_DIRECTIONS])
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->engine != NULL) {
    if (cuda->table->read_state (cuda->engine, y, n_rows, excess, residual, &failure)
        == FS_ENGINE_DONE)
      return;
    give_up_engine (cuda, &failure);
  }
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  if (cuda->cpu == NULL && !solve_on_cpu (cuda, NULL, &solution, &error)) {
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
  return sizeof *cuda + n_tiles * TILE * sizeof *cuda->taken
         + (cuda->engine != NULL ? cuda->table->size_bytes (cuda->engine) : 0);
}

/* --- Previews --- */

enum { PIXELS_A_THREAD = 1 << 22, UNPACKING_THREADS = 6 };

/* A preview's mask on its way into a plane of bytes. */
typedef struct {
  const CudaSolver *cuda;
  const uint32_t *words;
  uint8_t *mask;
} Unpacking;

static void
fill_preview_stats (const FsGrid *grid, const FsEnginePreview *options,
                    const FsEnginePreviewResult *result, FsPreviewStats *stats)
{
  int width = grid->width, height = grid->height;
  *stats = (FsPreviewStats){ .n_levels = options->n_levels, .energy = result->energy };
  for (int k = 0; k <= options->n_levels; k++) {
    stats->n_pixels[k] = (size_t)width * (size_t)height;
    stats->n_solved[k] = (size_t)result->n_solved[k];
    width = fs_half (width);
    height = fs_half (height);
  }
  stats->size_bytes = (size_t)(result->pyramid_bytes + result->band_bytes);
}

/* The part of row y from column x on. */
static void
unpack_row (const Unpacking *unpacking, int x, int y, int width)
{
  const CudaSolver *cuda = unpacking->cuda;
  fs_mask_unpack_row (words_of_row (cuda, unpacking->words, y) + (size_t)(x / TILE) * TILE, 0,
                      width, unpacking->mask + (size_t)y * (size_t)cuda->solver.grid->width + x);
}

/* A row of tiles. */
static void
unpack_tiles (int item, int worker, gpointer data)
{
  const Unpacking *unpacking = data;
  const FsGrid *grid = unpacking->cuda->solver.grid;
  (void)worker;
  for (int y = item * TILE; y < MIN ((item + 1) * TILE, grid->height); y++)
    unpack_row (unpacking, 0, y, grid->width);
}

static void
unpack_rows (const Unpacking *unpacking, const FsEngineRows *rows)
{
  const CudaSolver *cuda = unpacking->cuda;
  const FsGrid *grid = cuda->solver.grid;
  int tile = (int)rows->tile;
  int x = tile % cuda->tile_cols * TILE, top = tile / cuda->tile_cols * TILE;
  for (int y = top; y < MIN (top + TILE, grid->height); y++)
    if (rows->rows >> (y - top) & 1)
      unpack_row (unpacking, x, y, MIN (TILE, grid->width - x));
}

/* FsEnginePreview.show. A thread takes longer to begin than to unpack a few megapixels. */
static void
show_preview (void *data, const uint32_t *words, const FsEngineRows *rows, size_t n)
{
  Unpacking *unpacking = data;
  const CudaSolver *cuda = unpacking->cuda;
  int n_threads =
      (int)MIN (fs_grid_n_pixels (cuda->solver.grid) / PIXELS_A_THREAD, UNPACKING_THREADS);
  unpacking->words = words;
  if (rows == NULL)
    fs_threads_run (CLAMP (n_threads, 1, fs_solver_get_threads ()), cuda->tile_rows, unpack_tiles,
                    unpacking);
  for (size_t i = 0; rows != NULL && i < n; i++)
    unpack_rows (unpacking, &rows[i]);
}

static gboolean
cuda_preview (FsSolver *solver, const FsPreviewOptions *wanted, const FsProgress *progress,
              uint8_t *mask, FsPreviewStats *stats, gboolean *done, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  Unpacking unpacking = { .cuda = cuda, .mask = mask };
  FsEnginePreview options = { .n_levels = fs_preview_count_levels (solver->grid, wanted),
                              .band_px = wanted->band_px,
                              .soft_tlink = wanted->soft_tlink,
                              .n_unrefined = wanted->n_unrefined,
                              .goes_on = wanted->goes_on && cuda->has_preview,
                              .show = show_preview,
                              .data = &unpacking };
  if (cuda->engine == NULL)
    return TRUE;
  FsCudaWatch watch = fs_cuda_watch_start (progress);
  int status = cuda->table->preview (cuda->engine, &options, fs_cuda_watch_is_cancelled, &watch,
                                     &cuda->preview, &failure);
  cuda->has_preview = status == FS_ENGINE_DONE;
  if (status == FS_ENGINE_CANCELLED) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the preview was cancelled");
    return FALSE;
  }
  *done = status == FS_ENGINE_DONE;
  if (*done)
    fill_preview_stats (solver->grid, &options, &cuda->preview, stats);
  else
    give_up_engine (cuda, &failure);
  return TRUE;
}

void
fs_cuda_last_preview (FsSolver *solver, FsEnginePreviewResult *result)
{
  g_return_if_fail (solver != NULL && solver->backend == &fs_backend_cuda && result != NULL);
  *result = cuda_solver (solver)->preview;
}

static const FsBackend *
cuda_in_use (FsSolver *solver)
{
  return cuda_solver (solver)->engine != NULL ? &fs_backend_cuda : &fs_backend_cpu;
}

void
fs_cuda_last_result (FsSolver *solver, FsEngineResult *result)
{
  g_return_if_fail (solver != NULL && solver->backend == &fs_backend_cuda && result != NULL);
  *result = cuda_solver (solver)->result;
}

const FsBackend fs_backend_cuda = {
  .name = "cuda",
  .device = fs_cuda_module_device,
  .create = cuda_create,
  .destroy = cuda_destroy,
  .change_tlinks = cuda_change_tlinks,
  .replace_tlinks = cuda_replace_tlinks,
  .change_star = cuda_change_star,
  .change_nlinks = cuda_change_nlinks,
  .replace_star = cuda_replace_star,
  .solve = cuda_solve,
  .read_mask = cuda_read_mask,
  .take_changed_tiles = cuda_take_changed_tiles,
  .read_state = cuda_read_state,
  .size_bytes = cuda_size_bytes,
  .in_use = cuda_in_use,
  .create_built = cuda_create_built,
  .builds = cuda_builds,
  .rebuild_tlinks = cuda_rebuild_tlinks,
  .fix_tlinks = cuda_fix_tlinks,
  .need_planes = cuda_need_planes,
  .preview = cuda_preview,
};
