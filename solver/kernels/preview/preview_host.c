/* SPDX-License-Identifier: MIT */
#include "solver/kernels/preview/preview_host.h"

#include "solver/kernels/solve/host_state.h"
#include "solver/kernels/solve/tiles_host.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  FsEngine *engine;
  const FsEnginePreview *options;
  FsEnginePreviewResult *result;
  FsPreviewLevel level[FS_ENGINE_LEVELS + 1];
  int shift[FS_ENGINE_LEVELS];
  uint32_t *wide, *band, *tiles;
  int32_t *slots, *previous_slots; /* of a finest band that there might have been before */
  uint16_t *previous;
  int n_listed;
} HostPreview;

/* Noise: what is read has to be written first. */
static void *
new_noise (HostPreview *preview, size_t n, size_t size)
{
  void *block = malloc (n * size);
  memset (block, 0xc5, n * size);
  preview->result->pyramid_bytes += (int64_t)(n * size);
  return block;
}

/* --- Orders --- */

/* Takes 0 … n − 1 in some order: from a drawn one on, in steps of a drawn length. */
typedef struct {
  size_t n, at, step, left;
} Walk;

static size_t
divisor (size_t a, size_t b)
{
  while (b != 0) {
    size_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static Walk
walk_over (HostPreview *preview, size_t n)
{
  uint32_t *random = &preview->engine->random;
  *random ^= *random << 13;
  *random ^= *random >> 17;
  *random ^= *random << 5;
  Walk walk = { n, *random % n, *random / 7 % n, n };
  while (divisor (walk.step, n) != 1)
    walk.step++;
  return walk;
}

static int
walk_on (Walk *walk, size_t *at)
{
  *at = walk->at;
  walk->at = (walk->at + walk->step) % walk->n;
  return walk->left-- > 0;
}

/* --- The pyramid --- */

static void
make_level (HostPreview *preview, FsPreviewLevel *level)
{
  const FsPreviewLevel *fine = level - 1;
  fs_pyramid_shape (&fine->shape, &level->shape);
  size_t n = (size_t)level->shape.width * level->shape.height;
  for (int d = 0; d < level->shape.n_arcs / 2; d++) {
    level->problem.nlink[d] = new_noise (preview, n, sizeof (uint16_t));
    level->saved[d] = new_noise (preview, n, sizeof (uint16_t));
    level->problem.back[d] = fine->problem.back[d] != fine->problem.nlink[d]
                                 ? new_noise (preview, n, sizeof (uint16_t))
                                 : level->problem.nlink[d];
  }
  level->problem.tlink = new_noise (preview, n, sizeof (int32_t));
  level->problem.star = fine->problem.star != NULL ? new_noise (preview, n, 1) : NULL;
  level->blocks = new_noise (preview, n, 1);
  level->bits =
      new_noise (preview, (size_t)level->shape.n_tiles * 4, FS_SIDE * sizeof *level->bits);
}

static void
set_bit (uint32_t *words, size_t at, int bit)
{
  words[at / FS_SIDE] &= ~(1u << at % FS_SIDE);
  words[at / FS_SIDE] |= (uint32_t)bit << at % FS_SIDE;
}

typedef void (*PixelFunc) (HostPreview *preview, FsPreviewLevel *coarse, int x, int y);

static void
each_pixel (HostPreview *preview, FsPreviewLevel *coarse, PixelFunc func)
{
  int width = coarse->shape.width;
  Walk walk = walk_over (preview, (size_t)width * coarse->shape.height);
  for (size_t p; walk_on (&walk, &p);)
    func (preview, coarse, (int)(p % width), (int)(p / width));
}

static int *
shift_of (HostPreview *preview, const FsPreviewLevel *coarse)
{
  return &preview->shift[coarse - preview->level - 1];
}

/* The last cut of a level may have left anything: here it is random. */
static void
make_nlinks (HostPreview *preview, FsPreviewLevel *coarse, int x, int y)
{
  size_t p = (size_t)y * coarse->shape.width + x;
  fs_pyramid_nlinks (coarse - 1, coarse, *shift_of (preview, coarse), x, y);
  for (int d = 0; d < coarse->shape.n_arcs / 2; d++)
    coarse->saved[d][p] = (uint16_t)((p * 40503 + preview->engine->random * (d + 1u)) >> 3);
}

static void
make_star (HostPreview *preview, FsPreviewLevel *coarse, int x, int y)
{
  fs_pyramid_star (coarse - 1, coarse, x, y);
}

static void
make_tlink (HostPreview *preview, FsPreviewLevel *coarse, int x, int y)
{
  int bits = fs_pyramid_tlink (coarse - 1, coarse, *shift_of (preview, coarse),
                               preview->options->soft_tlink, x, y);
  for (int i = 0; i < 4; i++)
    set_bit (fs_pyramid_word (coarse, i, x / FS_SIDE, y), (size_t)x % FS_SIDE, bits >> i & 1);
}

static uint32_t
largest_pair (const FsPreviewLevel *coarse)
{
  uint32_t max = 0;
  for (int y = 0; y < coarse->shape.height; y++)
    for (int x = 0; x < coarse->shape.width; x++) {
      uint32_t pair = fs_pyramid_largest_pair (coarse - 1, coarse, x, y);
      max = pair > max ? pair : max;
    }
  return max;
}

static void
make_pyramid (HostPreview *preview)
{
  FsPreviewLevel *level = preview->level, *end = level + preview->options->n_levels + 1;
  for (FsPreviewLevel *coarse = level + 1; coarse < end; coarse++) {
    make_level (preview, coarse);
    *shift_of (preview, coarse) = fs_pyramid_shift (coarse - 1, largest_pair (coarse));
    each_pixel (preview, coarse, make_nlinks);
  }
  for (FsPreviewLevel *coarse = level + 1; coarse < end && level->problem.star != NULL; coarse++)
    each_pixel (preview, coarse, make_star);
  for (FsPreviewLevel *coarse = level + 1; coarse < end; coarse++)
    each_pixel (preview, coarse, make_tlink);
}

/* --- A level's band --- */

static void
pixel_of (const FsGridState *shape, size_t at, int *x, int *y)
{
  int tile = (int)(at / FS_TILE_PIXELS);
  *x = tile % shape->tiles_x * FS_SIDE + (int)(at % FS_SIDE);
  *y = tile / shape->tiles_x * FS_SIDE + (int)(at % FS_TILE_PIXELS / FS_SIDE);
}

static size_t
n_places (const FsGridState *shape)
{
  return (size_t)shape->n_tiles * FS_TILE_PIXELS;
}

static void
expand (HostPreview *preview, int k, int restores)
{
  FsPreviewLevel *fine = &preview->level[k];
  int x, y;
  Walk walk = walk_over (preview, n_places (&fine->shape));
  for (size_t at; walk_on (&walk, &at);) {
    pixel_of (&fine->shape, at, &x, &y);
    set_bit (fine->shape.object, at, fs_band_expand (fine, fine + 1, restores, x, y));
  }
}

/* The marks of 32 columns of a coarse row from x on. */
static uint32_t
marks_from (const FsPreviewLevel *coarse, int x, int y)
{
  uint32_t marks = 0;
  for (int i = 0; i < FS_SIDE; i++)
    marks |= (uint32_t)fs_band_marks (coarse, x + i, y) << i;
  return marks;
}

/* As fs_band_wide_word() of the device, and plainly: 32 fine columns of a coarse row. */
static uint32_t
wide_word (const HostPreview *preview, const FsGridState *fine, const FsPreviewLevel *coarse,
           int left, int y)
{
  int dilation = preview->options->band_px, width = coarse->shape.width;
  int end = fs_band_last (left + FS_SIDE - 1, dilation, width);
  uint32_t wide = 0;
  for (int at = fs_band_first (left, dilation); at <= end; at += FS_SIDE) {
    uint32_t marks = marks_from (coarse, at, y);
    for (int x = left; x < left + FS_SIDE && x < fine->width; x++)
      wide |= (uint32_t)fs_band_reaches (marks, at, fs_band_first (x, dilation),
                                         fs_band_last (x, dilation, width))
              << (x - left);
  }
  return wide;
}

static void
widen_bands (HostPreview *preview, const FsGridState *fine, const FsPreviewLevel *coarse)
{
  Walk walk = walk_over (preview, (size_t)fine->tiles_x * coarse->shape.height);
  for (size_t at; walk_on (&walk, &at);)
    preview->wide[at] = wide_word (preview, fine, coarse, (int)(at % fine->tiles_x) * FS_SIDE,
                                   (int)(at / fine->tiles_x));
}

/* The part of a fine tile's row that marks of the neighbouring coarse rows reach. */
static uint32_t
wide_of_row (const HostPreview *preview, int k, int tile, int y)
{
  const FsGridState *fine = &preview->level[k].shape;
  int dilation = preview->options->band_px, fine_y = tile / fine->tiles_x * FS_SIDE + y;
  int last = fs_band_last (fine_y, dilation, preview->level[k + 1].shape.height);
  uint32_t wide = 0;
  for (int row = fs_band_first (fine_y, dilation); row <= last; row++)
    wide |= preview->wide[(size_t)row * fine->tiles_x + tile % fine->tiles_x];
  return wide;
}

/* The mask from the next coarser one, and the band: a row of a tile at a time. */
static void
hold (HostPreview *preview, int k)
{
  FsPreviewLevel *fine = &preview->level[k];
  int is_whole = k == preview->options->n_levels;
  Walk walk = walk_over (preview, (size_t)fine->shape.n_tiles * FS_SIDE);
  for (size_t at; walk_on (&walk, &at);) {
    int tile = (int)(at / FS_SIDE), y = (int)(at % FS_SIDE);
    if (is_whole) {
      preview->band[at] = fs_tile_row_inside (&fine->shape, tile, y);
    } else {
      fine->shape.object[at] = fs_band_expand_row (&fine->shape, &fine[1].shape, tile, y);
      preview->band[at] =
          fs_band_row (&fine->shape, fine + 1, wide_of_row (preview, k, tile, y), tile, y);
    }
    preview->result->n_solved[k] += __builtin_popcount (preview->band[at]);
  }
}

/* The tiles with pixels of the band, in a drawn order. */
static void
list_tiles (HostPreview *preview, const FsGridState *shape)
{
  static const uint32_t none[FS_SIDE];
  Walk walk = walk_over (preview, (size_t)shape->n_tiles);
  preview->n_listed = 0;
  for (size_t tile; walk_on (&walk, &tile);) {
    preview->slots[tile] = -1;
    if (memcmp (preview->band + tile * FS_SIDE, none, sizeof none) == 0)
      continue;
    preview->slots[tile] = preview->n_listed;
    preview->tiles[preview->n_listed++] = (uint32_t)tile;
  }
}

static void
project (HostPreview *preview, int k)
{
  FsPreviewLevel *fine = &preview->level[k];
  if (k < preview->options->n_levels)
    widen_bands (preview, &fine->shape, fine + 1);
  hold (preview, k);
  list_tiles (preview, &fine->shape);
}

/* --- Its cut --- */

/* A part of the state that is made below. */
static int64_t
bytes_of_band (const FsGridState *state)
{
  size_t words = (size_t)state->n_arcs + (size_t)state->n_slots + 8; /* a row of a tile */
  return (int64_t)state->n_tiles
         * (int64_t)(FS_TILE_PIXELS * (4 + 2 * (size_t)state->n_arcs) + words * FS_SIDE * 4
                     + 11 * sizeof (int32_t));
}

static void
start_pixel (HostPreview *preview, int k, const FsBandFlow *before, FsGridState *state, int slot,
             int at)
{
  int tile = (int)preview->tiles[slot];
  uint32_t bits = fs_band_start (state->n_arcs, state, &preview->level[k], before, preview->band,
                                 slot, tile, at);
  for (int arc = 0; arc < state->n_arcs; arc++)
    if (bits >> arc & 1)
      fs_set_bits (fs_open_word (state, state->n_arcs, slot, arc, at / FS_SIDE),
                   1u << at % FS_SIDE);
  fs_refresh_excess_bits (state, slot, at);
}

static void
start_band (HostPreview *preview, int k, FsGridState *state)
{
  const FsPreviewLevel *level = &preview->level[k];
  int is_whole = k == preview->options->n_levels;
  FsBandFlow before = { (FsBandFlowKind)(preview->engine->random / 5 % (is_whole ? 2 : 3)),
                        preview->engine->grid,
                        level[is_whole ? 0 : 1],
                        { NULL, NULL } };
  if (k == 0 && preview->engine->random / 7 % 2 == 0)
    before.previous = (FsBandPrevious){ preview->previous_slots, preview->previous };
  Walk walk = walk_over (preview, (size_t)state->n_tiles * FS_TILE_PIXELS);
  for (size_t at; walk_on (&walk, &at);)
    start_pixel (preview, k, &before, state, (int)(at / FS_TILE_PIXELS),
                 (int)(at % FS_TILE_PIXELS));
  for (int slot = 0; slot < state->n_tiles; slot++) {
    for (int i = 0; i < 4 * FS_SIDE; i++)
      state->border[(size_t)slot * 4 * FS_SIDE + i] = FS_FAR;
    for (int i = 0; i < 9; i++)
      fs_band_start_neighbour (state, &level->shape, preview->slots, slot,
                               (int)preview->tiles[slot], i);
    state->flags[slot] = FS_TILE_VISITED;
  }
}

static int
cut_band (HostPreview *preview, int k, int (*is_cancelled) (void *), void *data)
{
  const FsPreviewLevel *level = &preview->level[k];
  FsEngine band;
  int64_t epochs = 0;
  fs_host_tiles_init (&band, preview->engine, &level->shape, preview->n_listed);
  start_band (preview, k, &band.grid);
  /* without it, too: a device leaves it out where little is left to flow */
  if (band.grid.n_arcs == 4 && preview->engine->random / 11 % 4 != 0)
    fs_host_preflow (&band, preview->slots, 0);
  int status = fs_host_solve (&band, is_cancelled, data, &epochs);
  preview->engine->random = band.random;
  preview->result->discharges += band.n_discharges;
  preview->result->labellings += band.n_labellings;
  if (preview->result->band_bytes < bytes_of_band (&band.grid))
    preview->result->band_bytes = bytes_of_band (&band.grid);
  for (int at = 0; at < preview->n_listed * FS_TILE_PIXELS; at++)
    fs_band_save_flow (&band.grid, level, preview->band, preview->previous, at / FS_TILE_PIXELS,
                       (int)preview->tiles[at / FS_TILE_PIXELS], at % FS_TILE_PIXELS);
  for (int slot = 0; slot < preview->n_listed; slot++)
    for (int y = 0; y < FS_SIDE; y++)
      fs_band_take_row (&band.grid, &level->shape, preview->band, slot, (int)preview->tiles[slot],
                        y);
  fs_host_tiles_clear (&band);
  return status;
}

/* --- The whole --- */

static int
descend_levels (HostPreview *preview, int (*is_cancelled) (void *), void *data)
{
  int n_levels = preview->options->n_levels, status = FS_ENGINE_DONE;
  int n_unrefined = fs_min_i32 (preview->options->n_unrefined, n_levels - 1);
  for (int k = n_levels; k >= 0 && status == FS_ENGINE_DONE; k--) {
    if (k < n_unrefined) {
      expand (preview, k, k == 0);
      continue;
    }
    project (preview, k);
    if (preview->n_listed > 0)
      status = cut_band (preview, k, is_cancelled, data);
  }
  return status;
}

static void
add_costs (HostPreview *preview)
{
  const FsPreviewLevel *finest = &preview->level[0];
  for (int y = 0; y < finest->shape.height; y++)
    for (int x = 0; x < finest->shape.width; x++)
      preview->result->energy += fs_problem_cost (&finest->shape, &finest->problem, x, y);
}

/* The last preview may have left anything, too, in any of its tiles. */
static void
make_previous_mask (HostPreview *preview)
{
  const FsGridState *finest = &preview->level[0].shape;
  size_t tiles = (size_t)finest->n_tiles;
  size_t n = tiles * (size_t)(finest->n_arcs / 2) * FS_TILE_PIXELS;
  preview->previous_slots = new_noise (preview, tiles, sizeof *preview->previous_slots);
  preview->previous = new_noise (preview, n, sizeof *preview->previous);
  for (size_t tile = 0; tile < tiles; tile++)
    preview->previous_slots[tile] = tile % 3 == 1 ? -1 : (int32_t)(tiles - 1 - tile);
  for (size_t i = 0; i < n; i++)
    preview->previous[i] = (uint16_t)((i * 40503 + preview->engine->random) >> 3);
}

static void
begin_preview (HostPreview *preview)
{
  const FsGridState *grid = &preview->engine->grid;
  FsPreviewLevel *finest = &preview->level[0];
  size_t tiles = (size_t)grid->n_tiles;
  fs_grid_shape (&finest->shape, grid->width, grid->height, grid->n_arcs);
  finest->problem = preview->engine->problem;
  preview->wide = new_noise (preview, (size_t)grid->height * grid->tiles_x, sizeof *preview->wide);
  preview->band = new_noise (preview, tiles, FS_SIDE * sizeof *preview->band);
  preview->tiles = new_noise (preview, tiles, sizeof *preview->tiles);
  preview->slots = new_noise (preview, tiles, sizeof *preview->slots);
  make_pyramid (preview);
  make_previous_mask (preview);
  for (int k = 0; k <= preview->options->n_levels; k++) {
    FsGridState *shape = &preview->level[k].shape;
    shape->object = new_noise (preview, (size_t)shape->n_tiles, FS_SIDE * sizeof *shape->object);
  }
}

/* The mask of the finest level is the engine's to keep. */
static void
end (HostPreview *preview)
{
  free (preview->engine->preview);
  preview->engine->preview = preview->level[0].shape.object;
  for (int k = 1; k <= preview->options->n_levels; k++) {
    FsPreviewLevel *level = &preview->level[k];
    for (int d = 0; d < level->shape.n_arcs / 2; d++) {
      if (level->problem.back[d] != level->problem.nlink[d])
        free (level->problem.back[d]);
      free (level->problem.nlink[d]);
      free (level->saved[d]);
    }
    free (level->problem.tlink);
    free (level->problem.star);
    free (level->blocks);
    free (level->bits);
    free (level->shape.object);
  }
  free (preview->wide);
  free (preview->band);
  free (preview->tiles);
  free (preview->slots);
  free (preview->previous_slots);
  free (preview->previous);
}

/* Shows the engine's mask, where `last` still stands only the rows of it that differ. */
static void
show (const FsEngine *engine, const FsEnginePreview *options, const uint32_t *last)
{
  if (last == NULL) {
    options->show (options->data, engine->preview, NULL, 0);
    return;
  }
  for (int tile = 0; tile < engine->grid.n_tiles; tile++) {
    FsEngineRows differing = { (uint32_t)tile, 0 };
    for (int y = 0; y < FS_SIDE; y++) {
      size_t row = (size_t)tile * FS_SIDE + (size_t)y;
      differing.rows |= (uint32_t)(last[row] != engine->preview[row]) << y;
    }
    if (differing.rows != 0)
      options->show (options->data, engine->preview, &differing, 1);
  }
}

int
fs_host_preview (FsEngine *engine, const FsEnginePreview *options, int (*is_cancelled) (void *),
                 void *data, FsEnginePreviewResult *result)
{
  uint32_t *last = options->goes_on ? engine->preview : NULL;
  if (options->goes_on && last == NULL)
    abort (); /* nothing was shown that could still stand */
  if (last != NULL)
    engine->preview = NULL;
  HostPreview preview = { .engine = engine, .options = options, .result = result };
  *result = (FsEnginePreviewResult){ 0 };
  begin_preview (&preview);
  int status = descend_levels (&preview, is_cancelled, data);
  if (status == FS_ENGINE_DONE)
    add_costs (&preview);
  end (&preview);
  if (status == FS_ENGINE_DONE)
    show (engine, options, last);
  else {
    free (engine->preview);
    engine->preview = NULL;
  }
  free (last);
  return status;
}
