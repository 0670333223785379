/* SPDX-License-Identifier: MIT */
/* A folder labelled as one job: ten photos and two classes by keys alone, counted; nothing that was
 * painted is lost, whenever the program is killed. */
#include "app/folder/folder_classes.h"
#include "app/folder/folder_list.h"
#include "app/session/journals.h"
#include "tests/gui/dialogs.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/folder/photo_strip.h"

#include <glib/gstdio.h>
#include <string.h>

#define N_PHOTOS 10

static const char *
shown_photo (Stage *stage)
{
  FsProject *project = fs_window_get_project (stage->window);
  const char *path = project != NULL ? fs_project_get_photo_path (project) : "";
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

static void
make_photos (Stage *stage, int n)
{
  for (int i = 1; i <= n; i++) {
    g_autofree char *name = g_strdup_printf ("%d.png", i);
    g_free (scene_write (stage->folder, name));
  }
}

static void
make_classes (Stage *stage)
{
  g_autoptr (FsFolderClasses) classes = fs_folder_classes_new (), saved = NULL;
  fs_folder_classes_add (classes, "disc");
  fs_folder_classes_add (classes, "ground");
  saved = fs_folder_classes_save (stage->folder, NULL, classes, NULL);
  g_assert_nonnull (saved);
}

typedef struct {
  Stage *stage;
  const char *photo;
} Expected;

/* The photo is there, with its strokes, and can be painted on. */
static gboolean
is_shown (gpointer data)
{
  const Expected *expected = data;
  return strcmp (shown_photo (expected->stage), expected->photo) == 0
         && !fs_message_bar_has_task (fs_window_get_messages (expected->stage->window))
         && fs_window_is_editable (expected->stage->window)
         && gtk_widget_is_sensitive (GTK_WIDGET (stage_canvas (expected->stage)));
}

static void
wait_for_photo (Stage *stage, const char *photo)
{
  Expected expected = { stage, photo };
  stage_wait (is_shown, &expected);
  stage_frame (stage);
}

static gboolean
has_class (gpointer data)
{
  FsProject *project = fs_window_get_project (((Stage *)data)->window);
  return fs_project_get_name (project, FS_SEED_OBJECT) != NULL;
}

static void
open_folder (Stage *stage, const char *photo)
{
  g_autoptr (GFile) file = g_file_new_for_path (stage->folder);
  fs_application_open (stage->application, GTK_WINDOW (stage->window), file);
  wait_for_photo (stage, photo);
  stage_wait (has_class, stage);
}

/* The session of a photo, which must be there; NULL where `may_lack`. */
static FsSession *
read_session (Stage *stage, const char *name)
{
  g_autofree char *path = g_build_filename (stage->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  FsSession *session = fs_session_read (path, &error);
  g_assert_no_error (error);
  return session;
}

static const char *
label_name (const FsSession *session, int label)
{
  return g_array_index (session->labels, FsSessionLabel, label - 1).name;
}

static gboolean
is_saved (gpointer data)
{
  FsProject *project = fs_window_get_project (data);
  return project != NULL && !fs_project_is_unsaved (project);
}

/* ---- Counting ---- */

static guint n_actions;

static void
act (Stage *stage, guint keyval, GdkModifierType state)
{
  n_actions++;
  stage_type (stage, keyval, state);
}

/* An object of each class, by strokes that are not counted, and done: the class that comes first is
 * chosen already. */
static void
test_ten_photos (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, N_PHOTOS);
  make_classes (stage);
  open_folder (stage, "1.png");
  n_actions = 0;
  for (int i = 1; i <= N_PHOTOS; i++) {
    g_autofree char *next = g_strdup_printf ("%d.png", i + 1);
    stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
    act (stage, GDK_KEY_2, 0);
    stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 20, 300, 20, 3);
    stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 220, 300, 220, 3);
    act (stage, GDK_KEY_Return, 0);
    if (i < N_PHOTOS)
      wait_for_photo (stage, next);
  }
  stage_wait (is_saved, stage->window);
  g_test_message ("%u actions for %d photos", n_actions, N_PHOTOS);
  g_assert_cmpuint (n_actions, <=, 2 * N_PHOTOS);

  g_autoptr (FsFolderList) list = fs_folder_list_read (stage->folder, NULL, NULL, NULL);
  g_assert_cmpuint (fs_folder_list_count (list, FS_FOLDER_DONE), ==, N_PHOTOS);
  for (int i = 1; i <= N_PHOTOS; i++) {
    g_autofree char *name = g_strdup_printf ("%d.fretsaw", i);
    g_autoptr (FsSession) session = read_session (stage, name);
    g_assert_cmpuint (session->strokes->len, ==, 3);
    g_assert_cmpint (((FsStroke *)session->strokes->pdata[0])->label, ==, 2);
    g_assert_cmpint (((FsStroke *)session->strokes->pdata[1])->label, ==, 3);
    g_assert_cmpstr (label_name (session, 2), ==, "disc");
    g_assert_cmpstr (label_name (session, 3), ==, "ground");
  }
  /* Nothing is left in journals. */
  g_autofree char *folder = fs_journals_folder ();
  g_autoptr (GDir) journals = g_dir_open (folder, 0, NULL);
  g_assert_true (journals == NULL || g_dir_read_name (journals) == NULL);
}

/* ---- Keys ---- */

static int
chosen_object (Stage *stage)
{
  return fs_tools_get_object (fs_window_get_tools (stage->window));
}

static void
test_classes_and_instances (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 2);
  make_classes (stage);
  open_folder (stage, "1.png");
  FsProject *project = fs_window_get_project (stage->window);
  /* Nothing is painted: another class takes the same object. */
  g_assert_cmpint (chosen_object (stage), ==, 1);
  stage_type (stage, GDK_KEY_2, 0);
  g_assert_cmpint (chosen_object (stage), ==, 1);
  g_assert_cmpstr (fs_project_get_name (project, 2), ==, "ground");
  stage_type (stage, GDK_KEY_1, 0);
  g_assert_cmpstr (fs_project_get_name (project, 2), ==, "disc");
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  stage_type (stage, GDK_KEY_1, 0);
  g_assert_cmpint (chosen_object (stage), ==, 1);
  stage_type (stage, GDK_KEY_1, GDK_SHIFT_MASK);
  g_assert_cmpint (chosen_object (stage), ==, 2);
  g_assert_cmpstr (fs_project_get_name (project, 3), ==, "disc");
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 20, 40, 20, 3);
  stage_type (stage, GDK_KEY_2, 0);
  g_assert_cmpint (chosen_object (stage), ==, 3);
  /* The newest of a class. */
  stage_type (stage, GDK_KEY_1, 0);
  g_assert_cmpint (chosen_object (stage), ==, 2);
  stage_type (stage, GDK_KEY_3, 0);
  g_assert_cmpint (chosen_object (stage), ==, 2);
  /* The colours are those of the list, and in the session. */
  g_autoptr (FsFolderClasses) classes = fs_folder_classes_read (stage->folder, NULL);
  const FsViewLabels *labels = fs_tools_get_labels (fs_window_get_tools (stage->window));
  g_assert_cmphex (labels->rgb[3], ==, fs_folder_classes_get (classes, 0)->colour);
  stage_type (stage, GDK_KEY_m, 0);
  stage_wait (is_saved, stage->window);
  g_autoptr (FsSession) session = read_session (stage, "1.fretsaw");
  g_assert_true (session->done);
  g_assert_cmphex (fs_session_get_colour (session, 3), ==, labels->rgb[3]);
  /* Not done any more; a stroke on one that is done leaves it. */
  stage_type (stage, GDK_KEY_m, 0);
  g_assert_false (fs_project_is_done (project));
  stage_type (stage, GDK_KEY_m, 0);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 220, 40, 220, 3);
  g_assert_true (fs_project_is_done (project));
}

/* Arrows and Enter paint as ever; then Ctrl+Enter is done, and Enter after Escape. */
static void
test_without_mouse (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 3);
  make_classes (stage);
  open_folder (stage, "1.png");
  for (int i = 1; i < 3; i++) {
    g_autofree char *next = g_strdup_printf ("%d.png", i + 1);
    stage_type (stage, GDK_KEY_Right, 0);
    stage_key (stage, GDK_KEY_Return, TRUE);
    stage_type (stage, GDK_KEY_Down, 0);
    stage_key (stage, GDK_KEY_Return, FALSE);
    g_assert_cmpuint (fs_document_get_n_finished (stage_document (stage)), ==, 1);
    if (i == 1) {
      stage_type (stage, GDK_KEY_Return, GDK_CONTROL_MASK);
    } else {
      stage_type (stage, GDK_KEY_Escape, 0);
      stage_type (stage, GDK_KEY_Return, 0);
    }
    wait_for_photo (stage, next);
  }
}

/* Back and forth without a question; settings go along to photos that are new. */
static void
test_walk (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 3);
  make_classes (stage);
  open_folder (stage, "1.png");
  FsSettings settings = fs_document_get_settings (stage_document (stage));
  settings.smoothness = 7;
  fs_document_set_settings (stage_document (stage), &settings);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  stage_type (stage, GDK_KEY_Page_Down, 0);
  wait_for_photo (stage, "2.png");
  settings = fs_document_get_settings (stage_document (stage));
  g_assert_cmpfloat (settings.smoothness, ==, 7);
  stage_type (stage, GDK_KEY_Return, 0); /* a photo without any object */
  wait_for_photo (stage, "3.png");
  stage_type (stage, GDK_KEY_u, 0);
  wait_for_photo (stage, "1.png");
  g_assert_cmpuint (fs_document_get_n_finished (stage_document (stage)), ==, 1);
  stage_type (stage, GDK_KEY_Page_Down, 0);
  wait_for_photo (stage, "2.png");
  g_assert_true (fs_project_is_done (fs_window_get_project (stage->window)));
  /* Only what was painted or done has a session. */
  g_autofree char *third = g_build_filename (stage->folder, "3.fretsaw", NULL);
  g_assert_false (g_file_test (third, G_FILE_TEST_EXISTS));
  g_autoptr (FsFolderList) list = fs_folder_list_read (stage->folder, NULL, NULL, NULL);
  g_assert_cmpint (fs_folder_list_get (list, 0)->state, ==, FS_FOLDER_BEGUN);
  g_assert_cmpint (fs_folder_list_get (list, 1)->state, ==, FS_FOLDER_DONE);
  g_assert_cmpint (fs_folder_list_get (list, 2)->state, ==, FS_FOLDER_EMPTY);
}

/* A window that is closed saves; there is no question. */
static void
test_closing (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 1);
  make_classes (stage);
  open_folder (stage, "1.png");
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  g_assert_true (fs_project_is_unsaved (fs_window_get_project (stage->window)));
  gtk_window_close (GTK_WINDOW (stage->window));
  while (stage->window != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_autoptr (FsSession) session = read_session (stage, "1.fretsaw");
  g_assert_cmpuint (session->strokes->len, ==, 1);
}

/* Another program's file is not replaced: whoever keeps it is asked once, and again on leaving. */
static void
test_conflict (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 2);
  make_classes (stage);
  open_folder (stage, "1.png");
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  stage_wait (is_saved, stage->window);
  g_autofree char *path = g_build_filename (stage->folder, "1.fretsaw", NULL);
  g_autofree char *changed = NULL, *now = NULL;
  g_assert_true (g_file_get_contents (path, &changed, NULL, NULL));
  strstr (changed, "\"smoothness\": 1")[14] = '2';
  g_assert_true (g_file_set_contents (path, changed, -1, NULL));
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 220, 300, 220, 3);
  dialogs_press (dialogs_wait (), GTK_RESPONSE_CANCEL);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 200, 300, 200, 3);
  stage_pause (1500);
  g_assert_true (g_file_get_contents (path, &now, NULL, NULL));
  g_assert_cmpstr (now, ==, changed);
  stage_type (stage, GDK_KEY_Page_Down, 0);
  dialogs_press_destructive (dialogs_wait ()); /* replaced */
  wait_for_photo (stage, "2.png");
  g_autoptr (FsSession) session = read_session (stage, "1.fretsaw");
  g_assert_cmpuint (session->strokes->len, ==, 3);
}

static gboolean
is_job (gpointer window)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), "finish-photo");
}

static gboolean
has_failed (gpointer data)
{
  const char *text = fs_message_bar_get_text (fs_window_get_messages (((Stage *)data)->window));
  return text != NULL
         && (strstr (text, "fretsaw-classes.json: is damaged") != NULL
             || strstr (text, "0.png: is not a photo") != NULL);
}

/* ---- Strip and list ---- */

typedef struct {
  GType type;
  const char *name; /* accessible name, or NULL: any */
  GtkWidget *found;
} Wanted;

static void
look (GtkWidget *widget, gpointer data)
{
  Wanted *wanted = data;
  const char *name = atk_object_get_name (gtk_widget_get_accessible (widget));
  if (wanted->found == NULL && g_type_is_a (G_OBJECT_TYPE (widget), wanted->type)
      && (wanted->name == NULL || g_strcmp0 (name, wanted->name) == 0))
    wanted->found = widget;
  else if (wanted->found == NULL && GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), look, data);
}

static GtkWidget *
find_widget (gpointer root, GType type, const char *name)
{
  Wanted wanted = { type, name, NULL };
  look (GTK_WIDGET (root), &wanted);
  return wanted.found;
}

typedef struct {
  FsPhotoStrip *strip;
  const char *text;
} Shown;

static gboolean
strip_says (gpointer data)
{
  const Shown *shown = data;
  return g_str_equal (fs_photo_strip_get_text (shown->strip), shown->text);
}

static void
wait_for_strip (Stage *stage, const char *text)
{
  Shown shown = { FS_PHOTO_STRIP (find_widget (stage->window, FS_TYPE_PHOTO_STRIP, NULL)), text };
  stage_wait (strip_says, &shown);
}

static void
test_strip (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 4);
  make_classes (stage);
  open_folder (stage, "1.png");
  GtkWidget *strip = find_widget (stage->window, FS_TYPE_PHOTO_STRIP, NULL);
  GtkWidget *photos = find_widget (strip, GTK_TYPE_DRAWING_AREA, "Photos of the folder");
  wait_for_strip (stage, "1 of 4, 0 done");
  g_assert_true (gtk_widget_get_mapped (photos));
  stage_type (stage, GDK_KEY_Return, 0);
  wait_for_photo (stage, "2.png");
  wait_for_strip (stage, "2 of 4, 1 done");
  const char *said = atk_object_get_description (gtk_widget_get_accessible (photos));
  g_assert_cmpstr (said, ==, "2 of 4, 1 done. 2.png: empty");
  /* A click opens a photo. */
  GdkEvent *event = gdk_event_new (GDK_BUTTON_PRESS);
  event->button.window = g_object_ref (gtk_widget_get_window (photos));
  event->button.button = GDK_BUTTON_PRIMARY;
  event->button.x = 3.5 * gtk_widget_get_allocated_width (photos) / 4;
  event->button.x = MIN (event->button.x, 300);
  gtk_widget_event (photos, event);
  gdk_event_free (event);
  wait_for_photo (stage, "4.png");
  wait_for_strip (stage, "4 of 4, 1 done");
  stage_type (stage, GDK_KEY_F8, 0);
  g_assert_false (gtk_revealer_get_reveal_child (GTK_REVEALER (strip)));
  stage_type (stage, GDK_KEY_F8, 0);
}

static gboolean
is_renamed (gpointer data)
{
  g_autoptr (FsFolderClasses) classes = fs_folder_classes_read (((Stage *)data)->folder, NULL);
  g_autoptr (FsSession) session = read_session (data, "1.fretsaw");
  return fs_folder_classes_find (classes, "moon") != NULL
         && g_str_equal (label_name (session, 2), "moon");
}

static gboolean
is_removed (gpointer data)
{
  g_autoptr (FsFolderClasses) classes = fs_folder_classes_read (((Stage *)data)->folder, NULL);
  return fs_folder_classes_find (classes, "ground") == NULL
         && fs_folder_classes_find (classes, "star") != NULL
         && find_widget (((Stage *)data)->window, GTK_TYPE_LABEL, "Not in the list") != NULL;
}

static gboolean
has_row (gpointer data)
{
  return find_widget (((Stage *)data)->window, GTK_TYPE_BUTTON, "disc 1") != NULL;
}

static void
test_list (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 2);
  make_classes (stage);
  open_folder (stage, "1.png");
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  stage_type (stage, GDK_KEY_Return, 0);
  wait_for_photo (stage, "2.png");
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  stage_type (stage, GDK_KEY_2, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 20, 40, 20, 3);
  stage_activate (stage, "side-panel");
  stage_wait (has_row, stage);
  /* A click on an object chooses it; its eye hides it, and nothing that is exported. */
  GtkWidget *object = find_widget (stage->window, GTK_TYPE_BUTTON, "disc 1");
  gtk_button_clicked (GTK_BUTTON (object));
  g_assert_cmpint (chosen_object (stage), ==, 1);
  stage_frame (stage);
  GtkWidget *eye = find_widget (stage->window, GTK_TYPE_TOGGLE_BUTTON, "Show disc 1");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (eye), FALSE);
  g_assert_true (fs_tools_get_labels (fs_window_get_tools (stage->window))->is_hidden[2]);
  g_assert_false (fs_tools_get_labels (fs_window_get_tools (stage->window))->is_hidden[3]);
  /* A new name goes into the list, this photo and the other one's session. */
  gtk_button_clicked (GTK_BUTTON (find_widget (stage->window, GTK_TYPE_BUTTON, "More about disc")));
  GtkWidget *menu = GTK_WIDGET (gtk_menu_button_get_popover (
      GTK_MENU_BUTTON (find_widget (stage->window, GTK_TYPE_MENU_BUTTON, "More about disc"))));
  gtk_button_clicked (GTK_BUTTON (find_widget (menu, GTK_TYPE_MODEL_BUTTON, "Rename…")));
  GtkWidget *dialog = dialogs_wait ();
  GtkEntry *entry = GTK_ENTRY (find_widget (dialog, GTK_TYPE_ENTRY, NULL));
  gtk_entry_set_text (entry, "moon");
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  stage_wait (is_renamed, stage);
  FsProject *project = fs_window_get_project (stage->window);
  g_assert_cmpstr (fs_project_get_name (project, 2), ==, "moon");
  /* A class that is in use is removed after a question; its objects stay. */
  entry = GTK_ENTRY (find_widget (stage->window, GTK_TYPE_ENTRY, "New class"));
  gtk_entry_set_text (entry, " moon ");
  gtk_widget_activate (GTK_WIDGET (entry));
  g_assert_cmpstr (fs_message_bar_get_text (fs_window_get_messages (stage->window)), ==,
                   "There is a class “moon” already.");
  gtk_entry_set_text (entry, "star");
  gtk_widget_activate (GTK_WIDGET (entry));
  menu = GTK_WIDGET (gtk_menu_button_get_popover (
      GTK_MENU_BUTTON (find_widget (stage->window, GTK_TYPE_MENU_BUTTON, "More about ground"))));
  gtk_button_clicked (GTK_BUTTON (find_widget (menu, GTK_TYPE_MODEL_BUTTON, "Remove…")));
  dialog = dialogs_wait ();
  g_autofree char *secondary = NULL;
  g_object_get (dialog, "secondary-text", &secondary, NULL);
  g_assert_true (g_str_has_prefix (secondary, "1 photo has objects of it."));
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  stage_wait (is_removed, stage);
  g_assert_cmpstr (fs_project_get_name (project, 3), ==, "ground");
  stage_activate (stage, "side-panel");
  stage_wait (is_saved, stage->window);
}

/* A job without classes is one, too; a list that is spoilt is told once and stays. */
static void
test_spoilt_list (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 1);
  g_autofree char *photo = g_build_filename (stage->folder, "1.png", NULL);
  g_autofree char *path = fs_folder_classes_path (stage->folder), *text = NULL;
  stage_open (stage, photo);
  stage_activate (stage, "label-folder");
  dialogs_press (dialogs_wait (), GTK_RESPONSE_ACCEPT);
  stage_wait (is_job, stage->window);
  stage_type (stage, GDK_KEY_2, 0); /* as without a job */
  g_assert_cmpint (chosen_object (stage), ==, 2);
  g_assert_true (g_file_set_contents (path, "<<<<<<< HEAD", -1, NULL));
  stage_wait (has_failed, stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  stage_wait (is_saved, stage->window);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "<<<<<<< HEAD");
}

/* ---- Export ---- */

static gboolean
has_report (gpointer data)
{
  const char *text = fs_message_bar_get_text (fs_window_get_messages (((Stage *)data)->window));
  return text != NULL && g_str_has_prefix (text, "Exported ");
}

static void
assert_report (Stage *stage, const char *text)
{
  stage_wait (has_report, stage);
  g_assert_cmpstr (fs_message_bar_get_text (fs_window_get_messages (stage->window)), ==, text);
  fs_message_bar_clear (fs_window_get_messages (stage->window));
}

/* COCO by default; numbers are those of the list, and what was painted a moment ago is in it. */
static void
test_export_all (void)
{
  g_autoptr (Stage) stage = stage_new ();
  g_autofree char *text = NULL;
  make_photos (stage, 3);
  make_classes (stage);
  open_folder (stage, "1.png");
  stage_type (stage, GDK_KEY_2, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 220, 300, 220, 3);
  stage_type (stage, GDK_KEY_Return, 0);
  wait_for_photo (stage, "2.png");
  stage_type (stage, GDK_KEY_1, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  stage_type (stage, GDK_KEY_l, GDK_CONTROL_MASK); /* there was no last time */
  GtkWidget *dialog = dialogs_wait ();
  GtkWidget *done_only = find_widget (dialog, GTK_TYPE_CHECK_BUTTON, NULL);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (done_only)));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (done_only), FALSE);
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  g_autofree char *base = g_path_get_basename (stage->folder);
  g_autofree char *name = g_strconcat (base, "-coco.json", NULL);
  g_autofree char *path = dialogs_save_as (stage, name, "set.json");
  assert_report (stage, "Exported 2 objects on 2 photos to “set.json”.");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  const char *disc = strstr (text, "\"disc\""), *ground = strstr (text, "\"ground\"");
  g_assert_true (disc != NULL && ground != NULL && disc < ground);
  /* Again, without a dialog. */
  g_unlink (path);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 220, 300, 220, 3);
  stage_type (stage, GDK_KEY_l, GDK_CONTROL_MASK);
  assert_report (stage, "Exported 2 objects on 2 photos to “set.json”.");
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
}

static gboolean
has_file (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Ctrl+E on the next photo of a job exports it as the last one was. */
static void
test_export_again (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 2);
  make_classes (stage);
  open_folder (stage, "1.png");
  stage_paint_both (stage);
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK);
  dialogs_press (dialogs_wait (), GTK_RESPONSE_ACCEPT);
  g_autofree char *first = dialogs_save_as (stage, "1-cutout.png", "1-cutout.png");
  stage_wait (has_file, first);
  stage_type (stage, GDK_KEY_Return, 0);
  wait_for_photo (stage, "2.png");
  stage_paint_both (stage);
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK);
  g_autofree char *second = g_build_filename (stage->folder, "2-cutout.png", NULL);
  stage_wait (has_file, second);
  stage_wait (is_saved, stage->window);
}

/* ---- Without a job ---- */

static void
test_no_job (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 2);
  g_autoptr (GFile) file = g_file_new_for_path (stage->folder);
  fs_window_open (stage->window, file);
  wait_for_photo (stage, "1.png");
  stage_type (stage, GDK_KEY_2, 0);
  g_assert_cmpint (chosen_object (stage), ==, 2);
  stage_type (stage, GDK_KEY_Page_Down, 0);
  stage_frame (stage);
  g_assert_cmpstr (shown_photo (stage), ==, "1.png");
  g_assert_false (
      g_action_group_get_action_enabled (G_ACTION_GROUP (stage->window), "finish-photo"));
}

static void
test_begin (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 2);
  g_autofree char *photo = g_build_filename (stage->folder, "1.png", NULL);
  stage_open (stage, photo);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  g_assert_true (fs_project_set_name (fs_window_get_project (stage->window), 2, "disc"));
  stage_activate (stage, "label-folder");
  GtkWidget *dialog = dialogs_wait ();
  GtkEntry *entry = GTK_ENTRY (find_widget (dialog, GTK_TYPE_ENTRY, NULL));
  g_assert_cmpstr (gtk_entry_get_text (entry), ==, "disc");
  gtk_entry_set_text (entry, "disc, ground,, sky ");
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  stage_wait (is_job, stage->window);
  g_autoptr (FsFolderClasses) classes = fs_folder_classes_read (stage->folder, NULL);
  g_assert_cmpuint (classes->classes->len, ==, 3);
  g_assert_cmpstr (fs_folder_classes_find_key (classes, 3)->name, ==, "sky");
  /* It is saved from now on, what was painted before included. */
  stage_wait (is_saved, stage->window);
  g_autoptr (FsSession) session = read_session (stage, "1.fretsaw");
  g_assert_cmpuint (session->strokes->len, ==, 1);
}

/* Enter that is pressed again while the next photo is being opened does not pass that one over. */
static void
test_hasty_enter (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 3);
  make_classes (stage);
  open_folder (stage, "1.png");
  for (int i = 0; i < 1000 && strcmp (shown_photo (stage), "1.png") == 0; i++) {
    g_action_group_activate_action (G_ACTION_GROUP (stage->window), "finish-photo", NULL);
    g_main_context_iteration (NULL, TRUE);
  }
  wait_for_photo (stage, "2.png");
  g_assert_false (fs_project_is_done (fs_window_get_project (stage->window)));
}

/* A photo that cannot be read, the first of the folder and the only one that is not done, is
 * reported; it keeps no one from the others. */
static void
test_broken_photo (void)
{
  g_autoptr (Stage) stage = stage_new ();
  make_photos (stage, 2);
  make_classes (stage);
  g_autofree char *broken = g_build_filename (stage->folder, "0.png", NULL);
  g_assert_true (g_file_set_contents (broken, "no photo", -1, NULL));
  open_folder (stage, "1.png");
  stage_wait (has_failed, stage);
  stage_type (stage, GDK_KEY_Return, 0);
  wait_for_photo (stage, "2.png");
  for (int i = 0; i < 3; i++) {
    stage_type (stage, GDK_KEY_Return, 0);
    stage_wait (has_failed, stage);
    g_assert_cmpstr (shown_photo (stage), ==, "2.png");
    fs_message_bar_clear (fs_window_get_messages (stage->window));
  }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/job/ten-photos", test_ten_photos);
  g_test_add_func ("/job/classes-and-instances", test_classes_and_instances);
  g_test_add_func ("/job/without-mouse", test_without_mouse);
  g_test_add_func ("/job/walk", test_walk);
  g_test_add_func ("/job/closing", test_closing);
  g_test_add_func ("/job/conflict", test_conflict);
  g_test_add_func ("/job/strip", test_strip);
  g_test_add_func ("/job/list", test_list);
  g_test_add_func ("/job/spoilt-list", test_spoilt_list);
  g_test_add_func ("/job/export-all", test_export_all);
  g_test_add_func ("/job/export-again", test_export_again);
  g_test_add_func ("/job/no-job", test_no_job);
  g_test_add_func ("/job/begin", test_begin);
  g_test_add_func ("/job/hasty-enter", test_hasty_enter);
  g_test_add_func ("/job/broken-photo", test_broken_photo);
  return g_test_run ();
}
