/* SPDX-License-Identifier: MIT */
/* Zones of lost trust around seeds that contradict a guess, on a reduced photo.
 * Layer: energy.
 *
 * Of FS_ZONE_CELLS cells along the photo's longer side. A contradiction's *depth* is how far it
 * lies from the other side of the guess. Trust is 0 at it and whole at FS_ZONE_REACH times its
 * depth, a fiftieth of the diagonal at least: a stroke in the midst of a component says more about
 * it than one beside its border. An object stroke amid the background may be about something small
 * that the guess lacks: it reaches a third of the diagonal at most. Depths of one octave reach
 * equally far.
 *
 * Integers, a function of guess and seeds. Threads: one at a time; reading: any number.
 */
#ifndef FS_ENERGY_GUESS_GUESS_ZONES_H
#define FS_ENERGY_GUESS_GUESS_ZONES_H

#include "energy/guess/guess.h"
#include "energy/guess/guess_internal.h"

G_BEGIN_DECLS

enum { FS_ZONE_CELLS = 256, FS_ZONE_REACH = 9, FS_TRUST_WHOLE = 256 };

typedef struct {
  int width, height; /* cells */
  const FsGuess *guess;
  uint8_t *depth;     /* [height · width] the octave of the cell's depth, from 1 */
  uint8_t *is_seeded; /* [height · width] FsZoneSeeds                            */
  uint8_t *scratch;
  uint16_t *trust; /* [height · width] of the last fs_guess_zones_fade */
} FsGuessZones;

/* What seeds are in a cell: those that contradict what the guess says under them, and of the
 * object. */
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

/* Makes `trust` from the contradictions among the cells that `is_meant` (cells of 0 or 1; NULL:
 * all) names. Cost O(cells). */
void fs_guess_zones_fade (FsGuessZones *zones, const uint8_t *is_meant);

G_END_DECLS

#endif
