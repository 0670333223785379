/* SPDX-License-Identifier: MIT */
#include "ui/settings/settings_panel.h"

#include <glib/gi18n.h>
#include <math.h>

struct _FsSettingsPanel {
  GtkBox parent;
  GtkAdjustment *smoothness; /* log2 of the settings' factor: each step doubles it */
  GtkScale *smoothness_scale;
  GtkComboBox *model; /* row ids are the models' names */
  GtkLabel *model_text;
  GtkToggleButton *stability;
  GtkToggleButton *neighbours_8;
  GtkToggleButton *neighbours_4;
  GtkWidget *reset_smoothness;
  GtkWidget *reset_model;
  GtkWidget *reset_stability;
  GtkWidget *reset_neighbours;
  GtkWidget *reset;
  FsDocument *document;
  gboolean showing; /* widgets are being set from the document */
};

G_DEFINE_FINAL_TYPE (FsSettingsPanel, fs_settings_panel, GTK_TYPE_BOX)

static const struct {
  const char *name; /* fs_model_name */
  const char *text;
  const char *explanation;
} models[] = {
  { "geodesic", N_ ("Near the brush"),
    N_ ("Spreads from the strokes over what looks alike, and needs the fewest strokes.") },
  { "kmeans", N_ ("Colour groups (Lazy Snapping)"),
    N_ ("Uses the colours under the strokes, wherever in the photo they occur.") },
  { "gmm", N_ ("Colour mixtures"),
    N_ ("Uses colours as well, as smooth distributions that may overlap.") },
};

FsSettings
fs_settings_panel_get_defaults (void)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.stability = TRUE;
  return settings;
}

/* Shows a reset button for each setting that is not the default. */
static void
show_resets (FsSettingsPanel *self, const FsSettings *s)
{
  FsSettings usual = fs_settings_panel_get_defaults ();
  gtk_widget_set_sensitive (self->reset_smoothness, s->smoothness != usual.smoothness);
  gtk_widget_set_sensitive (self->reset_model, s->model != usual.model);
  gtk_widget_set_sensitive (self->reset_stability, s->stability != usual.stability);
  gtk_widget_set_sensitive (self->reset_neighbours, s->neighbours != usual.neighbours);
  gtk_widget_set_sensitive (self->reset, !fs_settings_equal (s, &usual));
}

static void
explain_model (FsSettingsPanel *self, const FsSettings *settings)
{
  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    if (g_str_equal (models[i].name, fs_model_name (settings->model)))
      gtk_label_set_text (self->model_text, _ (models[i].explanation));
}

static void
show_settings (FsSettingsPanel *self, const FsSettings *settings)
{
  self->showing = TRUE;
  gtk_adjustment_set_value (self->smoothness, log2 (fmax (settings->smoothness, 1e-6)));
  gtk_toggle_button_set_active (settings->neighbours == FS_NEIGHBOURS_8 ? self->neighbours_8
                                                                        : self->neighbours_4,
                                TRUE);
  gtk_combo_box_set_active_id (self->model, fs_model_name (settings->model));
  gtk_toggle_button_set_active (self->stability, settings->stability);
  self->showing = FALSE;
  show_resets (self, settings);
  explain_model (self, settings);
}

static void
on_changed (FsSettingsPanel *self)
{
  if (self->showing || self->document == NULL)
    return;
  FsSettings settings = fs_document_get_settings (self->document);
  settings.neighbours =
      gtk_toggle_button_get_active (self->neighbours_8) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
  settings.smoothness = exp2 (gtk_adjustment_get_value (self->smoothness));
  settings.stability = gtk_toggle_button_get_active (self->stability);
  fs_model_from_name (gtk_combo_box_get_active_id (self->model), &settings.model);
  fs_document_set_settings (self->document, &settings);
  show_resets (self, &settings);
  explain_model (self, &settings);
}

static void
set_settings (FsSettingsPanel *self, const FsSettings *settings)
{
  show_settings (self, settings);
  if (self->document != NULL)
    fs_document_set_settings (self->document, settings);
}

static void
on_reset (FsSettingsPanel *self)
{
  FsSettings settings = fs_settings_panel_get_defaults ();
  set_settings (self, &settings);
}

static void
on_reset_smoothness (FsSettingsPanel *self)
{
  FsSettings settings = fs_document_get_settings (self->document);
  settings.smoothness = fs_settings_panel_get_defaults ().smoothness;
  set_settings (self, &settings);
}

static void
on_reset_model (FsSettingsPanel *self)
{
  FsSettings settings = fs_document_get_settings (self->document);
  settings.model = fs_settings_panel_get_defaults ().model;
  set_settings (self, &settings);
}

static void
on_reset_stability (FsSettingsPanel *self)
{
  FsSettings settings = fs_document_get_settings (self->document);
  settings.stability = fs_settings_panel_get_defaults ().stability;
  set_settings (self, &settings);
}

static void
on_reset_neighbours (FsSettingsPanel *self)
{
  FsSettings settings = fs_document_get_settings (self->document);
  settings.neighbours = fs_settings_panel_get_defaults ().neighbours;
  set_settings (self, &settings);
}

void
fs_settings_panel_set_document (FsSettingsPanel *self, FsDocument *document)
{
  g_set_object (&self->document, document);
  gtk_widget_set_sensitive (GTK_WIDGET (self), document != NULL);
  if (document == NULL)
    return;
  FsSettings settings = fs_document_get_settings (document);
  show_settings (self, &settings);
}

static void
fs_settings_panel_dispose (GObject *object)
{
  g_clear_object (&FS_SETTINGS_PANEL (object)->document);
  G_OBJECT_CLASS (fs_settings_panel_parent_class)->dispose (object);
}

static void
fs_settings_panel_class_init (FsSettingsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fs_settings_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/settings_panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, smoothness);
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, smoothness_scale);
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, model);
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, stability);
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, neighbours_8);
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, neighbours_4);
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, model_text);
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, reset_smoothness);
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, reset_model);
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, reset_stability);
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, reset_neighbours);
  gtk_widget_class_bind_template_child (widget_class, FsSettingsPanel, reset);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_reset_smoothness);
  gtk_widget_class_bind_template_callback (widget_class, on_reset_model);
  gtk_widget_class_bind_template_callback (widget_class, on_reset_stability);
  gtk_widget_class_bind_template_callback (widget_class, on_reset_neighbours);
}

static void
fs_settings_panel_init (FsSettingsPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_scale_add_mark (self->smoothness_scale, 0, GTK_POS_BOTTOM, NULL);
  FsModelKind kind;
  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    if (fs_model_from_name (models[i].name, &kind))
      gtk_combo_box_text_append (GTK_COMBO_BOX_TEXT (self->model), models[i].name,
                                 _ (models[i].text));
}
