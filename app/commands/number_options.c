/* SPDX-License-Identifier: MIT */
#include "app/commands/number_options.h"

#include "app/export/export.h"
#include "app/export/outline/contour.h"
#include "app/files/display_name.h"
#include "energy/edge/edge_settings.h"
#include "energy/frames/frame_span.h"
#include "energy/image/settings.h"
#include "solver/multilevel/pyramid.h"

#include <math.h>
#include <string.h>

/* FRAME_MAX: 18 digits. */
#define FRAME_MAX   G_GINT64_CONSTANT (999999999999999999)
#define FRAME_RANGE "the number of a frame"

typedef struct {
  const char *name;
  gint64 min, max, step;
  const char *range; /* in words; NULL: "MIN to MAX" */
  const char *word;  /* the same in place of a number; or NULL */
} Whole;

static const Whole WHOLE[] = {
  { "band", 0, G_MAXINT32, 1, "0 or more pixels", NULL },
  { "clean-colours", 0, 100, 1, NULL, NULL },
  { "cycles", 0, 1000, 1, NULL, NULL },
  { "device", 0, 63, 1, NULL, NULL },
  { "edge-contrast", 0, 100, 1, NULL, NULL },
  { "edge-smooth", 0, FS_EDGE_MAX_SMOOTH_PX, 1, NULL, NULL },
  { "fill-holes", 0, FS_EDGE_MAX_AREA_PX, 1, NULL, NULL },
  { "first", 0, FRAME_MAX, 1, FRAME_RANGE, NULL },
  { "iterations", 0, 50, 1, NULL, NULL },
  { "jobs", 1, 64, 1, NULL, NULL },
  { "last", 0, FRAME_MAX, 1, FRAME_RANGE, NULL },
  { "levels", 0, FS_LEVELS_MAX, 1, NULL, NULL },
  { "neighbours", 4, 8, 4, "4 or 8", NULL },
  { "quality", 1, 100, 1, NULL, NULL },
  { "remove-specks", 0, FS_EDGE_MAX_AREA_PX, 1, NULL, NULL },
  { "scale", 1, 255, 1, NULL, NULL },
  { "soft-edge", 0, FS_EDGE_MAX_WIDTH_PX, 1, "0 to 32, or auto", "auto" },
  { "span", 1, FS_FRAME_SPAN_MAX, 1, NULL, NULL },
  { "threads", 0, 64, 1, NULL, NULL },
};

typedef struct {
  const char *name;
  double min, max, step; /* step: 0: any */
  const char *range;
} Decimal;

static const Decimal DECIMAL[] = {
  { "edge-shift", -FS_EDGE_MAX_SHIFT_TENTHS / 10., FS_EDGE_MAX_SHIFT_TENTHS / 10., .1,
    "-10 to 10 pixels, in tenths" },
  { "outline-tolerance", 0, FS_EXPORT_OUTLINE_TOLERANCE_PX, 0, "0 to 0.5 pixels" },
  { "smoothness", 0, FS_SMOOTHNESS_MAX, 0, "a number from 0 to 100" },
  { "tolerance", 0, FS_CONTOUR_MAX_TOLERANCE_PX, 0, "0 to 0.5 pixels" },
};

gboolean
fs_number_option_refuse (const char *name, const char *range, const char *text, GError **error)
{
  g_autofree char *shown = fs_display_name (text);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--%s takes %s, not “%s”", name,
               range, shown);
  return FALSE;
}

static const char *
check_whole (const Whole *whole, const char *text, GError **error)
{
  gint64 number;
  const char *digits = text + strspn (text, "0");
  if (digits > text && !g_ascii_isdigit (*digits))
    digits--;
  if (whole->word && strcmp (text, whole->word) == 0)
    return text;
  if (g_ascii_isdigit (*digits)
      && g_ascii_string_to_signed (digits, 10, whole->min, whole->max, &number, NULL)
      && number % whole->step == 0)
    return digits;
  g_autofree char *range =
      g_strdup_printf ("%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, whole->min, whole->max);
  fs_number_option_refuse (whole->name, whole->range ? whole->range : range, text, error);
  return NULL;
}

/* Digits, a sign, a point and an exponent; no "nan", "inf" or hexadecimal digits. */
static gboolean
read_decimal (const char *text, double *value)
{
  char *end = NULL;
  if (g_ascii_isspace (*text) || *text == '+' || *text == '\0'
      || text[strspn (text, "0123456789.eE+-")] != '\0')
    return FALSE;
  *value = g_ascii_strtod (text, &end);
  return *end == '\0';
}

static const char *
check_decimal (const Decimal *decimal, const char *text, GError **error)
{
  double value;
  if (read_decimal (text, &value) && value >= decimal->min && value <= decimal->max
      && (decimal->step == 0
          || fabs (value / decimal->step - round (value / decimal->step)) <= 1e-9))
    return text;
  fs_number_option_refuse (decimal->name, decimal->range, text, error);
  return NULL;
}

const char *
fs_number_option_check (const char *name, const char *text, GError **error)
{
  g_return_val_if_fail (name && text, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (WHOLE); i++)
    if (strcmp (WHOLE[i].name, name) == 0)
      return check_whole (&WHOLE[i], text, error);
  for (gsize i = 0; i < G_N_ELEMENTS (DECIMAL); i++)
    if (strcmp (DECIMAL[i].name, name) == 0)
      return check_decimal (&DECIMAL[i], text, error);
  return text;
}
