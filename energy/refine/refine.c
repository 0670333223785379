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
/* What two densities of 0 are taken for. */
#define DENSITY_UNSEEN       3e-5
#define WHOLE_DENSITY_UNSEEN 3e-6
/* Weights, in nats: of the log ratio, of the distance from the former border at the band's end; and
 * of what the strokes say of a colour. */
#define RATIO_WEIGHT       0.9
#define WHOLE_RATIO_WEIGHT 0.5
#define DISTANCE_WEIGHT    2
#define STROKES_WEIGHT     0.6
/* In favour of the object, in nats, while strokes come to cover from the first to the second share
 * of the photo: what no stroke of so many took away is rather wanted. */
#define LEAN       0.75
#define LEAN_BEGIN 0.008
#define LEAN_WHOLE 0.012

enum { ROUNDS = 3, WHOLE_ROUNDS = 5, BOX_ROUNDS = 8 };
/* What weighing a colour costs, in pixels' work. */
enum { PIXELS_A_BIN = 20 };

enum { FIXED = FS_LOOK_FIXED };

enum {
  FREE = FS_LOOK_FREE,
  FIXED_BACKGROUND = FS_LOOK_BACKGROUND,
  FIXED_OBJECT = FS_LOOK_OBJECT,
  BEYOND = FS_LOOK_BEYOND
};

static gboolean
knows_background_alone (const FsModel *model)
{
  return model->known[0] && !model->known[1];
}

gboolean
fs_energy_looks_twice (FsEnergy *energy)
{
  const FsScene *scene = fs_energy_get_model (energy)->scene;
  return scene->settings.model == FS_MODEL_GEODESIC
         && (scene->settings.star || knows_background_alone (fs_energy_get_model (energy)));
}

/* --- life --- */

static void
free_grid (FsSecondLook *look)
{
  g_clear_pointer (&look->tlink, fs_memory_free);
  g_clear_pointer (&look->state, fs_memory_free);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    g_clear_pointer (&look->nlink[d], fs_memory_free);
}

void
fs_second_look_free (FsSecondLook *look)
{
  if (!look)
    return;
  fs_opinion_view_clear (&look->guess);
  fs_opinion_view_clear (&look->guess_of_photo);
  free_grid (look);
  g_free (look->first);
  g_free (look->blocks);
  g_free (look->own_label);
  g_free (look->by_stroke);
  g_free (look->marks);
  g_free (look->side);
  g_free (look->is_other);
  g_free (look->is_open);
  g_free (look->distance);
  g_free (look->by_distance);
  g_free (look->counted);
  fs_memory_free (look->by_colour);
  for (int side = 0; side < 2; side++)
    fs_memory_free (look->table[side]);
  fs_local_colours_free (look->local);
  g_free (look);
}

static gboolean
allocate (FsSecondLook *look)
{
  size_t n_cells = (size_t)look->level->width * (size_t)look->level->height;
  look->first = g_try_malloc (fs_scene_n_pixels (look->scene));
  look->marks = g_try_malloc (n_cells);
  look->side = g_try_malloc (n_cells);
  look->is_other = g_try_malloc (n_cells);
  look->is_open = g_try_malloc (n_cells);
  look->distance = g_try_new (int32_t, n_cells);
  look->by_distance = g_try_new0 (int32_t, look->level->n_plane);
  look->by_colour = fs_memory_new_whole (FS_COLOUR_BINS, sizeof *look->by_colour);
  look->counted = g_try_new0 (int32_t, n_cells);
  for (int side = 0; side < 2; side++)
    if ((look->table[side] = fs_memory_new_whole (1, sizeof *look->table[side])))
      fs_colour_table_clear (look->table[side]);
  if (!look->is_whole && !(look->local = fs_local_colours_new (look->level)))
    return FALSE;
  if (look->shift > 0) {
    look->blocks = g_try_malloc0 (fs_scene_n_pixels (look->scene));
    look->label = look->own_label = g_try_malloc (fs_scene_n_pixels (look->scene));
    look->by_stroke = g_try_new (int16_t, MAX (1, look->scene->n_bins));
    if (!look->blocks || !look->own_label || !look->by_stroke)
      return FALSE;
  }
  return look->first && look->marks && look->side && look->is_other && look->is_open
         && look->distance && look->by_distance && look->by_colour && look->counted
         && look->table[0] && look->table[1];
}

typedef struct {
  FsSecondLook *look;
  const uint8_t *mask;
  int32_t *tlinks;
} Job;

/* --- t-links --- */

static gboolean
is_guess (const FsSecondLook *look)
{
  return look->is_whole && !look->is_of_cells;
}

static void
find_log_ratios (const FsSecondLook *look, const FsColourPlace *places, int n, double *r)
{
  double unseen = is_guess (look) ? WHOLE_DENSITY_UNSEEN : DENSITY_UNSEEN;
  fs_colour_tables_log_ratios (look->table, places, n, unseen, r);
}

static int16_t
weight_of (const FsSecondLook *look, double r, double by_stroke)
{
  double weight = is_guess (look) ? WHOLE_RATIO_WEIGHT : RATIO_WEIGHT;
  double strokes = is_guess (look) ? 0 : by_stroke;
  return (int16_t)floor (FS_NAT_SCALE * weight * CLAMP (r, -RATIO_MAX, RATIO_MAX)
                         + STROKES_WEIGHT * strokes + 0.5);
}

int16_t
fs_second_look_weigh (const FsSecondLook *look, FsColourPlace place, double by_stroke)
{
  double r;
  find_log_ratios (look, &place, 1, &r);
  return weight_of (look, r, by_stroke);
}

static void
weigh_bins (int first, int last, gpointer data)
{
  FsSecondLook *look = data;
  const int16_t *by_model = look->model->by_colour;
  double r[FS_COLOURS_AT_ONCE];
  for (int i = first; i < last; i += FS_COLOURS_AT_ONCE) {
    int n = MIN (FS_COLOURS_AT_ONCE, last - i);
    const uint32_t *bins = look->scene->bins + i;
    find_log_ratios (look, look->photo->of_bin + i, n, r);
    for (int j = 0; j < n; j++) {
      int16_t by_stroke = look->by_stroke ? look->by_stroke[i + j] : by_model[bins[j]];
      look->by_colour[bins[j]] = weight_of (look, r[j], by_stroke);
    }
  }
}

static void
weigh_colours (FsSecondLook *look)
{
  fs_second_look_collect_colours (look);
  fs_row_threads_run ((int)look->scene->n_bins, PIXELS_A_BIN, weigh_bins, look);
}

/* In units of by_distance. */
static int32_t
lean_to_object (const FsSecondLook *look)
{
  double n = (double)look->seeds->width * look->seeds->height;
  double share = 1 - (double)look->seeds->n_seeds[FS_SEED_NONE] / n;
  double rise = CLAMP ((share - LEAN_BEGIN) / (LEAN_WHOLE - LEAN_BEGIN), 0, 1);
  return (int32_t)(LEAN * rise * FS_NAT_SCALE * FS_PLACE_UNIT);
}

static void
weigh_distances (FsSecondLook *look)
{
  const int32_t lean = lean_to_object (look);
  const FsGeodesicLevel *level = look->level;
  const int64_t most = (int64_t)(DISTANCE_WEIGHT * FS_NAT_SCALE * FS_PLACE_UNIT);
  if (look->is_whole) /* they say nothing */
    return;
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      size_t i = (size_t)y * (size_t)level->width + (size_t)x;
      int32_t pull = (int32_t)(most * MIN (look->distance[i], look->band) / look->band);
      look->by_distance[fs_geodesic_cell (level, x, y)] =
          look->side[i] == FS_CELL_ALL_BACKGROUND ? lean - pull : lean + pull;
    }
}

FS_CLONES static void
fill_tlink_rows (int y0, int y1, gpointer data)
{
  static const int32_t fixed[] = {
    0, [FIXED_BACKGROUND] = -FIXED, [FIXED_OBJECT] = FIXED, [BEYOND] = 0
  };
  const Job *job = data;
  const FsSecondLook *look = job->look;
  const FsImage *image = look->scene->image;
  for (int y = y0; y < y1; y++) {
    size_t row = (size_t)y * (size_t)look->grid.width;
    const uint8_t *state = look->state + row;
    const uint32_t *pixels =
        image->pixels + (size_t)(y + look->area.y0) * (size_t)image->width + (size_t)look->area.x0;
    int32_t *tlinks = job->tlinks + row;
    if (look->is_whole)
      for (int x = 0; x < look->grid.width; x++)
        tlinks[x] = look->lean;
    else
      fs_geodesic_upsample_row (look->level, look->by_distance, y + look->area.y0, look->area.x0,
                                look->area.x1, tlinks);
    for (int x = 0; x < look->grid.width; x++)
      tlinks[x] =
          ((tlinks[x] + FS_PLACE_UNIT / 2) >> 4) + look->by_colour[fs_colour_bin (pixels[x])];
    if (look->guess.opinion)
      fs_opinion_view_add_row (&look->guess, y + look->area.y0, look->area.x0, look->area.x1,
                               tlinks);
    for (int x = 0; x < look->grid.width; x++)
      if (state[x] != FREE)
        tlinks[x] = fixed[state[x]];
    if (look->is_drawing)
      fs_second_look_draw_row (look, job->mask, y, tlinks);
  }
}
G_STATIC_ASSERT (FS_PLACE_UNIT == 1 << 4);

/* From the mask that was measured; what they are made of alone where `tlinks` is NULL. */
static void
fill_tlinks (FsSecondLook *look, const uint8_t *mask, int32_t *tlinks)
{
  Job job = { look, mask, tlinks };
  fs_second_look_fill_box (look, mask);
  weigh_colours (look);
  weigh_distances (look);
  if (tlinks)
    fs_row_threads_run (look->grid.height, look->grid.width, fill_tlink_rows, &job);
}

void
fs_second_look_learn (FsSecondLook *look, const uint8_t *mask, int32_t *tlinks)
{
  fs_second_look_measure (look, mask);
  look->is_drawing = FALSE;
  fill_tlinks (look, mask, tlinks);
}

gboolean
fs_second_look_draws (const FsSecondLook *look)
{
  return look->local != NULL;
}

void
fs_second_look_draw (FsSecondLook *look, const uint8_t *mask, int32_t *tlinks)
{
  g_return_if_fail (fs_second_look_draws (look));

  fs_second_look_measure (look, mask);
  fs_local_colours_learn (look->local, look->side, look->distance);
  look->is_drawing = TRUE;
  fill_tlinks (look, mask, tlinks);
}

/* --- the grid --- */

static void
open_band (FsSecondLook *look)
{
  size_t n = (size_t)look->level->width * (size_t)look->level->height;
  for (size_t i = 0; i < n; i++)
    look->is_open[i] = look->is_whole || look->distance[i] <= look->band;
}

/* As far again round the cells where changes ran out of it. */
static void
widen_band (FsSecondLook *look)
{
  int64_t reach = MAX (1, look->band / FS_GEODESIC_UNIT);
  size_t n = (size_t)look->level->width * (size_t)look->level->height;
  for (size_t i = 0; i < n; i++)
    look->is_other[i] = look->marks[i] & FS_BAND_ENDS_HERE;
  g_autofree int64_t *distance2 =
      fs_distance2 (look->is_other, look->level->width, look->level->height);
  for (size_t i = 0; i < n; i++)
    look->is_open[i] |= distance2[i] <= reach * reach;
}

/* The band's bounding rectangle in cells. */
static FsRect
bounds_of_band (const FsSecondLook *look)
{
  const FsGeodesicLevel *level = look->level;
  FsRect cells = { level->width, level->height, 0, 0 };
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++)
      if (look->is_open[(size_t)y * (size_t)level->width + (size_t)x])
        cells = (FsRect){ MIN (cells.x0, x), MIN (cells.y0, y), MAX (cells.x1, x + 1),
                          MAX (cells.y1, y + 1) };
  return cells;
}

/* With one pixel more on each side, which is fixed, or not there. */
static FsRect
pixels_of_cells (const FsGeodesicLevel *level, FsRect cells)
{
  FsRect photo = { 0, 0, level->photo_width, level->photo_height };
  FsRect pixels = { (cells.x0 << level->shift) - 1, (cells.y0 << level->shift) - 1,
                    (cells.x1 << level->shift) + 1, (cells.y1 << level->shift) + 1 };
  return fs_rect_intersect (pixels, photo);
}

static gboolean
allocate_grid (FsSecondLook *look)
{
  const FsScene *scene = look->scene;
  look->grid = (FsGrid){ .width = look->area.x1 - look->area.x0,
                         .height = look->area.y1 - look->area.y0,
                         .neighbours = scene->settings.neighbours };
  size_t n = fs_grid_n_pixels (&look->grid);
  look->grid.tlink = look->tlink = fs_memory_new_whole (n, sizeof *look->tlink);
  look->state = fs_memory_new_whole (n, 1);
  gboolean enough = look->tlink && look->state;
  for (int d = 0; d < fs_scene_n_directions (scene); d++) {
    look->grid.nlink[d] = look->nlink[d] = fs_memory_new_whole (n, sizeof *look->nlink[d]);
    enough = enough && look->nlink[d];
  }
  return enough;
}

static void
open_rows (int y0, int y1, gpointer data)
{
  FsSecondLook *look = ((const Job *)data)->look;
  const FsGeodesicLevel *level = look->level;
  for (int y = y0; y < y1; y++) {
    const uint8_t *cells =
        look->is_open + (size_t)((y + look->area.y0) >> level->shift) * (size_t)level->width;
    uint8_t *state = look->state + (size_t)y * (size_t)look->grid.width;
    for (int x = 0; x < look->grid.width; x++)
      state[x] = cells[(x + look->area.x0) >> level->shift] ? FREE : BEYOND;
  }
}

static gboolean
is_beside_band (const FsSecondLook *look, int x, int y)
{
  const FsGeodesicLevel *level = look->level;
  for (int j = MAX (y - 1, 0); j <= MIN (y + 1, level->height - 1); j++)
    for (int i = MAX (x - 1, 0); i <= MIN (x + 1, level->width - 1); i++)
      if (look->is_open[(size_t)j * (size_t)level->width + (size_t)i])
        return TRUE;
  return FALSE;
}

static void
fix_cell (FsSecondLook *look, const uint8_t *mask, int x, int y)
{
  int shift = look->level->shift;
  FsRect cell = { x << shift, y << shift, (x + 1) << shift, (y + 1) << shift };
  cell = fs_rect_intersect (cell, look->area);
  for (int j = cell.y0; j < cell.y1; j++) {
    const uint8_t *from = mask + (size_t)j * (size_t)look->level->photo_width;
    uint8_t *state = look->state + (size_t)(j - look->area.y0) * (size_t)look->grid.width;
    for (int i = cell.x0; i < cell.x1; i++)
      state[i - look->area.x0] = from[i] ? FIXED_OBJECT : FIXED_BACKGROUND;
  }
}

/* The cells beside the band stay as they are. */
static void
fix_rim (FsSecondLook *look, const uint8_t *mask)
{
  const FsGeodesicLevel *level = look->level;
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++)
      if (!look->is_open[(size_t)y * (size_t)level->width + (size_t)x]
          && is_beside_band (look, x, y))
        fix_cell (look, mask, x, y);
}

static void
fix_seeds (FsSecondLook *look)
{
  for (int y = 0; y < look->grid.height; y++) {
    uint8_t *state = look->state + (size_t)y * (size_t)look->grid.width;
    const uint8_t *labels = look->label
                            + (size_t)(y + look->area.y0) * (size_t)look->level->photo_width
                            + (size_t)look->area.x0;
    for (int x = 0; x < look->grid.width; x++)
      if (labels[x] != FS_SEED_NONE && state[x] == FREE)
        state[x] = labels[x] == FS_SEED_BACKGROUND ? FIXED_BACKGROUND : FIXED_OBJECT;
  }
}

/* For the band as it is open, and the mask that was measured. */
static gboolean
make_grid (FsSecondLook *look, const uint8_t *mask)
{
  Job job = { look, mask, NULL };
  FsRect cells = bounds_of_band (look);
  if (fs_rect_is_empty (cells))
    return TRUE;
  look->area = pixels_of_cells (look->level, cells);
  if (!allocate_grid (look))
    return FALSE;
  fs_row_threads_run (look->grid.height, look->grid.width, open_rows, &job);
  fs_second_look_fill_nlinks (look);
  fix_rim (look, mask);
  fix_seeds (look);
  fill_tlinks (look, mask, look->tlink);
  return TRUE;
}

static gboolean
begin (FsSecondLook *look, const uint8_t *mask)
{
  if (!allocate (look))
    return FALSE;
  if (look->shift > 0)
    fs_second_look_reduce (look, mask);
  else
    memcpy (look->first, mask, fs_scene_n_pixels (look->scene));
  fs_second_look_find_box (look);
  fs_second_look_measure (look, look->first);
  open_band (look);
  return make_grid (look, look->first);
}

/* A large photo is looked at from afar. */
static void
choose_scene (FsSecondLook *look)
{
  const FsGeodesicPhoto *photo = look->model->scene->kept;
  look->scene = photo->reduced ? photo->reduced : look->model->scene;
  look->shift = photo->reduced ? photo->reduced_by : 0;
  look->photo = look->scene->kept;
  look->level = look->photo->level;
  look->label = look->seeds->label;
}

/* A photo of its own cells stays itself. */
static void
choose_cells (FsSecondLook *look)
{
  if (!look->photo->cells)
    return;
  look->shift += look->level->shift;
  look->scene = look->photo->cells;
  look->photo = look->scene->kept;
  look->level = look->photo->level;
}

static gboolean
view_guess (FsSecondLook *look)
{
  const FsOpinion *opinion = fs_energy_get_opinion (look->energy);
  if (!opinion)
    return TRUE;
  const FsImage *image = look->scene->image;
  return fs_opinion_view_init (&look->guess, opinion, image->width, image->height)
         && fs_opinion_view_init (&look->guess_of_photo, opinion, look->seeds->width,
                                  look->seeds->height);
}

static FsSecondLook *
look_new (FsEnergy *energy, const FsSeedMap *seeds, const uint8_t *mask, gboolean is_of_cells,
          GError **error)
{
  g_autoptr (FsSecondLook) look = g_new0 (FsSecondLook, 1);
  look->energy = energy;
  look->seeds = seeds;
  look->model = fs_energy_get_model (energy);
  choose_scene (look);
  if (is_of_cells)
    choose_cells (look);
  look->band = MAX (1, look->level->diagonal / BAND_DIVISOR);
  look->is_of_cells = is_of_cells;
  look->is_whole = is_of_cells || knows_background_alone (look->model);
  if (!view_guess (look) || !begin (look, mask)) {
    fs_scene_refuse_size (look->model->scene->image, error);
    return NULL;
  }
  return g_steal_pointer (&look);
}

FsSecondLook *
fs_second_look_new (FsEnergy *energy, const FsSeedMap *seeds, const uint8_t *mask, GError **error)
{
  g_return_val_if_fail (fs_energy_looks_twice (energy), NULL);

  return look_new (energy, seeds, mask, FALSE, error);
}

FsSecondLook *
fs_second_look_new_of_cells (FsEnergy *energy, const FsSeedMap *seeds, const uint8_t *mask,
                             GError **error)
{
  g_return_val_if_fail (fs_energy_looks_twice (energy), NULL);

  return look_new (energy, seeds, mask, TRUE, error);
}

FsGrid *
fs_second_look_get_grid (FsSecondLook *look)
{
  return fs_rect_is_empty (look->area) ? NULL : &look->grid;
}

int
fs_second_look_get_rounds (const FsSecondLook *look)
{
  if (look->is_alone)
    return BOX_ROUNDS;
  return look->is_whole ? WHOLE_ROUNDS : ROUNDS;
}

const uint8_t *
fs_second_look_get_reduced (const FsSecondLook *look, size_t *n_pixels)
{
  *n_pixels = fs_scene_n_pixels (look->scene);
  return look->shift > 0 ? look->first : NULL;
}

FsRect
fs_second_look_get_area (const FsSecondLook *look)
{
  return look->area;
}

/* --- changes that run out of the band --- */

static gboolean
mark_changes (FsSecondLook *look, const uint8_t *mask)
{
  FsBandChanges changes = { look->level, look->is_open, look->first, mask };
  return !look->is_whole && fs_band_changes_mark (&changes, look->marks);
}

gboolean
fs_second_look_wants_room (FsSecondLook *look, const uint8_t *mask)
{
  return !look->is_wider && mark_changes (look, mask);
}

gboolean
fs_second_look_widen (FsSecondLook *look, const uint8_t *mask, GError **error)
{
  mark_changes (look, mask);
  widen_band (look);
  look->is_wider = TRUE;
  free_grid (look);
  fs_second_look_measure (look, mask);
  return make_grid (look, mask) || fs_scene_refuse_size (look->model->scene->image, error);
}

/* Row y of the grid. */
static void
refuse_row (FsSecondLook *look, int y, uint8_t *mask, GArray *tlinks)
{
  const FsGeodesicLevel *level = look->level;
  size_t row = (size_t)y * (size_t)look->grid.width;
  size_t in_photo =
      (size_t)(y + look->area.y0) * (size_t)level->photo_width + (size_t)look->area.x0;
  const uint8_t *marks =
      look->marks + (size_t)((y + look->area.y0) >> level->shift) * (size_t)level->width;
  for (int x = 0; x < look->grid.width; x++) {
    uint8_t was_object = look->first[in_photo + (size_t)x];
    uint8_t left = (uint8_t)(1 << !was_object);
    if (look->state[row + (size_t)x] != FREE
        || !(marks[(x + look->area.x0) >> level->shift] & left))
      continue;
    mask[in_photo + (size_t)x] = was_object;
    look->state[row + (size_t)x] = was_object ? FIXED_OBJECT : FIXED_BACKGROUND;
    FsTlinkChange change = { (uint32_t)(row + (size_t)x), was_object ? FIXED : -FIXED };
    g_array_append_val (tlinks, change);
  }
}

gboolean
fs_second_look_refuse (FsSecondLook *look, uint8_t *mask, GArray *tlinks)
{
  g_array_set_size (tlinks, 0);
  if (!mark_changes (look, mask))
    return FALSE;
  for (int y = 0; y < look->grid.height; y++)
    refuse_row (look, y, mask, tlinks);
  return tlinks->len > 0;
}

/* --- masks --- */

gboolean
fs_second_look_write (const FsSecondLook *look, const uint8_t *cut, uint8_t *mask)
{
  size_t width = (size_t)look->grid.width;
  uint8_t changed = 0;
  for (size_t y = 0; y < (size_t)look->grid.height; y++) {
    const uint8_t *state = look->state + y * width, *from = cut + y * width;
    uint8_t *to = mask + (y + (size_t)look->area.y0) * (size_t)look->level->photo_width
                  + (size_t)look->area.x0;
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
free_pixel (const FsSecondLook *look, uint32_t pixel)
{
  int x = (int)(pixel % (uint32_t)look->level->photo_width) - look->area.x0;
  int y = (int)(pixel / (uint32_t)look->level->photo_width) - look->area.y0;
  if (x < 0 || y < 0 || x >= look->grid.width || y >= look->grid.height)
    return -1;
  int64_t i = (int64_t)y * look->grid.width + x;
  return look->state[i] == FREE ? i : -1;
}

gboolean
fs_second_look_judge (FsSecondLook *look, const uint8_t *mask, GArray *tlinks, GError **error)
{
  const FsStability *stability = fs_energy_get_stability (look->energy);
  g_return_val_if_fail (stability, FALSE);

  g_autoptr (GArray) rejected = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  if (!fs_stability_list_rejected (stability, mask, rejected))
    return fs_scene_refuse_size (look->model->scene->image, error);
  for (guint k = 0; k < rejected->len; k++) {
    uint32_t pixel = g_array_index (rejected, uint32_t, k);
    int64_t i = free_pixel (look, pixel);
    FsTlinkChange change = { (uint32_t)i,
                             fs_stability_was_object (stability, pixel) ? FIXED : -FIXED };
    if (i >= 0)
      g_array_append_val (tlinks, change);
  }
  return TRUE;
}
