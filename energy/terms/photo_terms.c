/* SPDX-License-Identifier: MIT */
#include "energy/terms/photo_terms.h"

#include "energy/colour/colour_histogram.h"
#include "energy/image/target_clones.h"
#include "solver/system/checked_memory.h"

#include <string.h>

static void
photo_terms_clear (gpointer data)
{
  FsPhotoTerms *terms = data;
  if (terms->model_photo)
    terms->model->free_photo (terms->model_photo);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    fs_memory_free (terms->nlink[d]);
  g_free (terms->tables.tables);
  g_free ((gpointer)terms->bins);
  g_mutex_clear (&terms->making);
  fs_image_unref (terms->image);
}

FsPhotoTerms *
fs_photo_terms_ref (FsPhotoTerms *terms)
{
  return g_atomic_rc_box_acquire (terms);
}

void
fs_photo_terms_unref (FsPhotoTerms *terms)
{
  if (terms)
    g_atomic_rc_box_release_full (terms, photo_terms_clear);
}

gboolean
fs_photo_terms_refuse_size (const FsImage *image, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for the links of %d × %d pixels", image->width, image->height);
  return FALSE;
}

enum { PIXELS_AT_ONCE = 256 };

/* The bins are found first, in vectors. */
FS_TARGET_CLONES static void
mark_bins (const uint32_t *pixels, size_t n, uint8_t *seen)
{
  uint32_t bins[PIXELS_AT_ONCE];
  for (size_t i = 0; i < n; i++)
    bins[i] = fs_colour_bin (pixels[i]);
#pragma GCC unroll 8
  for (size_t i = 0; i < n; i++)
    seen[bins[i]] = 1;
}

/* Lists them, or counts them alone where `bins` is NULL. Most bins are not seen: eight at once. */
static uint32_t
list_seen (const uint8_t *seen, uint32_t *bins)
{
  uint32_t n = 0;
  for (uint32_t bin = 0; bin < FS_COLOUR_BINS; bin += 8) {
    uint64_t eight;
    memcpy (&eight, seen + bin, sizeof eight);
    for (uint32_t i = bin; eight != 0 && i < bin + 8; i++) {
      if (bins)
        bins[n] = i;
      n += seen[i];
    }
  }
  return n;
}
G_STATIC_ASSERT (FS_COLOUR_BINS % 8 == 0);

/* Tables are filled for these colours only: a photo has far fewer than there are bins. */
static void
find_bins (FsPhotoTerms *terms)
{
  g_autofree uint8_t *seen = g_malloc0 (FS_COLOUR_BINS);
  fs_memory_need (seen, FS_COLOUR_BINS, 1);
  size_t n = fs_photo_terms_n_pixels (terms);
  for (size_t i = 0; i < n; i += PIXELS_AT_ONCE)
    mark_bins (terms->image->pixels + i, MIN (PIXELS_AT_ONCE, n - i), seen);
  terms->n_bins = list_seen (seen, NULL);
  uint32_t *bins = g_new (uint32_t, terms->n_bins + 1); /* one that is not seen may be written */
  list_seen (seen, bins);
  terms->bins = bins;
}

gboolean
fs_photo_terms_allocate_nlinks (FsPhotoTerms *terms, GError **error)
{
  for (int d = 0; d < fs_photo_terms_n_directions (terms); d++) {
    if (!terms->nlink[d]) /* it may be there from when another could not be had */
      terms->nlink[d] =
          fs_memory_new_whole (fs_photo_terms_n_pixels (terms), sizeof *terms->nlink[d]);
    if (!terms->nlink[d])
      return fs_photo_terms_refuse_size (terms->image, error);
  }
  return TRUE;
}

gboolean
fs_photo_terms_are_possible (const FsImage *image, const FsSettings *settings, GError **error)
{
  gboolean is_photo = image->width > 0 && image->height > 0 && image->pixels;
  if (is_photo && fs_settings_are_valid (settings))
    return TRUE;
  if (is_photo)
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                 "the settings (%d neighbours, smoothness %g, model %d) are none that there are",
                 (int)settings->neighbours, settings->smoothness, (int)settings->model);
  else
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                 "a photo of %d × %d pixels is none", image->width, image->height);
  return FALSE;
}

static guint64
next_number (void)
{
  static GMutex mutex;
  static guint64 last;
  g_mutex_lock (&mutex);
  guint64 number = ++last;
  g_mutex_unlock (&mutex);
  return number;
}

static gboolean
fill_photo_nlinks (FsPhotoTerms *terms, const FsProgress *progress, GError **error)
{
  if (!fs_photo_terms_allocate_nlinks (terms, error)
      || !terms->model->fill_nlinks (terms, progress, error))
    return FALSE;
  g_atomic_int_set (&terms->has_nlinks, TRUE);
  return TRUE;
}

static FsPhotoTerms *
photo_terms_new (FsImage *image, const FsSettings *settings, const FsModelClass *model,
                 gboolean has_nlinks, const FsProgress *progress, GError **error)
{
  g_autoptr (FsPhotoTerms) terms = g_atomic_rc_box_new0 (FsPhotoTerms);
  terms->image = fs_image_ref (image);
  terms->settings = *settings;
  terms->number = next_number ();
  terms->model = model;
  g_mutex_init (&terms->making);
  if (has_nlinks ? !fill_photo_nlinks (terms, progress, error)
                 : !terms->model->make_tables (terms, progress, error))
    return NULL;
  find_bins (terms);
  if (terms->model->new_photo
      && !(terms->model_photo = terms->model->new_photo (terms, progress, error)))
    return NULL;
  return g_steal_pointer (&terms);
}

FsPhotoTerms *
fs_photo_terms_new (FsImage *image, const FsSettings *settings, const FsModelClass *model,
                    const FsProgress *progress, GError **error)
{
  return photo_terms_new (image, settings, model, TRUE, progress, error);
}

FsPhotoTerms *
fs_photo_terms_new_implicit (FsImage *image, const FsSettings *settings, const FsModelClass *model,
                             const FsProgress *progress, GError **error)
{
  return photo_terms_new (image, settings, model, FALSE, progress, error);
}
