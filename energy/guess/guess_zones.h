/* SPDX-License-Identifier: MIT */
/* Zones of lost trust around seeds that contradict a guess, on a reduced photo.
 * Layer: energy.
 *
 * The reduced photo has FS_ZONE_CELLS cells along its longer side. A contradiction's *depth* is its
 * distance from the other side of the guess. Around it lies a zone in which trust rises linearly
 * from 0 to whole. The zone's radius is FS_ZONE_RADIUS times the depth, since a stroke in the
 * middle of a component says more about it than one near its border, and at least a fiftieth of the
 * diagonal. Around an object stroke, which may mean something small that the guess lacks, it is at
 * most a third of the diagonal. Depths are rounded to octaves.
 *
 * Integers, a function of guess and seeds. Threads: one at a time; reading: any number.
 */
#ifndef FS_ENERGY_GUESS_GUESS_ZONES_H
#define FS_ENERGY_GUESS_GUESS_ZONES_H

#include "energy/guess/guess.h"
#include "energy/guess/guess_internal.h"

G_BEGIN_DECLS

enum { FS_ZONE_CELLS = 256, FS_ZONE_RADIUS = 9 /* depths */, FS_TRUST_WHOLE = 256 };

typedef struct {
  int width, height; /* cells */
  const FsGuess *guess;
  uint8_t *depth;     /* [height · width] the octave of the cell's depth, from 1 */
  uint8_t *is_seeded; /* [height · width] FsZoneSeeds                            */
  uint8_t *scratch;
  uint16_t *trust; /* [height · width] of the last fs_guess_zones_fade */
} FsGuessZones;

/* The seeds in a cell, as bits: some contradict the guess under them; some are of the object. */
typedef enum { FS_ZONE_CONTRADICTS = 1, FS_ZONE_OBJECT = 2 } FsZoneSeeds;

/* Borrows the guess. FALSE where memory is short; cleared then. Cost O(cells). */
gboolean fs_guess_zones_init (FsGuessZones *zones, const FsGuess *guess);
void fs_guess_zones_clear (FsGuessZones *zones);

static inline size_t
fs_guess_zones_cell (const FsGuessZones *zones, int x, int y, int width, int height)
{
  size_t cx = (size_t)((2 * (int64_t)x + 1) * zones->width / (2 * (int64_t)width));
  size_t cy = (size_t)((2 * (int64_t)y + 1) * zones->height / (2 * (int64_t)height));
  return cy * (size_t)zones->width + cx;
}

/* The component of the guess in the middle of a cell. */
uint32_t fs_guess_zones_component (const FsGuessZones *zones, size_t cell);

/* Fills `trust` from the contradictions in the cells where `is_selected` ([height · width], 0 or 1;
 * NULL: all) is set. Cost O(cells). */
void fs_guess_zones_fade (FsGuessZones *zones, const uint8_t *is_selected);

G_END_DECLS

#endif
