/* SPDX-License-Identifier: MIT */
#include "app/export/export_rows.h"

#include "app/export/parts/label_colour.h"
#include "app/photo/colour_profile.h"
#include "app/photo/metadata_reader.h"

#include <glib/gi18n.h>
#include <string.h>

/* The photo's own samples, where it has more than 8 bits and so has the format, and it is still the
 * photo that was cut. */
static void
find_samples (FsExportRows *rows, const char *name, int max_bits)
{
  const FsImage *image = rows->what->image;
  const int bits = fs_photo_count_bits (rows->what->photo);
  if (bits <= 8)
    return;
  if (max_bits == 8) {
    fs_export_rows_note (rows, _ ("%s: has 8 bits per channel instead of the photo’s %d"), name,
                         bits);
    return;
  }
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhotoSamples) own = fs_photo_load_samples (rows->what->photo, NULL, &error);
  const gsize n_bytes = (gsize)image->width * (gsize)image->height * sizeof *image->pixels;
  const gboolean is_same = own && own->image->width == image->width
                           && own->image->height == image->height
                           && memcmp (own->image->pixels, image->pixels, n_bytes) == 0;
  if (error)
    fs_export_rows_note (rows, _ ("%s: has 8 bits per channel: %s"), name, error->message);
  else if (own && !is_same)
    fs_export_rows_note (rows, _ ("%s: has 8 bits per channel, because the photo has changed"),
                         name);
  else if (!own)
    fs_export_rows_note (rows, _ ("%s: has 8 bits per channel, because the photo is damaged"),
                         name);
  if (!is_same)
    return;
  rows->own = g_steal_pointer (&own);
  rows->bits = 16;
}

gboolean
fs_export_rows_init (FsExportRows *rows, const FsExport *what, const char *name, int max_bits)
{
  const gboolean is_cutout = what->kind == FS_EXPORT_CUTOUT;
  const gboolean is_soft =
      (is_cutout || what->kind == FS_EXPORT_ALPHA) && fs_export_has_edge (what);

  *rows = (FsExportRows){ .what = what,
                          .n_channels = !is_cutout         ? 1
                                        : what->background ? 3
                                                           : 4,
                          .bits = 8 };
  FsExport content = *what;
  if (is_soft && what->takes_edge && !fs_rect_is_empty (what->area) && !what->words
      && !what->refinement)
    content.refinement = rows->refinement = fs_export_refine (what);
  rows->area = fs_export_find_area (&content);
  rows->width = rows->area.x1 - rows->area.x0;
  rows->height = rows->area.y1 - rows->area.y0;
  if (is_cutout && what->photo)
    rows->metadata = what->keep_metadata ? fs_photo_metadata_read_block (what->photo)
                                         : fs_photo_metadata_read (what->photo);
  if (rows->metadata)
    rows->profile = fs_colour_profile_of (rows->metadata, what->image, &rows->is_colour_lost);
  if (is_soft)
    rows->edge = fs_export_edge_new (&content, rows->area);
  if (rows->metadata)
    find_samples (rows, name, max_bits);
  if (rows->n_channels == 3)
    rows->background = fs_background_render (what->background, what->image->width,
                                             what->image->height, rows->area, rows->profile);
  rows->row = g_try_malloc_n ((gsize)rows->width, (is_cutout ? 4 : 1) * (gsize)(rows->bits / 8));
  return rows->row && (rows->edge || !is_soft) && (rows->background || rows->n_channels != 3);
}

void
fs_export_rows_clear (FsExportRows *rows)
{
  g_clear_pointer (&rows->metadata, fs_photo_metadata_free);
  g_clear_pointer (&rows->profile, g_bytes_unref);
  g_clear_pointer (&rows->edge, fs_export_edge_free);
  g_clear_pointer (&rows->refinement, fs_export_refinement_free);
  g_clear_pointer (&rows->background, fs_image_unref);
  g_clear_pointer (&rows->own, fs_photo_samples_free);
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
  const uint32_t *soft = fs_export_edge_get_row (rows->edge, y);
  for (int x = 0; soft && x < rows->width; x++) {
    const uint32_t pixel = fs_edge_over (soft[x], pixels[x]);
    put_pixel (rows, x, pixel, FS_PIXEL_A (pixel));
  }
  return soft != NULL;
}

static gboolean
fill_alpha (FsExportRows *rows, int y)
{
  const uint32_t *soft = fs_export_edge_get_row (rows->edge, y);
  for (int x = 0; soft && x < rows->width; x++)
    rows->row[x] = FS_PIXEL_A (soft[x]);
  return soft != NULL;
}

static void
fill_hard (FsExportRows *rows, const uint32_t *pixels, const uint8_t *mask)
{
  for (int x = 0; x < rows->width; x++)
    put_pixel (rows, x, pixels[x], mask[x] ? FS_PIXEL_A (pixels[x]) : 0);
}

/* Fills a row of 16-bit samples: the photo's own, except where a soft edge has its own colours. */
static gboolean
fill_deep (FsExportRows *rows, int y, gsize start)
{
  const gboolean keep_hidden = rows->what->keep_hidden;
  const uint32_t *soft = rows->edge ? fs_export_edge_get_row (rows->edge, y) : NULL;
  const uint8_t *mask = rows->what->mask + start;
  const guint16 *own = rows->own->samples + 4 * start;
  guint16 *to = (guint16 *)(gpointer)rows->row;
  for (int x = 0; x < rows->width; x++, own += 4, to += 4) {
    const guint edge = soft ? soft[x] >> 24 : mask[x] ? 255 : 0;
    to[3] = (guint16)((own[3] * edge + 127) / 255);
    for (int k = 0; k < 3; k++)
      to[k] = to[3] == 0 && !keep_hidden ? 0
              : edge == 0 || edge == 255 ? own[k]
                                         : (guint16)((soft[x] >> (16 - 8 * k) & 0xff) * 257);
  }
  return !rows->edge || soft;
}

/* Apart, and with nothing that may overlap: so it goes in vectors. */
static void
fill_mask (uint8_t *restrict row, const uint8_t *restrict mask, int width)
{
  for (int x = 0; x < width; x++)
    row[x] = mask[x] ? 255 : 0;
}

/* In place: three channels instead of four. */
static void
flatten_row (FsExportRows *rows, const uint32_t *background)
{
  const uint8_t *from = rows->row;
  uint8_t *to = rows->row;
  for (int x = 0; x < rows->width; x++, from += 4, to += 3) {
    const guint alpha = from[3];
    for (int k = 0; k < 3; k++)
      to[k] =
          (uint8_t)((from[k] * alpha + (background[x] >> (16 - 8 * k) & 0xff) * (255 - alpha) + 127)
                    / 255);
  }
}

static void
flatten_deep_row (FsExportRows *rows, const uint32_t *background)
{
  const guint16 *from = (const guint16 *)(gconstpointer)rows->row;
  guint16 *to = (guint16 *)(gpointer)rows->row;
  for (int x = 0; x < rows->width; x++, from += 4, to += 3) {
    const guint alpha = from[3];
    for (int k = 0; k < 3; k++) {
      const guint64 below = (background[x] >> (16 - 8 * k) & 0xff) * 257;
      to[k] = (guint16)((from[k] * (guint64)alpha + below * (65535 - alpha) + 32767) / 65535);
    }
  }
}

/* A row before it is put on a background. */
static uint8_t *
fill_row (FsExportRows *rows, int y)
{
  const FsExport *what = rows->what;
  const gsize start = (gsize)(rows->area.y0 + y) * (gsize)what->image->width + (gsize)rows->area.x0;
  const uint8_t *mask = what->mask + start;

  if (rows->own)
    return fill_deep (rows, rows->area.y0 + y, start) ? rows->row : NULL;
  if (rows->edge && what->kind == FS_EXPORT_ALPHA)
    return fill_alpha (rows, rows->area.y0 + y) ? rows->row : NULL;
  /* An image may lack its pixels where nobody looks at them. */
  if (rows->edge)
    return fill_soft (rows, rows->area.y0 + y, what->image->pixels + start) ? rows->row : NULL;
  if (what->kind == FS_EXPORT_CUTOUT)
    fill_hard (rows, what->image->pixels + start, mask);
  else if (what->kind == FS_EXPORT_MASK || what->kind == FS_EXPORT_ALPHA)
    fill_mask (rows->row, mask, rows->width);
  else
    memcpy (rows->row, mask, (gsize)rows->width);
  return rows->row;
}

uint8_t *
fs_export_rows_get (FsExportRows *rows, int y)
{
  uint8_t *row = fill_row (rows, y);
  if (!row || !rows->background)
    return row;
  const uint32_t *background = rows->background->pixels + (gsize)y * (gsize)rows->width;
  if (rows->own)
    flatten_deep_row (rows, background);
  else
    flatten_row (rows, background);
  return row;
}

void
fs_export_rows_note (const FsExportRows *rows, const char *format, ...)
{
  if (!rows->what->notes)
    return;
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_string_append_printf (rows->what->notes, "%s\n", text);
}

void
fs_export_rows_note_colour (const FsExportRows *rows, const char *name, const char *format)
{
  if (rows->is_colour_lost)
    /* Translators: first the name of a file, then PNG, WebP or TIFF */
    fs_export_rows_note (
        rows, _ ("%s: %s cannot store the photo’s colour profile; colours may look different"),
        name, format);
}

GBytes *
fs_export_rows_get_block (const FsExportRows *rows, const char *name)
{
  const FsPhotoMetadata *metadata = rows->metadata;
  if (!metadata || !rows->what->keep_metadata)
    return NULL;
  if (metadata->is_block_damaged)
    fs_export_rows_note (
        rows, _ ("%s: the photo’s Exif is damaged; only resolution and texts are copied"), name);
  else if (!metadata->block)
    fs_export_rows_note (
        rows, _ ("%s: the photo has no Exif block; only resolution and texts are copied"), name);
  return metadata->block;
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
fs_export_pick_object (const uint8_t *numbers, const uint8_t *marks, size_t n, uint8_t label,
                       uint8_t *mask, uint8_t *own_marks)
{
  g_return_if_fail (numbers && mask && !marks == !own_marks);

  for (size_t p = 0; p < n; p++)
    mask[p] = numbers[p] == label;
  for (size_t p = 0; marks && p < n; p++) {
    gboolean is_another = numbers[p] >= FS_SEED_OBJECT && numbers[p] != label;
    own_marks[p] = marks[p] == label                        ? FS_SEED_OBJECT
                   : marks[p] != FS_SEED_NONE || is_another ? FS_SEED_BACKGROUND
                                                            : FS_SEED_NONE;
  }
}

void
fs_export_append_xml (GString *text, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);
  for (const char *at = valid; *at; at = g_utf8_next_char (at)) {
    const gunichar c = g_utf8_get_char (at);
    if (c < 0x20 || c == 0x7f || c == 0xfffe || c == 0xffff)
      continue;
    if (c == '&')
      g_string_append (text, "&amp;");
    else if (c == '<')
      g_string_append (text, "&lt;");
    else if (c == '>')
      g_string_append (text, "&gt;");
    else if (c == '"')
      g_string_append (text, "&quot;");
    else
      g_string_append_unichar (text, c);
  }
}

void
fs_export_fail_for_memory (const char *name, GError **error)
{
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
               _ ("%s: cannot be written: there is not enough memory"), name);
}
