/* SPDX-License-Identifier: MIT */
/* PSD: its sections, layers and masks, read back by a reader of the test's own. */
#include "app/export/export_rows.h"
#include "app/export/psd_write.h"

#include <string.h>

#define WIDTH  300
#define HEIGHT 20

typedef struct {
  const guint8 *bytes;
  gsize n_bytes, at;
} Reader;

static gint64
read_number (Reader *reader, int n_bytes)
{
  gint64 value = 0;
  g_assert_cmpuint (reader->at + (gsize)n_bytes, <=, reader->n_bytes);
  for (int i = 0; i < n_bytes; i++)
    value = value << 8 | reader->bytes[reader->at++];
  return value;
}

static int
read_short (Reader *reader)
{
  return (gint16)read_number (reader, 2);
}

static void
expect (Reader *reader, const char *text)
{
  g_assert_cmpuint (reader->at + strlen (text), <=, reader->n_bytes);
  g_assert_cmpmem (reader->bytes + reader->at, strlen (text), text, strlen (text));
  reader->at += strlen (text);
}

static FsRect
read_rect (Reader *reader)
{
  FsRect rect;
  rect.y0 = (int)read_number (reader, 4);
  rect.x0 = (int)read_number (reader, 4);
  rect.y1 = (int)read_number (reader, 4);
  rect.x1 = (int)read_number (reader, 4);
  return rect;
}

/* ---- Channels ---- */

static void
unpack_row (Reader *reader, gsize n_packed, guint8 *to, int n)
{
  const gsize end = reader->at + n_packed;
  int at = 0;
  while (reader->at < end) {
    const gint8 head = (gint8)read_number (reader, 1);
    const int length = head < 0 ? 1 - head : 1 + head;
    g_assert_cmpint (at + length, <=, n);
    if (head < 0)
      memset (to + at, (int)read_number (reader, 1), (gsize)length);
    for (int i = 0; head >= 0 && i < length; i++)
      to[at + i] = (guint8)read_number (reader, 1);
    at += length;
  }
  g_assert_cmpint (at, ==, n);
  g_assert_cmpuint (reader->at, ==, end);
}

/* n_planes planes of width × height, of which first all lengths of rows are told. */
static guint8 *
unpack (Reader *reader, int n_planes, int width, int height)
{
  const int n_rows = n_planes * height;
  g_autofree gsize *lengths = g_new (gsize, n_rows);
  guint8 *planes = g_malloc ((gsize)n_rows * (gsize)width + 1);
  g_assert_cmpint (read_short (reader), ==, 1);
  for (int i = 0; i < n_rows; i++)
    lengths[i] = (gsize)read_number (reader, 2);
  for (int i = 0; i < n_rows; i++)
    unpack_row (reader, lengths[i], planes + (gsize)i * (gsize)width, width);
  return planes;
}

/* ---- The file ---- */

typedef struct {
  FsRect rect, mask;
  int n_channels, ids[5];
  gsize lengths[5];
  char *title; /* UTF-8 */
  guint8 *planes[5];
} Layer;

typedef struct {
  int width, height, n_channels, n_layers;
  gboolean has_merged_alpha;
  Layer layers[4];
  guint8 *merged;
} Psd;

static char *
read_title (Reader *reader)
{
  const gsize n = (gsize)read_number (reader, 1);
  reader->at += n + (4 - (n + 1) % 4) % 4;
  expect (reader, "8BIMluni");
  const gsize size = (gsize)read_number (reader, 4), end = reader->at + size;
  g_assert_cmpuint (size % 4, ==, 0);
  const int n_units = (int)read_number (reader, 4);
  g_autofree gunichar2 *units = g_new (gunichar2, n_units);
  for (int i = 0; i < n_units; i++)
    units[i] = (gunichar2)read_number (reader, 2);
  reader->at = end;
  return g_utf16_to_utf8 (units, n_units, NULL, NULL, NULL);
}

static void
read_record (Reader *reader, Layer *layer)
{
  layer->rect = read_rect (reader);
  layer->n_channels = read_short (reader);
  g_assert_cmpint (layer->n_channels, <=, 5);
  for (int c = 0; c < layer->n_channels; c++) {
    layer->ids[c] = read_short (reader);
    layer->lengths[c] = (gsize)read_number (reader, 4);
  }
  expect (reader, "8BIMnorm\xff");
  reader->at += 3;
  const gsize n_extra = (gsize)read_number (reader, 4), end = reader->at + n_extra;
  const gint64 n_mask = read_number (reader, 4);
  g_assert_true (n_mask == 0 || n_mask == 20);
  if (n_mask > 0) {
    layer->mask = read_rect (reader);
    g_assert_cmpint (read_number (reader, 4), ==, 0);
  }
  g_assert_cmpint (read_number (reader, 4), ==, 0);
  layer->title = read_title (reader);
  g_assert_cmpuint (reader->at, ==, end);
}

static void
read_planes (Reader *reader, Layer *layer)
{
  for (int c = 0; c < layer->n_channels; c++) {
    const FsRect rect = layer->ids[c] == -2 ? layer->mask : layer->rect;
    const gsize end = reader->at + layer->lengths[c];
    layer->planes[c] = unpack (reader, 1, rect.x1 - rect.x0, rect.y1 - rect.y0);
    g_assert_cmpuint (reader->at, ==, end);
  }
}

static void
read_layers (Reader *reader, Psd *psd)
{
  const gsize n_all = (gsize)read_number (reader, 4), all_end = reader->at + n_all;
  const gsize n_layers = (gsize)read_number (reader, 4), end = reader->at + n_layers;
  const int n = read_short (reader);
  psd->has_merged_alpha = n < 0;
  psd->n_layers = ABS (n);
  g_assert_cmpint (psd->n_layers, <=, 4);
  for (int i = 0; i < psd->n_layers; i++)
    read_record (reader, &psd->layers[i]);
  for (int i = 0; i < psd->n_layers; i++)
    read_planes (reader, &psd->layers[i]);
  g_assert_cmpuint (end - reader->at, <, 4);
  reader->at = end;
  g_assert_cmpint (read_number (reader, 4), ==, 0);
  g_assert_cmpuint (all_end - reader->at, <, 4);
  reader->at = all_end;
}

static void
read_psd (GByteArray *bytes, Psd *psd)
{
  Reader reader = { bytes->data, bytes->len, 0 };
  *psd = (Psd){ 0 };
  expect (&reader, "8BPS");
  g_assert_cmpint (read_short (&reader), ==, 1);
  reader.at += 6;
  psd->n_channels = read_short (&reader);
  psd->height = (int)read_number (&reader, 4);
  psd->width = (int)read_number (&reader, 4);
  g_assert_cmpint (read_short (&reader), ==, 8);
  g_assert_cmpint (read_short (&reader), ==, 3);
  g_assert_cmpint (read_number (&reader, 4), ==, 0);
  const gsize n_resources = (gsize)read_number (&reader, 4);
  reader.at += n_resources;
  read_layers (&reader, psd);
  psd->merged = unpack (&reader, psd->n_channels, psd->width, psd->height);
  g_assert_cmpuint (reader.at, ==, reader.n_bytes);
}

static void
psd_clear (Psd *psd)
{
  for (int i = 0; i < psd->n_layers; i++) {
    for (int c = 0; c < psd->layers[i].n_channels; c++)
      g_free (psd->layers[i].planes[c]);
    g_free (psd->layers[i].title);
  }
  g_free (psd->merged);
}

/* ---- Writing ---- */

typedef struct {
  GByteArray *bytes;
  int n_rows_left;
} Taken;

static gboolean
take (gpointer user_data, const void *bytes, gsize n_bytes, GError **error)
{
  g_byte_array_append (((Taken *)user_data)->bytes, bytes, (guint)n_bytes);
  return TRUE;
}

static gboolean
rows_done (gpointer user_data, int n_rows, int n_all, GError **error)
{
  g_assert_cmpint (n_rows, <=, n_all);
  if (((Taken *)user_data)->n_rows_left-- > 0)
    return TRUE;
  g_set_error_literal (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_CANCELLED, "stop");
  return FALSE;
}

static GByteArray *
write_psd (const FsExport *what)
{
  Taken taken = { g_byte_array_new (), G_MAXINT };
  const FsExportSink sink = { take, rows_done, &taken };
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_psd_write (what, "x.psd", &sink, &error));
  g_assert_no_error (error);
  return taken.bytes;
}

/* Noise, long runs, and pairs, so that every way to pack a row is there. */
static FsImage *
new_image (gboolean has_alpha)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  FsImage *image = fs_image_new (WIDTH, HEIGHT);
  image->has_alpha = has_alpha;
  uint32_t pixel = 0;
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    const int row = i / WIDTH;
    if (row % 4 == 0 || (row % 4 == 1 && i % 2 == 0) || (row % 4 == 2 && i % 140 == 0))
      pixel = g_rand_int (random) | (has_alpha ? 0 : 0xff000000u);
    image->pixels[i] = pixel;
  }
  return image;
}

static guint8
sample_of (uint32_t pixel, int channel)
{
  return channel == 3 ? FS_PIXEL_A (pixel) : (guint8)(pixel >> (16 - 8 * channel));
}

/* The layer has the photo's colours in all of the area. */
static void
assert_colours (const Layer *layer, const FsImage *image, FsRect area)
{
  const int width = area.x1 - area.x0;
  g_assert_cmpint (layer->rect.x1, ==, width);
  g_assert_cmpint (layer->rect.y1, ==, area.y1 - area.y0);
  for (int c = 0; c < 4; c++) {
    g_assert_cmpint (layer->ids[c], ==, c < 3 ? c : -1);
    for (int y = area.y0; y < area.y1; y++)
      for (int x = area.x0; x < area.x1; x++) {
        const guint8 sample = layer->planes[c][(y - area.y0) * width + x - area.x0];
        const uint32_t pixel = image->pixels[y * WIDTH + x];
        g_assert_cmpint (sample, ==, c == 3 && layer->n_channels == 5 ? 255 : sample_of (pixel, c));
      }
  }
}

/* One's mask is all that shows it, in a part of the photo and with a name. */
static void
test_objects (void)
{
  for (int has_alpha = 0; has_alpha < 2; has_alpha++) {
    g_autoptr (FsImage) image = new_image (has_alpha);
    g_autofree uint8_t *numbers = g_malloc (WIDTH * HEIGHT);
    memset (numbers, FS_SEED_BACKGROUND, WIDTH * HEIGHT);
    for (int y = 4; y < 9; y++)
      for (int x = 20; x < 170; x++)
        numbers[y * WIDTH + x] = x < 60 ? 2 : x < 90 ? 1 : 4;
    const char *names[FS_SEED_MAX + 1] = { [4] = "Töpfe & 壺" };
    const FsRect area = { 10, 3, 150, 17 };
    const FsExport what = {
      .image = image, .mask = numbers, .kind = FS_EXPORT_LABELS, .area = area, .object_names = names
    };
    g_autoptr (GByteArray) bytes = write_psd (&what);
    Psd psd;
    read_psd (bytes, &psd);
    g_assert_cmpint (psd.width, ==, 140);
    g_assert_cmpint (psd.height, ==, 14);
    g_assert_cmpint (psd.n_channels, ==, has_alpha ? 4 : 3);
    g_assert_cmpint (psd.has_merged_alpha, ==, has_alpha);
    g_assert_cmpint (psd.n_layers, ==, 3);
    g_assert_cmpstr (psd.layers[0].title, ==, "Photo");
    g_assert_cmpstr (psd.layers[1].title, ==, names[4]);
    g_assert_cmpstr (psd.layers[2].title, ==, "Object 1");
    for (int i = 0; i < 3; i++)
      assert_colours (&psd.layers[i], image, area);
    for (int i = 1; i < 3; i++) {
      const FsRect mask = psd.layers[i].mask;
      g_assert_cmpint (mask.x0, ==, i == 1 ? 80 : 10);
      g_assert_cmpint (mask.x1, ==, i == 1 ? 140 : 50);
      g_assert_cmpint (mask.y0, ==, 1);
      g_assert_cmpint (mask.y1, ==, 6);
      for (int y = mask.y0; y < mask.y1; y++)
        for (int x = mask.x0; x < mask.x1; x++)
          g_assert_cmpint (
              psd.layers[i].planes[4][(y - mask.y0) * (mask.x1 - mask.x0) + x - mask.x0], ==,
              FS_PIXEL_A (image->pixels[(y + area.y0) * WIDTH + x + area.x0]));
    }
    for (int c = 0; !has_alpha && c < 3; c++)
      for (int p = 0; p < 140 * 14; p++)
        g_assert_cmpint (psd.merged[c * 140 * 14 + p], ==, psd.layers[0].planes[c][p]);
    psd_clear (&psd);
  }
}

/* Mask and colours are those of the same cut-out as rows. */
static void
test_soft (void)
{
  g_autoptr (FsImage) image = new_image (FALSE);
  uint8_t mask[WIDTH * HEIGHT] = { 0 };
  for (int y = 6; y < 13; y++)
    memset (mask + y * WIDTH + 100, 1, 50);
  FsExport what = {
    .image = image, .mask = mask, .kind = FS_EXPORT_CUTOUT, .edge = { .width_px = 3, .clean = 100 }
  };
  g_autoptr (GByteArray) bytes = write_psd (&what);
  Psd psd;
  read_psd (bytes, &psd);
  const Layer *layer = &psd.layers[1];
  what.keep_hidden = TRUE;
  g_auto (FsExportRows) rows = { 0 };
  g_assert_true (fs_export_rows_init (&rows, &what, "x", 8));
  for (int y = 0; y < HEIGHT; y++) {
    const uint8_t *row = fs_export_rows_get (&rows, y);
    for (int x = 0; x < WIDTH; x++) {
      const gboolean is_inside =
          x >= layer->mask.x0 && x < layer->mask.x1 && y >= layer->mask.y0 && y < layer->mask.y1;
      const int at = (y - layer->mask.y0) * (layer->mask.x1 - layer->mask.x0) + x - layer->mask.x0;
      g_assert_cmpint (is_inside ? layer->planes[4][at] : 0, ==, row[4 * x + 3]);
      for (int c = 0; c < 3; c++)
        g_assert_cmpint (layer->planes[c][y * WIDTH + x], ==, row[4 * x + c]);
    }
  }
  psd_clear (&psd);
}

/* Without an object there is the photo; it can be stopped at any report; a side may be too long. */
static void
test_limits (void)
{
  g_autoptr (FsImage) image = new_image (TRUE);
  uint8_t mask[WIDTH * HEIGHT] = { 0 };
  const FsExport what = { .image = image, .mask = mask, .kind = FS_EXPORT_CUTOUT };
  g_autoptr (GByteArray) bytes = write_psd (&what);
  Psd psd;
  read_psd (bytes, &psd);
  g_assert_cmpint (psd.n_layers, ==, 1);
  psd_clear (&psd);
  mask[7] = 1;
  gboolean done = FALSE;
  for (int n = 0; !done; n++) {
    g_autoptr (GByteArray) some = g_byte_array_new ();
    g_autoptr (GError) error = NULL;
    Taken taken = { some, n };
    const FsExportSink sink = { take, rows_done, &taken };
    done = fs_psd_write (&what, "x.psd", &sink, &error);
    g_assert_true (done || g_error_matches (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_CANCELLED));
    g_assert_true (done || some->len == 0);
  }
  g_autoptr (FsImage) wide = fs_image_new (30001, 1);
  g_autofree uint8_t *all = g_malloc0 (30001);
  g_autoptr (GByteArray) none = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  Taken taken = { none, G_MAXINT };
  const FsExportSink sink = { take, rows_done, &taken };
  FsExport too_wide = { .image = wide, .mask = all, .kind = FS_EXPORT_CUTOUT };
  g_assert_false (fs_psd_write (&too_wide, "x.psd", &sink, &error));
  g_assert_nonnull (strstr (error->message, "30000"));
  too_wide.area = (FsRect){ 1, 0, 30001, 1 };
  g_autoptr (GByteArray) whole = write_psd (&too_wide);
  read_psd (whole, &psd);
  g_assert_cmpint (psd.width, ==, 30000);
  psd_clear (&psd);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/psd/objects", test_objects);
  g_test_add_func ("/psd/soft", test_soft);
  g_test_add_func ("/psd/limits", test_limits);
  return g_test_run ();
}
