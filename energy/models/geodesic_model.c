/* SPDX-License-Identifier: MIT */
/* Distances, star and colours near the strokes: energy.h has the formulas and their sources. */
#include "energy/terms/model.h"

#include "energy/geodesic/field.h"
#include "energy/geodesic/sources.h"
#include "energy/geodesic/star.h"
#include "energy/image/exact_math.h"
#include "energy/image/row_threads.h"
#include "energy/models/geodesic_photo.h"
#include "energy/models/near_samples.h"
#include "energy/terms/lab_contrast.h"
#include "energy/terms/scale.h"
#include "solver/system/checked_memory.h"

#include <math.h>
#include <string.h>

/* Photos of up to this many pixels have λ = Parameters.lambda. */
#define LAMBDA_PIXELS 200000.0
/* Log ratios of densities are cut to ± this. */
#define RATIO_MAX 6
/* Weight of these log ratios. */
#define COLOUR_WEIGHT 0.7
/* Added to both densities, so that a colour never seen is neutral. */
#define DENSITY_UNSEEN 1e-6
/* Painted background pixels of the level that double the distance of the frame. */
#define FRAME_FADES_AFTER 1000
/* Among strokes the place term loses PLACE_LOSS of its weight, linearly while the painted fraction
 * of the photo rises from PAINTED_FEW to PAINTED_MANY: the more is painted, the more the colours
 * near it are worth. */
#define PLACE_LOSS   0.75
#define PAINTED_FEW  0.008
#define PAINTED_MANY 0.03
/* Within a lasso or trimap it loses all of it, while object seeds come to cover from CORE_SMALL to
 * CORE_LARGE of what is not background: a narrow strip is left then. */
#define CORE_SMALL 0.4
#define CORE_LARGE 0.6
/* The object bias, in nats, that replaces it: people leave a narrow strip open for hair and fur,
 * and mixed pixels belong to the object. */
#define STRIP_OBJECT_BIAS 1.0
/* The cost of weighing a colour, in pixels' work. */
enum { PIXELS_A_COLOUR = 20 };
/* The cost of a step from one likelihood to the other. */
#define STEP_COST (10 * FS_GEODESIC_UNIT)

/* Parameters that differ between strokes and a lasso or trimap. */
typedef struct {
  double lambda; /* of the n-links of equal neighbours, in nats                 */
  double place;  /* weight of the difference of the two second distances, in nats */
} Parameters;

static const Parameters among_strokes = { .lambda = 55, .place = 3 };
static const Parameters within_lasso = { .lambda = 40, .place = 4 };

static const Parameters *
parameters_of (const FsPhotoTerms *terms)
{
  return terms->settings.star ? &among_strokes : &within_lasso;
}

enum { N_RATIOS = 2 * RATIO_MAX * FS_NAT_SCALE + 1 };

typedef enum { TO_OBJECT, TO_BACKGROUND, TO_FRAME, N_SECOND } Second;

typedef struct {
  FsModel base;
  const FsGeodesicPhoto *photo;
  FsGeodesicSources *sources;
  FsGeodesicField *frame; /* distances from the frame as it stands */
  size_t n_frame_cells;
  gboolean is_framed;                   /* the frame stands for background */
  FsGeodesicField *object, *background; /* first distances               */
  FsStar *star;
  FsGeodesicField *second[N_SECOND];
  int32_t *faded;      /* cell plane: distance to the background, frame included */
  uint16_t *potential; /* cell plane */
  int32_t *place;      /* cell plane: the model's by_place */
  FsCellList *cells;   /* scratch */
  FsColourTable *table[2];
  uint16_t potential_of[N_RATIOS];
} GeodesicModel;

/* --- life --- */

/* A border of the same shape has more pixels in a larger photo, but by far fewer than what it
 * surrounds. Full compensation would be the square root. */
static double
nlink_max (const FsPhotoTerms *terms)
{
  double size = (double)fs_photo_terms_n_pixels (terms) / LAMBDA_PIXELS;
  double lambda = parameters_of (terms)->lambda;
  if (size > 1)
    lambda *= fs_exact_exp (fs_exact_log (size) / 3);
  return lambda * FS_NAT_SCALE * terms->settings.smoothness;
}

static gboolean
fill_nlinks (FsPhotoTerms *terms, const FsProgress *progress, GError **error)
{
  return fs_lab_contrast_fill (terms, nlink_max (terms), progress, error);
}

static gboolean
make_tables (FsPhotoTerms *terms, const FsProgress *progress, GError **error)
{
  return fs_lab_contrast_make_tables (terms, nlink_max (terms), progress, error);
}

static gpointer
new_photo (FsPhotoTerms *terms, const FsProgress *progress, GError **error)
{
  return fs_geodesic_photo_new (terms, nlink_max (terms), progress, error);
}

static void
free_photo (gpointer photo)
{
  fs_geodesic_photo_free (photo);
}

/* P = 1 / (1 + e^(−r)) of every r there is, as a potential. */
static void
fill_potentials (GeodesicModel *model)
{
  for (int i = 0; i < N_RATIOS; i++) {
    double r = (double)i / FS_NAT_SCALE - RATIO_MAX;
    double p = 1 / (1 + fs_exact_exp (-r));
    model->potential_of[i] = (uint16_t)floor (STEP_COST * p + 0.5);
  }
}

static gboolean
allocate_model (GeodesicModel *model)
{
  FsGeodesicLevel *level = model->photo->level;
  model->sources = fs_geodesic_sources_new (level);
  model->frame =
      fs_geodesic_field_new (level, FS_GEODESIC_MU_DISTANCES, FS_NEIGHBOURS_8, FS_CELL_FRAME);
  model->object =
      fs_geodesic_field_new (level, FS_GEODESIC_MU_DISTANCES, FS_NEIGHBOURS_8, FS_CELL_OBJECT);
  model->background =
      fs_geodesic_field_new (level, FS_GEODESIC_MU_DISTANCES, FS_NEIGHBOURS_8, FS_CELL_BACKGROUND);
  model->star = fs_star_new (level, model->base.terms->settings.neighbours);
  const uint8_t bits[N_SECOND] = { FS_CELL_OBJECT, FS_CELL_BACKGROUND, FS_CELL_FRAME };
  gboolean enough =
      model->sources && model->frame && model->object && model->background && model->star;
  for (int i = 0; i < N_SECOND; i++) {
    model->second[i] =
        fs_geodesic_field_new (level, FS_GEODESIC_MU_DISTANCES, FS_NEIGHBOURS_8, bits[i]);
    enough = enough && model->second[i];
  }
  model->faded = g_try_new0 (int32_t, level->n_plane);
  model->potential = g_try_new0 (uint16_t, level->n_plane);
  model->place = g_try_new0 (int32_t, level->n_plane);
  for (int side = 0; side < 2; side++)
    if ((model->table[side] = fs_memory_new_whole (1, sizeof *model->table[side])))
      fs_colour_table_clear (model->table[side]);
  return enough && model->faded && model->potential && model->place && model->table[0]
         && model->table[1];
}

static void
measure_frame (GeodesicModel *model)
{
  const FsGeodesicLevel *level = model->photo->level;
  fs_geodesic_field_compute (model->frame, model->sources->bits, NULL);
  model->n_frame_cells = 0;
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++)
      model->n_frame_cells +=
          (model->sources->bits[fs_geodesic_cell (level, x, y)] & FS_CELL_FRAME) != 0;
}

static gboolean
init (FsModel *base, GError **error)
{
  GeodesicModel *model = (GeodesicModel *)base;
  model->photo = base->terms->model_photo;
  model->cells = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  base->level = model->photo->level;
  if (!allocate_model (model))
    return fs_photo_terms_refuse_size (base->terms->image, error);
  measure_frame (model);
  fill_potentials (model);
  return TRUE;
}

static void
clear_model (FsModel *base)
{
  GeodesicModel *model = (GeodesicModel *)base;
  fs_geodesic_sources_free (model->sources);
  fs_geodesic_field_free (model->frame);
  fs_geodesic_field_free (model->object);
  fs_geodesic_field_free (model->background);
  fs_star_free (model->star);
  for (int i = 0; i < N_SECOND; i++)
    fs_geodesic_field_free (model->second[i]);
  g_array_unref (model->cells);
  g_free (model->faded);
  g_free (model->potential);
  g_free (model->place);
  for (int side = 0; side < 2; side++)
    fs_memory_free (model->table[side]);
}

/* --- distances --- */

/* The frame is a background that fades as more of the background is painted:
 * min(d_B, 1.1·(1 + n_B/1000)·d_frame), or 1.1·d_frame alone; or d_B alone (is_framed). */
static void
fade_frame (const GeodesicModel *model, const FsSeedMap *seeds, FsGeodesicField *background,
            FsGeodesicField *frame)
{
  const FsGeodesicLevel *level = model->photo->level;
  const int32_t *to_background = fs_geodesic_field_get_distances (background);
  const int32_t *to_frame = fs_geodesic_field_get_distances (frame);
  int64_t unit = (int64_t)FRAME_FADES_AFTER << (2 * level->shift);
  size_t row_bytes = (size_t)level->width * sizeof (int32_t);
  int64_t factor = 11 * (unit + seeds->n_seeds[FS_SEED_BACKGROUND]) * 256 / (10 * unit);
  for (int y = 0; y < level->height; y++) {
    size_t row = fs_geodesic_cell (level, 0, y);
    if (!model->is_framed) {
      memcpy (model->faded + row, to_background + row, row_bytes);
      continue;
    }
    for (size_t i = row; i < row + (size_t)level->width; i++) {
      int64_t faded = to_frame[i] * factor >> 8;
      model->faded[i] = (int32_t)MIN (faded, to_background[i]);
    }
  }
}

/* --- colours --- */

static void
collect_samples (GeodesicModel *model)
{
  FsNearSamples samples = { .photo = model->photo,
                            .bits = model->sources->bits,
                            .to_object = fs_geodesic_field_get_distances (model->object),
                            .to_background = model->faded,
                            .n_frame_cells = model->is_framed ? model->n_frame_cells : 0,
                            .known = { model->base.known[0], model->base.known[1] } };
  fs_near_samples_collect (&samples, model->table);
}

/* r of up to FS_COLOURS_AT_ONCE places, in units of the data scale. */
static void
log_ratios (const GeodesicModel *model, const FsColourPlace *places, int n, int16_t *out)
{
  double r[FS_COLOURS_AT_ONCE];
  fs_colour_tables_log_ratios (model->table, places, n, DENSITY_UNSEEN, r);
  for (int i = 0; i < n; i++)
    out[i] =
        (int16_t)floor (FS_NAT_SCALE * COLOUR_WEIGHT * CLAMP (r[i], -RATIO_MAX, RATIO_MAX) + 0.5);
}

static void
weigh_colours (const FsModel *base, const FsColourPlace *places, int n, int16_t *out)
{
  for (int i = 0; i < n; i += FS_COLOURS_AT_ONCE)
    log_ratios ((const GeodesicModel *)base, places + i, MIN (FS_COLOURS_AT_ONCE, n - i), out + i);
}

static void
fill_potential_rows (int y0, int y1, gpointer data)
{
  GeodesicModel *model = data;
  const FsGeodesicLevel *level = model->photo->level;
  int16_t r[FS_COLOURS_AT_ONCE];
  for (int y = y0; y < y1; y++)
    for (int x = 0; x < level->width; x += FS_COLOURS_AT_ONCE) {
      size_t cell = fs_geodesic_cell (level, x, y);
      int n = MIN (FS_COLOURS_AT_ONCE, level->width - x);
      log_ratios (model, model->photo->of_cell + cell, n, r);
      for (int i = 0; i < n; i++)
        model->potential[cell + (size_t)i] = model->potential_of[r[i] + RATIO_MAX * FS_NAT_SCALE];
    }
}

static void
fill_potential (GeodesicModel *model)
{
  const FsGeodesicLevel *level = model->photo->level;
  fs_row_threads_run (level->height, level->width * PIXELS_A_COLOUR, fill_potential_rows, model);
}

static void
fill_bins (int first, int last, gpointer data)
{
  GeodesicModel *model = data;
  const FsPhotoTerms *terms = model->base.terms;
  int16_t r[FS_COLOURS_AT_ONCE];
  for (int i = first; i < last; i += FS_COLOURS_AT_ONCE) {
    int n = MIN (FS_COLOURS_AT_ONCE, last - i);
    log_ratios (model, model->photo->of_bin + i, n, r);
    for (int j = 0; j < n; j++)
      model->base.by_colour[terms->bins[i + j]] = r[j];
  }
}

static void
fill_by_colour (GeodesicModel *model)
{
  fs_row_threads_run ((int)model->base.terms->n_bins, PIXELS_A_COLOUR, fill_bins, model);
}

/* --- place --- */

/* Linear from 0 at `from` to 1 at `to`, clamped. */
static double
ramp (double x, double from, double to)
{
  return CLAMP ((x - from) / (to - from), 0, 1);
}

/* The narrowness, from 0 to 1, of the strip that a lasso or trimap leaves open; 0 among strokes. */
static double
narrowness (const GeodesicModel *model, const FsSeedMap *seeds)
{
  const FsPhotoTerms *terms = model->base.terms;
  if (terms->settings.star || !model->base.known[0])
    return 0;
  double n_inside =
      (double)fs_photo_terms_n_pixels (terms) - (double)seeds->n_seeds[FS_SEED_BACKGROUND];
  double n_free = (double)seeds->n_seeds[FS_SEED_NONE];
  return ramp ((n_inside - n_free) / n_inside, CORE_SMALL, CORE_LARGE);
}

static double
place_weight (const GeodesicModel *model, const FsSeedMap *seeds)
{
  const FsPhotoTerms *terms = model->base.terms;
  double weight = parameters_of (terms)->place;
  if (!model->base.known[0])
    return weight;
  double n = (double)fs_photo_terms_n_pixels (terms), n_free = (double)seeds->n_seeds[FS_SEED_NONE];
  if (terms->settings.star)
    return weight * (1 - PLACE_LOSS * ramp ((n - n_free) / n, PAINTED_FEW, PAINTED_MANY));
  return weight * (1 - narrowness (model, seeds));
}

/* G = w·(g_B − g_F) / (g_F + g_B), and the object bias of a narrow strip. */
static void
fill_place (GeodesicModel *model, const FsSeedMap *seeds)
{
  const FsGeodesicLevel *level = model->photo->level;
  const int32_t *to_object = fs_geodesic_field_get_distances (model->second[TO_OBJECT]);
  const double unit = FS_NAT_SCALE * FS_PLACE_UNIT;
  const int64_t scale = (int64_t)(place_weight (model, seeds) * unit);
  const int32_t bias = (int32_t)(STRIP_OBJECT_BIAS * narrowness (model, seeds) * unit);
  for (int y = 0; y < level->height; y++) {
    size_t row = fs_geodesic_cell (level, 0, y);
    for (size_t cell = row; cell < row + (size_t)level->width; cell++) {
      int64_t object = to_object[cell], background = model->faded[cell], sum = object + background;
      model->place[cell] = bias;
      if (sum > 0)
        model->place[cell] += (int32_t)(scale * (background - object) / sum);
    }
  }
}

enum { FIRST_OBJECT, FIRST_BACKGROUND, N_FIRST };

static void
compute_first (int from, int to, gpointer data)
{
  const GeodesicModel *model = data;
  for (int i = from; i < to; i++)
    fs_geodesic_field_compute (i == FIRST_OBJECT ? model->object : model->background,
                               model->sources->bits, NULL);
}

/* The star, which does not depend on colours, is computed in parallel with the second distances. */
static void
compute_second (int from, int to, gpointer data)
{
  const GeodesicModel *model = data;
  for (int i = from; i < to; i++)
    if (i < N_SECOND)
      fs_geodesic_field_compute (model->second[i], model->sources->bits, model->potential);
    else
      fs_star_compute (model->star, model->sources);
}

static void
fit_colours (GeodesicModel *model, const FsSeedMap *seeds)
{
  fs_row_threads_run_each (N_FIRST, compute_first, model);
  fade_frame (model, seeds, model->background, model->frame);
  collect_samples (model);
  fill_by_colour (model);
}

static void
fit_place (GeodesicModel *model, const FsSeedMap *seeds)
{
  fill_potential (model);
  fs_row_threads_run_each (N_SECOND + 1, compute_second, model);
  fade_frame (model, seeds, model->second[TO_BACKGROUND], model->second[TO_FRAME]);
  fill_place (model, seeds);
  model->base.by_place = model->place;
}

/* Within a lasso, object strokes do not refute the frame. */
static void
refute_frame (GeodesicModel *model)
{
  const FsModel *base = &model->base;
  gboolean by_object = base->known[0] && base->terms->settings.star;
  if (fs_geodesic_sources_refute_frame (model->sources, by_object))
    measure_frame (model);
  model->is_framed = model->n_frame_cells > 0;
}

static void
fit_model (FsModel *base, const FsSeedMap *seeds)
{
  GeodesicModel *model = (GeodesicModel *)base;
  gboolean knows_anything = base->known[0] || base->known[1];
  fs_geodesic_sources_set (model->sources, seeds);
  base->seed_bits = model->sources->bits;
  refute_frame (model);
  if (knows_anything)
    fit_colours (model, seeds);
  else
    fs_model_say_nothing (base);
  if (knows_anything && base->known[1]) {
    fit_place (model, seeds);
    return;
  }
  base->by_place = NULL;
  fs_star_compute (model->star, model->sources);
}

/* --- star --- */

static void
fill_star (const FsModel *base, const FsSeedMap *seeds, int y0, int y1, uint8_t *parents)
{
  const GeodesicModel *model = (const GeodesicModel *)base;
  fs_star_fill_rows (model->star, seeds, y0, y1, parents);
}

static gboolean
extend_star (FsModel *base, const FsSeedMap *seeds, const uint32_t *pixels, size_t n,
             size_t max_pixels, const uint8_t *parents, GArray *changes)
{
  GeodesicModel *model = (GeodesicModel *)base;
  g_array_set_size (model->cells, 0);
  fs_geodesic_sources_update (model->sources, seeds, pixels, n, model->cells);
  FsStarEdit edit = { .seeds = seeds,
                      .sources = model->sources,
                      .pixels = pixels,
                      .n_pixels = n,
                      .cells = (const uint32_t *)(gpointer)model->cells->data,
                      .n_cells = model->cells->len };
  size_t max_cells = max_pixels >> (2 * base->level->shift);
  return fs_star_update (model->star, &edit, max_cells, parents, changes);
}

const FsModelClass fs_model_geodesic = {
  .soft_tlink = (int32_t)((COLOUR_WEIGHT * RATIO_MAX + 4) * FS_NAT_SCALE) + 1, /* of rounding */
  .prior = 12 * FS_NAT_SCALE,
  .prior_after = 117,
  .depth_prior = 3 * FS_NAT_SCALE,
  .fill_nlinks = fill_nlinks,
  .make_tables = make_tables,
  .new_photo = new_photo,
  .free_photo = free_photo,
  .size_bytes = sizeof (GeodesicModel),
  .init = init,
  .clear = clear_model,
  .fit = fit_model,
  .weigh_colours = weigh_colours,
  .fill_star = fill_star,
  .extend_star = extend_star,
};
