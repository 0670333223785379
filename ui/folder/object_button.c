/* SPDX-License-Identifier: MIT */
#include "ui/folder/object_button.h"

#include "ui/folder/class_choice.h"
#include "ui/settings/object_name.h"
#include <glib/gi18n.h>

struct _FsObjectButton {
  GtkMenuButton parent_instance;
  GtkLabel *label; /* colour and number */
  GtkLabel *name;  /* hidden while it has none */
  GMenu *objects;
  char *explanation; /* the tooltip while no object has a name */
  FsTools *tools;
  FsProject *project; /* may be NULL */
  gboolean in_job;
};

/* The extent of the name: the tools are a narrow column. */
#define NAME_CHARS 6
#define NAME_LINES 2

G_DEFINE_FINAL_TYPE (FsObjectButton, fs_object_button, GTK_TYPE_MENU_BUTTON)

/* Those that have a digit, and then those that labels gave a name; more do not fit on a screen. */
enum { MAX_ITEMS = 24 };

static gboolean
is_named (FsObjectButton *self, int object)
{
  return self->project != NULL
         && fs_project_get_name (self->project, fs_tools_object_label (object)) != NULL;
}

/* The object's text in the menu, with the number, which is its shortcut. g_free. */
static char *
call_object (FsObjectButton *self, int object)
{
  g_autofree char *name = fs_object_name_call (self->project, object);
  if (!is_named (self, object))
    return g_steal_pointer (&name);
  /* Translators: an object's number and its name */
  return g_strdup_printf (_ ("%d: %s"), object, name);
}

/* The number that is shown: an object of a job has that among those of its class. */
static int
get_number (FsObjectButton *self, int object)
{
  return self->in_job && is_named (self, object)
             ? fs_class_choice_get_instance (self->project, object)
             : object;
}

/* The current object for screen readers and the tooltip. g_free. */
static char *
describe_object (FsObjectButton *self, int object)
{
  if (!self->in_job || !is_named (self, object))
    return call_object (self, object);
  g_autofree char *name = fs_object_name_call (self->project, object);
  /* Translators: a class and the number of the object among those of the class */
  return g_strdup_printf (_ ("%s %d"), name, get_number (self, object));
}

static const char *
explain (FsObjectButton *self)
{
  return self->in_job ? _ ("What you paint: 1 to 9 choose a class, with Shift another object of it")
                      : self->explanation;
}

static void
on_object_changed (FsObjectButton *self)
{
  int object = fs_tools_get_object (self->tools);
  uint32_t rgb = fs_tools_get_labels (self->tools)->rgb[fs_tools_object_label (object)];
  g_autofree char *markup = g_strdup_printf ("<span foreground=\"#%06x\">●</span>\342\200\211%d",
                                             rgb, get_number (self, object));
  g_autofree char *description = describe_object (self, object);
  g_autofree char *name = fs_object_name_call (self->project, object);
  g_autofree char *tooltip = g_strdup_printf ("%s\n%s", description, explain (self));
  gtk_label_set_markup (self->label, markup);
  gtk_label_set_text (self->name, name);
  gtk_widget_set_visible (GTK_WIDGET (self->name), is_named (self, object));
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), description);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self),
                               is_named (self, object) ? tooltip : explain (self));
}

static void
fill_menu (FsObjectButton *self)
{
  g_menu_remove_all (self->objects);
  for (int object = 1, n = 0; object <= FS_TOOLS_LAST_OBJECT && n < MAX_ITEMS; object++) {
    if (object > FS_TOOLS_MAX_OBJECTS && !is_named (self, object))
      continue;
    n++;
    g_autofree char *name = call_object (self, object);
    g_autoptr (GMenuItem) item = g_menu_item_new (name, NULL);
    g_menu_item_set_action_and_target (item, "win.object", "i", object);
    g_menu_append_item (self->objects, item);
  }
}

static void
on_names_changed (FsObjectButton *self)
{
  fill_menu (self);
  on_object_changed (self);
}

void
fs_object_button_set_tools (FsObjectButton *self, FsTools *tools)
{
  g_return_if_fail (self->tools == NULL);
  self->tools = g_object_ref (tools);
  self->explanation = gtk_widget_get_tooltip_text (GTK_WIDGET (self));
  g_signal_connect_object (tools, "notify::object", G_CALLBACK (on_object_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tools, "labels-changed", G_CALLBACK (on_object_changed), self,
                           G_CONNECT_SWAPPED);
  on_object_changed (self);
}

static void
forget_project (FsObjectButton *self)
{
  if (self->project != NULL)
    g_signal_handlers_disconnect_by_data (self->project, self);
  g_clear_object (&self->project);
}

void
fs_object_button_set_project (FsObjectButton *self, FsProject *project)
{
  forget_project (self);
  if (project != NULL) {
    self->project = g_object_ref (project);
    g_signal_connect_object (project, "changed", G_CALLBACK (on_names_changed), self,
                             G_CONNECT_SWAPPED);
  }
  on_names_changed (self);
}

void
fs_object_button_set_in_job (FsObjectButton *self, gboolean in_job)
{
  self->in_job = in_job;
  on_object_changed (self);
}

static void
fs_object_button_dispose (GObject *object)
{
  FsObjectButton *self = FS_OBJECT_BUTTON (object);
  forget_project (self);
  g_clear_object (&self->tools);
  g_clear_object (&self->objects);
  g_clear_pointer (&self->explanation, g_free);
  G_OBJECT_CLASS (fs_object_button_parent_class)->dispose (object);
}

static void
fs_object_button_class_init (FsObjectButtonClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fs_object_button_dispose;
}

static void
fs_object_button_init (FsObjectButton *self)
{
  g_autoptr (GMenu) menu = g_menu_new (), naming = g_menu_new ();
  self->objects = g_menu_new ();
  fill_menu (self);
  g_menu_append (naming, _ ("_Name This Object…"), "win.name-object");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (self->objects));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (naming));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self), G_MENU_MODEL (menu));
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (self), GTK_ARROW_RIGHT);
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->label = GTK_LABEL (gtk_label_new (NULL));
  self->name = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->name, PANGO_ELLIPSIZE_END);
  gtk_label_set_line_wrap (self->name, TRUE);
  gtk_label_set_line_wrap_mode (self->name, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (self->name, NAME_LINES);
  gtk_label_set_justify (self->name, GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (self->name, NAME_CHARS);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self->name)),
                               "fs-object-name");
  gtk_container_add (GTK_CONTAINER (lines), GTK_WIDGET (self->label));
  gtk_container_add (GTK_CONTAINER (lines), GTK_WIDGET (self->name));
  gtk_widget_set_valign (lines, GTK_ALIGN_CENTER);
  gtk_container_add (GTK_CONTAINER (self), lines);
  gtk_widget_show_all (lines);
}
