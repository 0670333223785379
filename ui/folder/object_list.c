/* SPDX-License-Identifier: MIT */
#include "ui/folder/object_list.h"

#include "ui/folder/class_choice.h"
#include "ui/folder/class_edit.h"
#include <glib/gi18n.h>

#define MARGIN_PX      18
#define INDENT_PX      34
#define HEADING_GAP_PX 6
/* Natural width of names. */
#define NAME_CHARS 24

struct _FsObjectList {
  GtkBox parent_instance;
  GtkBox *rows;
  GtkEntry *entry; /* for a new class */
  FsTools *tools;
  FsFolderJob *job; /* NULL: none */
  FsProject *project;
  guint fill_id; /* idle: the rows are made again once */
  char *shown;   /* all that the rows show, or NULL */
};

G_DEFINE_FINAL_TYPE (FsObjectList, fs_object_list, GTK_TYPE_BOX)

/* The row that a widget is in is about this class, or object. */
#define KEY_CLASS  "fs-class"
#define KEY_OBJECT "fs-object"

static const char *
class_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), KEY_CLASS);
}

static int
object_of (GtkWidget *widget)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (widget), KEY_OBJECT));
}

static void
mark_class (GtkWidget *widget, const char *name)
{
  g_object_set_data_full (G_OBJECT (widget), KEY_CLASS, g_strdup (name), g_free);
}

static void
mark_object (GtkWidget *widget, int object)
{
  g_object_set_data (G_OBJECT (widget), KEY_OBJECT, GINT_TO_POINTER (object));
}

/* ---- What rows do ---- */

static void
choose (FsObjectList *self, const char *name, gboolean is_new)
{
  const FsFolderClass *class = fs_folder_classes_find (fs_folder_job_get_classes (self->job), name);
  const int object = class != NULL ? fs_class_choice_find (self->project, class, is_new) : 0;
  if (object > 0)
    fs_tools_set_object (self->tools, object);
}

static void
on_class_clicked (GtkWidget *button, FsObjectList *self)
{
  choose (self, class_of (button), FALSE);
}

static void
on_new_object (GtkWidget *button, FsObjectList *self)
{
  choose (self, class_of (button), TRUE);
}

static void
on_object_clicked (GtkWidget *button, FsObjectList *self)
{
  fs_tools_set_object (self->tools, object_of (button));
}

static void
on_eye_toggled (GtkToggleButton *eye, FsObjectList *self)
{
  FsViewLabels labels = *fs_tools_get_labels (self->tools);
  const gboolean shown = gtk_toggle_button_get_active (eye);
  labels.is_hidden[fs_tools_object_label (object_of (GTK_WIDGET (eye)))] = !shown;
  gtk_image_set_from_icon_name (GTK_IMAGE (gtk_bin_get_child (GTK_BIN (eye))),
                                shown ? "view-reveal-symbolic" : "view-conceal-symbolic",
                                GTK_ICON_SIZE_BUTTON);
  fs_tools_set_labels (self->tools, &labels);
}

static void
on_colour_set (GtkColorButton *button, FsObjectList *self)
{
  GdkRGBA rgba;
  gtk_color_chooser_get_rgba (GTK_COLOR_CHOOSER (button), &rgba);
  const uint32_t rgb = (uint32_t)(rgba.red * 255 + 0.5) << 16
                       | (uint32_t)(rgba.green * 255 + 0.5) << 8
                       | (uint32_t)(rgba.blue * 255 + 0.5);
  FsFolderClasses *classes = fs_folder_classes_copy (fs_folder_job_get_classes (self->job));
  fs_folder_classes_set_colour (classes, class_of (GTK_WIDGET (button)), rgb);
  fs_folder_job_take_classes (self->job, classes);
}

static GtkWindow *
find_window (FsObjectList *self)
{
  return GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self)));
}

static void
on_rename (GtkWidget *button, FsObjectList *self)
{
  fs_class_edit_rename (find_window (self), self->job, self->project, class_of (button));
}

static void
on_remove (GtkWidget *button, FsObjectList *self)
{
  fs_class_edit_remove (find_window (self), self->job, self->project, class_of (button));
}

static void
on_add (FsObjectList *self)
{
  FsFolderClasses *classes = fs_folder_classes_copy (fs_folder_job_get_classes (self->job));
  if (fs_folder_classes_add (classes, gtk_entry_get_text (self->entry))) {
    gtk_entry_set_text (self->entry, "");
    fs_folder_job_take_classes (self->job, classes);
  } else {
    if (classes->classes->len < FS_FOLDER_CLASSES_MAX
        && gtk_entry_get_text_length (self->entry) > 0)
      fs_class_edit_refuse (self->job, gtk_entry_get_text (self->entry));
    gtk_widget_error_bell (GTK_WIDGET (self->entry));
    fs_folder_classes_free (classes);
  }
}

/* ---- Rows ---- */

static GtkWidget *
make_name (const char *text, gboolean is_chosen)
{
  GtkWidget *button = gtk_button_new (), *label = gtk_label_new (NULL);
  g_autofree char *markup = g_markup_printf_escaped (is_chosen ? "<b>%s</b>" : "%s", text);
  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), NAME_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_container_add (GTK_CONTAINER (button), label);
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_focus_on_click (button, FALSE);
  gtk_widget_set_hexpand (button, TRUE);
  atk_object_set_name (gtk_widget_get_accessible (button), text);
  return button;
}

static GtkWidget *
make_menu_item (FsObjectList *self, const char *text, const char *class, GCallback callback)
{
  GtkWidget *item = gtk_model_button_new ();
  g_object_set (item, "text", text, NULL);
  mark_class (item, class);
  g_signal_connect (item, "clicked", callback, self);
  return item;
}

static GtkWidget *
make_menu (FsObjectList *self, const char *class)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new (button);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_object_set (box, "margin", 9, NULL);
  const struct {
    const char *text;
    GCallback callback;
  } items[] = { { _ ("Another Object"), G_CALLBACK (on_new_object) },
                { _ ("Rename…"), G_CALLBACK (on_rename) },
                { _ ("Remove…"), G_CALLBACK (on_remove) } };
  for (gsize i = 0; i < G_N_ELEMENTS (items); i++)
    gtk_container_add (GTK_CONTAINER (box),
                       make_menu_item (self, items[i].text, class, items[i].callback));
  gtk_widget_show_all (box);
  gtk_container_add (GTK_CONTAINER (popover), box);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_button_set_image (GTK_BUTTON (button),
                        gtk_image_new_from_icon_name ("view-more-symbolic", GTK_ICON_SIZE_BUTTON));
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_focus_on_click (button, FALSE);
  g_autofree char *name = g_strdup_printf (_ ("More about %s"), class);
  atk_object_set_name (gtk_widget_get_accessible (button), name);
  return button;
}

static void
add_class (FsObjectList *self, const FsFolderClass *class, gboolean is_chosen)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4),
            *name = make_name (class->name, is_chosen);
  const GdkRGBA rgba = { (class->colour >> 16 & 255) / 255.0, (class->colour >> 8 & 255) / 255.0,
                         (class->colour & 255) / 255.0, 1 };
  GtkWidget *colour = gtk_color_button_new_with_rgba (&rgba);
  g_autofree char *key = class->key > 0 ? g_strdup_printf ("%d", class->key) : g_strdup ("");
  g_autofree char *colour_name = g_strdup_printf (_ ("Colour of %s"), class->name);
  GtkWidget *key_label = gtk_label_new (key);
  gtk_style_context_add_class (gtk_widget_get_style_context (key_label), GTK_STYLE_CLASS_DIM_LABEL);
  atk_object_set_name (gtk_widget_get_accessible (colour), colour_name);
  gtk_widget_set_focus_on_click (colour, FALSE);
  gtk_style_context_add_class (gtk_widget_get_style_context (colour), "fs-swatch");
  mark_class (colour, class->name);
  mark_class (name, class->name);
  g_signal_connect (colour, "color-set", G_CALLBACK (on_colour_set), self);
  g_signal_connect (name, "clicked", G_CALLBACK (on_class_clicked), self);
  gtk_container_add (GTK_CONTAINER (row), colour);
  gtk_container_add (GTK_CONTAINER (row), name);
  gtk_container_add (GTK_CONTAINER (row), key_label);
  gtk_container_add (GTK_CONTAINER (row), make_menu (self, class->name));
  gtk_container_add (GTK_CONTAINER (self->rows), row);
}

/* `can_hide`: with one object there is no map that tells it from others. */
static void
add_object (FsObjectList *self, int object, const char *text, gboolean can_hide)
{
  const gboolean is_hidden =
      fs_tools_get_labels (self->tools)->is_hidden[fs_tools_object_label (object)];
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *name = make_name (text, object == fs_tools_get_object (self->tools));
  GtkWidget *eye = gtk_toggle_button_new ();
  gtk_container_add (GTK_CONTAINER (eye),
                     gtk_image_new_from_icon_name (is_hidden ? "view-conceal-symbolic"
                                                             : "view-reveal-symbolic",
                                                   GTK_ICON_SIZE_BUTTON));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (eye), !is_hidden);
  gtk_button_set_relief (GTK_BUTTON (eye), GTK_RELIEF_NONE);
  gtk_widget_set_focus_on_click (eye, FALSE);
  gtk_widget_set_sensitive (eye, can_hide);
  g_autofree char *eye_name = g_strdup_printf (_ ("Show %s"), text);
  atk_object_set_name (gtk_widget_get_accessible (eye), eye_name);
  gtk_widget_set_tooltip_text (eye, _ ("Show it in the overlay and the cut-out; it is exported "
                                       "all the same"));
  gtk_widget_set_margin_start (row, INDENT_PX);
  mark_object (name, object);
  mark_object (eye, object);
  g_signal_connect (name, "clicked", G_CALLBACK (on_object_clicked), self);
  g_signal_connect (eye, "toggled", G_CALLBACK (on_eye_toggled), self);
  gtk_container_add (GTK_CONTAINER (row), name);
  gtk_container_add (GTK_CONTAINER (row), eye);
  gtk_container_add (GTK_CONTAINER (self->rows), row);
}

/* The objects of a class; `class` NULL: those that have none. */
static void
add_objects (FsObjectList *self, const char *class, const gboolean *is_used, guint n_used)
{
  const FsFolderClasses *classes = fs_folder_job_get_classes (self->job);
  for (int object = 1; object <= FS_TOOLS_LAST_OBJECT; object++) {
    const char *name = fs_project_get_name (self->project, fs_tools_object_label (object));
    const gboolean is_listed = fs_folder_classes_find (classes, name) != NULL;
    if (!is_used[object] || (class != NULL ? g_strcmp0 (name, class) != 0 : is_listed))
      continue;
    g_autofree char *text =
        name != NULL
            ? g_strdup_printf ("%s %d", name, fs_class_choice_get_instance (self->project, object))
            : g_strdup_printf (_ ("Object %d"), object);
    add_object (self, object, text, n_used > 1);
  }
}

typedef struct {
  gboolean is_used[FS_TOOLS_LAST_OBJECT + 1];
  guint n_used;
  int chosen;
} Objects;

static Objects
find_objects (FsObjectList *self)
{
  Objects objects = { .chosen = fs_tools_get_object (self->tools) };
  for (int object = 1; object <= FS_TOOLS_LAST_OBJECT; object++) {
    objects.is_used[object] = fs_class_choice_is_used (self->project, object);
    objects.n_used += objects.is_used[object];
  }
  /* The one that the brush paints is listed before there is a stroke of it. */
  objects.is_used[objects.chosen] = TRUE;
  return objects;
}

/* Objects whose class was removed from the list, or that have none. */
static gboolean
has_unlisted (FsObjectList *self, const Objects *objects)
{
  const FsFolderClasses *classes = fs_folder_job_get_classes (self->job);
  for (int object = 1; object <= FS_TOOLS_LAST_OBJECT; object++)
    if (objects->is_used[object]
        && !fs_folder_classes_find (classes, fs_project_get_name (self->project,
                                                                  fs_tools_object_label (object))))
      return TRUE;
  return FALSE;
}

static void
add_unlisted (FsObjectList *self, const Objects *objects)
{
  GtkWidget *heading = gtk_label_new (_ ("Not in the list"));
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_set_margin_top (heading, HEADING_GAP_PX);
  gtk_style_context_add_class (gtk_widget_get_style_context (heading), GTK_STYLE_CLASS_DIM_LABEL);
  gtk_container_add (GTK_CONTAINER (self->rows), heading);
  add_objects (self, NULL, objects->is_used, objects->n_used);
}

/* All that the rows show, as text. g_free. */
static char *
describe_rows (FsObjectList *self, const Objects *objects)
{
  g_autofree char *classes = fs_folder_classes_to_text (fs_folder_job_get_classes (self->job));
  GString *text = g_string_new (classes);
  g_string_append_printf (text, "%d", objects->chosen);
  for (int object = 1; object <= FS_TOOLS_LAST_OBJECT; object++) {
    const char *name = fs_project_get_name (self->project, fs_tools_object_label (object));
    if (objects->is_used[object])
      g_string_append_printf (text, "\n%d %s", object, name != NULL ? name : "");
  }
  return g_string_free (text, FALSE);
}

static void
destroy_row (GtkWidget *row, gpointer data)
{
  gtk_widget_destroy (row);
}

static void
fill (FsObjectList *self)
{
  const FsFolderClasses *classes = fs_folder_job_get_classes (self->job);
  const Objects objects = find_objects (self);
  const char *chosen = fs_project_get_name (self->project, fs_tools_object_label (objects.chosen));
  /* Rows that stay keep their menus open. */
  char *text = describe_rows (self, &objects);
  const gboolean same = g_strcmp0 (text, self->shown) == 0;
  g_free (self->shown);
  self->shown = text;
  if (same)
    return;
  gtk_container_foreach (GTK_CONTAINER (self->rows), destroy_row, NULL);
  for (guint i = 0; i < classes->classes->len; i++) {
    const FsFolderClass *class = fs_folder_classes_get (classes, i);
    add_class (self, class, g_strcmp0 (class->name, chosen) == 0);
    add_objects (self, class->name, objects.is_used, objects.n_used);
  }
  if (classes->classes->len == 0)
    add_objects (self, NULL, objects.is_used, objects.n_used);
  else if (has_unlisted (self, &objects))
    add_unlisted (self, &objects);
  gtk_widget_show_all (GTK_WIDGET (self->rows));
}

static gboolean
on_fill (gpointer user_data)
{
  FsObjectList *self = user_data;
  self->fill_id = 0;
  if (self->job != NULL && self->project != NULL)
    fill (self);
  return G_SOURCE_REMOVE;
}

/* Once, however much has changed, and not within the handler of one of its rows. */
static void
queue_fill (FsObjectList *self)
{
  if (self->fill_id == 0)
    self->fill_id = g_idle_add (on_fill, self);
}

/* ---- The widget ---- */

void
fs_object_list_set_tools (FsObjectList *self, FsTools *tools)
{
  g_return_if_fail (self->tools == NULL);
  self->tools = g_object_ref (tools);
  g_signal_connect_object (tools, "notify::object", G_CALLBACK (queue_fill), self,
                           G_CONNECT_SWAPPED);
}

static void
forget (FsObjectList *self)
{
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  if (self->project != NULL) {
    g_signal_handlers_disconnect_by_data (self->project, self);
    g_signal_handlers_disconnect_by_data (fs_project_get_document (self->project), self);
  }
  g_clear_object (&self->job);
  g_clear_object (&self->project);
  g_clear_pointer (&self->shown, g_free);
}

void
fs_object_list_set_job (FsObjectList *self, FsFolderJob *job, FsProject *project)
{
  gtk_widget_set_visible (GTK_WIDGET (self), job != NULL && project != NULL);
  if (self->job == job && self->project == project)
    return;
  forget (self);
  if (job == NULL || project == NULL)
    return;
  self->job = g_object_ref (job);
  self->project = g_object_ref (project);
  g_signal_connect_object (job, "classes-changed", G_CALLBACK (queue_fill), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (project, "changed", G_CALLBACK (queue_fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fs_project_get_document (project), "edited", G_CALLBACK (queue_fill),
                           self, G_CONNECT_SWAPPED);
  queue_fill (self);
}

static void
fs_object_list_dispose (GObject *object)
{
  FsObjectList *self = FS_OBJECT_LIST (object);
  g_clear_handle_id (&self->fill_id, g_source_remove);
  forget (self);
  g_clear_object (&self->tools);
  G_OBJECT_CLASS (fs_object_list_parent_class)->dispose (object);
}

static void
fs_object_list_class_init (FsObjectListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fs_object_list_dispose;
}

static void
fs_object_list_init (FsObjectList *self)
{
  GtkWidget *heading = gtk_label_new (_ ("Objects"));
  GtkWidget *adding = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *add = gtk_button_new_from_icon_name ("list-add-symbolic", GTK_ICON_SIZE_BUTTON);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  g_object_set (self, "margin", MARGIN_PX, NULL);
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_style_context_add_class (gtk_widget_get_style_context (heading), "fs-section");
  self->rows = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 2));
  self->entry = GTK_ENTRY (gtk_entry_new ());
  gtk_entry_set_placeholder_text (self->entry, _ ("New class"));
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->entry)), _ ("New class"));
  atk_object_set_name (gtk_widget_get_accessible (add), _ ("Add the class"));
  gtk_widget_set_tooltip_text (add, _ ("Add the class"));
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_add), self);
  g_signal_connect_swapped (add, "clicked", G_CALLBACK (on_add), self);
  gtk_box_pack_start (GTK_BOX (adding), GTK_WIDGET (self->entry), TRUE, TRUE, 0);
  gtk_container_add (GTK_CONTAINER (adding), add);
  gtk_container_add (GTK_CONTAINER (self), heading);
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->rows));
  gtk_container_add (GTK_CONTAINER (self), adding);
  gtk_widget_show_all (heading);
  gtk_widget_show_all (GTK_WIDGET (self->rows));
  gtk_widget_show_all (adding);
}
