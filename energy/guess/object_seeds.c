/* SPDX-License-Identifier: MIT */
#include "energy/guess/object_seeds.h"

#include "energy/guess/contradictions.h"
#include "energy/guess/guess_internal.h"
#include "solver/system/checked_memory.h"

#include <string.h>

static gboolean
contradicts (uint8_t stroke, uint8_t label)
{
  return stroke >= FS_SEED_OBJECT && label >= FS_SEED_OBJECT && stroke != label;
}

FsSeedMap *
fs_object_seeds_new (const FsGuess *guess, const FsSeedMap *strokes, const uint8_t *mask)
{
  g_return_val_if_fail (guess && guess->numbers && strokes && mask, NULL);
  g_return_val_if_fail (guess->width == strokes->width && guess->height == strokes->height, NULL);
  size_t n = (size_t)guess->width * (size_t)guess->height;
  FsSeedMap *seeds = fs_seed_map_new (guess->width, guess->height);
  uint8_t *label = fs_memory_new (n, 1);
  if (!seeds || !label) {
    fs_memory_free (label);
    fs_seed_map_free (seeds);
    return NULL;
  }
  memcpy (label, guess->numbers, n);
  fs_contradictions_free (strokes, guess->component, guess->n_components, contradicts, label);
  for (size_t i = 0; i < n; i++)
    if (strokes->label[i] != FS_SEED_NONE || !mask[i] || label[i] == FS_SEED_BACKGROUND)
      label[i] = strokes->label[i];
  fs_seed_map_set (seeds, label);
  fs_memory_free (label);
  return seeds;
}
