/* SPDX-License-Identifier: MIT */
#include "energy/terms/photo_terms.h"

#include "energy/colour/colour_histogram.h"
#include "energy/image/target_clones.h"
#include "solver/system/checked_memory.h"

#include <string.h>

static void
scene_clear (gpointer data)
{
  FsScene *scene = data;
  if (scene->kept)
    scene->model->forget_photo (scene->kept);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    fs_memory_free (scene->nlink[d]);
  g_free (scene->tables.tables);
  g_free ((gpointer)scene->bins);
  g_mutex_clear (&scene->making);
  fs_image_unref (scene->image);
}

FsScene *
fs_scene_ref (FsScene *scene)
{
  return g_atomic_rc_box_acquire (scene);
}

void
fs_scene_unref (FsScene *scene)
{
  if (scene)
    g_atomic_rc_box_release_full (scene, scene_clear);
}

gboolean
fs_scene_refuse_size (const FsImage *image, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for the links of %d × %d pixels", image->width, image->height);
  return FALSE;
}

enum { PIXELS_AT_ONCE = 256 };

/* The bins are found first, in vectors. */
FS_CLONES static void
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
find_bins (FsScene *scene)
{
  g_autofree uint8_t *seen = g_malloc0 (FS_COLOUR_BINS);
  fs_memory_need (seen, FS_COLOUR_BINS, 1);
  size_t n = fs_scene_n_pixels (scene);
  for (size_t i = 0; i < n; i += PIXELS_AT_ONCE)
    mark_bins (scene->image->pixels + i, MIN (PIXELS_AT_ONCE, n - i), seen);
  scene->n_bins = list_seen (seen, NULL);
  uint32_t *bins = g_new (uint32_t, scene->n_bins + 1); /* one that is not seen may be written */
  list_seen (seen, bins);
  scene->bins = bins;
}

gboolean
fs_scene_allocate_nlinks (FsScene *scene, GError **error)
{
  for (int d = 0; d < fs_scene_n_directions (scene); d++) {
    if (!scene->nlink[d]) /* it may be there from when another could not be had */
      scene->nlink[d] = fs_memory_new_whole (fs_scene_n_pixels (scene), sizeof *scene->nlink[d]);
    if (!scene->nlink[d])
      return fs_scene_refuse_size (scene->image, error);
  }
  return TRUE;
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
fill_nlinks (FsScene *scene, const FsProgress *progress, GError **error)
{
  if (!fs_scene_allocate_nlinks (scene, error)
      || !scene->model->fill_nlinks (scene, progress, error))
    return FALSE;
  g_atomic_int_set (&scene->has_nlinks, TRUE);
  return TRUE;
}

static FsScene *
scene_new (FsImage *image, const FsSettings *settings, const FsModelClass *model,
           gboolean has_nlinks, const FsProgress *progress, GError **error)
{
  g_autoptr (FsScene) scene = g_atomic_rc_box_new0 (FsScene);
  scene->image = fs_image_ref (image);
  scene->settings = *settings;
  scene->number = next_number ();
  scene->model = model;
  g_mutex_init (&scene->making);
  if (has_nlinks ? !fill_nlinks (scene, progress, error)
                 : !scene->model->make_tables (scene, progress, error))
    return NULL;
  find_bins (scene);
  if (scene->model->keep_photo
      && !(scene->kept = scene->model->keep_photo (scene, progress, error)))
    return NULL;
  return g_steal_pointer (&scene);
}

FsScene *
fs_scene_new (FsImage *image, const FsSettings *settings, const FsModelClass *model,
              const FsProgress *progress, GError **error)
{
  return scene_new (image, settings, model, TRUE, progress, error);
}

FsScene *
fs_scene_new_told (FsImage *image, const FsSettings *settings, const FsModelClass *model,
                   const FsProgress *progress, GError **error)
{
  return scene_new (image, settings, model, FALSE, progress, error);
}
