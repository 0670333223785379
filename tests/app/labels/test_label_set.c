/* SPDX-License-Identifier: MIT */
/* Labels in memory: lists of classes, and masks as runs. */
#include "app/folder/folder_classes.h"
#include "app/labels/label_set.h"

#include <glib/gstdio.h>
#include <string.h>

static void
test_classes (void)
{
  g_autoptr (GError) error = NULL;
  static const char text[] = "\xef\xbb\xbf"
                             "cow\r\ntwo words, \"quoted\"\nK\303\274ken";
  g_autoptr (FsLabelClasses) classes =
      fs_label_classes_parse ("c.txt", text, strlen (text), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fs_label_classes_get_n (classes), ==, 3);
  g_assert_true (fs_label_classes_is_closed (classes));
  g_assert_cmpuint (fs_label_classes_find (classes, "cow"), ==, 0);
  g_assert_cmpuint (fs_label_classes_find (classes, "K\303\274ken"), ==, 2);
  g_assert_cmpuint (fs_label_classes_find (classes, "Cow"), ==, FS_LABEL_NO_CLASS);
  g_autofree char *again = fs_label_classes_to_text (classes);
  g_assert_cmpstr (again, ==, "cow\ntwo words, \"quoted\"\nK\303\274ken\n");

  g_autoptr (FsLabelClasses) open = fs_label_classes_new ();
  g_assert_cmpuint (fs_label_classes_find (open, "b"), ==, 0);
  g_assert_cmpuint (fs_label_classes_find (open, "a"), ==, 1);
  g_assert_cmpuint (fs_label_classes_find (open, "b"), ==, 0);
  g_assert_cmpstr (fs_label_classes_get_name (open, 1), ==, "a");
}

/* A folder's file, by its ending. */
static void
test_folder_classes (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("fretsaw-classes-XXXXXX", NULL);
  g_autoptr (FsFolderClasses) mine = fs_folder_classes_new ();
  fs_folder_classes_add (mine, "cat");
  fs_folder_classes_add (mine, "a dog");
  fs_folder_classes_free (fs_folder_classes_save (folder, NULL, mine, &error));
  g_assert_no_error (error);
  g_autofree char *path = fs_folder_classes_path (folder);
  g_autoptr (FsLabelClasses) classes = fs_label_classes_read (path, &error);
  g_assert_no_error (error);
  g_autofree char *text = fs_label_classes_to_text (classes);
  g_assert_cmpstr (text, ==, "cat\na dog\n");
  g_assert_true (fs_label_classes_is_closed (classes));
  g_assert_true (g_file_set_contents (path, "{}", -1, NULL));
  g_assert_null (fs_label_classes_read (path, &error));
  g_assert_true (error->domain == FS_FOLDER_ERROR);
  g_remove (path);
  g_rmdir (folder);
}

static void
test_bad_classes (void)
{
  static const struct {
    const char *text, *words;
  } bad[] = { { "", "names no class" },  { "a\n\nb\n", "line 2" }, { "a\nb\na\n", "line 3" },
              { "a\nb\tc\n", "line 2" }, { "\xff\n", "line 1" },   { "\n", "line 1" } };
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (fs_label_classes_parse ("c.txt", bad[i].text, strlen (bad[i].text), &error));
    g_assert_true (g_error_matches (error, FS_LABEL_ERROR, FS_LABEL_ERROR_FORMAT));
    g_assert_nonnull (strstr (error->message, bad[i].words));
  }
  g_autofree char *longest = g_strnfill (FS_LABEL_MAX_NAME_BYTES + 1, 'x');
  g_assert_null (fs_label_classes_parse ("c.txt", longest, strlen (longest), NULL));
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_label_classes_read ("/nowhere/c.txt", &error));
  g_assert_true (g_error_matches (error, FS_LABEL_ERROR, FS_LABEL_ERROR_READ));
}

/* Random maps become objects and, painted, are the maps again. */
static void
test_map (void)
{
  enum { MAX = 20 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  guint class_of[256];
  for (guint i = 0; i < 256; i++)
    class_of[i] = i % 2;
  for (int round = 0; round < 500; round++) {
    const int width = g_rand_int_range (rand, 1, MAX), height = g_rand_int_range (rand, 1, MAX);
    uint8_t map[MAX * MAX], again[MAX * MAX] = { 0 };
    int counts[5] = { 0 };
    for (int i = 0; i < width * height; i++) {
      map[i] = (uint8_t)g_rand_int_range (rand, 0, 5);
      counts[map[i]]++;
    }
    g_autoptr (FsLabelPhoto) photo = fs_label_photo_new ("p.png", width, height);
    const FsRect all = { 0, 0, width, height };
    const guint n = fs_label_photo_add_map (photo, map, 2, class_of);
    g_assert_cmpuint (n, ==, photo->objects->len);
    guint at = 0;
    for (uint8_t label = 2; label < 5; label++) {
      if (counts[label] == 0)
        continue;
      const FsLabelObject *object = photo->objects->pdata[at++];
      g_assert_cmpint (object->n_pixels, ==, counts[label]);
      g_assert_cmpuint (object->class_number, ==, label % 2);
      g_assert_cmpuint (object->instance, ==, label == 4 && counts[2] > 0 ? 2 : 1);
      fs_label_object_paint (object, all, label, again);
    }
    g_assert_cmpuint (at, ==, n);
    for (int i = 0; i < width * height; i++)
      g_assert_cmpint (again[i], ==, map[i] < 2 ? 0 : map[i]);
  }
}

static void
test_runs (void)
{
  g_autoptr (FsLabelPhoto) photo = fs_label_photo_new ("p.png", 9, 9);
  FsLabelObject *object = fs_label_photo_add (photo, 0);
  fs_label_object_add_run (object, 2, 3, 5);
  fs_label_object_add_run (object, 2, 5, 6);
  fs_label_object_add_run (object, 2, 7, 7);
  fs_label_object_add_run (object, 4, 1, 2);
  g_assert_cmpuint (object->runs->len, ==, 2);
  g_assert_cmpint (object->n_pixels, ==, 4);
  const FsRect box = { 1, 2, 6, 5 };
  g_assert_cmpmem (&object->box, sizeof box, &box, sizeof box);
  uint8_t part[4] = { 0 };
  fs_label_object_paint (object, (FsRect){ 4, 2, 6, 4 }, 7, part);
  const uint8_t painted[4] = { 7, 7, 0, 0 };
  g_assert_cmpmem (part, 4, painted, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/labels/classes", test_classes);
  g_test_add_func ("/labels/folder-classes", test_folder_classes);
  g_test_add_func ("/labels/bad-classes", test_bad_classes);
  g_test_add_func ("/labels/map", test_map);
  g_test_add_func ("/labels/runs", test_runs);
  return g_test_run ();
}
