/* SPDX-License-Identifier: MIT */
/* What objects are called: in the dialog, in the menu, in a session. */
#include "app/folder/folder_classes.h"
#include "tests/gui/dialogs.h"
#include "tests/gui/scene.h"
#include "ui/folder/object_button.h"

static const char *
accessible_name (GtkWidget *widget)
{
  return atk_object_get_name (gtk_widget_get_accessible (widget));
}

typedef struct {
  GType type;
  GtkWidget *found;
} Search;

static void
look_at (GtkWidget *widget, gpointer data)
{
  Search *search = data;
  if (g_type_is_a (G_OBJECT_TYPE (widget), search->type))
    search->found = widget;
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), look_at, search);
}

/* The one of that type in there. */
static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  Search search = { .type = type };
  look_at (widget, &search);
  g_assert_nonnull (search.found);
  return search.found;
}

static GtkWidget *
object_button (Stage *stage)
{
  return find_widget (GTK_WIDGET (stage->window), FS_TYPE_OBJECT_BUTTON);
}

static void
find_name (GtkWidget *widget, gpointer found)
{
  if (GTK_IS_LABEL (widget)
      && gtk_style_context_has_class (gtk_widget_get_style_context (widget), "fs-object-name"))
    *(GtkWidget **)found = widget;
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), find_name, found);
}

/* The name that is seen among the tools; NULL: none. */
static const char *
seen_name (Stage *stage)
{
  GtkWidget *label = NULL;
  find_name (object_button (stage), &label);
  g_assert_nonnull (label);
  return gtk_widget_get_visible (label) ? gtk_label_get_text (GTK_LABEL (label)) : NULL;
}

/* What the menu of objects says of one. */
static void
assert_in_menu (Stage *stage, int object, const char *name)
{
  GMenuModel *menu = gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (object_button (stage)));
  g_autoptr (GMenuModel) objects = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  g_autofree char *said = NULL;
  g_assert_cmpint (g_menu_model_get_n_items (objects), ==, 9);
  g_assert_true (
      g_menu_model_get_item_attribute (objects, object - 1, G_MENU_ATTRIBUTE_LABEL, "s", &said));
  g_assert_cmpstr (said, ==, name);
}

/* F2, a name, and an answer. */
static void
name_object (Stage *stage, const char *before, const char *name, int response)
{
  stage_type (stage, GDK_KEY_F2, 0);
  GtkWidget *dialog = dialogs_wait (), *entry = find_widget (dialog, GTK_TYPE_ENTRY);
  g_assert_cmpstr (gtk_entry_get_text (GTK_ENTRY (entry)), ==, before);
  gtk_entry_set_text (GTK_ENTRY (entry), name);
  dialogs_press (dialog, response);
  stage_frame (stage);
}

/* Objects get names, which are seen, saved, and there again with the session. */
static void
test_names (void)
{
  g_autoptr (Stage) stage = stage_new ();
  g_assert_false (
      g_action_group_get_action_enabled (G_ACTION_GROUP (stage->window), "name-object"));
  stage_open_scene (stage);
  stage_paint_both (stage);
  assert_in_menu (stage, 1, "Object 1");
  g_assert_null (seen_name (stage));
  name_object (stage, "", "Disc\tor  moon ", GTK_RESPONSE_ACCEPT);
  g_assert_cmpstr (seen_name (stage), ==, "Disc or  moon");
  assert_in_menu (stage, 1, "1: Disc or  moon");
  g_assert_cmpstr (accessible_name (object_button (stage)), ==, "1: Disc or  moon");
  g_autofree char *tooltip = gtk_widget_get_tooltip_text (object_button (stage));
  g_assert_true (g_str_has_prefix (tooltip, "1: Disc or  moon\n"));
  name_object (stage, "Disc or  moon", "Sun", GTK_RESPONSE_CANCEL);
  stage_type (stage, GDK_KEY_2, 0);
  g_assert_cmpstr (accessible_name (object_button (stage)), ==, "Object 2");
  name_object (stage, "", "Spot", GTK_RESPONSE_ACCEPT);
  name_object (stage, "Spot", "", GTK_RESPONSE_ACCEPT);
  assert_in_menu (stage, 2, "Object 2");
  stage_type (stage, GDK_KEY_4, 0);
  name_object (stage, "", "Ground", GTK_RESPONSE_ACCEPT);

  stage_type (stage, GDK_KEY_s, GDK_CONTROL_MASK);
  g_autofree char *path = dialogs_save_as (stage, "scene.fretsaw", "scene.fretsaw");
  dialogs_wait_for_task (stage);
  stage_open_scene (stage);
  assert_in_menu (stage, 1, "Object 1");
  g_autofree char *none = gtk_widget_get_tooltip_text (object_button (stage));
  g_assert_true (g_str_has_suffix (tooltip, none));
  stage_open (stage, path);
  assert_in_menu (stage, 1, "1: Disc or  moon");
  assert_in_menu (stage, 2, "Object 2");
  assert_in_menu (stage, 4, "4: Ground");
  g_assert_false (fs_project_is_unsaved (fs_window_get_project (stage->window)));
}

/* An object without a digit, as labels bring them, is in the menu once it has a name. */
static void
test_without_a_digit (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  fs_project_set_name (fs_window_get_project (stage->window), 15, "Cow");
  GMenuModel *menu = gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (object_button (stage)));
  g_autoptr (GMenuModel) objects = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  g_assert_cmpint (g_menu_model_get_n_items (objects), ==, 10);
  g_autofree char *said = NULL;
  g_assert_true (g_menu_model_get_item_attribute (objects, 9, G_MENU_ATTRIBUTE_LABEL, "s", &said));
  g_assert_cmpstr (said, ==, "14: Cow");
  g_action_group_activate_action (G_ACTION_GROUP (stage->window), "object",
                                  g_variant_new_int32 (14));
  g_assert_cmpstr (accessible_name (object_button (stage)), ==, "14: Cow");
}

/* In a job the digits are those of classes, and the number is that among the objects of one. */
static void
test_in_a_job (void)
{
  g_autoptr (Stage) stage = stage_new ();
  g_autoptr (FsFolderClasses) classes = fs_folder_classes_new (), saved = NULL;
  fs_folder_classes_add (classes, "disc");
  fs_folder_classes_add (classes, "flower pot");
  saved = fs_folder_classes_save (stage->folder, NULL, classes, NULL);
  g_autofree char *path = scene_write (stage->folder, "1.png");
  stage_open (stage, path);
  while (seen_name (stage) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (seen_name (stage), ==, "disc");
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 120, 170, 120, 3);
  stage_type (stage, GDK_KEY_2, 0);
  g_assert_cmpstr (seen_name (stage), ==, "flower pot");
  g_assert_cmpstr (accessible_name (object_button (stage)), ==, "flower pot 1");
  g_autofree char *tooltip = gtk_widget_get_tooltip_text (object_button (stage));
  g_assert_true (g_str_has_prefix (tooltip, "flower pot 1\nWhat you paint: 1 to 9"));
  int width = gtk_widget_get_allocated_width (object_button (stage));
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 20, 40, 20, 3);
  stage_type (stage, GDK_KEY_2, GDK_SHIFT_MASK);
  stage_frame (stage);
  g_assert_cmpstr (accessible_name (object_button (stage)), ==, "flower pot 2");
  stage_type (stage, GDK_KEY_1, 0);
  stage_frame (stage);
  g_assert_cmpstr (accessible_name (object_button (stage)), ==, "disc 1");
  g_assert_cmpint (gtk_widget_get_allocated_width (object_button (stage)), ==, width);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/names/window", test_names);
  g_test_add_func ("/names/without-a-digit", test_without_a_digit);
  g_test_add_func ("/names/in-a-job", test_in_a_job);
  return g_test_run ();
}
