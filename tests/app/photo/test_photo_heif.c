/* SPDX-License-Identifier: MIT */
/* HEIC, HEIF and AVIF: the pixels that were put in, upright; what lies is refused before libheif
 * sees it. */
#include "app/photo/metadata_reader.h"
#include "app/photo/heif/heif.h"
#include "app/photo/heif/library.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/photo_child.h"

#include <locale.h>
#include <string.h>

#define MIB (G_GINT64_CONSTANT (1) << 20)

enum { WIDTH = 96, HEIGHT = 64 };

static char *folder;
static gboolean no_decoders;
static guint n_skipped;
static guint n_serial; /* how often libheif was set to decode tiles one after the other */

static FsHeifLibrary real;

static int
have_decoder (enum heif_compression_format format)
{
  return !no_decoders && real.have_decoder_for_format (format);
}

static void
set_threads (struct heif_context *context, int n_threads)
{
  n_serial += n_threads == 0;
  real.context_set_max_decoding_threads (context, n_threads);
}

/* In front of libheif's own. */
static void
watch_library (void)
{
  const char *reason;
  FsHeifLibrary *library = (FsHeifLibrary *)fs_heif_library_get (&reason);
  if (library == NULL)
    g_error ("%s", reason);
  real = *library;
  library->have_decoder_for_format = have_decoder;
  if (real.context_set_max_decoding_threads)
    library->context_set_max_decoding_threads = set_threads;
}

/* --- recognised files ------------------------------------------------------------------------- */

/* FALSE, and counted, where this system cannot make such a photo. */
static gboolean
can (const MadeHeif *spec)
{
  const gboolean is_possible = made_heif_can (spec);
  n_skipped += !is_possible;
  return is_possible;
}

static char *
write_photo (const MadeHeif *spec)
{
  g_autoptr (GByteArray) bytes = made_heif (spec);
  return made_file (folder, "photo", bytes->data, bytes->len);
}

static FsPhoto *
load (const MadeHeif *spec)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = write_photo (spec);
  FsPhoto *photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (photo->warning, ==, NULL);
  return photo;
}

static void
assert_refused (const MadeHeif *spec, const FsPhotoLimits *limits, FsPhotoError code,
                const char *has)
{
  g_autofree char *path = write_photo (spec);
  photo_assert_refused (path, limits, code, has);
}

static void
assert_size (const FsImage *image, int width, int height)
{
  g_assert_cmpint (image->width, ==, width);
  g_assert_cmpint (image->height, ==, height);
}

/* Opaque, and no further than `tolerance` from the made colours of the picture's size, plus `more`.
 */
static void
assert_colours (const FsImage *image, gboolean grey, int more, int tolerance)
{
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++) {
      uint32_t colour = made_colour (x, y, image->width, image->height);
      if (grey)
        colour = (colour >> 8 & 0xff) * 0x010101;
      colour += (uint32_t)more * 0x010101;
      g_assert_cmpint (FS_PIXEL_A (image->pixels[y * image->width + x]), ==, 255);
      g_assert_cmpint (made_distance (image->pixels[y * image->width + x], colour), <=, tolerance);
    }
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* 10 and 12 bits lie three quarters of the way to the next step: rounded they are one more. What
 * is lost on the way to luma and back is less than a quarter of a step of 12 bits. */
static void
test_plain (void)
{
  static const struct {
    int bits, more, tolerance;
  } depths[] = { { 8, 0, 3 }, { 10, 1, 3 }, { 12, 1, 0 } };
  for (gsize i = 0; i < 4 * G_N_ELEMENTS (depths); i++) {
    const gsize depth = i / 4;
    const MadeHeif spec = { WIDTH, HEIGHT, .av1 = i & 1, .bits = depths[depth].bits,
                            .grey = (i & 2) != 0 };
    if (!can (&spec))
      continue;
    g_autoptr (FsPhoto) photo = load (&spec);
    g_assert_cmpstr (photo->format, ==, spec.av1 ? "AVIF" : "HEIC");
    g_assert_cmpint (photo->bits, ==, spec.bits);
    g_assert_false (photo->image->has_alpha);
    assert_size (photo->image, WIDTH, HEIGHT);
    assert_colours (photo->image, spec.grey, depths[depth].more, depths[depth].tolerance);
  }
}

static void
test_alpha (void)
{
  for (int i = 0; i < 8; i++) {
    const MadeHeif spec = { WIDTH,
                            HEIGHT,
                            .av1 = i & 1,
                            .bits = i & 2 ? 12 : 8,
                            .with_alpha = TRUE,
                            .multiplied = (i & 4) != 0 };
    if (!can (&spec))
      continue;
    const int more = spec.bits == 12;
    g_autoptr (FsPhoto) photo = load (&spec);
    g_assert_true (photo->image->has_alpha);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        const uint32_t pixel = photo->image->pixels[y * WIDTH + x];
        const int alpha = MIN (made_alpha (x, y) + more, 255);
        g_assert_cmpint (FS_PIXEL_A (pixel), ==, alpha);
        if (!spec.multiplied || alpha > 100)
          g_assert_cmpint (made_distance (pixel, made_colour (x, y, WIDTH, HEIGHT)), <=,
                           spec.multiplied ? 8 : 3);
      }
  }
}

/* Where the stored pixel x, y comes to lie. */
static void
turn (const MadeHeif *spec, int *x, int *y)
{
  int width = WIDTH, height = HEIGHT;
  for (int i = 0; i < spec->turns; i++) {
    const int before = *x, side = width;
    *x = *y;
    *y = width - 1 - before;
    width = height;
    height = side;
  }
  if (spec->mirror == 1)
    *y = height - 1 - *y;
  if (spec->mirror == 2)
    *x = width - 1 - *x;
}

/* As the boxes say, and once, whatever Exif says. */
static void
test_orientation (void)
{
  for (int i = 0; i < 24; i++) {
    const MadeHeif spec = { WIDTH,           HEIGHT,
                            .av1 = i & 1,    .turns = i / 2 % 4,
                            .mirror = i / 8, .orientation = 1 + i % 8 };
    if (!can (&spec))
      continue;
    g_autoptr (FsPhoto) photo = load (&spec);
    const FsImage *image = photo->image;
    assert_size (image, spec.turns & 1 ? HEIGHT : WIDTH, spec.turns & 1 ? WIDTH : HEIGHT);
    for (int k = 0; k < 4; k++) {
      const int stored_x = k & 1 ? WIDTH - 1 : 0, stored_y = k & 2 ? HEIGHT - 1 : 0;
      int x = stored_x, y = stored_y;
      turn (&spec, &x, &y);
      g_assert_cmpint (made_distance (image->pixels[y * image->width + x],
                                      made_colour (stored_x, stored_y, WIDTH, HEIGHT)),
                       <=, 3);
    }
  }
}

static void
test_crop (void)
{
  for (int av1 = 0; av1 < 2; av1++) {
    const MadeHeif spec = { WIDTH, HEIGHT, .av1 = av1, .crop_left = 11, .crop_top = 6 };
    if (!can (&spec))
      continue;
    g_autoptr (FsPhoto) photo = load (&spec);
    assert_size (photo->image, WIDTH - 11, HEIGHT - 6);
    for (int i = 0; i < photo->image->width * photo->image->height; i++) {
      const int x = i % (WIDTH - 11) + 11, y = i / (WIDTH - 11) + 6;
      g_assert_cmpint (made_distance (photo->image->pixels[i], made_colour (x, y, WIDTH, HEIGHT)),
                       <=, 3);
    }
  }
}

/* As telephones store them. */
static void
test_tiles (void)
{
  for (int i = 0; i < 4; i++) {
    const MadeHeif spec = { WIDTH,        HEIGHT,   .av1 = i & 1, .bits = i & 2 ? 10 : 8,
                            .columns = 3, .rows = 2 };
    if (!can (&spec))
      continue;
    g_autoptr (FsPhoto) photo = load (&spec);
    assert_size (photo->image, 3 * WIDTH - 6, 2 * HEIGHT - 10);
    assert_colours (photo->image, FALSE, spec.bits > 8, 3);
  }
}

static void
test_names (void)
{
  static const struct {
    const char *brand, *format;
  } names[] = { { "heix", "HEIC" }, { "hevc", "HEIC" }, { "mif1", "HEIF" },
                { "msf1", "HEIF" }, { "avif", "AVIF" }, { "avis", "AVIF" } };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    const MadeHeif spec = { WIDTH, HEIGHT, .brand = names[i].brand };
    if (!can (&spec))
      continue;
    g_autoptr (FsPhoto) photo = load (&spec);
    g_assert_cmpstr (photo->format, ==, names[i].format);
  }
}

/* It takes little memory, whatever the pixels would: those of the photo that is open have it. */
static void
test_profile (void)
{
  const uint8_t *made = made_profile ();
  const FsPhotoLimits little = { .max_memory_bytes = 3 * (guint64)MIB, .max_pixels = 1024 * 1024 };
  for (int av1 = 0; av1 < 2; av1++) {
    const MadeHeif spec = { 1024,
                            1024,
                            .av1 = av1,
                            .grey = TRUE,
                            .orientation = 6,
                            .profile = made,
                            .n_profile = MADE_PROFILE_BYTES };
    if (!can (&spec))
      continue;
    g_autofree char *path = write_photo (&spec);
    g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, &little, NULL, NULL);
    g_autoptr (FsPhotoMetadata) found = fs_photo_metadata_new ();
    fs_heif_read_metadata (input, found);
    g_assert_nonnull (found->icc);
    g_assert_cmpmem (g_bytes_get_data (found->icc, NULL), g_bytes_get_size (found->icc), made,
                     MADE_PROFILE_BYTES);
    g_assert_cmpint (found->orientation, ==, 1);
    photo_assert_refused (path, &little, FS_PHOTO_ERROR_LIMIT, "memory");
  }
}

/* The box nclx, but for sRGB, and unless there is a profile. */
static void
test_meaning (void)
{
  static const struct {
    int primaries, transfer;
    gboolean with_profile, says;
  } kinds[] = { { 12, 13, FALSE, TRUE },
                { 9, 16, FALSE, TRUE },
                { 1, 13, FALSE, FALSE },
                { 2, 2, FALSE, FALSE },
                { 12, 13, TRUE, FALSE } };
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
    MadeHeif spec = { WIDTH, HEIGHT, .av1 = TRUE, .primaries = kinds[i].primaries,
                      .transfer = kinds[i].transfer };
    if (kinds[i].with_profile) {
      spec.profile = made_profile ();
      spec.n_profile = MADE_PROFILE_BYTES;
    }
    if (!can (&spec))
      continue;
    g_autofree char *path = write_photo (&spec);
    g_autoptr (FsPhotoMetadata) found = fs_photo_metadata_read (path);
    g_assert_cmpint (found->has_cicp, ==, kinds[i].says);
    if (!found->has_cicp)
      continue;
    g_assert_cmpint (found->cicp[0], ==, kinds[i].primaries);
    g_assert_cmpint (found->cicp[1], ==, kinds[i].transfer);
    g_assert_cmpint (found->cicp[2], ==, 0);
    g_assert_cmpint (found->cicp[3], ==, 1);
  }
}

/* Samples of 10 and 12 bits, stretched, round to the picture of 8 bits. */
static void
test_samples (void)
{
  for (int bits = 8; bits <= 12; bits += 2) {
    const MadeHeif spec = { WIDTH, HEIGHT, .av1 = TRUE, .bits = bits, .turns = 1 };
    if (!can (&spec))
      continue;
    g_autofree char *path = write_photo (&spec);
    g_autoptr (FsPhoto) photo = load (&spec);
    g_autoptr (FsPhotoSamples) found = fs_photo_load_samples (path, NULL, NULL);
    g_assert_cmpint (fs_photo_count_bits (path), ==, bits);
    g_assert_cmpint (found != NULL, ==, bits > 8);
    for (int p = 0; found && p < WIDTH * HEIGHT; p++) {
      const uint32_t pixel = photo->image->pixels[p];
      g_assert_cmphex (found->image->pixels[p], ==, pixel);
      g_assert_cmpint (ABS (found->samples[4 * p] - 257 * (int)FS_PIXEL_R (pixel)), <=, 129);
      g_assert_cmpint (ABS (found->samples[4 * p + 2] - 257 * (int)FS_PIXEL_B (pixel)), <=, 129);
      g_assert_cmpint (found->samples[4 * p + 3], ==, 65535);
    }
  }
}

/* --- What is refused -------------------------------------------------------------------------- */

static void
test_no_decoder (void)
{
  for (int av1 = 0; av1 < 2; av1++) {
    const MadeHeif spec = { WIDTH, HEIGHT, .av1 = av1 };
    if (!can (&spec))
      continue;
    g_autofree char *path = write_photo (&spec);
    no_decoders = TRUE;
    photo_assert_refused (path, NULL, FS_PHOTO_ERROR_FORMAT, av1 ? "AV1" : "HEVC");
    photo_assert_refused (path, NULL, FS_PHOTO_ERROR_FORMAT, "no decoder");
    no_decoders = FALSE;
  }
}

static void
test_unknown_kind (void)
{
  static const char *const types[] = { "vvc1", "jpeg", "iovl", "n\no." };
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++) {
    const MadeHeif spec = { WIDTH, HEIGHT, .type = types[i] };
    if (can (&spec))
      assert_refused (&spec, NULL, FS_PHOTO_ERROR_FORMAT,
                      i < 3 ? types[i] : "kind of HEIF picture");
  }
}

/* libheif would follow these until the stack ends. */
static void
test_circles (void)
{
  const MadeHeif alpha = { WIDTH, HEIGHT, .with_alpha = TRUE, .lie = MADE_HEIF_ALPHA_CIRCLE };
  const MadeHeif tile = { WIDTH, HEIGHT, .columns = 2, .rows = 1, .lie = MADE_HEIF_TILE_CIRCLE };
  const MadeHeif self = { WIDTH, HEIGHT, .type = "iden" };
  if (!can (&alpha))
    return;
  assert_refused (&alpha, NULL, FS_PHOTO_ERROR_DAMAGED, "damaged before");
  assert_refused (&tile, NULL, FS_PHOTO_ERROR_FORMAT, "grid");
  assert_refused (&self, NULL, FS_PHOTO_ERROR_DAMAGED, "damaged before");
}

static void
assert_cheaply_refused (const MadeHeif *spec, const FsPhotoLimits *limits, FsPhotoError code)
{
  g_autofree char *path = write_photo (spec);
  const Cost cost = photo_child_open (path, limits);
  g_test_message ("%.3f s, %.0f MB", cost.cpu_seconds, (double)cost.peak_bytes / (double)MIB);
  g_assert_cmpint (cost.outcome, ==, OUTCOME_REFUSED);
  g_assert_cmpint (cost.code, ==, code);
  g_assert_cmpfloat (cost.cpu_seconds, <=, 0.2 * photo_child_slowness);
  g_assert_cmpint (cost.peak_bytes, <=, 96 * MIB + photo_child_overhead_bytes);
}

/* 30,000 × 30,000 pixels in a grid whose box says a few; thousands of items, and of copies. */
static void
test_bombs (void)
{
  const FsPhotoLimits limits = { .max_memory_bytes = 256 * (guint64)MIB };
  const MadeHeif grid = { WIDTH, HEIGHT, .columns = 2, .rows = 2, .lie = MADE_HEIF_LARGE_GRID };
  const MadeHeif items = { WIDTH, HEIGHT, .lie = MADE_HEIF_MANY_ITEMS };
  const MadeHeif copies = { 512, 512, .av1 = TRUE, .lie = MADE_HEIF_MANY_COPIES };
  if (can (&grid)) {
    assert_cheaply_refused (&grid, &limits, FS_PHOTO_ERROR_LIMIT);
    assert_refused (&grid, &limits, FS_PHOTO_ERROR_LIMIT, "memory");
    assert_cheaply_refused (&items, NULL, FS_PHOTO_ERROR_LIMIT);
    assert_refused (&items, NULL, FS_PHOTO_ERROR_LIMIT, "4096");
  }
  /* More than the picture and the lists take. */
  const FsPhotoLimits little = { .max_memory_bytes = 20 * (guint64)MIB };
  if (can (&copies))
    assert_cheaply_refused (&copies, &little, FS_PHOTO_ERROR_LIMIT);
}

/* Overwrites what a box of that name, the first or one after it, holds. */
static void
patch_box (GByteArray *bytes, const char *name, guint which, const guint8 *content, gsize n_bytes)
{
  for (guint i = 0; i + 4 + n_bytes < bytes->len; i++)
    if (memcmp (bytes->data + i, name, 4) == 0 && which-- == 0) {
      memcpy (bytes->data + i + 4, content, n_bytes);
      return;
    }
  g_assert_not_reached ();
}

/* A grid whose few bytes are in a box that is not there; found by fuzzing where they are none. */
static void
test_no_data (void)
{
  for (guint n_bytes = 0; n_bytes < 2; n_bytes++) {
    const MadeHeif spec = { WIDTH, HEIGHT, .columns = 2, .rows = 1 };
    const guint8 place[] = { 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, (guint8)n_bytes };
    if (!can (&spec))
      continue;
    g_autoptr (GByteArray) bytes = made_heif (&spec);
    for (guint i = 0; i + 4 < bytes->len; i++)
      if (memcmp (bytes->data + i, "idat", 4) == 0)
        memcpy (bytes->data + i, "free", 4);
    /* The first item's, after the version, the sizes of numbers and the number of items. */
    for (guint i = 0; i + 12 + sizeof place < bytes->len; i++)
      if (memcmp (bytes->data + i, "iloc", 4) == 0)
        memcpy (bytes->data + i + 12, place, sizeof place);
    g_autofree char *path = made_file (folder, "no-data", bytes->data, bytes->len);
    photo_assert_refused (path, NULL, FS_PHOTO_ERROR_DAMAGED, "ends before");
  }
}

/* A grid wider than libheif's cropping can reckon with: it asserts, or reads elsewhere. Found where
 * bytes were changed at random. */
static void
test_wide_grid (void)
{
  const MadeHeif spec = { WIDTH, HEIGHT, .columns = 2, .rows = 1, .crop_left = 8 };
  const guint widths[] = { 46340, 46341, 65466 };
  for (gsize i = 0; i < G_N_ELEMENTS (widths) && can (&spec); i++) {
    const guint8 grid[] = { 0, 0, 0, 1, (guint8)(widths[i] >> 8), (guint8)widths[i], 0, HEIGHT };
    g_autoptr (GByteArray) bytes = made_heif (&spec);
    patch_box (bytes, "idat", 0, grid, sizeof grid);
    g_autofree char *path = made_file (folder, "wide", bytes->data, bytes->len);
    /* A grid that its tiles do not fill is opened by some versions of libheif. */
    if (i > 0) {
      photo_assert_refused (path, NULL, FS_PHOTO_ERROR_LIMIT, "at most 46340 a side");
      continue;
    }
    g_autoptr (GError) error = NULL;
    g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
    g_assert_true (photo || g_error_matches (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_DAMAGED));
  }
}

/* Tiles that say they are narrower than they are come to lie over each other. libheif would write
 * them at the same time. */
static void
test_odd_tiles (void)
{
#if LIBHEIF_HAVE_VERSION(1, 13, 0)
  static const guint8 size[] = { 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, HEIGHT };
  for (int i = 0; i < 4; i++) {
    const MadeHeif spec = { WIDTH, HEIGHT, .av1 = i & 1, .columns = 3, .rows = 1 };
    if (!can (&spec))
      continue;
    g_autoptr (GByteArray) bytes = made_heif (&spec);
    if (i & 2)
      patch_box (bytes, "ispe", 2, size, sizeof size);
    g_autofree char *path = made_file (folder, "odd", bytes->data, bytes->len);
    n_serial = 0;
    g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, NULL);
    g_assert_nonnull (photo);
    g_assert_cmpuint (n_serial, ==, i & 2 ? 1 : 0);
  }
#else
  g_test_skip ("this libheif has no such setting");
#endif
}

/* Fractions with which libheif would divide by zero, or overflow. */
static void
test_wrong_crops (void)
{
  static const guint8 crops[][8] = { { 0, 0, 0, 64, 0, 0, 0, 0 },
                                     { 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1 },
                                     { 0, 0, 0, 64, 0, 1, 0, 0 },
                                     { 0, 0, 0, 0, 0, 0, 0, 1 } };
  const MadeHeif spec = { WIDTH, HEIGHT, .crop_left = 8, .crop_top = 8 };
  for (gsize i = 0; i < G_N_ELEMENTS (crops) && can (&spec); i++) {
    g_autoptr (GByteArray) bytes = made_heif (&spec);
    patch_box (bytes, "clap", 0, crops[i], sizeof crops[i]);
    g_autofree char *path = made_file (folder, "crop", bytes->data, bytes->len);
    photo_assert_refused (path, NULL, FS_PHOTO_ERROR_DAMAGED, "damaged before");
  }
}

/* The boxes say 8 × 8 pixels, what is packed says many: it is that which is weighed. */
static void
test_packed_size (void)
{
  static const guint8 size[] = { 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 8 };
  const FsPhotoLimits few_pixels = { .max_pixels = 8 * 8 };
  for (int av1 = 0; av1 < 2; av1++) {
    const MadeHeif spec = { 512, 512, .av1 = av1 };
    if (!can (&spec))
      continue;
    assert_refused (&spec, &few_pixels, FS_PHOTO_ERROR_LIMIT, "512 × 512");
    g_autoptr (GByteArray) bytes = made_heif (&spec);
    patch_box (bytes, "ispe", 0, size, sizeof size);
    g_autofree char *path = made_file (folder, "lie", bytes->data, bytes->len);
    /* Colours and alpha, before and after turning, would take eight bytes a pixel alone. */
    const FsPhotoLimits little = { .max_memory_bytes = 512 * 512 * 12 };
    photo_assert_refused (path, &little, FS_PHOTO_ERROR_LIMIT, "memory");
    photo_assert_refused (path, &few_pixels, FS_PHOTO_ERROR_DAMAGED, "damaged before");
  }
}

/* Cut anywhere, a photo is refused; whole it opens. */
static void
test_truncated (void)
{
  for (int i = 0; i < 4; i++) {
    const MadeHeif spec = {
      WIDTH, HEIGHT, .av1 = i & 1, .with_alpha = TRUE, .columns = i & 2, .rows = i & 2
    };
    const MadeHeif made = {
      WIDTH, HEIGHT, .av1 = i & 1, .columns = i & 2, .rows = i & 2, .turns = 1
    };
    if (!can (&spec))
      continue;
    g_autoptr (GByteArray) whole = made_heif (i & 2 ? &made : &spec);
    for (guint n = 12; n < whole->len; n += 1 + whole->len / 700) {
      g_autofree char *path = made_file (folder, "cut", whole->data, n);
      photo_assert_refused (path, NULL, FS_PHOTO_ERROR_DAMAGED, ": ");
    }
    g_autofree char *path = made_file (folder, "cut", whole->data, whole->len - 1);
    photo_assert_refused (path, NULL, FS_PHOTO_ERROR_DAMAGED, "ends before");
    g_autoptr (FsPhoto) photo = load (i & 2 ? &made : &spec);
    g_assert_nonnull (photo);
  }
}

static void
test_random_damage (void)
{
  for (int i = 0; i < 4; i++) {
    const MadeHeif spec = { WIDTH,      HEIGHT,        .av1 = i & 1,     .with_alpha = i < 2,
                            .turns = 1, .crop_top = 2, .columns = i & 2, .rows = i & 2 };
    if (!can (&spec))
      continue;
    g_autoptr (GByteArray) whole = made_heif (&spec);
    g_autofree guint8 *bytes = g_malloc (whole->len);
    guint n_refused = 0;
    for (int k = 0; k < 500; k++) {
      memcpy (bytes, whole->data, whole->len);
      /* Mostly in the boxes, where it matters most. */
      const gint32 end = (gint32)(k % 4 > 0 ? MIN (whole->len, 1000) : whole->len);
      for (int n = g_test_rand_int_range (1, 6); n > 0; n--)
        bytes[g_test_rand_int_range (0, end)] = (guint8)g_test_rand_int ();
      g_autofree char *path = made_file (folder, "damaged", bytes, whole->len);
      g_autoptr (GError) error = NULL;
      g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
      g_assert_true ((photo != NULL) == (error == NULL));
      n_refused += error != NULL;
      if (error && !photo_message_is_sound (error->message, path))
        g_error ("%s", error->message);
    }
    g_assert_cmpuint (n_refused, >, 50);
  }
}

static void
test_count_skipped (void)
{
  g_autofree char *reason =
      g_strdup_printf ("libheif cannot make %u of the photos here", n_skipped);
  if (n_skipped > 0)
    g_test_skip (reason);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
  watch_library ();
  g_test_add_func ("/photo/heif/plain", test_plain);
  g_test_add_func ("/photo/heif/alpha", test_alpha);
  g_test_add_func ("/photo/heif/orientation", test_orientation);
  g_test_add_func ("/photo/heif/crop", test_crop);
  g_test_add_func ("/photo/heif/tiles", test_tiles);
  g_test_add_func ("/photo/heif/names", test_names);
  g_test_add_func ("/photo/heif/profile", test_profile);
  g_test_add_func ("/photo/heif/meaning", test_meaning);
  g_test_add_func ("/photo/heif/samples", test_samples);
  g_test_add_func ("/photo/heif/no-decoder", test_no_decoder);
  g_test_add_func ("/photo/heif/unknown-kind", test_unknown_kind);
  g_test_add_func ("/photo/heif/circles", test_circles);
  g_test_add_func ("/photo/heif/bombs", test_bombs);
  g_test_add_func ("/photo/heif/no-data", test_no_data);
  g_test_add_func ("/photo/heif/wide-grid", test_wide_grid);
  g_test_add_func ("/photo/heif/odd-tiles", test_odd_tiles);
  g_test_add_func ("/photo/heif/wrong-crops", test_wrong_crops);
  g_test_add_func ("/photo/heif/packed-size", test_packed_size);
  g_test_add_func ("/photo/heif/truncated", test_truncated);
  g_test_add_func ("/photo/heif/random-damage", test_random_damage);
  g_test_add_func ("/photo/heif/skipped", test_count_skipped);
  const int failed = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return failed;
}
