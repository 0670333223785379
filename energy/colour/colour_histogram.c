/* SPDX-License-Identifier: MIT */
#include "energy/colour/colour_histogram.h"

void
fs_colour_histogram_init (FsColourHistogram *histogram, const uint32_t *bins, size_t n_bins)
{
  histogram->bins = bins;
  histogram->n_bins = n_bins;
  histogram->count = g_new0 (uint32_t, FS_COLOUR_BINS);
  histogram->n_pixels = 0;
}

void
fs_colour_histogram_clear (FsColourHistogram *histogram)
{
  g_clear_pointer (&histogram->count, g_free);
  histogram->n_pixels = 0;
}

void
fs_colour_histogram_reset (FsColourHistogram *histogram)
{
  for (size_t i = 0; i < histogram->n_bins; i++)
    histogram->count[histogram->bins[i]] = 0;
  histogram->n_pixels = 0;
}

void
fs_colour_histogram_add (FsColourHistogram *histogram, uint32_t pixel)
{
  histogram->count[fs_colour_bin (pixel)]++;
  histogram->n_pixels++;
}
