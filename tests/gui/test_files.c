/* SPDX-License-Identifier: MIT */
/* The window and the world outside: open, drop, close, and what goes wrong on the way. */
#include "app/photo/photo.h"
#include "tests/gui/dialogs.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/status/wait_reason.h"

#include <glib/gstdio.h>
#include <string.h>

#define N_PIXELS (SCENE_WIDTH * SCENE_HEIGHT)

static void
test_errors (void)
{
  g_autoptr (Stage) stage = stage_new ();
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  g_autofree char *broken = g_build_filename (stage->folder, "no photo.jpg", NULL);
  g_assert_true (g_file_set_contents (broken, "no photo at all", -1, NULL));
  stage_open (stage, broken);
  g_assert_null (stage_document (stage));
  g_assert_nonnull (strstr (fs_message_bar_get_text (messages), "no photo.jpg"));

  stage_open_scene (stage);
  g_assert_null (fs_message_bar_get_text (messages));
  FsDocument *document = stage_document (stage);
  stage_open (stage, broken);
  g_assert_nonnull (fs_message_bar_get_text (messages));
  g_assert_true (stage_document (stage) == document);

  g_autoptr (GFile) elsewhere = g_file_new_for_uri ("http://example.org/a.jpg");
  fs_window_open (stage->window, elsewhere);
  while (fs_message_bar_has_task (messages))
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (fs_message_bar_get_text (messages), "not on this computer"));
}

static void
give_uris (GtkClipboard *clipboard, GtkSelectionData *data, guint info, gpointer uris)
{
  gtk_selection_data_set_uris (data, uris);
}

/* The signal that a drop ends in, with the data that it carries. */
static void
drop_two (Stage *stage, const char *uri, const char *other)
{
  GtkTargetEntry target = { "text/uri-list", 0, 0 };
  const char *uris[] = { uri, other, NULL };
  GtkClipboard *clipboard = gtk_clipboard_get (GDK_SELECTION_CLIPBOARD);
  g_assert_true (gtk_clipboard_set_with_data (clipboard, &target, 1, give_uris, NULL, uris));
  GtkSelectionData *data =
      gtk_clipboard_wait_for_contents (clipboard, gdk_atom_intern_static_string ("text/uri-list"));
  g_assert_nonnull (data);
  g_signal_emit_by_name (stage->window, "drag-data-received", NULL, 10, 10, data, 0, 0);
  gtk_selection_data_free (data);
  gtk_clipboard_clear (clipboard);
}

static void
drop (Stage *stage, const char *uri)
{
  drop_two (stage, uri, NULL);
}

static gboolean
is_open (gpointer window)
{
  return fs_window_get_document (window) != NULL;
}

static void
test_drop (void)
{
  g_autoptr (Stage) stage = stage_new ();
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  drop (stage, "file://elsewhere/etc/passwd");
  g_assert_nonnull (strstr (fs_message_bar_get_text (messages), "not on this computer"));
  g_assert_null (stage_document (stage));

  g_autofree char *path = scene_write (stage->folder, "a b.png");
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  drop (stage, uri);
  stage_wait (is_open, stage->window);
  g_assert_null (fs_message_bar_get_text (messages));
}

/* Work is never in the way: a second photo opens beside it. */
static void
test_second_photo (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  g_autofree char *path = scene_write (stage->folder, "other.png");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GtkApplication *application = GTK_APPLICATION (stage->application);
  fs_application_open (stage->application, GTK_WINDOW (stage->window), file);
  g_assert_cmpuint (g_list_length (gtk_application_get_windows (application)), ==, 1);
  while (fs_message_bar_has_task (fs_window_get_messages (stage->window)))
    g_main_context_iteration (NULL, TRUE);

  stage_stroke (stage, GDK_BUTTON_PRIMARY, 140, 90, 200, 140, 5);
  fs_application_open (stage->application, GTK_WINDOW (stage->window), file);
  g_assert_cmpuint (g_list_length (gtk_application_get_windows (application)), ==, 2);
  GtkWindow *other = gtk_application_get_active_window (application);
  for (GList *l = gtk_application_get_windows (application); l != NULL; l = l->next)
    other = l->data != stage->window ? l->data : other;
  stage_wait (is_open, other);
  gtk_widget_destroy (GTK_WIDGET (other));
}

/* One takes the empty window, the other one of its own; it is said, for the second may hide the
 * first. */
static void
test_drop_two (void)
{
  g_autoptr (Stage) stage = stage_new ();
  GtkApplication *application = GTK_APPLICATION (stage->application);
  g_autofree char *first = scene_write (stage->folder, "one.png");
  g_autofree char *second = scene_write (stage->folder, "two.png");
  g_autofree char *uri = g_filename_to_uri (first, NULL, NULL);
  g_autofree char *other_uri = g_filename_to_uri (second, NULL, NULL);
  drop_two (stage, uri, other_uri);
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (application));
  g_assert_cmpuint (g_list_length (windows), ==, 2);
  guint n_said = 0;
  for (GList *l = windows; l != NULL; l = l->next) {
    gboolean is_first = l->data == stage->window;
    stage_wait (is_open, l->data);
    g_assert_cmpstr (fs_project_get_photo_path (fs_window_get_project (l->data)), ==,
                     is_first ? first : second);
    n_said += fs_message_bar_get_text (fs_window_get_messages (l->data)) != NULL;
    if (!is_first)
      gtk_widget_destroy (l->data);
  }
  g_assert_cmpuint (n_said, ==, 1);
}

/* A whole folder that is dropped opens as many windows as one can work in. */
static void
test_many_photos (void)
{
  enum { N = FS_APPLICATION_MAX_AT_ONCE + 3 };
  g_autoptr (Stage) stage = stage_new ();
  GtkApplication *application = GTK_APPLICATION (stage->application);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  for (int i = 0; i < N; i++) {
    g_autofree char *name = g_strdup_printf ("%d.png", i);
    g_autofree char *path = scene_write (stage->folder, name);
    g_ptr_array_add (files, g_file_new_for_path (path));
  }
  fs_application_open_many (stage->application, GTK_WINDOW (stage->window), (GFile **)files->pdata,
                            N);
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (application));
  g_assert_cmpuint (g_list_length (windows), ==, FS_APPLICATION_MAX_AT_ONCE);
  const char *message = NULL;
  for (GList *l = windows; l != NULL; l = l->next) {
    stage_wait (is_open, l->data);
    const char *text = fs_message_bar_get_text (fs_window_get_messages (l->data));
    message = text != NULL ? text : message;
  }
  g_assert_nonnull (message);
  g_assert_nonnull (strstr (message, "10 of 13"));
  for (GList *l = windows; l != NULL; l = l->next)
    if (l->data != stage->window)
      gtk_widget_destroy (GTK_WIDGET (l->data));
}

/* ---- The file dialog ---- */

static GtkImage *
preview_of (gpointer dialog)
{
  GtkWidget *image = gtk_file_chooser_get_preview_widget (GTK_FILE_CHOOSER (dialog));
  return GTK_IMAGE (image);
}

static gboolean
shows_preview (gpointer dialog)
{
  return gtk_file_chooser_get_preview_widget_active (GTK_FILE_CHOOSER (dialog))
         && gtk_image_get_storage_type (preview_of (dialog)) == GTK_IMAGE_SURFACE;
}

static gboolean
shows_no_preview (gpointer dialog)
{
  return !gtk_file_chooser_get_preview_widget_active (GTK_FILE_CHOOSER (dialog));
}

/* A photo is shown before it is opened, what is none is not. */
static void
test_preview (void)
{
  g_autoptr (Stage) stage = stage_new ();
  g_autofree char *photo = scene_write (stage->folder, "scene.png");
  g_autofree char *broken = g_build_filename (stage->folder, "broken.png", NULL);
  g_assert_true (g_file_set_contents (broken, "no photo at all", -1, NULL));
  g_action_group_activate_action (G_ACTION_GROUP (stage->application), "open", NULL);
  GtkWidget *dialog = dialogs_wait ();
  g_assert_true (shows_no_preview (dialog));
  gtk_file_chooser_set_filename (GTK_FILE_CHOOSER (dialog), photo);
  stage_wait (shows_preview, dialog);
  cairo_surface_t *surface;
  g_object_get (preview_of (dialog), "surface", &surface, NULL);
  double scale = gtk_widget_get_scale_factor (dialog);
  g_assert_cmpint (cairo_image_surface_get_width (surface), ==, MIN (240 * scale, SCENE_WIDTH));
  cairo_surface_destroy (surface);
  gtk_file_chooser_set_filename (GTK_FILE_CHOOSER (dialog), broken);
  stage_wait (shows_no_preview, dialog);
  stage_frame (stage);
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  stage_frame (stage);
}

/* ---- The end ---- */

static gboolean
is_null (gpointer data)
{
  return *(gpointer *)data == NULL;
}

static void
test_close_without_work (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_activate (stage, "close");
  stage_wait (is_null, &stage->window);
}

/* --- Closing at any moment --- */

enum { N_CYCLES = 12, MOMENTS = 40 };

static void
on_gone (gpointer data, GObject *where)
{
  --*(guint *)data;
}

static gboolean
all_gone (gpointer data)
{
  return *(guint *)data == 0;
}

static void
activate_if_enabled (Stage *stage, const char *action)
{
  if (g_action_group_get_action_enabled (G_ACTION_GROUP (stage->window), action))
    stage_activate (stage, action);
}

/* Something that a hurried person does; what it starts need not be over. */
static void
do_something (Stage *stage, GRand *random)
{
  double x = g_rand_double_range (random, 100, 200), y = g_rand_double_range (random, 80, 180);
  guint button = g_rand_boolean (random) ? GDK_BUTTON_PRIMARY : GDK_BUTTON_SECONDARY;
  switch (g_rand_int_range (random, 0, 6)) {
  case 0:
  case 1:
    stage_stroke (stage, button, x, y, y, x, g_rand_int_range (random, 1, 12));
    break;
  case 2:
    activate_if_enabled (stage, "undo");
    break;
  case 3:
    activate_if_enabled (stage, "redo");
    break;
  case 4:
    stage_press (stage, button, x, y);
    stage_move (stage, y, x);
    stage_type (stage, GDK_KEY_Escape, 0);
    stage_release (stage, button, y, x);
    break;
  default:
    stage_activate (stage, "cycle-view");
    break;
  }
}

/* Opens a photo, perhaps two at once, and perhaps paints. */
static void
begin_work (Stage *stage, const char *path, GRand *random)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  int n_moments = g_rand_int_range (random, 0, MOMENTS);
  if (g_rand_int_range (random, 0, 4) == 0) {
    fs_window_open (stage->window, file);
    fs_window_open (stage->window, file);
  } else {
    stage_open (stage, path);
    for (int i = g_rand_int_range (random, 1, 8); i > 0; i--)
      do_something (stage, random);
    if (g_rand_boolean (random))
      stage_press (stage, GDK_BUTTON_SECONDARY, 100, 100);
  }
  for (int i = 0; i < n_moments; i++)
    g_main_context_iteration (NULL, FALSE);
}

/* Closed while it loads, paints or cuts, a window leaves nothing behind. SCALE=84: 1,008 times. */
static void
test_close_while_busy (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  const char *scale = g_getenv ("SCALE");
  g_autofree char *sample =
      g_build_filename (g_getenv ("FRETSAW_SOURCE"), "data", "sample", "sample.jpg", NULL);
  /* Half of them where a share suffices: a window under a sanitizer takes its time. */
  int share = g_getenv ("FRETSAW_TEST_SHARE") != NULL ? 2 : 1;
  int n_cycles = N_CYCLES / share * MAX (1, scale != NULL ? atoi (scale) : 1);
  guint n_documents = 0;
  for (int i = 0; i < n_cycles; i++) {
    g_autoptr (Stage) stage = stage_new ();
    g_autofree char *scene = scene_write (stage->folder, "scene.png");
    begin_work (stage, i % 3 == 0 ? sample : scene, random);
    if (stage_document (stage) != NULL) {
      n_documents++;
      g_object_weak_ref (G_OBJECT (stage_document (stage)), on_gone, &n_documents);
    }
    gtk_widget_destroy (GTK_WIDGET (stage->window));
    if ((i + 1) % 100 == 0)
      g_test_message ("closed %d times", i + 1);
  }
  stage_wait (all_gone, &n_documents);
}

static gboolean
says_why (gpointer messages)
{
  const char *text = fs_message_bar_get_task (messages);
  return text != NULL && strlen (text) > strlen ("Waiting… ");
}

/* What takes long says why, as long as it does. */
static void
test_reasons (void)
{
  g_autoptr (Stage) stage = stage_new ();
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *reason = fs_wait_reason_new ("decoding", 0.419);
  stage_open_scene (stage);
  fs_message_bar_begin_task (messages, "Waiting…", cancellable);
  fs_message_bar_set_reason (messages, reason);
  g_assert_cmpstr (fs_message_bar_get_task (messages), ==, "Waiting… decoding, 41 %");
  fs_message_bar_set_reason (messages, NULL);
  g_assert_cmpstr (fs_message_bar_get_task (messages), ==, "Waiting…");

  /* Strokes that keep the cut at work until it has been seen. */
  FsDocument *document = stage_document (stage);
  fs_message_bar_follow (messages, document);
  for (int i = 0; !says_why (messages); i++) {
    if (fs_document_get_status (document).is_final)
      stage_stroke (stage, i % 2 ? GDK_BUTTON_PRIMARY : GDK_BUTTON_SECONDARY, 20 + i % 200, 40,
                    300 - i % 200, 200, 12);
    g_main_context_iteration (NULL, FALSE);
  }
  fs_message_bar_end_task (messages);
  g_assert_null (fs_message_bar_get_task (messages));
}

/* ---- Recent files ---- */

/* Whether an item of the menu, or of one below it, opens the file. */
static gboolean
menu_opens (GMenuModel *menu, const char *uri)
{
  gboolean found = FALSE;
  for (int i = 0; !found && i < g_menu_model_get_n_items (menu); i++) {
    g_autofree char *action = NULL, *target = NULL;
    g_menu_model_get_item_attribute (menu, i, "action", "s", &action);
    if (g_strcmp0 (action, "app.open-recent") == 0
        && g_menu_model_get_item_attribute (menu, i, "target", "s", &target))
      found = g_strcmp0 (target, uri) == 0;
    static const char *const links[] = { G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU };
    for (gsize k = 0; !found && k < G_N_ELEMENTS (links); k++) {
      g_autoptr (GMenuModel) below = g_menu_model_get_item_link (menu, i, links[k]);
      found = below != NULL && menu_opens (below, uri);
    }
  }
  return found;
}

static GtkMenuButton *
menu_button (Stage *stage)
{
  return GTK_MENU_BUTTON (
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, "menu_button"));
}

/* What it says when it is opened. */
static gboolean
opened_menu_opens (Stage *stage, const char *uri)
{
  GtkToggleButton *button = GTK_TOGGLE_BUTTON (menu_button (stage));
  gtk_toggle_button_set_active (button, TRUE);
  stage_frame (stage);
  gboolean found = menu_opens (gtk_menu_button_get_menu_model (menu_button (stage)), uri);
  gtk_toggle_button_set_active (button, FALSE);
  stage_frame (stage);
  return found;
}

static gboolean
is_in_menu (gpointer pair)
{
  return opened_menu_opens (((gpointer *)pair)[0], ((gpointer *)pair)[1]);
}

/* What was opened is in the menu of this window and of later ones, and opens from there. */
static void
test_recent (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fretsaw-XXXXXX", NULL);
  g_autofree char *path = scene_write (folder, "a_b.png");
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_set_application_name ("Fretsaw");
  {
    g_autoptr (Stage) first = stage_new ();
    g_assert_false (opened_menu_opens (first, uri));
    stage_open (first, path);
    /* Files are looked at when the menu opens, not whenever one is remembered. */
    g_assert_false (menu_opens (gtk_menu_button_get_menu_model (menu_button (first)), uri));
    gpointer pair[] = { first, uri };
    stage_wait (is_in_menu, pair);
  }
  g_autoptr (Stage) stage = stage_new ();
  g_assert_true (opened_menu_opens (stage, uri));
  g_action_group_activate_action (G_ACTION_GROUP (stage->application), "open-recent",
                                  g_variant_new_string (uri));
  stage_wait (is_open, stage->window);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static gboolean
has_message (gpointer messages)
{
  return fs_message_bar_get_text (messages) != NULL;
}

static void
assert_nowhere (Stage *stage)
{
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  stage_wait (has_message, messages);
  g_assert_nonnull (strstr (fs_message_bar_get_text (messages), "is not on this computer"));
  fs_message_bar_clear (messages);
  stage_frame (stage);
}

/* A place that has no path is answered, and the next attempt asks again. */
static void
test_nowhere (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  for (int attempt = 0; attempt < 2; attempt++) {
    stage_activate (stage, "save");
    dialogs_save_nowhere ();
    assert_nowhere (stage);
    stage_activate (stage, "export");
    dialogs_press (dialogs_wait (), GTK_RESPONSE_ACCEPT);
    dialogs_save_nowhere ();
    assert_nowhere (stage);
  }
  stage_activate (stage, "save");
  g_free (dialogs_save_as (stage, "scene.fretsaw", "scene.fretsaw"));
  dialogs_wait_for_task (stage);
  g_assert_false (fs_project_is_unsaved (fs_window_get_project (stage->window)));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/files/errors", test_errors);
  g_test_add_func ("/files/drop", test_drop);
  g_test_add_func ("/files/second-photo", test_second_photo);
  g_test_add_func ("/files/drop-two", test_drop_two);
  g_test_add_func ("/files/many-photos", test_many_photos);
  g_test_add_func ("/files/preview", test_preview);
  g_test_add_func ("/files/close-without-work", test_close_without_work);
  g_test_add_func ("/files/close-while-busy", test_close_while_busy);
  g_test_add_func ("/files/reasons", test_reasons);
  g_test_add_func ("/files/recent", test_recent);
  g_test_add_func ("/files/nowhere", test_nowhere);
  return g_test_run ();
}
