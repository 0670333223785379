/* SPDX-License-Identifier: MIT */
#include "ui/settings/tool_panel.h"

#include "ui/settings/choice.h"
#include "ui/settings/colour_binding.h"
#include "ui/settings/preferences.h"

struct _FsToolPanel {
  GtkBox parent;
  GtkToggleButton *right_other, *right_erase, *right_move;
  GtkToggleButton *pressure;
  GtkToggleButton *fixed_size;
  GtkColorChooser *overlay_colour;
  GtkAdjustment *overlay_opacity;
  GtkToggleButton *backdrop_checks, *backdrop_black, *backdrop_white, *backdrop_colour;
  GtkColorChooser *backdrop_own;
  GtkWidget *reset_views, *reset_brushes;
  FsTools *tools;
};

G_DEFINE_FINAL_TYPE (FsToolPanel, fs_tool_panel, GTK_TYPE_BOX)

/* Settings that are shown, stored and reset here; names of properties of the tools and of
 * preferences. */
static const char *const views[] = { "overlay-colour", "overlay-opacity", "backdrop",
                                     "backdrop-colour", NULL };
static const char *const brushes[] = { "right-button", "pressure", "fixed-size", NULL };

static void
bind_choices (FsToolPanel *self)
{
  const struct {
    GtkToggleButton *button;
    const char *property;
    int value;
  } choices[] = {
    { self->right_other, "right-button", FS_RIGHT_BUTTON_OTHER },
    { self->right_erase, "right-button", FS_RIGHT_BUTTON_ERASE },
    { self->right_move, "right-button", FS_RIGHT_BUTTON_MOVE },
    { self->backdrop_checks, "backdrop", FS_BACKDROP_CHECKS },
    { self->backdrop_black, "backdrop", FS_BACKDROP_BLACK },
    { self->backdrop_white, "backdrop", FS_BACKDROP_WHITE },
    { self->backdrop_colour, "backdrop", FS_BACKDROP_COLOUR },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    fs_choice_bind (choices[i].button, G_OBJECT (self->tools), choices[i].property,
                    choices[i].value);
}

static gboolean
is_default (FsToolPanel *self, const char *property)
{
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (self->tools), property);
  g_auto (GValue) value = G_VALUE_INIT;
  g_value_init (&value, spec->value_type);
  g_object_get_property (G_OBJECT (self->tools), property, &value);
  return g_param_value_defaults (spec, &value);
}

static gboolean
are_default (FsToolPanel *self, const char *const *properties)
{
  for (; *properties != NULL; properties++)
    if (!is_default (self, *properties))
      return FALSE;
  return TRUE;
}

static void
on_tools_changed (FsToolPanel *self)
{
  gtk_widget_set_sensitive (self->reset_views, !are_default (self, views));
  gtk_widget_set_sensitive (self->reset_brushes, !are_default (self, brushes));
}

static void
reset_properties (FsToolPanel *self, const char *const *properties)
{
  GObject *tools = G_OBJECT (self->tools);
  for (; *properties != NULL; properties++) {
    GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (tools), *properties);
    g_object_set_property (tools, *properties, g_param_spec_get_default_value (spec));
  }
}

static void
on_reset_views (FsToolPanel *self)
{
  reset_properties (self, views);
}

static void
on_reset_brushes (FsToolPanel *self)
{
  reset_properties (self, brushes);
}

static void
bind_preferences (FsToolPanel *self, const char *const *properties)
{
  for (; *properties != NULL; properties++)
    fs_preferences_bind (*properties, self->tools, *properties);
}

/* Selects the backdrop that shows the chosen colour. */
static void
on_colour_chosen (FsToolPanel *self)
{
  g_object_set (self->tools, "backdrop", FS_BACKDROP_COLOUR, NULL);
}

void
fs_tool_panel_set_tools (FsToolPanel *self, FsTools *tools)
{
  GBindingFlags both = G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE;
  g_return_if_fail (self->tools == NULL);
  self->tools = g_object_ref (tools);
  bind_preferences (self, views);
  bind_preferences (self, brushes);
  bind_choices (self);
  fs_colour_bind (self->tools, "overlay-colour", self->overlay_colour);
  fs_colour_bind (self->tools, "backdrop-colour", self->backdrop_own);
  g_object_bind_property (tools, "pressure", self->pressure, "active", both);
  g_object_bind_property (tools, "fixed-size", self->fixed_size, "active", both);
  g_object_bind_property (tools, "overlay-opacity", self->overlay_opacity, "value", both);
  g_signal_connect_object (tools, "notify", G_CALLBACK (on_tools_changed), self, G_CONNECT_SWAPPED);
  on_tools_changed (self);
}

static void
fs_tool_panel_dispose (GObject *object)
{
  g_clear_object (&FS_TOOL_PANEL (object)->tools);
  G_OBJECT_CLASS (fs_tool_panel_parent_class)->dispose (object);
}

static void
fs_tool_panel_class_init (FsToolPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fs_tool_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/tool_panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, right_other);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, right_erase);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, right_move);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, pressure);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, fixed_size);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, overlay_colour);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, overlay_opacity);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, backdrop_checks);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, backdrop_black);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, backdrop_white);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, backdrop_colour);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, backdrop_own);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, reset_views);
  gtk_widget_class_bind_template_child (widget_class, FsToolPanel, reset_brushes);
  gtk_widget_class_bind_template_callback (widget_class, on_reset_views);
  gtk_widget_class_bind_template_callback (widget_class, on_reset_brushes);
  gtk_widget_class_bind_template_callback (widget_class, on_colour_chosen);
}

static void
fs_tool_panel_init (FsToolPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
