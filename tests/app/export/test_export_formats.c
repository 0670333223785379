/* SPDX-License-Identifier: MIT */
/* Exports in other formats than PNG: the same pixels, or nothing and one sentence. */
#include "app/export/export.h"
#include "app/export/export_format.h"
#include "app/export/parts/label_colour.h"
#include "app/photo/colour_profile.h"
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/photo_child.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HAVE_TIFF
#include <tiffio.h>
#endif

#define WIDTH  301
#define HEIGHT 203

static const char *const names[] = { "out.webp", "out.tif", "OUT.TIFF", "out.png" };

static char *folder;
static FsImage *image;
static uint8_t *mask;

static FsImage *
new_image (int width, int height)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  FsImage *made = fs_image_new (width, height);
  made->has_alpha = TRUE;
  for (int i = 0; i < width * height; i++)
    made->pixels[i] = g_rand_int (random);
  return made;
}

static FsExport
export_of (FsExportKind kind)
{
  return (FsExport){ .image = image, .mask = mask, .kind = kind };
}

/* In the tests' folder. NULL where this build does not write that. g_free. */
static char *
path_of (const char *name)
{
  return fs_export_format_get_writer (fs_export_format_of (name)) != NULL
             ? g_build_filename (folder, name, NULL)
             : NULL;
}

/* As far as this build writes them. */
static void
each_format (void (*check) (const char *path))
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = path_of (names[i]);
    if (path != NULL)
      check (path);
  }
}

static void
write_to (const FsExport *what, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_export_write (what, path, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
}

static void
assert_refused (const FsExport *what, const char *path, const char *has)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *now = NULL;
  g_assert_true (g_file_set_contents (path, "old", -1, NULL));
  g_assert_false (fs_export_write (what, path, NULL, NULL, NULL, &error));
  g_assert_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE);
  g_test_message ("%s", error->message);
  g_assert_true (photo_message_is_sound (error->message, path));
  g_assert_nonnull (strstr (error->message, has));
  g_assert_true (g_file_get_contents (path, &now, NULL, NULL));
  g_assert_cmpstr (now, ==, "old");
}

static FsPhoto *
load (const char *path, int width, int height)
{
  g_autoptr (GError) error = NULL;
  FsPhoto *photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (photo->warning);
  g_assert_cmpint (photo->image->width, ==, width);
  g_assert_cmpint (photo->image->height, ==, height);
  return photo;
}

/* That the file is what its name says, not only something that opens. */
static void
assert_format (const char *path, FsExportFormat format)
{
  static const char *const begins[] = {
    [FS_EXPORT_PNG] = "\x89PNG", [FS_EXPORT_WEBP] = "RIFF", [FS_EXPORT_TIFF] = "II*"
  };
  g_autofree char *bytes = NULL;
  g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
  g_assert_true (g_str_has_prefix (bytes, begins[format]));
}

static void
test_endings (void)
{
  static const struct {
    const char *name;
    FsExportFormat format;
    gsize n_ending;
  } cases[] = { { "a.png", FS_EXPORT_PNG, 4 },      { "a.PNG", FS_EXPORT_PNG, 4 },
                { "a.webp", FS_EXPORT_WEBP, 5 },    { "a.b/c.WebP", FS_EXPORT_WEBP, 5 },
                { "a.tif", FS_EXPORT_TIFF, 4 },     { "a.tiff", FS_EXPORT_TIFF, 5 },
                { "a.webp.png", FS_EXPORT_PNG, 4 }, { "a", FS_EXPORT_PNG, 0 },
                { "a.tif.bak", FS_EXPORT_PNG, 0 },  { ".webp", FS_EXPORT_PNG, 0 },
                { "atif", FS_EXPORT_PNG, 0 },       { "", FS_EXPORT_PNG, 0 } };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_cmpint (fs_export_format_of (cases[i].name), ==, cases[i].format);
    g_assert_cmpint (fs_export_format_count_ending (cases[i].name), ==, cases[i].n_ending);
  }
}

/* Nothing stands under alpha 0, unless that is asked for. */
static uint32_t
cutout_pixel (int i, gboolean keep_hidden)
{
  const uint32_t pixel = mask[i] ? image->pixels[i] : image->pixels[i] & 0x00ffffff;
  return FS_PIXEL_A (pixel) > 0 || keep_hidden ? pixel : 0;
}

static void
check_cutout_with (const char *path, gboolean keep_hidden)
{
  FsExport what = export_of (FS_EXPORT_CUTOUT);
  what.keep_hidden = keep_hidden;
  write_to (&what, path);
  assert_format (path, fs_export_format_of (path));
  g_autoptr (FsPhoto) photo = load (path, WIDTH, HEIGHT);
  g_assert_true (photo->image->has_alpha);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmphex (photo->image->pixels[i], ==, cutout_pixel (i, keep_hidden));
}

static void
check_cutout (const char *path)
{
  check_cutout_with (path, FALSE);
  check_cutout_with (path, TRUE);
}

static void
test_cutout (void)
{
  each_format (check_cutout);
}

static void
check_part (const char *path)
{
  const FsRect area = { 17, 5, 90, 66 };
  FsExport what = export_of (FS_EXPORT_CUTOUT);
  what.area = area;
  write_to (&what, path);
  g_autoptr (FsPhoto) photo = load (path, 73, 61);
  for (int y = area.y0; y < area.y1; y++)
    for (int x = area.x0; x < area.x1; x++)
      g_assert_cmphex (photo->image->pixels[(y - area.y0) * 73 + x - area.x0] & 0xffffff, ==,
                       cutout_pixel (y * WIDTH + x, FALSE) & 0xffffff);
}

static void
test_part (void)
{
  each_format (check_part);
}

static void
check_mask (const char *path)
{
  const FsExport what = export_of (FS_EXPORT_MASK);
  write_to (&what, path);
  g_autoptr (FsPhoto) photo = load (path, WIDTH, HEIGHT);
  g_assert_false (photo->image->has_alpha);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmphex (photo->image->pixels[i], ==, mask[i] ? 0xffffffff : 0xff000000);
}

static void
test_mask (void)
{
  each_format (check_mask);
}

#ifdef HAVE_TIFF
static void
test_labels (void)
{
  g_autofree char *path = path_of ("labels.tif");
  g_autofree uint8_t *labels = g_malloc (WIDTH * HEIGHT), *row = g_malloc (WIDTH);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    labels[i] = (uint8_t)(i % 255);
  const FsExport what = { .image = image, .mask = labels, .kind = FS_EXPORT_LABELS };
  write_to (&what, path);
  TIFF *tiff = TIFFOpen (path, "r");
  guint16 photometric, *red, *green, *blue;
  g_assert_true (TIFFGetField (tiff, TIFFTAG_PHOTOMETRIC, &photometric));
  g_assert_cmpint (photometric, ==, PHOTOMETRIC_PALETTE);
  g_assert_true (TIFFGetField (tiff, TIFFTAG_COLORMAP, &red, &green, &blue));
  for (int i = 0; i < 256; i++) {
    const uint32_t rgb = i < FS_SEED_OBJECT ? 0 : fs_label_colour ((uint8_t)i);
    g_assert_cmphex (red[i], ==, (rgb >> 16) * 257);
    g_assert_cmphex (green[i], ==, (rgb >> 8 & 0xff) * 257);
    g_assert_cmphex (blue[i], ==, (rgb & 0xff) * 257);
  }
  for (int y = 0; y < HEIGHT; y++) {
    g_assert_cmpint (TIFFReadScanline (tiff, row, (guint32)y, 0), ==, 1);
    g_assert_cmpmem (row, WIDTH, labels + y * WIDTH, WIDTH);
  }
  TIFFClose (tiff);
}
#endif

#ifdef HAVE_WEBP
static void
test_webp_limits (void)
{
  g_autofree char *path = path_of ("out.webp");
  const FsExport labels = export_of (FS_EXPORT_LABELS);
  assert_refused (&labels, path, "palette");

  g_autoptr (FsImage) long_image = new_image (16384, 1);
  g_autofree uint8_t *long_mask = g_malloc0 (16384);
  FsExport what = { .image = long_image, .mask = long_mask, .kind = FS_EXPORT_CUTOUT };
  assert_refused (&what, path, "16383");
  long_mask[16383] = 1;
  what.area = (FsRect){ 1, 0, 16384, 1 };
  write_to (&what, path);
  g_autoptr (FsPhoto) photo = load (path, 16383, 1);
  g_assert_cmphex (photo->image->pixels[16382], ==, long_image->pixels[16383]);
}
#endif

/* A cut-out takes its photo's profile along, a mask has none. */
static void
check_profile (const char *path)
{
  const uint8_t *profile = made_profile ();
  g_autofree char *source = g_build_filename (folder, "source", NULL);
  FsExport what = export_of (FS_EXPORT_CUTOUT);
  if (fs_export_format_of (path) == FS_EXPORT_PNG) /* libpng leaves out one without colours */
    return;
  what.photo = source;
  write_to (&what, path);
  g_autoptr (GBytes) found = fs_colour_profile_read (path);
  g_assert_nonnull (found);
  g_assert_cmpmem (g_bytes_get_data (found, NULL), g_bytes_get_size (found), profile,
                   MADE_PROFILE_BYTES);
  g_autoptr (FsPhoto) photo = load (path, WIDTH, HEIGHT);
  g_assert_cmphex (photo->image->pixels[9], ==, cutout_pixel (9, FALSE));
  what.kind = FS_EXPORT_MASK;
  write_to (&what, path);
  g_assert_null (fs_colour_profile_read (path));
}

static void
test_profile (void)
{
  g_autoptr (GByteArray) bytes = NULL;
#if defined HAVE_WEBP
  const MadeWebp webp = { 5, 4, .profile = made_profile (), .n_profile = MADE_PROFILE_BYTES };
  bytes = made_webp (&webp);
#elif defined HAVE_TIFF
  const MadeTiff tiff = {
    5, 4, .bits = 8, .n_samples = 3, .profile = made_profile (), .n_profile = MADE_PROFILE_BYTES
  };
  bytes = made_tiff (&tiff);
#endif
  if (bytes == NULL) {
    g_test_skip ("this build writes PNG alone");
    return;
  }
  g_free (made_file (folder, "source", bytes->data, bytes->len));
  each_format (check_profile);
}

static void
cancel_half_way (double fraction, gpointer data)
{
  if (fraction >= 0.5)
    g_cancellable_cancel (data);
}

static void
check_cancel (const char *path)
{
  const FsExport what = export_of (FS_EXPORT_CUTOUT);
  g_autofree char *now = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (path, "old", -1, NULL));
  g_assert_false (fs_export_write (&what, path, cancellable, cancel_half_way, cancellable, &error));
  g_assert_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_CANCELLED);
  g_assert_true (g_file_get_contents (path, &now, NULL, NULL));
  g_assert_cmpstr (now, ==, "old");
}

static void
test_cancel (void)
{
  each_format (check_cancel);
}

/* In a child that may write no larger files. */
static void
check_full_after (const char *path, rlim_t n_bytes)
{
  const FsExport what = export_of (FS_EXPORT_CUTOUT);
  const pid_t child = fork ();
  if (child == 0) {
    const struct rlimit max = { n_bytes, n_bytes };
    signal (SIGXFSZ, SIG_IGN);
    g_assert_true (g_file_set_contents (path, "old", -1, NULL));
    if (setrlimit (RLIMIT_FSIZE, &max) < 0)
      _exit (2);
    g_autoptr (GError) error = NULL;
    g_assert_false (fs_export_write (&what, path, NULL, NULL, NULL, &error));
    g_assert_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE);
    g_assert_nonnull (strstr (error->message, "File too large"));
    _exit (0);
  }
  int status;
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}

static void
check_disk_full (const char *path)
{
  g_autofree char *now = NULL;
  for (rlim_t limit = 3; limit < 200000; limit = limit * 3 + 100)
    check_full_after (path, limit);
  g_assert_true (g_file_get_contents (path, &now, NULL, NULL));
  g_assert_cmpstr (now, ==, "old");
}

static void
test_disk_full (void)
{
  each_format (check_disk_full);
}

#ifdef HAVE_TIFF
/* The cut-out as ever on the first page, the mask of the same part on the second. */
static void
test_mask_page (void)
{
  g_autofree char *path = g_build_filename (folder, "pages.tif", NULL);
  g_autofree char *alone = g_build_filename (folder, "alone.tif", NULL);
  FsExport what = export_of (FS_EXPORT_CUTOUT);
  what.area = (FsRect){ 20, 10, WIDTH - 30, HEIGHT - 7 };
  what.edge = (FsEdgeSettings){ .width_px = 2, .clean = 100 };
  write_to (&what, alone);
  what.has_mask_page = TRUE;
  write_to (&what, path);
  g_autoptr (FsPhoto) first = load (path, WIDTH - 50, HEIGHT - 17);
  g_autoptr (FsPhoto) before = load (alone, WIDTH - 50, HEIGHT - 17);
  const gsize n = (gsize)first->image->width * (gsize)first->image->height;
  g_assert_cmpmem (first->image->pixels, n * sizeof (uint32_t), before->image->pixels,
                   n * sizeof (uint32_t));

  TIFF *tiff = TIFFOpen (path, "r");
  g_assert_nonnull (tiff);
  g_assert_cmpint (TIFFNumberOfDirectories (tiff), ==, 2);
  g_assert_true (TIFFSetDirectory (tiff, 1));
  guint32 width, height;
  guint16 bits, channels, photometric;
  TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &height);
  TIFFGetField (tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetField (tiff, TIFFTAG_SAMPLESPERPIXEL, &channels);
  TIFFGetField (tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  g_assert_cmpuint (width, ==, WIDTH - 50);
  g_assert_cmpuint (height, ==, HEIGHT - 17);
  g_assert_true (bits == 8 && channels == 1 && photometric == PHOTOMETRIC_MINISBLACK);
  uint8_t row[WIDTH];
  for (guint32 y = 0; y < height; y++) {
    g_assert_cmpint (TIFFReadScanline (tiff, row, y, 0), ==, 1);
    for (guint32 x = 0; x < width; x++)
      g_assert_cmpint (row[x], ==, mask[(y + 10) * WIDTH + x + 20] ? 255 : 0);
  }
  TIFFClose (tiff);
}
#endif

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
  image = new_image (WIDTH, HEIGHT);
  mask = g_malloc (WIDTH * HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    mask[i] = (uint8_t)(image->pixels[i] >> 9 & 1);
  g_test_add_func ("/export/formats/endings", test_endings);
  g_test_add_func ("/export/formats/cutout", test_cutout);
  g_test_add_func ("/export/formats/part", test_part);
  g_test_add_func ("/export/formats/mask", test_mask);
#ifdef HAVE_TIFF
  g_test_add_func ("/export/formats/labels", test_labels);
  g_test_add_func ("/export/formats/mask-page", test_mask_page);
#endif
#ifdef HAVE_WEBP
  g_test_add_func ("/export/formats/webp-limits", test_webp_limits);
#endif
  g_test_add_func ("/export/formats/profile", test_profile);
  g_test_add_func ("/export/formats/cancel", test_cancel);
  g_test_add_func ("/export/formats/disk-full", test_disk_full);
  int code = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  g_free (mask);
  fs_image_unref (image);
  return code;
}
