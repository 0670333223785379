/* SPDX-License-Identifier: MIT */
#include "energy/energy.h"

#include "energy/energy_extras.h"
#include "energy/energy_internal.h"
#include "energy/geodesic/upsample.h"
#include "energy/guess/guess_internal.h"
#include "energy/guess/mask_seeds.h"
#include "energy/guess/opinion.h"
#include "energy/image/next_seed.h"
#include "energy/image/pixel_run.h"
#include "energy/image/row_threads.h"
#include "energy/image/target_clones.h"
#include "energy/models/registry.h"
#include "energy/terms/mask_prior.h"
#include "energy/terms/model.h"
#include "energy/terms/nlinks.h"
#include "energy/terms/photo_terms.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* One more than the sum of any pixel's links, those of a star included. */
enum { STRENGTH_IN_STAR = FS_N_ARCS * FS_NLINK_PAIR_MAX + 1 };
/* Bound of t-links: a seed's or a clamped pixel's is at most this; what colour (16 bits), place (a
 * few nats) and mask prior (16 bits and a quarter more) add up to is less. */
G_STATIC_ASSERT (STRENGTH_IN_STAR <= FS_TLINK_MAX && STRENGTH_IN_STAR > 3 * 65536);
/* Seeds whose t-links are made together, and how far ahead in the list what they follow from is
 * fetched: each row of a large photo is a page of memory of its own. */
enum { RUN_MAX = 256, AHEAD = 512 };

struct _FsEnergy {
  FsPhotoTerms *terms;
  FsModel *model;
  FsGrid grid;
  FsGridLinks links; /* of `terms`, while the grid has no planes */
  int32_t *tlink;
  uint8_t *star;          /* NULL: the model or the settings have none */
  FsGeodesicLevel *level; /* for stability: the model's, or its own; NULL until needed */
  FsMaskPrior *prior;     /* NULL for none */
  FsOpinion *opinion;     /* NULL: there is no guess */
  FsOpinionView guess;    /* of the opinion, over the photo */
  FsMaskSeeds *mask;      /* of a guess that is a finished mask; else NULL */
  int64_t n_painted;      /* pixels, at the last fit */
  /* Implicit links: the grid's planes, except the star, are filled only when needed; and the
   * t-links have not been filled since they changed. */
  gboolean is_implicit, lacks_tlinks;
};

static gboolean
add_tlinks (FsEnergy *energy, GError **error)
{
  size_t n = fs_photo_terms_n_pixels (energy->terms);
  energy->tlink = energy->is_implicit ? fs_memory_new (n, sizeof *energy->tlink)
                                      : fs_memory_new_whole (n, sizeof *energy->tlink);
  energy->grid.tlink = energy->tlink;
  if (!energy->tlink)
    return fs_photo_terms_refuse_size (energy->terms->image, error);
  if (!energy->is_implicit)
    memset (energy->tlink, 0, n * sizeof *energy->tlink);
  energy->lacks_tlinks = energy->is_implicit;
  return TRUE;
}

static gboolean
add_star (FsEnergy *energy, GError **error)
{
  size_t n = fs_photo_terms_n_pixels (energy->terms);
  energy->grid.star = energy->star = fs_memory_new_whole (n, 1);
  if (!energy->star)
    return fs_photo_terms_refuse_size (energy->terms->image, error);
  memset (energy->star, FS_STAR_NONE, n);
  return TRUE;
}

static void
borrow_nlinks (FsEnergy *energy)
{
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    energy->grid.nlink[d] = energy->terms->nlink[d];
}

/* Takes the reference to the terms. */
static FsEnergy *
energy_for_terms (FsPhotoTerms *terms, gboolean is_implicit, GError **error)
{
  g_autoptr (FsEnergy) energy = g_new0 (FsEnergy, 1);
  energy->terms = terms;
  energy->is_implicit = is_implicit;
  energy->grid = (FsGrid){ .width = terms->image->width,
                           .height = terms->image->height,
                           .neighbours = terms->settings.neighbours };
  energy->links = (FsGridLinks){ fs_nlinks_read_among, terms };
  if (is_implicit)
    energy->grid.links = &energy->links;
  else
    borrow_nlinks (energy);
  if (!add_tlinks (energy, error))
    return NULL;
  if (terms->model->fill_star && terms->settings.star && !add_star (energy, error))
    return NULL;
  energy->model = fs_model_new (terms, error);
  return energy->model ? g_steal_pointer (&energy) : NULL;
}

FsEnergy *
fs_energy_new (FsImage *image, const FsSettings *settings, const FsProgress *progress,
               GError **error)
{
  g_return_val_if_fail (image && settings, NULL);

  if (!fs_photo_terms_are_possible (image, settings, error))
    return NULL;
  FsPhotoTerms *terms =
      fs_photo_terms_new (image, settings, fs_model_class (settings->model), progress, error);
  return terms ? energy_for_terms (terms, FALSE, error) : NULL;
}

FsEnergy *
fs_energy_new_implicit (FsImage *image, const FsSettings *settings, const FsProgress *progress,
                        GError **error)
{
  g_return_val_if_fail (image && settings, NULL);

  if (!fs_photo_terms_are_possible (image, settings, error))
    return NULL;
  FsPhotoTerms *terms =
      fs_photo_terms_new_implicit (image, settings, fs_model_class (settings->model), progress,
                                   error);
  return terms ? energy_for_terms (terms, TRUE, error) : NULL;
}

FsEnergy *
fs_energy_new_sibling (FsEnergy *energy, GError **error)
{
  g_return_val_if_fail (energy, NULL);
  g_autoptr (FsEnergy) sibling =
      energy_for_terms (fs_photo_terms_ref (energy->terms), energy->is_implicit, error);
  FsGuess *guess = energy->opinion ? fs_opinion_get_guess (energy->opinion) : NULL;
  return sibling && fs_energy_set_guess (sibling, guess, error) ? g_steal_pointer (&sibling) : NULL;
}

void
fs_energy_free (FsEnergy *energy)
{
  if (!energy)
    return;
  fs_model_free (energy->model);
  fs_memory_free (energy->tlink);
  fs_memory_free (energy->star);
  fs_mask_prior_free (energy->prior);
  fs_opinion_view_clear (&energy->guess);
  fs_opinion_free (energy->opinion);
  fs_mask_seeds_free (energy->mask);
  fs_geodesic_level_unref (energy->level);
  fs_photo_terms_unref (energy->terms);
  g_free (energy);
}

FsGrid *
fs_energy_get_grid (FsEnergy *energy)
{
  g_return_val_if_fail (energy, NULL);
  return &energy->grid;
}

const FsModel *
fs_energy_get_model (FsEnergy *energy)
{
  return energy->model;
}

const FsMaskPrior *
fs_energy_get_mask_prior (FsEnergy *energy)
{
  return energy->prior;
}

/* --- arguments --- */

/* TRUE if the seed map has the photo's size. */
static gboolean
are_seeds (const FsEnergy *energy, const FsSeedMap *seeds)
{
  return seeds && seeds->label && seeds->width == energy->grid.width
         && seeds->height == energy->grid.height;
}

static gboolean
are_pixels (const FsEnergy *energy, const uint32_t *pixels, size_t n)
{
  size_t n_pixels = fs_photo_terms_n_pixels (energy->terms);
  gboolean all = pixels || n == 0;
  for (size_t i = 0; i < n && pixels; i++)
    all &= pixels[i] < n_pixels;
  return all;
}

static gboolean
is_list_of (GArray *list, size_t size_bytes)
{
  return list && g_array_get_element_size (list) == size_bytes;
}

const FsSeedMap *
fs_energy_get_all_seeds (FsEnergy *energy, const FsSeedMap *strokes)
{
  return energy->mask ? fs_mask_seeds_merge (energy->mask, strokes) : strokes;
}

/* --- what is known --- */

/* Few strokes know little that is worth keeping. */
static int32_t
prior_strength (const FsEnergy *energy)
{
  const FsModelClass *class = energy->terms->model;
  int64_t enough = (int64_t) class->prior_after << (2 * energy->level->shift);
  return energy->n_painted < enough ? (int32_t)(class->prior * energy->n_painted / enough)
                                    : class->prior;
}

int32_t
fs_energy_get_soft_tlink (FsEnergy *energy)
{
  g_return_val_if_fail (energy, 0);
  const FsPhotoTerms *terms = energy->terms;
  int32_t prior = terms->settings.stability ? fs_mask_prior_max (terms->model->prior) : 0;
  return terms->model->soft_tlink + prior + (energy->opinion ? FS_OPINION_MAX : 0);
}

gboolean
fs_energy_knows (FsEnergy *energy, uint8_t side)
{
  g_return_val_if_fail (energy && side != FS_SEED_NONE, FALSE);
  return energy->model->known[fs_model_side (side)];
}

void
fs_energy_fit (FsEnergy *energy, const FsSeedMap *seeds)
{
  g_return_if_fail (energy && are_seeds (energy, seeds));
  if (energy->opinion)
    fs_opinion_weigh (energy->opinion, seeds);
  if (energy->mask)
    fs_mask_seeds_weigh (energy->mask, seeds);
  const FsSeedMap *all = fs_energy_get_all_seeds (energy, seeds);
  energy->n_painted = (int64_t)fs_photo_terms_n_pixels (energy->terms) - all->n_seeds[FS_SEED_NONE];
  fs_model_fit (energy->model, all);
}

const FsOpinion *
fs_energy_get_opinion (FsEnergy *energy)
{
  return energy->opinion;
}

const FsOpinionView *
fs_energy_get_guess_view (FsEnergy *energy)
{
  return &energy->guess;
}

static void
forget_guess (FsEnergy *energy)
{
  fs_opinion_view_clear (&energy->guess);
  g_clear_pointer (&energy->opinion, fs_opinion_free);
  g_clear_pointer (&energy->mask, fs_mask_seeds_free);
}

gboolean
fs_energy_set_guess (FsEnergy *energy, FsGuess *guess, GError **error)
{
  g_return_val_if_fail (energy, FALSE);
  g_return_val_if_fail (!guess
                            || (guess->photo_width == energy->grid.width
                                && guess->photo_height == energy->grid.height),
                        FALSE);
  if (energy->opinion && fs_opinion_get_guess (energy->opinion) == guess)
    return TRUE;
  forget_guess (energy);
  if (!guess)
    return TRUE;
  gboolean is_mask = fs_guess_is_mask (guess);
  energy->opinion = fs_opinion_new (guess, energy->terms->image);
  if (energy->opinion)
    fs_opinion_set_outlined (energy->opinion, fs_photo_terms_is_outlined (energy->terms));
  energy->mask = is_mask ? fs_mask_seeds_new (guess) : NULL;
  if (energy->opinion && (!is_mask || energy->mask)
      && fs_opinion_view_init (&energy->guess, energy->opinion, energy->grid.width,
                               energy->grid.height))
    return TRUE;
  forget_guess (energy);
  return fs_photo_terms_refuse_size (energy->terms->image, error);
}

gboolean
fs_energy_can_fit_mask (FsEnergy *energy)
{
  g_return_val_if_fail (energy, FALSE);
  return energy->terms->model->fit_mask != NULL;
}

void
fs_energy_fit_mask (FsEnergy *energy, const uint8_t *mask)
{
  g_return_if_fail (energy && fs_energy_can_fit_mask (energy) && mask);
  energy->terms->model->fit_mask (energy->model, mask);
}

int32_t
fs_energy_get_seed_strength (FsEnergy *energy)
{
  return energy->star ? STRENGTH_IN_STAR : 0;
}

/* No cut can gain by leaving a seed on the wrong side. */
static int32_t
seed_tlink (const FsEnergy *energy, uint32_t pixel, uint8_t label)
{
  int32_t strength = energy->star ? STRENGTH_IN_STAR : fs_nlinks_sum (energy->terms, pixel);
  return label == FS_SEED_BACKGROUND ? -strength : strength;
}

static int32_t
clamped_tlink (const FsEnergy *energy, uint32_t pixel)
{
  int32_t strength = fs_nlinks_sum (energy->terms, pixel);
  return fs_mask_prior_was_object (energy->prior, pixel) ? strength : -strength;
}

static inline int32_t
place_to_tlink (int32_t by_place)
{
  return (by_place + FS_PLACE_UNIT / 2) >> 4;
}
G_STATIC_ASSERT (FS_PLACE_UNIT == 1 << 4);

int32_t
fs_energy_tlink (FsEnergy *energy, uint32_t pixel, uint8_t label)
{
  g_return_val_if_fail (energy && pixel < fs_photo_terms_n_pixels (energy->terms), 0);
  if (label == FS_SEED_NONE && energy->mask)
    label = fs_mask_seeds_get (energy->mask, pixel);
  if (label != FS_SEED_NONE)
    return seed_tlink (energy, pixel, label);
  const FsMaskPrior *prior = energy->prior;
  if (prior && fs_mask_prior_is_clamped (prior, pixel))
    return clamped_tlink (energy, pixel);
  const FsModel *model = energy->model;
  int32_t t = model->by_colour[fs_colour_bin (energy->terms->image->pixels[pixel])];
  if (model->by_place)
    t += place_to_tlink (fs_geodesic_upsample (model->level, model->by_place, pixel));
  if (energy->opinion)
    t += fs_opinion_view_get (&energy->guess, pixel);
  return prior ? t + fs_mask_prior_get (prior, pixel) : t;
}

/* --- whole planes --- */

typedef struct {
  FsEnergy *energy;
  const FsSeedMap *seeds;
  int32_t *tlinks;
  uint8_t *parents;
} Fill;

FS_TARGET_CLONES static void
fill_place_row (const FsModel *model, int y, int32_t *out)
{
  int w = model->terms->image->width;
  if (!model->by_place) {
    memset (out, 0, (size_t)w * sizeof *out);
    return;
  }
  fs_geodesic_upsample_row (model->level, model->by_place, y, 0, w, out);
  for (int x = 0; x < w; x++)
    out[x] = place_to_tlink (out[x]);
}

static void
fill_clamped (const FsEnergy *energy, const FsSeedMap *seeds, uint32_t row, int32_t *tlinks)
{
  for (uint32_t x = 0; x < (uint32_t)energy->grid.width; x++)
    if (fs_mask_prior_is_clamped (energy->prior, row + x) && seeds->label[row + x] == FS_SEED_NONE)
      tlinks[x] = clamped_tlink (energy, row + x);
}

/* The bins are found first, in vectors. */
FS_TARGET_CLONES static void
add_colours (const int16_t *by_colour, const uint32_t *pixels, size_t n, int32_t *tlinks)
{
  uint32_t bins[RUN_MAX];
  for (size_t i = 0; i < n; i++)
    bins[i] = fs_colour_bin (pixels[i]);
#pragma GCC unroll 4
  for (size_t i = 0; i < n; i++)
    tlinks[i] += by_colour[bins[i]];
}

static void
fill_seeds (const FsEnergy *energy, const FsSeedMap *seeds, uint32_t row, int32_t *tlinks)
{
  const uint8_t *labels = seeds->label + row;
  size_t w = (size_t)energy->grid.width;
  for (size_t x = fs_next_seed (labels, 0, w); x < w; x = fs_next_seed (labels, x + 1, w))
    tlinks[x] = seed_tlink (energy, row + (uint32_t)x, labels[x]);
}

static void
fill_tlink_rows (int y0, int y1, gpointer data)
{
  const Fill *fill = data;
  FsEnergy *energy = fill->energy;
  const int16_t *by_colour = energy->model->by_colour;
  uint32_t w = (uint32_t)energy->grid.width;
  for (int y = y0; y < y1; y++) {
    size_t row = (size_t)y * w;
    const uint32_t *pixels = energy->terms->image->pixels + row;
    int32_t *tlinks = fill->tlinks + row;
    fill_place_row (energy->model, y, tlinks);
    if (energy->opinion)
      fs_opinion_view_add_row (&energy->guess, y, 0, (int)w, tlinks);
    if (energy->prior)
      fs_mask_prior_add_row (energy->prior, y, tlinks);
    for (uint32_t x = 0; x < w; x += RUN_MAX)
      add_colours (by_colour, pixels + x, MIN (RUN_MAX, w - x), tlinks + x);
    fill_seeds (energy, fill->seeds, (uint32_t)row, tlinks);
    if (energy->prior && fs_mask_prior_has_clamped (energy->prior))
      fill_clamped (energy, fill->seeds, (uint32_t)row, tlinks);
  }
}

void
fs_energy_fill_tlinks (FsEnergy *energy, const FsSeedMap *seeds, int32_t *tlinks)
{
  g_return_if_fail (energy && are_seeds (energy, seeds) && tlinks);
  Fill fill = { energy, fs_energy_get_all_seeds (energy, seeds), tlinks, NULL };
  if (energy->is_implicit && tlinks == energy->tlink)
    fs_memory_need (tlinks, fs_photo_terms_n_pixels (energy->terms), sizeof *tlinks);
  fs_row_threads_run (energy->grid.height, energy->grid.width, fill_tlink_rows, &fill);
}

static void
fill_star_rows (int y0, int y1, gpointer data)
{
  const Fill *fill = data;
  const FsModel *model = fill->energy->model;
  model->terms->model->fill_star (model, fill->seeds, y0, y1, fill->parents);
}

gboolean
fs_energy_has_star (FsEnergy *energy)
{
  g_return_val_if_fail (energy, FALSE);
  return energy->star != NULL;
}

void
fs_energy_fill_star (FsEnergy *energy, const FsSeedMap *seeds, uint8_t *parents)
{
  g_return_if_fail (energy && fs_energy_has_star (energy));
  g_return_if_fail (are_seeds (energy, seeds) && parents);

  Fill fill = { energy, fs_energy_get_all_seeds (energy, seeds), NULL, parents };
  fs_row_threads_run (energy->grid.height, energy->grid.width, fill_star_rows, &fill);
}

void
fs_energy_fill_grid (FsEnergy *energy, const FsSeedMap *seeds)
{
  g_return_if_fail (energy && are_seeds (energy, seeds));
  energy->lacks_tlinks = energy->is_implicit;
  if (!energy->is_implicit)
    fs_energy_fill_tlinks (energy, seeds, energy->tlink);
  if (energy->star)
    fs_energy_fill_star (energy, seeds, energy->star);
}

gboolean
fs_energy_need_planes (FsEnergy *energy, const FsSeedMap *seeds, GError **error)
{
  if (!energy->is_implicit)
    return TRUE;
  if (!fs_nlinks_need (energy->terms, error))
    return FALSE;
  borrow_nlinks (energy);
  if (energy->lacks_tlinks)
    fs_energy_fill_tlinks (energy, seeds, energy->tlink);
  energy->lacks_tlinks = FALSE;
  return TRUE;
}

gboolean
fs_energy_lacks_tlinks (FsEnergy *energy)
{
  return energy->lacks_tlinks;
}

/* --- strokes --- */

/* Many sums of n-links are worth the planes. */
static void
make_ready_for (FsEnergy *energy, size_t n)
{
  if (n > fs_photo_terms_n_pixels (energy->terms) / 32)
    fs_nlinks_need (energy->terms, NULL); /* without memory for them it takes longer */
}

/* The length of the run of consecutive seeds at the beginning of n pixels, at least one. */
static size_t
count_run (const FsEnergy *energy, const FsSeedMap *seeds, const uint32_t *pixels, size_t n)
{
  size_t w = (size_t)energy->grid.width, left = w - pixels[0] % w;
  const uint8_t *labels = seeds->label + pixels[0];
  if (energy->star || labels[0] == FS_SEED_NONE)
    return 1;
  size_t run = fs_pixel_run_count (pixels, MIN (MIN (n, RUN_MAX), left));
  const uint8_t *end = memchr (labels, FS_SEED_NONE, run);
  return end ? (size_t)(end - labels) : run;
}

/* The t-links of a run of seeds whose strength follows from their n-links. */
static void
fill_run (const FsEnergy *energy, const FsSeedMap *seeds, uint32_t first, size_t n,
          FsTlinkChange *changes)
{
  int32_t sums[RUN_MAX];
  fs_nlinks_sums (energy->terms, first, (int)n, sums);
  for (size_t i = 0; i < n; i++) {
    uint32_t pixel = first + (uint32_t)i;
    changes[i] =
        (FsTlinkChange){ pixel, seeds->label[pixel] == FS_SEED_BACKGROUND ? -sums[i] : sums[i] };
  }
}

static void
fill_changes (FsEnergy *energy, const FsSeedMap *seeds, const uint32_t *pixels, size_t n,
              GArray *tlinks)
{
  if (!energy->star)
    make_ready_for (energy, n);
  g_array_set_size (tlinks, (guint)n);
  FsTlinkChange *changes = (FsTlinkChange *)(gpointer)tlinks->data;
  for (size_t i = 0, run; i < n; i += run) {
    if (i + AHEAD < n)
      fs_nlinks_fetch (energy->terms, pixels[i + AHEAD]);
    run = count_run (energy, seeds, pixels + i, n - i);
    if (run > 1)
      fill_run (energy, seeds, pixels[i], run, changes + i);
    else
      changes[i] = (FsTlinkChange){ pixels[i],
                                    fs_energy_tlink (energy, pixels[i], seeds->label[pixels[i]]) };
  }
}

gboolean
fs_energy_extend_some (FsEnergy *energy, const FsSeedMap *seeds, const uint32_t *pixels, size_t n,
                       size_t max_pixels, GArray *tlinks, GArray *star)
{
  g_return_val_if_fail (energy && are_seeds (energy, seeds), TRUE);
  g_return_val_if_fail (are_pixels (energy, pixels, n), TRUE);
  g_return_val_if_fail (is_list_of (star, sizeof (FsStarChange)), TRUE);
  g_return_val_if_fail (!tlinks || is_list_of (tlinks, sizeof (FsTlinkChange)), TRUE);
  g_array_set_size (star, 0);
  if (energy->mask)
    seeds = fs_mask_seeds_change (energy->mask, seeds, pixels, n);
  gboolean is_finished = TRUE;
  if (energy->star)
    is_finished = energy->terms->model->extend_star (energy->model, seeds, pixels, n, max_pixels,
                                                     energy->star, star);
  if (tlinks)
    fill_changes (energy, seeds, pixels, n, tlinks);
  return is_finished;
}

void
fs_energy_extend (FsEnergy *energy, const FsSeedMap *seeds, const uint32_t *pixels, size_t n,
                  GArray *tlinks, GArray *star)
{
  fs_energy_extend_some (energy, seeds, pixels, n, SIZE_MAX, tlinks, star);
}

/* --- mask prior --- */

static gboolean
find_level (FsEnergy *energy)
{
  FsImage *image = energy->terms->image;
  int shift = fs_geodesic_shift (image->width, image->height, FS_GEODESIC_CELLS);
  if (!energy->level && energy->model->level)
    energy->level = fs_geodesic_level_ref ((FsGeodesicLevel *)energy->model->level);
  if (!energy->level)
    energy->level = fs_geodesic_level_new (image, shift);
  return energy->level != NULL;
}

/* By the labels of the last fit, where the model knows their cells. */
static gboolean
bound_answer (FsEnergy *energy, const uint8_t *previous, const uint32_t *painted, size_t n)
{
  const FsModel *model = energy->model;
  int32_t strength = energy->terms->model->depth_prior;
  return strength == 0 || !model->seed_bits
         || fs_mask_prior_bound_answer (energy->prior, previous, painted, n, model->seed_bits,
                                        strength);
}

/* The prior is weakened where the guess that made the previous mask has lost trust. */
static void
weaken_prior (FsEnergy *energy, const uint32_t *painted, size_t n)
{
  int width, height;
  g_autofree uint16_t *trust =
      fs_opinion_get_remaining_trust (energy->opinion, painted, n, &width, &height);
  if (trust)
    fs_mask_prior_weaken (energy->prior, trust, width, height);
}

gboolean
fs_energy_set_mask_prior (FsEnergy *energy, const uint8_t *previous, const uint32_t *painted,
                          size_t n, GError **error)
{
  g_return_val_if_fail (energy && are_pixels (energy, painted, n), FALSE);
  g_clear_pointer (&energy->prior, fs_mask_prior_free);
  if (!previous)
    return TRUE;
  if (find_level (energy))
    energy->prior =
        fs_mask_prior_new (energy->level, previous, painted, n, prior_strength (energy));
  if (energy->prior && !bound_answer (energy, previous, painted, n))
    g_clear_pointer (&energy->prior, fs_mask_prior_free);
  if (energy->prior && energy->opinion)
    weaken_prior (energy, painted, n);
  return energy->prior || fs_photo_terms_refuse_size (energy->terms->image, error);
}

gboolean
fs_energy_has_mask_prior (FsEnergy *energy)
{
  g_return_val_if_fail (energy, FALSE);
  return energy->prior != NULL;
}

gboolean
fs_energy_filter_changes (FsEnergy *energy, const uint8_t *mask, GArray *tlinks, GError **error)
{
  g_return_val_if_fail (energy && energy->prior && mask, FALSE);
  g_return_val_if_fail (is_list_of (tlinks, sizeof (FsTlinkChange)), FALSE);

  g_autoptr (GArray) clamped = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  g_array_set_size (tlinks, 0);
  if (!fs_mask_prior_filter (energy->prior, mask, clamped))
    return fs_photo_terms_refuse_size (energy->terms->image, error);
  make_ready_for (energy, clamped->len);
  for (guint i = 0; i < clamped->len; i++) {
    uint32_t pixel = g_array_index (clamped, uint32_t, i);
    FsTlinkChange change = { pixel, clamped_tlink (energy, pixel) };
    g_array_append_val (tlinks, change);
  }
  return TRUE;
}

void
fs_energy_restore (FsEnergy *energy, uint8_t *mask)
{
  g_return_if_fail (energy && mask);
  if (energy->prior)
    fs_mask_prior_restore (energy->prior, mask);
}
