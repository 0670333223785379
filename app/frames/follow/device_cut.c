/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/device_cut.h"

#include "app/files/report_numbers.h"

void
fs_device_band_init (FsDeviceBand *device)
{
  fs_frame_tables_init (&device->tables);
  device->cutter = NULL;
}

void
fs_device_band_clear (FsDeviceBand *device)
{
  g_clear_pointer (&device->cutter, fs_cuda_band_free);
  fs_frame_tables_clear (&device->tables);
}

/* FALSE where the device has failed. */
static gboolean
reserve_tiles (FsDeviceBand *device, FsBandTiles *tiles)
{
  FsBandSpace space = fs_frame_tables_space ();
  if (!device->cutter)
    device->cutter = fs_cuda_band_new (&space);
  return device->cutter
         && fs_cuda_band_reserve (device->cutter, device->tables.n_tiles, device->tables.n_priors,
                                  tiles);
}

void
fs_device_band_prepare (FsDeviceBand *device)
{
  FsBandTiles tiles;
  if (device->tables.n_tiles > 0)
    reserve_tiles (device, &tiles);
}

gboolean
fs_device_band_cut (FsDeviceBand *device, const FsImage *image, const FsFrameBand *band,
                    const FsFrameColours *colours, uint8_t *cut, FsSequenceStep *step)
{
  FsBandTiles tiles;
  gint64 mark = g_get_monotonic_time ();
  step->is_reused = device->cutter != NULL;
  step->solution = (FsSolution){ .exact = TRUE };
  if (device->tables.n_tiles == 0)
    return TRUE;
  if (!reserve_tiles (device, &tiles))
    return FALSE;
  fs_frame_tables_pack (&device->tables, image, band, colours, &tiles);
  step->change_us = fs_report_lap (&mark);
  const uint32_t *mask = fs_cuda_band_cut (device->cutter, &step->solution);
  if (!mask)
    return FALSE;
  fs_frame_tables_unpack (&device->tables, band, mask, cut);
  step->solve_us = fs_report_lap (&mark);
  step->device_ms = fs_cuda_band_last_result (device->cutter)->device_ms;
  return TRUE;
}
