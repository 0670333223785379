/* SPDX-License-Identifier: MIT */
/* Histogram of colours in bins of 4³ values.   Layer: energy.
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_COLOUR_COLOUR_HISTOGRAM_H
#define FS_ENERGY_COLOUR_COLOUR_HISTOGRAM_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Colours are binned by the upper 6 bits of each channel. */
#define FS_COLOUR_BITS 6
#define FS_COLOUR_BINS (1 << (3 * FS_COLOUR_BITS))
/* Units in a grey level, in which the centres of bins are integers. */
#define FS_COLOUR_SCALE 4

static inline uint32_t
fs_colour_bin (uint32_t pixel)
{
  return (pixel >> 6 & 0x3f000) | (pixel >> 4 & 0xfc0) | (pixel >> 2 & 0x3f);
}

/* A pixel in the middle of a bin. */
static inline uint32_t
fs_colour_bin_pixel (uint32_t bin)
{
  return ((bin & 0x3f000) << 6 | (bin & 0xfc0) << 4 | (bin & 0x3f) << 2) + 0xff020202u;
}

/* The middle of a bin, in quarters of a grey level: channel 0 red, 1 green, 2 blue. */
static inline int
fs_colour_bin_centre (uint32_t bin, int channel)
{
  int v = (int)(bin >> (FS_COLOUR_BITS * (2 - channel)) & 0x3f);
  return v * (4 * FS_COLOUR_SCALE) + 6;
}

/* The count of each colour among the samples of one side. Only the bins listed in `bins` (borrowed,
 * ascending) may occur, so that operations cost as much as the photo has colours. */
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

G_END_DECLS

#endif
