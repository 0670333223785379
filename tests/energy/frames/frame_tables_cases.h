/* SPDX-License-Identifier: MIT */
/* Frames with a band whose links are in tables: the processor's cut of their planes, and a device's
 * of the tables, which has to be the same. */
#ifndef FS_TESTS_FRAME_TABLES_CASES_H
#define FS_TESTS_FRAME_TABLES_CASES_H

#include "energy/frames/frame_energy.h"
#include "energy/frames/frame_tables.h"
#include "solver/cuda/cuda_band.h"

G_BEGIN_DECLS

typedef struct {
  FsImage *before, *now;
  uint8_t *mask;
  FsFrameBand band;
  FsFrameColours *colours;
  FsFrameEnergy energy;
  FsFrameTables tables;
  uint8_t *expected; /* [window] */
  FsSolution solution;
} FsFrameTablesCase;

/* A blot of drawn size and place in a frame with noise, drawn motion, window and reach. */
void fs_frame_tables_case_init (FsFrameTablesCase *c, GRand *rand, int width, int height);
void fs_frame_tables_case_clear (FsFrameTablesCase *c);

/* Cuts the band on the device and compares everything. FALSE: the device has failed. */
gboolean fs_frame_tables_case_check (const FsFrameTablesCase *c, FsCudaBand *device);

G_END_DECLS

#endif
