/* SPDX-License-Identifier: MIT */
#include "app/finder/guess_png.h"

#include "app/files/free_memory.h"
#include "app/photo/formats/png_memory.h"

#include <string.h>

#define FIRST_BYTES ((gsize)64 << 10)
#define ZLIB_LEVEL  1

/* Memory for a pixel of a guess while it is read and split into components. Below LITTLE_BYTES in
 * total free memory is not checked. */
#define BYTES_PER_PIXEL 16u
#define LITTLE_BYTES    ((guint64)64 << 20)

static void
on_warning (png_structp png, png_const_charp text)
{
}

static void
on_guess_error (png_structp png, png_const_charp text)
{
  jmp_buf *escape = png_get_error_ptr (png);
  longjmp (*escape, 1);
}

/* --- writing ---------------------------------------------------------------------------------- */

typedef struct {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  const FsGuess *guess;
  int bits;
  uint8_t *row;
  uint8_t *bytes;
  gsize n_bytes, capacity;
} Writer;

static void
on_write (png_structp png, png_bytep bytes, size_t n_bytes)
{
  Writer *writer = png_get_io_ptr (png);
  if (writer->capacity - writer->n_bytes < n_bytes) {
    gsize capacity = MAX (2 * writer->capacity, writer->n_bytes + n_bytes + FIRST_BYTES);
    uint8_t *grown = g_try_realloc (writer->bytes, capacity);
    if (!grown)
      longjmp (writer->escape, 1);
    writer->bytes = grown;
    writer->capacity = capacity;
  }
  memcpy (writer->bytes + writer->n_bytes, bytes, n_bytes);
  writer->n_bytes += n_bytes;
}

static void
on_flush (png_structp png)
{
}

static int
count_bits (const FsGuess *guess)
{
  const uint16_t *probability = fs_guess_get_probability (guess);
  gsize n = (gsize)fs_guess_get_width (guess) * (gsize)fs_guess_get_height (guess);
  if (fs_guess_get_numbers (guess))
    return 8;
  for (gsize i = 0; i < n; i++)
    if (probability[i] % 257 != 0)
      return 16;
  return 8;
}

static void
fill_row (const Writer *writer, const uint16_t *from, int width)
{
  for (int x = 0; x < width; x++)
    if (writer->bits == 8)
      writer->row[x] = (uint8_t)(from[x] >> 8);
    else {
      writer->row[2 * x] = (uint8_t)(from[x] >> 8);
      writer->row[2 * x + 1] = (uint8_t)from[x];
    }
}

static void
write_guess (Writer *writer)
{
  int width = fs_guess_get_width (writer->guess), height = fs_guess_get_height (writer->guess);
  const uint16_t *probability = fs_guess_get_probability (writer->guess);
  const uint8_t *numbers = fs_guess_get_numbers (writer->guess);
  png_set_write_fn (writer->png, writer, on_write, on_flush);
  png_set_IHDR (writer->png, writer->info, (png_uint_32)width, (png_uint_32)height, writer->bits,
                PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level (writer->png, ZLIB_LEVEL);
  png_set_filter (writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  png_write_info (writer->png, writer->info);
  for (int y = 0; y < height; y++) {
    if (numbers)
      memcpy (writer->row, numbers + (gsize)y * (gsize)width, (gsize)width);
    else
      fill_row (writer, probability + (gsize)y * (gsize)width, width);
    png_write_row (writer->png, writer->row);
  }
  png_write_end (writer->png, writer->info);
}

static gboolean
guarded_write (Writer *writer)
{
  if (setjmp (writer->escape))
    return FALSE;
  write_guess (writer);
  return TRUE;
}

GBytes *
fs_guess_to_png (const FsGuess *guess)
{
  g_return_val_if_fail (guess, NULL);

  Writer writer = { .guess = guess, .bits = count_bits (guess) };
  writer.row = g_try_malloc ((gsize)fs_guess_get_width (guess) * 2);
  writer.png =
      png_create_write_struct (PNG_LIBPNG_VER_STRING, &writer.escape, on_guess_error, on_warning);
  writer.info = writer.png ? png_create_info_struct (writer.png) : NULL;
  gboolean done = writer.row && writer.info && guarded_write (&writer);
  png_destroy_write_struct (&writer.png, &writer.info);
  g_free (writer.row);
  if (done)
    return g_bytes_new_take (writer.bytes, writer.n_bytes);
  g_free (writer.bytes);
  return NULL;
}

/* --- reading ---------------------------------------------------------------------------------- */

typedef struct {
  gboolean is_objects; /* numbers of the photo's size, not probabilities */
  guint32 max_width, max_height;
  uint16_t *plane;  /* of probabilities */
  uint8_t *numbers; /* of objects       */
} Reading;

static gboolean
fits_photo (const FsPngMemory *png, const Reading *reading)
{
  if (png->colour_type != PNG_COLOR_TYPE_GRAY)
    return FALSE;
  return reading->is_objects ? png->bits == 8 && png->width == reading->max_width
                                   && png->height == reading->max_height
                             : png->bits == 8 || png->bits == 16;
}

/* Each row of probabilities is read where its samples are to be, and widened from its end. */
static void
read_guess_row (const FsPngMemory *png, uint16_t *row)
{
  uint8_t *bytes = (uint8_t *)row;
  png_read_row (png->png, bytes, NULL);
  for (guint32 x = png->width; x-- > 0;)
    row[x] = png->bits == 8 ? (uint16_t)(bytes[x] * 257)
                            : (uint16_t)(bytes[2 * x] << 8 | bytes[2 * x + 1]);
}

static void
read_guess_rows (FsPngMemory *png, gpointer data)
{
  const Reading *reading = data;
  png_read_update_info (png->png, png->info);
  for (guint32 y = 0; y < png->height; y++)
    if (reading->is_objects)
      png_read_row (png->png, reading->numbers + (gsize)y * png->width, NULL);
    else
      read_guess_row (png, reading->plane + (gsize)y * png->width);
  png_read_end (png->png, NULL);
}

static gboolean
has_memory (const FsPngMemory *png)
{
  guint64 n_bytes = (guint64)png->width * png->height * BYTES_PER_PIXEL;
  return n_bytes <= LITTLE_BYTES || n_bytes <= fs_free_memory_limit ();
}

static FsGuess *
make_guess (const FsPngMemory *png, const Reading *reading)
{
  if (reading->is_objects)
    return fs_guess_new_objects (reading->numbers, (int)png->width, (int)png->height);
  return fs_guess_new (reading->plane, (int)png->width, (int)png->height, (int)reading->max_width,
                       (int)reading->max_height);
}

static FsGuess *
read_guess (FsPngMemory *png, Reading *reading, const char **reason)
{
  *reason = reading->is_objects
                ? "is not a grey PNG of 8 bits, whole and of the photo's size"
                : "is not a grey PNG of 8 or 16 bits, whole and no larger than the photo";
  if (!fs_png_memory_read_header (png, reading->max_width, reading->max_height)
      || !fits_photo (png, reading))
    return NULL;
  gsize n = (gsize)png->width * png->height;
  gboolean fits = has_memory (png);
  if (fits && reading->is_objects)
    reading->numbers = g_try_new (uint8_t, n);
  else if (fits)
    reading->plane = g_try_new (uint16_t, n);
  gboolean has_plane = reading->numbers || reading->plane;
  if (has_plane && !fs_png_memory_guard (png, read_guess_rows, reading))
    return NULL;
  *reason = "is too large for the memory there is";
  return has_plane ? make_guess (png, reading) : NULL;
}

static FsGuess *
guess_from_png (const uint8_t *bytes, gsize n_bytes, Reading *reading, const char **reason)
{
  g_auto (FsPngMemory) png;
  *reason = "is too large for the memory there is";
  FsGuess *guess =
      fs_png_memory_open (&png, bytes, n_bytes) ? read_guess (&png, reading, reason) : NULL;
  g_free (reading->plane);
  g_free (reading->numbers);
  return guess;
}

FsGuess *
fs_guess_from_png (const uint8_t *bytes, gsize n_bytes, int photo_width, int photo_height,
                   const char **reason)
{
  g_return_val_if_fail (bytes && photo_width > 0 && photo_height > 0 && reason, NULL);

  Reading reading = { .max_width = (guint32)photo_width, .max_height = (guint32)photo_height };
  return guess_from_png (bytes, n_bytes, &reading, reason);
}

FsGuess *
fs_guess_objects_from_png (const uint8_t *bytes, gsize n_bytes, int photo_width, int photo_height,
                           const char **reason)
{
  g_return_val_if_fail (bytes && photo_width > 0 && photo_height > 0 && reason, NULL);

  Reading reading = { .is_objects = TRUE,
                      .max_width = (guint32)photo_width,
                      .max_height = (guint32)photo_height };
  return guess_from_png (bytes, n_bytes, &reading, reason);
}
