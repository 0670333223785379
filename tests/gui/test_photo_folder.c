/* SPDX-License-Identifier: MIT */
/* The photos of a folder: which come, in which order, and with which session. */
#include "app/session/session.h"
#include "ui/open/photo_folder.h"

#include <glib/gstdio.h>
#include <string.h>

static void
make_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static char *
make_folder (const char *const *names)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("fretsaw-XXXXXX", &error);
  g_assert_no_error (error);
  for (; *names != NULL; names++)
    make_file (folder, *names, "");
  return folder;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (names)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_cmpint (g_remove (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* The name, NULL for the end. */
static char *
find (const char *folder, const char *name, int step)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *photo = g_build_filename (folder, name, NULL);
  g_autofree char *found = fs_photo_folder_find (photo, step, NULL, &error);
  g_assert_no_error (error);
  if (found == NULL)
    return NULL;
  g_autofree char *where = g_path_get_dirname (found);
  g_assert_cmpstr (where, ==, folder);
  return g_path_get_basename (found);
}

static void
assert_chain (const char *folder, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++) {
    g_autofree char *next = find (folder, names[i], 1);
    g_autofree char *previous = find (folder, names[i], -1);
    g_assert_cmpstr (next, ==, names[i + 1]);
    g_assert_cmpstr (previous, ==, i > 0 ? names[i - 1] : NULL);
  }
}

static void
test_order (void)
{
  const char *const made[] = { "IMG_10.jpg", "IMG_2.jpg",  "IMG_1.JPG",     "a.png",
                               "notes.txt",  ".dot.jpg",   "IMG_2.jpeg",    "b.bmp",
                               "jpg",        "IMG_3.jpg~", "IMG_2.fretsaw", NULL };
  const char *const chain[] = { "IMG_1.JPG", "IMG_2.jpeg", "IMG_2.jpg", "IMG_10.jpg", NULL };
  g_autofree char *folder = make_folder (made);
  g_autofree char *inner = g_build_filename (folder, "IMG_4.jpg", NULL);
  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);

  /* Where the letters stand among capitals is the locale's. */
  for (guint i = 0; chain[i + 1] != NULL; i++) {
    g_autofree char *next = find (folder, chain[i], 1);
    g_autofree char *previous = find (folder, chain[i + 1], -1);
    g_assert_cmpstr (next, ==, chain[i + 1]);
    g_assert_cmpstr (previous, ==, chain[i]);
  }
  /* One that has gone meanwhile still has its place. */
  g_autofree char *after = find (folder, "IMG_7.jpg", 1);
  g_autofree char *before = find (folder, "IMG_7.jpg", -1);
  g_assert_cmpstr (after, ==, "IMG_10.jpg");
  g_assert_cmpstr (before, ==, "IMG_2.jpg");
  remove_folder (folder);
}

/* Exports of the photos are none of them, unless the photo is not there. No BMP is an export. */
static void
test_exports (void)
{
  const char *const made[] = { "a.jpg",          "a-cutout.png",  "a-mask.png",
                               "a-mask-12.png",  "a-objects.png", "a-cutout.jpg",
                               "a-cutout.bmp",   "b-2.jpg",       "b-2-cutout-3.png",
                               "c-mask.png",     "d-2.png",       "a-cutout.webp",
                               "a-cutout-2.TIF", "c-cutout.tiff", NULL };
  const char *const chain[] = { "a.jpg",      "a-cutout.bmp", "b-2.jpg", "c-cutout.tiff",
                                "c-mask.png", "d-2.png",      NULL };
  g_autofree char *folder = make_folder (made);
  assert_chain (folder, chain);
  remove_folder (folder);
}

static void
test_no_folder (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found = fs_photo_folder_find ("/no/such/folder/a.jpg", 1, NULL, &error);
  g_assert_null (found);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *here = g_build_filename (g_get_tmp_dir (), "a.jpg", NULL);
  g_cancellable_cancel (cancellable);
  g_assert_null (fs_photo_folder_find (here, 1, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
write_session (const char *folder, const char *name, const char *photo)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSession) session = fs_session_new ();
  g_autofree char *path = g_build_filename (folder, name, NULL);
  session->photo = g_strdup (photo);
  session->width = session->height = 8;
  memset (session->sha256, 'a', FS_SESSION_SHA256_LENGTH);
  fs_session_add_usual_labels (session);
  fs_session_write (session, path, &error);
  g_assert_no_error (error);
}

static void
assert_session (const char *folder, const char *photo, const char *expected)
{
  g_autofree char *path = g_build_filename (folder, photo, NULL);
  g_autofree char *found = fs_photo_folder_find_session (path);
  g_autofree char *name = found != NULL ? g_path_get_basename (found) : NULL;
  g_assert_cmpstr (name, ==, expected);
}

static void
test_session (void)
{
  const char *const made[] = { "a.jpg", "a.png", "b.jpg", "c.jpg", NULL };
  g_autofree char *folder = make_folder (made);
  write_session (folder, "a.fretsaw", "a.jpg");
  make_file (folder, "b.fretsaw", "no session");
  assert_session (folder, "a.jpg", "a.fretsaw");
  assert_session (folder, "a.png", NULL);
  assert_session (folder, "b.jpg", NULL);
  assert_session (folder, "c.jpg", NULL);
  write_session (folder, "c-jpg.fretsaw", "c.jpg");
  assert_session (folder, "c.jpg", "c-jpg.fretsaw");
  write_session (folder, "a.png.fretsaw", "a.png");
  assert_session (folder, "a.png", "a.png.fretsaw");
  remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/photo-folder/order", test_order);
  g_test_add_func ("/photo-folder/exports", test_exports);
  g_test_add_func ("/photo-folder/no-folder", test_no_folder);
  g_test_add_func ("/photo-folder/session", test_session);
  return g_test_run ();
}
