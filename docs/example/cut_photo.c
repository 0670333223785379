/* SPDX-License-Identifier: MIT */
/* An object cut out of a photo: cut_photo PHOTO.png SEEDS.png MASK.png [CUTOUT.png]
 *
 * Seeds: a grey or indexed PNG of the photo's size, 0 nothing, 1 background, 2 object. The mask is
 * that of `fretsaw cut PHOTO.png --seeds SEEDS.png --mask MASK.png`, to the bit. Build it with
 *   cc cut_photo.c $(pkg-config --cflags --libs fretsaw libpng) -o cut_photo
 */
#include <fretsaw.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int width, height;
  uint8_t *bytes; /* free() */
} picture;

static int
fail (const char *what, const char *why)
{
  fprintf (stderr, "%s: %s\n", what, why);
  return 1;
}

/* Four bytes a pixel: red, green, blue, alpha. */
static int
read_photo (const char *path, picture *photo)
{
  png_image png = { .version = PNG_IMAGE_VERSION };
  if (!png_image_begin_read_from_file (&png, path))
    return fail (path, png.message);
  png.format = PNG_FORMAT_RGBA;
  *photo = (picture){ (int)png.width, (int)png.height, malloc (PNG_IMAGE_SIZE (png)) };
  if (!photo->bytes || !png_image_finish_read (&png, NULL, photo->bytes, 0, NULL))
    return fail (path, "cannot be read");
  return 0;
}

/* The numbers that the file stores, a byte a pixel: indices, or grey values, which are not scaled.
 */
static int
read_numbers (const char *path, FILE *file, picture *seeds)
{
  png_structp png = png_create_read_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png ? png_create_info_struct (png) : NULL;
  if (!info || setjmp (png_jmpbuf (png))) {
    png_destroy_read_struct (&png, &info, NULL);
    return fail (path, "cannot be read");
  }
  png_init_io (png, file);
  png_read_png (png, info, PNG_TRANSFORM_PACKING, NULL);
  int type = png_get_color_type (png, info);
  int width = (int)png_get_image_width (png, info), height = (int)png_get_image_height (png, info);
  if ((type != PNG_COLOR_TYPE_GRAY && type != PNG_COLOR_TYPE_PALETTE)
      || png_get_bit_depth (png, info) > 8) {
    png_destroy_read_struct (&png, &info, NULL);
    return fail (path, "is not a grey or indexed PNG of 8 bits or fewer");
  }
  png_bytepp rows = png_get_rows (png, info);
  *seeds = (picture){ width, height, malloc ((size_t)width * (size_t)height) };
  for (int y = 0; seeds->bytes && y < height; y++)
    memcpy (seeds->bytes + (size_t)y * (size_t)width, rows[y], (size_t)width);
  png_destroy_read_struct (&png, &info, NULL);
  return seeds->bytes ? 0 : fail (path, "not enough memory");
}

static int
read_seeds (const char *path, picture *seeds)
{
  FILE *file = fopen (path, "rb");
  if (!file)
    return fail (path, "cannot be opened");
  int failed = read_numbers (path, file, seeds);
  fclose (file);
  return failed;
}

/* Labels are numbered without gaps. A picture of strokes in shades of grey has none. */
static int
check_labels (const char *path, const picture *seeds)
{
  bool is_there[256] = { false };
  for (size_t p = 0; p < (size_t)seeds->width * (size_t)seeds->height; p++)
    is_there[seeds->bytes[p]] = true;
  int n = 255;
  while (n > 0 && !is_there[n])
    n--;
  for (int label = 1; label <= n; label++)
    if (!is_there[label]) {
      fprintf (stderr, "%s: has the value %d, but no %d: these are no labels\n", path, n, label);
      return 1;
    }
  return n == 0 ? fail (path, "every label is 0: nothing is painted") : 0;
}

static int
write_png (const char *path, png_uint_32 format, int width, int height, const uint8_t *bytes)
{
  png_image png = { .version = PNG_IMAGE_VERSION,
                    .width = (png_uint_32)width,
                    .height = (png_uint_32)height,
                    .format = format };
  return png_image_write_to_file (&png, path, 0, bytes, 0, NULL) ? 0 : fail (path, png.message);
}

/* The seeds' plane becomes the mask's, and the picture's the cut-out's. */
static int
cut (const picture *picture, const uint8_t *seeds, uint8_t *mask, uint8_t *cutout)
{
  fretsaw_image image = FRETSAW_IMAGE_INIT;
  image.width = picture->width;
  image.height = picture->height;
  image.pixels = picture->bytes;
  image.format = FRETSAW_RGBA;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_photo *photo = NULL;
  fretsaw_error error;
  bool failed = fretsaw_photo_new (NULL, &image, NULL, &photo, &error)
                || fretsaw_photo_set_labels (photo, seeds, 0, &error)
                || fretsaw_photo_finish (photo, NULL, &solution, &error)
                || fretsaw_photo_get_mask (photo, mask, 0, &error)
                || fretsaw_photo_render (photo, NULL, NULL, FRETSAW_RGBA, cutout, 0, &error);
  fretsaw_photo_free (photo);
  if (failed)
    return fail ("cut_photo", error.text);
  printf ("energy %lld%s\n", (long long)solution.energy, solution.exact ? ", exact" : "");
  return 0;
}

int
main (int argc, char **argv)
{
  picture photo = { 0 }, seeds = { 0 };
  if (argc < 4 || argc > 5)
    return fail ("usage", "cut_photo PHOTO.png SEEDS.png MASK.png [CUTOUT.png]");
  int failed = read_photo (argv[1], &photo) || read_seeds (argv[2], &seeds)
               || check_labels (argv[2], &seeds);
  if (!failed && (photo.width != seeds.width || photo.height != seeds.height))
    failed = fail (argv[2], "is not of the photo's size");
  failed = failed || cut (&photo, seeds.bytes, seeds.bytes, photo.bytes);
  for (size_t p = 0; !failed && p < (size_t)seeds.width * (size_t)seeds.height; p++)
    seeds.bytes[p] = seeds.bytes[p] ? 255 : 0;
  failed = failed || write_png (argv[3], PNG_FORMAT_GRAY, seeds.width, seeds.height, seeds.bytes)
           || (argc == 5
               && write_png (argv[4], PNG_FORMAT_RGBA, photo.width, photo.height, photo.bytes));
  free (photo.bytes);
  free (seeds.bytes);
  return failed;
}
