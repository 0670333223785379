/* SPDX-License-Identifier: MIT */
/* The band of one frame after another, cut by a device (energy/frames/frame_tables.h,
 * solver/cuda/cuda_band.h). Layer: app.
 *
 * Threads: one at a time; the cut blocks.
 */
#ifndef FS_APP_FRAMES_FOLLOW_DEVICE_CUT_H
#define FS_APP_FRAMES_FOLLOW_DEVICE_CUT_H

#include "app/frames/follow/sequence_step.h"
#include "energy/frames/frame_tables.h"
#include "solver/cuda/cuda_band.h"

G_BEGIN_DECLS

typedef struct {
  FsFrameTables tables;
  FsCudaBand *cutter; /* NULL: none yet */
} FsDeviceBand;

void fs_device_band_init (FsDeviceBand *device);
void fs_device_band_clear (FsDeviceBand *device);

/* Gives the device memory for the band of the tables, so that frames like it find it there. Where
 * the device fails now it fails again when it is asked to cut. */
void fs_device_band_prepare (FsDeviceBand *device);

/* Cuts the band of the tables, from nothing, in the memory that there is or in new memory, and
 * writes the labels of its free pixels to `cut`, in its window. Fills `step`'s figures of re-use,
 * the solution and the times. FALSE: the device has failed. */
gboolean fs_device_band_cut (FsDeviceBand *device, const FsImage *image, const FsFrameBand *band,
                             const FsFrameColours *colours, uint8_t *cut, FsSequenceStep *step);

G_END_DECLS

#endif
