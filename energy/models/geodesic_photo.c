/* SPDX-License-Identifier: MIT */
#include "energy/models/geodesic_photo.h"

#include "energy/colour/colour_histogram.h"
#include "energy/image/exact_math.h"
#include "energy/image/reduced_image.h"
#include "solver/system/checked_memory.h"

#include <math.h>

void
fs_geodesic_photo_free (FsGeodesicPhoto *photo)
{
  if (!photo)
    return;
  fs_photo_terms_unref (photo->reduced);
  fs_photo_terms_unref (photo->cells);
  fs_geodesic_level_unref (photo->level);
  g_free (photo->of_bin);
  g_free (photo->own_of_cell);
  g_free (photo);
}

static void
fill_decay (FsGeodesicPhoto *photo)
{
  photo->decay_length = MAX (1, photo->level->diagonal * 3 / 250);
  for (int i = 0; i < FS_DECAY_ENTRIES; i++)
    photo->decay[i] =
        (uint32_t)floor (FS_COLOUR_WEIGHT * fs_exact_exp (-(double)i / FS_DECAY_STEPS) + 0.5);
}

static gboolean
find_places_of_bins (FsGeodesicPhoto *photo, const FsPhotoTerms *terms)
{
  photo->of_bin = g_try_new (FsColourPlace, MAX (1, terms->n_bins));
  if (!photo->of_bin)
    return FALSE;
  fs_memory_need (photo->of_bin, terms->n_bins, sizeof *photo->of_bin);
  for (size_t i = 0; i < terms->n_bins; i++) {
    uint32_t pixel = fs_colour_bin_pixel (terms->bins[i]);
    FsLab lab;
    fs_lab_from_pixels (&pixel, 1, &lab);
    photo->of_bin[i] = fs_colour_place (lab);
  }
  return TRUE;
}

static gboolean
find_places_of_cells (FsGeodesicPhoto *photo)
{
  const FsGeodesicLevel *level = photo->level;
  photo->of_cell = photo->own_of_cell = g_try_new0 (FsColourPlace, level->n_plane);
  if (!photo->of_cell)
    return FALSE;
  fs_memory_need (photo->own_of_cell, level->n_plane, sizeof *photo->own_of_cell);
  for (int y = 0; y < level->height; y++) {
    size_t row = fs_geodesic_cell (level, 0, y);
    for (int x = 0; x < level->width; x++)
      photo->own_of_cell[row + (size_t)x] = fs_colour_place (level->lab[row + (size_t)x]);
  }
  return TRUE;
}

/* Makes the terms of the photo reduced `by` times, with the same cells, whose planes the photo then
 * shares; *reduced is NULL for a photo of extreme size or shape. */
static gboolean
reduce (FsGeodesicPhoto *photo, const FsPhotoTerms *terms, int by, FsPhotoTerms **reduced,
        const FsProgress *progress, GError **error)
{
  g_autoptr (FsImage) image = fs_image_reduce (terms->image, by);
  if (!image)
    return fs_photo_terms_refuse_size (terms->image, error);
  *reduced = fs_photo_terms_new (image, &terms->settings, terms->model, progress, error);
  if (!*reduced)
    return FALSE;
  const FsGeodesicPhoto *other = (*reduced)->model_photo;
  photo->level = fs_geodesic_level_new_like (terms->image, other->level, by);
  if (photo->level)
    photo->of_cell = other->of_cell;
  else
    g_clear_pointer (reduced, fs_photo_terms_unref);
  return TRUE;
}

/* `shift`: of the photo's cells. */
static gboolean
reduce_terms (FsGeodesicPhoto *photo, const FsPhotoTerms *terms, int shift,
              const FsProgress *progress, GError **error)
{
  const FsImage *image = terms->image;
  photo->reduced_by = fs_geodesic_shift (image->width, image->height, FS_REDUCED_PIXELS);
  if (photo->reduced_by > 0)
    return reduce (photo, terms, photo->reduced_by, &photo->reduced, progress, error);
  return shift == 0 || reduce (photo, terms, shift, &photo->cells, progress, error);
}

/* Colours and costs of cells, unless a reduced photo has them. */
static gboolean
make_cells (FsGeodesicPhoto *photo, const FsImage *image, int shift)
{
  if (photo->level)
    return TRUE;
  photo->level = fs_geodesic_level_new (image, shift);
  return photo->level && find_places_of_cells (photo);
}

FsGeodesicPhoto *
fs_geodesic_photo_new (const FsPhotoTerms *terms, double nlink_max, const FsProgress *progress,
                       GError **error)
{
  const FsImage *image = terms->image;
  int shift = fs_geodesic_shift (image->width, image->height, FS_GEODESIC_CELLS);
  g_autoptr (FsGeodesicPhoto) photo = g_new0 (FsGeodesicPhoto, 1);
  if (!reduce_terms (photo, terms, shift, progress, error))
    return NULL;
  if (!make_cells (photo, image, shift) || !find_places_of_bins (photo, terms)) {
    fs_photo_terms_refuse_size (image, error);
    return NULL;
  }
  fill_decay (photo);
  photo->nlink_max = nlink_max;
  return g_steal_pointer (&photo);
}
