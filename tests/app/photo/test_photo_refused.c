/* SPDX-License-Identifier: MIT */
/* What is not a photo, is too big, or is out to harm: refused, in one sentence, soon. */
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/photo_child.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (G_GINT64_CONSTANT (1) << 20)

static char *folder;

static void
assert_bytes_refused (GByteArray *bytes, const FsPhotoLimits *limits, FsPhotoError code,
                      const char *has)
{
  g_autofree char *path = made_file (folder, "bytes", bytes->data, bytes->len);
  photo_assert_refused (path, limits, code, has);
  g_byte_array_unref (bytes);
}

static void
assert_opens (GByteArray *bytes)
{
  g_autofree char *path = made_file (folder, "bytes", bytes->data, bytes->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (photo->warning, ==, NULL);
  g_byte_array_unref (bytes);
}

static void
test_not_a_file (void)
{
  g_autofree char *missing = g_build_filename (folder, "missing", NULL);
  g_autofree char *fifo = g_build_filename (folder, "fifo", NULL);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  photo_assert_refused (missing, NULL, FS_PHOTO_ERROR_READ, "No such file");
  photo_assert_refused (folder, NULL, FS_PHOTO_ERROR_READ, "folder");
  photo_assert_refused (fifo, NULL, FS_PHOTO_ERROR_READ, "pipe");
  photo_assert_refused ("/dev/zero", NULL, FS_PHOTO_ERROR_READ, "device");
  photo_assert_refused ("/dev/null", NULL, FS_PHOTO_ERROR_READ, "device");
  g_unlink (fifo);
}

static void
test_not_a_photo (void)
{
  g_autofree char *empty = made_file (folder, "empty.jpg", "", 0);
  g_autofree char *text = made_file (folder, "text.png", "a letter to nobody\n", 19);
  g_autofree char *brief = made_file (folder, "brief.jpg", "\xff\xd8\xff", 3);
  photo_assert_refused (empty, NULL, FS_PHOTO_ERROR_FORMAT, "empty");
  photo_assert_refused (text, NULL, FS_PHOTO_ERROR_FORMAT, "JPEG");
  photo_assert_refused (brief, NULL, FS_PHOTO_ERROR_DAMAGED, "ends before");
}

/* A capital first letter: no decoder may show the picture without knowing this chunk. */
static void
test_unknown_chunk (void)
{
  for (int i = 0; i < 2; i++) {
    g_autoptr (GByteArray) plain = made_png (9, 9, FALSE);
    GByteArray *png = g_byte_array_new ();
    g_byte_array_append (png, plain->data, 33);
    made_png_chunk (png, i ? "QuXx" : "quXx", "hello", 5);
    g_byte_array_append (png, plain->data + 33, plain->len - 33);
    if (i)
      assert_bytes_refused (png, NULL, FS_PHOTO_ERROR_FORMAT, "feature of PNG");
    else
      assert_opens (png);
  }
}

/* In a child that is nobody, because root may read everything. */
static void
test_unreadable (void)
{
  g_autofree char *path = made_file (folder, "secret.png", "x", 1);
  g_assert_cmpint (chmod (folder, 0711), ==, 0);
  g_assert_cmpint (chmod (path, 0), ==, 0);
  const pid_t child = fork ();
  if (child == 0) {
    if (geteuid () == 0 && setuid (65534) < 0)
      _exit (2);
    photo_assert_refused (path, NULL, FS_PHOTO_ERROR_READ, "Permission denied");
    _exit (0);
  }
  int status;
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  g_unlink (path);
}

/* A line break or an escape sequence in a name neither breaks the message nor reaches a terminal.
 */
static void
test_names (void)
{
  static const char *const names[] = { "two\nlines", "\033[31mred", "caf\xc3\xa9.jpg",
                                       "not \xff\xfe utf-8", "100 %s %n.jpg" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = made_file (folder, names[i], "hello", 5);
    photo_assert_refused (path, NULL, FS_PHOTO_ERROR_FORMAT, "is not a photo");
    g_unlink (path);
  }
}

/* A header that claims so many pixels, and hardly a byte for them. */
static GByteArray *
made_claim (guint32 width, guint32 height)
{
  GByteArray *png = made_png_begin (width, height, 8, 2, FALSE);
  made_png_pixels (png, "", 1);
  made_png_end (png);
  return png;
}

/* Cameras have 102 and 151 megapixels: what keeps them out is memory, or that nothing is there. */
static void
test_large_cameras (void)
{
  assert_bytes_refused (made_claim (16001, 16000), NULL, FS_PHOTO_ERROR_LIMIT, "256 megapixels");
  assert_bytes_refused (made_claim (11648, 8736), NULL, FS_PHOTO_ERROR_DAMAGED, "far too few");
  assert_bytes_refused (made_claim (16000, 16000), NULL, FS_PHOTO_ERROR_DAMAGED, "far too few");
  assert_bytes_refused (made_claim (14204, 10652), NULL, FS_PHOTO_ERROR_DAMAGED, "far too few");
}

static void
test_limits (void)
{
  const MadeJpeg spec = { 200, 100, MADE_JPEG_YCC, .progressive = TRUE };
  const FsPhotoLimits bytes = { .max_file_bytes = 50 }, pixels = { .max_pixels = 19999 };
  const FsPhotoLimits side = { .max_side_px = 199 }, scans = { .max_scans = 3 };
  const FsPhotoLimits memory = { .max_memory_bytes = 79999 };
  const FsPhotoLimits beside = { .max_memory_bytes = 79999 + 20000 * 9, .bytes_per_pixel = 9 };
  const FsPhotoLimits enough = { .max_pixels = 20000, .max_side_px = 200 };

  assert_bytes_refused (made_png (200, 100, FALSE), &bytes, FS_PHOTO_ERROR_LIMIT, "at most 50");
  assert_bytes_refused (made_png (200, 100, FALSE), &pixels, FS_PHOTO_ERROR_LIMIT, "200 × 100");
  assert_bytes_refused (made_png (200, 100, FALSE), &side, FS_PHOTO_ERROR_LIMIT, "199 a side");
  assert_bytes_refused (made_png (200, 100, FALSE), &memory, FS_PHOTO_ERROR_LIMIT, "memory");
  assert_bytes_refused (made_png (200, 100, FALSE), &beside, FS_PHOTO_ERROR_LIMIT, "memory");
  assert_bytes_refused (made_jpeg (&spec), &pixels, FS_PHOTO_ERROR_LIMIT, "200 × 100");
  assert_bytes_refused (made_jpeg (&spec), &side, FS_PHOTO_ERROR_LIMIT, "199 a side");
  assert_bytes_refused (made_jpeg (&spec), &memory, FS_PHOTO_ERROR_LIMIT, "memory");
  assert_bytes_refused (made_jpeg (&spec), &scans, FS_PHOTO_ERROR_LIMIT, "3 passes");
#ifdef HAVE_BMP
  assert_bytes_refused (made_bmp (200, 100, FALSE), &pixels, FS_PHOTO_ERROR_LIMIT, "200 × 100");
  assert_bytes_refused (made_bmp (200, 100, FALSE), &memory, FS_PHOTO_ERROR_LIMIT, "memory");
#endif
#ifdef HAVE_TIFF
  const MadeTiff tiff = { 200, 100, .bits = 8, .n_samples = 3 };
  assert_bytes_refused (made_tiff (&tiff), &pixels, FS_PHOTO_ERROR_LIMIT, "200 × 100");
  assert_bytes_refused (made_tiff (&tiff), &side, FS_PHOTO_ERROR_LIMIT, "199 a side");
  assert_bytes_refused (made_tiff (&tiff), &memory, FS_PHOTO_ERROR_LIMIT, "memory");
#endif
#ifdef HAVE_WEBP
  const MadeWebp webp = { 200, 100 };
  assert_bytes_refused (made_webp (&webp), &pixels, FS_PHOTO_ERROR_LIMIT, "200 × 100");
  assert_bytes_refused (made_webp (&webp), &side, FS_PHOTO_ERROR_LIMIT, "199 a side");
  assert_bytes_refused (made_webp (&webp), &memory, FS_PHOTO_ERROR_LIMIT, "memory");
#endif
#ifdef HAVE_HEIF
  for (int av1 = 0; av1 < 2; av1++) {
    const MadeHeif heif = { 200, 100, .av1 = av1 };
    if (!made_heif_can (&heif))
      continue;
    assert_bytes_refused (made_heif (&heif), &bytes, FS_PHOTO_ERROR_LIMIT, "at most 50");
    assert_bytes_refused (made_heif (&heif), &pixels, FS_PHOTO_ERROR_LIMIT, "200 × 100");
    assert_bytes_refused (made_heif (&heif), &side, FS_PHOTO_ERROR_LIMIT, "199 a side");
    assert_bytes_refused (made_heif (&heif), &memory, FS_PHOTO_ERROR_LIMIT, "memory");
  }
#endif

  g_autoptr (GByteArray) fits = made_jpeg (&spec);
  g_autofree char *path = made_file (folder, "fits", fits->data, fits->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, &enough, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (photo->image->width, ==, 200);
}

/* --- bombs ---------------------------------------------------------------------------------- */

/* On a busy machine the same work takes longer: the least of three times counts. */
enum { N_TRIES = 3 };

static void
assert_cheaply_refused (const char *path, FsPhotoError code, double seconds, gint64 bytes)
{
  Cost cost = photo_child_open (path, NULL);
  for (int i = 1; i < N_TRIES && cost.cpu_seconds > seconds * photo_child_slowness; i++)
    cost = photo_child_open (path, NULL);
  g_test_message ("%.3f s, %.0f MB", cost.cpu_seconds, (double)cost.peak_bytes / (double)MIB);
  g_assert_cmpint (cost.outcome, ==, OUTCOME_REFUSED);
  g_assert_cmpint (cost.code, ==, code);
  g_assert_cmpfloat (cost.cpu_seconds, <=, seconds * photo_child_slowness);
  g_assert_cmpint (cost.peak_bytes, <=, bytes + photo_child_overhead_bytes);
}

static void
test_marker_bomb (void)
{
  g_autoptr (GByteArray) bomb = g_byte_array_new ();
  g_byte_array_append (bomb, (const guint8 *)"\xff\xd8", 2);
  for (int i = 0; i < 200000; i++)
    g_byte_array_append (bomb, (const guint8 *)"\xff\xe5\0\3x", 5);
  g_autofree char *path = made_file (folder, "markers.jpg", bomb->data, bomb->len);
  assert_cheaply_refused (path, FS_PHOTO_ERROR_LIMIT, 0.1, 64 * MIB);
  photo_assert_refused (path, NULL, FS_PHOTO_ERROR_LIMIT, "1024");
}

static void
test_marker_limit_is_exact (void)
{
  for (int over = 0; over < 2; over++) {
    const MadeJpeg spec = { 20, 20, MADE_JPEG_YCC };
    g_autoptr (GByteArray) plain = made_jpeg (&spec);
    g_autoptr (GByteArray) jpeg = g_byte_array_new ();
    g_byte_array_append (jpeg, plain->data, 2);
    for (int i = 0; i < 1023 + over; i++) /* and JFIF, which the encoder has put there */
      g_byte_array_append (jpeg, (const guint8 *)"\xff\xfe\0\3x", 5);
    g_byte_array_append (jpeg, plain->data + 2, plain->len - 2);
    g_autofree char *path = made_file (folder, "many.jpg", jpeg->data, jpeg->len);
    g_assert_cmpint (photo_child_open (path, NULL).outcome, ==,
                     over ? OUTCOME_REFUSED : OUTCOME_OPENED);
  }
}

static char *
make_pixel_bomb (void)
{
  g_autoptr (GByteArray) png = made_png_begin (30000, 30000, 1, 0, FALSE);
  g_autofree uint8_t *rows = g_malloc0 (3751 * 30000);
  made_png_pixels (png, rows, 3751 * 30000);
  made_png_end (png);
  g_test_message ("%u bytes", png->len);
  return made_file (folder, "pixels.png", png->data, png->len);
}

/* 30,000 × 30,000 pixels of one bit: 109 kB that would become 3.6 GB. The child starts with what
 * this process has, so that making the bomb must be over. */
static void
test_pixel_bomb (void)
{
  g_autofree char *path = make_pixel_bomb ();
  assert_cheaply_refused (path, FS_PHOTO_ERROR_LIMIT, 0.1, 64 * MIB);
  photo_assert_refused (path, NULL, FS_PHOTO_ERROR_LIMIT, "30000 × 30000");
}

/* Claims within every limit that the file's few bytes cannot come near to filling. */
static void
test_false_claims (void)
{
  g_autoptr (GByteArray) png = made_png_begin (9999, 9999, 8, 6, FALSE);
  made_png_pixels (png, "\0\1\2\3\4", 5);
  made_png_end (png);
  g_autofree char *png_path = made_file (folder, "claim.png", png->data, png->len);
  assert_cheaply_refused (png_path, FS_PHOTO_ERROR_DAMAGED, 0.1, 64 * MIB);

  const MadeJpeg spec = { 64, 64, MADE_JPEG_YCC, .progressive = TRUE };
  g_autoptr (GByteArray) jpeg = made_jpeg (&spec);
  for (guint i = 0; i + 9 < jpeg->len; i++)
    if (jpeg->data[i] == 0xff && jpeg->data[i + 1] == 0xc2) {
      static const uint8_t height_and_width[] = { 0x26, 0, 0x26, 0 };
      memcpy (jpeg->data + i + 5, height_and_width, 4);
      break;
    }
  g_autofree char *jpeg_path = made_file (folder, "claim.jpg", jpeg->data, jpeg->len);
  assert_cheaply_refused (jpeg_path, FS_PHOTO_ERROR_DAMAGED, 0.1, 64 * MIB);

#ifdef HAVE_BMP
  g_autoptr (GByteArray) bmp = made_bmp (9000, 9000, TRUE);
  g_autofree char *bmp_path = made_file (folder, "claim.bmp", bmp->data, bmp->len);
  assert_cheaply_refused (bmp_path, FS_PHOTO_ERROR_DAMAGED, 0.1, 64 * MIB);
#endif
#ifdef HAVE_TIFF
  for (guint i = 0; i < 3; i++) {
    static const int compressions[] = { 1, 5, 8 };
    const MadeTiff lie = { 4, 4, .bits = 8, .n_samples = 3, .compression = compressions[i] };
    g_autoptr (GByteArray) tiff = made_tiff (&lie);
    /* The values of the first two tags, width and height. */
    memcpy (tiff->data + 8 + 2 + 8, "\x0f\x27", 2);
    memcpy (tiff->data + 8 + 2 + 12 + 8, "\x0f\x27", 2);
    g_autofree char *tiff_path = made_file (folder, "claim.tif", tiff->data, tiff->len);
    assert_cheaply_refused (tiff_path, FS_PHOTO_ERROR_DAMAGED, 0.1, 64 * MIB);
  }
#endif
}

/* libpng's reader of eXIf allocates the length that the chunk claims: found by fuzzing. */
static void
test_exif_length (void)
{
  g_autoptr (GByteArray) plain = made_png (9, 9, FALSE);
  g_autoptr (GByteArray) png = g_byte_array_new ();
  g_byte_array_append (png, plain->data, 33);
  g_byte_array_append (png,
                       (const guint8 *)"\x40\0\0\x26"
                                       "eXIfMM\0*",
                       12);
  g_byte_array_append (png, plain->data + 33, plain->len - 33);
  g_autofree char *path = made_file (folder, "exif.png", png->data, png->len);
  assert_cheaply_refused (path, FS_PHOTO_ERROR_DAMAGED, 0.1, 64 * MIB);
}

/* gdk-pixbuf's reader allocates what the header says of the place of the pixels, its own length and
 * the palette: found by fuzzing. */
/* A header that claims 81 megapixels over what could be a twentieth of them, in runs less than
 * half: refused before anything is taken for them. */
static void
test_bmp_claims (void)
{
  enum { BITS_AT = 28, CODING_AT = 30, COLOURS_AT = 46, HEAD_BYTES = 54 };
  static const guint8 cases[][2] = {
    { 24, 0 }, { 32, 0 }, { 8, 0 }, { 16, 0 }, { 8, 1 }, { 4, 2 }
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint64 n_pixels = 9000 * 9000;
    const gsize n =
        HEAD_BYTES + 1024 + (gsize)(cases[i][1] ? n_pixels / 300 : n_pixels * cases[i][0] / 8 / 20);
    g_autoptr (GByteArray) bmp = made_bmp (9000, 9000, TRUE);
    const guint n_made = bmp->len;
    g_byte_array_set_size (bmp, (guint)n);
    memset (bmp->data + n_made, 1, n - n_made);
    bmp->data[BITS_AT] = cases[i][0];
    bmp->data[CODING_AT] = cases[i][1];
    bmp->data[11] = 5; /* where the pixels begin: behind the largest palette */
    g_autofree char *path = made_file (folder, "claims.bmp", bmp->data, bmp->len);
    assert_cheaply_refused (path, FS_PHOTO_ERROR_DAMAGED, 0.5, 64 * MIB);
  }
}

static void
test_bmp_lengths (void)
{
#ifdef HAVE_BMP
  static const guint at[] = { 10, 14, 46 };
  for (gsize i = 0; i < G_N_ELEMENTS (at); i++) {
    g_autoptr (GByteArray) bmp = made_bmp (9, 9, FALSE);
    memcpy (bmp->data + at[i], "\xa0\x30\xe8\x7e", 4);
    g_autofree char *path = made_file (folder, "lengths.bmp", bmp->data, bmp->len);
    assert_cheaply_refused (path, FS_PHOTO_ERROR_DAMAGED, 0.1, 64 * MIB);
  }
#else
  g_test_skip ("this build opens no BMP");
#endif
}

/* Dozens of empty scans over many pixels stop at twenty-four. */
static void
test_scan_bomb (void)
{
  const MadeJpeg spec = { 9000, 9000, MADE_JPEG_GREY, .progressive = TRUE };
  g_autoptr (GByteArray) jpeg = made_jpeg (&spec);
  g_autoptr (GByteArray) bomb = g_byte_array_new ();
  guint at = 0; /* the scan that refines the first coefficient: Ss = Se = 0, Ah = 1 */
  for (guint i = 0; i + 10 < jpeg->len && !at; i++)
    if (memcmp (jpeg->data + i, "\xff\xda\0\x8\1\1\0\0\0\x10", 10) == 0)
      at = i;
  g_assert_cmpuint (at, >, 0);
  g_byte_array_append (bomb, jpeg->data, at);
  for (int i = 0; i < 60; i++)
    g_byte_array_append (bomb, jpeg->data + at, 10);
  g_autofree char *path = made_file (folder, "scans.jpg", bomb->data, bomb->len);
  assert_cheaply_refused (path, FS_PHOTO_ERROR_LIMIT, 3, 600 * MIB);
}

/* --- damage ---------------------------------------------------------------------------------- */

static const char *
name_of (Outcome outcome)
{
  static const char *const names[] = { "opened", "warned", "refused", "bad message", "died" };
  return names[outcome];
}

static Outcome
outcome_here (const void *bytes, gsize n_bytes)
{
  g_autofree char *path = made_file (folder, "damaged", bytes, n_bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_true ((photo != NULL) == (error == NULL));
  const char *message = photo ? photo->warning : error->message;
  if (message && !photo_message_is_sound (message, path))
    g_error ("%s", message);
  if (error)
    g_test_message ("%s", error->message);
  return error ? OUTCOME_REFUSED : photo->warning ? OUTCOME_WARNED : OUTCOME_OPENED;
}

/* Cut anywhere, a photo is refused while nothing of it is there, then opens with a warning, and
 * never changes back; only whole it opens without one. */
static void
test_truncated (gconstpointer data)
{
  GByteArray *(*const make) (void) = (GByteArray * (*)(void)) data;
  g_autoptr (GByteArray) whole = make ();
  Outcome last = OUTCOME_REFUSED;
  guint n_warned = 0;
  for (guint n = 1; n < whole->len; n += 1 + whole->len / 700) {
    const Outcome outcome = outcome_here (whole->data, n);
    if (last != OUTCOME_REFUSED && outcome == OUTCOME_REFUSED)
      g_error ("%s at %u of %u bytes, after it was %s", name_of (outcome), n, whole->len,
               name_of (last));
    n_warned += outcome == OUTCOME_WARNED;
    last = outcome;
  }
  g_assert_cmpint (outcome_here (whole->data, whole->len), ==, OUTCOME_OPENED);
  g_assert_cmpuint (n_warned, >, 100);
}

/* Rows that are not there are grey, whatever was in that memory. */
static void
test_missing_rows_are_grey (void)
{
  enum { WIDTH = 160, HEIGHT = 120 };
  g_autoptr (GByteArray) png = made_png (WIDTH, HEIGHT, FALSE);
  g_autofree char *path = made_file (folder, "whole.png", png->data, png->len);
  g_autofree char *cut = made_file (folder, "half.png", png->data, png->len / 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) whole = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (FsPhoto) half = fs_photo_load (cut, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (half->warning);
  int y = 0;
  while (y < HEIGHT && half->image->pixels[y * WIDTH] == whole->image->pixels[y * WIDTH])
    y++;
  g_assert_cmpint (y, >, HEIGHT / 8);
  g_assert_cmpint (y, <, HEIGHT - HEIGHT / 8);
  g_assert_cmpmem (half->image->pixels, y * WIDTH * 4, whole->image->pixels, y * WIDTH * 4);
  for (int i = y * WIDTH; i < WIDTH * HEIGHT; i++)
    g_assert_cmphex (half->image->pixels[i], ==, 0xff808080);
}

static GByteArray *
make_baseline (void)
{
  const MadeJpeg spec = { 160, 120, MADE_JPEG_YCC, .h_sampling = 2, .v_sampling = 2 };
  return made_jpeg (&spec);
}

static GByteArray *
make_progressive (void)
{
  const MadeJpeg spec = { 160, 120, MADE_JPEG_YCC, .progressive = TRUE };
  return made_jpeg (&spec);
}

static GByteArray *
make_ink (void)
{
  const MadeJpeg spec = { 160, 120, MADE_JPEG_CMYK };
  return made_jpeg (&spec);
}

static GByteArray *
make_png (void)
{
  return made_png (160, 120, FALSE);
}

#ifdef HAVE_TIFF
static GByteArray *
make_tiff (void)
{
  const MadeTiff spec = { 160, 120, .bits = 8, .n_samples = 3, .rows = 1 };
  return made_tiff (&spec);
}
#endif

#ifdef HAVE_WEBP
static GByteArray *
make_webp (void)
{
  const MadeWebp spec = { 640, 480, .with_alpha = TRUE };
  return made_webp (&spec);
}

static GByteArray *
make_lossy_webp (void)
{
  const MadeWebp spec = { 480, 360, .lossy = TRUE };
  return made_webp (&spec);
}
#endif

static GByteArray *
make_interlaced (void)
{
  return made_png (160, 120, TRUE);
}

#ifdef HAVE_BMP
static GByteArray *
make_bmp (void)
{
  return made_bmp (160, 120, FALSE);
}

/* What no data came for is grey, not whatever was in memory. */
static void
test_missing_is_grey (void)
{
  g_autoptr (GByteArray) bmp = make_bmp ();
  g_autofree char *path = made_file (folder, "half.bmp", bmp->data, bmp->len / 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (photo->warning);
  for (int i = 0; i < 160 * 50; i++)
    g_assert_cmphex (photo->image->pixels[i], ==, 0xff808080);
}
#endif

static void
test_random_damage (gconstpointer data)
{
  GByteArray *(*const make) (void) = (GByteArray * (*)(void)) data;
  g_autoptr (GByteArray) whole = make ();
  g_autofree guint8 *bytes = g_malloc (whole->len);
  for (int i = 0; i < 300; i++) {
    memcpy (bytes, whole->data, whole->len);
    for (int k = g_test_rand_int_range (1, 6); k > 0; k--)
      bytes[g_test_rand_int_range (0, (gint32)whole->len)] = (guint8)g_test_rand_int ();
    outcome_here (bytes, whole->len);
  }
}

/* The scans before a broken one are shown. */
static void
test_broken_scan (void)
{
  g_autoptr (GByteArray) jpeg = make_progressive ();
  guint n_scans = 0;
  for (guint i = 0; i + 1 < jpeg->len; i++)
    if (jpeg->data[i] == 0xff && jpeg->data[i + 1] == 0xda && ++n_scans == 3)
      jpeg->data[i + 4] = 77; /* a channel that does not exist */
  g_assert_cmpint (outcome_here (jpeg->data, jpeg->len), ==, OUTCOME_WARNED);
}

/* A wrong checksum over good pixels is damage to tell, not to refuse. */
static void
test_wrong_checksum (void)
{
  g_autoptr (GByteArray) png = make_png ();
  png->data[png->len - 13] ^= 1;
  g_assert_cmpint (outcome_here (png->data, png->len), ==, OUTCOME_WARNED);
}

/* A marker whose length cannot be, between two scans, costs nothing. */
static void
test_impossible_marker (void)
{
  g_autoptr (GByteArray) plain = make_progressive ();
  g_autoptr (GByteArray) jpeg = g_byte_array_new ();
  guint n_scans = 0, at = 0;
  for (guint i = 0; i + 1 < plain->len && !at; i++)
    if (plain->data[i] == 0xff && plain->data[i + 1] == 0xda && ++n_scans == 2)
      at = i;
  g_byte_array_append (jpeg, plain->data, at);
  g_byte_array_append (jpeg, (const guint8 *)"\xff\xe7\0\1", 4);
  g_byte_array_append (jpeg, plain->data + at, plain->len - at);
  g_assert_cmpint (outcome_here (jpeg->data, jpeg->len), ==, OUTCOME_OPENED);
}

static void
test_too_many_warnings (void)
{
  g_autoptr (GByteArray) jpeg = make_baseline ();
  for (guint i = jpeg->len / 3; i < jpeg->len; i++)
    if (jpeg->data[i] != 0xff && jpeg->data[i - 1] != 0xff)
      jpeg->data[i] = (guint8)(i * 77 % 255);
  const FsPhotoLimits none = { .max_warnings = 1 };
  g_autofree char *path = made_file (folder, "warnings.jpg", jpeg->data, jpeg->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, &none, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (photo->warning);
  g_assert_cmphex (photo->image->pixels[160 * 120 - 1], ==, 0xff808080);
}

static void
add_damage_tests (void)
{
  static const struct {
    const char *name;
    GByteArray *(*make) (void);
  } kinds[] = {
    { "baseline", make_baseline }, { "progressive", make_progressive }, { "ink", make_ink },
    { "png", make_png },           { "interlaced", make_interlaced },
#ifdef HAVE_BMP
    { "bmp", make_bmp },
#endif
#ifdef HAVE_TIFF
    { "tiff", make_tiff },
#endif
#ifdef HAVE_WEBP
    { "webp", make_webp },         { "lossy-webp", make_lossy_webp },
#endif
  };
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *cut = g_strdup_printf ("/photo/truncated/%s", kinds[i].name);
    g_autofree char *damage = g_strdup_printf ("/photo/random-damage/%s", kinds[i].name);
    g_test_add_data_func (cut, (gconstpointer)kinds[i].make, test_truncated);
    g_test_add_data_func (damage, (gconstpointer)kinds[i].make, test_random_damage);
  }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
  g_test_add_func ("/photo/refused/not-a-file", test_not_a_file);
  g_test_add_func ("/photo/refused/not-a-photo", test_not_a_photo);
  g_test_add_func ("/photo/refused/unknown-chunk", test_unknown_chunk);
  g_test_add_func ("/photo/refused/unreadable", test_unreadable);
  g_test_add_func ("/photo/refused/names", test_names);
  g_test_add_func ("/photo/refused/large-cameras", test_large_cameras);
  g_test_add_func ("/photo/refused/limits", test_limits);
  g_test_add_func ("/photo/bomb/markers", test_marker_bomb);
  g_test_add_func ("/photo/bomb/marker-limit-is-exact", test_marker_limit_is_exact);
  g_test_add_func ("/photo/bomb/pixels", test_pixel_bomb);
  g_test_add_func ("/photo/bomb/false-claims", test_false_claims);
  g_test_add_func ("/photo/bomb/exif-length", test_exif_length);
  g_test_add_func ("/photo/bomb/bmp-lengths", test_bmp_lengths);
  g_test_add_func ("/photo/bomb/bmp-claims", test_bmp_claims);
  g_test_add_func ("/photo/bomb/scans", test_scan_bomb);
  g_test_add_func ("/photo/damage/broken-scan", test_broken_scan);
  g_test_add_func ("/photo/damage/wrong-checksum", test_wrong_checksum);
  g_test_add_func ("/photo/damage/impossible-marker", test_impossible_marker);
  g_test_add_func ("/photo/damage/too-many-warnings", test_too_many_warnings);
  g_test_add_func ("/photo/damage/missing-rows-are-grey", test_missing_rows_are_grey);
#ifdef HAVE_BMP
  g_test_add_func ("/photo/damage/missing-is-grey", test_missing_is_grey);
#endif
  add_damage_tests ();
  const int failed = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return failed;
}
