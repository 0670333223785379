/* SPDX-License-Identifier: MIT */
/* Cut-outs keep what a photo has beside 8 bits of red, green and blue: its own samples, what its
 * colours mean, resolution and texts; or say that they do not. */
#include "app/photo/metadata_reader.h"
#include "app/export/parts/exif_write.h"
#include "app/export/export.h"
#include "app/export/export_format.h"
#include "app/photo/input/colour_transform.h"
#include "app/photo/display_image.h"
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/made_profiles.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

enum { WIDTH = 45, HEIGHT = 31 };
#define N_PIXELS (WIDTH * HEIGHT)

static const char *const endings[] = { "png", "tif", "webp", "jpg" };

static char *folder;
static uint8_t mask[N_PIXELS];

/* ---- Photos ---- */

/* Of which no two bytes are alike. */
static guint16
sample_at (int x, int y, int i)
{
  return (guint16)(x * 1409 + y * 1021 * (i + 1) + i * 7919);
}

/* A PNG of samples, with these chunks before its pixels, each a type and its bytes. */
typedef struct {
  const char *type;
  const void *bytes;
  gsize n_bytes;
} Chunk;

static char *
write_png (int bits, int n_channels, const Chunk *chunks, guint n_chunks)
{
  g_autoptr (GByteArray) png = made_png_begin (WIDTH, HEIGHT, bits,
                                               n_channels == 1   ? 0
                                               : n_channels == 4 ? 6
                                                                 : 2,
                                               FALSE);
  g_autoptr (GByteArray) rows = g_byte_array_new ();
  for (guint i = 0; i < n_chunks; i++)
    made_png_chunk (png, chunks[i].type, chunks[i].bytes, chunks[i].n_bytes);
  for (int y = 0; y < HEIGHT; y++) {
    g_byte_array_append (rows, (const guint8 *)"", 1);
    for (int x = 0; x < WIDTH; x++)
      for (int i = 0; i < n_channels; i++) {
        const guint16 sample = sample_at (x, y, i);
        const guint8 bytes[] = { (guint8)(sample >> 8), (guint8)sample };
        g_byte_array_append (rows, bytes, (guint)bits / 8);
      }
  }
  made_png_pixels (png, rows->data, rows->len);
  made_png_end (png);
  return made_file (folder, "photo.png", png->data, png->len);
}

static FsPhoto *
load (const char *path)
{
  g_autoptr (GError) error = NULL;
  FsPhoto *photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  return photo;
}

/* ---- Exports ---- */

/* A path to a cut-out of the photo; `*notes` what it lacks. NULL where this build does not write
 * it. */
static char *
export_as (const char *ending, FsExport what, char **notes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_strconcat ("cutout.", ending, NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GString) said = g_string_new (NULL);
  if (!fs_export_format_get_writer (fs_export_format_of (path)))
    return NULL;
  g_autoptr (FsBackground) white = fs_background_new_colour (0xffffff);
  what.kind = FS_EXPORT_CUTOUT;
  what.background = strcmp (ending, "jpg") == 0 ? white : NULL;
  what.notes = said;
  g_assert_true (fs_export_write (&what, path, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  *notes = g_strdup (said->str);
  return g_steal_pointer (&path);
}

static char *
export_photo (const char *ending, const char *photo_path, char **notes)
{
  g_autoptr (FsPhoto) photo = load (photo_path);
  const FsExport what = { .image = photo->image, .mask = mask, .photo = photo_path };
  return export_as (ending, what, notes);
}

/* ---- 16 bits ---- */

/* Whether a pixel is so far from the mask's border that no soft edge of 3 comes there. */
static gboolean
is_far (int x, int y)
{
  for (int j = MAX (y - 3, 0); j <= MIN (y + 3, HEIGHT - 1); j++)
    for (int i = MAX (x - 3, 0); i <= MIN (x + 3, WIDTH - 1); i++)
      if (mask[j * WIDTH + i] != mask[y * WIDTH + x])
        return FALSE;
  return TRUE;
}

static void
assert_samples (const char *path, int n_channels, int soft_px)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhotoSamples) found = fs_photo_load_samples (path, NULL, &error);
  int n_object = 0;
  g_assert_no_error (error);
  g_assert_nonnull (found);
  for (int p = 0; p < N_PIXELS; p++) {
    const int x = p % WIDTH, y = p / WIDTH;
    const gboolean is_object = mask[p] != 0;
    if (soft_px > 0 && !is_far (x, y))
      continue;
    const guint alpha = !is_object ? 0 : n_channels == 4 ? sample_at (x, y, 3) : 65535;
    n_object += is_object;
    g_assert_cmpint (found->samples[4 * p + 3], ==, alpha);
    for (int i = 0; i < 3; i++)
      g_assert_cmpint (found->samples[4 * p + i], ==,
                       alpha == 0 ? 0 : sample_at (x, y, n_channels == 1 ? 0 : i));
  }
  g_assert_cmpint (n_object, >, N_PIXELS / 20);
}

static void
test_png_samples (void)
{
  static const int channels[] = { 1, 3, 4 };
  for (gsize c = 0; c < G_N_ELEMENTS (channels); c++)
    for (int e = 0; e < 2; e++)
      for (int soft_px = 0; soft_px <= 3; soft_px += 3) {
        g_autofree char *photo_path = write_png (16, channels[c], NULL, 0), *notes = NULL;
        g_autoptr (FsPhoto) photo = load (photo_path);
        g_autofree char *path =
            export_as (endings[e],
                       (FsExport){ .image = photo->image,
                                   .mask = mask,
                                   .photo = photo_path,
                                   .edge = { .width_px = soft_px, .clean = 100 } },
                       &notes);
        if (!path)
          continue;
        g_assert_cmpstr (notes, ==, "");
        assert_samples (path, channels[c], soft_px);
      }
}

#ifdef HAVE_TIFF
/* From TIFF, turned and cut to a part. */
static void
test_tiff_samples (void)
{
  const FsRect area = { 3, 4, 20, 30 };
  const MadeTiff spec = { WIDTH, HEIGHT, .bits = 16, .n_samples = 3, .rows = 5, .orientation = 6 };
  g_autoptr (GByteArray) tiff = made_tiff (&spec);
  g_autofree char *photo_path = made_file (folder, "photo.tif", tiff->data, tiff->len);
  g_autofree char *notes = NULL;
  uint8_t all[N_PIXELS];
  memset (all, 1, sizeof all);
  g_autoptr (FsPhoto) photo = load (photo_path);
  g_autofree char *path = export_as (
      "tif", (FsExport){ .image = photo->image, .mask = all, .photo = photo_path, .area = area },
      &notes);
  g_autoptr (FsPhotoSamples) found = fs_photo_load_samples (path, NULL, NULL);
  g_assert_nonnull (found);
  for (int y = area.y0; y < area.y1; y++)
    for (int x = area.x0; x < area.x1; x++) {
      /* A quarter turn clockwise: the stored row x' from below is the column. */
      const uint32_t colour = made_colour (y, HEIGHT - 1 - x, WIDTH, HEIGHT);
      const guint16 *samples =
          found->samples + 4 * ((y - area.y0) * (area.x1 - area.x0) + x - area.x0);
      for (int i = 0; i < 3; i++)
        g_assert_cmpint (samples[i], ==, MIN ((colour >> (16 - 8 * i) & 0xff) * 257 + 140, 65535));
      g_assert_cmpint (samples[3], ==, 65535);
    }
}
#endif

/* Where there are no 16 bits to have, that is said, and 8 are written. */
static void
test_lost_samples (void)
{
  g_autofree char *photo_path = write_png (16, 3, NULL, 0);
  g_autofree char *webp_notes = NULL, *changed_notes = NULL;
  g_autofree char *webp = export_photo ("webp", photo_path, &webp_notes);
  if (webp)
    g_assert_nonnull (strstr (webp_notes, "8 bits"));
  g_autoptr (FsPhoto) photo = load (photo_path);
  photo->image->pixels[77] ^= 0x10;
  g_autofree char *path =
      export_as ("png", (FsExport){ .image = photo->image, .mask = mask, .photo = photo_path },
                 &changed_notes);
  g_assert_nonnull (strstr (changed_notes, "changed"));
  g_assert_cmpint (fs_photo_count_bits (path), ==, 8);
  g_autoptr (FsPhotoSamples) none = fs_photo_load_samples (path, NULL, NULL);
  g_assert_null (none);
}

/* ---- What colours mean ---- */

/* The bytes of a PNG's chunk, or NULL. */
static GBytes *
find_chunk (const char *path, const char *type)
{
  g_autofree char *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  for (gsize at = 8; at + 12 <= n;) {
    guint32 length;
    memcpy (&length, bytes + at, 4);
    length = GUINT32_FROM_BE (length);
    if (memcmp (bytes + at + 4, type, 4) == 0)
      return g_bytes_new (bytes + at + 8, length);
    if (memcmp (bytes + at + 4, "IDAT", 4) == 0)
      break;
    at += 12 + (gsize)length;
  }
  return NULL;
}

static void
assert_chunks_stay (const Chunk *chunks, guint n_chunks)
{
  g_autofree char *photo_path = write_png (8, 3, chunks, n_chunks), *notes = NULL;
  g_autofree char *path = export_photo ("png", photo_path, &notes);
  g_assert_cmpstr (notes, ==, "");
  for (guint i = 0; i < n_chunks; i++) {
    g_autoptr (GBytes) found = find_chunk (path, chunks[i].type);
    g_assert_nonnull (found);
    g_assert_cmpmem (g_bytes_get_data (found, NULL), g_bytes_get_size (found), chunks[i].bytes,
                     chunks[i].n_bytes);
  }
}

#define BE32(n) (n) >> 24 & 0xff, (n) >> 16 & 0xff, (n) >> 8 & 0xff, (n)&0xff
static const guint8 linear[] = { BE32 (100000) }, srgb_gamma[] = { BE32 (45455) }, intent[] = { 1 };
static const guint8 p3[] = { BE32 (31270), BE32 (32900), BE32 (68000), BE32 (32000),
                             BE32 (26500), BE32 (69000), BE32 (15000), BE32 (6000) };
static const guint8 pq[] = { 9, 16, 0, 1 };

static void
test_png_chunks (void)
{
  const Chunk gama = { "gAMA", linear, sizeof linear }, chrm = { "cHRM", p3, sizeof p3 };
  const Chunk both[] = { { "gAMA", srgb_gamma, sizeof srgb_gamma }, chrm };
  const Chunk srgb[] = { { "sRGB", intent, 1 }, both[0] };
  const Chunk cicp = { "cICP", pq, sizeof pq };
  assert_chunks_stay (&gama, 1);
  assert_chunks_stay (&chrm, 1);
  assert_chunks_stay (both, 2);
  assert_chunks_stay (srgb, 2);
  assert_chunks_stay (&cicp, 1);
}

/* Formats without such chunks say that they lack it. */
static void
test_lost_colours (void)
{
  const Chunk cicp = { "cICP", pq, sizeof pq };
  g_autofree char *photo_path = write_png (8, 3, &cicp, 1);
  for (gsize e = 1; e < G_N_ELEMENTS (endings); e++) {
    g_autofree char *notes = NULL;
    g_autofree char *path = export_photo (endings[e], photo_path, &notes);
    if (path)
      g_assert_nonnull (strstr (notes, "colour profile"));
  }
}

#ifdef HAVE_LCMS2

static double
to_srgb (double light)
{
  light = CLAMP (light, 0, 1);
  return light <= 0.0031308 ? 12.92 * light : 1.055 * pow (light, 1 / 2.4) - 0.055;
}

/* To sRGB. */
static uint32_t
convert_from (GBytes *icc, uint32_t pixel)
{
  g_autoptr (FsColourTransform) transform = fs_colour_transform_new_for_display (icc, NULL);
  g_assert_nonnull (transform);
  fs_colour_transform_convert_pixels (transform, &pixel, &pixel, 1);
  return pixel;
}

/* What the file says that the colour is: red, green and blue of sRGB. */
static uint32_t
convert_by_file (const char *path, uint32_t pixel)
{
  g_autoptr (FsPhotoMetadata) metadata = fs_photo_metadata_read (path);
  g_assert_true (fs_icc_is_for (metadata->icc, "RGB "));
  return convert_from (metadata->icc, pixel);
}

static void
assert_meaning (const Chunk *chunks, guint n_chunks, int n_channels, uint32_t pixel,
                uint32_t colour, gsize first_ending)
{
  g_autofree char *photo_path = write_png (8, n_channels, chunks, n_chunks);
  for (gsize e = first_ending; e < G_N_ELEMENTS (endings); e++) {
    g_autofree char *notes = NULL;
    g_autofree char *path = export_photo (endings[e], photo_path, &notes);
    if (!path)
      continue;
    g_assert_cmpstr (notes, ==, "");
    const uint32_t found = convert_by_file (path, pixel);
    g_test_message ("%s: %08x", endings[e], found);
    g_assert_cmpint (made_distance (found, colour), <=, 4);
  }
}

/* In formats without PNG's chunks a profile says it. */
static void
test_made_profiles (void)
{
  const Chunk gama = { "gAMA", linear, sizeof linear }, chrm = { "cHRM", p3, sizeof p3 };
  static const guint8 display_p3[] = { 12, 13, 0, 1 };
  const Chunk cicp = { "cICP", display_p3, sizeof display_p3 };
  const guint half = (guint)(to_srgb (128 / 255.0) * 255 + 0.5);
  assert_meaning (&gama, 1, 3, 0xff808080u, half * 0x010101, 1);
  /* Green of sRGB in Display P3. */
  assert_meaning (&chrm, 1, 3, FS_PIXEL (255, 117, 251, 76), 0x00ff00, 1);
  assert_meaning (&cicp, 1, 3, FS_PIXEL (255, 117, 251, 76), 0x00ff00, 0);
}

/* On a display of sRGB, and on one of the photo's own colours. */
static void
test_display (void)
{
  const Chunk chrm = { "cHRM", p3, sizeof p3 };
  FsRgbMeaning meaning = fs_rgb_meaning_srgb;
  for (int i = 2; i < 8; i++)
    meaning.xy[i] = (p3[4 * i + 1] << 16 | p3[4 * i + 2] << 8 | p3[4 * i + 3]) / 100000.0;
  g_autoptr (GBytes) display = fs_colour_profile_new (&meaning);
  g_autofree char *photo_path = write_png (8, 4, &chrm, 1);
  g_autoptr (FsPhoto) photo = load (photo_path);
  g_autoptr (FsImage) converted = fs_display_image_new (photo, NULL);
  g_autoptr (FsImage) own = fs_display_image_new (photo, display);
  g_assert_true (own == photo->image);
  g_assert_true (converted != photo->image);
  g_assert_true (converted->has_alpha);
  g_assert_cmpint (converted->width, ==, WIDTH);
  for (int p = 0; p < N_PIXELS; p += p % 100 ? 99 : 1) {
    const uint32_t expected = convert_from (display, photo->image->pixels[p]);
    g_assert_cmphex (converted->pixels[p], ==, expected);
    g_assert_cmpint (FS_PIXEL_A (converted->pixels[p]), ==, FS_PIXEL_A (photo->image->pixels[p]));
  }
  g_autofree char *plain_path = write_png (8, 3, NULL, 0);
  g_autoptr (FsPhoto) plain = load (plain_path);
  g_autoptr (FsImage) same = fs_display_image_new (plain, NULL);
  g_assert_true (same == plain->image);
}

/* A grey profile becomes one for RGB of the same greys. */
static void
test_grey_profile (void)
{
  g_autoptr (GBytes) grey = made_grey_profile (1.8);
  g_autoptr (GByteArray) chunk = g_byte_array_new ();
  uLongf n_packed = compressBound ((uLong)g_bytes_get_size (grey));
  g_byte_array_append (chunk, (const guint8 *)"grey\0", 6);
  g_byte_array_set_size (chunk, 6 + (guint)n_packed);
  g_assert_cmpint (compress (chunk->data + 6, &n_packed, g_bytes_get_data (grey, NULL),
                             (uLong)g_bytes_get_size (grey)),
                   ==, Z_OK);
  g_byte_array_set_size (chunk, 6 + (guint)n_packed);
  const Chunk iccp = { "iCCP", chunk->data, chunk->len };
  for (guint v = 30; v < 256; v += 45) {
    const guint expected = (guint)(to_srgb (pow (v / 255.0, 1.8)) * 255 + 0.5);
    assert_meaning (&iccp, 1, 1, 0xff000000u | v * 0x010101, expected * 0x010101, 0);
  }
}
#endif

/* ---- Resolution and texts ---- */

static void
test_facts (void)
{
  FsPhotoMetadata facts = { .dpi_x = 300,
                            .dpi_y = 240,
                            .artist = (char *)"Zoë Ångström",
                            .copyright = (char *)"©",
                            .description = (char *)"A robin on a fence" };
  g_autoptr (GByteArray) exif = fs_exif_write (&facts);
  const Chunk chunk = { "eXIf", exif->data, exif->len };
  g_autofree char *photo_path = write_png (8, 3, &chunk, 1);
  for (gsize e = 0; e < G_N_ELEMENTS (endings); e++) {
    g_autofree char *notes = NULL;
    g_autofree char *path = export_photo (endings[e], photo_path, &notes);
    if (!path)
      continue;
    g_autoptr (FsPhotoMetadata) found = fs_photo_metadata_read (path);
    g_assert_cmpstr (notes, ==, "");
    g_assert_cmpstr (found->artist, ==, facts.artist);
    g_assert_cmpstr (found->copyright, ==, facts.copyright);
    g_assert_cmpstr (found->description, ==, facts.description);
    g_assert_cmpfloat (fabs (found->dpi_x - 300), <, 0.1);
    g_assert_cmpfloat (fabs (found->dpi_y - 240), <, 0.1);
  }
}

/* ---- A whole Exif block ---- */

enum { BYTE = 1, ASCII = 2, SHORT = 3, LONG = 4, SLONG = 9 };
enum { ORIENTATION_AT = 10 + 12, N_ENTRIES = 4 };

static const char thumbnail[] = "\xff\xd8THUMBNAIL\xff\xd9";

static void
put (GByteArray *block, gboolean big_endian, guint32 value, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++) {
    const guint8 byte = (guint8)(value >> 8 * (big_endian ? n_bytes - 1 - i : i));
    g_byte_array_append (block, &byte, 1);
  }
}

static void
put_entry (GByteArray *block, gboolean big_endian, guint tag, guint type, guint count,
           guint32 value)
{
  const guint n_bytes = type == SHORT ? 2 : type == BYTE ? 1 : 4;
  put (block, big_endian, tag, 2);
  put (block, big_endian, type, 2);
  put (block, big_endian, count, 4);
  put (block, big_endian, value, count * n_bytes > 4 ? 4 : n_bytes);
  while (block->len % 12 != 10)
    put (block, big_endian, 0, 1);
}

/* Of a camera, turned by a quarter, with a place and a thumbnail. More orientations than one lie
 * behind everything else. */
static GByteArray *
make_block (gboolean big_endian, guint type, guint count)
{
  enum { PLACE_AT = 8 + 2 + 12 * N_ENTRIES + 4, SMALL_AT = PLACE_AT + 20, END = SMALL_AT + 44 };
  GByteArray *block = g_byte_array_new ();
  const guint size = type == SHORT ? 2 : type == BYTE ? 1 : 4;
  g_byte_array_append (block, (const guint8 *)(big_endian ? "MM\0*\0\0\0\x8" : "II*\0\x8\0\0\0"),
                       8);
  put (block, big_endian, N_ENTRIES, 2);
  put_entry (block, big_endian, 0x010f, ASCII, 10, END);
  put_entry (block, big_endian, 0x0112, type, count, count * size > 4 ? END + 10 : 6);
  put_entry (block, big_endian, 0x013b, BYTE, 1, 0); /* an artist without a name */
  put_entry (block, big_endian, 0x8825, LONG, 1, PLACE_AT);
  put (block, big_endian, SMALL_AT, 4);
  put (block, big_endian, 1, 2);
  put (block, big_endian, 1, 2);
  put (block, big_endian, ASCII, 2);
  put (block, big_endian, 2, 4);
  g_byte_array_append (block, (const guint8 *)"N\0\0\0\0\0\0\0\0", 10);
  g_assert_cmpint (block->len, ==, SMALL_AT);
  put (block, big_endian, 3, 2);
  for (guint i = 0; i < 3; i++) {
    put (block, big_endian, i == 0 ? 0x0112 : 0x0200 + i, 2);
    put (block, big_endian, LONG, 2);
    put (block, big_endian, 1, 4);
    put (block, big_endian, i == 0 ? 6 : i == 1 ? END + 10 + 16 : sizeof thumbnail - 1, 4);
  }
  put (block, big_endian, 0, 4);
  put (block, big_endian, 0, 2);
  g_assert_cmpint (block->len, ==, END);
  g_byte_array_append (block, (const guint8 *)"Acme 3000", 10);
  for (guint i = 0; i < 16 / size; i++)
    put (block, big_endian, 6, size);
  g_byte_array_append (block, (const guint8 *)thumbnail, sizeof thumbnail - 1);
  return block;
}

static char *
export_with_block (const char *ending, const char *photo_path, char **notes)
{
  g_autoptr (FsPhoto) photo = load (photo_path);
  const FsExport what = {
    .image = photo->image, .mask = mask, .photo = photo_path, .keep_metadata = TRUE
  };
  return export_as (ending, what, notes);
}

static gboolean
has_bytes (const char *path, const void *bytes, gsize n_bytes)
{
  g_autofree char *file = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &file, &n, NULL));
  return memmem (file, n, bytes, n_bytes) != NULL;
}

static gboolean
has_text (const char *path, const char *text)
{
  return has_bytes (path, text, strlen (text));
}

static char *
write_jpeg (const GByteArray *block)
{
  g_autoptr (GByteArray) app1 = g_byte_array_new ();
  g_byte_array_append (app1, (const guint8 *)"Exif\0", 6);
  g_byte_array_append (app1, block->data, block->len);
  const MadeJpeg spec = { WIDTH, HEIGHT, MADE_JPEG_YCC, .app1 = app1->data, .n_app1 = app1->len };
  g_autoptr (GByteArray) jpeg = made_jpeg (&spec);
  return made_file (folder, "photo.jpg", jpeg->data, jpeg->len);
}

/* The whole block is there only when it is asked for, and differs in its orientation alone. */
static void
assert_block_goes (const char *photo_path, GByteArray *block, gboolean big_endian)
{
  for (gsize e = 0; e < G_N_ELEMENTS (endings); e++) {
    g_autofree char *none = NULL, *notes = NULL;
    g_autofree char *without = export_photo (endings[e], photo_path, &none);
    if (!without)
      continue;
    g_assert_false (has_text (without, "THUMBNAIL"));
    g_assert_false (has_text (without, "Acme"));
    g_assert_cmpstr (none, ==, "");
    g_autofree char *path = export_with_block (endings[e], photo_path, &notes);
    const gboolean is_tiff = e == 1;
    g_assert_cmpint (has_text (path, "THUMBNAIL"), ==, !is_tiff);
    g_assert_cmpint (strstr (notes, "TIFF cannot hold") != NULL, ==, is_tiff);
    g_assert_cmpint (*notes != '\0', ==, is_tiff);
    g_autoptr (FsPhotoMetadata) found = fs_photo_metadata_read (path);
    g_assert_cmpint (found->orientation, ==, 1);
    if (is_tiff)
      continue;
    g_autoptr (GByteArray) upright = g_byte_array_new (), entry = g_byte_array_new ();
    g_byte_array_append (upright, block->data, block->len);
    put (entry, big_endian, 0x0112, 2);
    put (entry, big_endian, SHORT, 2);
    put (entry, big_endian, 1, 4);
    put (entry, big_endian, 1, 2);
    put (entry, big_endian, 0, 2);
    memcpy (upright->data + ORIENTATION_AT, entry->data, 12);
    g_assert_true (has_bytes (path, upright->data, upright->len));
  }
}

static void
test_whole_block (void)
{
  static const guint types[][2] = { { SHORT, 1 }, { LONG, 1 }, { BYTE, 1 },
                                    { SLONG, 1 }, { LONG, 4 }, { BYTE, 16 } };
  for (gsize t = 0; t < G_N_ELEMENTS (types); t++)
    for (int big_endian = 0; big_endian < 2; big_endian++) {
      g_autoptr (GByteArray) block = make_block (big_endian, types[t][0], types[t][1]);
      const Chunk chunk = { "eXIf", block->data, block->len };
      g_autofree char *png = write_png (8, 3, &chunk, 1), *jpeg = write_jpeg (block);
      g_autoptr (FsPhoto) photo = load (jpeg);
      g_assert_cmpint (photo->image->width, ==, HEIGHT);
      assert_block_goes (png, block, big_endian);
      assert_block_goes (jpeg, block, big_endian);
    }
}

#ifdef HAVE_HEIF
/* The boxes turned the pixels; what Exif says of it is set right, too. */
static void
test_heif_block (void)
{
  const MadeHeif spec = { .width = 64, .height = 64, .bits = 8, .orientation = 6 };
  if (!made_heif_can (&spec)) {
    g_test_skip ("this libheif does not pack HEVC");
    return;
  }
  g_autoptr (GByteArray) heif = made_heif (&spec);
  g_autofree uint8_t *all = g_malloc0 (64 * 64);
  g_autofree char *photo_path = made_file (folder, "photo.heic", heif->data, heif->len);
  g_autofree char *notes = NULL;
  g_autoptr (FsPhoto) photo = load (photo_path);
  g_autofree char *path = export_as (
      "png",
      (FsExport){ .image = photo->image, .mask = all, .photo = photo_path, .keep_metadata = TRUE },
      &notes);
  g_autoptr (GBytes) chunk = find_chunk (path, "eXIf");
  g_autoptr (FsPhotoMetadata) found = fs_photo_metadata_read (path);
  g_assert_cmpstr (notes, ==, "");
  g_assert_nonnull (chunk);
  g_assert_cmpint (found->orientation, ==, 1);
}
#endif

/* What the photo says elsewhere is not lost by it. */
static void
test_block_and_facts (void)
{
  static const char artist[] = "Author\0Zoe", description[] = "Description\0dog";
  static const guint8 density[] = { BE32 (11811), BE32 (11811), 1 };
  for (int big_endian = 0; big_endian < 2; big_endian++) {
    g_autoptr (GByteArray) block = make_block (big_endian, SHORT, 1);
    const Chunk chunks[] = { { "eXIf", block->data, block->len },
                             { "pHYs", density, sizeof density },
                             { "tEXt", artist, sizeof artist - 1 },
                             { "tEXt", description, sizeof description - 1 } };
    g_autofree char *photo_path = write_png (8, 3, chunks, G_N_ELEMENTS (chunks));
    for (gsize e = 0; e < G_N_ELEMENTS (endings); e++) {
      g_autofree char *notes = NULL;
      g_autofree char *path = export_with_block (endings[e], photo_path, &notes);
      if (!path)
        continue;
      g_autoptr (FsPhotoMetadata) found = fs_photo_metadata_read (path);
      g_assert_cmpstr (found->artist, ==, "Zoe");
      g_assert_cmpstr (found->description, ==, "dog");
      g_assert_cmpfloat (fabs (found->dpi_x - 300), <, 0.1);
      g_assert_cmpint (found->orientation, ==, 1);
      g_assert_cmpint (has_text (path, "Acme 3000"), ==, e != 1);
    }
  }
}

/* A directory that ends too soon, or begins in the head, or has no byte order; and none. */
static void
test_lost_block (void)
{
  for (int way = 0; way < 4; way++) {
    g_autoptr (GByteArray) block = make_block (FALSE, SHORT, 1);
    if (way == 0)
      g_byte_array_set_size (block, 10 + 12 * N_ENTRIES - 1);
    else
      block->data[way == 1 ? 4 : 0] = 2;
    const Chunk chunk = { "eXIf", block->data, block->len };
    g_autofree char *photo_path = write_png (8, 3, &chunk, way < 3 ? 1 : 0);
    for (gsize e = 0; e < G_N_ELEMENTS (endings); e++) {
      g_autofree char *notes = NULL;
      g_autofree char *path = export_with_block (endings[e], photo_path, &notes);
      if (!path)
        continue;
      g_assert_nonnull (strstr (notes, way < 3 ? "Exif is damaged" : "has no Exif block"));
      g_assert_true (strchr (notes, '\n') == notes + strlen (notes) - 1);
      g_assert_false (has_text (path, "eXIf"));
      g_assert_false (has_text (path, "EXIF"));
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
  for (int p = 0; p < N_PIXELS; p++)
    mask[p] = p % WIDTH > 12 && p / WIDTH > 9;
  g_test_add_func ("/export/facts/png-samples", test_png_samples);
#ifdef HAVE_TIFF
  g_test_add_func ("/export/facts/tiff-samples", test_tiff_samples);
#endif
  g_test_add_func ("/export/facts/lost-samples", test_lost_samples);
  g_test_add_func ("/export/facts/png-chunks", test_png_chunks);
  g_test_add_func ("/export/facts/lost-colours", test_lost_colours);
#ifdef HAVE_LCMS2
  g_test_add_func ("/export/facts/made-profiles", test_made_profiles);
  g_test_add_func ("/export/facts/grey-profile", test_grey_profile);
  g_test_add_func ("/export/facts/display", test_display);
#endif
  g_test_add_func ("/export/facts/facts", test_facts);
  g_test_add_func ("/export/facts/whole-block", test_whole_block);
#ifdef HAVE_HEIF
  g_test_add_func ("/export/facts/heif-block", test_heif_block);
#endif
  g_test_add_func ("/export/facts/block-and-facts", test_block_and_facts);
  g_test_add_func ("/export/facts/lost-block", test_lost_block);
  const int code = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return code;
}
