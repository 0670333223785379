/* SPDX-License-Identifier: MIT */
#include "app/export_rows.h"

#include "app/colour_profile.h"
#include "app/label_colour.h"

#include <glib/gi18n.h>
#include <string.h>

gboolean
fs_export_rows_init (FsExportRows *rows, const FsExport *what)
{
  const FsRect all = { 0, 0, what->image->width, what->image->height };
  const gboolean is_cutout = what->kind == FS_EXPORT_CUTOUT;
  const gboolean is_soft = is_cutout && what->soft_px > 0;

  *rows = (FsExportRows){ .what = what, .n_channels = is_cutout ? 4 : 1 };
  rows->part = fs_rect_is_empty (what->part) ? all : fs_rect_intersect (what->part, all);
  rows->width = rows->part.x1 - rows->part.x0;
  rows->height = rows->part.y1 - rows->part.y0;
  if (is_cutout && what->photo)
    rows->profile = fs_colour_profile_read (what->photo);
  if (is_soft)
    rows->edge = fs_soft_edge_new (what->image, what->mask, what->marks, rows->part, what->soft_px);
  rows->row = g_try_malloc_n ((gsize)rows->width, (gsize)rows->n_channels);
  return rows->row && (rows->edge || !is_soft);
}

void
fs_export_rows_clear (FsExportRows *rows)
{
  g_clear_pointer (&rows->profile, g_bytes_unref);
  g_clear_pointer (&rows->edge, fs_soft_edge_free);
  g_clear_pointer (&rows->row, g_free);
}

/* A transparent pixel holds nothing, so that what was cut away is not in the file. */
static void
put_pixel (const FsExportRows *rows, int x, uint32_t pixel, uint8_t alpha)
{
  uint8_t *to = rows->row + 4 * (gsize)x;
  if (alpha == 0 && !rows->what->keep_hidden)
    pixel = 0;
  to[0] = FS_PIXEL_R (pixel);
  to[1] = FS_PIXEL_G (pixel);
  to[2] = FS_PIXEL_B (pixel);
  to[3] = alpha;
}

static gboolean
fill_soft (FsExportRows *rows, int y, const uint32_t *pixels)
{
  const uint32_t *soft = fs_soft_edge_get_row (rows->edge, y);
  for (int x = 0; soft && x < rows->width; x++) {
    const uint32_t pixel = fs_soft_edge_over (soft[x], pixels[x]);
    put_pixel (rows, x, pixel, FS_PIXEL_A (pixel));
  }
  return soft != NULL;
}

static void
fill_hard (FsExportRows *rows, const uint32_t *pixels, const uint8_t *mask)
{
  for (int x = 0; x < rows->width; x++)
    put_pixel (rows, x, pixels[x], mask[x] ? FS_PIXEL_A (pixels[x]) : 0);
}

/* Apart, and with nothing that may overlap: so it goes in vectors. */
static void
fill_mask (uint8_t *restrict row, const uint8_t *restrict mask, int width)
{
  for (int x = 0; x < width; x++)
    row[x] = mask[x] ? 255 : 0;
}

uint8_t *
fs_export_rows_get (FsExportRows *rows, int y)
{
  const FsExport *what = rows->what;
  const gsize start = (gsize)(rows->part.y0 + y) * (gsize)what->image->width + (gsize)rows->part.x0;
  const uint8_t *mask = what->mask + start;

  /* An image may lack its pixels where nobody looks at them. */
  if (rows->edge)
    return fill_soft (rows, rows->part.y0 + y, what->image->pixels + start) ? rows->row : NULL;
  if (what->kind == FS_EXPORT_CUTOUT)
    fill_hard (rows, what->image->pixels + start, mask);
  else if (what->kind == FS_EXPORT_MASK)
    fill_mask (rows->row, mask, rows->width);
  else
    memcpy (rows->row, mask, (gsize)rows->width);
  return rows->row;
}

/* Background is black, as in the window's mask. */
void
fs_export_fill_palette (uint8_t palette[256][3])
{
  for (int i = 0; i < 256; i++) {
    const uint32_t rgb = i < FS_SEED_OBJECT ? 0 : fs_label_colour ((uint8_t)i);
    palette[i][0] = (uint8_t)(rgb >> 16);
    palette[i][1] = (uint8_t)(rgb >> 8);
    palette[i][2] = (uint8_t)rgb;
  }
}

void
fs_export_fail_for_memory (const char *name, GError **error)
{
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
               _ ("%s: cannot be written: there is not enough memory"), name);
}
