/* SPDX-License-Identifier: MIT */
/* Colour model of one side: at most 64 clusters of its seeds' colours.   Layer: energy.
 *
 * Source: Li, Sun, Tang & Shum 2004 (Lazy Snapping), section 3.1: k-means with 64 clusters a side;
 * a colour's distance to a side is that to the nearest cluster mean. Ours starts from a
 * deterministic division (the cluster with the largest squared error is split at its mean along its
 * widest axis) in place of random seeds, and runs Lloyd's iteration on a histogram of 64³ colours,
 * so that the same seeds give the same clusters everywhere.
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_COLOUR_COLOUR_CLUSTERS_H
#define FS_ENERGY_COLOUR_COLOUR_CLUSTERS_H

#include "energy/colour/colour_histogram.h"

G_BEGIN_DECLS

/* Means are held in units of 1 / FS_COLOUR_SCALE, so that squared distances stay exact in a float.
 */
#define FS_N_CLUSTERS 64

typedef struct {
  int n_clusters; /* 0: no colours known */
  /* The means in quarters of a grey level, in pairs: red and green, blue and 0. */
  int16_t red_green[FS_N_CLUSTERS][2];
  int16_t blue[FS_N_CLUSTERS][2];
} FsColourModel;

/* Fits at most n_clusters (≤ FS_N_CLUSTERS) to the histogram. Cost: occupied bins × 64 × at most 12
 * iterations. */
void fs_colour_model_fit (FsColourModel *model, const FsColourHistogram *histogram, int n_clusters);

/* Squared distance of a bin's middle to the nearest mean, in sixteenths of a squared grey level;
 * exact. Only where n_clusters > 0. */
int32_t fs_colour_model_distance2 (const FsColourModel *model, uint32_t bin);

/* The index of the nearest mean, the first of equally near ones. */
int fs_colour_model_nearest (const FsColourModel *model, uint32_t bin);

G_END_DECLS

#endif
