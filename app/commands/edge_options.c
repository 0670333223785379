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

gboolean
fs_edge_options_read (const FsEdgeOptions *options, gboolean is_written, FsEdgeSettings *settings,
                      GError **error)
{
  *settings = options->numbers;
  if (options->width)
    settings->width_px = strcmp (options->width, "auto") == 0
                             ? FS_EDGE_WIDTH_AUTO
                             : (int)g_ascii_strtoll (options->width, NULL, 10);
  if (options->shift)
    settings->shift_tenths = (int)round (10 * g_ascii_strtod (options->shift, NULL));
  return is_written || !fs_edge_options_are_given (options)
         || fs_command_usage (error, "--soft-edge and what else shapes the edge apply to cut-outs "
                                     "and alpha only");
}
