/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge_settings.h"

static gboolean
is_between (int value, int low, int high)
{
  return value >= low && value <= high;
}

static void
complete (int *value, int from)
{
  if (*value == FS_EDGE_UNSET)
    *value = from;
}

void
fs_edge_settings_complete (FsEdgeSettings *settings, const FsEdgeSettings *from)
{
  g_return_if_fail (settings && from);
  complete (&settings->width_px, from->width_px);
  complete (&settings->shift_tenths, from->shift_tenths);
  complete (&settings->contrast, from->contrast);
  complete (&settings->smooth_px, from->smooth_px);
  complete (&settings->clean, from->clean);
  complete (&settings->specks_px, from->specks_px);
  complete (&settings->holes_px, from->holes_px);
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
fs_edge_settings_are_hard (const FsEdgeSettings *settings)
{
  g_return_val_if_fail (settings, FALSE);
  return settings->width_px == 0 && settings->shift_tenths == 0 && settings->smooth_px == 0
         && settings->specks_px == 0 && settings->holes_px == 0;
}

gboolean
fs_edge_settings_equal (const FsEdgeSettings *a, const FsEdgeSettings *b)
{
  g_return_val_if_fail (a && b, FALSE);
  return a->width_px == b->width_px && a->shift_tenths == b->shift_tenths
         && a->contrast == b->contrast && a->smooth_px == b->smooth_px && a->clean == b->clean
         && a->specks_px == b->specks_px && a->holes_px == b->holes_px;
}
