/* SPDX-License-Identifier: MIT */
/* One session, two programs: the changed file is opened, and own strokes are kept beside it. */
#include "app/folder/folder_classes.h"
#include "tests/gui/dialogs.h"
#include "tests/gui/scene.h"

#include <string.h>

enum { RESPONSE_SAVE_AS = 2, RESPONSE_OPEN };

static gboolean
is_saved (gpointer window)
{
  return !fs_project_is_unsaved (fs_window_get_project (window));
}

static guint
count_strokes (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSession) session = fs_session_read (path, &error);
  g_assert_no_error (error);
  return session->strokes->len;
}

/* Writes the session at `from` to `to`, with another smoothness. */
static void
write_theirs (const char *from, const char *to)
{
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (from, &text, NULL, NULL));
  char *at = strstr (text, "\"smoothness\": 1");
  g_assert_nonnull (at);
  at[14] = '2';
  g_assert_true (g_file_set_contents (to, text, -1, NULL));
}

typedef struct {
  Stage *stage;
  const char *session;
} Expected;

static gboolean
is_shown (gpointer data)
{
  const Expected *expected = data;
  FsWindow *window = expected->stage->window;
  FsProject *project = fs_window_get_project (window);
  const char *path = project != NULL ? fs_project_get_session_path (project) : NULL;
  return g_strcmp0 (path, expected->session) == 0 && fs_window_is_editable (window)
         && !fs_message_bar_has_task (fs_window_get_messages (window));
}

/* Theirs is shown, with its settings and strokes; mine are in the file that the message names. */
static void
assert_theirs (Stage *stage, const char *theirs, const char *mine, guint n_theirs, guint n_mine)
{
  Expected expected = { stage, theirs };
  stage_wait (is_shown, &expected);
  g_autofree char *name = g_path_get_basename (mine);
  const char *text = fs_message_bar_get_text (fs_window_get_messages (stage->window));
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, "Your strokes are saved in"));
  g_assert_nonnull (strstr (text, name));
  g_assert_cmpfloat (fs_document_get_settings (stage_document (stage)).smoothness, ==, 2);
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, n_theirs);
  g_assert_cmpuint (count_strokes (theirs), ==, n_theirs);
  g_assert_cmpuint (count_strokes (mine), ==, n_mine);
}

static void
test_photo (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_activate (stage, "save");
  g_autofree char *path = dialogs_save_as (stage, "scene.fretsaw", "scene.fretsaw");
  dialogs_wait_for_task (stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 100, 180, 140, 4);
  write_theirs (path, path);
  stage_activate (stage, "save");
  dialogs_press (dialogs_wait (), RESPONSE_OPEN);
  g_autofree char *mine = g_build_filename (stage->folder, "scene-2.fretsaw", NULL);
  assert_theirs (stage, path, mine, 2, 3);
  g_assert_false (fs_project_is_unsaved (fs_window_get_project (stage->window)));

  /* What is no session is not offered. */
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 100, 180, 140, 4);
  g_assert_true (g_file_set_contents (path, "of another program", -1, NULL));
  stage_activate (stage, "save");
  GtkWidget *dialog = dialogs_wait ();
  g_assert_null (gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), RESPONSE_OPEN));
  dialogs_press (dialog, GTK_RESPONSE_CANCEL);
  fs_project_discard (fs_window_get_project (stage->window));
}

/* Also on closing: then the window stays, with theirs. */
static void
test_closing (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_activate (stage, "save");
  g_autofree char *path = dialogs_save_as (stage, "scene.fretsaw", "scene.fretsaw");
  dialogs_wait_for_task (stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 100, 180, 140, 4);
  write_theirs (path, path);
  stage_activate (stage, "close");
  dialogs_press (dialogs_wait (), 1);
  dialogs_press (dialogs_wait (), RESPONSE_OPEN);
  g_autofree char *mine = g_build_filename (stage->folder, "scene-2.fretsaw", NULL);
  assert_theirs (stage, path, mine, 2, 3);
}

static Stage *
open_job (void)
{
  Stage *stage = stage_new ();
  g_autoptr (FsFolderClasses) classes = fs_folder_classes_new (), saved = NULL;
  fs_folder_classes_add (classes, "disc");
  saved = fs_folder_classes_save (stage->folder, NULL, classes, NULL);
  g_free (scene_write (stage->folder, "1.png"));
  g_free (scene_write (stage->folder, "2.png"));
  g_autofree char *first = g_build_filename (stage->folder, "1.png", NULL);
  stage_open (stage, first);
  return stage;
}

static gboolean
is_there (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* In a folder that is one job, where saving is by itself; what is painted on goes into theirs. */
static void
test_job (void)
{
  g_autoptr (Stage) stage = open_job ();
  g_autofree char *path = g_build_filename (stage->folder, "1.fretsaw", NULL);
  g_autofree char *mine = g_build_filename (stage->folder, "1-2.fretsaw", NULL);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  stage_wait (is_saved, stage->window);
  write_theirs (path, path);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 220, 300, 220, 3);
  dialogs_press (dialogs_wait (), RESPONSE_OPEN);
  assert_theirs (stage, path, mine, 1, 2);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 200, 300, 200, 3);
  stage_wait (is_saved, stage->window);
  g_assert_cmpuint (count_strokes (path), ==, 2);
  g_assert_cmpuint (count_strokes (mine), ==, 2);
}

/* Somebody else has begun the photo meanwhile: the question is the same, and not for a name. */
static void
test_job_new (void)
{
  g_autoptr (Stage) stage = open_job ();
  g_autofree char *path = g_build_filename (stage->folder, "1.fretsaw", NULL);
  g_autofree char *mine = g_build_filename (stage->folder, "1-2.fretsaw", NULL);
  g_autofree char *made = g_build_filename (stage->folder, "made.fretsaw", NULL);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  stage_wait (is_there, path);
  stage_wait (is_saved, stage->window);
  write_theirs (path, made);
  g_assert_cmpint (remove (path), ==, 0);
  g_autofree char *second = g_build_filename (stage->folder, "2.png", NULL);
  g_autofree char *first = g_build_filename (stage->folder, "1.png", NULL);
  stage_open (stage, second);
  stage_open (stage, first);
  g_assert_null (fs_project_get_session_path (fs_window_get_project (stage->window)));
  g_assert_cmpint (rename (made, path), ==, 0);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 220, 300, 220, 3);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  dialogs_press (dialogs_wait (), RESPONSE_OPEN);
  assert_theirs (stage, path, mine, 1, 2);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/changed/photo", test_photo);
  g_test_add_func ("/changed/closing", test_closing);
  g_test_add_func ("/changed/job", test_job);
  g_test_add_func ("/changed/job-new", test_job_new);
  return g_test_run ();
}
