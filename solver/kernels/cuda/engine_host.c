/* SPDX-License-Identifier: MIT */
#include "solver/kernels/cuda/engine_host.h"

#include "solver/kernels/links/build_host.h"
#include "solver/kernels/links/frame_band_host.h"
#include "solver/kernels/preview/preview_host.h"
#include "solver/kernels/solve/host_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed;
static int tuning_phases = 8, tuning_pushes = 32, tuning_rise = 6, tuning_rounds = 5;
static int tuning_distance_cap = 4;
static int calls_to_failure = -1, fails_for_ever, failure_status;

void
fs_engine_host_set_seed (uint32_t new_seed)
{
  seed = new_seed;
}

void
fs_engine_host_set_tuning (int phases, int pushes, int rise, int rounds, int distance_cap)
{
  tuning_phases = phases;
  tuning_pushes = pushes;
  tuning_rise = rise;
  tuning_rounds = rounds;
  tuning_distance_cap = distance_cap;
}

void
fs_engine_host_fail_after (int n_more, int for_ever, int status)
{
  calls_to_failure = n_more;
  fails_for_ever = for_ever;
  failure_status = status;
}

/* Returns whether this call shall fail. */
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
  free (grid->border);
  free (grid->open);
  free (grid->deficit);
  free (grid->excess_bits);
  free (grid->found);
  free (grid->object);
  free (grid->border_flow);
  free (grid->flags);
  free (grid->highest);
  for (int d = 0; d < 4; d++) {
    if (problem->back[d] != problem->nlink[d])
      free (problem->back[d]);
    free (problem->nlink[d]);
  }
  free (problem->tlink);
  free (problem->star);
  free (problem->previous_star);
  free (problem->energy);
  free (problem->bound);
  free (engine->list[0].tile);
  free (engine->list[1].tile);
  free (engine->changed);
  free (engine->is_changed);
  free (engine->preview);
  free (engine);
}

/* Noise where nothing is copied: what makes links has to write all of it. */
static void *
copy_or_noise (const void *from, size_t bytes)
{
  void *to = malloc (bytes);
  if (from != NULL)
    memcpy (to, from, bytes);
  else
    memset (to, 0xc5, bytes);
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
  grid->border = malloc (tiles * 4 * FS_SIDE * sizeof *grid->border);
  grid->open = calloc (tiles * grid->n_arcs * FS_SIDE, sizeof *grid->open);
  grid->deficit = calloc (tiles * FS_SIDE, sizeof *grid->deficit);
  grid->excess_bits = calloc (tiles * FS_SIDE, sizeof *grid->excess_bits);
  grid->found = calloc (tiles * FS_SIDE, sizeof *grid->found);
  grid->object = calloc (tiles * FS_SIDE, sizeof *grid->object);
  grid->border_flow = calloc (tiles * grid->n_slots * FS_SIDE, sizeof *grid->border_flow);
  grid->flags = calloc (tiles, sizeof *grid->flags);
  grid->highest = calloc (tiles, sizeof *grid->highest);
  for (int d = 0; d < grid->n_arcs / 2; d++) {
    problem->nlink[d] = copy_or_noise (from->photo == NULL ? from->nlink[d] : NULL,
                                       pixels * sizeof *problem->nlink[d]);
    problem->back[d] = from->nlink_back[0] != NULL
                           ? copy_or_noise (from->nlink_back[d], pixels * sizeof *problem->back[d])
                           : problem->nlink[d];
  }
  problem->tlink =
      copy_or_noise (from->photo == NULL ? from->tlink : NULL, pixels * sizeof *problem->tlink);
  problem->star = from->star != NULL ? copy_or_noise (from->star, pixels) : NULL;
  problem->previous_star = from->star != NULL ? copy_or_noise (from->star, pixels) : NULL;
  problem->energy = calloc (tiles, sizeof *problem->energy);
  problem->bound = calloc (tiles, sizeof *problem->bound);
  engine->list[0].tile = malloc (tiles * sizeof (uint32_t));
  engine->list[1].tile = malloc (tiles * sizeof (uint32_t));
  engine->changed = malloc (tiles * sizeof *engine->changed);
  engine->is_changed = calloc (tiles, 1);
}

static void
start_tile_from_planes (FsEngine *engine, int tile)
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
}

static void
start_tile (FsEngine *engine, const FsSentTerms *terms, int tile)
{
  FsGridState *grid = &engine->grid;
  if (engine->photo != NULL)
    fs_host_build_tile (engine, terms, tile);
  else
    start_tile_from_planes (engine, tile);
  for (int i = 0; i < 4 * FS_SIDE; i++)
    grid->border[(size_t)tile * 4 * FS_SIDE + i] = FS_FAR;
  grid->flags[tile] = FS_TILE_VISITED | FS_TILE_MOVED | FS_TILE_SUMS;
}

static size_t
n_pixels (const FsEngine *engine)
{
  return (size_t)engine->grid.width * engine->grid.height;
}

static void
start_engine (FsEngine *engine, const FsEngineProblem *from)
{
  FsSentTerms terms = { 0 };
  if (engine->photo != NULL)
    terms = fs_host_send_terms (from->terms, n_pixels (engine));
  engine->strength = terms.strength;
  for (int tile = 0; tile < engine->grid.n_tiles; tile++)
    start_tile (engine, &terms, tile);
  fs_host_drop_terms (&terms);
}

static int
host_load_photo (const FsPhotoLinks *links, int width, int height, FsEnginePhoto **photo,
                 FsEngineError *error)
{
  int status = fails (error);
  if (status == FS_ENGINE_DONE)
    *photo = fs_host_load_photo (links, width, height);
  return status;
}

/* The initial state of an engine. */
static FsEngine *
new_engine (void)
{
  FsEngine *engine = calloc (1, sizeof *engine);
  engine->random = seed;
  engine->phases = tuning_phases;
  engine->pushes = tuning_pushes;
  engine->rise = tuning_rise;
  engine->rounds = tuning_rounds;
  engine->first_distance_cap = tuning_distance_cap;
  return engine;
}

static int
host_create (const FsEngineProblem *problem, FsEngine **created, FsEngineError *error)
{
  int status = fails (error);
  if (status != FS_ENGINE_DONE)
    return status;
  FsEngine *engine = new_engine ();
  fs_grid_shape (&engine->grid, problem->width, problem->height, problem->neighbours);
  engine->photo = problem->photo;
  allocate (engine, problem);
  start_engine (engine, problem);
  *created = engine;
  return FS_ENGINE_DONE;
}

static int
host_change_tlinks (FsEngine *engine, const FsTlinkChange *changes, size_t n, FsEngineError *error)
{
  for (size_t i = 0; i < n; i++)
    fs_problem_change_tlink (&engine->grid, &engine->problem, changes[i].pixel, changes[i].tlink);
  return fails (error);
}

static int
host_replace_tlinks (FsEngine *engine, const int32_t *tlinks, FsEngineError *error)
{
  for (size_t p = 0; p < n_pixels (engine); p++)
    fs_problem_change_tlink (&engine->grid, &engine->problem, (uint32_t)p, tlinks[p]);
  engine->has_cut = 0;
  return fails (error);
}

static int
host_remake_tlinks (FsEngine *engine, const FsTlinkTerms *terms, FsEngineError *error)
{
  FsSentTerms sent = fs_host_send_terms (terms, n_pixels (engine));
  engine->strength = terms->strength;
  for (int tile = 0; tile < engine->grid.n_tiles; tile++)
    fs_host_remake_tile (engine, &sent, tile);
  fs_host_drop_terms (&sent);
  engine->has_cut = 0;
  return fails (error);
}

static int
host_fix_tlinks (FsEngine *engine, const FsFixedSpan *spans, size_t n, FsEngineError *error)
{
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < spans[i].n; k++)
      fs_fix_pixel (&engine->grid, &engine->problem, engine->strength, spans[i].first + k,
                    spans[i].to_sink);
  return fails (error);
}

static int
host_change_star (FsEngine *engine, const FsStarChange *changes, size_t n, FsEngineError *error)
{
  for (size_t i = 0; i < n; i++)
    engine->problem.star[changes[i].pixel] = changes[i].star;
  for (size_t i = 0; i < n; i++)
    fs_problem_follow_star (&engine->grid, &engine->problem, changes[i].pixel);
  for (size_t i = 0; i < n; i++)
    fs_refresh_star_bits (&engine->grid, &engine->problem, changes[i].pixel);
  return fails (error);
}

static int
host_change_nlinks (FsEngine *engine, const FsEnginePair *pairs, size_t n, FsEngineError *error)
{
  for (size_t i = 0; i < n; i++)
    fs_problem_change_nlinks (&engine->problem, &pairs[i]);
  for (size_t i = 0; i < n; i++)
    fs_problem_change_pair (&engine->grid, &pairs[i]);
  for (size_t i = 0; i < n; i++)
    fs_refresh_pair_bits (&engine->grid, &pairs[i]);
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
  if (!engine->is_changed[tile])
    engine->changed[engine->n_changed++] = (uint32_t)tile;
  engine->is_changed[tile] = 1;
  for (int i = 0; i < 9; i++) {
    int neighbour = fs_tile_neighbour (grid, tile, i % 3 - 1, i / 3 - 1);
    if (neighbour >= 0)
      fs_set_bits (&grid->flags[neighbour], FS_TILE_SUMS);
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
  if (!engine->has_cut && engine->grid.n_arcs == 4)
    fs_host_preflow (engine, NULL, engine->has_begun ? FS_TILE_STALE | FS_TILE_SUMS : 0);
  engine->has_begun = 1;
  status = fs_host_solve (engine, is_cancelled, data, &epochs);
  engine->has_cut |= status == FS_ENGINE_DONE;
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

static const uint32_t *
host_take_changed (FsEngine *engine, size_t *n)
{
  *n = engine->n_changed;
  memset (engine->is_changed, 0, (size_t)engine->grid.n_tiles);
  engine->n_changed = 0;
  return engine->changed;
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

static int
host_preview (FsEngine *engine, const FsEnginePreview *options, int (*is_cancelled) (void *),
              void *data, FsEnginePreviewResult *result, FsEngineError *error)
{
  int status = fs_host_preview (engine, options, is_cancelled, data, result);
  return status == FS_ENGINE_DONE ? fails (error) : status;
}

/* --- Bands --- */

static int
host_create_band (const FsBandSpace *space, FsEngineBand **band, FsEngineError *error)
{
  int status = fails (error);
  if (status == FS_ENGINE_DONE)
    *band = fs_host_band_new (space, new_engine ());
  return status;
}

static int
host_reserve_band (FsEngineBand *band, int n_tiles, int n_pulls, FsBandTiles *tiles,
                   FsEngineError *error)
{
  int status = fails (error);
  if (status == FS_ENGINE_DONE)
    fs_host_band_reserve (band, n_tiles, n_pulls, tiles);
  return status;
}

static int
host_cut_band (FsEngineBand *band, int (*is_cancelled) (void *), void *data, const uint32_t **mask,
               FsEngineResult *result, FsEngineError *error)
{
  int status = fails (error);
  if (status == FS_ENGINE_DONE)
    status = fs_host_band_cut (band, is_cancelled, data, mask, result);
  if (status == FS_ENGINE_FAILED && error->text[0] == '\0')
    snprintf (error->text, sizeof error->text, "the cut does not end");
  return status;
}

const FsEngineTable *
fs_engine_host (void)
{
  static const FsEngineTable table = {
    .version = FS_ENGINE_VERSION,
    .open = host_open,
    .load_photo = host_load_photo,
    .unload_photo = fs_host_unload_photo,
    .create = host_create,
    .destroy = host_destroy,
    .change_tlinks = host_change_tlinks,
    .replace_tlinks = host_replace_tlinks,
    .remake_tlinks = host_remake_tlinks,
    .fix_tlinks = host_fix_tlinks,
    .change_star = host_change_star,
    .change_nlinks = host_change_nlinks,
    .solve = host_solve,
    .mask = host_mask,
    .take_changed = host_take_changed,
    .read_state = host_read_state,
    .size_bytes = host_size_bytes,
    .preview = host_preview,
    .create_band = host_create_band,
    .destroy_band = fs_host_band_free,
    .reserve_band = host_reserve_band,
    .cut_band = host_cut_band,
  };
  return &table;
}
