/* SPDX-License-Identifier: MIT */
#include "app/files/display_name.h"
#include "app/photo/formats/png_reader.h"
#include "app/photo/photo.h"
#include "solver/system/checked_memory.h"

#include <string.h>

static void
read_seed_rows (FsPngReader *reader)
{
  png_structp png = reader->png;
  png_set_packing (png);
  const int n_passes = png_set_interlace_handling (png);
  png_read_update_info (png, reader->info);
  if (png_get_rowbytes (png, reader->info) != reader->width)
    png_error (png, "unexpected row size");
  for (int pass = 0; pass < n_passes; pass++)
    for (guint32 y = 0; y < reader->height; y++) {
      png_read_row (png, reader->labels + (gsize)y * reader->width, NULL);
      if (!fs_photo_input_go_on (reader->input, &reader->error))
        fs_png_reader_leave (reader);
    }
  /* A label is not shown but obeyed: the file must be whole to its last checksum. */
  png_read_end (png, NULL);
}

/* The library looks at indices of fewer than eight bits only. */
static gboolean
indices_have_colours (const FsPngReader *reader)
{
  png_colorp colours;
  int n_colours;
  if (!png_get_PLTE (reader->png, reader->info, &colours, &n_colours))
    return TRUE;
  const gsize n = (gsize)reader->width * reader->height;
  for (gsize i = 0; i < n; i++)
    if (reader->labels[i] >= n_colours)
      return FALSE;
  return TRUE;
}

static gboolean
check_kind (FsPngReader *reader, int width, int height, GError **error)
{
  const gboolean indexed = reader->colour_type == PNG_COLOR_TYPE_PALETTE;
  const gboolean grey = reader->colour_type == PNG_COLOR_TYPE_GRAY && reader->bits == 8;
  if (!indexed && !grey) {
    fs_photo_input_refuse (reader->input, error, FS_PHOTO_ERROR_FORMAT,
                           "is not a map of seeds or zones, which is an 8-bit grey or indexed PNG");
    return FALSE;
  }
  if (reader->width != (guint32)width || reader->height != (guint32)height) {
    fs_photo_input_refuse (reader->input, error, FS_PHOTO_ERROR_FORMAT,
                           "is %u × %u pixels, but the photo is %d × %d", reader->width,
                           reader->height, width, height);
    return FALSE;
  }
  const FsPhotoClaim claim = { .width = reader->width, .height = reader->height };
  return fs_photo_input_admit (reader->input, &claim, error);
}

uint8_t *
fs_seeds_load (const char *path, int width, int height, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (path, NULL);
  g_return_val_if_fail (width > 0 && height > 0, NULL);

  /* The photo's own size has been admitted; the seeds only have to be of that size. */
  const FsPhotoLimits limits = { .max_pixels = G_MAXUINT64, .max_side_px = G_MAXINT };
  g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, &limits, cancellable, error);
  if (!input)
    return NULL;
  if (input->n_head < 8 || png_sig_cmp (input->head, 0, 8) != 0) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_FORMAT,
                           "is not a map of seeds or zones, which is an 8-bit grey or indexed PNG");
    return NULL;
  }

  g_autoptr (FsPngReader) reader = fs_png_reader_new (input, error);
  if (!reader || !fs_png_reader_read_header (reader, error)
      || !check_kind (reader, width, height, error))
    return NULL;
  png_set_crc_action (reader->png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
  reader->labels = g_try_malloc_n ((gsize)width, (gsize)height);
  if (!reader->labels) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           "there is not enough memory for its pixels");
    return NULL;
  }
  fs_memory_need (reader->labels, (gsize)width, (gsize)height);
  if (!fs_png_reader_guard (reader, read_seed_rows)) {
    g_propagate_error (error, g_steal_pointer (&reader->error));
    return NULL;
  }
  if (reader->n_warnings || !indices_have_colours (reader)) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_DAMAGED, "is damaged");
    return NULL;
  }
  return g_steal_pointer (&reader->labels);
}

/* --- soft brushes ----------------------------------------------------------------------------- */

/* So many labels beside others alone are no accident of strokes that cross. */
enum { SOFT_LABELS = 8 };

static gboolean
has_other_neighbour (const uint8_t *labels, int width, int height, int x, int y)
{
  const uint8_t *at = labels + (gsize)y * (gsize)width + x;
  const int others[] = { x > 0 ? at[-1] : 0, x + 1 < width ? at[1] : 0, y > 0 ? at[-width] : 0,
                         y + 1 < height ? at[width] : 0 };
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i] != 0 && others[i] != *at)
      return TRUE;
  return FALSE;
}

/* The next label in a row, at or after x, or `width`. Most pixels have none: eight at a time. */
static int
next_label (const uint8_t *row, int x, int width)
{
  guint64 eight = 0;
  for (; x + (int)sizeof eight <= width; x += (int)sizeof eight) {
    memcpy (&eight, row + x, sizeof eight);
    if (eight != 0)
      break;
  }
  while (x < width && row[x] == 0)
    x++;
  return x;
}

/* The least grey of masks and trimaps that is not black, as a label: nobody counts objects up to it
 * without a background (1) or a first object (2). GrabCut's trimaps begin with it. */
enum { MASK_GREY_MIN = 64 };

static gboolean
check_no_mask (const char *path, const gboolean is_there[256], GError **error)
{
  gboolean is_any = FALSE;
  for (int label = 1; label < 256; label++)
    if (is_there[label] && label < MASK_GREY_MIN)
      return TRUE;
    else
      is_any |= is_there[label];
  if (!is_any)
    return TRUE;
  g_autofree char *name = fs_display_name (path);
  g_set_error (
      error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT,
      "%s: has the values of a mask or trimap (as 0, 128, 255) and none of seeds, which are "
      "0 none, 1 background, 2 object, 3, 4, … further objects: make 0 to 1, 128 to 0 and "
      "255 to 2",
      name);
  return FALSE;
}

gboolean
fs_seeds_check_hard (const char *path, const uint8_t *labels, int width, int height, GError **error)
{
  g_return_val_if_fail (path && labels && width > 0 && height > 0, FALSE);
  gboolean is_there[256] = { FALSE }, is_alone[256] = { FALSE };
  for (int y = 0; y < height; y++) {
    const uint8_t *row = labels + (gsize)y * (gsize)width;
    for (int x = next_label (row, 0, width); x < width; x = next_label (row, x + 1, width)) {
      is_there[row[x]] = TRUE;
      if (!is_alone[row[x]])
        is_alone[row[x]] = !has_other_neighbour (labels, width, height, x, y);
    }
  }
  if (!check_no_mask (path, is_there, error))
    return FALSE;
  int n_values = 0, n_soft = 0;
  for (int label = 1; label < 256; label++) {
    n_values += is_there[label];
    n_soft += is_there[label] && !is_alone[label];
  }
  if (n_soft < SOFT_LABELS)
    return TRUE;
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT,
               "%s: has %d values beside 0, %d of them only at the edges of others, as a soft or "
               "anti-aliased brush leaves them; seeds take a hard brush and few values: 0 none, "
               "1 background, 2 object, 3, 4, … further objects",
               name, n_values, n_soft);
  return FALSE;
}
