/* SPDX-License-Identifier: MIT */
#include "app/commands/edge_options.h"

#include "app/commands/command_line.h"

#include <math.h>
#include <string.h>

void
fs_edge_options_clear (FsEdgeOptions *options)
{
  g_clear_pointer (&options->width, g_free);
  g_clear_pointer (&options->shift, g_free);
}

gboolean
fs_edge_options_are_given (const FsEdgeOptions *options)
{
  return options->width || options->shift
         || !fs_edge_settings_equal (&options->numbers, &FS_EDGE_SETTINGS_UNSET);
}

static gboolean
read_width (const char *text, FsEdgeSettings *settings, GError **error)
{
  guint64 width = FS_EDGE_MAX_WIDTH_PX;
  if (!text)
    return TRUE;
  if (strcmp (text, "auto") != 0
      && !g_ascii_string_to_unsigned (text, 10, 0, FS_EDGE_MAX_WIDTH_PX, &width, NULL))
    return fs_command_usage (error, "--soft-edge takes 0 to 32, or auto");
  settings->width_px = strcmp (text, "auto") == 0 ? FS_EDGE_WIDTH_AUTO : (int)width;
  return TRUE;
}

/* Whole tenths alone are what settings keep. */
static gboolean
read_shift (const char *text, FsEdgeSettings *settings, GError **error)
{
  char *end;
  if (!text)
    return TRUE;
  const double tenths = 10 * g_ascii_strtod (text, &end);
  if (*text == '\0' || *end != '\0' || !(fabs (tenths) <= FS_EDGE_MAX_SHIFT_TENTHS)
      || fabs (tenths - round (tenths)) > 1e-9)
    return fs_command_usage (error, "--edge-shift takes -10 to 10 pixels, in tenths");
  settings->shift_tenths = (int)round (tenths);
  return TRUE;
}

static gboolean
check_number (const char *name, int value, int max, GError **error)
{
  if (value == FS_EDGE_UNSET || (value >= 0 && value <= max))
    return TRUE;
  g_autofree char *message = g_strdup_printf ("%s takes 0 to %d", name, max);
  return fs_command_usage (error, message);
}

static gboolean
check_numbers (const FsEdgeSettings *numbers, GError **error)
{
  return check_number ("--edge-contrast", numbers->contrast, 100, error)
         && check_number ("--edge-smooth", numbers->smooth_px, FS_EDGE_MAX_SMOOTH_PX, error)
         && check_number ("--clean-colours", numbers->clean, 100, error)
         && check_number ("--remove-specks", numbers->specks_px, FS_EDGE_MAX_AREA_PX, error)
         && check_number ("--fill-holes", numbers->holes_px, FS_EDGE_MAX_AREA_PX, error);
}

gboolean
fs_edge_options_read (const FsEdgeOptions *options, gboolean is_written, FsEdgeSettings *settings,
                      GError **error)
{
  *settings = options->numbers;
  if (!read_width (options->width, settings, error) || !read_shift (options->shift, settings, error)
      || !check_numbers (settings, error))
    return FALSE;
  return is_written || !fs_edge_options_are_given (options)
         || fs_command_usage (error, "--soft-edge and what else shapes the edge apply to cut-outs "
                                     "and alpha only");
}
