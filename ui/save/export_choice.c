/* SPDX-License-Identifier: MIT */
#include "ui/save/export_choice.h"

#include "app/export/parts/crop.h"
#include "app/live/document_edge.h"
#include "ui/settings/preferences.h"

typedef enum { BACKGROUND_NONE, BACKGROUND_COLOUR, BACKGROUND_PICTURE } BackgroundKind;

static const char *const background_kinds[] = { "none", "colour", "picture" };

struct _FsExportChoice {
  GObject parent_instance;
  FsExportWhat what;
  gboolean crop, keep_hidden, mask_page, soft_mask;
  double outline_tolerance_px;
  FsExportFormat format;
  BackgroundKind background;
  uint32_t background_rgb;
  FsBackground *picture; /* or NULL */
  char *picture_path;    /* or NULL */
  GHashTable *places;    /* folder of photos → folder of exports */
};

enum {
  PROP_WHAT = 1,
  PROP_CROP,
  PROP_KEEP_HIDDEN,
  PROP_SOFT_MASK,
  PROP_FORMAT,
  PROP_OUTLINE_TOLERANCE,
  PROP_MASK_PAGE,
  PROP_BACKGROUND,
  PROP_BACKGROUND_COLOUR,
  N_PROPERTIES
};
static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (FsExportChoice, fs_export_choice, G_TYPE_OBJECT)

GType
fs_export_what_get_type (void)
{
  static const GEnumValue values[] = {
    { FS_EXPORT_WHAT_CUTOUT, "FS_EXPORT_WHAT_CUTOUT", "cutout" },
    { FS_EXPORT_WHAT_MASK, "FS_EXPORT_WHAT_MASK", "mask" },
    { FS_EXPORT_WHAT_BOTH, "FS_EXPORT_WHAT_BOTH", "both" },
    { FS_EXPORT_WHAT_LABELS, "FS_EXPORT_WHAT_LABELS", "labels" },
    { FS_EXPORT_WHAT_EACH, "FS_EXPORT_WHAT_EACH", "each" },
    { 0, NULL, NULL },
  };
  static gsize type;
  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("FsExportWhat", values));
  return type;
}

FsExportChoice *
fs_export_choice_get (void)
{
  static FsExportChoice *choice;
  if (choice == NULL) {
    choice = g_object_new (FS_TYPE_EXPORT_CHOICE, NULL);
    fs_preferences_bind ("export-what", choice, "what");
    fs_preferences_bind ("export-crop", choice, "crop");
    fs_preferences_bind ("export-soft-mask", choice, "soft-mask");
    fs_preferences_bind ("export-background-colour", choice, "background-colour");
    fs_preferences_bind ("export-background", choice, "background");
    fs_preferences_bind ("export-format", choice, "format");
    /* Pictures are of one run of the program. */
    if (choice->background == BACKGROUND_PICTURE)
      g_object_set (choice, "background", background_kinds[BACKGROUND_NONE], NULL);
    fs_preferences_bind ("export-outline-tolerance", choice, "outline-tolerance");
    fs_preferences_bind ("export-mask-page", choice, "mask-page");
  }
  return choice;
}

FsExportWhat
fs_export_choice_get_what (FsExportChoice *self)
{
  return self->what;
}

FsExportKind
fs_export_choice_get_kind (FsExportChoice *self)
{
  if (self->what == FS_EXPORT_WHAT_LABELS)
    return FS_EXPORT_LABELS;
  return self->what == FS_EXPORT_WHAT_MASK ? fs_export_choice_get_mask_kind (self)
                                           : FS_EXPORT_CUTOUT;
}

FsExportKind
fs_export_choice_get_mask_kind (FsExportChoice *self)
{
  return self->soft_mask && self->format != FS_EXPORT_SVG ? FS_EXPORT_ALPHA : FS_EXPORT_MASK;
}

FsExportFormat
fs_export_choice_get_format (FsExportChoice *self)
{
  const gboolean is_labels = self->what == FS_EXPORT_WHAT_LABELS;
  const gboolean is_plane = is_labels || self->what == FS_EXPORT_WHAT_MASK;
  const gboolean is_of_cutouts =
      fs_export_format_has_layers (self->format) || self->format == FS_EXPORT_JPEG;
  return (self->format == FS_EXPORT_WEBP && is_labels) || (is_of_cutouts && is_plane)
             ? FS_EXPORT_PNG
             : self->format;
}

FsExport
fs_export_choice_apply_to (FsExportChoice *self, FsDocument *document, FsExportKind kind,
                           const uint8_t *mask, const uint8_t *marks)
{
  FsImage *image = fs_document_get_image (document);
  FsExport what = { .image = image,
                    .mask = mask,
                    .kind = kind,
                    .edge = fs_document_get_edge_settings (document),
                    .zones = fs_document_get_zones (document),
                    .has_mask_page = self->mask_page,
                    .outline_tolerance_px = self->outline_tolerance_px,
                    .marks = marks };
  what.takes_edge = self->crop;
  if (self->crop)
    what.area = fs_crop_to_object (mask, marks, image->width, image->height);
  return what;
}

FsExport
fs_export_choice_apply (FsExportChoice *self, FsDocument *document, FsExportKind kind)
{
  return fs_export_choice_apply_to (self, document, kind, fs_document_get_mask (document),
                                    fs_document_get_marks (document));
}

gboolean
fs_export_choice_get_keep_hidden (FsExportChoice *self)
{
  return self->keep_hidden;
}

FsBackground *
fs_export_choice_get_background (FsExportChoice *self, FsExportFormat format)
{
  if (fs_export_format_has_layers (format) || format == FS_EXPORT_SVG)
    return NULL;
  if (self->background == BACKGROUND_PICTURE)
    return fs_background_ref (self->picture);
  return self->background == BACKGROUND_COLOUR ? fs_background_new_colour (self->background_rgb)
                                               : NULL;
}

gboolean
fs_export_choice_lacks_picture (FsExportChoice *self)
{
  return self->background == BACKGROUND_PICTURE && self->picture == NULL;
}

void
fs_export_choice_set_picture (FsExportChoice *self, FsBackground *picture, const char *path)
{
  fs_background_unref (self->picture);
  self->picture = fs_background_ref (picture);
  g_free (self->picture_path);
  self->picture_path = g_strdup (path);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BACKGROUND]);
}

const char *
fs_export_choice_get_picture_path (FsExportChoice *self)
{
  return self->picture_path;
}

const char *
fs_export_choice_get_place (FsExportChoice *self, const char *folder)
{
  const char *place = g_hash_table_lookup (self->places, folder);
  return place != NULL && g_file_test (place, G_FILE_TEST_IS_DIR) ? place : NULL;
}

void
fs_export_choice_set_place (FsExportChoice *self, const char *folder, const char *place)
{
  g_hash_table_replace (self->places, g_strdup (folder), g_strdup (place));
}

static void
fs_export_choice_finalize (GObject *object)
{
  FsExportChoice *self = FS_EXPORT_CHOICE (object);
  g_hash_table_unref (self->places);
  fs_background_unref (self->picture);
  g_free (self->picture_path);
  G_OBJECT_CLASS (fs_export_choice_parent_class)->finalize (object);
}

/* A format stored by another build may be missing in this one. */
static void
set_format (FsExportChoice *self, const char *ending)
{
  g_autofree char *name = g_strconcat ("name", ending, NULL);
  FsExportFormat format = fs_export_format_of (name);
  self->format = fs_export_format_get_writer (format) != NULL ? format : FS_EXPORT_PNG;
  if (self->format == FS_EXPORT_JPEG && self->background == BACKGROUND_NONE) {
    self->background = BACKGROUND_COLOUR;
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BACKGROUND]);
  }
}

static void
set_background (FsExportChoice *self, const char *name)
{
  for (int kind = 0; name != NULL && kind < (int)G_N_ELEMENTS (background_kinds); kind++)
    if (g_str_equal (name, background_kinds[kind]))
      self->background = (BackgroundKind)kind;
  if (self->format == FS_EXPORT_JPEG && self->background == BACKGROUND_NONE) {
    self->format = FS_EXPORT_PNG;
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FORMAT]);
  }
}

static void
fs_export_choice_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  const FsExportChoice *self = FS_EXPORT_CHOICE (object);
  if (id == PROP_WHAT)
    g_value_set_enum (value, self->what);
  else if (id == PROP_CROP)
    g_value_set_boolean (value, self->crop);
  else if (id == PROP_KEEP_HIDDEN)
    g_value_set_boolean (value, self->keep_hidden);
  else if (id == PROP_SOFT_MASK)
    g_value_set_boolean (value, self->soft_mask);
  else if (id == PROP_MASK_PAGE)
    g_value_set_boolean (value, self->mask_page);
  else if (id == PROP_BACKGROUND)
    g_value_set_static_string (value, background_kinds[self->background]);
  else if (id == PROP_BACKGROUND_COLOUR)
    g_value_take_string (value, g_strdup_printf ("#%06x", self->background_rgb));
  else if (id == PROP_OUTLINE_TOLERANCE)
    g_value_set_double (value, self->outline_tolerance_px);
  else
    g_value_set_static_string (value, fs_export_format_get_ending (self->format));
}

static void
fs_export_choice_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FsExportChoice *self = FS_EXPORT_CHOICE (object);
  if (id == PROP_WHAT)
    self->what = (FsExportWhat)g_value_get_enum (value);
  else if (id == PROP_CROP)
    self->crop = g_value_get_boolean (value);
  else if (id == PROP_KEEP_HIDDEN)
    self->keep_hidden = g_value_get_boolean (value);
  else if (id == PROP_SOFT_MASK)
    self->soft_mask = g_value_get_boolean (value);
  else if (id == PROP_MASK_PAGE)
    self->mask_page = g_value_get_boolean (value);
  else if (id == PROP_BACKGROUND)
    set_background (self, g_value_get_string (value));
  else if (id == PROP_BACKGROUND_COLOUR)
    fs_background_parse_colour (g_value_get_string (value), &self->background_rgb);
  else if (id == PROP_OUTLINE_TOLERANCE)
    self->outline_tolerance_px = g_value_get_double (value);
  else
    set_format (self, g_value_get_string (value));
}

static void
fs_export_choice_class_init (FsExportChoiceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  object_class->finalize = fs_export_choice_finalize;
  object_class->get_property = fs_export_choice_get_property;
  object_class->set_property = fs_export_choice_set_property;
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  properties[PROP_WHAT] =
      g_param_spec_enum ("what", NULL, NULL, FS_TYPE_EXPORT_WHAT, FS_EXPORT_WHAT_CUTOUT, flags);
  properties[PROP_CROP] = g_param_spec_boolean ("crop", NULL, NULL, FALSE, flags);
  properties[PROP_KEEP_HIDDEN] = g_param_spec_boolean ("keep-hidden", NULL, NULL, FALSE, flags);
  properties[PROP_SOFT_MASK] = g_param_spec_boolean ("soft-mask", NULL, NULL, FALSE, flags);
  properties[PROP_FORMAT] = g_param_spec_string ("format", NULL, NULL, ".png", flags);
  properties[PROP_BACKGROUND] =
      g_param_spec_string ("background", NULL, NULL, background_kinds[0], flags);
  properties[PROP_BACKGROUND_COLOUR] =
      g_param_spec_string ("background-colour", NULL, NULL, "#ffffff", flags);
  properties[PROP_MASK_PAGE] = g_param_spec_boolean ("mask-page", NULL, NULL, FALSE, flags);
  properties[PROP_OUTLINE_TOLERANCE] =
      g_param_spec_double ("outline-tolerance", NULL, NULL, 0, FS_EXPORT_OUTLINE_TOLERANCE_PX,
                           FS_EXPORT_OUTLINE_TOLERANCE_PX, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
fs_export_choice_init (FsExportChoice *self)
{
  self->background_rgb = 0xffffff;
  self->outline_tolerance_px = FS_EXPORT_OUTLINE_TOLERANCE_PX;
  self->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}
