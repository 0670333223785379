/* SPDX-License-Identifier: MIT */
#include "app/labels/parse/indexed_png.h"

#include "app/files/free_memory.h"
#include "app/labels/parse/label_file.h"
#include "app/labels/label_set.h"

#include <glib/gi18n.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>

/* Deflate cannot do better than this (zlib's technical notes: 1032:1). */
#define MAX_DEFLATE_RATIO 1032u
#define MAX_FILE_BYTES    ((gsize)256 << 20)
#define MAX_CHUNKS        32
#define MAX_CHUNK_BYTES   (1u << 20)

enum { MAX_CLASSES = 64, COLOURED = 0x20 };

typedef struct {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  const uint8_t *bytes;
  gsize n_bytes, n_read;
  gboolean is_too_large;
  FsIndexedPng *to;
} Reader;

static void
on_indexed_warning (png_structp png, png_const_charp text)
{
}

static void
on_indexed_error (png_structp png, png_const_charp text)
{
  jmp_buf *escape = png_get_error_ptr (png);
  longjmp (*escape, 1);
}

static void
on_indexed_bytes (png_structp png, png_bytep wanted, size_t n_bytes)
{
  Reader *reader = png_get_io_ptr (png);
  if (n_bytes > reader->n_bytes - reader->n_read)
    longjmp (reader->escape, 1);
  memcpy (wanted, reader->bytes + reader->n_read, n_bytes);
  reader->n_read += n_bytes;
}

static void
take_palette (Reader *reader)
{
  png_colorp colours = NULL;
  int n = 0;
  if (png_get_color_type (reader->png, reader->info) != PNG_COLOR_TYPE_PALETTE
      || !png_get_PLTE (reader->png, reader->info, &colours, &n))
    return;
  reader->to->n_colours = MIN (n, 256);
  for (int i = 0; i < reader->to->n_colours; i++) {
    reader->to->palette[i][0] = colours[i].red;
    reader->to->palette[i][1] = colours[i].green;
    reader->to->palette[i][2] = colours[i].blue;
  }
}

static void
read_indexed_header (Reader *reader)
{
  png_set_read_fn (reader->png, reader, on_indexed_bytes);
  png_set_user_limits (reader->png, FS_LABEL_MAX_SIDE_PX, FS_LABEL_MAX_SIDE_PX);
  png_set_chunk_cache_max (reader->png, MAX_CHUNKS);
  png_set_chunk_malloc_max (reader->png, MAX_CHUNK_BYTES);
  png_set_keep_unknown_chunks (reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info (reader->png, reader->info);
  int kind = png_get_color_type (reader->png, reader->info);
  int bits = png_get_bit_depth (reader->png, reader->info);
  reader->to->width = (int)png_get_image_width (reader->png, reader->info);
  reader->to->height = (int)png_get_image_height (reader->png, reader->info);
  guint64 n = (guint64)reader->to->width * (guint64)reader->to->height;
  if (bits > 8 || (kind != PNG_COLOR_TYPE_PALETTE && kind != PNG_COLOR_TYPE_GRAY)
      || png_get_interlace_type (reader->png, reader->info) != PNG_INTERLACE_NONE
      || n * (guint64)bits / 8 > (guint64)reader->n_bytes * MAX_DEFLATE_RATIO)
    longjmp (reader->escape, 1);
  take_palette (reader);
  reader->is_too_large = n > fs_free_memory_limit ();
}

static void
read_indexed_rows (Reader *reader)
{
  png_set_packing (reader->png);
  png_read_update_info (reader->png, reader->info);
  for (int y = 0; y < reader->to->height; y++)
    png_read_row (reader->png, reader->to->values + (gsize)y * (gsize)reader->to->width, NULL);
  png_read_end (reader->png, NULL);
}

static gboolean
guard_indexed (Reader *reader, void (*step) (Reader *reader))
{
  if (setjmp (reader->escape))
    return FALSE;
  step (reader);
  return TRUE;
}

/* The reason why it cannot be read, or NULL. */
static const char *
read_indexed (Reader *reader)
{
  FsIndexedPng *to = reader->to;
  if (!reader->info || !guard_indexed (reader, read_indexed_header))
    return _ ("is no indexed or grey PNG of up to 8 bits");
  if (!reader->is_too_large)
    to->values = g_try_malloc ((gsize)to->width * (gsize)to->height);
  if (!to->values)
    return _ ("is too large");
  return guard_indexed (reader, read_indexed_rows) ? NULL : _ ("is damaged");
}

FsIndexedPng *
fs_indexed_png_parse (const char *path, const uint8_t *bytes, gsize n_bytes, GError **error)
{
  g_return_val_if_fail (path && (bytes || n_bytes == 0), NULL);

  g_autoptr (FsIndexedPng) to = g_new0 (FsIndexedPng, 1);
  Reader reader = { .bytes = bytes, .n_bytes = n_bytes, .to = to };
  reader.png = png_create_read_struct (PNG_LIBPNG_VER_STRING, &reader.escape, on_indexed_error,
                                       on_indexed_warning);
  reader.info = reader.png ? png_create_info_struct (reader.png) : NULL;
  const char *reason = read_indexed (&reader);
  png_destroy_read_struct (&reader.png, &reader.info, NULL);
  if (!reason)
    return g_steal_pointer (&to);
  fs_label_file_refuse (path, FS_LABEL_ERROR_FORMAT, reason, error);
  return NULL;
}

FsIndexedPng *
fs_indexed_png_read (const char *path, GError **error)
{
  gsize n_bytes = 0;
  g_autofree char *bytes = fs_label_file_read (path, MAX_FILE_BYTES, &n_bytes, error);
  return bytes ? fs_indexed_png_parse (path, (const uint8_t *)bytes, n_bytes, error) : NULL;
}

void
fs_indexed_png_free (FsIndexedPng *png)
{
  if (!png)
    return;
  g_free (png->values);
  g_free (png);
}

gboolean
fs_indexed_png_is_of_classes (const FsIndexedPng *png)
{
  gboolean is_used[256] = { FALSE }, is_coloured = FALSE;
  gsize n = (gsize)png->width * (gsize)png->height;
  int n_used = 0;
  for (gsize p = 0; p < n; p++)
    is_used[png->values[p]] = TRUE;
  for (int value = 1; value < 256; value++) {
    const uint8_t *c = png->palette[value];
    int max = MAX (MAX (c[0], c[1]), c[2]), min = MIN (MIN (c[0], c[1]), c[2]);
    n_used += is_used[value];
    is_coloured |= is_used[value] && max - min >= COLOURED;
  }
  const uint8_t *first = png->palette[0];
  return png->n_colours > 0 && first[0] + first[1] + first[2] == 0 && n_used > 1
         && n_used < MAX_CLASSES && is_coloured;
}
