/* SPDX-License-Identifier: MIT */
/* The photos of a folder: their order, their sessions and how far they are. */
#include "app/folder/class_use.h"
#include "app/folder/folder_list.h"
#include "app/folder/folder_photos.h"
#include "app/session/session.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct {
  char *folder;
} Folder;

static void
folder_clear (Folder *f)
{
  g_autoptr (GDir) dir = g_dir_open (f->folder, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (f->folder, name, NULL);
    g_remove (path);
  }
  g_rmdir (f->folder);
  g_free (f->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Folder, folder_clear)

static Folder
folder_new (void)
{
  return (Folder){ g_dir_make_tmp ("fretsaw-XXXXXX", NULL) };
}

static void
write_text (const Folder *f, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
write_session (const Folder *f, const char *name, const char *photo, gboolean stroke, gboolean done)
{
  g_autoptr (FsSession) session = fs_session_new ();
  g_autoptr (GError) error = NULL;
  session->photo = g_strdup (photo);
  session->width = session->height = 8;
  session->done = done;
  memset (session->sha256, '0', FS_SESSION_SHA256_LENGTH);
  fs_session_add_usual_labels (session);
  FsSample sample = { 1, 1, 1, 0 };
  FsStroke *one = fs_stroke_new (2, 3);
  g_array_append_val (one->samples, sample);
  if (stroke)
    g_ptr_array_add (session->strokes, fs_stroke_ref (one));
  fs_stroke_unref (one);
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  fs_session_write (session, path, &error);
  g_assert_no_error (error);
}

/* "1.png 2.png+ 3.png!": + begun, ! done. */
static void
expect (const FsFolderList *list, const char *expected)
{
  g_autoptr (GString) said = g_string_new (NULL);
  for (guint i = 0; i < list->photos->len; i++) {
    const FsFolderPhoto *photo = fs_folder_list_get (list, i);
    g_string_append_printf (said, "%s%s%s", i > 0 ? " " : "", photo->name,
                            photo->state == FS_FOLDER_DONE    ? "!"
                            : photo->state == FS_FOLDER_BEGUN ? "+"
                                                              : "");
  }
  g_assert_cmpstr (said->str, ==, expected);
}

static FsFolderList *
read_folder (const Folder *f, const FsFolderList *previous)
{
  g_autoptr (GError) error = NULL;
  FsFolderList *list = fs_folder_list_read (f->folder, previous, NULL, &error);
  g_assert_no_error (error);
  return list;
}

static void
test_states (void)
{
  g_auto (Folder) f = folder_new ();
  static const char *const names[] = { "10.png", "2.png",       "1.png", "1-cutout.png", "4.jpg",
                                       "4.png",  ".hidden.png", "5.png", "notes.txt",    "6.png" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    write_text (&f, names[i], "");
  write_session (&f, "1.fretsaw", "1.png", FALSE, FALSE);
  write_session (&f, "2.fretsaw", "2.png", TRUE, FALSE);
  write_session (&f, "4.fretsaw", "4.jpg", TRUE, TRUE); /* not that of 4.png */
  write_session (&f, "5.fretsaw", "gone.png", FALSE, TRUE);
  write_text (&f, "6.fretsaw", "damaged");
  g_autoptr (FsFolderList) list = read_folder (&f, NULL);
  expect (list, "1.png 2.png+ 4.jpg! 4.png 5.png! 6.png+ 10.png");
  g_assert_cmpuint (fs_folder_list_count (list, FS_FOLDER_DONE), ==, 2);
  g_assert_cmpint (fs_folder_list_find (list, "/somewhere/4.png"), ==, 3);
  g_assert_cmpint (fs_folder_list_find (list, "7.png"), ==, -1);

  /* From each place the next that is not done; at last the first one again. */
  g_assert_cmpint (fs_folder_list_next_unfinished (list, -1), ==, 0);
  g_assert_cmpint (fs_folder_list_next_unfinished (list, 1), ==, 3);
  g_assert_cmpint (fs_folder_list_next_unfinished (list, 6), ==, 0);
  for (guint i = 1; i < list->photos->len; i++)
    fs_folder_list_get (list, i)->state = FS_FOLDER_DONE;
  g_assert_cmpint (fs_folder_list_next_unfinished (list, 0), ==, -1);
}

static void
test_new_sessions (void)
{
  g_auto (Folder) f = folder_new ();
  static const char *const expected[] = { "4.fretsaw", "4-png.fretsaw", "4.png.fretsaw", NULL };
  g_autofree char *photo = g_build_filename (f.folder, "4.png", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autofree char *path = fs_folder_photos_new_session (photo);
    g_autofree char *name = path ? g_path_get_basename (path) : NULL;
    g_assert_cmpstr (name, ==, expected[i]);
    if (name)
      write_session (&f, name, "4.jpg", TRUE, FALSE);
  }
  /* Its own, which has appeared meanwhile, is not evaded. */
  write_session (&f, "4-png.fretsaw", "4.png", TRUE, FALSE);
  g_autofree char *own = fs_folder_photos_new_session (photo);
  g_assert_true (g_str_has_suffix (own, "/4-png.fretsaw"));
}

/* What has not changed is taken over, and what has is seen. */
static void
test_again (void)
{
  g_auto (Folder) f = folder_new ();
  write_text (&f, "1.png", "");
  write_text (&f, "2.png", "");
  write_session (&f, "1.fretsaw", "1.png", TRUE, FALSE);
  g_autoptr (FsFolderList) list = read_folder (&f, NULL);
  expect (list, "1.png+ 2.png");
  fs_folder_list_get (list, 0)->state = FS_FOLDER_DONE; /* a mark: taken over, not read */
  g_autoptr (FsFolderList) same = read_folder (&f, list);
  expect (same, "1.png! 2.png");
  write_session (&f, "1.fretsaw", "1.png", FALSE, FALSE);
  write_session (&f, "2.fretsaw", "2.png", TRUE, TRUE);
  g_autoptr (FsFolderList) other = read_folder (&f, same);
  expect (other, "1.png 2.png!");
  g_autofree char *gone = g_build_filename (f.folder, "2.fretsaw", NULL);
  g_remove (gone);
  g_autoptr (FsFolderList) less = read_folder (&f, other);
  expect (less, "1.png 2.png");
  g_autoptr (FsFolderList) copy = fs_folder_list_copy (less);
  expect (copy, "1.png 2.png");
}

/* Names of a class in the sessions of a folder, but for that of the photo that is open. */
static void
test_use (void)
{
  g_auto (Folder) f = folder_new ();
  g_autoptr (GError) error = NULL;
  for (int i = 1; i <= 3; i++) {
    g_autofree char *photo = g_strdup_printf ("%d.png", i),
                    *name = g_strdup_printf ("%d.fretsaw", i);
    write_text (&f, photo, "");
    write_session (&f, name, photo, i != 2, FALSE);
  }
  g_autoptr (FsFolderList) list = read_folder (&f, NULL);
  g_assert_cmpuint (fs_class_use_count (list, "Object", NULL), ==, 2);
  g_assert_cmpuint (fs_class_use_count (list, "Object", "/somewhere/3.png"), ==, 1);
  g_assert_true (fs_class_use_rename (list, "Object", "moon", "/somewhere/3.png", &error));
  g_assert_no_error (error);
  g_assert_cmpuint (fs_class_use_count (list, "Object", NULL), ==, 1);
  g_assert_cmpuint (fs_class_use_count (list, "moon", NULL), ==, 1);
}

/* A thousand sessions of 90 kB, as after some hours; a second look reads none. */
static void
test_thousand (void)
{
  g_auto (Folder) f = folder_new ();
  const int n = g_test_slow () ? 1000 : 200;
  g_autoptr (GString) text = g_string_new ("{ \"photo\": { \"name\": \"x.png\" }, \"strokes\": [[");
  for (int i = 0; i < 3000; i++)
    g_string_append (text, "[123.5, 321.25, 0.75, 12345], ");
  g_string_append (text, "0]], \"done\": true }");
  for (int i = 0; i < n; i++) {
    g_autofree char *photo = g_strdup_printf ("%d.png", i),
                    *name = g_strdup_printf ("%d.fretsaw", i);
    write_text (&f, photo, "");
    write_text (&f, name, text->str);
  }
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (FsFolderList) list = read_folder (&f, NULL);
  gint64 first_us = g_get_monotonic_time () - start_us;
  g_autoptr (FsFolderList) again = read_folder (&f, list);
  g_test_message ("%d sessions: %" G_GINT64_FORMAT " ms, again %" G_GINT64_FORMAT " ms", n,
                  first_us / 1000, (g_get_monotonic_time () - start_us - first_us) / 1000);
  g_assert_cmpuint (fs_folder_list_count (again, FS_FOLDER_DONE), ==, n);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/folder-list/states", test_states);
  g_test_add_func ("/folder-list/new-sessions", test_new_sessions);
  g_test_add_func ("/folder-list/again", test_again);
  g_test_add_func ("/folder-list/use", test_use);
  g_test_add_func ("/folder-list/thousand", test_thousand);
  return g_test_run ();
}
