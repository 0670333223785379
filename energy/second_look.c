/* SPDX-License-Identifier: MIT */
#include "energy/second_look.h"

#include "energy/distance.h"
#include "energy/energy_parts.h"
#include "energy/exact_math.h"
#include "energy/geodesic_photo.h"
#include "energy/geodesic_upsample.h"
#include "energy/row_threads.h"
#include "solver/checked_memory.h"

#include <math.h>
#include <string.h>

/* Parts of the diagonal. */
enum { BAND_PER_MILLE = 35, REACH_DIVISOR = 20 };
/* Log ratios of densities are cut to ± this. */
#define RATIO_MAX 6
/* What two densities of 0 are taken for. */
#define DENSITY_UNSEEN 1e-4
/* Weights, in nats: of the log ratio, of the distance from the former border at the band's end; and
 * of what the strokes say of a colour. */
#define RATIO_WEIGHT    0.5
#define DISTANCE_WEIGHT 1.5
#define STROKES_WEIGHT  0.6

/* One more than the sum of any pixel's n-links. */
enum { FIXED = FS_N_ARCS * FS_NLINK_MAX + 1 };

enum { ALL_BACKGROUND, ALL_OBJECT, MIXED };

struct _FsSecondLook {
  FsEnergy *energy;
  const FsSeedMap *seeds;
  const FsModel *model;
  const FsGeodesicPhoto *photo;
  const FsGeodesicLevel *level;
  int32_t band; /* its half width as a distance of the level */

  uint8_t *side;        /* [cells] of the mask                           */
  uint8_t *is_other;    /* [cells] scratch                               */
  uint8_t *is_open;     /* [cells] in the band                           */
  int64_t *distance2;   /* [cells] squared, in cells, from the border; NULL before the first mask */
  int32_t *by_distance; /* cell plane: as FsModel.by_place                */
  int16_t *by_colour;   /* [FS_COLOUR_BINS]                               */
  FsColourTable *table[2];

  FsRect area;
  FsGrid grid;
  int32_t *tlink; /* [area] these and the next are the grid's */
  uint16_t *nlink[FS_N_DIRECTIONS];
  uint8_t *pixel_is_open; /* [area] */
};

gboolean
fs_energy_looks_twice (FsEnergy *energy)
{
  const FsScene *scene = fs_energy_get_model (energy)->scene;
  return scene->settings.model == FS_MODEL_GEODESIC && scene->settings.star;
}

/* --- life ---------------------------------------------------------------------------------------
 */

static void
forget_grid (FsSecondLook *look)
{
  g_clear_pointer (&look->tlink, fs_memory_free);
  g_clear_pointer (&look->pixel_is_open, fs_memory_free);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    g_clear_pointer (&look->nlink[d], fs_memory_free);
}

void
fs_second_look_free (FsSecondLook *look)
{
  if (!look)
    return;
  forget_grid (look);
  g_free (look->side);
  g_free (look->is_other);
  g_free (look->is_open);
  g_free (look->distance2);
  g_free (look->by_distance);
  g_free (look->by_colour);
  for (int side = 0; side < 2; side++)
    g_free (look->table[side]);
  g_free (look);
}

static gboolean
refuse_memory (const FsSecondLook *look, GError **error)
{
  return fs_scene_refuse_size (look->model->scene->image, error);
}

FsSecondLook *
fs_second_look_new (FsEnergy *energy, const FsSeedMap *seeds, GError **error)
{
  g_return_val_if_fail (fs_energy_looks_twice (energy), NULL);

  g_autoptr (FsSecondLook) look = g_new0 (FsSecondLook, 1);
  look->energy = energy;
  look->seeds = seeds;
  look->model = fs_energy_get_model (energy);
  look->photo = look->model->scene->kept;
  look->level = look->photo->level;
  look->band = (int32_t)((int64_t)look->level->diagonal * BAND_PER_MILLE / 1000);
  size_t n_cells = (size_t)look->level->width * (size_t)look->level->height;
  look->side = g_try_malloc (n_cells);
  look->is_other = g_try_malloc (n_cells);
  look->is_open = g_try_malloc (n_cells);
  look->by_distance = g_try_new0 (int32_t, look->level->n_plane);
  look->by_colour = g_try_new (int16_t, FS_COLOUR_BINS);
  for (int side = 0; side < 2; side++)
    look->table[side] = g_try_new (FsColourTable, 1);
  if (!look->side || !look->is_other || !look->is_open || !look->by_distance || !look->by_colour
      || !look->table[0] || !look->table[1]) {
    refuse_memory (look, error);
    return NULL;
  }
  return g_steal_pointer (&look);
}

/* --- the border
 * -----------------------------------------------------------------------------------
 */

typedef struct {
  FsSecondLook *look;
  const uint8_t *mask;
} Job;

static uint8_t
side_of_cell (const Job *job, int x, int y)
{
  const FsGeodesicLevel *level = job->look->level;
  int shift = level->shift;
  int x0 = x << shift, x1 = MIN ((x + 1) << shift, level->photo_width);
  int y0 = y << shift, y1 = MIN ((y + 1) << shift, level->photo_height);
  uint8_t any = 0, all = 1;
  for (int j = y0; j < y1; j++) {
    const uint8_t *row = job->mask + (size_t)j * (size_t)level->photo_width;
    for (int i = x0; i < x1; i++) {
      any |= row[i];
      all &= row[i];
    }
  }
  return any != all ? MIXED : all ? ALL_OBJECT : ALL_BACKGROUND;
}

static void
find_sides (int y0, int y1, gpointer data)
{
  const Job *job = data;
  int width = job->look->level->width;
  for (int y = y0; y < y1; y++)
    for (int x = 0; x < width; x++)
      job->look->side[(size_t)y * (size_t)width + (size_t)x] = side_of_cell (job, x, y);
}

/* Squared distances, in cells, to the nearest cell that is not wholly of the side. */
static int64_t *
distance2_from (FsSecondLook *look, uint8_t side)
{
  size_t n = (size_t)look->level->width * (size_t)look->level->height;
  for (size_t i = 0; i < n; i++)
    look->is_other[i] = look->side[i] != side;
  return fs_distance2 (look->is_other, look->level->width, look->level->height);
}

/* A wholly one-sided cell's distance to the nearest that is not; 0 of a mixed one. */
static void
measure (FsSecondLook *look)
{
  size_t n = (size_t)look->level->width * (size_t)look->level->height;
  g_free (look->distance2);
  look->distance2 = distance2_from (look, ALL_BACKGROUND);
  g_autofree int64_t *of_object = distance2_from (look, ALL_OBJECT);
  for (size_t i = 0; i < n; i++)
    if (look->side[i] != ALL_BACKGROUND)
      look->distance2[i] = look->side[i] == ALL_OBJECT ? of_object[i] : 0;
}

/* As a distance of the level; square roots of integers are rounded alike everywhere. */
static int32_t
distance_of (const FsSecondLook *look, size_t i)
{
  return (int32_t)(FS_GEODESIC_UNIT * sqrt ((double)look->distance2[i]));
}

/* --- t-links
 * --------------------------------------------------------------------------------------
 */

static void
collect_colours (FsSecondLook *look)
{
  const FsGeodesicLevel *level = look->level;
  int64_t reach = MAX (1, level->diagonal / REACH_DIVISOR);
  for (int side = 0; side < 2; side++)
    fs_colour_table_clear (look->table[side]);
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      size_t i = (size_t)y * (size_t)level->width + (size_t)x;
      int64_t step = (int64_t)distance_of (look, i) * FS_DECAY_STEPS / reach;
      if (look->side[i] != MIXED && step < FS_DECAY_ENTRIES)
        fs_colour_table_add (look->table[look->side[i] == ALL_OBJECT],
                             look->photo->of_cell[fs_geodesic_cell (level, x, y)],
                             look->photo->decay[step]);
    }
  for (int side = 0; side < 2; side++)
    fs_colour_table_smooth (look->table[side]);
}

static int16_t
weigh_colour (const FsSecondLook *look, size_t i)
{
  FsColourPlace place = look->photo->of_bin[i];
  double object = fs_colour_table_look_up (look->table[1], place);
  double background = fs_colour_table_look_up (look->table[0], place);
  double r = fs_exact_log ((object + DENSITY_UNSEEN) / (background + DENSITY_UNSEEN));
  double strokes = look->model->by_colour[look->model->scene->bins[i]];
  return (int16_t)floor (FS_NAT_SCALE * RATIO_WEIGHT * CLAMP (r, -RATIO_MAX, RATIO_MAX)
                         + STROKES_WEIGHT * strokes + 0.5);
}

static void
weigh_colours (FsSecondLook *look)
{
  const FsScene *scene = look->model->scene;
  collect_colours (look);
  for (size_t i = 0; i < scene->n_bins; i++)
    look->by_colour[scene->bins[i]] = weigh_colour (look, i);
}

/* Opens the band, and tells how far its cells are from the border. Returns its bounding rectangle
 * in cells. */
static FsRect
open_band (FsSecondLook *look)
{
  const FsGeodesicLevel *level = look->level;
  const int64_t most = (int64_t)(DISTANCE_WEIGHT * FS_NAT_SCALE * FS_PLACE_UNIT);
  FsRect cells = { level->width, level->height, 0, 0 };
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      size_t i = (size_t)y * (size_t)level->width + (size_t)x;
      int32_t distance = distance_of (look, i);
      look->is_open[i] = distance <= look->band;
      int32_t pull = (int32_t)(most * MIN (distance, look->band) / MAX (1, look->band));
      look->by_distance[fs_geodesic_cell (level, x, y)] =
          look->side[i] == ALL_BACKGROUND ? -pull : pull;
      if (look->is_open[i])
        cells = (FsRect){ MIN (cells.x0, x), MIN (cells.y0, y), MAX (cells.x1, x + 1),
                          MAX (cells.y1, y + 1) };
    }
  return cells;
}

/* --- the grid
 * -------------------------------------------------------------------------------------
 */

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
make_grid (FsSecondLook *look, FsRect area)
{
  const FsScene *scene = look->model->scene;
  forget_grid (look);
  look->area = area;
  look->grid = (FsGrid){ .width = area.x1 - area.x0,
                         .height = area.y1 - area.y0,
                         .neighbours = scene->settings.neighbours };
  size_t n = fs_grid_n_pixels (&look->grid);
  look->grid.tlink = look->tlink = fs_memory_new (n, sizeof *look->tlink);
  look->pixel_is_open = fs_memory_new (n, 1);
  gboolean enough = look->tlink && look->pixel_is_open;
  for (int d = 0; d < fs_scene_n_directions (scene); d++) {
    look->grid.nlink[d] = look->nlink[d] = fs_memory_new (n, sizeof *look->nlink[d]);
    enough = enough && look->nlink[d];
  }
  return enough;
}

static void
open_rows (int y0, int y1, gpointer data)
{
  FsSecondLook *look = ((const Job *)data)->look;
  const FsGeodesicLevel *level = look->level;
  int width = look->grid.width;
  for (int y = y0; y < y1; y++) {
    const uint8_t *cells =
        look->is_open + (size_t)((y + look->area.y0) >> level->shift) * (size_t)level->width;
    uint8_t *pixels = look->pixel_is_open + (size_t)y * (size_t)width;
    for (int x = 0; x < width; x++)
      pixels[x] = cells[(x + look->area.x0) >> level->shift];
  }
}

static gboolean
is_beside_band (const FsSecondLook *look, int x, int y)
{
  int width = look->grid.width, height = look->grid.height;
  for (int j = MAX (y - 1, 0); j <= MIN (y + 1, height - 1); j++)
    for (int i = MAX (x - 1, 0); i <= MIN (x + 1, width - 1); i++)
      if (look->pixel_is_open[(size_t)j * (size_t)width + (size_t)i])
        return TRUE;
  return FALSE;
}

static int32_t
fixed_tlink (const FsSecondLook *look, const uint8_t *mask, int x, int y)
{
  size_t pixel =
      (size_t)(y + look->area.y0) * (size_t)look->level->photo_width + (size_t)(x + look->area.x0);
  if (!is_beside_band (look, x, y))
    return 0;
  return mask[pixel] ? FIXED : -FIXED;
}

static void
fill_tlink_rows (int y0, int y1, gpointer data)
{
  const Job *job = data;
  FsSecondLook *look = job->look;
  const FsImage *image = look->model->scene->image;
  for (int y = y0; y < y1; y++) {
    size_t row = (size_t)y * (size_t)look->grid.width;
    size_t first = (size_t)(y + look->area.y0) * (size_t)image->width + (size_t)look->area.x0;
    int32_t *tlinks = look->tlink + row;
    fs_geodesic_upsample_row (look->level, look->by_distance, y + look->area.y0, look->area.x0,
                              look->area.x1, tlinks);
    for (int x = 0; x < look->grid.width; x++) {
      uint8_t label = look->seeds->label[first + (size_t)x];
      if (!look->pixel_is_open[row + (size_t)x])
        tlinks[x] = fixed_tlink (look, job->mask, x, y);
      else if (label != FS_SEED_NONE)
        tlinks[x] = label == FS_SEED_BACKGROUND ? -FIXED : FIXED;
      else
        tlinks[x] = ((tlinks[x] + FS_PLACE_UNIT / 2) >> 4)
                    + look->by_colour[fs_colour_bin (image->pixels[first + (size_t)x])];
    }
  }
}
G_STATIC_ASSERT (FS_PLACE_UNIT == 1 << 4);

/* A link between two pixels that are fixed decides nothing. */
static void
fill_nlink_row (FsSecondLook *look, int d, int y)
{
  int width = look->grid.width, dx = fs_direction_dx (d), dy = fs_direction_dy (d);
  size_t row = (size_t)y * (size_t)width;
  uint16_t *out = look->nlink[d] + row;
  memset (out, 0, (size_t)width * sizeof *out);
  if (y + dy >= look->grid.height)
    return;
  const uint8_t *here = look->pixel_is_open + row;
  const uint8_t *there = here + (ptrdiff_t)dy * width + dx;
  const uint16_t *in = look->model->scene->nlink[d]
                       + (size_t)(y + look->area.y0) * (size_t)look->level->photo_width
                       + (size_t)look->area.x0;
  for (int x = MAX (0, -dx); x < width - MAX (0, dx); x++)
    out[x] = here[x] | there[x] ? in[x] : 0;
}

static void
fill_nlink_rows (int y0, int y1, gpointer data)
{
  FsSecondLook *look = ((const Job *)data)->look;
  for (int d = 0; d < fs_grid_n_directions (&look->grid); d++)
    for (int y = y0; y < y1; y++)
      fill_nlink_row (look, d, y);
}

gboolean
fs_second_look_learn (FsSecondLook *look, const uint8_t *mask, FsGrid **grid, GError **error)
{
  Job job = { look, mask };
  const FsGeodesicLevel *level = look->level;
  *grid = NULL;
  fs_row_threads_run (level->height, level->width << level->shift << level->shift, find_sides,
                      &job);
  measure (look);
  FsRect cells = open_band (look);
  if (fs_rect_is_empty (cells))
    return TRUE;
  weigh_colours (look);
  if (!make_grid (look, pixels_of_cells (level, cells)))
    return refuse_memory (look, error);
  int width = look->grid.width, height = look->grid.height;
  fs_row_threads_run (height, width, open_rows, &job);
  fs_row_threads_run (height, width, fill_tlink_rows, &job);
  fs_row_threads_run (height, width, fill_nlink_rows, &job);
  *grid = &look->grid;
  return TRUE;
}

FsRect
fs_second_look_get_area (const FsSecondLook *look)
{
  return look->area;
}

/* --- masks
 * ----------------------------------------------------------------------------------------
 */

gboolean
fs_second_look_write (const FsSecondLook *look, const uint8_t *cut, uint8_t *mask)
{
  size_t width = (size_t)look->grid.width;
  uint8_t changed = 0;
  for (size_t y = 0; y < (size_t)look->grid.height; y++) {
    const uint8_t *is_open = look->pixel_is_open + y * width, *from = cut + y * width;
    uint8_t *to = mask + (y + (size_t)look->area.y0) * (size_t)look->level->photo_width
                  + (size_t)look->area.x0;
    for (size_t x = 0; x < width; x++) {
      uint8_t difference = (uint8_t)((to[x] ^ from[x]) & -is_open[x]);
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
  if (x < 0 || y < 0 || x >= look->grid.width || y >= look->grid.height
      || look->seeds->label[pixel] != FS_SEED_NONE)
    return -1;
  int64_t i = (int64_t)y * look->grid.width + x;
  return look->pixel_is_open[i] ? i : -1;
}

gboolean
fs_second_look_judge (FsSecondLook *look, const uint8_t *mask, GArray *tlinks, GError **error)
{
  const FsStability *stability = fs_energy_get_stability (look->energy);
  g_return_val_if_fail (stability, FALSE);

  g_autoptr (GArray) rejected = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  if (!fs_stability_list_rejected (stability, mask, rejected))
    return refuse_memory (look, error);
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
