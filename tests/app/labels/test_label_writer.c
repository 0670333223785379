/* SPDX-License-Identifier: MIT */
/* Writers of labels: names in their files, and what they refuse. */
#include "app/labels/output/label_planes.h"
#include "app/labels/output/label_text.h"
#include "app/labels/output/label_writer.h"
#include "tests/app/photo/made_files.h"

#include <string.h>

static void
test_yaml (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  fs_label_text_append_yaml (text, "a: \"b\" \\ K\303\274h #\xe2\x80\xa8\xef\xbb\xbf\x7f");
  g_assert_cmpstr (text->str, ==, "\"a: \\\"b\\\" \\\\ K\303\274h #\\u2028\\ufeff\\u007f\"");
}

static void
test_file_part (void)
{
  static const char *const parts[][2] = { { "cow", "cow" },
                                          { "K\303\274h 2", "K\303\274h 2" },
                                          { "a/b\\c:d", "a%2Fb%5Cc%3Ad" },
                                          { "..", "%2E%2E" },
                                          { ".a.", "%2Ea%2E" },
                                          { " a ", "%20a%20" },
                                          { "100%", "100%25" } };
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autofree char *part = fs_label_text_to_file_part (parts[i][0], 1);
    g_assert_cmpstr (part, ==, parts[i][1]);
  }
  /* Long ones stay apart by their numbers, and are UTF-8. */
  g_autofree char *slashes = g_strnfill (200, '/');
  g_autofree char *one = fs_label_text_to_file_part (slashes, 3);
  g_autofree char *other = fs_label_text_to_file_part (slashes, 1234567890);
  g_assert_cmpuint (strlen (other), <=, FS_LABEL_MAX_FILE_PART);
  g_assert_cmpstr (one, !=, other);
  g_autoptr (GString) wide = g_string_new ("//////");
  while (wide->len < 199)
    g_string_append (wide, "\303\274");
  g_autofree char *cut = fs_label_text_to_file_part (wide->str, 7);
  g_assert_true (g_utf8_validate (cut, -1, NULL));
  g_assert_cmpuint (strlen (cut), <=, FS_LABEL_MAX_FILE_PART);
}

static FsLabelWriter *
new_writer (const FsLabelFormat *format, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, format->name, NULL);
  const FsLabelOptions options = { .path = path };
  FsLabelWriter *writer = fs_label_writer_new (format, &options, fs_label_classes_new (), &error);
  g_assert_no_error (error);
  return writer;
}

static gboolean
add (FsLabelWriter *writer, const char *name, guint n_classes, GError **error)
{
  g_autoptr (FsLabelPhoto) photo = fs_label_photo_new (name, 400, 1);
  for (guint i = 0; i < n_classes; i++) {
    g_autofree char *class_name = g_strdup_printf ("%u", i);
    FsLabelObject *object =
        fs_label_photo_add (photo, fs_label_classes_find (fs_label_writer_get_classes (writer),
                                                          class_name));
    fs_label_object_add_run (object, 0, (int)i, (int)i + 1);
  }
  return fs_label_writer_add (writer, photo, NULL, error);
}

static void
assert_refused (FsLabelWriter *writer, const char *name, guint n_classes, FsLabelError code)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (add (writer, name, n_classes, &error));
  g_assert_true (g_error_matches (error, FS_LABEL_ERROR, (int)code));
  g_assert_null (strchr (error->message, '\n'));
}

/* What a format cannot hold is left out; the set goes on. */
static void
test_refused (void)
{
  g_autofree char *folder = made_folder ();
  for (gsize i = 0; fs_label_formats[i]; i++) {
    const FsLabelFormat *format = fs_label_formats[i];
    g_autoptr (GError) error = NULL;
    g_autoptr (FsLabelWriter) writer = new_writer (format, folder);
    g_assert_true (fs_label_format_find (format->name) == format);
    g_assert_true (add (writer, "far/a.jpg", 2, &error));
    if (format->is_folder) {
      assert_refused (writer, "a.png", 1, FS_LABEL_ERROR_NAME);
      assert_refused (writer, "b\n.png", 1, FS_LABEL_ERROR_NAME);
      assert_refused (writer, "b\xe2\x80\xa8.png", 1, FS_LABEL_ERROR_NAME);
      assert_refused (writer, "...png", 1, FS_LABEL_ERROR_NAME);
    }
    if (format == &fs_label_indexed || format == &fs_label_voc)
      assert_refused (writer, "c.png", FS_LABEL_MAX_PLANE_VALUE + 1, FS_LABEL_ERROR_LIMIT);
    /* Each of these is a file there. */
    const guint n = format == &fs_label_png ? 3 : FS_LABEL_MAX_PLANE_VALUE;
    g_assert_true (add (writer, "d.png", n, &error));
    g_assert_true (fs_label_writer_end (writer, &error));
    g_assert_cmpuint (fs_label_writer_get_n_photos (writer), ==, 2);
    g_assert_cmpuint (fs_label_writer_get_n_objects (writer), ==, 2 + n);
  }
  made_folder_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/label-writer/yaml", test_yaml);
  g_test_add_func ("/label-writer/file-part", test_file_part);
  g_test_add_func ("/label-writer/refused", test_refused);
  return g_test_run ();
}
