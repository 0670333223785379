/* SPDX-License-Identifier: MIT */
#include "energy/guess/mask_seeds.h"

#include "energy/guess/contradictions.h"
#include "energy/guess/guess_internal.h"
#include "solver/system/checked_memory.h"

#include <string.h>

struct _FsMaskSeeds {
  FsGuess *guess;
  uint8_t *label; /* [height · width] labels of the mask, as last weighed */
  FsSeedMap *all; /* the strokes over them */
};

FsMaskSeeds *
fs_mask_seeds_new (FsGuess *guess)
{
  g_autoptr (FsMaskSeeds) seeds = g_new0 (FsMaskSeeds, 1);
  seeds->guess = fs_guess_ref (guess);
  seeds->label = fs_memory_new ((size_t)guess->width * (size_t)guess->height, 1);
  seeds->all = fs_seed_map_new (guess->width, guess->height);
  return seeds->label && seeds->all ? g_steal_pointer (&seeds) : NULL;
}

void
fs_mask_seeds_free (FsMaskSeeds *seeds)
{
  if (!seeds)
    return;
  fs_guess_unref (seeds->guess);
  fs_memory_free (seeds->label);
  fs_seed_map_free (seeds->all);
  g_free (seeds);
}

static gboolean
contradicts (uint8_t stroke, uint8_t label)
{
  return (stroke == FS_SEED_BACKGROUND) != (label == FS_SEED_BACKGROUND);
}

static void
fill_labels (FsMaskSeeds *seeds)
{
  const FsGuess *guess = seeds->guess;
  size_t n = (size_t)guess->width * (size_t)guess->height;
  for (size_t i = 0; i < n; i++)
    seeds->label[i] = !fs_guess_is_certain (guess, i) ? FS_SEED_NONE
                      : fs_guess_odds (guess, i) > 0  ? FS_SEED_OBJECT
                                                      : FS_SEED_BACKGROUND;
}

void
fs_mask_seeds_weigh (FsMaskSeeds *seeds, const FsSeedMap *strokes)
{
  fill_labels (seeds);
  fs_contradictions_free (strokes, seeds->guess->component, seeds->guess->n_components, contradicts,
                          seeds->label);
}

/* --- over the mask --- */

uint8_t
fs_mask_seeds_get (const FsMaskSeeds *seeds, uint32_t pixel)
{
  return seeds->label[pixel];
}

const FsSeedMap *
fs_mask_seeds_merge (FsMaskSeeds *seeds, const FsSeedMap *strokes)
{
  size_t n = (size_t)strokes->width * (size_t)strokes->height;
  FsSeedMap *all = seeds->all;
  memset (all->n_seeds, 0, sizeof all->n_seeds);
  for (size_t i = 0; i < n; i++) {
    all->label[i] = strokes->label[i] != FS_SEED_NONE ? strokes->label[i] : seeds->label[i];
    all->n_seeds[all->label[i]]++;
  }
  return all;
}

const FsSeedMap *
fs_mask_seeds_change (FsMaskSeeds *seeds, const FsSeedMap *strokes, const uint32_t *pixels,
                      size_t n)
{
  FsSeedMap *all = seeds->all;
  for (size_t i = 0; i < n; i++) {
    uint32_t p = pixels[i];
    all->n_seeds[all->label[p]]--;
    all->label[p] = strokes->label[p] != FS_SEED_NONE ? strokes->label[p] : seeds->label[p];
    all->n_seeds[all->label[p]]++;
  }
  return all;
}
