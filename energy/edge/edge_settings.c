/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge_settings.h"

static gboolean
is_between (int value, int low, int high)
{
  return value >= low && value <= high;
}

gboolean
fs_edge_settings_are_valid (const FsEdgeSettings *settings)
{
  g_return_val_if_fail (settings, FALSE);
  return is_between (settings->width_px, FS_EDGE_WIDTH_AUTO, FS_EDGE_MAX_WIDTH_PX)
         && is_between (settings->shift_tenths, -FS_EDGE_MAX_SHIFT_TENTHS, FS_EDGE_MAX_SHIFT_TENTHS)
         && is_between (settings->contrast, 0, 100)
         && is_between (settings->smooth_px, 0, FS_EDGE_MAX_SMOOTH_PX)
         && is_between (settings->clean, 0, 100)
         && is_between (settings->specks_px, 0, FS_EDGE_MAX_AREA_PX)
         && is_between (settings->holes_px, 0, FS_EDGE_MAX_AREA_PX);
}

gboolean
fs_edge_settings_equal (const FsEdgeSettings *a, const FsEdgeSettings *b)
{
  g_return_val_if_fail (a && b, FALSE);
  return a->width_px == b->width_px && a->shift_tenths == b->shift_tenths
         && a->contrast == b->contrast && a->smooth_px == b->smooth_px && a->clean == b->clean
         && a->specks_px == b->specks_px && a->holes_px == b->holes_px;
}
