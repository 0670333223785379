/* SPDX-License-Identifier: MIT */
/* Cuts of the bands of successive frames on a device (energy/frames/frame_tables.h,
 * solver/cuda/cuda_band.h).   Layer: app.
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

/* Allocates device memory for the band of the tables, so that similar frames need no allocation. An
 * error is not reported here: the device fails with it again when it cuts. */
void fs_device_band_prepare (FsDeviceBand *device);

/* Cuts the band of the tables, from zero flow, in the memory that is allocated or in new memory,
 * and writes the labels of its free pixels to `cut`, a plane of its window. Fills `step`'s figures
 * of reuse, solution and times. FALSE where the device has failed. */
gboolean fs_device_band_cut (FsDeviceBand *device, const FsImage *image, const FsFrameBand *band,
                             const FsFrameColours *colours, uint8_t *cut, FsSequenceStep *step);

G_END_DECLS

#endif
