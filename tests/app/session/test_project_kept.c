/* SPDX-License-Identifier: MIT */
/* What is never overwritten or thrown away: damaged journals, sessions that others have changed. */
#include "app/session/journal_record.h"
#include "tests/app/session/work.h"

#include <glib/gstdio.h>
#include <string.h>

/* A file in which every place looks like a record ends the search, not the program. */
static void
test_hostile (void)
{
  const gsize n_bytes = 1 << 20;
  g_autofree uint8_t *bytes = g_malloc0 (n_bytes);
  memcpy (bytes, FS_JOURNAL_FORMAT, strlen (FS_JOURNAL_FORMAT));
  for (gsize i = strlen (FS_JOURNAL_FORMAT); i + 8 <= n_bytes; i += 8) {
    bytes[i] = FS_JOURNAL_STROKE;
    bytes[i + 6] = 8;
  }
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (FsJournalContent) content = fs_journal_parse ("j", bytes, n_bytes, NULL);
  g_assert_true (!content || content->session->strokes->len == 0);
  g_test_message ("%.0f ms", (g_get_monotonic_time () - begin_us) / 1e3);
}

/* What a damaged journal still says is gone on with in a new one; the damaged one stays. */
static void
test_damaged_journal (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  work_paint_both (&f);
  work_paint (&f, 2, 12);
  work_close (&f);
  g_autoptr (FsLostWork) lost = work_find_lost ();
  g_autofree char *path = g_strdup (fs_journal_get_path (lost->journal));
  g_autofree char *bytes = NULL, *kept = NULL;
  gsize n_bytes, n_kept;
  g_clear_pointer (&lost, fs_lost_work_free);
  g_assert_true (g_file_get_contents (path, &bytes, &n_bytes, NULL));
  bytes[n_bytes - 30] ^= 16;
  g_assert_true (g_file_set_contents (path, bytes, (gssize)n_bytes, NULL));

  work_recover (&f);
  g_assert_cmpuint (fs_document_get_n_strokes (fs_project_get_document (f.project)), ==, 2);
  g_assert_true (fs_project_is_unsaved (f.project));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  char *suffix = g_strrstr (path, FS_JOURNAL_SUFFIX);
  g_autofree char *aside =
      g_strdup_printf ("%.*s" FS_JOURNAL_DAMAGED_SUFFIX, (int)(suffix - path), path);
  work_paint (&f, 2, 30);
  work_close (&f);
  work_recover (&f);
  g_assert_cmpuint (fs_document_get_n_strokes (fs_project_get_document (f.project)), ==, 3);
  fs_project_discard (f.project);
  work_close (&f);
  g_assert_null (work_find_lost ());
  g_assert_true (g_file_get_contents (aside, &kept, &n_kept, NULL));
  g_assert_cmpmem (bytes, n_bytes, kept, n_kept);
}

/* A session that somebody else has changed is not replaced without a word, after a crash neither;
 * one that is gone is written again. */
static void
test_changed_session (void)
{
  g_auto (Work) f = { 0 };
  g_autoptr (GError) error = NULL;
  work_init (&f);
  work_paint_both (&f);
  g_autofree char *path = g_build_filename (f.folder, "work.fretsaw", NULL);
  static const char *const texts[] = { "of another program", "" };
  g_assert_true (work_save (&f, path, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    work_paint (&f, 2, 12 + (float)i);
    g_assert_true (work_save (&f, path, NULL));
    work_paint (&f, 2, 14 + (float)i);
    g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
    work_close (&f);
    work_recover (&f);
    g_assert_false (work_save (&f, path, &error));
    g_assert_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_CHANGED);
    g_clear_error (&error);
    g_autofree char *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_assert_cmpstr (text, ==, texts[i]);
    g_assert_true (fs_project_is_unsaved (f.project));
    g_assert_true (work_save_over (&f, path, TRUE, NULL));
    g_assert_false (fs_project_is_unsaved (f.project));
  }
  g_assert_cmpint (g_unlink (path), ==, 0);
  work_paint (&f, 1, 30);
  g_assert_true (work_save (&f, path, NULL));
  g_autofree char *other = g_build_filename (f.folder, "other.fretsaw", NULL);
  g_assert_true (g_file_set_contents (path, texts[0], -1, NULL));
  g_assert_true (work_save (&f, other, NULL));
}

/* A program that ended after a session was written, and before its journal knew of that, leaves a
 * file with another sum: all of it is in the journal, so it is replaced; what has more is not. */
static void
test_contained_session (void)
{
  g_auto (Work) f = { 0 };
  g_autoptr (GError) error = NULL;
  work_init (&f);
  work_paint_both (&f);
  g_autofree char *path = g_build_filename (f.folder, "work.fretsaw", NULL);
  g_assert_true (work_save (&f, path, NULL));
  g_autoptr (FsSession) before = fs_session_read (path, &error);
  g_assert_no_error (error);
  for (int has_more = 0; has_more < 2; has_more++) {
    work_paint (&f, 2, 12);
    g_assert_true (work_save (&f, path, NULL));
    work_paint (&f, 2, 14);
    if (has_more)
      g_assert_true (fs_session_name_label (before, 2, "Theirs"));
    g_assert_true (fs_session_write (before, path, NULL));
    work_close (&f);
    work_recover (&f);
    g_assert_true (work_save (&f, path, &error) == !has_more);
    g_assert_true (fs_project_is_unsaved (f.project) == has_more);
  }
  g_assert_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_CHANGED);
}

static void
test_exported (void)
{
  g_auto (Work) f = { 0 };
  work_init (&f);
  g_assert_false (fs_project_is_exported (f.project));
  work_paint_both (&f);
  fs_project_mark_exported (f.project);
  g_assert_true (fs_project_is_exported (f.project));
  g_assert_true (fs_project_is_unsaved (f.project));
  fs_document_undo (fs_project_get_document (f.project));
  g_assert_false (fs_project_is_exported (f.project));
  fs_document_redo (fs_project_get_document (f.project));
  g_assert_true (fs_project_is_exported (f.project));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/project-kept/hostile-journal", test_hostile);
  g_test_add_func ("/project-kept/damaged-journal", test_damaged_journal);
  g_test_add_func ("/project-kept/changed-session", test_changed_session);
  g_test_add_func ("/project-kept/contained-session", test_contained_session);
  g_test_add_func ("/project-kept/exported", test_exported);
  return g_test_run ();
}
