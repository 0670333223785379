/* SPDX-License-Identifier: MIT */
#include "energy/refine/refine.h"

#include "energy/geodesic/cell_sides.h"
#include "energy/geodesic/upsample.h"
#include "energy/image/distance.h"
#include "energy/image/row_threads.h"
#include "energy/image/target_clones.h"
#include "energy/refine/band_changes.h"
#include "energy/refine/refine_internal.h"
#include "solver/system/checked_memory.h"

#include <math.h>
#include <string.h>

/* A part of the diagonal: 0.05. */
enum { BAND_DIVISOR = 20 };
/* Log ratios of densities are cut to ± this. */
#define RATIO_MAX 6
/* ε: added to both densities. */
#define DENSITY_UNSEEN       3e-5
#define WHOLE_DENSITY_UNSEEN 3e-6
/* Weights, in nats: of the log ratio, of the distance from the previous border at the band's end;
 * and of what the strokes say of a colour. */
#define RATIO_WEIGHT       0.9
#define WHOLE_RATIO_WEIGHT 0.5
#define DISTANCE_WEIGHT    2
#define STROKES_WEIGHT     0.6
/* The object bias, in nats. It rises linearly from 0 while strokes come to cover from
 * OBJECT_BIAS_BEGIN to OBJECT_BIAS_WHOLE of the photo: a place that none of so many strokes took
 * away is probably wanted. */
#define OBJECT_BIAS       0.75
#define OBJECT_BIAS_BEGIN 0.008
#define OBJECT_BIAS_WHOLE 0.012

enum { ROUNDS = 3, WHOLE_ROUNDS = 5, BOX_ROUNDS = 8 };
/* The cost of weighing a colour, in pixels' work. */
enum { PIXELS_A_BIN = 20 };

enum { FIXED = FS_REFINE_FIXED };

enum {
  FREE = FS_REFINE_FREE,
  FIXED_BACKGROUND = FS_REFINE_BACKGROUND,
  FIXED_OBJECT = FS_REFINE_OBJECT,
  BEYOND = FS_REFINE_BEYOND
};

gboolean
fs_energy_wants_refinement (FsEnergy *energy)
{
  const FsPhotoTerms *terms = fs_energy_get_model (energy)->terms;
  return terms->settings.model == FS_MODEL_GEODESIC
         && (terms->settings.star
             || fs_model_knows_background_alone (fs_energy_get_model (energy)));
}

/* --- life --- */

static void
free_grid (FsRefinement *refinement)
{
  g_clear_pointer (&refinement->tlink, fs_memory_free);
  g_clear_pointer (&refinement->state, fs_memory_free);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    g_clear_pointer (&refinement->nlink[d], fs_memory_free);
}

void
fs_refinement_free (FsRefinement *refinement)
{
  if (!refinement)
    return;
  fs_opinion_view_clear (&refinement->guess);
  fs_opinion_view_clear (&refinement->guess_of_photo);
  free_grid (refinement);
  g_free (refinement->first);
  g_free (refinement->blocks);
  g_free (refinement->own_label);
  g_free (refinement->by_stroke);
  g_free (refinement->marks);
  g_free (refinement->side);
  g_free (refinement->is_other);
  g_free (refinement->is_open);
  g_free (refinement->distance);
  g_free (refinement->by_distance);
  g_free (refinement->counted);
  fs_memory_free (refinement->by_colour);
  for (int side = 0; side < 2; side++)
    fs_memory_free (refinement->table[side]);
  fs_local_colours_free (refinement->local);
  g_free (refinement);
}

static gboolean
allocate_refinement (FsRefinement *refinement)
{
  size_t n_cells = (size_t)refinement->level->width * (size_t)refinement->level->height;
  refinement->first = g_try_malloc (fs_photo_terms_n_pixels (refinement->terms));
  refinement->marks = g_try_malloc (n_cells);
  refinement->side = g_try_malloc (n_cells);
  refinement->is_other = g_try_malloc (n_cells);
  refinement->is_open = g_try_malloc (n_cells);
  refinement->distance = g_try_new (int32_t, n_cells);
  refinement->by_distance = g_try_new0 (int32_t, refinement->level->n_plane);
  refinement->by_colour = fs_memory_new_whole (FS_COLOUR_BINS, sizeof *refinement->by_colour);
  refinement->counted = g_try_new0 (int32_t, n_cells);
  for (int side = 0; side < 2; side++)
    if ((refinement->table[side] = fs_memory_new_whole (1, sizeof *refinement->table[side])))
      fs_colour_table_clear (refinement->table[side]);
  if (!refinement->is_whole && !(refinement->local = fs_local_colours_new (refinement->level)))
    return FALSE;
  if (refinement->shift > 0) {
    refinement->blocks = g_try_malloc0 (fs_photo_terms_n_pixels (refinement->terms));
    refinement->label = refinement->own_label =
        g_try_malloc (fs_photo_terms_n_pixels (refinement->terms));
    refinement->by_stroke = g_try_new (int16_t, MAX (1, refinement->terms->n_bins));
    if (!refinement->blocks || !refinement->own_label || !refinement->by_stroke)
      return FALSE;
  }
  return refinement->first && refinement->marks && refinement->side && refinement->is_other
         && refinement->is_open && refinement->distance && refinement->by_distance
         && refinement->by_colour && refinement->counted && refinement->table[0]
         && refinement->table[1];
}

typedef struct {
  FsRefinement *refinement;
  const uint8_t *mask;
  int32_t *tlinks;
} Job;

/* --- t-links --- */

static gboolean
is_guess (const FsRefinement *refinement)
{
  return refinement->is_whole && !refinement->is_of_cells;
}

static void
find_log_ratios (const FsRefinement *refinement, const FsColourPlace *places, int n, double *r)
{
  double unseen = is_guess (refinement) ? WHOLE_DENSITY_UNSEEN : DENSITY_UNSEEN;
  fs_colour_tables_log_ratios (refinement->table, places, n, unseen, r);
}

static int16_t
weight_of (const FsRefinement *refinement, double r, double by_stroke)
{
  double weight = is_guess (refinement) ? WHOLE_RATIO_WEIGHT : RATIO_WEIGHT;
  double strokes = is_guess (refinement) ? 0 : by_stroke;
  return (int16_t)floor (FS_NAT_SCALE * weight * CLAMP (r, -RATIO_MAX, RATIO_MAX)
                         + STROKES_WEIGHT * strokes + 0.5);
}

int16_t
fs_refinement_weigh (const FsRefinement *refinement, FsColourPlace place, double by_stroke)
{
  double r;
  find_log_ratios (refinement, &place, 1, &r);
  return weight_of (refinement, r, by_stroke);
}

static void
weigh_bins (int first, int last, gpointer data)
{
  FsRefinement *refinement = data;
  const int16_t *by_model = refinement->model->by_colour;
  double r[FS_COLOURS_AT_ONCE];
  for (int i = first; i < last; i += FS_COLOURS_AT_ONCE) {
    int n = MIN (FS_COLOURS_AT_ONCE, last - i);
    const uint32_t *bins = refinement->terms->bins + i;
    find_log_ratios (refinement, refinement->photo->of_bin + i, n, r);
    for (int j = 0; j < n; j++) {
      int16_t by_stroke = refinement->by_stroke ? refinement->by_stroke[i + j] : by_model[bins[j]];
      refinement->by_colour[bins[j]] = weight_of (refinement, r[j], by_stroke);
    }
  }
}

static void
weigh_colours (FsRefinement *refinement)
{
  fs_refinement_collect_colours (refinement);
  fs_row_threads_run ((int)refinement->terms->n_bins, PIXELS_A_BIN, weigh_bins, refinement);
}

/* In units of by_distance. */
static int32_t
object_bias (const FsRefinement *refinement)
{
  double n = (double)refinement->seeds->width * refinement->seeds->height;
  double painted = 1 - (double)refinement->seeds->n_seeds[FS_SEED_NONE] / n;
  double rise =
      CLAMP ((painted - OBJECT_BIAS_BEGIN) / (OBJECT_BIAS_WHOLE - OBJECT_BIAS_BEGIN), 0, 1);
  return (int32_t)(OBJECT_BIAS * rise * FS_NAT_SCALE * FS_PLACE_UNIT);
}

static void
weigh_distances (FsRefinement *refinement)
{
  const int32_t bias = object_bias (refinement);
  const FsGeodesicLevel *level = refinement->level;
  const int64_t max = (int64_t)(DISTANCE_WEIGHT * FS_NAT_SCALE * FS_PLACE_UNIT);
  if (refinement->is_whole) /* they say nothing */
    return;
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      size_t i = (size_t)y * (size_t)level->width + (size_t)x;
      int32_t prior =
          (int32_t)(max * MIN (refinement->distance[i], refinement->band) / refinement->band);
      refinement->by_distance[fs_geodesic_cell (level, x, y)] =
          refinement->side[i] == FS_CELL_ALL_BACKGROUND ? bias - prior : bias + prior;
    }
}

FS_TARGET_CLONES static void
fill_tlink_rows (int y0, int y1, gpointer data)
{
  static const int32_t fixed[] = {
    0, [FIXED_BACKGROUND] = -FIXED, [FIXED_OBJECT] = FIXED, [BEYOND] = 0
  };
  const Job *job = data;
  const FsRefinement *refinement = job->refinement;
  const FsImage *image = refinement->terms->image;
  for (int y = y0; y < y1; y++) {
    size_t row = (size_t)y * (size_t)refinement->grid.width;
    const uint8_t *state = refinement->state + row;
    const uint32_t *pixels = image->pixels
                             + (size_t)(y + refinement->area.y0) * (size_t)image->width
                             + (size_t)refinement->area.x0;
    int32_t *tlinks = job->tlinks + row;
    if (refinement->is_whole)
      for (int x = 0; x < refinement->grid.width; x++)
        tlinks[x] = refinement->object_bias;
    else
      fs_geodesic_upsample_row (refinement->level, refinement->by_distance, y + refinement->area.y0,
                                refinement->area.x0, refinement->area.x1, tlinks);
    for (int x = 0; x < refinement->grid.width; x++)
      tlinks[x] =
          ((tlinks[x] + FS_PLACE_UNIT / 2) >> 4) + refinement->by_colour[fs_colour_bin (pixels[x])];
    if (refinement->guess.opinion)
      fs_opinion_view_add_row (&refinement->guess, y + refinement->area.y0, refinement->area.x0,
                               refinement->area.x1, tlinks);
    for (int x = 0; x < refinement->grid.width; x++)
      if (state[x] != FREE)
        tlinks[x] = fixed[state[x]];
    if (refinement->is_drawing)
      fs_refinement_draw_row (refinement, job->mask, y, tlinks);
  }
}
G_STATIC_ASSERT (FS_PLACE_UNIT == 1 << 4);

/* Fills the t-links from the mask that was measured; only their tables where `tlinks` is NULL. */
static void
fill_tlinks (FsRefinement *refinement, const uint8_t *mask, int32_t *tlinks)
{
  Job job = { refinement, mask, tlinks };
  fs_refinement_fill_box (refinement, mask);
  weigh_colours (refinement);
  weigh_distances (refinement);
  if (tlinks)
    fs_row_threads_run (refinement->grid.height, refinement->grid.width, fill_tlink_rows, &job);
}

void
fs_refinement_learn (FsRefinement *refinement, const uint8_t *mask, int32_t *tlinks)
{
  fs_refinement_measure_distance (refinement, mask);
  refinement->is_drawing = FALSE;
  fill_tlinks (refinement, mask, tlinks);
}

gboolean
fs_refinement_draws (const FsRefinement *refinement)
{
  return refinement->local != NULL;
}

void
fs_refinement_draw (FsRefinement *refinement, const uint8_t *mask, int32_t *tlinks)
{
  g_return_if_fail (fs_refinement_draws (refinement));

  fs_refinement_measure_distance (refinement, mask);
  fs_local_colours_learn (refinement->local, refinement->side, refinement->distance);
  refinement->is_drawing = TRUE;
  fill_tlinks (refinement, mask, tlinks);
}

/* --- the grid --- */

static void
open_band (FsRefinement *refinement)
{
  size_t n = (size_t)refinement->level->width * (size_t)refinement->level->height;
  for (size_t i = 0; i < n; i++)
    refinement->is_open[i] = refinement->is_whole || refinement->distance[i] <= refinement->band;
}

/* Opens the cells within the band's half width of those where changes ran out of it. */
static void
widen_band (FsRefinement *refinement)
{
  int64_t half_width = MAX (1, refinement->band / FS_GEODESIC_UNIT);
  size_t n = (size_t)refinement->level->width * (size_t)refinement->level->height;
  for (size_t i = 0; i < n; i++)
    refinement->is_other[i] = refinement->marks[i] & FS_BAND_ENDS_HERE;
  g_autofree int64_t *distance2 =
      fs_distance2 (refinement->is_other, refinement->level->width, refinement->level->height);
  for (size_t i = 0; i < n; i++)
    refinement->is_open[i] |= distance2[i] <= half_width * half_width;
}

/* The band's bounding rectangle in cells. */
static FsRect
bounds_of_band (const FsRefinement *refinement)
{
  const FsGeodesicLevel *level = refinement->level;
  FsRect cells = { level->width, level->height, 0, 0 };
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++)
      if (refinement->is_open[(size_t)y * (size_t)level->width + (size_t)x])
        cells = (FsRect){ MIN (cells.x0, x), MIN (cells.y0, y), MAX (cells.x1, x + 1),
                          MAX (cells.y1, y + 1) };
  return cells;
}

/* The pixels of these cells, with a margin of one fixed pixel where the photo has it. */
static FsRect
pixels_of_cells (const FsGeodesicLevel *level, FsRect cells)
{
  FsRect photo = { 0, 0, level->photo_width, level->photo_height };
  FsRect pixels = { (cells.x0 << level->shift) - 1, (cells.y0 << level->shift) - 1,
                    (cells.x1 << level->shift) + 1, (cells.y1 << level->shift) + 1 };
  return fs_rect_intersect (pixels, photo);
}

static gboolean
allocate_grid (FsRefinement *refinement)
{
  const FsPhotoTerms *terms = refinement->terms;
  refinement->grid = (FsGrid){ .width = refinement->area.x1 - refinement->area.x0,
                               .height = refinement->area.y1 - refinement->area.y0,
                               .neighbours = terms->settings.neighbours };
  size_t n = fs_grid_n_pixels (&refinement->grid);
  refinement->grid.tlink = refinement->tlink = fs_memory_new_whole (n, sizeof *refinement->tlink);
  refinement->state = fs_memory_new_whole (n, 1);
  gboolean enough = refinement->tlink && refinement->state;
  for (int d = 0; d < fs_photo_terms_n_directions (terms); d++) {
    refinement->grid.nlink[d] = refinement->nlink[d] =
        fs_memory_new_whole (n, sizeof *refinement->nlink[d]);
    enough = enough && refinement->nlink[d];
  }
  return enough;
}

static void
open_rows (int y0, int y1, gpointer data)
{
  FsRefinement *refinement = ((const Job *)data)->refinement;
  const FsGeodesicLevel *level = refinement->level;
  for (int y = y0; y < y1; y++) {
    const uint8_t *cells =
        refinement->is_open
        + (size_t)((y + refinement->area.y0) >> level->shift) * (size_t)level->width;
    uint8_t *state = refinement->state + (size_t)y * (size_t)refinement->grid.width;
    for (int x = 0; x < refinement->grid.width; x++)
      state[x] = cells[(x + refinement->area.x0) >> level->shift] ? FREE : BEYOND;
  }
}

static gboolean
touches_band (const FsRefinement *refinement, int x, int y)
{
  const FsGeodesicLevel *level = refinement->level;
  for (int j = MAX (y - 1, 0); j <= MIN (y + 1, level->height - 1); j++)
    for (int i = MAX (x - 1, 0); i <= MIN (x + 1, level->width - 1); i++)
      if (refinement->is_open[(size_t)j * (size_t)level->width + (size_t)i])
        return TRUE;
  return FALSE;
}

static void
fix_cell (FsRefinement *refinement, const uint8_t *mask, int x, int y)
{
  int shift = refinement->level->shift;
  FsRect cell = { x << shift, y << shift, (x + 1) << shift, (y + 1) << shift };
  cell = fs_rect_intersect (cell, refinement->area);
  for (int j = cell.y0; j < cell.y1; j++) {
    const uint8_t *from = mask + (size_t)j * (size_t)refinement->level->photo_width;
    uint8_t *state =
        refinement->state + (size_t)(j - refinement->area.y0) * (size_t)refinement->grid.width;
    for (int i = cell.x0; i < cell.x1; i++)
      state[i - refinement->area.x0] = from[i] ? FIXED_OBJECT : FIXED_BACKGROUND;
  }
}

/* Fixes the cells adjacent to the band. */
static void
fix_halo (FsRefinement *refinement, const uint8_t *mask)
{
  const FsGeodesicLevel *level = refinement->level;
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++)
      if (!refinement->is_open[(size_t)y * (size_t)level->width + (size_t)x]
          && touches_band (refinement, x, y))
        fix_cell (refinement, mask, x, y);
}

static void
fix_seeds (FsRefinement *refinement)
{
  for (int y = 0; y < refinement->grid.height; y++) {
    uint8_t *state = refinement->state + (size_t)y * (size_t)refinement->grid.width;
    const uint8_t *labels =
        refinement->label
        + (size_t)(y + refinement->area.y0) * (size_t)refinement->level->photo_width
        + (size_t)refinement->area.x0;
    for (int x = 0; x < refinement->grid.width; x++)
      if (labels[x] != FS_SEED_NONE && state[x] == FREE)
        state[x] = labels[x] == FS_SEED_BACKGROUND ? FIXED_BACKGROUND : FIXED_OBJECT;
  }
}

/* Makes the grid for the present band and the mask that was measured. */
static gboolean
make_grid (FsRefinement *refinement, const uint8_t *mask)
{
  Job job = { refinement, mask, NULL };
  FsRect cells = bounds_of_band (refinement);
  if (fs_rect_is_empty (cells))
    return TRUE;
  refinement->area = pixels_of_cells (refinement->level, cells);
  if (!allocate_grid (refinement))
    return FALSE;
  fs_row_threads_run (refinement->grid.height, refinement->grid.width, open_rows, &job);
  fs_refinement_fill_nlinks (refinement);
  fix_halo (refinement, mask);
  fix_seeds (refinement);
  fill_tlinks (refinement, mask, refinement->tlink);
  return TRUE;
}

static gboolean
begin_refinement (FsRefinement *refinement, const uint8_t *mask)
{
  if (!allocate_refinement (refinement))
    return FALSE;
  if (refinement->shift > 0)
    fs_refinement_reduce (refinement, mask);
  else
    memcpy (refinement->first, mask, fs_photo_terms_n_pixels (refinement->terms));
  fs_refinement_find_box (refinement);
  fs_refinement_measure_distance (refinement, refinement->first);
  open_band (refinement);
  return make_grid (refinement, refinement->first);
}

/* A large photo is refined at a reduced size first. */
static void
choose_terms (FsRefinement *refinement)
{
  const FsGeodesicPhoto *photo = refinement->model->terms->model_photo;
  refinement->terms = photo->reduced ? photo->reduced : refinement->model->terms;
  refinement->shift = photo->reduced ? photo->reduced_by : 0;
  refinement->photo = refinement->terms->model_photo;
  refinement->level = refinement->photo->level;
  refinement->label = refinement->seeds->label;
}

/* Uses the photo itself where its pixels are its cells. */
static void
choose_cells (FsRefinement *refinement)
{
  if (!refinement->photo->cells)
    return;
  refinement->shift += refinement->level->shift;
  refinement->terms = refinement->photo->cells;
  refinement->photo = refinement->terms->model_photo;
  refinement->level = refinement->photo->level;
}

static gboolean
view_guess (FsRefinement *refinement)
{
  const FsOpinion *opinion = fs_energy_get_opinion (refinement->energy);
  if (!opinion)
    return TRUE;
  const FsImage *image = refinement->terms->image;
  return fs_opinion_view_init (&refinement->guess, opinion, image->width, image->height)
         && fs_opinion_view_init (&refinement->guess_of_photo, opinion, refinement->seeds->width,
                                  refinement->seeds->height);
}

static FsRefinement *
refinement_new (FsEnergy *energy, const FsSeedMap *seeds, const uint8_t *mask, gboolean is_of_cells,
                GError **error)
{
  g_autoptr (FsRefinement) refinement = g_new0 (FsRefinement, 1);
  refinement->energy = energy;
  refinement->seeds = seeds;
  refinement->model = fs_energy_get_model (energy);
  choose_terms (refinement);
  if (is_of_cells)
    choose_cells (refinement);
  refinement->band = MAX (1, refinement->level->diagonal / BAND_DIVISOR);
  refinement->is_of_cells = is_of_cells;
  refinement->is_whole = is_of_cells || fs_model_knows_background_alone (refinement->model);
  if (!view_guess (refinement) || !begin_refinement (refinement, mask)) {
    fs_photo_terms_refuse_size (refinement->model->terms->image, error);
    return NULL;
  }
  return g_steal_pointer (&refinement);
}

FsRefinement *
fs_refinement_new (FsEnergy *energy, const FsSeedMap *seeds, const uint8_t *mask, GError **error)
{
  g_return_val_if_fail (fs_energy_wants_refinement (energy), NULL);

  return refinement_new (energy, seeds, mask, FALSE, error);
}

FsRefinement *
fs_refinement_new_of_cells (FsEnergy *energy, const FsSeedMap *seeds, const uint8_t *mask,
                            GError **error)
{
  g_return_val_if_fail (fs_energy_wants_refinement (energy), NULL);

  return refinement_new (energy, seeds, mask, TRUE, error);
}

FsGrid *
fs_refinement_get_grid (FsRefinement *refinement)
{
  return fs_rect_is_empty (refinement->area) ? NULL : &refinement->grid;
}

int
fs_refinement_get_rounds (const FsRefinement *refinement)
{
  if (refinement->is_alone)
    return BOX_ROUNDS;
  return refinement->is_whole ? WHOLE_ROUNDS : ROUNDS;
}

const uint8_t *
fs_refinement_get_reduced (const FsRefinement *refinement, size_t *n_pixels)
{
  *n_pixels = fs_photo_terms_n_pixels (refinement->terms);
  return refinement->shift > 0 ? refinement->first : NULL;
}

FsRect
fs_refinement_get_area (const FsRefinement *refinement)
{
  return refinement->area;
}

/* --- changes that run out of the band --- */

static gboolean
mark_changes (FsRefinement *refinement, const uint8_t *mask)
{
  FsBandChanges changes = { refinement->level, refinement->is_open, refinement->first, mask };
  return !refinement->is_whole && fs_band_changes_mark (&changes, refinement->marks);
}

gboolean
fs_refinement_wants_wider_band (FsRefinement *refinement, const uint8_t *mask)
{
  return !refinement->is_wider && mark_changes (refinement, mask);
}

gboolean
fs_refinement_widen (FsRefinement *refinement, const uint8_t *mask, GError **error)
{
  mark_changes (refinement, mask);
  widen_band (refinement);
  refinement->is_wider = TRUE;
  free_grid (refinement);
  fs_refinement_measure_distance (refinement, mask);
  return make_grid (refinement, mask)
         || fs_photo_terms_refuse_size (refinement->model->terms->image, error);
}

/* Row y of the grid. */
static void
refuse_row (FsRefinement *refinement, int y, uint8_t *mask, GArray *tlinks)
{
  const FsGeodesicLevel *level = refinement->level;
  size_t row = (size_t)y * (size_t)refinement->grid.width;
  size_t in_photo =
      (size_t)(y + refinement->area.y0) * (size_t)level->photo_width + (size_t)refinement->area.x0;
  const uint8_t *marks =
      refinement->marks
      + (size_t)((y + refinement->area.y0) >> level->shift) * (size_t)level->width;
  for (int x = 0; x < refinement->grid.width; x++) {
    uint8_t was_object = refinement->first[in_photo + (size_t)x];
    uint8_t left = (uint8_t)(1 << !was_object);
    if (refinement->state[row + (size_t)x] != FREE
        || !(marks[(x + refinement->area.x0) >> level->shift] & left))
      continue;
    mask[in_photo + (size_t)x] = was_object;
    refinement->state[row + (size_t)x] = was_object ? FIXED_OBJECT : FIXED_BACKGROUND;
    FsTlinkChange change = { (uint32_t)(row + (size_t)x), was_object ? FIXED : -FIXED };
    g_array_append_val (tlinks, change);
  }
}

gboolean
fs_refinement_refuse (FsRefinement *refinement, uint8_t *mask, GArray *tlinks)
{
  g_array_set_size (tlinks, 0);
  if (!mark_changes (refinement, mask))
    return FALSE;
  for (int y = 0; y < refinement->grid.height; y++)
    refuse_row (refinement, y, mask, tlinks);
  return tlinks->len > 0;
}

/* --- masks --- */

gboolean
fs_refinement_write (const FsRefinement *refinement, const uint8_t *cut, uint8_t *mask)
{
  size_t width = (size_t)refinement->grid.width;
  uint8_t changed = 0;
  for (size_t y = 0; y < (size_t)refinement->grid.height; y++) {
    const uint8_t *state = refinement->state + y * width, *from = cut + y * width;
    uint8_t *to = mask + (y + (size_t)refinement->area.y0) * (size_t)refinement->level->photo_width
                  + (size_t)refinement->area.x0;
    for (size_t x = 0; x < width; x++) {
      uint8_t difference = (uint8_t)((to[x] ^ from[x]) & (state[x] == FREE));
      changed |= difference;
      to[x] ^= difference;
    }
  }
  return changed;
}

/* The pixel of the grid, or −1 of one that is not free. */
static int64_t
free_pixel (const FsRefinement *refinement, uint32_t pixel)
{
  int x = (int)(pixel % (uint32_t)refinement->level->photo_width) - refinement->area.x0;
  int y = (int)(pixel / (uint32_t)refinement->level->photo_width) - refinement->area.y0;
  if (x < 0 || y < 0 || x >= refinement->grid.width || y >= refinement->grid.height)
    return -1;
  int64_t i = (int64_t)y * refinement->grid.width + x;
  return refinement->state[i] == FREE ? i : -1;
}

gboolean
fs_refinement_filter_changes (FsRefinement *refinement, const uint8_t *mask, GArray *tlinks,
                              GError **error)
{
  const FsMaskPrior *prior = fs_energy_get_mask_prior (refinement->energy);
  g_return_val_if_fail (prior, FALSE);

  g_autoptr (GArray) rejected = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  if (!fs_mask_prior_list_rejected (prior, mask, rejected))
    return fs_photo_terms_refuse_size (refinement->model->terms->image, error);
  for (guint k = 0; k < rejected->len; k++) {
    uint32_t pixel = g_array_index (rejected, uint32_t, k);
    int64_t i = free_pixel (refinement, pixel);
    FsTlinkChange change = { (uint32_t)i,
                             fs_mask_prior_was_object (prior, pixel) ? FIXED : -FIXED };
    if (i >= 0)
      g_array_append_val (tlinks, change);
  }
  return TRUE;
}
