/* SPDX-License-Identifier: MIT */
#include "app/finder/guess_png.h"

#include "app/files/free_memory.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

/* Deflate cannot do better than this (zlib's technical notes: 1032:1). */
#define MAX_DEFLATE_RATIO 1032u
#define MAX_CHUNKS        32
#define MAX_CHUNK_BYTES   (1u << 20)
#define FIRST_BYTES       ((gsize)64 << 10)
#define ZLIB_LEVEL        1

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
  png_structp png;
  png_infop info;
  jmp_buf escape;
  const uint8_t *bytes;
  gsize n_bytes, n_read;
  gboolean is_objects; /* numbers of the photo's size, not probabilities */
  int bits;
  guint32 width, height, max_width, max_height;
  uint16_t *plane;  /* of probabilities */
  uint8_t *numbers; /* of objects       */
} Reader;

static void
on_png_bytes (png_structp png, png_bytep wanted, size_t n_bytes)
{
  Reader *reader = png_get_io_ptr (png);
  if (n_bytes > reader->n_bytes - reader->n_read)
    longjmp (reader->escape, 1);
  memcpy (wanted, reader->bytes + reader->n_read, n_bytes);
  reader->n_read += n_bytes;
}

static gboolean
fits_limits (const Reader *reader)
{
  guint64 n_raw = (guint64)reader->width * reader->height * (guint64)reader->bits / 8;
  gboolean fits = reader->is_objects ? reader->bits == 8 && reader->width == reader->max_width
                                           && reader->height == reader->max_height
                                     : (reader->bits == 8 || reader->bits == 16)
                                           && reader->width <= reader->max_width
                                           && reader->height <= reader->max_height;
  return fits && n_raw <= (guint64)reader->n_bytes * MAX_DEFLATE_RATIO
         && png_get_color_type (reader->png, reader->info) == PNG_COLOR_TYPE_GRAY
         && png_get_interlace_type (reader->png, reader->info) == PNG_INTERLACE_NONE;
}

/* Nothing but header and pixels is looked at. */
static void
read_guess_header (Reader *reader)
{
  png_set_read_fn (reader->png, reader, on_png_bytes);
  png_set_user_limits (reader->png, reader->max_width, reader->max_height);
  png_set_chunk_cache_max (reader->png, MAX_CHUNKS);
  png_set_chunk_malloc_max (reader->png, MAX_CHUNK_BYTES);
  png_set_keep_unknown_chunks (reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info (reader->png, reader->info);
  reader->width = png_get_image_width (reader->png, reader->info);
  reader->height = png_get_image_height (reader->png, reader->info);
  reader->bits = png_get_bit_depth (reader->png, reader->info);
  if (!fits_limits (reader))
    longjmp (reader->escape, 1);
}

/* Each row of probabilities is read where its samples are to be, and widened from its end. */
static void
read_guess_row (Reader *reader, guint32 y)
{
  uint16_t *row = reader->plane + (gsize)y * reader->width;
  uint8_t *bytes = (uint8_t *)row;
  png_read_row (reader->png, bytes, NULL);
  for (guint32 x = reader->width; x-- > 0;)
    row[x] = reader->bits == 8 ? (uint16_t)(bytes[x] * 257)
                               : (uint16_t)(bytes[2 * x] << 8 | bytes[2 * x + 1]);
}

static void
read_guess_rows (Reader *reader)
{
  png_read_update_info (reader->png, reader->info);
  for (guint32 y = 0; y < reader->height; y++)
    if (reader->is_objects)
      png_read_row (reader->png, reader->numbers + (gsize)y * reader->width, NULL);
    else
      read_guess_row (reader, y);
  png_read_end (reader->png, NULL);
}

static gboolean
guard (Reader *reader, void (*step) (Reader *reader))
{
  if (setjmp (reader->escape))
    return FALSE;
  step (reader);
  return TRUE;
}

static gboolean
has_memory (const Reader *reader)
{
  guint64 n_bytes = (guint64)reader->width * reader->height * BYTES_PER_PIXEL;
  return n_bytes <= LITTLE_BYTES || n_bytes <= fs_free_memory_limit ();
}

static FsGuess *
make_guess (const Reader *reader)
{
  if (reader->is_objects)
    return fs_guess_new_objects (reader->numbers, (int)reader->width, (int)reader->height);
  return fs_guess_new (reader->plane, (int)reader->width, (int)reader->height,
                       (int)reader->max_width, (int)reader->max_height);
}

static FsGuess *
read_guess (Reader *reader, const char **reason)
{
  *reason = reader->is_objects
                ? "is not a grey PNG of 8 bits, whole and of the photo's size"
                : "is not a grey PNG of 8 or 16 bits, whole and no larger than the photo";
  if (!guard (reader, read_guess_header))
    return NULL;
  gsize n = (gsize)reader->width * reader->height;
  gboolean fits = has_memory (reader);
  if (fits && reader->is_objects)
    reader->numbers = g_try_new (uint8_t, n);
  else if (fits)
    reader->plane = g_try_new (uint16_t, n);
  gboolean has_plane = reader->numbers || reader->plane;
  if (has_plane && !guard (reader, read_guess_rows))
    return NULL;
  *reason = "is too large for the memory there is";
  return has_plane ? make_guess (reader) : NULL;
}

static FsGuess *
guess_from_png (Reader *reader, const char **reason)
{
  *reason = "is too large for the memory there is";
  reader->png =
      png_create_read_struct (PNG_LIBPNG_VER_STRING, &reader->escape, on_guess_error, on_warning);
  reader->info = reader->png ? png_create_info_struct (reader->png) : NULL;
  FsGuess *guess = reader->info ? read_guess (reader, reason) : NULL;
  png_destroy_read_struct (&reader->png, &reader->info, NULL);
  g_free (reader->plane);
  g_free (reader->numbers);
  return guess;
}

FsGuess *
fs_guess_from_png (const uint8_t *bytes, gsize n_bytes, int photo_width, int photo_height,
                   const char **reason)
{
  g_return_val_if_fail (bytes && photo_width > 0 && photo_height > 0 && reason, NULL);

  Reader reader = { .bytes = bytes,
                    .n_bytes = n_bytes,
                    .max_width = (guint32)photo_width,
                    .max_height = (guint32)photo_height };
  return guess_from_png (&reader, reason);
}

FsGuess *
fs_guess_objects_from_png (const uint8_t *bytes, gsize n_bytes, int photo_width, int photo_height,
                           const char **reason)
{
  g_return_val_if_fail (bytes && photo_width > 0 && photo_height > 0 && reason, NULL);

  Reader reader = { .bytes = bytes,
                    .n_bytes = n_bytes,
                    .is_objects = TRUE,
                    .max_width = (guint32)photo_width,
                    .max_height = (guint32)photo_height };
  return guess_from_png (&reader, reason);
}
