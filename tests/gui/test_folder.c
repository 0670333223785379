/* SPDX-License-Identifier: MIT */
/* Through the photos of a folder with two keys: nothing painted is lost on the way. */
#include "app/session/journals.h"
#include "tests/gui/dialogs.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/settings/sample.h"

#include <string.h>

static void
go (Stage *stage, int step)
{
  stage_type (stage, step > 0 ? GDK_KEY_Page_Down : GDK_KEY_Page_Up, GDK_CONTROL_MASK);
}

static const char *
shown_photo (Stage *stage)
{
  FsProject *project = fs_window_get_project (stage->window);
  const char *path = project != NULL ? fs_project_get_photo_path (project) : "";
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

typedef struct {
  Stage *stage;
  const char *photo, *message; /* either may be NULL */
} Expected;

static gboolean
is_as_expected (gpointer data)
{
  const Expected *expected = data;
  FsMessageBar *messages = fs_window_get_messages (expected->stage->window);
  const char *text = fs_message_bar_get_text (messages);
  if (fs_message_bar_has_task (messages))
    return FALSE;
  return (expected->photo == NULL || strcmp (shown_photo (expected->stage), expected->photo) == 0)
         && (expected->message == NULL
             || (text != NULL && strstr (text, expected->message) != NULL));
}

static void
expect (Stage *stage, const char *photo, const char *message)
{
  Expected expected = { stage, photo, message };
  stage_wait (is_as_expected, &expected);
}

/* Three photos and one that is none, the second one. */
static void
make_photos (Stage *stage)
{
  static const char *const names[] = { "1.png", "3.png", "10.png" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_free (scene_write (stage->folder, names[i]));
  g_autofree char *broken = g_build_filename (stage->folder, "2.png", NULL);
  g_assert_true (g_file_set_contents (broken, "no photo at all", -1, NULL));
  g_autofree char *first = g_build_filename (stage->folder, "1.png", NULL);
  stage_open (stage, first);
}

static void
test_to_the_ends (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage);
  FsDocument *document = stage_document (stage);
  go (stage, -1);
  expect (stage, "1.png", "“1.png” is the first photo of its folder.");
  g_assert_true (stage_document (stage) == document);

  /* What cannot be opened does not end the way. */
  go (stage, 1);
  expect (stage, "1.png", "2.png");
  g_assert_true (stage_document (stage) == document);
  go (stage, 1);
  expect (stage, "3.png", NULL);
  go (stage, 1);
  expect (stage, "10.png", NULL);
  go (stage, 1);
  expect (stage, "10.png", "“10.png” is the last photo of its folder.");
  go (stage, -1);
  expect (stage, "3.png", NULL);
}

/* Back from a photo that could not be opened, the one before it is still there, as it was. */
static void
test_back (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage);
  FsDocument *document = stage_document (stage);
  go (stage, 1);
  expect (stage, "1.png", "2.png");
  stage_activate (stage, "previous-photo");
  while (fs_message_bar_get_text (fs_window_get_messages (stage->window)) != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (stage_document (stage) == document);
  go (stage, 1);
  expect (stage, "1.png", "2.png");
}

static GtkWidget *
ask (Stage *stage)
{
  stage_activate (stage, "next-photo");
  return dialogs_wait ();
}

static void
test_unsaved (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage);
  go (stage, 1);
  expect (stage, "1.png", "2.png");
  go (stage, 1);
  expect (stage, "3.png", NULL);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  dialogs_press (ask (stage), GTK_RESPONSE_CANCEL);
  stage_frame (stage);
  g_assert_true (stage_document (stage) == document);
  g_assert_true (fs_project_is_unsaved (fs_window_get_project (stage->window)));

  /* Saved, and painted on: the strokes are there when one comes back. */
  dialogs_press (ask (stage), 1);
  g_free (dialogs_save_as (stage, "3.fretsaw", "3.fretsaw"));
  expect (stage, "10.png", NULL);
  go (stage, -1);
  expect (stage, "3.png", NULL);
  FsProject *project = fs_window_get_project (stage->window);
  g_assert_nonnull (fs_project_get_session_path (project));
  stage_wait_for_final (stage);
  g_assert_true (fs_document_can_undo (stage_document (stage)));
  g_assert_false (fs_project_is_unsaved (project));

  /* Given up: what was saved stays. */
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 150, 60, 190, 60, 6);
  GBytes *with = stage_marks (stage);
  dialogs_press_destructive (ask (stage));
  expect (stage, "10.png", NULL);
  go (stage, -1);
  expect (stage, "3.png", NULL);
  stage_wait_for_final (stage);
  GBytes *without = stage_marks (stage);
  g_assert_false (g_bytes_equal (with, without));
  g_bytes_unref (with);
  g_bytes_unref (without);
}

static gboolean
has_message (gpointer stage)
{
  return fs_message_bar_get_text (fs_window_get_messages (((Stage *)stage)->window)) != NULL;
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

/* Who exports and goes on is not asked at every photo, and nothing of it is offered at the next
 * start; strokes after the export are asked about. */
static void
test_exported (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage);
  guint n_before = count_journals ();
  stage_paint_both (stage);
  stage_activate (stage, "export");
  dialogs_press (dialogs_wait (), GTK_RESPONSE_ACCEPT);
  g_free (dialogs_save_as (stage, "1-cutout.png", "1-cutout.png"));
  dialogs_wait_for_task (stage);
  g_assert_true (has_message (stage));
  g_assert_cmpuint (count_journals (), ==, n_before + 1);
  go (stage, 1);
  expect (stage, "1.png", "2.png");
  /* The photo after it cannot be opened: the strokes are still there, and unsaved. */
  g_assert_true (fs_project_is_unsaved (fs_window_get_project (stage->window)));
  go (stage, 1);
  expect (stage, "3.png", NULL);
  g_assert_cmpuint (count_journals (), ==, n_before);

  stage_paint_both (stage);
  fs_project_mark_exported (fs_window_get_project (stage->window));
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 150, 60, 190, 60, 6);
  dialogs_press_destructive (ask (stage));
  expect (stage, "10.png", NULL);
}

/* A session that another window shows comes to the front there. */
static void
test_other_window (void)
{
  g_autoptr (Stage) stage = stage_new ();
  GtkApplication *application = GTK_APPLICATION (stage->application);
  g_free (scene_write (stage->folder, "1.png"));
  g_autofree char *second = scene_write (stage->folder, "2.png");
  g_autofree char *first = g_build_filename (stage->folder, "1.png", NULL);
  stage_open (stage, second);
  stage_paint_both (stage);
  stage_activate (stage, "save");
  g_free (dialogs_save_as (stage, "2.fretsaw", "2.fretsaw"));
  expect (stage, "2.png", "Saved");

  FsWindow *other = fs_window_new (GTK_APPLICATION (stage->application));
  gtk_window_present (GTK_WINDOW (other));
  Stage beside = { stage->application, other, stage->folder, stage->time_ms, 0 };
  stage_open (&beside, first);
  stage_activate (&beside, "next-photo");
  while (gtk_application_get_active_window (application) != GTK_WINDOW (stage->window))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (shown_photo (&beside), ==, "1.png");
  g_assert_false (fs_message_bar_has_task (fs_window_get_messages (other)));
  gtk_widget_destroy (GTK_WIDGET (other));
}

/* The sample's folder is nobody's. */
static void
test_disabled (void)
{
  g_autoptr (Stage) stage = stage_new ();
  GActionGroup *actions = G_ACTION_GROUP (stage->window);
  g_assert_false (g_action_group_get_action_enabled (actions, "next-photo"));
  g_autoptr (GFile) sample = fs_sample_find ();
  stage_open (stage, g_file_peek_path (sample));
  g_assert_false (g_action_group_get_action_enabled (actions, "next-photo"));
  g_assert_false (g_action_group_get_action_enabled (actions, "previous-photo"));
  stage_open_scene (stage);
  g_assert_true (g_action_group_get_action_enabled (actions, "next-photo"));
  g_assert_true (g_action_group_get_action_enabled (actions, "previous-photo"));
}

static void
answer_offer (Stage *stage, int response)
{
  GtkInfoBar *question = GTK_INFO_BAR (
      gtk_widget_get_template_child (GTK_WIDGET (fs_window_get_messages (stage->window)),
                                     FS_TYPE_MESSAGE_BAR, "question"));
  gtk_info_bar_response (question, response);
}

/* A photo that is opened itself: its session is offered, once for each time. */
static void
test_offered (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  g_assert_null (fs_message_bar_get_question (fs_window_get_messages (stage->window)));
  stage_paint_both (stage);
  stage_activate (stage, "save");
  g_free (dialogs_save_as (stage, "scene.fretsaw", "scene.fretsaw"));
  dialogs_wait_for_task (stage);
  g_autofree char *photo = g_build_filename (stage->folder, "scene.png", NULL);
  g_autofree char *other = scene_write (stage->folder, "other.png");
  for (int accepts = 0; accepts < 2; accepts++) {
    stage_open (stage, photo);
    g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 0);
    g_assert_nonnull (strstr (fs_message_bar_get_question (fs_window_get_messages (stage->window)),
                              "“scene.fretsaw”"));
    if (!accepts) {
      stage_open (stage, other);
      g_assert_null (fs_message_bar_get_question (fs_window_get_messages (stage->window)));
      stage_open (stage, photo);
    }
    answer_offer (stage, accepts ? GTK_RESPONSE_ACCEPT : GTK_RESPONSE_REJECT);
    g_assert_null (fs_message_bar_get_question (fs_window_get_messages (stage->window)));
  }
  dialogs_wait_for_task (stage);
  stage_wait_for_final (stage);
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 2);
}

/* Said when it is opened, before anything is painted; and nothing where the name can be saved. */
static void
test_name_that_cannot_be_saved (void)
{
  static const char *const names[] = { "k\344tzchen.png", "two\nlines.png", "k\303\244tzchen.png" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (Stage) stage = stage_new ();
    g_autofree char *photo = scene_write (stage->folder, names[i]);
    stage_open (stage, photo);
    g_assert_nonnull (stage_document (stage));
    const char *message = fs_message_bar_get_text (fs_window_get_messages (stage->window));
    if (i < 2)
      g_assert_nonnull (strstr (message, "cannot be saved"));
    else
      g_assert_null (message);
  }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/folder/to-the-ends", test_to_the_ends);
  g_test_add_func ("/folder/back", test_back);
  g_test_add_func ("/folder/unsaved", test_unsaved);
  g_test_add_func ("/folder/exported", test_exported);
  g_test_add_func ("/folder/other-window", test_other_window);
  g_test_add_func ("/folder/disabled", test_disabled);
  g_test_add_func ("/folder/session-is-offered", test_offered);
  g_test_add_func ("/folder/name-that-cannot-be-saved", test_name_that_cannot_be_saved);
  return g_test_run ();
}
