/* SPDX-License-Identifier: MIT */
#include "library/photo_input.h"

#include "solver/system/checked_memory.h"

#include <math.h>
#include <string.h>

G_STATIC_ASSERT ((int)FRETSAW_GEODESIC == (int)FS_MODEL_GEODESIC);
G_STATIC_ASSERT ((int)FRETSAW_KMEANS == (int)FS_MODEL_KMEANS);
G_STATIC_ASSERT ((int)FRETSAW_GMM == (int)FS_MODEL_GMM);

enum { MAX_ITERATIONS = 50 };

/* --- Images --- */

/* The places of a pixel's channels among its bytes; alpha −1: none. */
typedef struct {
  int n_bytes, red, green, blue, alpha;
} Channels;

static const Channels channels_of[] = {
  [FRETSAW_RGB] = { 3, 0, 1, 2, -1 },  [FRETSAW_BGR] = { 3, 2, 1, 0, -1 },
  [FRETSAW_RGBA] = { 4, 0, 1, 2, 3 },  [FRETSAW_BGRA] = { 4, 2, 1, 0, 3 },
  [FRETSAW_GREY] = { 1, 0, 0, 0, -1 },
};

static void
copy_image_row (const Channels *channels, const uint8_t *from, int width, uint32_t *to)
{
  for (int x = 0; x < width; x++, from += channels->n_bytes)
    to[x] = FS_PIXEL (channels->alpha < 0 ? 255 : from[channels->alpha], from[channels->red],
                      from[channels->green], from[channels->blue]);
}

fretsaw_status
fs_library_take_image (const fretsaw_image *given, FsImage **image, fretsaw_error *error)
{
  fretsaw_image own;
  if (!given)
    return fs_library_fail (error, FRETSAW_INVALID, "image is NULL");
  fretsaw_status status =
      fs_library_take_struct (&own, FS_LIBRARY_STRUCT (fretsaw_image, format), given, error);
  if (!status)
    status = fs_library_check_pixels (own.width, own.height, error);
  if (status)
    return status;
  if (own.format < 0 || own.format >= (int)G_N_ELEMENTS (channels_of))
    return fs_library_fail (error, FRETSAW_INVALID,
                            "format is %d; it must be one of fretsaw_format, 0 to %d", own.format,
                            (int)G_N_ELEMENTS (channels_of) - 1);
  const Channels *channels = &channels_of[own.format];
  status = fs_library_check_plane (own.pixels, &own.stride,
                                   (size_t)own.width * (size_t)channels->n_bytes, "pixels", error);
  if (status)
    return status;
  FsImage *copy = fs_image_new_whole (own.width, own.height);
  if (!copy)
    return fs_library_fail (error, FRETSAW_MEMORY, "not enough memory for a photo of %d × %d",
                            own.width, own.height);
  copy->has_alpha = channels->alpha >= 0;
  for (int y = 0; y < own.height; y++)
    copy_image_row (channels, own.pixels + y * own.stride, own.width,
                    copy->pixels + (size_t)y * (size_t)own.width);
  *image = copy;
  return FRETSAW_OK;
}

/* --- Guesses --- */

static void
copy_guess_row (const fretsaw_guess *given, int y, uint16_t *to)
{
  const uint8_t *bytes = (const uint8_t *)given->probability + y * given->stride;
  const uint16_t *words = (const uint16_t *)given->probability + y * given->stride;
  for (int x = 0; x < given->width; x++) {
    uint16_t value = given->bits == 16 ? words[x] : (uint16_t)(bytes[x] * 257);
    to[x] = given->is_found ? CLAMP (value, FS_GUESS_FOUND_MIN, FS_GUESS_FOUND_MAX) : value;
  }
}

static fretsaw_status
check_probability (fretsaw_guess *own, fretsaw_error *error)
{
  fretsaw_status status = fs_library_check_plane (own->probability, &own->stride,
                                                  (size_t)own->width, "probability", error);
  if (status)
    return status;
  if (own->bits == 0)
    own->bits = 8;
  if (own->bits != 8 && own->bits != 16)
    return fs_library_fail (error, FRETSAW_INVALID, "bits is %d; it must be 8 or 16", own->bits);
  return FRETSAW_OK;
}

static FsGuess *
make_guess (const fretsaw_guess *own, int width, int height)
{
  uint16_t *plane = fs_memory_new ((size_t)own->width * (size_t)own->height, sizeof *plane);
  for (int y = 0; plane && y < own->height; y++)
    copy_guess_row (own, y, plane + (size_t)y * (size_t)own->width);
  FsGuess *guess = plane ? fs_guess_new (plane, own->width, own->height, width, height) : NULL;
  fs_memory_free (plane);
  return guess;
}

static fretsaw_status
check_numbers (fretsaw_guess *own, int width, int height, fretsaw_error *error)
{
  if (own->probability)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "a guess has probability and numbers; it can have one of them");
  if (own->is_found)
    return fs_library_fail (error, FRETSAW_INVALID, "is_found is for probability, not numbers");
  if (own->bits != 0 && own->bits != 8)
    return fs_library_fail (error, FRETSAW_INVALID, "bits is %d; numbers have 8", own->bits);
  if (own->width != width || own->height != height)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "numbers are of %d × %d pixels; the photo has %d × %d", own->width,
                            own->height, width, height);
  return fs_library_check_plane (own->numbers, &own->stride, (size_t)own->width, "numbers", error);
}

static FsGuess *
make_numbered_guess (const fretsaw_guess *own)
{
  size_t width = (size_t)own->width;
  uint8_t *plane = fs_memory_new (width * (size_t)own->height, 1);
  for (int y = 0; plane && y < own->height; y++)
    memcpy (plane + (size_t)y * width, own->numbers + y * own->stride, width);
  FsGuess *guess = plane ? fs_guess_new_objects (plane, own->width, own->height) : NULL;
  fs_memory_free (plane);
  return guess;
}

fretsaw_status
fs_library_take_guess (const fretsaw_guess *given, int width, int height, FsGuess **guess,
                       fretsaw_error *error)
{
  fretsaw_guess own;
  *guess = NULL;
  if (!given)
    return FRETSAW_OK;
  fretsaw_status status =
      fs_library_take_struct (&own, FS_LIBRARY_STRUCT (fretsaw_guess, is_found), given, error);
  if (!status)
    status = fs_library_check_pixels (own.width, own.height, error);
  if (!status)
    status =
        own.numbers ? check_numbers (&own, width, height, error) : check_probability (&own, error);
  if (status)
    return status;
  *guess = own.numbers ? make_numbered_guess (&own) : make_guess (&own, width, height);
  return *guess
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_MEMORY, "not enough memory for a guess of %d × %d",
                                own.width, own.height);
}

/* --- Settings --- */

static fretsaw_status
check_settings (const fretsaw_photo_options *own, fretsaw_error *error)
{
  if (own->model < 0 || own->model >= FS_N_MODELS)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "model is %d; it must be one of fretsaw_model, 0 to %d", own->model,
                            FS_N_MODELS - 1);
  if (own->neighbours != 0 && own->neighbours != 4 && own->neighbours != 8)
    return fs_library_fail (error, FRETSAW_INVALID, "neighbours is %d; it must be 4 or 8",
                            own->neighbours);
  if (!(own->smoothness <= FS_SMOOTHNESS_MAX))
    return fs_library_fail (error, FRETSAW_INVALID, "smoothness is %g; it must be at most %g",
                            own->smoothness, FS_SMOOTHNESS_MAX);
  if (own->n_iterations < 0 || own->n_iterations > MAX_ITERATIONS)
    return fs_library_fail (error, FRETSAW_INVALID, "n_iterations is %d; it must be 0 to %d",
                            own->n_iterations, MAX_ITERATIONS);
  if (own->n_iterations > 0 && own->model != FRETSAW_GMM)
    return fs_library_fail (error, FRETSAW_INVALID, "n_iterations is for FRETSAW_GMM alone");
  if (own->no_star && own->model != FRETSAW_GEODESIC)
    return fs_library_fail (error, FRETSAW_INVALID, "no_star is for FRETSAW_GEODESIC alone");
  return FRETSAW_OK;
}

fretsaw_status
fs_library_take_settings (const fretsaw_photo_options *given, FsPhotoSettings *settings,
                          fretsaw_error *error)
{
  fretsaw_photo_options own;
  fretsaw_status status =
      fs_library_take_struct (&own, FS_LIBRARY_STRUCT (fretsaw_photo_options, verify), given,
                              error);
  if (!status)
    status = check_settings (&own, error);
  if (status)
    return status;
  *settings = (FsPhotoSettings){ .settings = FS_SETTINGS_DEFAULT,
                                 .n_iterations = own.n_iterations,
                                 .verify = own.verify };
  settings->settings.model = (FsModelKind)own.model;
  settings->settings.neighbours = own.neighbours == 4 ? FS_NEIGHBOURS_4 : FS_NEIGHBOURS_8;
  settings->settings.star = !own.no_star;
  if (own.smoothness < 0)
    settings->settings.smoothness = 0;
  else if (own.smoothness > 0)
    settings->settings.smoothness = own.smoothness;
  return FRETSAW_OK;
}
