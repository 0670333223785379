/* SPDX-License-Identifier: MIT */
#include "app/finder/guess_file.h"

#include "app/files/display_name.h"

#include <glib/gi18n.h>

/* Reads pixel i as 16-bit red, green, blue and alpha. */
typedef void (*ReadPixel) (gconstpointer pixels, gsize i, guint16 rgba[4]);

static void
read_byte_pixel (gconstpointer pixels, gsize i, guint16 rgba[4])
{
  uint32_t pixel = ((const uint32_t *)pixels)[i];
  rgba[0] = (guint16)(FS_PIXEL_R (pixel) * 257);
  rgba[1] = (guint16)(FS_PIXEL_G (pixel) * 257);
  rgba[2] = (guint16)(FS_PIXEL_B (pixel) * 257);
  rgba[3] = (guint16)(FS_PIXEL_A (pixel) * 257);
}

static void
read_sample_pixel (gconstpointer pixels, gsize i, guint16 rgba[4])
{
  for (int c = 0; c < 4; c++)
    rgba[c] = ((const guint16 *)pixels)[4 * i + c];
}

static guint16
brightness (const guint16 rgba[4])
{
  return (guint16)((77u * rgba[0] + 150u * rgba[1] + 29u * rgba[2]) >> 8);
}

static void
read_plane (ReadPixel read, gconstpointer pixels, gsize n, guint16 *plane)
{
  guint16 rgba[4];
  gboolean is_transparent = FALSE;
  for (gsize i = 0; i < n && !is_transparent; i++) {
    read (pixels, i, rgba);
    is_transparent = rgba[3] < G_MAXUINT16;
  }
  for (gsize i = 0; i < n; i++) {
    read (pixels, i, rgba);
    plane[i] = is_transparent ? rgba[3] : brightness (rgba);
  }
}

/* --- labels --- */

enum { MAX_LABELS = 64, COLOURED = 0x2000 };

typedef struct {
  guint64 colour[MAX_LABELS]; /* red, green and blue */
  guint n;
  gboolean is_coloured, has_others; /* than grey; than 0 and 1 */
} Labels;

static guint64
pack_colour (const guint16 rgba[4])
{
  return (guint64)rgba[0] << 32 | (guint64)rgba[1] << 16 | rgba[2];
}

static gboolean
has_label (const Labels *labels, guint64 colour)
{
  for (guint i = 0; i < labels->n; i++)
    if (labels->colour[i] == colour)
      return TRUE;
  return FALSE;
}

static void
add_label (Labels *labels, const guint16 rgba[4], guint16 one)
{
  guint16 max = MAX (MAX (rgba[0], rgba[1]), rgba[2]);
  guint16 min = MIN (MIN (rgba[0], rgba[1]), rgba[2]);
  labels->is_coloured |= max - min >= COLOURED;
  labels->has_others |= max > one;
  labels->colour[labels->n++] = pack_colour (rgba);
}

/* Returns whether the pixels are labels, black being none. `one`: the sample that the number 1
 * became. */
static gboolean
are_labels (ReadPixel read, gconstpointer pixels, gsize n, guint16 one)
{
  Labels labels = { 0 };
  guint16 rgba[4];
  guint64 last = G_MAXUINT64;
  for (gsize i = 0; i < n; i++) {
    read (pixels, i, rgba);
    guint64 colour = pack_colour (rgba);
    if (rgba[3] < G_MAXUINT16)
      return FALSE;
    if (colour == last || has_label (&labels, colour))
      continue;
    if (labels.n == MAX_LABELS)
      return FALSE;
    add_label (&labels, rgba, one);
    last = colour;
  }
  return has_label (&labels, 0) && labels.n > 1 && (labels.is_coloured || !labels.has_others);
}

static void
read_labels (ReadPixel read, gconstpointer pixels, gsize n, guint16 *plane)
{
  guint16 rgba[4];
  for (gsize i = 0; i < n; i++) {
    read (pixels, i, rgba);
    plane[i] = pack_colour (rgba) != 0 ? G_MAXUINT16 : 0;
  }
}

/* --- files --- */

typedef struct {
  const char *path;
  int photo_width, photo_height;
  gboolean is_found; /* by a program */
  int width, height; /* of the file, once it is read */
} Request;

static FsGuess *
make_guess (Request *request, const FsImage *image, const FsPhotoSamples *samples)
{
  gsize n = (gsize)image->width * (gsize)image->height;
  g_autofree guint16 *plane = g_try_new (guint16, n);
  if (!plane)
    return NULL;
  ReadPixel read = samples ? read_sample_pixel : read_byte_pixel;
  gconstpointer pixels = samples ? (gconstpointer)samples->samples : image->pixels;
  if (are_labels (read, pixels, n, samples ? 1 : 257))
    read_labels (read, pixels, n, plane);
  else
    read_plane (read, pixels, n, plane);
  for (gsize i = 0; request->is_found && i < n; i++)
    plane[i] = CLAMP (plane[i], FS_GUESS_FOUND_MIN, FS_GUESS_FOUND_MAX);
  request->width = image->width;
  request->height = image->height;
  return fs_guess_new (plane, image->width, image->height, request->photo_width,
                       request->photo_height);
}

static FsGuess *
load_guess (Request *request, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (FsPhoto) photo = NULL;
  g_autoptr (FsPhotoSamples) samples =
      fs_photo_count_bits (request->path) > 8
          ? fs_photo_load_samples (request->path, cancellable, &failure)
          : NULL;
  if (failure) {
    g_propagate_error (error, g_steal_pointer (&failure));
    return NULL;
  }
  if (!samples)
    photo = fs_photo_load (request->path, NULL, cancellable, error);
  const FsImage *image = samples ? samples->image : photo ? photo->image : NULL;
  if (!image)
    return NULL;
  FsGuess *guess = make_guess (request, image, samples);
  if (!guess) {
    g_autofree char *name = fs_display_name (request->path);
    g_set_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_LIMIT,
                 _ ("%s: there is not enough memory to open it"), name);
  }
  return guess;
}

FsGuess *
fs_guess_load_mask (const char *path, int photo_width, int photo_height, GCancellable *cancellable,
                    int *width, int *height, GError **error)
{
  g_return_val_if_fail (path && photo_width > 0 && photo_height > 0, NULL);

  Request request = { path, photo_width, photo_height, FALSE, 0, 0 };
  FsGuess *guess = load_guess (&request, cancellable, error);
  if (width)
    *width = request.width;
  if (height)
    *height = request.height;
  return guess;
}

FsGuess *
fs_guess_load_found (const char *path, int photo_width, int photo_height, GCancellable *cancellable,
                     GError **error)
{
  g_return_val_if_fail (path && photo_width > 0 && photo_height > 0, NULL);

  Request request = { path, photo_width, photo_height, TRUE, 0, 0 };
  return load_guess (&request, cancellable, error);
}

FsGuess *
fs_guess_find_in_image (const FsImage *image, int photo_width, int photo_height)
{
  g_return_val_if_fail (image && photo_width > 0 && photo_height > 0, NULL);

  Request request = { NULL, photo_width, photo_height, TRUE, 0, 0 };
  return make_guess (&request, image, NULL);
}
