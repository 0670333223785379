/* SPDX-License-Identifier: MIT */
#include "ui/settings/finder_panel.h"

#include "app/finder/finder_settings.h"
#include "app/finder/subject_finder.h"
#include "ui/settings/preferences.h"
#include <glib/gi18n.h>
#include <string.h>

/* Ids of the rows that are no presets. */
#define AUTOMATIC "automatic"
#define OWN       "own"

struct _FsFinderPanel {
  GtkBox parent;
  GtkComboBox *finder;
  GtkEntry *command;
  GtkLabel *fault;
  GtkAdjustment *time_limit;
  GtkWidget *on_opening;
  gboolean showing; /* widgets are being set from the settings */
};

G_DEFINE_FINAL_TYPE (FsFinderPanel, fs_finder_panel, GTK_TYPE_BOX)

/* Shows the error below the entry, and as its icon, in case the text is scrolled out of view. */
static void
show_fault (FsFinderPanel *self, const GError *error)
{
  gtk_entry_set_icon_from_icon_name (self->command, GTK_ENTRY_ICON_SECONDARY,
                                     error != NULL ? "dialog-warning-symbolic" : NULL);
  gtk_entry_set_icon_tooltip_text (self->command, GTK_ENTRY_ICON_SECONDARY,
                                   error != NULL ? error->message : NULL);
  gtk_label_set_text (self->fault, error != NULL ? error->message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->fault), error != NULL);
}

/* ---- From the settings ---- */

static void
append_choice (FsFinderPanel *self, const char *id, const char *text)
{
  gtk_combo_box_text_append (GTK_COMBO_BOX_TEXT (self->finder), id, text);
}

/* The text for the finder that runs if none is set. */
static char *
call_automatic (void)
{
  for (const char *const *name = fs_finder_presets_get_names (); *name != NULL; name++)
    if (fs_finder_preset_is_installed (*name))
      /* Translators: a setting that the program chooses by itself; %s is the name of what it chose
       */
      return g_strdup_printf (_ ("Automatic (%s)"), *name);
  return g_strdup (_ ("Automatic (none is installed)"));
}

/* Adds the installed presets, and the selected one even if it is not installed. */
static gboolean
fill_finders (FsFinderPanel *self, const char *wanted)
{
  gboolean is_preset = FALSE;
  g_autofree char *automatic = call_automatic ();
  gtk_combo_box_text_remove_all (GTK_COMBO_BOX_TEXT (self->finder));
  append_choice (self, AUTOMATIC, automatic);
  for (const char *const *name = fs_finder_presets_get_names (); *name != NULL; name++) {
    gboolean is_wanted = g_strcmp0 (*name, wanted) == 0;
    if (is_wanted || fs_finder_preset_is_installed (*name))
      append_choice (self, *name, *name);
    is_preset = is_preset || is_wanted;
  }
  append_choice (self, OWN, _ ("A command of your own"));
  return is_preset;
}

static gboolean
is_own (FsFinderPanel *self)
{
  return g_strcmp0 (gtk_combo_box_get_active_id (self->finder), OWN) == 0;
}

static void
show_settings (FsFinderPanel *self)
{
  g_auto (FsFinderSettings) settings = { 0 };
  fs_finder_settings_load (&settings);
  self->showing = TRUE;
  gboolean is_preset = fill_finders (self, settings.command);
  const char *id = is_preset ? settings.command : settings.command != NULL ? OWN : AUTOMATIC;
  gtk_combo_box_set_active_id (self->finder, id);
  gtk_entry_set_text (self->command,
                      settings.command != NULL && !is_preset ? settings.command : "");
  gtk_widget_set_visible (GTK_WIDGET (self->command), is_own (self));
  gtk_adjustment_set_value (self->time_limit, settings.time_limit_s);
  self->showing = FALSE;
  show_fault (self, NULL);
}

/* ---- To the settings ---- */

static void
save_finder (FsFinderPanel *self, const char *command)
{
  g_autoptr (GError) error = NULL;
  g_auto (FsFinderSettings) settings = { 0 };
  fs_finder_settings_load (&settings);
  g_free (settings.command);
  settings.command = g_strdup (command);
  settings.time_limit_s = (int)gtk_adjustment_get_value (self->time_limit);
  fs_finder_settings_save (&settings, &error);
  show_fault (self, error);
}

/* NULL with an error if it is not a finder's command. */
static char *
read_command (FsFinderPanel *self, GError **error)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (self->command)));
  g_autoptr (FsSubjectFinder) finder = fs_subject_finder_new (text, error);
  return finder != NULL ? g_steal_pointer (&text) : NULL;
}

static void
on_command_changed (FsFinderPanel *self)
{
  g_autoptr (GError) error = NULL;
  if (self->showing)
    return;
  g_free (read_command (self, &error));
  show_fault (self, gtk_entry_get_text_length (self->command) > 0 ? error : NULL);
}

static void
save_command (FsFinderPanel *self)
{
  g_autofree char *command = is_own (self) ? read_command (self, NULL) : NULL;
  if (command != NULL)
    save_finder (self, command);
}

/* Moves the focus out of the entry, so that keys are shortcuts again. */
static void
on_command_entered (FsFinderPanel *self)
{
  save_command (self);
  if (!gtk_widget_get_visible (GTK_WIDGET (self->fault)))
    gtk_widget_child_focus (gtk_widget_get_toplevel (GTK_WIDGET (self)), GTK_DIR_TAB_FORWARD);
}

static gboolean
on_command_left (FsFinderPanel *self)
{
  save_command (self);
  return GDK_EVENT_PROPAGATE;
}

static void
on_finder_changed (FsFinderPanel *self)
{
  const char *id = gtk_combo_box_get_active_id (self->finder);
  if (self->showing || id == NULL)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->command), is_own (self));
  show_fault (self, NULL);
  if (is_own (self)) {
    gtk_widget_grab_focus (GTK_WIDGET (self->command));
    save_command (self);
  } else {
    save_finder (self, strcmp (id, AUTOMATIC) == 0 ? NULL : id);
  }
}

static void
on_time_limit_changed (FsFinderPanel *self)
{
  g_auto (FsFinderSettings) settings = { 0 };
  if (self->showing)
    return;
  fs_finder_settings_load (&settings);
  save_finder (self, settings.command);
}

/* ---- The widget ---- */

/* A panel that is being opened has its position only in the second frame. */
static gboolean
on_frame (GtkWidget *finder, GdkFrameClock *clock, gpointer frames)
{
  if (++*(int *)frames < 3)
    return G_SOURCE_CONTINUE;
  gtk_widget_grab_focus (finder);
  return G_SOURCE_REMOVE;
}

void
fs_finder_panel_present (FsFinderPanel *self)
{
  gtk_widget_add_tick_callback (GTK_WIDGET (self->finder), on_frame, g_new0 (int, 1), g_free);
}

/* Programs may have been installed or removed since. */
static void
fs_finder_panel_map (GtkWidget *widget)
{
  show_settings (FS_FINDER_PANEL (widget));
  GTK_WIDGET_CLASS (fs_finder_panel_parent_class)->map (widget);
}

static void
fs_finder_panel_class_init (FsFinderPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  widget_class->map = fs_finder_panel_map;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/finder_panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FsFinderPanel, finder);
  gtk_widget_class_bind_template_child (widget_class, FsFinderPanel, command);
  gtk_widget_class_bind_template_child (widget_class, FsFinderPanel, fault);
  gtk_widget_class_bind_template_child (widget_class, FsFinderPanel, time_limit);
  gtk_widget_class_bind_template_child (widget_class, FsFinderPanel, on_opening);
  gtk_widget_class_bind_template_callback (widget_class, on_finder_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_command_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_command_left);
  gtk_widget_class_bind_template_callback (widget_class, on_command_entered);
  gtk_widget_class_bind_template_callback (widget_class, on_time_limit_changed);
}

static void
fs_finder_panel_init (FsFinderPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  if (fs_preferences_has (FS_FIND_ON_OPENING_KEY))
    g_settings_bind (fs_preferences_get (), FS_FIND_ON_OPENING_KEY, self->on_opening, "active",
                     G_SETTINGS_BIND_DEFAULT);
  else
    gtk_widget_hide (self->on_opening);
}
