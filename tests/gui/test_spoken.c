/* SPDX-License-Identifier: MIT */
/* The window with a screen reader: every control has a name, and changes are described. */
#include "tests/gui/spoken.h"
#include "tests/gui/stage.h"

#include <string.h>

static AtkObject *
canvas_of (Stage *stage)
{
  return gtk_widget_get_accessible (GTK_WIDGET (stage_canvas (stage)));
}

static void
assert_description (Stage *stage, const char *words)
{
  const char *text = atk_object_get_description (canvas_of (stage));
  if (text == NULL || strstr (text, words) == NULL)
    g_error ("“%s” is not in “%s”", words, text);
}

/* The walk itself: a button with a picture and nothing else is a fault; a tooltip is no name. */
static void
test_walk (void)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  GtkWidget *box = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  GtkWidget *button = gtk_button_new ();
  gtk_container_add (GTK_CONTAINER (box), button);
  gtk_container_add (GTK_CONTAINER (box), gtk_button_new_with_label ("Undo"));
  gtk_container_add (GTK_CONTAINER (box), gtk_drawing_area_new ());
  gtk_widget_show_all (box);
  g_assert_cmpuint (spoken_find_faults (box, faults), ==, 3);
  g_assert_cmpuint (faults->len, ==, 2);
  atk_object_set_name (gtk_widget_get_accessible (button), "Redo");
  g_ptr_array_set_size (faults, 0);
  spoken_find_faults (box, faults);
  g_assert_cmpuint (faults->len, ==, 1);
  gtk_widget_destroy (box);
  g_object_unref (box);
}

static void
test_empty (void)
{
  g_autoptr (Stage) stage = stage_new ();
  spoken_assert (GTK_WIDGET (stage->window), 15);
}

static void
pop_up (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget)
      && gtk_widget_is_sensitive (widget)) {
    GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (widget));
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (widget), TRUE);
    stage_frame (data);
    spoken_assert (GTK_WIDGET (popover), 2);
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (widget), FALSE);
    stage_frame (data);
  }
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), pop_up, data);
}

static void
test_painted (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  spoken_assert (GTK_WIDGET (stage->window), 25);
  pop_up (GTK_WIDGET (stage->window), stage);
}

/* The windows on the screen that are not the stage's. */
static GPtrArray *
other_windows (Stage *stage)
{
  GPtrArray *others = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();
  for (GList *l = toplevels; l != NULL; l = l->next)
    if (l->data != stage->window && gtk_widget_get_mapped (l->data))
      g_ptr_array_add (others, g_object_ref (l->data));
  return others;
}

static gboolean
has_other_window (gpointer data)
{
  g_autoptr (GPtrArray) others = other_windows (data);
  return others->len > 0;
}

static gboolean
has_no_other_window (gpointer data)
{
  return !has_other_window (data);
}

static void
walk_dialog (Stage *stage, gpointer group, const char *action)
{
  g_test_message ("%s", action);
  g_action_group_activate_action (group, action, NULL);
  stage_wait (has_other_window, stage);
  stage_frame (stage);
  g_autoptr (GPtrArray) others = other_windows (stage);
  for (guint i = 0; i < others->len; i++)
    spoken_assert (others->pdata[i], 1);
  for (guint i = 0; i < others->len; i++)
    if (GTK_IS_DIALOG (others->pdata[i]))
      gtk_dialog_response (others->pdata[i], GTK_RESPONSE_CANCEL);
    else
      gtk_window_close (others->pdata[i]);
  stage_wait (has_no_other_window, stage);
}

static void
test_dialogs (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  walk_dialog (stage, stage->application, "about");
  walk_dialog (stage, stage->application, "shortcuts");
  walk_dialog (stage, stage->window, "export");
  walk_dialog (stage, stage->window, "close");
}

/* What a screen reader reads of the canvas follows tool, brush, view, strokes and state. */
static void
test_description (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  g_assert_cmpstr (atk_object_get_name (canvas_of (stage)), ==, "Photo");
  assert_description (stage, "Nothing painted yet");
  assert_description (stage, "Object brush, 24 pixels wide");
  stage_type (stage, GDK_KEY_x, 0);
  assert_description (stage, "Background brush");
  stage_type (stage, GDK_KEY_e, 0);
  assert_description (stage, "Eraser");
  stage_type (stage, GDK_KEY_h, 0);
  assert_description (stage, "Hand; view: ");
  stage_type (stage, GDK_KEY_b, 0);
  fs_tools_set_brush_size (fs_window_get_tools (stage->window), 33);
  assert_description (stage, "33 pixels");
  fs_tools_set_view (fs_window_get_tools (stage->window), FS_VIEW_MASK);
  assert_description (stage, "view: Mask");
  stage_paint_both (stage);
  assert_description (stage, "2 strokes, exact");
  stage_activate (stage, "undo");
  stage_wait_for_final (stage);
  assert_description (stage, "1 stroke, exact");
}

/* Which of several objects the brush paints; with one object there is nothing to say. */
static void
test_described_objects (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  assert_description (stage, "Object brush, 24 pixels wide");
  fs_project_set_name (fs_window_get_project (stage->window), FS_SEED_OBJECT, "Disc");
  assert_description (stage, "Object brush, Disc, 24 pixels wide");
  fs_project_set_name (fs_window_get_project (stage->window), FS_SEED_OBJECT, NULL);
  assert_description (stage, "Object brush, 24 pixels wide");
  stage_type (stage, GDK_KEY_2, 0);
  assert_description (stage, "Object brush, Object 2, 24 pixels wide");
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 200, 50, 200, 8);
  stage_wait_for_final (stage);
  stage_type (stage, GDK_KEY_1, 0);
  assert_description (stage, "Object brush, Object 1, 24 pixels wide");
  fs_project_set_name (fs_window_get_project (stage->window), FS_SEED_OBJECT, "Robin");
  assert_description (stage, "Object brush, Robin, 24 pixels wide");
  stage_type (stage, GDK_KEY_n, 0);
  assert_description (stage, "Background brush, 24 pixels wide");
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spoken/walk", test_walk);
  g_test_add_func ("/spoken/empty", test_empty);
  g_test_add_func ("/spoken/painted", test_painted);
  g_test_add_func ("/spoken/dialogs", test_dialogs);
  g_test_add_func ("/spoken/described-objects", test_described_objects);
  g_test_add_func ("/spoken/description", test_description);
  return g_test_run ();
}
