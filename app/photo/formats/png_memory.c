/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/png_memory.h"

#include <string.h>

/* Deflate cannot do better than this (zlib's technical notes: 1032:1). */
#define MAX_DEFLATE_RATIO 1032u
#define MAX_CHUNKS        32
#define MAX_CHUNK_BYTES   (1u << 20)

static void
on_memory_warning (png_structp library, png_const_charp text)
{
}

static void
on_memory_error (png_structp library, png_const_charp text)
{
  fs_png_memory_leave (png_get_error_ptr (library));
}

static void
on_memory_bytes (png_structp library, png_bytep wanted, size_t n_bytes)
{
  FsPngMemory *png = png_get_io_ptr (library);
  if (n_bytes > png->n_bytes - png->n_read)
    fs_png_memory_leave (png);
  memcpy (wanted, png->bytes + png->n_read, n_bytes);
  png->n_read += n_bytes;
}

gboolean
fs_png_memory_open (FsPngMemory *png, const uint8_t *bytes, gsize n_bytes)
{
  g_return_val_if_fail (png && (bytes || n_bytes == 0), FALSE);

  memset (png, 0, sizeof *png);
  png->bytes = bytes;
  png->n_bytes = n_bytes;
  png->png =
      png_create_read_struct (PNG_LIBPNG_VER_STRING, png, on_memory_error, on_memory_warning);
  png->info = png->png ? png_create_info_struct (png->png) : NULL;
  return png->info != NULL;
}

void
fs_png_memory_close (FsPngMemory *png)
{
  png_destroy_read_struct (&png->png, &png->info, NULL);
}

gboolean
fs_png_memory_guard (FsPngMemory *png, void (*step) (FsPngMemory *png, gpointer data),
                     gpointer data)
{
  if (setjmp (png->escape))
    return FALSE;
  step (png, data);
  return TRUE;
}

void
fs_png_memory_leave (FsPngMemory *png)
{
  longjmp (png->escape, 1);
}

typedef struct {
  guint32 width, height;
} Limits;

static void
read_header (FsPngMemory *png, gpointer data)
{
  const Limits *max = data;
  png_set_read_fn (png->png, png, on_memory_bytes);
  png_set_user_limits (png->png, max->width, max->height);
  png_set_chunk_cache_max (png->png, MAX_CHUNKS);
  png_set_chunk_malloc_max (png->png, MAX_CHUNK_BYTES);
  png_set_keep_unknown_chunks (png->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info (png->png, png->info);
  png->width = png_get_image_width (png->png, png->info);
  png->height = png_get_image_height (png->png, png->info);
  png->bits = png_get_bit_depth (png->png, png->info);
  png->colour_type = png_get_color_type (png->png, png->info);
}

gboolean
fs_png_memory_read_header (FsPngMemory *png, guint32 max_width, guint32 max_height)
{
  Limits max = { max_width, max_height };
  if (!fs_png_memory_guard (png, read_header, &max))
    return FALSE;
  const guint64 n_raw = (guint64)png->width * png->height * (guint64)png->bits / 8;
  return (png->colour_type == PNG_COLOR_TYPE_PALETTE || png->colour_type == PNG_COLOR_TYPE_GRAY)
         && png_get_interlace_type (png->png, png->info) == PNG_INTERLACE_NONE
         && n_raw <= (guint64)png->n_bytes * MAX_DEFLATE_RATIO;
}
