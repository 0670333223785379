/* SPDX-License-Identifier: MIT */
#include "energy/guess/guess_zones.h"

#include "energy/image/distance.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* Parts of the diagonal. */
enum { MIN_RADIUS_DIVISOR = 50, MAX_OBJECT_RADIUS_DIVISOR = 3 };

static size_t
n_cells (const FsGuessZones *zones)
{
  return (size_t)zones->width * (size_t)zones->height;
}

uint32_t
fs_guess_zones_component (const FsGuessZones *zones, size_t cell)
{
  const FsGuess *guess = zones->guess;
  size_t w = (size_t)zones->width, h = (size_t)zones->height;
  size_t x = (2 * (cell % w) + 1) * (size_t)guess->width / (2 * w);
  size_t y = (2 * (cell / w) + 1) * (size_t)guess->height / (2 * h);
  return guess->component[y * (size_t)guess->width + x];
}

static uint64_t
floor_sqrt (uint64_t n)
{
  uint64_t root = 0;
  for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
    if ((root + bit) * (root + bit) <= n)
      root += bit;
  return root;
}

static void
measure_depth (FsGuessZones *zones)
{
  const FsGuess *guess = zones->guess;
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < n_cells (zones); i++)
      zones->scratch[i] = guess->is_object[fs_guess_zones_component (zones, i)] != side;
    g_autofree int64_t *far2 = fs_distance2 (zones->scratch, zones->width, zones->height);
    for (size_t i = 0; i < n_cells (zones); i++)
      if (!zones->scratch[i])
        zones->depth[i] = (uint8_t)g_bit_storage (MAX (1, floor_sqrt ((uint64_t)far2[i])));
  }
}

gboolean
fs_guess_zones_init (FsGuessZones *zones, const FsGuess *guess)
{
  int longer = MAX (guess->photo_width, guess->photo_height);
  *zones = (FsGuessZones){ .guess = guess };
  zones->width = MAX (1, (int)((int64_t)guess->photo_width * FS_ZONE_CELLS / longer));
  zones->height = MAX (1, (int)((int64_t)guess->photo_height * FS_ZONE_CELLS / longer));
  size_t n = n_cells (zones);
  zones->depth = fs_memory_new (n, 1);
  zones->is_seeded = fs_memory_new (n, 1);
  zones->scratch = fs_memory_new (n, 1);
  zones->trust = fs_memory_new (n, sizeof *zones->trust);
  if (zones->depth && zones->is_seeded && zones->scratch && zones->trust) {
    measure_depth (zones);
    memset (zones->is_seeded, 0, n);
    return TRUE;
  }
  fs_guess_zones_clear (zones);
  return FALSE;
}

void
fs_guess_zones_clear (FsGuessZones *zones)
{
  fs_memory_free (zones->depth);
  fs_memory_free (zones->is_seeded);
  fs_memory_free (zones->scratch);
  fs_memory_free (zones->trust);
  *zones = (FsGuessZones){ 0 };
}

/* The radius of zones of a depth's octave, in sixteenths of a cell. */
static uint64_t
zone_radius (const FsGuessZones *zones, int octave, uint8_t seeds)
{
  uint64_t w = (uint64_t)zones->width, h = (uint64_t)zones->height;
  uint64_t diagonal = floor_sqrt (256 * (w * w + h * h));
  uint64_t middle = 3 * ((uint64_t)1 << octave) * 4; /* of the octave */
  uint64_t radius = MAX (diagonal / MIN_RADIUS_DIVISOR, FS_ZONE_RADIUS * middle);
  return seeds & FS_ZONE_OBJECT ? MIN (radius, diagonal / MAX_OBJECT_RADIUS_DIVISOR) : radius;
}

/* Contradictions by the object's seeds have FS_ZONE_OBJECT among `seeds`, and others have not. */
static void
fade_octave (FsGuessZones *zones, const uint8_t *is_selected, int octave, uint8_t seeds)
{
  gboolean any = FALSE;
  for (size_t i = 0; i < n_cells (zones); i++) {
    zones->scratch[i] = zones->is_seeded[i] == seeds && zones->depth[i] == octave
                        && (!is_selected || is_selected[i]);
    any |= zones->scratch[i];
  }
  if (!any)
    return;
  g_autofree int64_t *far2 = fs_distance2 (zones->scratch, zones->width, zones->height);
  uint64_t radius = zone_radius (zones, octave, seeds);
  for (size_t i = 0; i < n_cells (zones); i++) {
    uint64_t far = floor_sqrt (256 * (uint64_t)far2[i]);
    uint64_t trust = MIN (FS_TRUST_WHOLE, FS_TRUST_WHOLE * far / radius);
    zones->trust[i] = (uint16_t)MIN (zones->trust[i], trust);
  }
}

void
fs_guess_zones_fade (FsGuessZones *zones, const uint8_t *is_selected)
{
  int n_octaves = (int)g_bit_storage (2 * FS_ZONE_CELLS);
  for (size_t i = 0; i < n_cells (zones); i++)
    zones->trust[i] = FS_TRUST_WHOLE;
  for (int octave = 1; octave <= n_octaves; octave++) {
    fade_octave (zones, is_selected, octave, FS_ZONE_CONTRADICTS);
    fade_octave (zones, is_selected, octave, FS_ZONE_CONTRADICTS | FS_ZONE_OBJECT);
  }
}
