/* SPDX-License-Identifier: MIT */
#include "energy/energy.h"

#include "energy/colour_model.h"
#include "energy/contrast.h"
#include "energy/far_samples.h"

#include <math.h>

/* What follows from the photo and the settings alone; shared by siblings, immutable once made. */
typedef struct {
  FsImage *image;
  uint16_t *nlink[FS_N_DIRECTIONS];
  GArray *bins; /* of uint32_t: the colours that occur in the photo */
} Links;

struct _FsEnergy {
  Links *links;
  FsImage *image; /* = links->image */
  FsGrid grid;
  int32_t *tlink;
  int16_t *table; /* [FS_COLOUR_BINS]: colour → t-link */
  FsColourHistogram histogram[2];
  gboolean known[2];
};

static int
side_index (uint8_t label)
{
  return label == FS_SEED_BACKGROUND ? 0 : 1;
}

static void
links_clear (gpointer data)
{
  Links *links = data;
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    g_free (links->nlink[d]);
  g_clear_pointer (&links->bins, g_array_unref);
  fs_image_unref (links->image);
}

static void
links_unref (Links *links)
{
  if (links)
    g_atomic_rc_box_release_full (links, links_clear);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Links, links_unref)

static gboolean
refuse_size (const FsImage *image, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for the links of %d × %d pixels", image->width, image->height);
  return FALSE;
}

/* Tables are filled for these colours only: a photo has far fewer than there are bins. */
static GArray *
occurring_bins (const FsImage *image)
{
  g_autofree uint8_t *seen = g_malloc0 (FS_COLOUR_BINS);
  size_t n = (size_t)image->width * (size_t)image->height;
  for (size_t i = 0; i < n; i++)
    seen[fs_colour_bin (image->pixels[i])] = 1;

  GArray *bins = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (uint32_t bin = 0; bin < FS_COLOUR_BINS; bin++)
    if (seen[bin])
      g_array_append_val (bins, bin);
  return bins;
}

static Links *
links_new (FsImage *image, const FsSettings *settings, const FsProgress *progress, GError **error)
{
  g_autoptr (Links) links = g_atomic_rc_box_new0 (Links);
  links->image = fs_image_ref (image);
  int n_directions = settings->neighbours == FS_NEIGHBOURS_8 ? 4 : 2;
  size_t n = (size_t)image->width * (size_t)image->height;
  for (int d = 0; d < n_directions; d++)
    if (!(links->nlink[d] = g_try_new (uint16_t, n)) && !refuse_size (image, error))
      return NULL;

  g_autofree FsContrastTable *contrast =
      fs_contrast_table_new (FS_LAMBDA * FS_DATA_SCALE * settings->smoothness);
  if (!fs_contrast_fill (contrast, image, n_directions, links->nlink, progress, error))
    return NULL;
  links->bins = occurring_bins (image);
  return g_steal_pointer (&links);
}

/* Takes the reference to `links`. */
static FsEnergy *
energy_for_links (Links *links, FsNeighbours neighbours, GError **error)
{
  g_autoptr (FsEnergy) energy = g_new0 (FsEnergy, 1);
  energy->links = links;
  energy->image = links->image;
  energy->grid = (FsGrid){ .width = links->image->width,
                           .height = links->image->height,
                           .neighbours = neighbours };
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    energy->grid.nlink[d] = links->nlink[d];
  energy->grid.tlink = energy->tlink = g_try_new0 (int32_t, fs_grid_n_pixels (&energy->grid));
  if (!energy->tlink && !refuse_size (links->image, error))
    return NULL;
  energy->table = g_new0 (int16_t, FS_COLOUR_BINS);
  const uint32_t *bins = (const uint32_t *)(gpointer)links->bins->data;
  for (int side = 0; side < 2; side++)
    fs_colour_histogram_init (&energy->histogram[side], bins, links->bins->len);
  return g_steal_pointer (&energy);
}

FsEnergy *
fs_energy_new (FsImage *image, const FsSettings *settings, const FsProgress *progress,
               GError **error)
{
  g_return_val_if_fail (image && settings, NULL);
  g_return_val_if_fail (settings->smoothness >= 0 && settings->smoothness <= FS_SMOOTHNESS_MAX,
                        NULL);

  Links *links = links_new (image, settings, progress, error);
  return links ? energy_for_links (links, settings->neighbours, error) : NULL;
}

FsEnergy *
fs_energy_new_sibling (FsEnergy *energy, GError **error)
{
  return energy_for_links (g_atomic_rc_box_acquire (energy->links), energy->grid.neighbours, error);
}

void
fs_energy_free (FsEnergy *energy)
{
  if (!energy)
    return;
  for (int side = 0; side < 2; side++)
    fs_colour_histogram_clear (&energy->histogram[side]);
  g_free (energy->tlink);
  g_free (energy->table);
  links_unref (energy->links);
  g_free (energy);
}

FsGrid *
fs_energy_get_grid (FsEnergy *energy)
{
  return &energy->grid;
}

gboolean
fs_energy_knows (FsEnergy *energy, uint8_t side)
{
  return energy->known[side_index (side)];
}

static void
collect_seed_colours (FsEnergy *energy, const FsSeedMap *seeds)
{
  size_t n = fs_grid_n_pixels (&energy->grid);
  for (int side = 0; side < 2; side++)
    fs_colour_histogram_reset (&energy->histogram[side]);
  for (size_t i = 0; i < n; i++)
    if (seeds->label[i] != FS_SEED_NONE)
      fs_colour_histogram_add (&energy->histogram[side_index (seeds->label[i])],
                               energy->image->pixels[i]);
}

/* t = S·(d_B − d_O) / (d_O + d_B): 0 where both distances are. */
static int16_t
data_term (int32_t object2, int32_t background2)
{
  double to_object = sqrt (object2), to_background = sqrt (background2);
  double sum = to_object + to_background;
  return sum > 0 ? (int16_t)lround (FS_DATA_SCALE * (to_background - to_object) / sum) : 0;
}

static void
fill_table (FsEnergy *energy, const FsColourModel model[2])
{
  const GArray *bins = energy->links->bins;
  for (guint i = 0; i < bins->len; i++) {
    uint32_t bin = g_array_index (bins, uint32_t, i);
    energy->table[bin] = data_term (fs_colour_model_distance2 (&model[1], bin),
                                    fs_colour_model_distance2 (&model[0], bin));
  }
}

void
fs_energy_fit (FsEnergy *energy, const FsSeedMap *seeds)
{
  collect_seed_colours (energy, seeds);
  for (int side = 0; side < 2; side++)
    energy->known[side] = energy->histogram[side].n_pixels > 0;
  if (!energy->known[0] && !energy->known[1]) {
    for (guint i = 0; i < energy->links->bins->len; i++)
      energy->table[g_array_index (energy->links->bins, uint32_t, i)] = 0;
    return;
  }
  for (int side = 0; side < 2; side++)
    if (!energy->known[side])
      fs_far_samples_add (energy->image, seeds, &energy->histogram[side]);

  FsColourModel model[2];
  for (int side = 0; side < 2; side++)
    fs_colour_model_fit (&model[side], &energy->histogram[side]);
  fill_table (energy, model);
}

/* One more than the sum of the pixel's n-links: no cut can gain by leaving a seed on the wrong
 * side. */
static int32_t
seed_strength (const FsGrid *grid, uint32_t pixel)
{
  int x = (int)(pixel % (uint32_t)grid->width), y = (int)(pixel / (uint32_t)grid->width);
  int32_t sum = 1;
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    int back_x = x - fs_direction_dx (d), back_y = y - fs_direction_dy (d);
    sum += grid->nlink[d][pixel];
    if (back_x >= 0 && back_x < grid->width && back_y >= 0)
      sum += grid->nlink[d][(size_t)back_y * (size_t)grid->width + (size_t)back_x];
  }
  return sum;
}

int32_t
fs_energy_tlink (FsEnergy *energy, uint32_t pixel, uint8_t label)
{
  if (label == FS_SEED_NONE)
    return energy->table[fs_colour_bin (energy->image->pixels[pixel])];
  int32_t strength = seed_strength (&energy->grid, pixel);
  return label == FS_SEED_BACKGROUND ? -strength : strength;
}

void
fs_energy_fill_tlinks (FsEnergy *energy, const FsSeedMap *seeds, int32_t *tlinks)
{
  size_t n = fs_grid_n_pixels (&energy->grid);
  for (size_t i = 0; i < n; i++)
    tlinks[i] = fs_energy_tlink (energy, (uint32_t)i, seeds->label[i]);
}
