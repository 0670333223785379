/* SPDX-License-Identifier: MIT */
/* Outlines and layers exported from the window. */
#include "app/export/parts/crop.h"
#include "app/photo/photo.h"
#include "tests/gui/dialogs.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/save/background_row.h"
#include "ui/save/export_choice.h"
#include "ui/save/export_dialog.h"

#include <glib/gstdio.h>
#include <string.h>

static void
assert_message (Stage *stage, const char *part)
{
  const char *text = fs_message_bar_get_text (fs_window_get_messages (stage->window));
  g_assert_nonnull (text);
  if (strstr (text, part) == NULL)
    g_error ("“%s” is not in: %s", part, text);
}

/* Exports what is chosen in a format, under a name that is suggested and one that is typed. */
static char *
export_in_format (Stage *stage, const char *what, const char *ending, const char *suggested,
                  const char *typed)
{
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  GtkWidget *dialog = dialogs_wait ();
  gpointer toggle = gtk_widget_get_template_child (dialog, FS_TYPE_EXPORT_DIALOG, what);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (toggle), TRUE);
  gpointer format = gtk_widget_get_template_child (dialog, FS_TYPE_EXPORT_DIALOG, "format");
  g_assert_true (gtk_combo_box_set_active_id (GTK_COMBO_BOX (format), ending));
  gpointer outline = gtk_widget_get_template_child (dialog, FS_TYPE_EXPORT_DIALOG, "outline");
  g_assert_true (gtk_widget_get_sensitive (outline) == (strcmp (ending, ".svg") == 0));
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  char *path = dialogs_save_as (stage, suggested, typed);
  dialogs_wait_for_task (stage);
  return path;
}

/* Each object is a path with its name, in the place that it has in the photo. */
static void
test_outline (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_type (stage, GDK_KEY_2, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 200, 50, 200, 8);
  FsProject *project = fs_window_get_project (stage->window);
  g_assert_true (fs_project_set_name (project, FS_SEED_OBJECT + 1, "Tic & Tac"));
  g_autofree char *path =
      export_in_format (stage, "what_cutout", ".svg", "scene-outline.svg", "scene-outline.svg");
  assert_message (stage, "Saved “scene-outline.svg”");
  g_assert_true (fs_project_is_exported (project));
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autofree char *box = g_strdup_printf ("viewBox=\"0 0 %d %d\"", SCENE_WIDTH, SCENE_HEIGHT);
  g_assert_nonnull (strstr (text, box));
  g_assert_nonnull (strstr (text, "<path id=\"object-1\""));
  g_assert_nonnull (strstr (text, "<path id=\"object-2\""));
  g_assert_nonnull (strstr (text, "<title>Tic &amp; Tac</title>"));

  /* Stairs have no slopes; a part of the photo has its place; and a typed ending is enough. */
  FsDocument *document = stage_document (stage);
  const FsRect area =
      fs_crop_to_object (fs_document_get_mask (document), fs_document_get_marks (document),
                         SCENE_WIDTH, SCENE_HEIGHT);
  g_autofree char *part = g_strdup_printf ("viewBox=\"%d %d %d %d\"", area.x0, area.y0,
                                           area.x1 - area.x0, area.y1 - area.y0);
  g_autofree char *stairs = NULL;
  g_object_set (fs_export_choice_get (), "outline-tolerance", 0.0, "crop", TRUE, NULL);
  g_autofree char *second =
      export_in_format (stage, "what_both", ".png", "scene-outline.png", "second.svg");
  assert_message (stage, "Saved “second.svg” and “second-mask.png”");
  g_assert_true (g_file_get_contents (second, &stairs, NULL, NULL));
  g_assert_nonnull (strstr (stairs, part));
  g_assert_nonnull (strchr (text, 'L'));
  g_assert_null (strchr (stairs, 'L'));
}

static void
test_each (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_assert_true (
      fs_project_set_name (fs_window_get_project (stage->window), FS_SEED_OBJECT, "Pot"));
  g_free (export_in_format (stage, "what_each", ".svg", "scene-object.svg", "scene-object.svg"));
  assert_message (stage, "Saved “scene-object-1-Pot.svg”");
  g_autofree char *path = g_build_filename (stage->folder, "scene-object-1-Pot.svg", NULL);
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<path id=\"object-1\" fill-rule"));
  g_assert_nonnull (strstr (text, "<title>Pot</title>"));
}

/* A mask has no layers. */
static void
test_layers (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_type (stage, GDK_KEY_2, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 200, 50, 200, 8);
  g_autofree char *path =
      export_in_format (stage, "what_cutout", ".ora", "scene-cutout.ora", "scene-cutout.ora");
  assert_message (stage, "Saved “scene-cutout.ora”");
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  g_assert_true (g_file_get_contents (path, &bytes, &n_bytes, NULL));
  g_assert_nonnull (memmem (bytes, n_bytes, "data/object-1.png", 17));
  g_assert_nonnull (memmem (bytes, n_bytes, "data/object-2.png", 17));
  g_free (export_in_format (stage, "what_mask", ".ora", "scene-mask.png", "scene-mask.png"));
  assert_message (stage, "Saved “scene-mask.png”");
}

/* The box counts for TIFFs alone. */
static void
test_mask_page (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  if (fs_export_format_get_writer (FS_EXPORT_TIFF) == NULL) {
    g_test_skip ("this build does not write TIFF");
    return;
  }
  g_autofree char *one =
      export_in_format (stage, "what_cutout", ".tif", "scene-cutout.tif", "scene-cutout.tif");
  g_object_set (fs_export_choice_get (), "mask-page", TRUE, NULL);
  g_autofree char *two =
      export_in_format (stage, "what_cutout", ".tif", "scene-cutout.tif", "two.tif");
  assert_message (stage, "Saved “two.tif”");
  GStatBuf before, after;
  g_assert_cmpint (g_stat (one, &before), ==, 0);
  g_assert_cmpint (g_stat (two, &after), ==, 0);
  g_assert_cmpint (after.st_size, >, before.st_size + 200);
  g_object_set (fs_export_choice_get (), "mask-page", FALSE, "format", ".png", NULL);
}

static FsImage *
read_picture (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (photo->image->has_alpha);
  return fs_image_ref (photo->image);
}

static void
assert_colour (const FsImage *picture, int x, int y, uint32_t rgb)
{
  const uint32_t pixel = picture->pixels[y * picture->width + x];
  for (int shift = 0; shift < 24; shift += 8)
    g_assert_cmpint (ABS ((int)(pixel >> shift & 0xff) - (int)(rgb >> shift & 0xff)), <=, 3);
}

/* A JPEG is on a colour, and what has no colour is no JPEG; a picture is waited for. */
static void
test_background (void)
{
  g_autoptr (Stage) stage = stage_new ();
  FsExportChoice *choice = fs_export_choice_get ();
  g_object_set (choice, "crop", FALSE, NULL);
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *jpeg =
      export_in_format (stage, "what_cutout", ".jpg", "scene-cutout.jpg", "scene-cutout.jpg");
  g_autoptr (FsImage) white = read_picture (jpeg);
  assert_colour (white, 2, 2, 0xffffff);
  g_autofree char *kind = NULL, *format = NULL;
  g_object_get (choice, "background", &kind, NULL);
  g_assert_cmpstr (kind, ==, "colour");
  g_object_set (choice, "background", "none", NULL);
  g_object_get (choice, "format", &format, NULL);
  g_assert_cmpstr (format, ==, ".png");

  g_autofree char *typed =
      export_in_format (stage, "what_both", ".png", "scene-cutout.png", "typed.jpg");
  assert_message (stage, "JPEG has no transparency; choose a background");
  g_autofree char *typed_mask = g_build_filename (stage->folder, "typed-mask.png", NULL);
  g_assert_false (g_file_test (typed, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (typed_mask, G_FILE_TEST_EXISTS));
  g_object_set (choice, "what", FS_EXPORT_WHAT_CUTOUT, NULL);

  g_object_set (choice, "background", "colour", "background-colour", "#2040a0", NULL);
  g_autofree char *png = export_in_format (stage, "what_cutout", ".png", "typed.png", "blue.png");
  g_autoptr (FsImage) blue = read_picture (png);
  assert_colour (blue, 2, 2, 0x2040a0);

  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  GtkWidget *dialog = dialogs_wait ();
  GtkWidget *accept = gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  gpointer row = gtk_widget_get_template_child (dialog, FS_TYPE_EXPORT_DIALOG, "background");
  gpointer problem = gtk_widget_get_template_child (row, FS_TYPE_BACKGROUND_ROW, "problem");
  g_object_set (choice, "background", "picture", NULL);
  g_assert_false (gtk_widget_get_sensitive (accept));
  fs_background_row_set_picture (row, "/nowhere/white");
  while (!gtk_widget_get_visible (problem))
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (gtk_widget_get_sensitive (accept));
  gpointer button = gtk_widget_get_template_child (row, FS_TYPE_BACKGROUND_ROW, "picture");
  gtk_button_clicked (button);
  dialogs_choose (jpeg);
  while (!gtk_widget_get_sensitive (accept))
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (gtk_widget_get_visible (problem));
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  g_autofree char *path = dialogs_save_as (stage, "blue.png", "both.png");
  dialogs_wait_for_task (stage);
  g_autoptr (FsImage) both = read_picture (path);
  assert_colour (both, 2, 2, 0xffffff);
  g_object_set (choice, "background", "none", "background-colour", "#ffffff", NULL);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export_outline/objects", test_outline);
  g_test_add_func ("/export_outline/each", test_each);
  g_test_add_func ("/export_outline/layers", test_layers);
  g_test_add_func ("/export_outline/mask-page", test_mask_page);
  g_test_add_func ("/export_outline/background", test_background);
  return g_test_run ();
}
