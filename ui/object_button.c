/* SPDX-License-Identifier: MIT */
#include "ui/object_button.h"

#include "ui/views.h"
#include <glib/gi18n.h>

struct _FsObjectButton {
  GtkMenuButton parent_instance;
  GtkLabel *label;
  FsTools *tools;
};

G_DEFINE_FINAL_TYPE (FsObjectButton, fs_object_button, GTK_TYPE_MENU_BUTTON)

static char *
call_object (int object)
{
  /* Translators: objects are numbered, from 1 to 9 */
  return g_strdup_printf (_ ("Object %d"), object);
}

static void
on_object_changed (FsObjectButton *self)
{
  int object = fs_tools_get_object (self->tools);
  uint32_t rgb = fs_view_label_colour (fs_tools_object_label (object));
  g_autofree char *markup =
      g_strdup_printf ("<span foreground=\"#%06x\">●</span>\342\200\211%d", rgb, object);
  g_autofree char *name = call_object (object);
  gtk_label_set_markup (self->label, markup);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), name);
}

void
fs_object_button_set_tools (FsObjectButton *self, FsTools *tools)
{
  g_return_if_fail (self->tools == NULL);
  self->tools = g_object_ref (tools);
  g_signal_connect_object (tools, "notify::object", G_CALLBACK (on_object_changed), self,
                           G_CONNECT_SWAPPED);
  on_object_changed (self);
}

static void
fs_object_button_dispose (GObject *object)
{
  g_clear_object (&FS_OBJECT_BUTTON (object)->tools);
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
  g_autoptr (GMenu) menu = g_menu_new ();
  for (int object = 1; object <= FS_TOOLS_MAX_OBJECTS; object++) {
    g_autofree char *name = call_object (object);
    g_autoptr (GMenuItem) item = g_menu_item_new (name, NULL);
    g_menu_item_set_action_and_target (item, "win.object", "i", object);
    g_menu_append_item (menu, item);
  }
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self), G_MENU_MODEL (menu));
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (self), GTK_ARROW_RIGHT);
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_show (GTK_WIDGET (self->label));
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->label));
}
