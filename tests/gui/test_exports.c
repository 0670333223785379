/* SPDX-License-Identifier: MIT */
/* What the window exports: what is in the files, what they are called, and what goes wrong. */
#include "app/export/parts/crop.h"
#include "app/export/export.h"
#include "app/export/export_rows.h"
#include "app/live/document_edge.h"
#include "cut/mask_objects.h"
#include "app/photo/input/colour_transform.h"
#include "app/photo/photo.h"
#include "tests/gui/dialogs.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/save/export_choice.h"
#include "ui/save/export_dialog.h"
#include "ui/save/export_names.h"

#include <glib/gstdio.h>
#include <string.h>

#define N_PIXELS (SCENE_WIDTH * SCENE_HEIGHT)

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
assert_message (Stage *stage, const char *area)
{
  const char *text = fs_message_bar_get_text (fs_window_get_messages (stage->window));
  g_assert_nonnull (text);
  if (strstr (text, area) == NULL)
    g_error ("“%s” is not in: %s", area, text);
}

/* The cut-out of a mask with the document's edge. */
static void
assert_cutout (const char *path, FsDocument *document, const uint8_t *mask, const uint8_t *marks)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) cutout = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  const FsExport what = { .image = fs_document_get_image (document),
                          .mask = mask,
                          .marks = marks,
                          .edge = fs_document_get_edge_settings (document),
                          .zones = fs_document_get_zones (document) };
  g_autoptr (FsImage) expected =
      fs_export_edge_render (&what, (FsRect){ 0, 0, what.image->width, what.image->height });
  g_assert_cmpint (cutout->image->width, ==, expected->width);
  g_assert_cmpint (cutout->image->height, ==, expected->height);
  g_assert_true (cutout->image->has_alpha);
  for (int i = 0; i < expected->width * expected->height; i++)
    g_assert_cmphex (cutout->image->pixels[i], ==,
                     FS_PIXEL_A (expected->pixels[i]) > 0 ? expected->pixels[i] : 0);
}

/* The same of all objects together. */
static void
assert_whole_cutout (const char *path, FsDocument *document)
{
  assert_cutout (path, document, fs_document_get_mask (document), fs_document_get_marks (document));
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
  assert_message (stage, "Saved");
  assert_whole_cutout (cutout, document);
  g_assert_true (fs_project_is_exported (project));
  g_assert_true (fs_project_is_unsaved (project));

  /* The stroke that is not solved yet when the export begins is in the file. */
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 150, 60, 190, 60, 6);
  g_autofree char *file = export_as (stage, "what_mask", FALSE, "scene-mask.png");
  stage_assert_fresh (stage);
  assert_mask (file, fs_document_get_mask (document));

  /* Again, to the same file, without a question. */
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 60, 200, 90, 210, 6);
  g_assert_false (fs_project_is_exported (project));
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK);
  dialogs_wait_for_task (stage);
  assert_message (stage, "Saved “scene-mask.png”");
  assert_mask (file, fs_document_get_mask (document));
  g_assert_true (fs_project_is_exported (project));

  /* A picture is not the strokes: closing asks about them, and says so. */
  stage_activate (stage, "close");
  GtkWidget *question = dialogs_wait ();
  g_autofree char *said = NULL;
  g_object_get (question, "secondary-text", &said, NULL);
  g_assert_nonnull (strstr (said, "The export holds the picture"));
  dialogs_press (question, GTK_RESPONSE_CANCEL);
  stage_frame (stage);
  g_assert_nonnull (stage->window);
}

/* Cancel in the file dialog goes back to what is exported, where the choice still is, and from
 * there one may go on again. */
static void
test_cancel_goes_back (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  GtkWidget *dialog = dialogs_wait ();
  gtk_toggle_button_set_active (find_toggle (dialog, "what_mask"), TRUE);
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  GtkWidget *chooser = dialogs_wait ();
  g_assert_true (GTK_IS_FILE_CHOOSER (chooser));
  gtk_dialog_response (GTK_DIALOG (chooser), GTK_RESPONSE_CANCEL);
  dialog = dialogs_wait ();
  g_assert_true (FS_IS_EXPORT_DIALOG (dialog));
  g_assert_true (gtk_toggle_button_get_active (find_toggle (dialog, "what_mask")));
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  g_autofree char *path = dialogs_save_as (stage, "scene-mask.png", "scene-mask.png");
  dialogs_wait_for_task (stage);
  assert_mask (path, fs_document_get_mask (stage_document (stage)));
}

static void
choose_format (GtkWidget *dialog, const char *ending)
{
  gpointer format = gtk_widget_get_template_child (dialog, FS_TYPE_EXPORT_DIALOG, "format");
  g_assert_true (gtk_combo_box_set_active_id (GTK_COMBO_BOX (format), ending));
}

/* Exports what is chosen in a format, under a name that is suggested and one that is typed. */
static char *
export_in_format (Stage *stage, const char *what, const char *ending, const char *suggested,
                  const char *typed)
{
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  GtkWidget *dialog = dialogs_wait ();
  gtk_toggle_button_set_active (find_toggle (dialog, what), TRUE);
  choose_format (dialog, ending);
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  char *path = dialogs_save_as (stage, suggested, typed);
  dialogs_wait_for_task (stage);
  return path;
}

static void
test_formats (void)
{
  g_autoptr (Stage) stage = stage_new ();
  if (fs_export_format_get_writer (FS_EXPORT_WEBP) == NULL
      || fs_export_format_get_writer (FS_EXPORT_TIFF) == NULL) {
    g_test_skip ("this build does not write both WebP and TIFF");
    return;
  }
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  g_autofree char *webp =
      export_in_format (stage, "what_cutout", ".webp", "scene-cutout.webp", "scene-cutout.webp");
  assert_message (stage, "Saved “scene-cutout.webp”");
  assert_whole_cutout (webp, document);
  g_assert_cmpint (fs_export_format_of (webp), ==, FS_EXPORT_WEBP);

  /* Another format of the same keeps the name that was chosen; what is typed goes before. */
  g_autofree char *tiff =
      export_in_format (stage, "what_cutout", ".tif", "scene-cutout.tif", "other.TIFF");
  assert_message (stage, "Saved “other.TIFF”");
  assert_whole_cutout (tiff, document);
  g_autofree char *bare = export_in_format (stage, "what_cutout", ".webp", "other.webp", "a.b");
  g_autofree char *full = g_strconcat (bare, ".webp", NULL);
  assert_message (stage, "Saved “a.b.webp”");
  assert_whole_cutout (full, document);

  /* WebP has no palette. */
  g_free (
      export_in_format (stage, "what_labels", ".webp", "scene-objects.png", "scene-objects.png"));
  assert_message (stage, "Saved “scene-objects.png”");
  g_free (export_in_format (stage, "what_both", ".webp", "scene-cutout-2.webp", "last.webp"));
  assert_message (stage, "Saved “last.webp” and “last-mask.png”");
  g_object_set (fs_export_choice_get (), "format", ".png", NULL);
}

static void
open_two_objects (Stage *stage)
{
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_type (stage, GDK_KEY_2, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 200, 50, 200, 8);
}

/* The numbers of two objects, of which one has no strokes of the other near it. */
static void
test_export_objects (void)
{
  g_autoptr (Stage) stage = stage_new ();
  open_two_objects (stage);
  g_autofree char *path = export_as (stage, "what_labels", FALSE, "scene-objects.png");
  assert_message (stage, "Saved");
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

/* What the files of objects hold is what the picture of their numbers says. */
static void
assert_objects (Stage *stage, const char *prefix, int n_objects)
{
  FsDocument *document = stage_document (stage);
  FsSettings settings = fs_document_get_settings (document);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (SCENE_WIDTH, SCENE_HEIGHT);
  g_autofree uint8_t *numbers = g_malloc (N_PIXELS);
  fs_seed_map_set (seeds, fs_document_get_marks (document));
  g_assert_true (fs_mask_map_objects (fs_document_get_image (document), &settings, seeds, NULL,
                                      fs_document_get_mask (document), NULL, numbers, NULL));
  for (int object = 1; object <= n_objects; object++) {
    g_autofree uint8_t *mask = g_malloc (N_PIXELS), *marks = g_malloc (N_PIXELS);
    fs_export_pick_object (numbers, fs_document_get_marks (document), N_PIXELS,
                           fs_tools_object_label (object), mask, marks);
    g_autofree char *name = g_strdup_printf ("%s-%d.png", prefix, object);
    g_autofree char *path = g_build_filename (stage->folder, name, NULL);
    assert_cutout (path, document, mask, marks);
  }
  g_autofree char *next = g_strdup_printf ("%s-%d.png", prefix, n_objects + 1);
  g_autofree char *path = g_build_filename (stage->folder, next, NULL);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* A cut-out of each object, then of one more under the names that there are; what somebody else
 * wrote is replaced neither by that nor by names that are suggested. */
static void
test_export_each_object (void)
{
  g_autoptr (Stage) stage = stage_new ();
  open_two_objects (stage);
  FsProject *project = fs_window_get_project (stage->window);
  g_assert_true (fs_project_is_unsaved (project));
  g_free (export_as (stage, "what_each", FALSE, "scene-object.png"));
  assert_message (stage, "“scene-object-1.png” … “scene-object-2.png”");
  assert_objects (stage, "scene-object", 2);
  g_assert_true (fs_project_is_exported (project));

  stage_type (stage, GDK_KEY_3, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 200, 20, 230, 20, 8);
  g_autofree char *mine = g_build_filename (stage->folder, "scene-object-3.png", NULL);
  g_assert_true (g_file_set_contents (mine, "precious", -1, NULL));
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK);
  dialogs_wait_for_task (stage);
  assert_message (stage, "scene-object-3.png” is there already");
  g_assert_true (fs_project_is_unsaved (project));
  g_assert_cmpint (g_remove (mine), ==, 0);
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK);
  dialogs_wait_for_task (stage);
  assert_objects (stage, "scene-object", 3);

  /* Asked for again, they have the same names, and are replaced. */
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 200, 40, 230, 40, 8);
  g_free (export_as (stage, "what_each", FALSE, "scene-object.png"));
  assert_objects (stage, "scene-object", 3);

  /* The whole has a name of its own; the next set of objects, in a new window, too. */
  g_free (export_as (stage, "what_cutout", FALSE, "scene-cutout.png"));
  g_free (export_as (stage, "what_each", FALSE, "scene-2-object.png"));
  assert_objects (stage, "scene-2-object", 3);

  /* What is named says so, as far as a file may. */
  g_assert_true (fs_project_set_name (project, FS_SEED_OBJECT + 1, "Tic/Tac: \"p\303\251\". "));
  stage_type (stage, GDK_KEY_e, GDK_CONTROL_MASK);
  dialogs_wait_for_task (stage);
  assert_message (stage, "“scene-2-object-1.png” … “scene-2-object-3.png”");
  g_autofree char *named =
      g_build_filename (stage->folder, "scene-2-object-2-Tic-Tac- -p\303\251-.png", NULL);
  g_assert_true (g_file_test (named, G_FILE_TEST_IS_REGULAR));
  assert_objects (stage, "scene-2-object", 3);
}

static void
assert_object_name (const char *chosen, const char *name, const char *expected)
{
  g_autofree char *made = fs_export_names_object (chosen, 3, name);
  g_assert_cmpstr (made, ==, expected);
}

static void
test_names_of_objects (void)
{
  assert_object_name ("/a.b/robin-object.png", NULL, "/a.b/robin-object-3.png");
  assert_object_name ("/a.b/robin", "Pot", "/a.b/robin-3-Pot.png");
  assert_object_name ("robin.png", "../x\\y\001", "robin-3-..-x-y-.png");
  assert_object_name ("robin.png", ". .", "robin-3.png");
  assert_object_name ("robin.webp", "Pot", "robin-3-Pot.webp");
  assert_object_name ("robin.TIF", NULL, "robin-3.TIF");
  g_autofree char *longest = g_strnfill (80, 'x'),
                  *too_long = g_strconcat (longest, "\303\251", NULL);
  g_autofree char *expected = g_strdup_printf ("robin-3-%s.png", longest);
  assert_object_name ("robin.png", longest, expected);
  assert_object_name ("robin.png", too_long, expected);
}

/* Only its own place, and its border without the object beside it. */
static void
test_export_each_cropped (void)
{
  g_autoptr (Stage) stage = stage_new ();
  open_two_objects (stage);
  g_free (export_as (stage, "what_each", TRUE, "scene-object.png"));
  g_autofree char *path = g_build_filename (stage->folder, "scene-object-2.png", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) second = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (second->image->width, <, SCENE_WIDTH / 2);
  g_assert_cmpint (second->image->height, <, SCENE_HEIGHT / 2);
}

/* All of the photo becomes background while one is asked what to export. */
static void
test_export_no_object (void)
{
  const FsSample sample = { .x = SCENE_WIDTH / 2, .y = SCENE_HEIGHT / 2, .pressure = 1 };
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  stage_activate (stage, "export");
  GtkWidget *dialog = dialogs_wait ();
  gtk_toggle_button_set_active (find_toggle (dialog, "what_each"), TRUE);
  g_assert_true (fs_document_begin_stroke (document, FS_SEED_BACKGROUND, SCENE_WIDTH));
  fs_document_extend_stroke (document, &sample, 1);
  fs_document_end_stroke (document);
  dialogs_press (dialog, GTK_RESPONSE_ACCEPT);
  g_free (dialogs_save_as (stage, "scene-object.png", "scene-object.png"));
  dialogs_wait_for_task (stage);
  assert_message (stage, "There is no object");
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
  assert_message (stage, "“scene-cutout.png” and “scene-mask-2.png”");
  assert_whole_cutout (cutout, document);
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

static void
assert_size (const char *path, FsRect area)
{
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, NULL);
  g_assert_cmpint (photo->image->width, ==, area.x1 - area.x0);
  g_assert_cmpint (photo->image->height, ==, area.y1 - area.y0);
}

/* The choice is remembered by the next dialog, and by another window's. */
static void
test_export_cropped (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  const FsEdgeSettings edge = { .width_px = 6, .shift_tenths = 30, .clean = 100 };
  const FsRect hard =
      fs_crop_to_object (fs_document_get_mask (document), NULL, SCENE_WIDTH, SCENE_HEIGHT);
  fs_document_set_edge_settings (document, &FS_EDGE_SETTINGS_HARD, FALSE);
  g_autofree char *mask = export_as (stage, "what_mask", TRUE, "scene-mask.png");
  assert_size (mask, hard);
  /* The edge lies beyond the mask. */
  fs_document_set_edge_settings (document, &edge, FALSE);
  const FsExport what = { .image = fs_document_get_image (document),
                          .mask = fs_document_get_mask (document),
                          .marks = fs_document_get_marks (document),
                          .edge = edge };
  const FsRect area =
      fs_export_edge_find_extent (&what, (FsRect){ 0, 0, SCENE_WIDTH, SCENE_HEIGHT });
  g_assert_cmpint (area.x1 - area.x0, >, hard.x1 - hard.x0);
  g_autofree char *path = export_as (stage, "what_cutout", TRUE, "scene-cutout.png");
  assert_size (path, area);
  stage_activate (stage, "export");
  GtkWidget *dialog = dialogs_wait ();
  g_assert_true (gtk_toggle_button_get_active (find_toggle (dialog, "crop")));
  g_assert_true (gtk_toggle_button_get_active (find_toggle (dialog, "what_cutout")));
  gtk_toggle_button_set_active (find_toggle (dialog, "crop"), FALSE);
  dialogs_press (dialog, GTK_RESPONSE_CANCEL);
  stage_frame (stage);
}

/* A cut-out has the document's edge; a mask is exact, or has the alpha of the edge where that is
 * asked for. */
static void
test_export_soft (void)
{
  const FsEdgeSettings edge = { .width_px = 24, .clean = 100 };
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  g_assert_true (fs_document_set_edge_settings (document, &edge, FALSE));
  stage_activate (stage, "export");
  GtkWidget *dialog = dialogs_wait ();
  GtkToggleButton *soft_mask = find_toggle (dialog, "soft_mask");
  gtk_toggle_button_set_active (find_toggle (dialog, "what_cutout"), TRUE);
  g_assert_false (gtk_widget_is_sensitive (GTK_WIDGET (soft_mask)));
  gtk_toggle_button_set_active (find_toggle (dialog, "what_mask"), TRUE);
  g_assert_true (gtk_widget_is_sensitive (GTK_WIDGET (soft_mask)));
  dialogs_press (dialog, GTK_RESPONSE_CANCEL);
  stage_frame (stage);

  const FsRect all = { 0, 0, SCENE_WIDTH, SCENE_HEIGHT };
  g_autofree char *path = export_as (stage, "what_both", FALSE, "scene-cutout.png");
  g_autofree char *mask = g_build_filename (stage->folder, "scene-mask.png", NULL);
  g_autoptr (FsPhoto) cutout = fs_photo_load (path, NULL, NULL, NULL);
  FsExport what = { .image = fs_document_get_image (document),
                    .mask = fs_document_get_mask (document),
                    .edge = edge,
                    .marks = fs_document_get_marks (document) };
  g_autoptr (FsImage) expected = fs_export_edge_render (&what, all);
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

  g_object_set (fs_export_choice_get (), "soft-mask", TRUE, NULL);
  g_autofree char *alpha = export_as (stage, "what_mask", FALSE, "scene-mask-2.png");
  g_autoptr (FsPhoto) grey = fs_photo_load (alpha, NULL, NULL, NULL);
  for (int i = 0; i < N_PIXELS; i++)
    g_assert_cmpint (FS_PIXEL_G (grey->image->pixels[i]), ==, FS_PIXEL_A (expected->pixels[i]));
  g_object_set (fs_export_choice_get (), "soft-mask", FALSE, "what", FS_EXPORT_WHAT_CUTOUT, NULL);
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
  assert_message (stage, "Stopped. “scene-mask.png” was not written.");
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
  assert_message (stage, "scene-mask.png");
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
  assert_message (stage, "is the photo itself");
  g_assert_true (g_file_get_contents (photo, &after, &n_after, NULL));
  g_assert_cmpmem (before, n_before, after, n_after);
  g_assert_true (fs_project_is_unsaved (fs_window_get_project (stage->window)));
}

/* 64 × 48 pixels of one grey, 0x8012 of 16 bits, which gAMA says is light: half of it, and no half
 * of the way to white. */
static const char *const light_png =
    "iVBORw0KGgoAAAANSUhEUgAAAEAAAAAwEAAAAADUsP+AAAAABGdBTUEAAYagMeiWXwAAADRJREFUeNrtzkER"
    "AAAMAiAzLPGiG8MPRwHytxUBAQEBAQEBAQEBAQEBAQEBAQEBAQEBgXWgxhXYW8elZ0kAAAAASUVORK5CYII=";

/* Shown as it looks, exported as it is, and what the format cannot hold is said. */
static void
test_light (void)
{
  g_autoptr (Stage) stage = stage_new ();
  gsize n;
  double x, y;
  g_autofree guchar *bytes = g_base64_decode (light_png, &n);
  g_autofree char *path = g_build_filename (stage->folder, "light.png", NULL);
  g_assert_true (g_file_set_contents (path, (const char *)bytes, (gssize)n, NULL));
  stage_open (stage, path);
  stage_wait_for_final (stage);
  fs_tools_set_view (fs_window_get_tools (stage->window), FS_VIEW_MARKS);
  stage_frame (stage);
  const FsRgbMeaning linear = { { 0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06 }, 1 };
  g_autoptr (GBytes) can = fs_colour_profile_new (&linear);
  cairo_surface_t *shown = stage_shoot (GTK_WIDGET (stage_canvas (stage)));
  const int scale = fs_canvas_get_transform (stage_canvas (stage))->scale;
  stage_to_widget (stage, 20, 20, &x, &y);
  const int grey = FS_PIXEL_G (stage_pixel (shown, (int)x * scale, (int)y * scale));
  cairo_surface_destroy (shown);
  g_assert_cmpint (ABS (grey - (can != NULL ? 188 : 128)), <=, 1);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 10, 10, 20, 10, 4);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 50, 40, 60, 40, 4);
  stage_wait_for_final (stage);
  g_autofree char *png =
      export_in_format (stage, "what_cutout", ".png", "light-cutout.png", "a.png");
  assert_message (stage, "Saved");
  g_assert_null (
      strstr (fs_message_bar_get_text (fs_window_get_messages (stage->window)), "8 bits"));
  g_autoptr (FsPhotoSamples) samples = fs_photo_load_samples (png, NULL, NULL);
  g_assert_nonnull (samples);
  g_assert_cmpint (samples->samples[4 * (10 * 64 + 15)], ==, 0x8012);
  if (fs_export_format_get_writer (FS_EXPORT_WEBP) == NULL)
    return;
  g_free (export_in_format (stage, "what_cutout", ".webp", "a.webp", "b.webp"));
  assert_message (stage, "8 bits");
  g_object_set (fs_export_choice_get (), "format", ".png", NULL);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exports/files", test_export);
  g_test_add_func ("/exports/cancel-goes-back", test_cancel_goes_back);
  g_test_add_func ("/exports/formats", test_formats);
  g_test_add_func ("/exports/light", test_light);
  g_test_add_func ("/exports/both", test_export_both);
  g_test_add_func ("/exports/names-of-objects", test_names_of_objects);
  g_test_add_func ("/exports/objects", test_export_objects);
  g_test_add_func ("/exports/each-object", test_export_each_object);
  g_test_add_func ("/exports/each-cropped", test_export_each_cropped);
  g_test_add_func ("/exports/no-object", test_export_no_object);
  g_test_add_func ("/exports/many", test_export_many);
  g_test_add_func ("/exports/cropped", test_export_cropped);
  g_test_add_func ("/exports/soft", test_export_soft);
  g_test_add_func ("/exports/cancelled", test_export_cancelled);
  g_test_add_func ("/exports/failure", test_export_failure);
  g_test_add_func ("/exports/over-the-photo", test_export_over_the_photo);
  return g_test_run ();
}
