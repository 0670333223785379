/* SPDX-License-Identifier: MIT */
#include "library/photo.h"

#include "cut/multi_object_cut.h"
#include "solver/system/checked_memory.h"

#include <math.h>

/* Bytes a pixel: of the image, labels and results; of a cut of all objects together; of the live
 * cut's planes and solver beside it. */
enum { PHOTO_BYTES = 7, CUT_BYTES = 38, LIVE_BYTES = 20, SMALL_BYTES = 16 << 20 };

/* Coordinates of strokes. */
#define MAX_COORDINATE 1e6

static fretsaw_status
allocate (fretsaw_photo *self, fretsaw_error *error)
{
  size_t n = fs_library_count_pixels (self);
  self->seeds = fs_seed_map_new (self->image->width, self->image->height);
  self->mask = fs_memory_new (n, 1);
  self->numbers = fs_memory_new (n, 1);
  self->waiting = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  return self->seeds && self->mask && self->numbers
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_MEMORY, "not enough memory for a photo of %d × %d",
                                self->image->width, self->image->height);
}

fretsaw_status
fretsaw_photo_new (fretsaw_context *context, const fretsaw_image *image,
                   const fretsaw_photo_options *options, fretsaw_photo **photo,
                   fretsaw_error *error)
{
  FsPhotoSettings settings;
  FsImage *copy;
  fretsaw_status status = fs_library_take_settings (options, &settings, error);
  if (!status && !photo)
    status = fs_library_fail (error, FRETSAW_INVALID, "photo is NULL");
  if (!status)
    status = fs_library_take_image (image, &copy, error);
  if (status)
    return status;
  fretsaw_photo *self = g_new0 (fretsaw_photo, 1);
  self->object.context = fs_library_ref_context (context);
  self->image = copy;
  self->settings = settings;
  status = allocate (self, error);
  if (status)
    fretsaw_photo_free (self);
  else
    *photo = self;
  return status;
}

void
fretsaw_photo_free (fretsaw_photo *photo)
{
  if (!photo)
    return;
  fs_seed_map_free (photo->unmapped);
  if (photo->unmapped_guess)
    fs_guess_unref (photo->unmapped_guess);
  fs_photo_cut_clear (&photo->live);
  if (photo->waiting)
    g_array_unref (photo->waiting);
  if (photo->guess)
    fs_guess_unref (photo->guess);
  fs_memory_free (photo->numbers);
  fs_memory_free (photo->mask);
  fs_seed_map_free (photo->seeds);
  fs_image_unref (photo->image);
  fretsaw_context_free (photo->object.context);
  g_free (photo);
}

size_t
fretsaw_photo_forecast_bytes (int32_t width, int32_t height, int32_t n_objects, bool with_updates)
{
  if (fs_library_check_pixels (width, height, NULL) || n_objects < 0
      || n_objects > FS_SEED_MAX - FS_SEED_OBJECT + 1)
    return 0;
  size_t n = (size_t)width * (size_t)height;
  size_t together = n * (CUT_BYTES + (with_updates ? LIVE_BYTES : 0));
  size_t apart = n_objects > 1 ? fs_cut_objects_forecast_bytes (n, n_objects) : 0;
  /* The live cut stays while several objects are cut from each other. */
  size_t cuts = with_updates ? together + apart : MAX (together, apart);
  return n * PHOTO_BYTES + cuts + SMALL_BYTES;
}

/* --- Labels --- */

/* Without a live cut nobody asks for what has changed. */
static FsPixelList *
list_waiting (fretsaw_photo *photo)
{
  return photo->live.energy ? photo->waiting : NULL;
}

static void
set_label (fretsaw_photo *photo, uint32_t pixel, uint8_t label)
{
  FsSeedMap *seeds = photo->seeds;
  FsPixelList *waiting = list_waiting (photo);
  if (seeds->label[pixel] == label)
    return;
  seeds->n_seeds[seeds->label[pixel]]--;
  seeds->n_seeds[label]++;
  seeds->label[pixel] = label;
  photo->are_labels_newer = TRUE;
  if (waiting)
    g_array_append_val (waiting, pixel);
}

fretsaw_status
fretsaw_photo_set_labels (fretsaw_photo *photo, const uint8_t *labels, ptrdiff_t stride,
                          fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, photo, "photo", error);
  if (!status && labels)
    status = fs_library_check_plane (labels, &stride, (size_t)photo->image->width, "labels", error);
  if (status)
    return status;
  if (labels && stride == photo->image->width && !list_waiting (photo)) {
    fs_seed_map_set (photo->seeds, labels);
    photo->are_labels_newer = TRUE;
    return FRETSAW_OK;
  }
  uint32_t pixel = 0;
  for (int y = 0; y < photo->image->height; y++)
    for (int x = 0; x < photo->image->width; x++, pixel++)
      set_label (photo, pixel, labels ? labels[y * stride + x] : FS_SEED_NONE);
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_photo_change_labels (fretsaw_photo *photo, const fretsaw_label_change *changes, size_t n,
                             fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status =
      fs_library_begin_with_list (&call, photo, "photo", changes, n, "changes", error);
  if (status || n == 0)
    return status;
  for (size_t i = 0; i < n && !status; i++)
    status = fs_library_check_pixel (changes[i].pixel, i, "photo", fs_library_count_pixels (photo),
                                     error);
  if (status)
    return status;
  for (size_t i = 0; i < n; i++)
    set_label (photo, changes[i].pixel, changes[i].label);
  return FRETSAW_OK;
}

static gboolean
is_coordinate (double value)
{
  return isfinite (value) && fabs (value) <= MAX_COORDINATE;
}

fretsaw_status
fretsaw_photo_paint (fretsaw_photo *photo, double x0, double y0, double x1, double y1,
                     double radius, int32_t label, fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, photo, "photo", error);
  if (status)
    return status;
  if (!is_coordinate (x0) || !is_coordinate (y0) || !is_coordinate (x1) || !is_coordinate (y1)
      || !is_coordinate (radius) || radius < 0)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "coordinates are within ±%g, and a radius is not negative",
                            MAX_COORDINATE);
  if (label < 0 || label > FS_SEED_MAX)
    return fs_library_fail (error, FRETSAW_INVALID, "label is %d; it must be 0 to %d", label,
                            FS_SEED_MAX);
  const FsCapsule capsule = { x0, y0, x1, y1, radius };
  fs_seed_map_paint (photo->seeds, &capsule, (uint8_t)label, NULL, list_waiting (photo));
  photo->are_labels_newer = TRUE;
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_photo_set_guess (fretsaw_photo *photo, const fretsaw_guess *guess, fretsaw_error *error)
{
  FsGuess *own;
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, photo, "photo", error);
  if (!status)
    status = fs_library_take_guess (guess, photo->image->width, photo->image->height, &own, error);
  if (status)
    return status;
  if (photo->guess)
    fs_guess_unref (photo->guess);
  photo->guess = own;
  photo->is_fit_stale = TRUE;
  return FRETSAW_OK;
}
