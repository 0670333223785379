/* SPDX-License-Identifier: MIT */
#include "cut/mask_objects.h"
#include "library/photo.h"
#include "solver/system/checked_memory.h"

#include <string.h>

static fretsaw_status
refuse_memory (fretsaw_error *error)
{
  return fs_library_fail (error, FRETSAW_MEMORY, "not enough memory to separate the objects");
}

fretsaw_status
fs_library_map_mask (fretsaw_photo *photo, const FsSeedMap *seeds, FsGuess *guess,
                     const uint8_t *mask, const FsProgress *progress, fretsaw_error *error)
{
  GError *failure = NULL;
  uint8_t *numbers = fs_memory_new (fs_library_count_pixels (photo), 1);
  if (!numbers)
    return refuse_memory (error);
  if (!fs_mask_map_objects (photo->image, &photo->settings.settings, seeds, guess, mask, progress,
                            numbers, &failure)) {
    fs_memory_free (numbers);
    return fs_library_take_error (error, failure);
  }
  fs_memory_free (photo->numbers);
  photo->numbers = numbers;
  return FRETSAW_OK;
}

/* --- Maps of updates --- */

void
fs_library_clear_unmapped (fretsaw_photo *photo)
{
  g_clear_pointer (&photo->unmapped, fs_seed_map_free);
  g_clear_pointer (&photo->unmapped_guess, fs_guess_unref);
}

fretsaw_status
fs_library_keep_unmapped (fretsaw_photo *photo, fretsaw_error *error)
{
  if (!photo->unmapped)
    photo->unmapped = fs_seed_map_new (photo->image->width, photo->image->height);
  if (!photo->unmapped)
    return refuse_memory (error);
  fs_seed_map_copy (photo->unmapped, photo->seeds);
  g_clear_pointer (&photo->unmapped_guess, fs_guess_unref);
  photo->unmapped_guess = photo->guess ? fs_guess_ref (photo->guess) : NULL;
  return FRETSAW_OK;
}

/* Tells the objects of the last update apart, if that has not been done. */
static fretsaw_status
map_result (fretsaw_photo *photo, const FsProgress *progress, fretsaw_error *error)
{
  size_t n = fs_library_count_pixels (photo);
  if (!photo->unmapped)
    return FRETSAW_OK;
  uint8_t *mask = fs_memory_new (n, 1);
  if (!mask)
    return refuse_memory (error);
  for (size_t p = 0; p < n; p++)
    mask[p] = photo->numbers[p] != FS_SEED_BACKGROUND;
  fretsaw_status status =
      fs_library_map_mask (photo, photo->unmapped, photo->unmapped_guess, mask, progress, error);
  fs_memory_free (mask);
  if (status)
    return status;
  photo->result = FS_RESULT_MAPPED;
  fs_library_clear_unmapped (photo);
  return FRETSAW_OK;
}

/* --- Calls --- */

static fretsaw_status
check_result (const fretsaw_photo *photo, fretsaw_error *error)
{
  return photo->result != FS_RESULT_NONE
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_INVALID,
                                "there is no result before the first update or finish");
}

/* Begins a call that fills a plane. */
static fretsaw_status
begin_with_plane (FsLibraryCall *call, fretsaw_photo *photo, const uint8_t *plane,
                  ptrdiff_t *stride, const char *name, fretsaw_error *error)
{
  fretsaw_status status = fs_library_begin (call, photo, "photo", error);
  if (!status)
    status = check_result (photo, error);
  if (!status)
    status = fs_library_check_plane (plane, stride, (size_t)photo->image->width, name, error);
  return status;
}

fretsaw_status
fretsaw_photo_separate (fretsaw_photo *photo, const fretsaw_progress *progress,
                        fretsaw_error *error)
{
  FsProgress own;
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, photo, "photo", error);
  if (!status)
    status = check_result (photo, error);
  if (!status)
    status = fs_library_take_progress (&own, progress, error);
  return status ? status : map_result (photo, &own, error);
}

fretsaw_status
fretsaw_photo_get_labels (fretsaw_photo *photo, uint8_t *labels, ptrdiff_t stride,
                          fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = begin_with_plane (&call, photo, labels, &stride, "labels", error);
  if (!status)
    status = map_result (photo, NULL, error);
  size_t width = status ? 0 : (size_t)photo->image->width;
  for (int y = 0; !status && y < photo->image->height; y++)
    memcpy (labels + y * stride, photo->numbers + (size_t)y * width, width);
  return status;
}

fretsaw_status
fretsaw_photo_get_mask (fretsaw_photo *photo, uint8_t *mask, ptrdiff_t stride, fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = begin_with_plane (&call, photo, mask, &stride, "mask", error);
  if (status)
    return status;
  const uint8_t *number = photo->numbers;
  for (int y = 0; y < photo->image->height; y++)
    for (int x = 0; x < photo->image->width; x++)
      mask[y * stride + x] = *number++ != FS_SEED_BACKGROUND;
  return FRETSAW_OK;
}
