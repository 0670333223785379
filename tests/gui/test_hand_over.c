/* SPDX-License-Identifier: MIT */
/* The window that another program opens: one photo, and Apply, which returns the cut-out. */
#include "app/live/document_edge.h"
#include "app/photo/photo.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/save/export_choice.h"
#include "ui/save/hand_over_flow.h"

#include <glib/gstdio.h>
#include <string.h>

static char *
path_in (Stage *stage, const char *name)
{
  return g_build_filename (stage->folder, name, NULL);
}

static gboolean
is_there (Stage *stage, const char *name)
{
  g_autofree char *path = path_in (stage, name);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
is_enabled (Stage *stage, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (stage->window), action);
}

static gboolean
is_visible (Stage *stage, const char *child)
{
  return gtk_widget_get_visible (GTK_WIDGET (
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, child)));
}

static gboolean
is_closed (gpointer window)
{
  return *(gpointer *)window == NULL;
}

static gboolean
is_finished (gpointer messages)
{
  return !fs_message_bar_has_task (messages);
}

static void
set_hand_over (Stage *stage)
{
  fs_window_set_hand_over (stage->window, stage->folder);
  g_object_set (fs_export_choice_get (), "crop", FALSE, NULL);
}

/* What Apply writes is the mask, and the strokes, which another window goes on with. */
static void
test_apply (void)
{
  g_autoptr (Stage) stage = stage_new ();
  set_hand_over (stage);
  stage_open_scene (stage);
  g_assert_true (is_visible (stage, "export_button"));
  g_assert_false (is_visible (stage, "open_buttons"));
  g_assert_false (is_enabled (stage, "apply"));
  g_assert_false (is_enabled (stage, "next-photo"));
  g_assert_false (is_enabled (stage, "paste"));
  const FsEdgeSettings hard = FS_EDGE_SETTINGS_HARD;
  fs_document_set_edge_settings (stage_document (stage), &hard, FALSE);
  stage_paint_both (stage);
  g_autoptr (GBytes) mask = stage_mask (stage);
  g_autoptr (GBytes) marks = stage_marks (stage);
  stage_activate (stage, "apply");
  stage_wait (is_closed, &stage->window);

  g_autofree char *path = path_in (stage, FS_HAND_OVER_CUTOUT);
  g_autofree char *session = path_in (stage, FS_HAND_OVER_SESSION);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (photo->image->width, ==, SCENE_WIDTH);
  const uint8_t *expected = g_bytes_get_data (mask, NULL);
  for (int p = 0; p < SCENE_WIDTH * SCENE_HEIGHT; p++)
    g_assert_cmpint (FS_PIXEL_A (photo->image->pixels[p]), ==, expected[p] ? 255 : 0);

  stage->window = fs_window_new (GTK_APPLICATION (stage->application));
  g_object_add_weak_pointer (G_OBJECT (stage->window), (gpointer *)&stage->window);
  fs_window_set_hand_over (stage->window, stage->folder);
  gtk_window_present (GTK_WINDOW (stage->window));
  stage_open (stage, session);
  stage_wait (is_finished, fs_window_get_messages (stage->window));
  g_autoptr (GBytes) again = stage_marks (stage);
  g_assert_true (g_bytes_equal (again, marks));
}

/* Nothing is asked, and nothing returned. */
static void
test_close (void)
{
  g_autoptr (Stage) stage = stage_new ();
  set_hand_over (stage);
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_activate (stage, "close");
  stage_wait (is_closed, &stage->window);
  g_assert_false (is_there (stage, FS_HAND_OVER_CUTOUT));
  g_assert_false (is_there (stage, FS_HAND_OVER_SESSION));
}

/* The window stays, says why, and returns the cut-out once that is possible. */
static void
test_failure (void)
{
  g_autoptr (Stage) stage = stage_new ();
  set_hand_over (stage);
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autofree char *path = path_in (stage, FS_HAND_OVER_CUTOUT);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  stage_activate (stage, "apply");
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  stage_wait (is_finished, messages);
  g_assert_nonnull (stage->window);
  const char *text = fs_message_bar_get_text (messages);
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, FS_HAND_OVER_CUTOUT));
  g_assert_cmpint (g_rmdir (path), ==, 0);
  stage_activate (stage, "apply");
  stage_wait (is_closed, &stage->window);
  g_assert_true (is_there (stage, FS_HAND_OVER_CUTOUT));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hand-over/apply", test_apply);
  g_test_add_func ("/hand-over/close", test_close);
  g_test_add_func ("/hand-over/failure", test_failure);
  return g_test_run ();
}
