/* SPDX-License-Identifier: MIT */
/* Work is never lost: save, open, what is gone or changed, and what a crash leaves. */
#include "app/session/journal_record.h"
#include "app/session/journals.h"
#include "tests/gui/dialogs.h"
#include "tests/gui/scene.h"
#include "ui/window/recovery.h"

#include <glib/gstdio.h>
#include <string.h>

static FsMessageBar *
messages_of (Stage *stage)
{
  return fs_window_get_messages (stage->window);
}

static void
assert_message (Stage *stage, const char *area)
{
  const char *text = fs_message_bar_get_text (messages_of (stage));
  g_assert_nonnull (text);
  if (strstr (text, area) == NULL)
    g_error ("\"%s\" does not say \"%s\"", text, area);
}

static gboolean
is_unsaved (Stage *stage)
{
  return fs_project_is_unsaved (fs_window_get_project (stage->window));
}

static gboolean
is_null (gpointer data)
{
  return *(gpointer *)data == NULL;
}

static guint
count_journals (void)
{
  g_autofree char *folder = fs_journals_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* Ctrl+S on work that has no file yet. */
static char *
save_first (Stage *stage)
{
  stage_type (stage, GDK_KEY_s, GDK_CONTROL_MASK);
  char *path = dialogs_save_as (stage, "scene.fretsaw", "scene.fretsaw");
  dialogs_wait_for_task (stage);
  assert_message (stage, "Saved “scene.fretsaw”");
  return path;
}

static void
press_redo (Stage *stage)
{
  stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
}

static void
test_save_and_open (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  guint n_before = count_journals ();
  stage_paint_both (stage);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 200, 300, 210, 8);
  stage_wait_for_final (stage);
  g_assert_true (is_unsaved (stage));
  g_assert_cmpuint (count_journals (), ==, n_before + 1);
  g_assert_true (g_str_has_prefix (gtk_window_get_title (GTK_WINDOW (stage->window)), "• "));
  g_autofree char *path = save_first (stage);
  g_assert_false (is_unsaved (stage));
  g_assert_cmpuint (count_journals (), ==, n_before);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (stage->window)), ==, "scene.fretsaw");
  g_autoptr (GBytes) mask = stage_mask (stage);
  g_autoptr (GBytes) marks = stage_marks (stage);

  /* In the same window: the strokes, and with stability the very mask. */
  stage_open (stage, path);
  stage_wait_for_final (stage);
  g_autoptr (GBytes) mask_again = stage_mask (stage);
  g_autoptr (GBytes) marks_again = stage_marks (stage);
  g_assert_true (g_bytes_equal (marks, marks_again));
  g_assert_true (g_bytes_equal (mask, mask_again));
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 3);
  g_assert_false (is_unsaved (stage));

  /* Undoing in a session is a change, which redo takes back; saving it again asks for no name. */
  stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_true (is_unsaved (stage));
  press_redo (stage);
  g_assert_false (is_unsaved (stage));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (stage->window)), ==, "scene.fretsaw");
  stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK);
  stage_type (stage, GDK_KEY_s, GDK_CONTROL_MASK);
  dialogs_wait_for_task (stage);
  g_assert_false (is_unsaved (stage));
  g_autoptr (FsSession) session = fs_session_read (path, NULL);
  g_assert_nonnull (session);
  g_assert_cmpuint (session->strokes->len, ==, 2);
  g_assert_cmpstr (session->photo, ==, "scene.png");
  g_autofree char *photo = g_build_filename (stage->folder, "scene.png", NULL);
  g_autofree char *sum = fs_session_sum_photo (photo, NULL, NULL);
  g_assert_cmpstr (session->sha256, ==, sum);
}

/* The session of another object of the same photo does not offer to replace the first one's. */
static void
test_save_second (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *path = save_first (stage);
  g_autofree char *photo = g_build_filename (stage->folder, "scene.png", NULL);
  stage_open (stage, photo);
  stage_paint_both (stage);
  stage_type (stage, GDK_KEY_s, GDK_CONTROL_MASK);
  g_autofree char *second = dialogs_save_as (stage, "scene-2.fretsaw", "scene-2.fretsaw");
  dialogs_wait_for_task (stage);
  g_assert_true (g_file_test (second, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
}

static gboolean
has_full_name (gpointer chooser)
{
  g_autofree char *name = gtk_file_chooser_get_current_name (chooser);
  return g_strcmp0 (name, "scene.fretsaw") == 0 && gtk_widget_get_visible (chooser);
}

/* Under another name, which then is the work's; the suffix comes by itself. */
static void
test_save_as (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *path = save_first (stage);
  stage_type (stage, GDK_KEY_s, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  g_autofree char *named = dialogs_save_as (stage, "scene.fretsaw", "other");
  dialogs_wait_for_task (stage);
  g_autofree char *other = g_strconcat (named, ".fretsaw", NULL);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS)); /* and the first file stays */
  const char *now = fs_project_get_session_path (fs_window_get_project (stage->window));
  g_assert_cmpstr (now, ==, other);
  g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS));

  /* Nobody was asked about replacing a file whose name only the suffix completes. */
  stage_type (stage, GDK_KEY_s, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  g_free (dialogs_save_as (stage, "other.fretsaw", "scene"));
  GtkWidget *again = dialogs_wait ();
  stage_wait (has_full_name, again);
  g_assert_true (dialogs_wait () == again);
  gtk_dialog_response (GTK_DIALOG (again), GTK_RESPONSE_CANCEL);
  stage_frame (stage);

  /* A suffix that is typed before the dialog's own is not doubled. */
  stage_type (stage, GDK_KEY_s, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  g_autofree char *twice = dialogs_save_as (stage, "other.fretsaw", "new.fretsaw.fretsaw");
  dialogs_wait_for_task (stage);
  twice[strlen (twice) - strlen (".fretsaw")] = '\0';
  now = fs_project_get_session_path (fs_window_get_project (stage->window));
  g_assert_cmpstr (now, ==, twice);
}

/* A session that cannot be written leaves the work unsaved and says so. */
static void
test_save_failure (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsProject *project = fs_window_get_project (stage->window);
  g_autofree char *path = save_first (stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 100, 180, 140, 4);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  stage_activate (stage, "save");
  dialogs_wait_for_task (stage);
  assert_message (stage, "scene.fretsaw");
  g_assert_true (fs_project_is_unsaved (project));
  g_assert_cmpint (g_rmdir (path), ==, 0);
  fs_project_discard (project);
}

/* What another program has written meanwhile is replaced only by who was asked. */
static void
test_changed_meanwhile (void)
{
  static const char other[] = "of another program";
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *path = save_first (stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 100, 180, 140, 4);
  g_assert_true (g_file_set_contents (path, other, -1, NULL));

  stage_activate (stage, "save");
  dialogs_press (dialogs_wait (), GTK_RESPONSE_CANCEL);
  stage_frame (stage);
  g_assert_true (is_unsaved (stage));
  stage_activate (stage, "save");
  dialogs_press (dialogs_wait (), 2);
  g_autofree char *copy = dialogs_save_as (stage, "scene.fretsaw", "copy.fretsaw");
  dialogs_wait_for_task (stage);
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, other);
  g_assert_false (is_unsaved (stage));

  stage_activate (stage, "undo");
  g_assert_true (g_file_set_contents (copy, other, -1, NULL));
  stage_activate (stage, "close");
  dialogs_press (dialogs_wait (), 1);
  dialogs_press (dialogs_wait (), 1);
  stage_wait (is_null, &stage->window);
  g_autoptr (FsSession) session = fs_session_read (copy, NULL);
  g_assert_nonnull (session);
  g_assert_cmpuint (session->strokes->len, ==, 2);
}

static void
move (Stage *stage, const char *from, const char *to)
{
  g_autofree char *old = g_build_filename (stage->folder, from, NULL);
  g_autofree char *new = g_build_filename (stage->folder, to, NULL);
  g_assert_cmpint (g_rename (old, new), ==, 0);
}

static void
test_photo_gone (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autoptr (GBytes) mask = stage_mask (stage);
  g_autofree char *path = save_first (stage);
  g_autofree char *away = g_build_filename (stage->folder, "away", NULL);
  g_autofree char *renamed = g_build_filename (away, "renamed.png", NULL);
  g_assert_cmpint (g_mkdir (away, 0700), ==, 0);
  move (stage, "scene.png", "away/renamed.png");

  FsDocument *document = stage_document (stage);
  stage_open (stage, path);
  dialogs_press (dialogs_wait (), GTK_RESPONSE_CANCEL);
  stage_frame (stage);
  g_assert_true (stage_document (stage) == document);

  stage_open (stage, path);
  dialogs_press (dialogs_wait (), GTK_RESPONSE_ACCEPT);
  dialogs_choose (renamed);
  dialogs_wait_for_task (stage);
  stage_wait_for_final (stage);
  g_autoptr (GBytes) mask_again = stage_mask (stage);
  g_assert_true (g_bytes_equal (mask, mask_again));
  g_assert_true (stage_document (stage) != document);
  g_assert_cmpint (g_unlink (renamed), ==, 0);
  g_assert_cmpint (g_rmdir (away), ==, 0);
}

/* Beside the session it is found by itself. */
static void
test_photo_renamed (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *path = save_first (stage);
  move (stage, "scene.png", "renamed.png");
  stage_open (stage, path);
  stage_wait_for_final (stage);
  FsProject *project = fs_window_get_project (stage->window);
  g_assert_true (g_str_has_suffix (fs_project_get_photo_path (project), "/renamed.png"));
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 2);
}

/* A photo of another size is as good as none. */
static void
test_photo_of_another_size (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *path = save_first (stage);
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  char *width = strstr (text, "\"width\": 320");
  g_assert_nonnull (width);
  memcpy (width, "\"width\": 321", 12);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  stage_open (stage, path);
  dialogs_press (dialogs_wait (), GTK_RESPONSE_CANCEL);
  stage_frame (stage);
}

/* In its pixels; other bytes do not matter. */
static void
test_photo_changed (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *path = save_first (stage);
  g_autofree char *photo = g_build_filename (stage->folder, "scene.png", NULL);
  FILE *file = fopen (photo, "a");
  fputc ('\n', file);
  fclose (file);
  stage_open (stage, path);
  stage_wait_for_final (stage);
  g_assert_null (fs_message_bar_get_text (messages_of (stage)));

  g_autoptr (FsSession) session = fs_session_read (path, NULL);
  session->pixels[0] = session->pixels[0] == '0' ? '1' : '0';
  g_assert_true (fs_session_write (session, path, NULL));
  stage_open (stage, path);
  stage_wait_for_final (stage);
  assert_message (stage, "has changed");
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 2);
}

static GtkWidget *
find_button (GtkWidget *widget, const char *label)
{
  GtkWidget *found = NULL;
  if (GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0)
    return widget;
  if (!GTK_IS_CONTAINER (widget))
    return NULL;
  g_autoptr (GList) children = gtk_container_get_children (GTK_CONTAINER (widget));
  for (GList *l = children; l != NULL && found == NULL; l = l->next)
    found = find_button (l->data, label);
  return found;
}

static void
press_answer (Stage *stage, const char *label)
{
  GtkWidget *button = find_button (GTK_WIDGET (messages_of (stage)), label);
  g_assert_nonnull (button);
  gtk_button_clicked (GTK_BUTTON (button));
}

static gboolean
is_empty (gpointer window)
{
  return fs_window_get_document (window) == NULL;
}

/* Not waiting for the strokes leaves the window as it was before anything was opened. */
static void
test_cancel_restoring (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *path = save_first (stage);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  FsDocument *document = stage_document (stage);
  fs_window_open (stage->window, file);
  while (stage_document (stage) == document)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (fs_window_is_editable (stage->window));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (stage->window), "undo"));
  press_answer (stage, "_Cancel");
  stage_wait (is_empty, stage->window);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (stage->window), "save"));
  stage_open (stage, path);
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 2);

  /* Closing does not wait either, nor ask. */
  fs_window_open (stage->window, file);
  document = stage_document (stage);
  while (stage_document (stage) == document)
    g_main_context_iteration (NULL, TRUE);
  stage_activate (stage, "close");
  while (stage->window != NULL)
    g_main_context_iteration (NULL, TRUE);
}

/* ---- Closing ---- */

static void
test_close_and_save (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  guint n_before = count_journals ();
  stage_paint_both (stage);
  stage_activate (stage, "close");
  dialogs_press (dialogs_wait (), GTK_RESPONSE_CANCEL);
  stage_frame (stage);
  g_assert_nonnull (stage->window);
  stage_type (stage, GDK_KEY_w, GDK_CONTROL_MASK);
  dialogs_press (dialogs_wait (), 1);
  g_autofree char *path = dialogs_save_as (stage, "scene.fretsaw", "kept.fretsaw");
  stage_wait (is_null, &stage->window);
  g_autoptr (FsSession) session = fs_session_read (path, NULL);
  g_assert_nonnull (session);
  g_assert_cmpuint (session->strokes->len, ==, 2);
  g_assert_cmpuint (count_journals (), ==, n_before);
}

static void
test_close_and_discard (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  guint n_before = count_journals ();
  stage_paint_both (stage);
  stage_activate (stage, "close");
  dialogs_press_destructive (dialogs_wait ());
  stage_wait (is_null, &stage->window);
  g_assert_cmpuint (count_journals (), ==, n_before);
}

/* ---- Recovery ---- */

/* As if the program had just started. */
static void
offer (Stage *stage)
{
  g_object_set_data (G_OBJECT (stage->application), "fs-recovery", NULL);
  fs_recovery_offer (GTK_APPLICATION (stage->application), stage->window);
}

/* A window that goes without having been closed leaves what a crash leaves. */
static void
crash (Stage *stage)
{
  gtk_widget_destroy (GTK_WIDGET (stage->window));
  stage_wait (is_null, &stage->window);
}

static char *
leave_work (void)
{
  g_autoptr (Stage) stage = stage_new ();
  char *folder = g_strdup (stage->folder);
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 160, 100, 190, 130, 5);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 130, 170, 140, 5);
  stage_activate (stage, "undo");
  /* The photo must outlive this stage. */
  move (stage, "scene.png", "../lost-scene.png");
  crash (stage);
  return folder;
}

static void
test_recovery (void)
{
  g_free (leave_work ());
  g_autoptr (Stage) stage = stage_new ();
  offer (stage);
  g_assert_nonnull (strstr (fs_message_bar_get_question (messages_of (stage)), "3 strokes"));
  press_answer (stage, "_Recover");
  /* The photo is gone from where it was. */
  stage_wait ((gboolean (*) (gpointer))gtk_widget_get_visible, stage->window);
  GtkWidget *dialog = dialogs_wait ();
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  g_autofree char *photo = g_build_filename (g_get_tmp_dir (), "lost-scene.png", NULL);
  dialogs_choose (photo);
  dialogs_wait_for_task (stage);
  stage_wait_for_final (stage);
  g_assert_true (is_unsaved (stage));
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 3);
  g_assert_true (fs_document_can_redo (stage_document (stage)));
  g_autoptr (GBytes) mask = stage_mask (stage);

  /* A second crash, with one more stroke; now the photo is where the journal says. */
  press_redo (stage);
  stage_wait_for_final (stage);
  g_autoptr (GBytes) more = stage_mask (stage);
  crash (stage);
  g_autoptr (Stage) second = stage_new ();
  offer (second);
  press_answer (second, "_Recover");
  dialogs_wait_for_task (second);
  stage_wait_for_final (second);
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (second)), ==, 4);
  g_autoptr (GBytes) more_again = stage_mask (second);
  g_assert_true (g_bytes_equal (more, more_again));
  stage_activate (second, "undo");
  stage_wait_for_final (second);
  g_autoptr (GBytes) mask_again = stage_mask (second);
  g_assert_true (g_bytes_equal (mask, mask_again));
  fs_project_discard (fs_window_get_project (second->window));
  crash (second);
  g_assert_cmpint (g_unlink (photo), ==, 0);
}

/* Two pieces of lost work are offered one after the other; what is discarded is gone, and what is
 * put off comes again. */
static void
test_discard_recovery (void)
{
  guint n_before = count_journals ();
  g_free (leave_work ());
  g_free (leave_work ());
  g_assert_cmpuint (count_journals (), ==, n_before + 2);
  g_autoptr (Stage) stage = stage_new ();
  offer (stage);
  press_answer (stage, "_Discard");
  g_assert_cmpuint (count_journals (), ==, n_before + 1);
  g_assert_nonnull (fs_message_bar_get_question (messages_of (stage)));
  crash (stage);
  g_assert_cmpuint (count_journals (), ==, n_before + 1);
  g_autoptr (Stage) second = stage_new ();
  offer (second);
  g_assert_nonnull (fs_message_bar_get_question (messages_of (second)));
  press_answer (second, "_Discard");
  g_assert_null (fs_message_bar_get_question (messages_of (second)));
  g_assert_cmpuint (count_journals (), ==, n_before);
  g_autofree char *photo = g_build_filename (g_get_tmp_dir (), "lost-scene.png", NULL);
  g_assert_cmpint (g_unlink (photo), ==, 0);
}

/* Where the record of a stroke begins. */
static gsize
find_stroke (const uint8_t *bytes, gsize n_bytes, guint i)
{
  const gsize overhead = FS_JOURNAL_HEAD_BYTES + FS_JOURNAL_CRC_BYTES;
  gsize at = strlen (FS_JOURNAL_FORMAT);
  while (fs_journal_u32 (bytes + at) != FS_JOURNAL_STROKE || i-- > 0) {
    at += overhead + fs_journal_u32 (bytes + at + 4);
    g_assert_cmpuint (at, <, n_bytes);
  }
  return at;
}

/* What a damaged journal still says is offered, with where all of it is kept; not even Discard
 * removes that. */
static void
test_damaged_journal (void)
{
  g_free (leave_work ());
  g_autofree char *folder = fs_journals_folder ();
  g_autoptr (GPtrArray) lost = fs_journals_find_lost (folder);
  g_assert_cmpuint (lost->len, ==, 1);
  g_autofree char *path = g_strdup (fs_journal_get_path (((FsLostWork *)lost->pdata[0])->journal));
  g_ptr_array_set_size (lost, 0);
  g_autofree char *bytes = NULL, *kept = NULL;
  gsize n_bytes, n_kept;
  g_assert_true (g_file_get_contents (path, &bytes, &n_bytes, NULL));
  bytes[find_stroke ((const uint8_t *)bytes, n_bytes, 2) + 40] ^= 1;
  g_assert_true (g_file_set_contents (path, bytes, (gssize)n_bytes, NULL));

  g_autoptr (Stage) stage = stage_new ();
  offer (stage);
  const char *question = fs_message_bar_get_question (messages_of (stage));
  g_assert_nonnull (strstr (question, "2 strokes"));
  g_assert_nonnull (strstr (question, FS_JOURNAL_DAMAGED_SUFFIX));
  press_answer (stage, "_Discard");
  *strrchr (path, '.') = '\0';
  g_autofree char *aside = g_strconcat (path, FS_JOURNAL_DAMAGED_SUFFIX, NULL);
  g_assert_true (g_file_get_contents (aside, &kept, &n_kept, NULL));
  g_assert_cmpmem (kept, n_kept, bytes, n_bytes);
  g_assert_cmpint (g_unlink (aside), ==, 0);
  g_autofree char *photo = g_build_filename (g_get_tmp_dir (), "lost-scene.png", NULL);
  g_assert_cmpint (g_unlink (photo), ==, 0);
}

/* ---- Windows ---- */

static void
test_new_window (void)
{
  g_autoptr (Stage) stage = stage_new ();
  GtkApplication *application = GTK_APPLICATION (stage->application);
  guint n = g_list_length (gtk_application_get_windows (application));
  stage_type (stage, GDK_KEY_n, GDK_CONTROL_MASK);
  g_assert_cmpuint (g_list_length (gtk_application_get_windows (application)), ==, n + 1);
  for (GList *l = gtk_application_get_windows (application); l != NULL; l = l->next)
    if (l->data != stage->window) {
      gtk_widget_destroy (l->data);
      break;
    }
}

static guint
count_windows (Stage *stage)
{
  return g_list_length (gtk_application_get_windows (GTK_APPLICATION (stage->application)));
}

static gboolean
has_document (gpointer window)
{
  return fs_window_get_document (window) != NULL;
}

static void
paint_dot (FsWindow *window)
{
  FsDocument *document = fs_window_get_document (window);
  fs_document_begin_stroke (document, FS_SEED_OBJECT, 6);
  fs_document_extend_stroke (document, &(FsSample){ .x = 160, .y = 110 }, 1);
  fs_document_end_stroke (document);
}

static gboolean
says_something (gpointer window)
{
  return fs_message_bar_get_text (fs_window_get_messages (window)) != NULL;
}

/* A session has one window, whoever opens it, and no other work is saved over it. */
static void
test_open_twice (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *path = save_first (stage);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  guint n = count_windows (stage);
  FsDocument *document = stage_document (stage);
  fs_application_open (stage->application, NULL, file);
  stage_frame (stage);
  g_assert_cmpuint (count_windows (stage), ==, n);
  g_assert_true (stage_document (stage) == document);

  FsWindow *other = fs_window_new (GTK_APPLICATION (stage->application));
  gtk_window_present (GTK_WINDOW (other));
  fs_application_open (stage->application, GTK_WINDOW (other), file);
  g_assert_false (fs_message_bar_has_task (fs_window_get_messages (other)));
  g_autofree char *photo = g_build_filename (stage->folder, "scene.png", NULL);
  g_autoptr (GFile) photo_file = g_file_new_for_path (photo);
  fs_application_open (stage->application, GTK_WINDOW (other), photo_file);
  stage_wait (has_document, other);
  paint_dot (other);
  g_assert_cmpint (g_unlink (path), ==, 0); /* or the file dialog would ask about it first */
  g_action_group_activate_action (G_ACTION_GROUP (other), "save-as", NULL);
  g_free (dialogs_save_as (stage, "scene.fretsaw", "scene.fretsaw"));
  stage_wait (says_something, other);
  g_assert_nonnull (
      strstr (fs_message_bar_get_text (fs_window_get_messages (other)), "another window"));
  g_assert_null (fs_project_get_session_path (fs_window_get_project (other)));
  fs_project_discard (fs_window_get_project (other));
  gtk_widget_destroy (GTK_WIDGET (other));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sessions/save-and-open", test_save_and_open);
  g_test_add_func ("/sessions/save-second", test_save_second);
  g_test_add_func ("/sessions/save-as", test_save_as);
  g_test_add_func ("/sessions/save-failure", test_save_failure);
  g_test_add_func ("/sessions/changed-meanwhile", test_changed_meanwhile);
  g_test_add_func ("/sessions/photo-gone", test_photo_gone);
  g_test_add_func ("/sessions/photo-renamed", test_photo_renamed);
  g_test_add_func ("/sessions/photo-of-another-size", test_photo_of_another_size);
  g_test_add_func ("/sessions/photo-changed", test_photo_changed);
  g_test_add_func ("/sessions/cancel-restoring", test_cancel_restoring);
  g_test_add_func ("/sessions/close-and-save", test_close_and_save);
  g_test_add_func ("/sessions/close-and-discard", test_close_and_discard);
  g_test_add_func ("/sessions/recovery", test_recovery);
  g_test_add_func ("/sessions/discard-recovery", test_discard_recovery);
  g_test_add_func ("/sessions/damaged-journal", test_damaged_journal);
  g_test_add_func ("/sessions/new-window", test_new_window);
  g_test_add_func ("/sessions/open-twice", test_open_twice);
  return g_test_run ();
}
