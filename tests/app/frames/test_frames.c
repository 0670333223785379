/* SPDX-License-Identifier: MIT */
/* Which files of a folder are frames, by their names or by a pattern, and in which order. */
#include "app/frames/list/frame_names.h"
#include "app/frames/list/frames.h"

#include <glib/gstdio.h>

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static char *
make_folder (const char *const *files)
{
  char *folder = g_dir_make_tmp ("fretsaw-frames-XXXXXX", NULL);
  for (guint i = 0; files[i]; i++) {
    g_autofree char *path = g_build_filename (folder, files[i], NULL);
    g_assert_true (g_file_set_contents (path, "", 0, NULL));
  }
  return folder;
}

static void
remove_folder (const char *folder, const char *const *files)
{
  for (guint i = 0; files[i]; i++) {
    g_autofree char *path = g_build_filename (folder, files[i], NULL);
    g_assert_cmpint (g_unlink (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
check_stems (const GPtrArray *frames, const char *const *stems)
{
  g_assert_cmpuint (frames->len, ==, g_strv_length ((char **)stems));
  for (guint i = 0; i < frames->len; i++)
    g_assert_cmpstr (((FsFrame *)frames->pdata[i])->stem, ==, stems[i]);
}

/* Takes the list and the error. */
static void
check_found (GPtrArray *frames, GError *error, const char *const *stems)
{
  if (stems) {
    g_assert_no_error (error);
    check_stems (frames, stems);
    g_ptr_array_unref (frames);
  } else {
    g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_FOLDER);
    g_error_free (error);
  }
}

static void
check_list (const char *const *files, const char *const *stems)
{
  g_autofree char *folder = make_folder (files);
  GError *error = NULL;
  GPtrArray *frames = fs_frames_list (folder, &error);
  check_found (frames, error, stems);
  remove_folder (folder, files);
}

static void
test_folder (void)
{
  check_list (NAMES ("10.png", "9.jpg", "a11.JPEG", "notes.txt", "cover.png", ".12.png", "13.gif"),
              NAMES ("9", "10", "a11"));
  check_list (NAMES ("take2-0031.jpg", "take2-0003.jpg", "take2-0004.bmp"),
              NAMES ("take2-0003", "take2-0004", "take2-0031"));
  check_list (NAMES ("7.png"), NAMES ("7"));
  check_list (NAMES ("7.png", "07.png"), NULL);
  check_list (NAMES ("7.png", "7.jpg"), NULL);
  check_list (NAMES ("cover.png", "1234567890123456789.png"), NULL);
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_frames_list ("none/at/all", &error));
  g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_FOLDER);
}

/* --- patterns --------------------------------------------------------------------------------- */

static void
check_pattern (const char *const *files, const char *pattern, const char *const *stems)
{
  g_autofree char *folder = make_folder (files);
  g_autofree char *path = g_build_filename (folder, pattern, NULL);
  GError *error = NULL;
  GPtrArray *frames = fs_frames_list_pattern (path, &error);
  check_found (frames, error, stems);
  remove_folder (folder, files);
}

static void
test_pattern (void)
{
  const char *const *files = NAMES ("a-9.png", "a-10.png", "a-11.jpg", "b-9.png", "a-012.png",
                                    "a-.png", "a-1x.png", "a--3.png", "a-+4.png", "a- 5.png");
  check_pattern (files, "a-%d.png", NAMES ("a-9", "a-10"));
  check_pattern (files, "a-%03d.png", NAMES ("a-012"));
  check_pattern (files, "a-%02d.png", NAMES ("a-10"));
  check_pattern (files, "%d", NULL);
  check_pattern (NAMES ("7", "8"), "%d", NAMES ("7", "8"));
  check_pattern (NAMES ("s.0998.tif", "s.0999.tif", "s.1000.tif", "s.10000.tif"), "s.%04d.tif",
                 NAMES ("s.0998", "s.0999", "s.1000", "s.10000"));
  check_pattern (NAMES ("v1.x.5"), "v1.x.%d", NAMES ("v1.x.5"));
  files = NAMES ("100%_1.png", "100%_2.png", "100%%_3.png", "50%-4%.png");
  check_pattern (files, "100%%_%d.png", NAMES ("100%_1", "100%_2"));
  check_pattern (files, "100%_%d.png", NAMES ("100%_1", "100%_2"));
  check_pattern (files, "100%%%%_%d.png", NAMES ("100%%_3"));
  check_pattern (files, "50%%-%d%%.png", NAMES ("50%-4%"));
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_frames_list_pattern ("none/at/all-%d.png", &error));
  g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_FOLDER);
}

static void
test_no_patterns (void)
{
  static const char *const patterns[] = { "plain.png",
                                          "%s.png",
                                          "%",
                                          "%0d.png",
                                          "%4d.png",
                                          "%00d.png",
                                          "%019d.png",
                                          "%-4d.png",
                                          "%d%d.png",
                                          "%%d.png",
                                          "%%%s.png",
                                          "100%.%d.png",
                                          "5%%%",
                                          "%d-%s.png",
                                          "%n%d.png",
                                          "%1$d.png",
                                          "%ld.png",
                                          "%*d.png",
                                          "%i.png",
                                          "%x.png",
                                          "% d.png",
                                          "%+d.png",
                                          "%04.d.png",
                                          "%'d.png",
                                          "%hhd.png",
                                          "%d%",
                                          "%04",
                                          "%0000000000000000000000004d.png",
                                          "%99999999999999999999d.png",
                                          "%099999999999999999999d.png" };
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++) {
    g_autoptr (GError) error = NULL;
    g_auto (FsFrameNames) names = { 0 };
    g_assert_false (fs_frame_names_init (&names, patterns[i], &error));
    g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_PATTERN);
    g_assert_true (g_str_has_prefix (error->message, patterns[i]));
  }
}

static void
check_name (const char *pattern, guint64 number, const char *name)
{
  g_auto (FsFrameNames) names = { 0 };
  g_assert_true (fs_frame_names_init (&names, pattern, NULL));
  g_autofree char *expanded = fs_frame_names_expand (&names, number);
  g_assert_cmpstr (expanded, ==, name);
  guint64 found = 0;
  g_assert_true (fs_frame_names_match (&names, name, &found));
  g_assert_cmpuint (found, ==, number);
}

static void
test_names (void)
{
  check_name ("shot-%d.png", 0, "shot-0.png");
  check_name ("shot-%d.png", 123, "shot-123.png");
  check_name ("%04d", 31, "0031");
  check_name ("%04d", 123456, "123456");
  check_name ("%01d.png", 5, "5.png");
  check_name ("x%018dy", 999999999999999999u, "x999999999999999999y");
  check_name ("1%02d1", 11, "1111");
  check_name ("100%%-%03d%%.png", 7, "100%-007%.png");
  check_name ("100%_%d.png", 7, "100%_7.png");
}

/* --- several sequences ------------------------------------------------------------------------ */

/* What is said of the images of a folder, apart from the folder's own name. */
static void
check_sequences (const char *const *files, const char *expected)
{
  g_autofree char *folder = make_folder (files);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) frames = fs_frames_list (folder, &error);
  g_assert_no_error (error);
  g_autofree char *found = fs_frames_describe_sequences ("F", frames);
  g_assert_cmpstr (found, ==, expected);
  remove_folder (folder, files);
}

static void
test_sequences (void)
{
  check_sequences (NAMES ("1.png", "2.png", "10.png"), NULL);
  check_sequences (NAMES ("a-0008.png", "a-0009.png", "a-0010.png", "a-10000.png"), NULL);
  check_sequences (NAMES ("a-1.png", "a-2.png", "b-03.png"),
                   "it holds 2 sequences, a-%d.png (2 images), b-%02d.png (1); a pattern takes one "
                   "of them: F/a-%d.png");
  check_sequences (NAMES ("50%_1.png", "x2.png", "3.png", "4.jpg", "5.png"),
                   "it holds 4 sequences, %d.png (2 images), %d.jpg (1), 50%%_%d.png (1), …; a "
                   "pattern takes one of them: F/%d.png");
}

/* --- limits and gaps -------------------------------------------------------------------------- */

static GPtrArray *
make_frames (const guint64 *numbers, guint n)
{
  GPtrArray *frames = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_frame_unref);
  for (guint i = 0; i < n; i++) {
    char *stem = g_strdup_printf ("%" G_GUINT64_FORMAT, numbers[i]);
    g_ptr_array_add (frames, fs_frame_new (g_strconcat (stem, ".png", NULL), stem, numbers[i]));
  }
  return frames;
}

static void
check_limits (guint64 first, guint64 last, const char *const *stems)
{
  static const guint64 numbers[] = { 0, 3, 4, 9, 12 };
  g_autoptr (GPtrArray) frames = make_frames (numbers, G_N_ELEMENTS (numbers));
  fs_frames_limit (frames, first, last);
  check_stems (frames, stems);
}

static void
test_limits (void)
{
  check_limits (0, G_MAXUINT64, NAMES ("0", "3", "4", "9", "12"));
  check_limits (3, 9, NAMES ("3", "4", "9"));
  check_limits (1, 8, NAMES ("3", "4"));
  check_limits (12, 12, NAMES ("12"));
  check_limits (5, 8, NAMES (NULL));
  check_limits (13, 20, NAMES (NULL));
}

static void
test_gaps (void)
{
  static const guint64 numbers[] = { 2, 3, 5, 9, 10, 999999999999999999u };
  static const FsFrameGap expected[] = { { 4, 4 }, { 6, 8 }, { 11, 999999999999999998u } };
  g_autoptr (GPtrArray) frames = make_frames (numbers, G_N_ELEMENTS (numbers));
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (FsFrameGap));
  fs_frames_list_gaps (frames, gaps);
  g_assert_cmpmem (gaps->data, gaps->len * sizeof (FsFrameGap), expected, sizeof expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/frames/folder", test_folder);
  g_test_add_func ("/app/frames/pattern", test_pattern);
  g_test_add_func ("/app/frames/no-patterns", test_no_patterns);
  g_test_add_func ("/app/frames/names", test_names);
  g_test_add_func ("/app/frames/sequences", test_sequences);
  g_test_add_func ("/app/frames/limits", test_limits);
  g_test_add_func ("/app/frames/gaps", test_gaps);
  return g_test_run ();
}
