/* SPDX-License-Identifier: MIT */
/* A document and its files without a window: what the journal follows, what is restored, what is
 * saved. */
#include "app/session/pasted.h"
#include "app/session/session_photo.h"
#include "tests/app/session/work.h"

#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

/* Nothing is journaled that nobody painted; each edit then is there at once. */
static void
test_follows (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  FsDocument *document = fs_project_get_document (f.project);
  FsSettings settings = fs_document_get_settings (document);
  settings.smoothness = 2;
  fs_document_set_settings (document, &settings);
  g_assert_false (fs_project_is_unsaved (f.project));
  work_paint_both (&f);
  work_paint (&f, 2, 10);
  fs_document_undo (document);
  settings.smoothness = 3;
  fs_document_set_settings (document, &settings);
  g_assert_true (fs_project_is_unsaved (f.project));
  work_close (&f);

  g_autoptr (FsLostWork) lost = work_find_lost ();
  g_assert_nonnull (lost);
  const FsJournalContent *content = lost->content;
  g_assert_cmpstr (content->photo, ==, f.photo);
  g_assert_cmpuint (content->session->strokes->len, ==, 3);
  g_assert_cmpuint (content->n_undone, ==, 1);
  g_assert_cmpfloat (content->session->settings.smoothness, ==, 3);
}

/* A stroke that is taken back while it grows was never there. */
static void
test_unfinished (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  FsDocument *document = fs_project_get_document (f.project);
  FsSample sample = { 9, 9, 1, 0 };
  fs_document_begin_stroke (document, 2, 3);
  fs_document_extend_stroke (document, &sample, 1);
  fs_document_cancel_stroke (document);
  fs_document_begin_stroke (document, 2, 3);
  fs_document_end_stroke (document);
  g_assert_false (fs_project_is_unsaved (f.project));
  work_close (&f);
  g_assert_null (work_find_lost ());
}

/* Settings that change while a stroke grows do not journal what there is of it. */
static void
test_settings_while_drawing (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  FsDocument *document = fs_project_get_document (f.project);
  FsSettings settings = fs_document_get_settings (document);
  FsSample sample = { 9, 9, 1, 0 };
  work_paint (&f, 2, 8);
  g_autofree char *path = g_build_filename (f.folder, "work.fretsaw", NULL);
  g_assert_true (work_save (&f, path, NULL));
  fs_document_begin_stroke (document, 1, 3);
  settings.smoothness = 2;
  fs_document_set_settings (document, &settings);
  fs_document_extend_stroke (document, &sample, 1);
  fs_document_end_stroke (document);
  work_close (&f);
  g_autoptr (FsLostWork) lost = work_find_lost ();
  g_assert_cmpuint (lost->content->session->strokes->len, ==, 2);
  g_assert_false (lost->content->damaged);
}

/* The mask after recovery is that from before, as often as it takes. */
static void
test_recovers (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  work_paint_both (&f);
  work_paint (&f, 2, 12);
  work_paint (&f, 1, 30);
  fs_document_undo (fs_project_get_document (f.project));
  work_wait_for_final (fs_project_get_document (f.project));
  g_autoptr (GBytes) mask = work_copy_mask (&f);
  for (int i = 0; i < 3; i++) {
    work_close (&f);
    work_recover (&f);
    g_autoptr (GBytes) again = work_copy_mask (&f);
    g_assert_true (g_bytes_equal (mask, again));
    g_assert_cmpuint (fs_document_get_n_undone (fs_project_get_document (f.project)), ==, 1);
  }
  fs_document_redo (fs_project_get_document (f.project));
  work_close (&f);
  work_recover (&f);
  g_assert_cmpuint (fs_document_get_n_strokes (fs_project_get_document (f.project)), ==, 4);
  g_assert_true (fs_project_is_unsaved (f.project));
  fs_project_discard (f.project);
  work_close (&f);
  g_assert_null (work_find_lost ());
}

/* Giving up half-way keeps the journal as it was. */
static void
test_cancelled_recovery (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  work_paint_both (&f);
  work_paint (&f, 2, 12);
  work_close (&f);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GAsyncResult *result = NULL;
  FsLostWork *lost = work_find_lost ();
  work_open (&f);
  fs_project_recover_async (f.project, lost, cancellable, NULL, work_on_done, &result);
  while (fs_document_get_n_strokes (fs_project_get_document (f.project)) == 0)
    g_main_context_iteration (NULL, TRUE);
  g_cancellable_cancel (cancellable);
  g_assert_false (work_finish_restoring (&f, &result));
  work_close (&f);
  work_recover (&f);
  g_assert_cmpuint (fs_document_get_n_strokes (fs_project_get_document (f.project)), ==, 3);
}

static void
count_signal (int *n)
{
  ++*n;
}

/* A folder that cannot be written to is told once; when it can, everything is there again. */
static void
test_journal_fails (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  int n_failed = 0;
  g_autofree char *in_the_way = g_build_filename (f.folder, "fretsaw", NULL);
  g_assert_true (g_file_set_contents (in_the_way, "", -1, NULL));
  g_signal_connect_swapped (f.project, "journal-failed", G_CALLBACK (count_signal), &n_failed);
  work_paint_both (&f);
  g_assert_cmpint (n_failed, ==, 1);
  g_assert_cmpint (g_unlink (in_the_way), ==, 0);
  work_paint (&f, 2, 12);
  g_assert_cmpint (n_failed, ==, 1);
  work_close (&f);
  g_autoptr (FsLostWork) lost = work_find_lost ();
  g_assert_nonnull (lost);
  g_assert_cmpuint (lost->content->session->strokes->len, ==, 3);
}

/* Both sums, of the file and of the pixels that are painted on. */
static void
assert_sums (const FsSession *session, const char *photo)
{
  g_autoptr (FsImage) image = work_make_image ();
  g_autofree char *sum = fs_session_sum_photo (photo, NULL, NULL);
  g_autofree char *pixels = fs_session_sum_pixels (image);
  g_assert_cmpstr (session->sha256, ==, sum);
  g_assert_cmpstr (session->pixels, ==, pixels);
}

static void
test_saves (void)
{
  g_auto (Work) f = { 0 };
  g_autoptr (GError) error = NULL;
  work_init (&f);
  work_paint_both (&f);
  g_autoptr (GBytes) mask = work_copy_mask (&f);
  g_autofree char *inner = g_build_filename (f.folder, "a", "b", NULL);
  g_mkdir_with_parents (inner, 0700);
  g_autofree char *path = g_build_filename (inner, "work.fretsaw", NULL);
  g_assert_true (work_save (&f, path, &error));
  g_assert_no_error (error);
  g_assert_false (fs_project_is_unsaved (f.project));
  work_close (&f);
  g_assert_null (work_find_lost ());

  g_autoptr (FsSession) session = fs_session_read (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (session->photo, ==, "../../photo.png");
  assert_sums (session, f.photo);
  GAsyncResult *result = NULL;
  work_open (&f);
  fs_project_open_async (f.project, session, path, NULL, NULL, work_on_done, &result);
  g_assert_true (work_finish_restoring (&f, &result));
  work_wait_for_final (fs_project_get_document (f.project));
  g_autoptr (GBytes) again = work_copy_mask (&f);
  g_assert_true (g_bytes_equal (mask, again));
  g_assert_false (fs_project_is_unsaved (f.project));

  /* The next edit begins a journal that knows the session. */
  work_paint (&f, 2, 14);
  work_close (&f);
  g_autoptr (FsLostWork) lost = work_find_lost ();
  g_assert_cmpstr (lost->content->session_path, ==, path);
  g_assert_cmpuint (lost->content->session->strokes->len, ==, 3);
}

static void
assert_labels (const FsSession *session, const char *const *names)
{
  g_assert_cmpuint (session->labels->len, ==, g_strv_length ((char **)names));
  for (guint i = 0; i < session->labels->len; i++)
    g_assert_cmpstr (g_array_index (session->labels, FsSessionLabel, i).name, ==, names[i]);
}

/* Strokes of several objects come back from a journal and from a session, with the names that a
 * session had for them. */
static void
test_several_objects (void)
{
  g_auto (Work) f = { 0 };
  g_autoptr (GError) error = NULL;
  work_init (&f);
  work_paint_both (&f);
  work_paint (&f, 4, 14);
  work_close (&f);
  work_recover (&f);
  g_assert_cmpuint (fs_document_get_n_strokes (fs_project_get_document (f.project)), ==, 3);
  g_autofree char *path = g_build_filename (f.folder, "work.fretsaw", NULL);
  g_assert_true (work_save (&f, path, &error));
  work_close (&f);
  g_autoptr (FsSession) session = fs_session_read (path, &error);
  g_assert_no_error (error);
  assert_labels (session, (const char *[]){ "Background", "Object", "Object 2", "Object 3", NULL });

  g_autoptr (FsSession) named = fs_session_read (path, &error);
  g_array_set_size (named->labels, 0);
  static const char *const names[] = { "Sky", "Dog", "Cat", "Cow", "Hen", NULL };
  for (int i = 0; names[i] != NULL; i++)
    fs_session_add_label (named, names[i], 0x10 * (uint32_t)i);
  g_assert_true (fs_session_write (named, path, &error));
  GAsyncResult *result = NULL;
  work_open (&f);
  fs_project_open_async (f.project, named, path, NULL, NULL, work_on_done, &result);
  g_assert_true (work_finish_restoring (&f, &result));
  work_paint (&f, 6, 20);
  g_autofree char *other = g_build_filename (f.folder, "other.fretsaw", NULL);
  g_assert_true (work_save (&f, other, &error));
  g_autoptr (FsSession) again = fs_session_read (other, &error);
  g_assert_no_error (error);
  assert_labels (again, (const char *[]){ "Sky", "Dog", "Cat", "Cow", "Hen", "Object 5", NULL });
  g_assert_cmphex (g_array_index (again->labels, FsSessionLabel, 3).colour, ==, 0x30);
}

static FsSession *
save_and_read (Work *f, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (work_save (f, path, &error));
  FsSession *session = fs_session_read (path, &error);
  g_assert_no_error (error);
  return session;
}

/* A name is saved, survives a crash, and may be taken away. */
static void
test_named_objects (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  int n_changed = 0;
  g_signal_connect_swapped (f.project, "changed", G_CALLBACK (count_signal), &n_changed);
  g_assert_null (fs_project_get_name (f.project, 2));
  g_assert_true (fs_project_set_name (f.project, 2, "  Dog "));
  g_assert_cmpstr (fs_project_get_name (f.project, 2), ==, "Dog");
  g_assert_cmpint (n_changed, ==, 1);
  g_assert_true (fs_project_set_name (f.project, 2, "Dog"));
  g_assert_cmpint (n_changed, ==, 1);
  g_assert_false (fs_project_is_unsaved (f.project));
  g_assert_false (fs_project_set_name (f.project, 2, "two\nlines"));
  g_autofree char *longer = g_strnfill (FS_SESSION_MAX_LABEL_BYTES + 1, 'x');
  g_assert_false (fs_project_set_name (f.project, 2, longer));
  g_assert_cmpstr (fs_project_get_name (f.project, 2), ==, "Dog");

  work_paint_both (&f);
  g_assert_true (fs_project_set_name (f.project, 4, "Cow"));
  work_close (&f);
  work_recover (&f);
  g_assert_cmpstr (fs_project_get_name (f.project, 2), ==, "Dog");
  g_assert_null (fs_project_get_name (f.project, 3));
  g_assert_cmpstr (fs_project_get_name (f.project, 4), ==, "Cow");
  g_assert_null (fs_project_get_name (f.project, 5));
  g_autofree char *path = g_build_filename (f.folder, "work.fretsaw", NULL);
  g_autoptr (FsSession) named = save_and_read (&f, path);
  assert_labels (named, (const char *[]){ "Background", "Dog", "Object 2", "Cow", NULL });

  g_assert_false (fs_project_is_unsaved (f.project));
  g_assert_true (fs_project_set_name (f.project, 4, " "));
  g_assert_null (fs_project_get_name (f.project, 4));
  g_assert_true (fs_project_is_unsaved (f.project));
  g_autoptr (FsSession) fewer = save_and_read (&f, path);
  assert_labels (fewer, (const char *[]){ "Background", "Dog", "Object 2", "Object 3", NULL });

  /* Named and unnamed again is as before. */
  g_assert_true (fs_project_set_name (f.project, 7, "Hen"));
  g_assert_true (fs_project_is_unsaved (f.project));
  g_assert_true (fs_project_set_name (f.project, 7, NULL));
  g_assert_false (fs_project_is_unsaved (f.project));
}

/* Done is no stroke: undo leaves it, and so do strokes that follow; journal and session have it. */
static void
test_done (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  g_autofree char *path = g_build_filename (f.folder, "work.fretsaw", NULL);
  g_assert_false (fs_project_is_done (f.project));
  fs_project_set_done (f.project, TRUE);
  g_assert_true (fs_project_is_unsaved (f.project)); /* a photo without any object */
  fs_project_set_done (f.project, FALSE);
  g_assert_false (fs_project_is_unsaved (f.project));
  work_paint_both (&f);
  fs_project_set_done (f.project, TRUE);
  fs_document_undo (fs_project_get_document (f.project));
  work_paint (&f, 1, 36);
  work_close (&f);
  work_recover (&f);
  g_assert_true (fs_project_is_done (f.project));
  g_autoptr (FsSession) done = save_and_read (&f, path);
  g_assert_true (done->done);
  g_assert_false (fs_project_is_unsaved (f.project));
  fs_project_set_done (f.project, FALSE);
  g_assert_true (fs_project_is_unsaved (f.project));
  work_close (&f);
  work_recover (&f);
  g_assert_false (fs_project_is_done (f.project));
  g_autoptr (FsSession) begun = save_and_read (&f, path);
  g_assert_false (begun->done);
}

static void
test_colours (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  work_paint_both (&f);
  g_autofree char *path = g_build_filename (f.folder, "work.fretsaw", NULL);
  const uint32_t usual = fs_project_get_colour (f.project, 2);
  g_assert_true (fs_project_set_label (f.project, 2, "Dog", 0x123456));
  g_assert_true (fs_project_set_label (f.project, 5, "Cow", 0x654321));
  work_close (&f);
  work_recover (&f);
  g_assert_cmphex (fs_project_get_colour (f.project, 2), ==, 0x123456);
  g_assert_cmphex (fs_project_get_colour (f.project, 5), ==, 0x654321);
  g_autoptr (FsSession) saved = save_and_read (&f, path);
  g_assert_cmphex (fs_session_get_colour (saved, 5), ==, 0x654321);
  g_assert_true (fs_project_set_label (f.project, 2, NULL, usual));
  g_assert_null (fs_project_get_name (f.project, 2));
  g_assert_true (fs_project_is_unsaved (f.project));
}

/* Who saves to a name of his own choice, and is asked about nothing, replaces nothing. */
static void
test_saves_to_new (void)
{
  g_auto (Work) f = { 0 };
  g_autoptr (GError) error = NULL;
  work_init (&f);
  work_paint_both (&f);
  g_autofree char *path = g_build_filename (f.folder, "other.fretsaw", NULL);
  g_assert_true (g_file_set_contents (path, "theirs", -1, NULL));
  g_assert_false (work_save (&f, path, &error));
  g_assert_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_CHANGED);
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "theirs");
  g_assert_true (fs_project_is_unsaved (f.project));
  g_assert_true (work_save_over (&f, path, TRUE, NULL));
  g_assert_true (work_save (&f, path, NULL));
}

/* Journals of older versions knew no names: those of the session stay. */
static void
test_names_of_old_journals (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  work_paint_both (&f);
  g_assert_true (fs_project_set_name (f.project, 2, "Dog"));
  g_autofree char *path = g_build_filename (f.folder, "work.fretsaw", NULL);
  g_autoptr (FsSession) saved = save_and_read (&f, path);
  work_close (&f);

  g_autofree char *folder = fs_journals_folder ();
  g_autoptr (FsJournal) old = fs_journal_new (folder, NULL);
  g_assert_true (fs_journal_add_photo (old, f.photo, WORK_SIDE, WORK_SIDE, NULL));
  g_assert_true (fs_journal_add_session (old, path, NULL));
  for (guint i = 0; i < saved->strokes->len; i++)
    g_assert_true (fs_journal_add_stroke (old, saved->strokes->pdata[i], NULL));
  g_assert_true (fs_journal_publish (old, NULL));
  g_clear_pointer (&old, fs_journal_free);
  work_recover (&f);
  g_assert_cmpstr (fs_project_get_name (f.project, 2), ==, "Dog");
}

/* What is painted while the file is written is not in it, and stays unsaved. */
static void
test_edit_while_saving (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  work_paint_both (&f);
  g_autofree char *path = g_build_filename (f.folder, "work.fretsaw", NULL);
  GAsyncResult *result = NULL;
  fs_project_save_async (f.project, path, FALSE, NULL, work_on_done, &result);
  work_paint (&f, 2, 14);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (fs_project_save_finish (f.project, result, NULL));
  g_object_unref (result);
  g_assert_true (fs_project_is_unsaved (f.project));
  g_autoptr (FsSession) session = fs_session_read (path, NULL);
  g_assert_cmpuint (session->strokes->len, ==, 2);
  work_close (&f);
  g_autoptr (FsLostWork) lost = work_find_lost ();
  g_assert_cmpuint (lost->content->session->strokes->len, ==, 3);
  g_assert_cmpstr (lost->content->session_path, ==, path);
}

static void
test_save_fails (void)
{
  g_auto (Work) f = { 0 };
  g_autoptr (GError) error = NULL;
  work_init (&f);
  work_paint_both (&f);
  g_autofree char *path = g_build_filename (f.folder, "nowhere", "work.fretsaw", NULL);
  g_assert_false (work_save (&f, path, &error));
  g_assert_nonnull (strstr (error->message, "nowhere/work.fretsaw"));
  g_assert_true (fs_project_is_unsaved (f.project));
  g_assert_null (fs_project_get_session_path (f.project));
  g_clear_error (&error);
  g_assert_cmpint (g_unlink (f.photo), ==, 0);
  work_close (&f);
  work_recover (&f);
  g_autofree char *here = g_build_filename (f.folder, "work.fretsaw", NULL);
  g_assert_false (work_save (&f, here, &error));
  g_assert_nonnull (strstr (error->message, "photo.png"));
}

/* How far a session may lie from its photo. */
static void
test_names (void)
{
  static const struct {
    const char *session, *photo, *name;
  } cases[] = {
    { "/a/b/s.fretsaw", "/a/b/p.jpg", "p.jpg" },
    { "/a/b/s.fretsaw", "/a/c/p.jpg", "../c/p.jpg" },
    { "/s.fretsaw", "/a/p.jpg", "a/p.jpg" },
    { "/a/b/s.fretsaw", "/p.jpg", "../../p.jpg" },
    { "/a/../b/./s.fretsaw", "/b/x/../p.jpg", "p.jpg" },
    { "/ab/s.fretsaw", "/a/p.jpg", "../a/p.jpg" },
    { "/1/2/3/4/5/6/7/8/s.fretsaw", "/p.jpg", "../../../../../../../../p.jpg" },
    { "/1/2/3/4/5/6/7/8/9/s.fretsaw", "/p.jpg", NULL },
    { "/s.fretsaw", "/caf\xe9.jpg", NULL },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *name = fs_session_name_photo (cases[i].session, cases[i].photo, &error);
    g_assert_cmpstr (name, ==, cases[i].name);
    g_assert_true ((name != NULL) == (error == NULL));
  }
}

/* A pasted image has no file of the user's: it is taken along. */
static void
test_pasted (void)
{
  g_auto (Work) f = { 0 };
  g_autoptr (GError) error = NULL;
  work_init (&f);
  work_close (&f);
  g_autoptr (GBytes) png = g_bytes_new_static ("the image's bytes", 17);
  g_autofree char *other = fs_pasted_save (png, &error);
  g_assert_no_error (error);
  g_free (f.photo);
  f.photo = fs_pasted_save (png, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (f.photo, !=, other);
  fs_pasted_remove (other);
  fs_pasted_remove (f.folder);
  g_autofree char *pasted = g_strdup (f.photo);
  work_open (&f);
  work_paint_both (&f);
  g_autofree char *taken = g_build_filename (f.folder, "work.png", NULL);
  g_assert_true (g_file_set_contents (taken, "another picture", -1, NULL));
  g_autofree char *path = g_build_filename (f.folder, "work.fretsaw", NULL);
  g_assert_true (work_save (&f, path, &error));
  g_autoptr (FsSession) session = fs_session_read (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (session->photo, ==, "work-2.png");
  g_assert_false (g_file_test (pasted, G_FILE_TEST_EXISTS));
  g_autofree char *beside = fs_session_photo_path (session, path);
  assert_sums (session, beside);
}

static char *
make_old_paste (void)
{
  g_autoptr (GBytes) png = g_bytes_new_static ("an image's bytes", 16);
  struct utimbuf long_ago = { 1000000, 1000000 };
  char *path = fs_pasted_save (png, NULL);
  g_assert_cmpint (g_utime (path, &long_ago), ==, 0);
  return path;
}

/* Old images of nobody's go; young ones stay, and what lost work was painted on. */
static void
test_tidies_pasted (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  work_close (&f);
  g_free (f.photo);
  f.photo = make_old_paste ();
  g_autofree char *old = make_old_paste ();
  g_autoptr (GBytes) png = g_bytes_new_static ("an image's bytes", 16);
  g_autofree char *young = fs_pasted_save (png, NULL);
  g_autofree char *folder = fs_journals_folder ();
  work_open (&f);
  work_paint_both (&f);
  g_autoptr (GPtrArray) none = fs_journals_find_lost (folder);
  fs_journals_tidy_pasted (folder, none);
  g_assert_true (g_file_test (old, G_FILE_TEST_EXISTS));
  work_close (&f);
  g_autoptr (GPtrArray) lost = fs_journals_find_lost (folder);
  g_assert_cmpuint (lost->len, ==, 1);
  fs_journals_tidy_pasted (folder, lost);
  g_assert_false (g_file_test (old, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (young, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (f.photo, G_FILE_TEST_EXISTS));
  fs_pasted_remove (young);
  fs_pasted_remove (f.photo);
}

int
main (int argc, char **argv)
{
  g_autofree char *data = g_dir_make_tmp ("fretsaw-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/project/follows", test_follows);
  g_test_add_func ("/project/unfinished", test_unfinished);
  g_test_add_func ("/project/settings-while-drawing", test_settings_while_drawing);
  g_test_add_func ("/project/recovers", test_recovers);
  g_test_add_func ("/project/cancelled-recovery", test_cancelled_recovery);
  g_test_add_func ("/project/journal-fails", test_journal_fails);
  g_test_add_func ("/project/saves", test_saves);
  g_test_add_func ("/project/several-objects", test_several_objects);
  g_test_add_func ("/project/named-objects", test_named_objects);
  g_test_add_func ("/project/done", test_done);
  g_test_add_func ("/project/colours", test_colours);
  g_test_add_func ("/project/saves-to-new", test_saves_to_new);
  g_test_add_func ("/project/names-of-old-journals", test_names_of_old_journals);
  g_test_add_func ("/project/edit-while-saving", test_edit_while_saving);
  g_test_add_func ("/project/save-fails", test_save_fails);
  g_test_add_func ("/project/names", test_names);
  g_test_add_func ("/project/pasted", test_pasted);
  g_test_add_func ("/project/tidies-pasted", test_tidies_pasted);
  int failed = g_test_run ();
  work_remove_all (data);
  return failed;
}
