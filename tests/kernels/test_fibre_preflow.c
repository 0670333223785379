/* SPDX-License-Identifier: MIT */
/* The scanline pre-flow of a device, from the device's own source on the
 * host and from its twin: excess and residuals are those of plain loops, to the bit, of all tiles
 * and of some. */
#include "solver/kernels/solve/host_state.h"
#include "solver/kernels/cuda/engine_host.h"
#include "solver/kernels/solve/scanline_preflow.h"
#include "tests/kernels/fibre_calls.h"
#include "tests/solver/problem.h"

#include <string.h>

int fibre_preflow (FsEngine *engine, const int32_t *slots, FsEngineError *error);

enum { SEGMENT = FS_PREFLOW_TILES * FS_SIDE };

/* --- Plain loops --- */

typedef struct {
  int width, height;
  int32_t *excess;
  uint16_t *residual[FS_N_DIRECTIONS], *back[FS_N_DIRECTIONS]; /* of arcs right and down */
  int32_t *slots; /* of tiles, −1 for one in which nothing flows; NULL: in all of them */
  int64_t flow;
} Plain;

static void
plain_clear (Plain *plain)
{
  g_free (plain->excess);
  g_free (plain->slots);
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    g_free (plain->residual[d]);
    g_free (plain->back[d]);
  }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plain, plain_clear)

static gboolean
is_absent (const Plain *plain, size_t p)
{
  size_t tiles_x = (size_t)(plain->width - 1) / FS_SIDE + 1;
  size_t x = p % (size_t)plain->width, y = p / (size_t)plain->width;
  return plain->slots != NULL && plain->slots[y / FS_SIDE * tiles_x + x / FS_SIDE] < 0;
}

/* The arc out of pixel p along an axis, forth or back. */
static uint16_t *
arc (Plain *plain, size_t p, int axis, gboolean is_backward)
{
  size_t step = axis == 0 ? 1 : (size_t)plain->width;
  return is_backward ? &plain->back[axis][p - step] : &plain->residual[axis][p];
}

/* Sends what pixel `from` has to the deficits of its scanline, the nearest first, as far as arcs
 * let it through: the first n pixels that lie `step` apart. What giver is asked first does not
 * matter to who is given how much: each deficit takes all that comes along. */
static void
push_scanline (Plain *plain, size_t first, ptrdiff_t step, int n, int axis)
{
  gboolean is_backward = step < 0;
  for (int to = 1; to < n; to++) {
    size_t q = (size_t)((ptrdiff_t)first + to * step);
    for (int from = to - 1; from >= 0 && plain->excess[q] < 0 && !is_absent (plain, q); from--) {
      size_t p = (size_t)((ptrdiff_t)first + from * step);
      if (is_absent (plain, p))
        break;
      int32_t most = -plain->excess[q];
      for (int i = from; i < to && most > 0; i++)
        most = MIN (most, *arc (plain, (size_t)((ptrdiff_t)first + i * step), axis, is_backward));
      most = MIN (most, plain->excess[p]);
      for (int i = from; i < to && most > 0; i++) {
        size_t at = (size_t)((ptrdiff_t)first + i * step), next = (size_t)((ptrdiff_t)at + step);
        uint16_t *forth = arc (plain, at, axis, is_backward);
        uint16_t *back = arc (plain, next, axis, !is_backward);
        *forth = (uint16_t)(*forth - most);
        *back = (uint16_t)(*back + most);
      }
      plain->excess[p] -= MAX (most, 0);
      plain->excess[q] += MAX (most, 0);
      plain->flow += MAX (most, 0);
    }
  }
}

static void
push_axis (Plain *plain, int axis)
{
  int length = axis == 0 ? plain->width : plain->height;
  int n_lines = axis == 0 ? plain->height : plain->width;
  ptrdiff_t step = axis == 0 ? 1 : plain->width, beside = axis == 0 ? plain->width : 1;
  for (int k = 0; k < n_lines; k++)
    for (int first = 0; first < length; first += SEGMENT) {
      int n = MIN (SEGMENT, length - first);
      ptrdiff_t at = k * beside + first * step;
      push_scanline (plain, (size_t)at, step, n, axis);
      push_scanline (plain, (size_t)(at + (n - 1) * step), -step, n, axis);
    }
}

static void
plain_init (Plain *plain, const FsGrid *grid, GRand *rand)
{
  size_t n = fs_grid_n_pixels (grid);
  *plain = (Plain){ .width = grid->width, .height = grid->height };
  plain->excess = g_memdup2 (grid->tlink, n * sizeof *grid->tlink);
  for (int d = 0; d < 2; d++) {
    const uint16_t *back = grid->nlink_back[d] != NULL ? grid->nlink_back[d] : grid->nlink[d];
    plain->residual[d] = g_memdup2 (grid->nlink[d], n * sizeof (uint16_t));
    plain->back[d] = g_memdup2 (back, n * sizeof (uint16_t));
  }
  if (g_rand_boolean (rand))
    return;
  int n_tiles = ((grid->width - 1) / FS_SIDE + 1) * ((grid->height - 1) / FS_SIDE + 1);
  plain->slots = g_new (int32_t, n_tiles);
  for (int i = 0; i < n_tiles; i++)
    plain->slots[i] = g_rand_int_range (rand, 0, 4) > 0 ? i : -1;
}

/* --- The kernel --- */

typedef struct {
  const FsEngineTable *table;
  int (*push) (FsEngine *, const int32_t *, FsEngineError *);
} Way;

static void
check (const Way *way, const Problem *problem, const Plain *plain)
{
  const FsGrid *grid = &problem->grid;
  size_t n = fs_grid_n_pixels (grid);
  FsEngineProblem from = { .width = grid->width, .height = grid->height, .neighbours = 4 };
  for (int d = 0; d < 2; d++) {
    from.nlink[d] = grid->nlink[d];
    from.nlink_back[d] = grid->nlink_back[d];
  }
  from.tlink = grid->tlink;
  FsEngine *engine;
  FsEngineError error;
  g_assert_cmpint (way->table->create (&from, &engine, &error), ==, FS_ENGINE_DONE);
  g_assert_cmpint (way->push (engine, plain->slots, &error), ==, FS_ENGINE_DONE);
  g_autofree int32_t *excess = g_new (int32_t, n);
  uint16_t *residual[4] = { NULL };
  for (int d = 0; d < 2; d++)
    residual[d] = g_new (uint16_t, n);
  g_assert_cmpint (way->table->read_state (engine, 0, grid->height, excess, residual, &error), ==,
                   FS_ENGINE_DONE);
  g_assert_cmpmem (excess, n * sizeof *excess, plain->excess, n * sizeof *excess);
  for (int d = 0; d < 2; d++) {
    g_assert_cmpmem (residual[d], n * sizeof (uint16_t), plain->residual[d], n * sizeof (uint16_t));
    g_free (residual[d]);
  }
  way->table->destroy (engine);
}

/* A photo of one of these sizes: more than one piece, one, parts of tiles. */
static void
check_all (const Way *way, guint32 seed)
{
  static const int SIDES[][2] = {
    { SEGMENT + 20, 40 }, { 40, SEGMENT + 20 }, { 97, 65 }, { 33, 1 }, { 1, 40 }, { 1, 1 }
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  int64_t flow = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (SIDES); i++) {
    gboolean is_directed = g_rand_boolean (rand);
    g_autoptr (Problem) problem =
        problem_new (SIDES[i][0], SIDES[i][1], FS_NEIGHBOURS_4, is_directed);
    problem_fill (problem, rand, (Shape)((seed + i) % N_SHAPES));
    g_auto (Plain) plain;
    plain_init (&plain, &problem->grid, rand);
    push_axis (&plain, 0);
    push_axis (&plain, 1);
    check (way, problem, &plain);
    flow += plain.flow;
  }
  g_assert_cmpint (flow, >, 0);
}

static void
test_device (void)
{
  Way way = { fs_engine_cuda (), fibre_preflow };
  for (guint32 i = 0; i < fibre_n_schedules (); i++) {
    fibre_begin_schedule (way.table, i);
    check_all (&way, i);
  }
  g_assert_cmpint (fibre_n_allocated (), ==, 0);
}

static int
push_twin (FsEngine *engine, const int32_t *slots, FsEngineError *error)
{
  (void)error;
  fs_host_preflow (engine, slots, 0);
  return FS_ENGINE_DONE;
}

static void
test_twin (void)
{
  Way way = { fs_engine_host (), push_twin };
  for (guint32 i = 0; i < 12; i++) {
    fs_engine_host_set_seed (i);
    check_all (&way, i);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/fibre-preflow/twin", test_twin);
  g_test_add_func ("/kernels/fibre-preflow/races", test_device);
  return g_test_run ();
}
