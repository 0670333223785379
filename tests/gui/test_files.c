/* SPDX-License-Identifier: MIT */
/* The window and the world outside: open, drop, export, close, and what goes wrong on the way. */
#include "app/crop.h"
#include "app/export.h"
#include "app/photo.h"
#include "tests/gui/dialogs.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/export_dialog.h"

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
drop (Stage *stage, const char *uri)
{
  GtkTargetEntry target = { "text/uri-list", 0, 0 };
  const char *uris[] = { uri, NULL };
  GtkClipboard *clipboard = gtk_clipboard_get (GDK_SELECTION_CLIPBOARD);
  g_assert_true (gtk_clipboard_set_with_data (clipboard, &target, 1, give_uris, NULL, uris));
  GtkSelectionData *data =
      gtk_clipboard_wait_for_contents (clipboard, gdk_atom_intern_static_string ("text/uri-list"));
  g_assert_nonnull (data);
  g_signal_emit_by_name (stage->window, "drag-data-received", NULL, 10, 10, data, 0, 0);
  gtk_selection_data_free (data);
  gtk_clipboard_clear (clipboard);
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

/* A whole folder that is dropped opens as many windows as one can work in. */
static void
test_many_photos (void)
{
  enum { N = FS_APPLICATION_MOST_AT_ONCE + 3 };
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
  g_assert_cmpuint (g_list_length (windows), ==, FS_APPLICATION_MOST_AT_ONCE);
  const char *told = NULL;
  for (GList *l = windows; l != NULL; l = l->next) {
    stage_wait (is_open, l->data);
    const char *text = fs_message_bar_get_text (fs_window_get_messages (l->data));
    told = text != NULL ? text : told;
  }
  g_assert_nonnull (told);
  g_assert_nonnull (strstr (told, "10 of 13"));
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

/* ---- Export ---- */

static GtkToggleButton *
find_toggle (GtkWidget *dialog, const char *name)
{
  return GTK_TOGGLE_BUTTON (gtk_widget_get_template_child (dialog, FS_TYPE_EXPORT_DIALOG, name));
}

/* Answers the dialogs as a person would; returns the path that was written. */
static char *
export_as (Stage *stage, const char *what, gboolean crop, const char *expected_name)
{
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  GtkWidget *dialog = dialogs_wait ();
  gtk_toggle_button_set_active (find_toggle (dialog, what), TRUE);
  gtk_toggle_button_set_active (find_toggle (dialog, "crop"), crop);
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  char *path = dialogs_save_as (stage, expected_name, expected_name);
  dialogs_wait_for_task (stage);
  return path;
}

static void
assert_told (Stage *stage, const char *part)
{
  const char *text = fs_message_bar_get_text (fs_window_get_messages (stage->window));
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, part));
}

static void
assert_cutout (const char *path, FsImage *photo, const uint8_t *mask)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) cutout = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (cutout->image->width, ==, photo->width);
  g_assert_cmpint (cutout->image->height, ==, photo->height);
  g_assert_true (cutout->image->has_alpha);
  for (int i = 0; i < photo->width * photo->height; i++)
    g_assert_cmphex (cutout->image->pixels[i], ==,
                     (photo->pixels[i] & 0xffffff) | (mask[i] ? 0xff000000u : 0));
}

static void
assert_mask (const char *path, const uint8_t *mask)
{
  g_autofree uint8_t *grey = fs_seeds_load (path, SCENE_WIDTH, SCENE_HEIGHT, NULL, NULL);
  g_assert_nonnull (grey);
  for (int i = 0; i < N_PIXELS; i++)
    g_assert_cmpint (grey[i], ==, mask[i] ? 255 : 0);
}

static void
test_export (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  FsProject *project = fs_window_get_project (stage->window);
  g_assert_true (fs_project_is_unsaved (project));
  g_autofree char *cutout = export_as (stage, "what_cutout", FALSE, "scene-cutout.png");
  assert_told (stage, "Saved");
  assert_cutout (cutout, fs_document_get_image (document), fs_document_get_mask (document));
  g_assert_false (fs_project_is_unsaved (project));

  /* The stroke that is not solved yet when the export begins is in the file. */
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 150, 60, 190, 60, 6);
  g_autofree char *file = export_as (stage, "what_mask", FALSE, "scene-mask.png");
  stage_assert_fresh (stage);
  assert_mask (file, fs_document_get_mask (document));

  /* Again, to the same file, without a question. */
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 60, 200, 90, 210, 6);
  g_assert_true (fs_project_is_unsaved (project));
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK);
  dialogs_wait_for_task (stage);
  assert_told (stage, "Saved “scene-mask.png”");
  assert_mask (file, fs_document_get_mask (document));
  g_assert_false (fs_project_is_unsaved (project));
}

/* The numbers of two objects, of which one has no strokes of the other near it. */
static void
test_export_objects (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_type (stage, GDK_KEY_2, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 200, 50, 200, 8);
  g_autofree char *path = export_as (stage, "what_labels", FALSE, "scene-objects.png");
  assert_told (stage, "Saved");
  g_autofree uint8_t *numbers = fs_seeds_load (path, SCENE_WIDTH, SCENE_HEIGHT, NULL, NULL);
  g_assert_nonnull (numbers);
  const uint8_t *mask = fs_document_get_mask (stage_document (stage));
  const uint8_t *marks = fs_document_get_marks (stage_document (stage));
  gsize n_pixels[FS_SEED_OBJECT + 2] = { 0 };
  for (int i = 0; i < N_PIXELS; i++) {
    g_assert_cmpint (numbers[i], <=, FS_SEED_OBJECT + 1);
    g_assert_true ((numbers[i] >= FS_SEED_OBJECT) == mask[i]);
    if (marks[i] != FS_SEED_NONE)
      g_assert_cmpint (numbers[i], ==, marks[i]);
    n_pixels[numbers[i]]++;
  }
  g_assert_cmpuint (n_pixels[FS_SEED_OBJECT], >, 1000);
  g_assert_cmpuint (n_pixels[FS_SEED_OBJECT + 1], >, 100);
}

/* Two files; the mask's name is found beside what is there already. */
static void
test_export_both (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  g_autofree char *mine = g_build_filename (stage->folder, "scene-mask.png", NULL);
  g_assert_true (g_file_set_contents (mine, "precious", -1, NULL));
  g_autofree char *cutout = export_as (stage, "what_both", FALSE, "scene-cutout.png");
  assert_told (stage, "“scene-cutout.png” and “scene-mask-2.png”");
  assert_cutout (cutout, fs_document_get_image (document), fs_document_get_mask (document));
  g_autofree char *mask = g_build_filename (stage->folder, "scene-mask-2.png", NULL);
  assert_mask (mask, fs_document_get_mask (document));
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (mine, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "precious");
}

static void
ask_for_mask (Stage *stage)
{
  stage_activate (stage, "export");
  GtkWidget *dialog = dialogs_wait ();
  gtk_toggle_button_set_active (find_toggle (dialog, "what_mask"), TRUE);
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
}

/* Who exports the objects of many photos into a folder of masks goes there once, and is asked
 * about no file that would be replaced. */
static void
test_export_many (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *masks = g_build_filename (stage->folder, "masks", NULL);
  g_autofree char *photo =
      g_strdup (fs_project_get_photo_path (fs_window_get_project (stage->window)));
  g_assert_cmpint (g_mkdir (masks, 0700), ==, 0);
  ask_for_mask (stage);
  g_autofree char *first = dialogs_save_in (masks, "scene-mask.png");
  dialogs_wait_for_task (stage);

  /* The same work again is the same file. */
  ask_for_mask (stage);
  dialogs_expect (masks, "scene-mask.png");
  /* Another object of the photo. */
  stage_open (stage, photo);
  stage_paint_both (stage);
  ask_for_mask (stage);
  dialogs_expect (masks, "scene-mask-2.png");
  ask_for_mask (stage);
  g_autofree char *second = dialogs_save_in (masks, "scene-mask-2.png");
  dialogs_wait_for_task (stage);
  g_assert_true (g_file_test (first, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (second, G_FILE_TEST_EXISTS));

  g_unlink (first);
  g_unlink (second);
  g_assert_cmpint (g_rmdir (masks), ==, 0);
}

/* The choice is remembered by the next dialog, and by another window's. */
static void
test_export_cropped (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  FsRect part =
      fs_crop_to_object (fs_document_get_mask (document), NULL, SCENE_WIDTH, SCENE_HEIGHT);
  g_autofree char *path = export_as (stage, "what_cutout", TRUE, "scene-cutout.png");
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, NULL);
  g_assert_cmpint (photo->image->width, ==, part.x1 - part.x0);
  g_assert_cmpint (photo->image->height, ==, part.y1 - part.y0);
  stage_activate (stage, "export");
  GtkWidget *dialog = dialogs_wait ();
  g_assert_true (gtk_toggle_button_get_active (find_toggle (dialog, "crop")));
  g_assert_true (gtk_toggle_button_get_active (find_toggle (dialog, "what_cutout")));
  gtk_toggle_button_set_active (find_toggle (dialog, "crop"), FALSE);
  dialogs_press (dialog, GTK_RESPONSE_CANCEL);
  stage_frame (stage);
}

/* Soft as far as it was asked for, in the cut-out alone, and remembered. */
static void
test_export_soft (void)
{
  enum { SOFT = 24 };
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  stage_activate (stage, "export");
  GtkWidget *dialog = dialogs_wait ();
  GtkSpinButton *spin =
      GTK_SPIN_BUTTON (gtk_widget_get_template_child (dialog, FS_TYPE_EXPORT_DIALOG, "soft"));
  gtk_toggle_button_set_active (find_toggle (dialog, "what_mask"), TRUE);
  g_assert_false (gtk_widget_is_sensitive (GTK_WIDGET (spin)));
  gtk_toggle_button_set_active (find_toggle (dialog, "what_cutout"), TRUE);
  g_assert_true (gtk_widget_is_sensitive (GTK_WIDGET (spin)));
  gtk_spin_button_set_value (spin, SOFT);
  dialogs_press (dialog, GTK_RESPONSE_CANCEL);
  stage_frame (stage);

  const FsRect all = { 0, 0, SCENE_WIDTH, SCENE_HEIGHT };
  g_autofree char *path = export_as (stage, "what_both", FALSE, "scene-cutout.png");
  g_autofree char *mask = g_build_filename (stage->folder, "scene-mask.png", NULL);
  g_autoptr (FsPhoto) cutout = fs_photo_load (path, NULL, NULL, NULL);
  FsExport what = { .image = fs_document_get_image (document),
                    .mask = fs_document_get_mask (document),
                    .soft_px = SOFT,
                    .marks = fs_document_get_marks (document) };
  g_autoptr (FsImage) expected = fs_export_render_soft (&what, all);
  g_assert_cmpmem (cutout->image->pixels, N_PIXELS * 4, expected->pixels, N_PIXELS * 4);
  int n_soft = 0;
  for (int i = 0; i < N_PIXELS; i++)
    n_soft += FS_PIXEL_A (expected->pixels[i]) % 255 != 0;
  g_assert_cmpint (n_soft, >, 100);
  for (int i = 0; i < N_PIXELS; i++)
    if (what.marks[i] != FS_SEED_NONE)
      g_assert_cmpint (FS_PIXEL_A (expected->pixels[i]), ==,
                       what.marks[i] == FS_SEED_BACKGROUND ? 0 : 255);
  assert_mask (mask, fs_document_get_mask (document));

  stage_activate (stage, "export");
  dialog = dialogs_wait ();
  gtk_spin_button_set_value (
      GTK_SPIN_BUTTON (gtk_widget_get_template_child (dialog, FS_TYPE_EXPORT_DIALOG, "soft")), 0);
  gtk_toggle_button_set_active (find_toggle (dialog, "what_cutout"), TRUE);
  dialogs_press (dialog, GTK_RESPONSE_CANCEL);
  stage_frame (stage);
}

static void
press_cancel (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_BUTTON (widget)
      && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "_Cancel") == 0)
    gtk_button_clicked (GTK_BUTTON (widget));
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), press_cancel, data);
}

/* An export that is stopped leaves the file as it was, and the work unsaved. */
static void
test_export_cancelled (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *path = export_as (stage, "what_mask", FALSE, "scene-mask.png");
  g_autofree char *before = NULL, *after = NULL;
  gsize n_before, n_after;
  g_assert_true (g_file_get_contents (path, &before, &n_before, NULL));
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 150, 60, 190, 60, 6);
  stage_activate (stage, "export-again");
  press_cancel (GTK_WIDGET (fs_window_get_messages (stage->window)), NULL);
  dialogs_wait_for_task (stage);
  assert_told (stage, "Stopped. “scene-mask.png” was not written.");
  g_assert_true (g_file_get_contents (path, &after, &n_after, NULL));
  g_assert_cmpmem (before, n_before, after, n_after);
  g_assert_true (fs_project_is_unsaved (fs_window_get_project (stage->window)));
}

/* Neither a question that is not answered nor a place that cannot be written to ends anything. */
static void
test_export_failure (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK);
  dialogs_press (dialogs_wait (), GTK_RESPONSE_CANCEL);
  stage_frame (stage);
  g_assert_null (fs_message_bar_get_text (fs_window_get_messages (stage->window)));
  stage_activate (stage, "export");
  dialogs_press (dialogs_wait (), GTK_RESPONSE_ACCEPT);
  gtk_dialog_response (GTK_DIALOG (dialogs_wait ()), GTK_RESPONSE_CANCEL);
  stage_frame (stage);

  g_autofree char *path = export_as (stage, "what_mask", FALSE, "scene-mask.png");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  stage_activate (stage, "export-again");
  dialogs_wait_for_task (stage);
  assert_told (stage, "scene-mask.png");
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

/* GTK's own question, in a loop of its own. */
static gboolean
confirm_replacing (gpointer data)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *l = windows; l != NULL; l = l->next)
    if (GTK_IS_MESSAGE_DIALOG (l->data) && gtk_widget_get_mapped (l->data)) {
      gtk_dialog_response (l->data, GTK_RESPONSE_ACCEPT);
      return G_SOURCE_REMOVE;
    }
  return G_SOURCE_CONTINUE;
}

static gboolean
has_message (gpointer stage)
{
  return fs_message_bar_get_text (fs_window_get_messages (((Stage *)stage)->window)) != NULL;
}

/* The photo is not replaced, also when one has said that it may be. */
static void
test_export_over_the_photo (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *before = NULL, *after = NULL;
  gsize n_before, n_after;
  const char *photo = fs_project_get_photo_path (fs_window_get_project (stage->window));
  g_autofree char *name = g_path_get_basename (photo);
  g_assert_true (g_file_get_contents (photo, &before, &n_before, NULL));
  ask_for_mask (stage);
  g_timeout_add (50, confirm_replacing, NULL);
  g_free (dialogs_save_as (stage, "scene-mask.png", name));
  stage_wait (has_message, stage);
  assert_told (stage, "is the photo itself");
  g_assert_true (g_file_get_contents (photo, &after, &n_after, NULL));
  g_assert_cmpmem (before, n_before, after, n_after);
  g_assert_true (fs_project_is_unsaved (fs_window_get_project (stage->window)));
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

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/files/errors", test_errors);
  g_test_add_func ("/files/drop", test_drop);
  g_test_add_func ("/files/second-photo", test_second_photo);
  g_test_add_func ("/files/many-photos", test_many_photos);
  g_test_add_func ("/files/preview", test_preview);
  g_test_add_func ("/files/export", test_export);
  g_test_add_func ("/files/export-both", test_export_both);
  g_test_add_func ("/files/export-objects", test_export_objects);
  g_test_add_func ("/files/export-many", test_export_many);
  g_test_add_func ("/files/export-cropped", test_export_cropped);
  g_test_add_func ("/files/export-soft", test_export_soft);
  g_test_add_func ("/files/export-cancelled", test_export_cancelled);
  g_test_add_func ("/files/export-failure", test_export_failure);
  g_test_add_func ("/files/export-over-the-photo", test_export_over_the_photo);
  g_test_add_func ("/files/close-without-work", test_close_without_work);
  g_test_add_func ("/files/close-while-busy", test_close_while_busy);
  return g_test_run ();
}
