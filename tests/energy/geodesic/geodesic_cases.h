/* SPDX-License-Identifier: MIT */
/* Random photos and strokes for the tests of distances and stars. */
#ifndef FS_TESTS_GEODESIC_CASES_H
#define FS_TESTS_GEODESIC_CASES_H

#include "energy/geodesic/sources.h"

/* Noise, few colours, a checkerboard (where paths cross), smooth shades or one colour. */
FsImage *fs_case_image (GRand *rand, int width, int height);

/* A stroke of any label from 0 (erases) to 3, in a random part of the map; sometimes erases all.
 * Appends the pixels that changed. */
void fs_case_edit (GRand *rand, FsSeedMap *seeds, GArray *pixels);

/* A photo with its level, and the seeds that strokes have left so far. */
typedef struct {
  FsImage *image;
  FsGeodesicLevel *level;
  FsSeedMap *seeds;
  FsGeodesicSources *sources;
  GArray *pixels; /* changed by the last edit */
  GArray *cells;  /* whose bits the last edit changed */
} FsCase;

/* A random photo of at most `side_px` at a random level of at most max_shift. */
void fs_case_init (FsCase *c, GRand *rand, int side_px, int max_shift);
void fs_case_clear (FsCase *c);
/* Plays a random edit. */
void fs_case_play (FsCase *c, GRand *rand);

#endif
