/* SPDX-License-Identifier: MIT */
#include "app/labels/parse/indexed_png.h"

#include "app/files/free_memory.h"
#include "app/labels/parse/label_file.h"
#include "app/labels/label_set.h"
#include "app/photo/formats/png_memory.h"

#include <glib/gi18n.h>

#define MAX_FILE_BYTES ((gsize)256 << 20)

enum { MAX_CLASSES = 64, COLOURED = 0x20 };

static void
take_palette (FsPngMemory *png, gpointer data)
{
  FsIndexedPng *to = data;
  png_colorp colours = NULL;
  int n = 0;
  if (png->colour_type != PNG_COLOR_TYPE_PALETTE
      || !png_get_PLTE (png->png, png->info, &colours, &n))
    return;
  to->n_colours = MIN (n, 256);
  for (int i = 0; i < to->n_colours; i++) {
    to->palette[i][0] = colours[i].red;
    to->palette[i][1] = colours[i].green;
    to->palette[i][2] = colours[i].blue;
  }
}

static void
read_values (FsPngMemory *png, gpointer data)
{
  const FsIndexedPng *to = data;
  png_set_packing (png->png);
  png_read_update_info (png->png, png->info);
  for (guint32 y = 0; y < png->height; y++)
    png_read_row (png->png, to->values + (gsize)y * png->width, NULL);
  png_read_end (png->png, NULL);
}

/* The reason why it cannot be read, or NULL. */
static const char *
read_indexed (FsPngMemory *png, FsIndexedPng *to)
{
  if (!png->info || !fs_png_memory_read_header (png, FS_LABEL_MAX_SIDE_PX, FS_LABEL_MAX_SIDE_PX)
      || png->bits > 8 || !fs_png_memory_guard (png, take_palette, to))
    return _ ("is no indexed or grey PNG of up to 8 bits");
  const guint64 n = (guint64)png->width * png->height;
  if (n <= fs_free_memory_limit ())
    to->values = g_try_malloc (n);
  if (!to->values)
    return _ ("is too large");
  to->width = (int)png->width;
  to->height = (int)png->height;
  return fs_png_memory_guard (png, read_values, to) ? NULL : _ ("is damaged");
}

FsIndexedPng *
fs_indexed_png_parse (const char *path, const uint8_t *bytes, gsize n_bytes, GError **error)
{
  g_return_val_if_fail (path && (bytes || n_bytes == 0), NULL);

  g_autoptr (FsIndexedPng) to = g_new0 (FsIndexedPng, 1);
  g_auto (FsPngMemory) png;
  fs_png_memory_open (&png, bytes, n_bytes);
  const char *reason = read_indexed (&png, to);
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
