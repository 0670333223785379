/* SPDX-License-Identifier: MIT */
/* The colours of one side: at most 64 clusters of its seeds' colours.   Layer: energy.
 *
 * Source: Li, Sun, Tang & Shum 2004 (Lazy Snapping), section 3.1: k-means with 64 clusters a side;
 * a colour's distance to a side is that to the nearest cluster mean. Ours starts from a
 * deterministic division (the cluster with the largest squared error is split at its mean along its
 * widest axis) in place of random seeds, and runs Lloyd's iteration on a histogram of 64³ colours,
 * so that the same seeds give the same clusters everywhere.
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_COLOUR_MODEL_H
#define FS_ENERGY_COLOUR_MODEL_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Colours are binned by the upper 6 bits of each channel. */
#define FS_COLOUR_BITS 6
#define FS_COLOUR_BINS (1 << (3 * FS_COLOUR_BITS))
#define FS_N_CLUSTERS  64
/* Means are held in quarters of a grey level, so that squared distances stay exact in a float. */
#define FS_COLOUR_SCALE 4

static inline uint32_t
fs_colour_bin (uint32_t pixel)
{
  return (pixel >> 6 & 0x3f000) | (pixel >> 4 & 0xfc0) | (pixel >> 2 & 0x3f);
}

/* The middle of a bin, in quarters of a grey level: channel 0 red, 1 green, 2 blue. */
static inline int
fs_colour_bin_centre (uint32_t bin, int channel)
{
  int v = (int)(bin >> (FS_COLOUR_BITS * (2 - channel)) & 0x3f);
  return v * (4 * FS_COLOUR_SCALE) + 6;
}

/* How often each colour occurs among the samples of one side. Only the bins of `bins` may occur;
 * they are borrowed, in ascending order, and make every operation cost what the photo has of
 * colours. */
typedef struct {
  uint32_t *count; /* [FS_COLOUR_BINS] */
  const uint32_t *bins;
  size_t n_bins;
  uint64_t n_pixels;
} FsColourHistogram;

void fs_colour_histogram_init (FsColourHistogram *histogram, const uint32_t *bins, size_t n_bins);
void fs_colour_histogram_clear (FsColourHistogram *histogram);
void fs_colour_histogram_reset (FsColourHistogram *histogram);
void fs_colour_histogram_add (FsColourHistogram *histogram, uint32_t pixel);

typedef struct {
  int n_clusters;               /* 0: no colours known */
  float mean[3][FS_N_CLUSTERS]; /* whole numbers, in quarters of a grey level */
} FsColourModel;

/* Fits the model to the histogram. Cost: occupied bins × 64 × at most 12 iterations. */
void fs_colour_model_fit (FsColourModel *model, const FsColourHistogram *histogram);

/* Squared distance of a bin's middle to the nearest mean, in sixteenths of a squared grey level;
 * exact. Only where n_clusters > 0. */
int32_t fs_colour_model_distance2 (const FsColourModel *model, uint32_t bin);

G_END_DECLS

#endif
