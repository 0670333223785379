/* SPDX-License-Identifier: MIT */
#include "ui/canvas/tools.h"

#include "app/strokes/stroke.h"
#include "energy/edge/edge_settings.h"
#include "ui/view/views.h"

#include <string.h>

#define DEFAULT_OVERLAY  0x1e1d24
#define DEFAULT_OPACITY  63
#define DEFAULT_BACKDROP 0x2ec27e

struct _FsTools {
  GObject parent;
  FsTool tool;
  int object;
  FsView view;
  int brush_size;
  FsRightButton right_button;
  gboolean pressure;
  gboolean fixed_size;
  gboolean comparing, split;
  FsViewLabels labels;
  FsViewStyle style; /* its `view` and `has_zones` are not used */
};

G_DEFINE_FINAL_TYPE (FsTools, fs_tools, G_TYPE_OBJECT)

enum {
  PROP_0,
  PROP_TOOL,
  PROP_OBJECT,
  PROP_VIEW,
  PROP_BRUSH_SIZE,
  PROP_RIGHT_BUTTON,
  PROP_PRESSURE,
  PROP_FIXED_SIZE,
  PROP_COMPARING,
  PROP_SPLIT,
  PROP_OVERLAY_COLOUR,
  PROP_OVERLAY_OPACITY,
  PROP_BACKDROP,
  PROP_BACKDROP_COLOUR,
  PROP_SOFT_MASK,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];
static guint labels_changed;

GType
fs_tool_get_type (void)
{
  static const GEnumValue values[] = {
    { FS_TOOL_OBJECT, "FS_TOOL_OBJECT", "object" },
    { FS_TOOL_BACKGROUND, "FS_TOOL_BACKGROUND", "background" },
    { FS_TOOL_ERASER, "FS_TOOL_ERASER", "eraser" },
    { FS_TOOL_LASSO, "FS_TOOL_LASSO", "lasso" },
    { FS_TOOL_BOX, "FS_TOOL_BOX", "box" },
    { FS_TOOL_REFINE, "FS_TOOL_REFINE", "refine" },
    { FS_TOOL_HARD, "FS_TOOL_HARD", "hard" },
    { FS_TOOL_HAND, "FS_TOOL_HAND", "hand" },
    { 0, NULL, NULL },
  };
  static gsize type;
  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("FsTool", values));
  return type;
}

GType
fs_view_get_type (void)
{
  static const GEnumValue values[] = {
    { FS_VIEW_MARKS, "FS_VIEW_MARKS", "marks" },
    { FS_VIEW_OVERLAY, "FS_VIEW_OVERLAY", "overlay" },
    { FS_VIEW_CONTOUR, "FS_VIEW_CONTOUR", "contour" },
    { FS_VIEW_CUTOUT, "FS_VIEW_CUTOUT", "cutout" },
    { FS_VIEW_MASK, "FS_VIEW_MASK", "mask" },
    { FS_VIEW_EDGE, "FS_VIEW_EDGE", "edge" },
    { 0, NULL, NULL },
  };
  static gsize type;
  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("FsView", values));
  return type;
}

GType
fs_backdrop_get_type (void)
{
  static const GEnumValue values[] = {
    { FS_BACKDROP_CHECKS, "FS_BACKDROP_CHECKS", "checks" },
    { FS_BACKDROP_BLACK, "FS_BACKDROP_BLACK", "black" },
    { FS_BACKDROP_WHITE, "FS_BACKDROP_WHITE", "white" },
    { FS_BACKDROP_COLOUR, "FS_BACKDROP_COLOUR", "colour" },
    { 0, NULL, NULL },
  };
  static gsize type;
  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("FsBackdrop", values));
  return type;
}

GType
fs_right_button_get_type (void)
{
  static const GEnumValue values[] = {
    { FS_RIGHT_BUTTON_OTHER, "FS_RIGHT_BUTTON_OTHER", "other" },
    { FS_RIGHT_BUTTON_ERASE, "FS_RIGHT_BUTTON_ERASE", "erase" },
    { FS_RIGHT_BUTTON_MOVE, "FS_RIGHT_BUTTON_MOVE", "move" },
    { 0, NULL, NULL },
  };
  static gsize type;
  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("FsRightButton", values));
  return type;
}

static char *
colour_to_text (uint32_t rgb)
{
  return g_strdup_printf ("#%06x", rgb);
}

static gboolean
colour_from_text (const char *text, uint32_t *rgb)
{
  guint64 value;
  if (text == NULL || strlen (text) != 7 || text[0] != '#'
      || !g_ascii_string_to_unsigned (text + 1, 16, 0, 0xffffff, &value, NULL))
    return FALSE;
  *rgb = (uint32_t)value;
  return TRUE;
}

static void
fs_tools_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FsTools *self = FS_TOOLS (object);
  switch (id) {
  case PROP_TOOL:
    g_value_set_enum (value, self->tool);
    break;
  case PROP_OBJECT:
    g_value_set_int (value, self->object);
    break;
  case PROP_VIEW:
    g_value_set_enum (value, self->view);
    break;
  case PROP_BRUSH_SIZE:
    g_value_set_int (value, self->brush_size);
    break;
  case PROP_RIGHT_BUTTON:
    g_value_set_enum (value, self->right_button);
    break;
  case PROP_PRESSURE:
    g_value_set_boolean (value, self->pressure);
    break;
  case PROP_FIXED_SIZE:
    g_value_set_boolean (value, self->fixed_size);
    break;
  case PROP_COMPARING:
    g_value_set_boolean (value, self->comparing);
    break;
  case PROP_SPLIT:
    g_value_set_boolean (value, self->split);
    break;
  case PROP_OVERLAY_COLOUR:
    g_value_take_string (value, colour_to_text (self->style.overlay_rgb));
    break;
  case PROP_OVERLAY_OPACITY:
    g_value_set_int (value, self->style.overlay_percent);
    break;
  case PROP_BACKDROP:
    g_value_set_enum (value, self->style.backdrop);
    break;
  case PROP_BACKDROP_COLOUR:
    g_value_take_string (value, colour_to_text (self->style.backdrop_rgb));
    break;
  case PROP_SOFT_MASK:
    g_value_set_boolean (value, self->style.has_soft_mask);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
fs_tools_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FsTools *self = FS_TOOLS (object);
  switch (id) {
  case PROP_TOOL:
    fs_tools_set_tool (self, g_value_get_enum (value));
    return;
  case PROP_OBJECT:
    fs_tools_set_object (self, g_value_get_int (value));
    return;
  case PROP_VIEW:
    fs_tools_set_view (self, g_value_get_enum (value));
    return;
  case PROP_BRUSH_SIZE:
    fs_tools_set_brush_size (self, g_value_get_int (value));
    return;
  case PROP_RIGHT_BUTTON:
    self->right_button = g_value_get_enum (value);
    break;
  case PROP_PRESSURE:
    self->pressure = g_value_get_boolean (value);
    break;
  case PROP_FIXED_SIZE:
    self->fixed_size = g_value_get_boolean (value);
    break;
  case PROP_COMPARING:
    fs_tools_set_comparing (self, g_value_get_boolean (value));
    return;
  case PROP_SPLIT:
    self->split = g_value_get_boolean (value);
    break;
  case PROP_OVERLAY_COLOUR:
    if (!colour_from_text (g_value_get_string (value), &self->style.overlay_rgb))
      return;
    break;
  case PROP_OVERLAY_OPACITY:
    self->style.overlay_percent = g_value_get_int (value);
    break;
  case PROP_BACKDROP:
    self->style.backdrop = g_value_get_enum (value);
    break;
  case PROP_BACKDROP_COLOUR:
    if (!colour_from_text (g_value_get_string (value), &self->style.backdrop_rgb))
      return;
    break;
  case PROP_SOFT_MASK:
    self->style.has_soft_mask = g_value_get_boolean (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  g_object_notify_by_pspec (object, pspec);
}

static void
fs_tools_class_init (FsToolsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  object_class->get_property = fs_tools_get_property;
  object_class->set_property = fs_tools_set_property;

  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  properties[PROP_TOOL] =
      g_param_spec_enum ("tool", NULL, NULL, FS_TYPE_TOOL, FS_TOOL_OBJECT, flags);
  properties[PROP_OBJECT] =
      g_param_spec_int ("object", NULL, NULL, 1, FS_TOOLS_LAST_OBJECT, 1, flags);
  properties[PROP_VIEW] =
      g_param_spec_enum ("view", NULL, NULL, FS_TYPE_VIEW, FS_VIEW_OVERLAY, flags);
  properties[PROP_BRUSH_SIZE] = g_param_spec_int ("brush-size", NULL, NULL, FS_BRUSH_SIZE_MIN,
                                                  FS_BRUSH_SIZE_MAX, FS_BRUSH_SIZE_DEFAULT, flags);
  properties[PROP_RIGHT_BUTTON] =
      g_param_spec_enum ("right-button", NULL, NULL, FS_TYPE_RIGHT_BUTTON, FS_RIGHT_BUTTON_OTHER,
                         flags);
  properties[PROP_PRESSURE] = g_param_spec_boolean ("pressure", NULL, NULL, TRUE, flags);
  properties[PROP_FIXED_SIZE] = g_param_spec_boolean ("fixed-size", NULL, NULL, FALSE, flags);
  properties[PROP_COMPARING] = g_param_spec_boolean ("comparing", NULL, NULL, FALSE, flags);
  properties[PROP_SPLIT] = g_param_spec_boolean ("split", NULL, NULL, FALSE, flags);
  properties[PROP_OVERLAY_COLOUR] =
      g_param_spec_string ("overlay-colour", NULL, NULL, "#1e1d24", flags);
  properties[PROP_OVERLAY_OPACITY] =
      g_param_spec_int ("overlay-opacity", NULL, NULL, 0, 100, DEFAULT_OPACITY, flags);
  properties[PROP_BACKDROP] =
      g_param_spec_enum ("backdrop", NULL, NULL, FS_TYPE_BACKDROP, FS_BACKDROP_CHECKS, flags);
  properties[PROP_BACKDROP_COLOUR] =
      g_param_spec_string ("backdrop-colour", NULL, NULL, "#2ec27e", flags);
  properties[PROP_SOFT_MASK] = g_param_spec_boolean ("soft-mask", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  labels_changed = g_signal_new ("labels-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                 NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fs_tools_init (FsTools *self)
{
  self->object = 1;
  self->view = FS_VIEW_OVERLAY;
  self->brush_size = FS_BRUSH_SIZE_DEFAULT;
  self->pressure = TRUE;
  fs_view_labels_reset (&self->labels);
  self->style = (FsViewStyle){ .overlay_rgb = DEFAULT_OVERLAY,
                               .overlay_percent = DEFAULT_OPACITY,
                               .backdrop_rgb = DEFAULT_BACKDROP };
}

FsTools *
fs_tools_new (void)
{
  return g_object_new (FS_TYPE_TOOLS, NULL);
}

FsTool
fs_tools_get_tool (FsTools *self)
{
  return self->tool;
}

void
fs_tools_set_tool (FsTools *self, FsTool tool)
{
  if (self->tool == tool)
    return;
  self->tool = tool;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TOOL]);
}

int
fs_tools_get_object (FsTools *self)
{
  return self->object;
}

static void
change_object (FsTools *self, int object)
{
  if (self->object == object)
    return;
  self->object = object;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OBJECT]);
}

void
fs_tools_set_object (FsTools *self, int object)
{
  change_object (self, CLAMP (object, 1, FS_TOOLS_LAST_OBJECT));
  fs_tools_set_tool (self, FS_TOOL_OBJECT);
}

void
fs_tools_forget_object (FsTools *self)
{
  change_object (self, 1);
}

uint8_t
fs_tools_object_label (int object)
{
  return (uint8_t)(FS_SEED_OBJECT + object - 1);
}

const FsViewLabels *
fs_tools_get_labels (FsTools *self)
{
  return &self->labels;
}

void
fs_tools_set_labels (FsTools *self, const FsViewLabels *labels)
{
  FsViewLabels usual;
  fs_view_labels_reset (&usual);
  if (labels == NULL)
    labels = &usual;
  if (memcmp (&self->labels, labels, sizeof *labels) == 0)
    return;
  self->labels = *labels;
  g_signal_emit (self, labels_changed, 0);
}

FsView
fs_tools_get_view (FsTools *self)
{
  return self->view;
}

void
fs_tools_set_view (FsTools *self, FsView view)
{
  if (self->view == view)
    return;
  self->view = view;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VIEW]);
}

void
fs_tools_set_comparing (FsTools *self, gboolean comparing)
{
  if (self->comparing == comparing)
    return;
  self->comparing = comparing;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COMPARING]);
}

gboolean
fs_tools_get_split (FsTools *self)
{
  return self->split && !self->comparing;
}

FsViewStyle
fs_tools_get_style (FsTools *self)
{
  FsViewStyle style = self->style;
  style.view = self->comparing ? FS_VIEW_ORIGINAL : self->view;
  style.has_zones = fs_tools_paints_zones (self);
  style.labels = &self->labels;
  return style;
}

int
fs_tools_get_brush_size (FsTools *self)
{
  return self->brush_size;
}

void
fs_tools_set_brush_size (FsTools *self, int size)
{
  size = CLAMP (size, FS_BRUSH_SIZE_MIN, FS_BRUSH_SIZE_MAX);
  if (self->brush_size == size)
    return;
  self->brush_size = size;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BRUSH_SIZE]);
}

void
fs_tools_swap (FsTools *self)
{
  fs_tools_set_tool (self, self->tool == FS_TOOL_OBJECT ? FS_TOOL_BACKGROUND : FS_TOOL_OBJECT);
}

void
fs_tools_cycle_view (FsTools *self)
{
  fs_tools_set_view (self, (FsView)((self->view + 1) % FS_N_VIEWS));
}

void
fs_tools_step_brush_size (FsTools *self, gboolean larger)
{
  int size = self->brush_size;
  fs_tools_set_brush_size (self, larger ? size + MAX (size / 4, 1) : size - MAX (size / 5, 1));
}

gboolean
fs_tools_get_pressure (FsTools *self)
{
  return self->pressure;
}

gboolean
fs_tools_get_fixed_size (FsTools *self)
{
  return self->fixed_size;
}

gboolean
fs_tools_paints (FsTools *self)
{
  return self->tool <= FS_TOOL_ERASER || fs_tools_paints_zones (self);
}

gboolean
fs_tools_paints_zones (FsTools *self)
{
  return self->tool == FS_TOOL_REFINE || self->tool == FS_TOOL_HARD;
}

gboolean
fs_tools_outlines (FsTools *self)
{
  return self->tool == FS_TOOL_LASSO || self->tool == FS_TOOL_BOX;
}

gboolean
fs_tools_moves (FsTools *self, gboolean right)
{
  if (right)
    return self->right_button == FS_RIGHT_BUTTON_MOVE;
  return self->tool == FS_TOOL_HAND;
}

uint8_t
fs_tools_get_label (FsTools *self, gboolean right)
{
  if (fs_tools_paints_zones (self))
    return right                          ? FS_EDGE_ZONE_NONE
           : self->tool == FS_TOOL_REFINE ? FS_EDGE_ZONE_REFINE
                                          : FS_EDGE_ZONE_HARD;
  gboolean other = right && self->right_button == FS_RIGHT_BUTTON_OTHER;
  if (right && self->right_button == FS_RIGHT_BUTTON_ERASE)
    return FS_SEED_NONE;
  switch (self->tool) {
  case FS_TOOL_OBJECT:
    return other ? FS_SEED_BACKGROUND : fs_tools_object_label (self->object);
  case FS_TOOL_BACKGROUND:
    return other ? fs_tools_object_label (self->object) : FS_SEED_BACKGROUND;
  default:
    return FS_SEED_NONE;
  }
}
