/* SPDX-License-Identifier: MIT */
#include "ui/folder/object_button.h"

#include "ui/settings/object_name.h"
#include <glib/gi18n.h>

struct _FsObjectButton {
  GtkMenuButton parent_instance;
  GtkLabel *label;
  GMenu *objects;
  char *explanation; /* the tooltip while no object has a name */
  FsTools *tools;
  FsProject *project; /* may be NULL */
};

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

static void
on_object_changed (FsObjectButton *self)
{
  int object = fs_tools_get_object (self->tools);
  uint32_t rgb = fs_tools_get_labels (self->tools)->rgb[fs_tools_object_label (object)];
  g_autofree char *markup =
      g_strdup_printf ("<span foreground=\"#%06x\">●</span>\342\200\211%d", rgb, object);
  g_autofree char *name = call_object (self, object);
  g_autofree char *tooltip = g_strdup_printf ("%s\n%s", name, self->explanation);
  gtk_label_set_markup (self->label, markup);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self),
                               is_named (self, object) ? tooltip : self->explanation);
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
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_show (GTK_WIDGET (self->label));
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->label));
}
