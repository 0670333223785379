/* SPDX-License-Identifier: MIT */
#include "solver/kernels/engine_host.h"

#include "solver/kernels/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AT_ONCE = 3, MOST_EPOCHS = 100000 };

typedef struct {
  uint32_t *tile;
  int count;
} List;

struct FsEngine {
  FsGridState grid;
  FsProblem problem;
  List list[2]; /* this round's and the next one's */
  uint8_t *changed;
  uint32_t random;
  int iterations, rounds;
  int64_t n_discharges, n_labellings;
};

static uint32_t seed;
static int tuning_iterations = 32, tuning_rounds = 5;
static int calls_to_failure = -1, fails_for_ever, failure_status;

void
fs_engine_host_set_seed (uint32_t new_seed)
{
  seed = new_seed;
}

void
fs_engine_host_set_tuning (int iterations, int rounds)
{
  tuning_iterations = iterations;
  tuning_rounds = rounds;
}

void
fs_engine_host_fail_after (int n_more, int for_ever, int status)
{
  calls_to_failure = n_more;
  fails_for_ever = for_ever;
  failure_status = status;
}

/* Whether this call shall fail. */
static int
fails (FsEngineError *error)
{
  if (calls_to_failure < 0)
    return FS_ENGINE_DONE;
  if (calls_to_failure > 0) {
    calls_to_failure--;
    return FS_ENGINE_DONE;
  }
  if (!fails_for_ever)
    calls_to_failure = -1;
  snprintf (error->text, sizeof error->text, "made to fail");
  return failure_status;
}

/* --- Orders --- */

static uint32_t
draw (FsEngine *engine, uint32_t n)
{
  engine->random ^= engine->random << 13;
  engine->random ^= engine->random >> 17;
  engine->random ^= engine->random << 5;
  return engine->random % n;
}

/* Numbers 0 … n − 1 in a drawn order. */
static void
shuffle (FsEngine *engine, int *order, int n)
{
  for (int i = 0; i < n; i++) {
    int j = engine->random == 0 ? i : (int)draw (engine, (uint32_t)i + 1);
    order[i] = order[j];
    order[j] = i;
  }
}

/* --- Rounds --- */

static void
wake (FsEngine *engine, int tile, uint32_t flags)
{
  if (fs_set_bits (&engine->grid.flags[tile], FS_TILE_QUEUED | flags) & FS_TILE_QUEUED)
    return;
  engine->list[1].tile[engine->list[1].count++] = (uint32_t)tile;
}

static void
end_round (FsEngine *engine)
{
  List done = engine->list[0];
  engine->list[0] = engine->list[1];
  engine->list[1] = done;
  engine->list[1].count = 0;
}

static void
gather (FsEngine *engine, uint32_t wanted, uint32_t cleared)
{
  for (int tile = 0; tile < engine->grid.n_tiles; tile++) {
    uint32_t old = engine->grid.flags[tile];
    engine->grid.flags[tile] = old & ~(cleared | FS_TILE_QUEUED);
    if ((old & wanted) == wanted)
      wake (engine, tile, 0);
  }
  end_round (engine);
}

/* --- Labels --- */

static void
absorb (FsEngine *engine, int tile)
{
  FsGridState *grid = &engine->grid;
  if (!(fs_clear_bits (&grid->flags[tile], FS_TILE_MAIL) & FS_TILE_MAIL))
    return;
  for (int slot = 0; slot < grid->n_slots; slot++) {
    int order[FS_WARP];
    shuffle (engine, order, FS_WARP);
    for (int i = 0; i < FS_WARP; i++) {
      uint32_t *mail = &grid->mail[((size_t)tile * grid->n_slots + slot) * FS_SIDE + order[i]];
      uint32_t flow = *mail;
      *mail = 0;
      fs_absorb (grid, grid->n_arcs, tile, slot, order[i], flow);
    }
  }
}

/* One level: every lane sees the rows around as they were before it. Returns whether a pixel was
 * found. */
static int
search_level (FsEngine *engine, FsLabelRoom *room, FsLabelLane *lanes, int32_t level)
{
  uint64_t rows[FS_RING_SIDE];
  uint32_t top = 0, bottom = 0;
  int order[FS_WARP], found = 0;
  shuffle (engine, order, FS_WARP);
  for (int i = 0; i < FS_WARP; i++)
    fs_label_write (&lanes[order[i]], order[i], level, room);
  for (int lane = 0; lane < FS_WARP; lane++) {
    top |= (uint32_t)(room->label[0][lane + 1] == level) << lane;
    bottom |= (uint32_t)(room->label[FS_SIDE + 1][lane + 1] == level) << lane;
    rows[lane + 1] = fs_label_row (room, lane + 1, lanes[lane].fresh, level);
  }
  rows[0] = fs_label_row (room, 0, top, level);
  rows[FS_SIDE + 1] = fs_label_row (room, FS_SIDE + 1, bottom, level);
  for (int i = 0; i < FS_WARP; i++) {
    int lane = order[i];
    fs_label_step (engine->grid.n_arcs, &lanes[lane], rows[lane], rows[lane + 1], rows[lane + 2]);
    found |= lanes[lane].fresh != 0;
  }
  return found;
}

static void
search (FsEngine *engine, int tile, FsLabelRoom *room, FsLabelLane *lanes)
{
  int order[FS_WARP];
  shuffle (engine, order, FS_WARP);
  for (int i = 0; i < FS_WARP; i++) {
    fs_label_load (&engine->grid, engine->grid.n_arcs, tile, order[i], room, &lanes[order[i]]);
    fs_label_clear (order[i], room);
  }
  for (int32_t level = 0; level < FS_FAR;) {
    if (search_level (engine, room, lanes, level)) {
      level++;
      continue;
    }
    int32_t next = FS_FAR;
    for (int lane = 0; lane < FS_WARP; lane++)
      next = fs_min_i32 (next, fs_label_next (room, lane, level));
    level = next;
  }
}

/* A label visit in two halves, between which other tiles may come. */
typedef struct {
  int tile;
  FsLabelRoom room;
  FsLabelLane lanes[FS_WARP];
} LabelVisit;

static void
label_begin (FsEngine *engine, LabelVisit *visit, int tile, int raise)
{
  visit->tile = tile;
  fs_clear_bits (&engine->grid.flags[tile], FS_TILE_QUEUED);
  if (raise)
    absorb (engine, tile);
  search (engine, tile, &visit->room, visit->lanes);
}

static void
wake_around (FsEngine *engine, int tile, uint32_t bits)
{
  for (; bits != 0; bits &= bits - 1) {
    int arc = fs_lowest_bit (bits);
    int beside = fs_tile_beside (&engine->grid, tile, fs_arc_dx (8, arc), fs_arc_dy (8, arc));
    if (beside >= 0)
      wake (engine, beside, 0);
  }
}

static void
label_end (FsEngine *engine, LabelVisit *visit, int raise)
{
  FsGridState *grid = &engine->grid;
  uint32_t woken = 0;
  int order[FS_WARP], active = 0;
  shuffle (engine, order, FS_WARP);
  for (int i = 0; i < FS_WARP; i++) {
    int lane = order[i];
    uint32_t changed = raise ? fs_label_raise (grid, visit->tile, lane, &visit->room)
                             : fs_label_lower (grid, visit->tile, lane, &visit->room);
    woken |= raise ? fs_label_wake_raised (lane, changed)
                   : fs_label_wake_lowered (&visit->room, lane, changed);
    size_t row = (size_t)visit->tile * FS_SIDE + lane;
    if (!raise)
      grid->found[row] = visit->lanes[lane].found;
    active |= (grid->surplus[row] & visit->lanes[lane].found) != 0;
  }
  wake_around (engine, visit->tile, woken);
  if (!raise && !active)
    fs_clear_bits (&grid->flags[visit->tile], FS_TILE_ACTIVE);
  fs_set_bits (&grid->flags[visit->tile],
               FS_TILE_VISITED | FS_TILE_MOVED | (!raise && active ? FS_TILE_ACTIVE : 0));
  engine->n_labellings++;
}

static void
label_all (FsEngine *engine, int raise)
{
  LabelVisit visits[MOST_AT_ONCE];
  for (; engine->list[0].count > 0; end_round (engine)) {
    int count = engine->list[0].count;
    int *order = malloc ((size_t)count * sizeof *order);
    shuffle (engine, order, count);
    for (int first = 0; first < count; first += MOST_AT_ONCE) {
      int n = count - first < MOST_AT_ONCE ? count - first : MOST_AT_ONCE;
      for (int i = 0; i < n; i++)
        label_begin (engine, &visits[i], (int)engine->list[0].tile[order[first + i]], raise);
      for (int i = 0; i < n; i++)
        label_end (engine, &visits[i], raise);
    }
    free (order);
  }
}

/* --- Discharging --- */

typedef struct {
  int tile, active;
  FsDischargeRoom room;
  FsStrip strips[FS_STRIP_THREADS];
} DischargeVisit;

/* A row of a strip, arc after arc: the lanes give, then they take. */
static void
push_row (FsEngine *engine, DischargeVisit *visit, int strip, int k)
{
  int n_arcs = engine->grid.n_arcs, order[FS_WARP], active = 0;
  FsStrip *lanes = visit->strips + strip * FS_WARP;
  for (int lane = 0; lane < FS_WARP; lane++)
    active |= fs_discharge_is_active (&lanes[lane], k);
  if (!active)
    return;
  for (int arc = 0; arc < n_arcs; arc++) {
    int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
    int32_t flow[FS_WARP];
    shuffle (engine, order, FS_WARP);
    for (int i = 0; i < FS_WARP; i++) {
      int thread = strip * FS_WARP + order[i];
      flow[order[i]] = fs_discharge_give (n_arcs, arc, k, thread, &visit->room, &lanes[order[i]]);
    }
    if (k + dy < 0 || k + dy >= FS_STRIP_ROWS)
      continue;
    for (int i = 0; i < FS_WARP; i++) {
      int giver = order[i] - dx;
      if (giver >= 0 && giver < FS_WARP)
        fs_discharge_take (n_arcs, arc, k + dy, flow[giver], &lanes[order[i]]);
    }
  }
}

static int
iterate (FsEngine *engine, DischargeVisit *visit, int upwards)
{
  int n_arcs = engine->grid.n_arcs, order[FS_STRIP_THREADS], active = 0;
  int strips[FS_STRIPS];
  shuffle (engine, strips, FS_STRIPS);
  for (int i = 0; i < FS_STRIPS; i++)
    for (int k = 0; k < FS_STRIP_ROWS; k++)
      push_row (engine, visit, strips[i], upwards ? FS_STRIP_ROWS - 1 - k : k);
  shuffle (engine, order, FS_STRIP_THREADS);
  for (int i = 0; i < FS_STRIP_THREADS; i++) {
    fs_discharge_fetch (n_arcs, order[i], &visit->room, &visit->strips[order[i]]);
    fs_discharge_relabel (n_arcs, order[i], &visit->room, &visit->strips[order[i]]);
  }
  for (int i = 0; i < FS_STRIP_THREADS; i++)
    active |= fs_discharge_show (order[i], &visit->room, &visit->strips[order[i]]);
  return active;
}

static void
discharge_begin (FsEngine *engine, DischargeVisit *visit, int tile)
{
  FsGridState *grid = &engine->grid;
  int order[FS_STRIP_THREADS];
  visit->tile = tile;
  fs_clear_bits (&grid->flags[tile], FS_TILE_QUEUED);
  absorb (engine, tile);
  shuffle (engine, order, FS_STRIP_THREADS);
  for (int i = 0; i < FS_STRIP_THREADS; i++) {
    fs_discharge_load (grid, grid->n_arcs, tile, order[i], &visit->room, &visit->strips[order[i]]);
    fs_discharge_clear (grid->n_slots, order[i], &visit->room);
  }
  visit->active = 1;
  for (int i = 0; i < engine->iterations && visit->active; i++)
    visit->active = iterate (engine, visit, i % 2 != 0);
}

static void
store_bits (FsEngine *engine, const DischargeVisit *visit)
{
  FsGridState *grid = &engine->grid;
  for (int at = 0; at < FS_TILE_PIXELS; at++) {
    int x = at % FS_SIDE, y = at / FS_SIDE, k = y % FS_STRIP_ROWS;
    const FsStrip *mine = &visit->strips[y / FS_STRIP_ROWS * FS_WARP + x];
    for (int arc = 0; arc < grid->n_arcs; arc++) {
      uint32_t *word = fs_open_word (grid, grid->n_arcs, visit->tile, arc, y);
      if (mine->residual[arc][k] > 0)
        fs_set_bits (word, 1u << x);
      else
        fs_clear_bits (word, 1u << x);
    }
    fs_refresh_excess_bits (grid, visit->tile, at);
  }
}

static void
mark_stale (FsEngine *engine, int tile, uint32_t around)
{
  for (; around != 0; around &= around - 1) {
    int arc = fs_lowest_bit (around);
    int beside = fs_tile_beside (&engine->grid, tile, fs_arc_dx (8, arc), fs_arc_dy (8, arc));
    if (beside >= 0)
      fs_set_bits (&engine->grid.flags[beside], FS_TILE_STALE);
  }
}

static void
discharge_end (FsEngine *engine, DischargeVisit *visit)
{
  FsGridState *grid = &engine->grid;
  uint32_t risen = 0;
  for (int thread = 0; thread < FS_STRIP_THREADS; thread++)
    risen |= fs_discharge_store (grid, grid->n_arcs, visit->tile, thread, &visit->strips[thread]);
  mark_stale (engine, visit->tile, risen);
  store_bits (engine, visit);
  for (int slot = 0; slot < grid->n_slots; slot++)
    for (int i = 0; i < FS_SIDE; i++) {
      uint32_t flow = visit->room.leaving[slot][i];
      if (flow == 0)
        continue;
      size_t place;
      int to = fs_discharge_address (grid, grid->n_arcs, visit->tile, slot, i, &place);
      grid->mail[place] += flow;
      wake (engine, to, FS_TILE_MAIL | FS_TILE_STALE | FS_TILE_SUMS);
    }
  if (visit->active)
    wake (engine, visit->tile, 0);
  fs_set_bits (&grid->flags[visit->tile], FS_TILE_STALE | FS_TILE_SUMS);
  engine->n_discharges++;
}

static void
discharge_all (FsEngine *engine)
{
  DischargeVisit *visits = malloc (MOST_AT_ONCE * sizeof *visits);
  for (int round = 0; round < engine->rounds && engine->list[0].count > 0; round++) {
    int count = engine->list[0].count;
    int *order = malloc ((size_t)count * sizeof *order);
    shuffle (engine, order, count);
    for (int first = 0; first < count; first += MOST_AT_ONCE) {
      int n = count - first < MOST_AT_ONCE ? count - first : MOST_AT_ONCE;
      for (int i = 0; i < n; i++)
        discharge_begin (engine, &visits[i], (int)engine->list[0].tile[order[first + i]]);
      for (int i = 0; i < n; i++)
        discharge_end (engine, &visits[i]);
    }
    free (order);
    end_round (engine);
  }
  free (visits);
}

/* --- The table --- */

static int
host_open (char *name, size_t name_bytes, FsEngineError *error)
{
  int status = fails (error);
  snprintf (name, name_bytes, "the kernels on the host");
  return status;
}

static void
host_destroy (FsEngine *engine)
{
  FsGridState *grid = &engine->grid;
  FsProblem *problem = &engine->problem;
  free (grid->excess);
  free (grid->residual);
  free (grid->label);
  free (grid->open);
  free (grid->deficit);
  free (grid->surplus);
  free (grid->found);
  free (grid->object);
  free (grid->mail);
  free (grid->flags);
  for (int d = 0; d < 4; d++) {
    if (problem->back[d] != problem->nlink[d])
      free (problem->back[d]);
    free (problem->nlink[d]);
  }
  free (problem->tlink);
  free (problem->star);
  free (problem->energy);
  free (problem->bound);
  free (engine->list[0].tile);
  free (engine->list[1].tile);
  free (engine->changed);
  free (engine);
}

static void *
copy (const void *from, size_t bytes)
{
  void *to = malloc (bytes);
  memcpy (to, from, bytes);
  return to;
}

static void
allocate (FsEngine *engine, const FsEngineProblem *from)
{
  FsGridState *grid = &engine->grid;
  FsProblem *problem = &engine->problem;
  size_t tiles = (size_t)grid->n_tiles, pixels = (size_t)grid->width * grid->height;
  grid->excess = malloc (tiles * FS_TILE_PIXELS * sizeof *grid->excess);
  grid->residual = malloc (tiles * grid->n_arcs * FS_TILE_PIXELS * sizeof *grid->residual);
  grid->label = malloc (tiles * FS_TILE_PIXELS * sizeof *grid->label);
  grid->open = calloc (tiles * grid->n_arcs * FS_SIDE, sizeof *grid->open);
  grid->deficit = calloc (tiles * FS_SIDE, sizeof *grid->deficit);
  grid->surplus = calloc (tiles * FS_SIDE, sizeof *grid->surplus);
  grid->found = calloc (tiles * FS_SIDE, sizeof *grid->found);
  grid->object = calloc (tiles * FS_SIDE, sizeof *grid->object);
  grid->mail = calloc (tiles * grid->n_slots * FS_SIDE, sizeof *grid->mail);
  grid->flags = calloc (tiles, sizeof *grid->flags);
  for (int d = 0; d < grid->n_arcs / 2; d++) {
    problem->nlink[d] = copy (from->nlink[d], pixels * sizeof *problem->nlink[d]);
    problem->back[d] = from->nlink_back[0] != NULL
                           ? copy (from->nlink_back[d], pixels * sizeof *problem->back[d])
                           : problem->nlink[d];
  }
  problem->tlink = copy (from->tlink, pixels * sizeof *problem->tlink);
  problem->star = from->star != NULL ? copy (from->star, pixels) : NULL;
  problem->energy = calloc (tiles, sizeof *problem->energy);
  problem->bound = calloc (tiles, sizeof *problem->bound);
  engine->list[0].tile = malloc (tiles * sizeof (uint32_t));
  engine->list[1].tile = malloc (tiles * sizeof (uint32_t));
  engine->changed = calloc (tiles, 1);
}

static void
start_tile (FsEngine *engine, int tile)
{
  FsGridState *grid = &engine->grid;
  for (int at = 0; at < FS_TILE_PIXELS; at++) {
    uint32_t bits = fs_problem_start (grid, &engine->problem, tile, at);
    for (int arc = 0; arc < grid->n_arcs; arc++)
      if (bits >> arc & 1)
        fs_set_bits (fs_open_word (grid, grid->n_arcs, tile, arc, at / FS_SIDE),
                     1u << at % FS_SIDE);
    fs_refresh_excess_bits (grid, tile, at);
  }
  grid->flags[tile] = FS_TILE_STALE | FS_TILE_MOVED | FS_TILE_SUMS;
}

static int
host_create (const FsEngineProblem *problem, FsEngine **created, FsEngineError *error)
{
  int status = fails (error);
  if (status != FS_ENGINE_DONE)
    return status;
  FsEngine *engine = calloc (1, sizeof *engine);
  FsGridState *grid = &engine->grid;
  grid->width = problem->width;
  grid->height = problem->height;
  grid->n_arcs = problem->neighbours;
  grid->n_slots = problem->neighbours == 4 ? 4 : FS_MAX_SLOTS;
  grid->tiles_x = (problem->width + FS_SIDE - 1) / FS_SIDE;
  grid->tiles_y = (problem->height + FS_SIDE - 1) / FS_SIDE;
  grid->n_tiles = grid->tiles_x * grid->tiles_y;
  engine->random = seed;
  engine->iterations = tuning_iterations;
  engine->rounds = tuning_rounds;
  allocate (engine, problem);
  for (int tile = 0; tile < grid->n_tiles; tile++)
    start_tile (engine, tile);
  *created = engine;
  return FS_ENGINE_DONE;
}

static int
host_change_tlinks (FsEngine *engine, const FsEngineTlink *changes, size_t n, FsEngineError *error)
{
  for (size_t i = 0; i < n; i++)
    fs_problem_change_tlink (&engine->grid, &engine->problem, changes[i].pixel, changes[i].tlink);
  return fails (error);
}

static int
host_replace_tlinks (FsEngine *engine, const int32_t *tlinks, FsEngineError *error)
{
  size_t n = (size_t)engine->grid.width * engine->grid.height;
  for (size_t p = 0; p < n; p++)
    fs_problem_change_tlink (&engine->grid, &engine->problem, (uint32_t)p, tlinks[p]);
  return fails (error);
}

static int
host_change_star (FsEngine *engine, const FsEngineStar *changes, size_t n,
                  const FsEnginePair *pairs, size_t n_pairs, FsEngineError *error)
{
  for (size_t i = 0; i < n; i++)
    engine->problem.star[changes[i].pixel] = changes[i].star;
  for (size_t i = 0; i < n_pairs; i++)
    fs_problem_change_pair (&engine->grid, &pairs[i]);
  for (size_t i = 0; i < n_pairs; i++)
    fs_problem_settle_pair (&engine->grid, &pairs[i]);
  return fails (error);
}

static void
take_mask_of_tile (FsEngine *engine, int tile)
{
  FsGridState *grid = &engine->grid;
  uint32_t differs = 0;
  if (!(fs_clear_bits (&grid->flags[tile], FS_TILE_MOVED) & FS_TILE_MOVED))
    return;
  for (size_t row = (size_t)tile * FS_SIDE; row < ((size_t)tile + 1) * FS_SIDE; row++) {
    differs |= grid->object[row] ^ ~grid->found[row];
    grid->object[row] = ~grid->found[row];
  }
  if (differs == 0)
    return;
  engine->changed[tile] = 1;
  for (int i = 0; i < 9; i++) {
    int beside = fs_tile_beside (grid, tile, i % 3 - 1, i / 3 - 1);
    if (beside >= 0)
      fs_set_bits (&grid->flags[beside], FS_TILE_SUMS);
  }
}

static void
sum (FsEngine *engine, FsEngineResult *result)
{
  FsGridState *grid = &engine->grid;
  for (int tile = 0; tile < grid->n_tiles; tile++)
    take_mask_of_tile (engine, tile);
  *result =
      (FsEngineResult){ .discharges = engine->n_discharges, .labellings = engine->n_labellings };
  for (int tile = 0; tile < grid->n_tiles; tile++) {
    if (fs_clear_bits (&grid->flags[tile], FS_TILE_SUMS) & FS_TILE_SUMS) {
      int64_t energy = 0, bound = 0;
      for (int at = 0; at < FS_TILE_PIXELS; at++)
        fs_problem_sum (grid, &engine->problem, tile, at, &energy, &bound);
      engine->problem.energy[tile] = energy;
      engine->problem.bound[tile] = bound;
    }
    result->energy += engine->problem.energy[tile];
    result->bound += engine->problem.bound[tile];
  }
}

/* Returns how it ended; *epochs counts. */
static int
solve_epochs (FsEngine *engine, int (*is_cancelled) (void *), void *data, int64_t *epochs)
{
  for (;;) {
    gather (engine, FS_TILE_STALE, FS_TILE_STALE);
    label_all (engine, 1);
    gather (engine, FS_TILE_VISITED, FS_TILE_VISITED);
    label_all (engine, 0);
    gather (engine, FS_TILE_ACTIVE | FS_TILE_VISITED, FS_TILE_VISITED);
    ++*epochs;
    if (engine->list[0].count == 0)
      return FS_ENGINE_DONE;
    int cancelled = is_cancelled (data);
    discharge_all (engine);
    if (cancelled || *epochs > MOST_EPOCHS)
      return cancelled ? FS_ENGINE_CANCELLED : FS_ENGINE_FAILED;
  }
}

static int
host_solve (FsEngine *engine, int (*is_cancelled) (void *), void *data, FsEngineResult *result,
            FsEngineError *error)
{
  int64_t epochs = 0;
  int status = fails (error);
  if (status != FS_ENGINE_DONE)
    return status;
  engine->n_discharges = engine->n_labellings = 0;
  engine->list[0].count = engine->list[1].count = 0;
  status = solve_epochs (engine, is_cancelled, data, &epochs);
  if (status == FS_ENGINE_DONE)
    sum (engine, result);
  result->epochs = epochs;
  if (status == FS_ENGINE_FAILED)
    snprintf (error->text, sizeof error->text, "the cut does not end");
  return status;
}

static const uint32_t *
host_mask (FsEngine *engine)
{
  return engine->grid.object;
}

static void
host_take_changed (FsEngine *engine, uint8_t *tiles)
{
  memcpy (tiles, engine->changed, (size_t)engine->grid.n_tiles);
  memset (engine->changed, 0, (size_t)engine->grid.n_tiles);
}

static int
host_read_state (FsEngine *engine, int y, int n_rows, int32_t *excess, uint16_t *residual[4],
                 FsEngineError *error)
{
  const FsGridState *grid = &engine->grid;
  size_t i = 0;
  for (int row = y; row < y + n_rows; row++)
    for (int x = 0; x < grid->width; x++, i++) {
      size_t place = fs_grid_place (grid, x, row);
      excess[i] = grid->excess[place];
      for (int arc = 0; arc < grid->n_arcs / 2; arc++)
        residual[arc][i] = grid->residual[fs_grid_residual_place (grid, place, arc)];
    }
  return fails (error);
}

static size_t
host_size_bytes (FsEngine *engine)
{
  return (size_t)engine->grid.n_tiles * FS_TILE_PIXELS * (8 + 2 * (size_t)engine->grid.n_arcs);
}

const FsEngineTable *
fs_engine_host (void)
{
  static const FsEngineTable table = {
    .version = FS_ENGINE_VERSION,
    .open = host_open,
    .create = host_create,
    .destroy = host_destroy,
    .change_tlinks = host_change_tlinks,
    .replace_tlinks = host_replace_tlinks,
    .change_star = host_change_star,
    .solve = host_solve,
    .mask = host_mask,
    .take_changed = host_take_changed,
    .read_state = host_read_state,
    .size_bytes = host_size_bytes,
  };
  return &table;
}
