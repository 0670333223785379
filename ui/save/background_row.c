/* SPDX-License-Identifier: MIT */
#include "ui/save/background_row.h"

#include "app/files/display_name.h"
#include "ui/open/file_filters.h"
#include "ui/save/export_choice.h"
#include "ui/settings/colour_binding.h"
#include <glib/gi18n.h>

#define MAX_NAME_CHARS 14

struct _FsBackgroundRow {
  GtkBox parent;
  GtkComboBox *kind;
  GtkWidget *colour;
  GtkButton *picture;
  GtkLabel *problem;
  GtkFileChooserNative *chooser; /* while it is open */
  GCancellable *cancellable;     /* of the picture that is read */
};

G_DEFINE_FINAL_TYPE (FsBackgroundRow, fs_background_row, GTK_TYPE_BOX)

static void
show_problem (FsBackgroundRow *self, const char *text)
{
  gtk_label_set_text (self->problem, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), text != NULL);
}

static void
refresh_row (FsBackgroundRow *self)
{
  g_autofree char *kind = NULL;
  g_object_get (fs_export_choice_get (), "background", &kind, NULL);
  const char *path = fs_export_choice_get_picture_path (fs_export_choice_get ());
  if (path != NULL) {
    g_autofree char *shown = fs_display_name (path);
    g_autofree char *name = g_path_get_basename (shown);
    gtk_button_set_label (self->picture, name);
  }
  GtkWidget *label = gtk_bin_get_child (GTK_BIN (self->picture));
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MAX_NAME_CHARS);
  gtk_widget_set_visible (self->colour, g_str_equal (kind, "colour"));
  gtk_widget_set_visible (GTK_WIDGET (self->picture), g_str_equal (kind, "picture"));
  if (!g_str_equal (kind, "picture"))
    show_problem (self, NULL);
}

/* ---- The picture ---- */

static void
read_picture (GTask *task, gpointer source, gpointer path, GCancellable *cancellable)
{
  GError *error = NULL;
  FsBackground *picture = fs_background_new (path, &error);
  if (picture != NULL)
    g_task_return_pointer (task, picture, (GDestroyNotify)fs_background_unref);
  else
    g_task_return_error (task, error);
}

/* Takes no picture that another one followed, or whose dialog was closed. */
static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsBackgroundRow) self = FS_BACKGROUND_ROW (g_object_ref (source));
  g_autoptr (GError) error = NULL;
  g_autoptr (FsBackground) picture = g_task_propagate_pointer (G_TASK (result), &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  show_problem (self, error != NULL ? error->message : NULL);
  fs_export_choice_set_picture (fs_export_choice_get (), picture,
                                g_task_get_task_data (G_TASK (result)));
}

void
fs_background_row_set_picture (FsBackgroundRow *self, const char *path)
{
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, on_read, NULL);
  /* Not a colour's name. */
  g_task_set_task_data (task, g_canonicalize_filename (path, NULL), g_free);
  g_task_run_in_thread (task, read_picture);
}

static void
on_picture_chosen (FsBackgroundRow *self, int response)
{
  g_autofree char *path = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (self->chooser));
  g_clear_object (&self->chooser);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL)
    fs_background_row_set_picture (self, path);
}

static void
ask_for_picture (FsBackgroundRow *self)
{
  GtkWidget *parent = gtk_widget_get_toplevel (GTK_WIDGET (self));
  const char *path = fs_export_choice_get_picture_path (fs_export_choice_get ());
  g_clear_object (&self->chooser);
  self->chooser =
      gtk_file_chooser_native_new (_ ("Background"), GTK_WINDOW (parent),
                                   GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));
  fs_file_filters_add_photos (GTK_FILE_CHOOSER (self->chooser));
  if (path != NULL)
    gtk_file_chooser_set_filename (GTK_FILE_CHOOSER (self->chooser), path);
  fs_file_filters_ask (self->chooser, G_CALLBACK (on_picture_chosen), self);
}

/* ---- The widget ---- */

static void
fs_background_row_dispose (GObject *object)
{
  FsBackgroundRow *self = FS_BACKGROUND_ROW (object);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->chooser);
  G_OBJECT_CLASS (fs_background_row_parent_class)->dispose (object);
}

static void
fs_background_row_class_init (FsBackgroundRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fs_background_row_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/background_row.ui");
  gtk_widget_class_bind_template_child (widget_class, FsBackgroundRow, kind);
  gtk_widget_class_bind_template_child (widget_class, FsBackgroundRow, colour);
  gtk_widget_class_bind_template_child (widget_class, FsBackgroundRow, picture);
  gtk_widget_class_bind_template_child (widget_class, FsBackgroundRow, problem);
}

static void
fs_background_row_init (FsBackgroundRow *self)
{
  FsExportChoice *choice = fs_export_choice_get ();
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  fs_colour_bind (choice, "background-colour", GTK_COLOR_CHOOSER (self->colour));
  g_object_bind_property (choice, "background", self->kind, "active-id",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_signal_connect_object (choice, "notify::background", G_CALLBACK (refresh_row), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->picture, "clicked", G_CALLBACK (ask_for_picture), self,
                           G_CONNECT_SWAPPED);
  refresh_row (self);
}
