/* SPDX-License-Identifier: MIT */
/* Runs of consecutive pixels in a list of pixel indices.   Layer: energy (value header). */
#ifndef FS_ENERGY_IMAGE_PIXEL_RUN_H
#define FS_ENERGY_IMAGE_PIXEL_RUN_H

#include <stddef.h>
#include <stdint.h>

enum { FS_PIXEL_RUN_BLOCK = 32 };

/* TRUE if the pixels of a block are consecutive from `first` on. */
static inline int
fs_pixel_run_is_block (const uint32_t pixels[FS_PIXEL_RUN_BLOCK], uint32_t first)
{
  uint32_t differs = 0;
  for (uint32_t i = 0; i < FS_PIXEL_RUN_BLOCK; i++)
    differs |= pixels[i] ^ (first + i);
  return differs == 0;
}

/* The length of the run of consecutive pixels at the beginning of n ≥ 1, at least one. O(run). */
static inline size_t
fs_pixel_run_count (const uint32_t *pixels, size_t n)
{
  size_t run = 1;
  while (run + FS_PIXEL_RUN_BLOCK <= n
         && fs_pixel_run_is_block (pixels + run, pixels[0] + (uint32_t)run))
    run += FS_PIXEL_RUN_BLOCK;
  while (run < n && pixels[run] == pixels[0] + (uint32_t)run)
    run++;
  return run;
}

#endif
