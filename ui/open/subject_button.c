/* SPDX-License-Identifier: MIT */
#include "ui/open/subject_button.h"

#include "app/files/display_name.h"
#include "app/finder/finder_settings.h"
#include <glib/gi18n.h>
#include <string.h>

struct _FsSubjectButton {
  GtkButton parent_instance;
  GtkStack *stack; /* icon, spinner */
  GtkSpinner *spinner;
  GtkWidget *popover; /* weak; created on demand */
  GtkLabel *explanation;
};

G_DEFINE_FINAL_TYPE (FsSubjectButton, fs_subject_button, GTK_TYPE_BUTTON)

void
fs_subject_button_set_running (FsSubjectButton *self, gboolean running)
{
  g_object_set (self->spinner, "active", running, NULL);
  gtk_stack_set_visible_child_name (self->stack, running ? "spinner" : "icon");
}

/* ---- Without a finder ---- */

static void
on_set_up (FsSubjectButton *self)
{
  GtkWidget *window = gtk_widget_get_toplevel (GTK_WIDGET (self));
  /* Hidden immediately, since it returns the focus when it is hidden. */
  gtk_widget_hide (self->popover);
  g_action_group_activate_action (G_ACTION_GROUP (window), "set-up-finder", NULL);
}

/* The path with ~ for the home folder. */
static char *
call_models_folder (void)
{
  g_autofree char *folder = fs_finder_models_folder ();
  const char *home = g_get_home_dir ();
  gsize n = strlen (home);
  if (n > 1 && g_str_has_prefix (folder, home) && folder[n] == '/') {
    g_autofree char *rest = fs_display_name (folder + n);
    return g_strconcat ("~", rest, NULL);
  }
  return fs_display_name (folder);
}

static void
explain_how (FsSubjectButton *self)
{
  g_autofree char *folder = call_models_folder ();
  g_autofree char *text = g_strdup_printf (
      /* Translators: %s is a folder */
      _ ("Find Subject needs a program that guesses what to keep: install rembg (pipx install "
         "\"rembg[cpu,cli]\"), or put a model in ONNX format into %s for fretsaw-subject. Any "
         "other program that writes a mask can be set up in the settings."),
      folder);
  gtk_label_set_text (self->explanation, text);
}

static void
make_popover (FsSubjectButton *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Settings"));
  g_set_weak_pointer (&self->popover, gtk_popover_new (GTK_WIDGET (self)));
  gtk_popover_set_position (GTK_POPOVER (self->popover), GTK_POS_RIGHT);
  self->explanation = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_line_wrap (self->explanation, TRUE);
  gtk_label_set_line_wrap_mode (self->explanation, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (self->explanation, 44);
  gtk_label_set_xalign (self->explanation, 0);
  /* So that the command can be copied. */
  gtk_label_set_selectable (self->explanation, TRUE);
  gtk_widget_set_can_focus (GTK_WIDGET (self->explanation), FALSE);
  gtk_widget_set_halign (button, GTK_ALIGN_END);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_set_up), self, G_CONNECT_SWAPPED);
  g_object_set (box, "margin", 12, NULL);
  gtk_container_add (GTK_CONTAINER (box), GTK_WIDGET (self->explanation));
  gtk_container_add (GTK_CONTAINER (box), button);
  gtk_container_add (GTK_CONTAINER (self->popover), box);
  gtk_widget_show_all (box);
}

void
fs_subject_button_explain (FsSubjectButton *self)
{
  if (self->popover == NULL)
    make_popover (self);
  explain_how (self);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

void
fs_subject_button_close (FsSubjectButton *self)
{
  if (self->popover != NULL)
    gtk_widget_destroy (self->popover);
}

const char *
fs_subject_button_get_explanation (FsSubjectButton *self)
{
  gboolean is_open = self->popover != NULL && gtk_widget_get_visible (self->popover);
  return is_open ? gtk_label_get_text (self->explanation) : NULL;
}

/* ---- The widget ---- */

static void
fs_subject_button_dispose (GObject *object)
{
  FsSubjectButton *self = FS_SUBJECT_BUTTON (object);
  fs_subject_button_close (self);
  g_clear_weak_pointer (&self->popover);
  G_OBJECT_CLASS (fs_subject_button_parent_class)->dispose (object);
}

static void
fs_subject_button_class_init (FsSubjectButtonClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fs_subject_button_dispose;
}

static void
fs_subject_button_init (FsSubjectButton *self)
{
  GtkWidget *icon = gtk_image_new_from_icon_name ("fs-subject-symbolic", GTK_ICON_SIZE_BUTTON);
  gtk_button_set_relief (GTK_BUTTON (self), GTK_RELIEF_NONE);
  gtk_widget_set_focus_on_click (GTK_WIDGET (self), FALSE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self), "win.find-subject");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self),
                               _ ("Find Subject (G): another program guesses what to keep"));
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), _ ("Find Subject"));
  self->stack = GTK_STACK (gtk_stack_new ());
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->spinner)),
                       _ ("Finding the subject"));
  gtk_stack_add_named (self->stack, icon, "icon");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->spinner), "spinner");
  gtk_widget_show_all (GTK_WIDGET (self->stack));
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->stack));
}
