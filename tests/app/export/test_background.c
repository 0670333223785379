/* SPDX-License-Identifier: MIT */
/* Cut-outs on a colour or a picture: places, values, formats, and what is refused. */
#include "app/export/export.h"
#include "app/export/jpeg_write.h"
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"

#include <math.h>
#include <string.h>

#define WIDTH  64
#define HEIGHT 48

static char *folder;
static FsImage *image; /* smooth, half of it with some alpha */
static uint8_t *mask;  /* the right half */

static char *
path_of (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
write_to (const FsExport *what, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_export_write (what, path, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
}

static FsImage *
read_image (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (photo->warning);
  return fs_image_ref (photo->image);
}

/* A PNG of a picture that its halves' colours make. */
static char *
write_halves (const char *name, int width, int height, uint32_t left, uint32_t right)
{
  g_autoptr (FsImage) picture = fs_image_new (width, height);
  g_autofree uint8_t *all = g_malloc ((gsize)width * (gsize)height);
  picture->has_alpha = TRUE;
  memset (all, 1, (gsize)width * (gsize)height);
  for (int i = 0; i < width * height; i++)
    picture->pixels[i] = i % width < width / 2 ? left : right;
  const FsExport what = { .image = picture, .mask = all, .kind = FS_EXPORT_CUTOUT };
  char *path = path_of (name);
  write_to (&what, path);
  return path;
}

static FsBackground *
new_background (const char *text)
{
  g_autoptr (GError) error = NULL;
  FsBackground *background = fs_background_new (text, &error);
  g_assert_no_error (error);
  return background;
}

static void
test_colours (void)
{
  static const struct {
    const char *text;
    uint32_t rgb;
  } right[] = { { "#fff", 0xffffff },  { "#12aB9f", 0x12ab9f }, { "#a0c", 0xaa00cc },
                { "White", 0xffffff }, { "black", 0 },          { "navy", 0x000080 },
                { "grey", 0x808080 } };
  static const char *const wrong[] = { "",       "#",      "#ff",    "#fffff",    "#ggg", "fff",
                                       "whites", "#12345", "white ", "#12345678", "12" };
  for (gsize i = 0; i < G_N_ELEMENTS (right); i++) {
    uint32_t rgb = 1;
    g_assert_true (fs_background_parse_colour (right[i].text, &rgb));
    g_assert_cmphex (rgb, ==, right[i].rgb);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++) {
    uint32_t rgb = 1;
    g_assert_false (fs_background_parse_colour (wrong[i], &rgb));
  }
  g_autoptr (GError) error = NULL;
  g_autofree char *missing = path_of ("missing.png");
  g_assert_null (fs_background_new (missing, &error));
  g_assert_nonnull (strstr (error->message, "missing.png"));
}

static uint32_t
pixel_at (const FsImage *picture, int x, int y)
{
  return picture->pixels[y * picture->width + x];
}

/* Covers the photo and is centred, whatever its size and shape; no pixel changes where none is
 * scaled; a part is the same as in the whole. */
static void
test_places (void)
{
  static const struct {
    int width, height;
  } sizes[] = { { WIDTH, HEIGHT }, { 200, 20 }, { 10, 200 }, { 2, 1 }, { 1000, 700 }, { 66, 50 } };
  const uint32_t left = 0xff204060, right = 0xffe0a080;
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree char *path =
        write_halves ("halves.png", sizes[i].width, sizes[i].height, left, right);
    g_autoptr (FsBackground) background = new_background (path);
    const FsRect all = { 0, 0, WIDTH, HEIGHT }, part = { 7, 5, 60, 33 };
    g_autoptr (FsImage) whole = fs_background_render (background, WIDTH, HEIGHT, all, NULL);
    g_autoptr (FsImage) some = fs_background_render (background, WIDTH, HEIGHT, part, NULL);
    for (int y = 0; y < HEIGHT; y++) {
      g_assert_cmphex (pixel_at (whole, 0, y), ==, left);
      g_assert_cmphex (pixel_at (whole, WIDTH - 1, y), ==, right);
      const uint32_t middle[2] = { pixel_at (whole, WIDTH / 2 - 1, y),
                                   pixel_at (whole, WIDTH / 2, y) };
      g_assert_cmpint (FS_PIXEL_R (middle[0]), <=, 128);
      g_assert_cmpint (FS_PIXEL_R (middle[1]), >=, 128);
      for (int x = 0; x < WIDTH && i == 0; x++)
        g_assert_cmphex (pixel_at (whole, x, y), ==, x < WIDTH / 2 ? left : right);
    }
    for (int y = part.y0; y < part.y1; y++)
      for (int x = part.x0; x < part.x1; x++)
        g_assert_cmphex (pixel_at (some, x - part.x0, y - part.y0), ==, pixel_at (whole, x, y));
    g_assert_cmphex (fs_background_get_pixel (background, WIDTH, HEIGHT, 1, 40), ==, left);
    g_assert_cmphex (fs_background_get_pixel (background, WIDTH, HEIGHT, WIDTH - 2, 0), ==, right);
  }
  /* Transparent parts lie on white. */
  g_autofree char *path = write_halves ("clear.png", 8, 8, 0x80000000, 0x00ffffff);
  g_autoptr (FsBackground) clear = new_background (path);
  g_assert_cmphex (fs_background_get_pixel (clear, 8, 8, 0, 0), ==, 0xff7f7f7f);
  g_autoptr (FsImage) whole = fs_background_render (clear, 8, 8, (FsRect){ 0, 0, 8, 8 }, NULL);
  g_assert_cmphex (pixel_at (whole, 0, 7), ==, 0xff7f7f7f);
  g_assert_cmphex (pixel_at (whole, 7, 7), ==, 0xffffffff);
}

/* The largest difference of a channel from the exact composite; the file has no alpha. */
static int
find_difference (const char *path, const FsImage *below, FsRect area)
{
  g_autoptr (FsImage) flat = read_image (path);
  int largest = 0;
  g_assert_false (flat->has_alpha);
  g_assert_cmpint (flat->width, ==, area.x1 - area.x0);
  g_assert_cmpint (flat->height, ==, area.y1 - area.y0);
  for (int y = area.y0; y < area.y1; y++)
    for (int x = area.x0; x < area.x1; x++) {
      const uint32_t pixel = pixel_at (image, x, y), behind = pixel_at (below, x, y);
      const double alpha = mask[y * WIDTH + x] ? FS_PIXEL_A (pixel) / 255.0 : 0;
      const uint32_t written = pixel_at (flat, x - area.x0, y - area.y0);
      for (int shift = 0; shift < 24; shift += 8) {
        const double exact =
            alpha * (pixel >> shift & 0xff) + (1 - alpha) * (behind >> shift & 0xff);
        largest = MAX (largest, ABS ((int)(written >> shift & 0xff) - (int)(exact + 0.5)));
      }
    }
  return largest;
}

static void
test_formats (void)
{
  static const struct {
    const char *name;
    int tolerance;
  } files[] = { { "flat.png", 0 },
#ifdef HAVE_WEBP
                { "flat.webp", 0 },
#endif
#ifdef HAVE_TIFF
                { "flat.tif", 0 },
#endif
                { "flat.jpg", 6 },
                { "FLAT.JPEG", 6 } };
  g_autofree char *halves = write_halves ("b.png", 100, 90, 0xff205080, 0xff305080);
  const char *const backgrounds[] = { "#336699", halves };
  for (gsize b = 0; b < G_N_ELEMENTS (backgrounds); b++)
    for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
      g_autoptr (FsBackground) background = new_background (backgrounds[b]);
      const FsRect all = { 0, 0, WIDTH, HEIGHT }, part = { 32, 3, 61, 40 };
      g_autoptr (FsImage) below = fs_background_render (background, WIDTH, HEIGHT, all, NULL);
      g_autofree char *path = path_of (files[i].name);
      FsExport what = { .image = image,
                        .mask = mask,
                        .kind = FS_EXPORT_CUTOUT,
                        .background = background,
                        .quality = 98 };
      write_to (&what, path);
      if (files[i].tolerance == 0)
        g_assert_cmpint (find_difference (path, below, all), ==, 0);
      what.area = part;
      write_to (&what, path);
      g_assert_cmpint (find_difference (path, below, part), <=, files[i].tolerance);
    }
}

/* 16-bit samples are put on it in 16 bits. */
static void
test_deep (void)
{
  enum { SIDE = 3 };
  guint16 samples[4 * SIDE * SIDE];
  g_autoptr (GByteArray) png = made_png_begin (SIDE, SIDE, 16, 6, FALSE);
  g_autoptr (GByteArray) rows = g_byte_array_new ();
  for (int i = 0; i < SIDE * SIDE; i++) {
    if (i % SIDE == 0)
      g_byte_array_append (rows, (const guint8 *)"", 1);
    for (int k = 0; k < 4; k++) {
      const guint16 sample = (guint16)(k == 3 ? 7000 * i : 6000 * i + 100 * k);
      const guint8 bytes[] = { (guint8)(sample >> 8), (guint8)sample };
      g_byte_array_append (rows, bytes, 2);
      samples[4 * i + k] = sample;
    }
  }
  made_png_pixels (png, rows->data, rows->len);
  made_png_end (png);
  g_autofree char *photo_path = made_file (folder, "deep.png", png->data, png->len);
  g_autofree char *path = path_of ("flat16.png");
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (photo_path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (FsBackground) background = fs_background_new_colour (0x804020);
  uint8_t all[SIDE * SIDE];
  memset (all, 1, sizeof all);
  const FsExport what = { .image = photo->image,
                          .mask = all,
                          .kind = FS_EXPORT_CUTOUT,
                          .photo = photo_path,
                          .background = background };
  write_to (&what, path);
  g_autoptr (FsPhotoSamples) flat = fs_photo_load_samples (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (flat);
  static const double below[] = { 0x8080, 0x4040, 0x2020 };
  for (int i = 0; i < SIDE * SIDE; i++)
    for (int k = 0; k < 3; k++) {
      const double alpha = samples[4 * i + 3] / 65535.0;
      const double exact = alpha * samples[4 * i + k] + (1 - alpha) * below[k];
      g_assert_cmpfloat (fabs (flat->samples[4 * i + k] - exact), <=, 0.5001);
    }
}

static void
assert_refused (const FsExport *what, const char *name, const char *has)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = path_of (name);
  g_assert_false (fs_export_write (what, path, NULL, NULL, NULL, &error));
  g_assert_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE);
  g_assert_nonnull (strstr (error->message, has));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static gboolean
refuse_bytes (gpointer user_data, const void *bytes, gsize n_bytes, GError **error)
{
  g_set_error_literal (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, "full");
  return FALSE;
}

static gboolean
go_on (gpointer user_data, int n_rows, int n_all, GError **error)
{
  return TRUE;
}

static void
test_refused (void)
{
  g_autoptr (FsBackground) white = fs_background_new_colour (0xffffff);
  FsExport what = { .image = image, .mask = mask, .kind = FS_EXPORT_CUTOUT };
  assert_refused (&what, "a.jpg", "JPEG has no transparency");
  what.background = white;
  what.kind = FS_EXPORT_MASK;
  assert_refused (&what, "b.jpg", "JPEG changes pixels");
  what.kind = FS_EXPORT_LABELS;
  assert_refused (&what, "b.jpg", "JPEG changes pixels");
  what.kind = FS_EXPORT_CUTOUT;
  const FsExportSink sink = { refuse_bytes, go_on, NULL };
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_jpeg_write (&what, "c.jpg", &sink, &error));
  g_assert_cmpstr (error->message, ==, "full");
}

/* Better quality, more bytes. */
static void
test_jpeg (void)
{
  g_autoptr (FsBackground) white = fs_background_new_colour (0xffffff);
  g_autofree char *path = path_of ("q.jpg");
  gsize n_before = 0;
  for (int quality = 10; quality <= 100; quality += 30) {
    const FsExport what = { .image = image,
                            .mask = mask,
                            .kind = FS_EXPORT_CUTOUT,
                            .background = white,
                            .quality = quality };
    g_autofree char *bytes = NULL;
    gsize n_bytes;
    write_to (&what, path);
    g_assert_true (g_file_get_contents (path, &bytes, &n_bytes, NULL));
    g_assert_cmpuint (n_bytes, >, n_before);
    n_before = n_bytes;
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
  image = fs_image_new (WIDTH, HEIGHT);
  image->has_alpha = TRUE;
  mask = g_malloc (WIDTH * HEIGHT);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      image->pixels[y * WIDTH + x] = FS_PIXEL (y < HEIGHT / 2 ? 255 : 128, 2 * x, 80 + y, 150 - x);
      mask[y * WIDTH + x] = x >= WIDTH / 2;
    }
  g_test_add_func ("/background/colours", test_colours);
  g_test_add_func ("/background/places", test_places);
  g_test_add_func ("/background/formats", test_formats);
  g_test_add_func ("/background/deep", test_deep);
  g_test_add_func ("/background/refused", test_refused);
  g_test_add_func ("/background/jpeg", test_jpeg);
  const int status = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  g_free (mask);
  fs_image_unref (image);
  return status;
}
