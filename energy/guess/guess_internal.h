/* SPDX-License-Identifier: MIT */
/* Fields of a guess, private to this room.   Layer: energy.
 *
 * Threads: as guess.h says.
 */
#ifndef FS_ENERGY_GUESS_GUESS_INTERNAL_H
#define FS_ENERGY_GUESS_GUESS_INTERNAL_H

#include "energy/image/seed_map.h"
#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
  FS_GUESS_STEPS = 4096, /* of probability */
  FS_GUESS_MAX = 256,    /* no |log-odds| is larger: four nats of FS_NAT_SCALE */
  /* Finished masks (mask_seeds.h): the |log-odds| from which a pixel is certain (a probability of
   * an eighth), and up to which it is unknown (128 ± 4 of 255). */
  FS_GUESS_CERTAIN = 124,
  FS_GUESS_UNKNOWN = 2
};

/* Declared in guess.h too, which is above this. */
typedef struct _FsGuess FsGuess;

struct _FsGuess {
  gatomicrefcount n_refs;
  int width, height;
  int photo_width, photo_height;
  uint16_t *probability;                /* [height · width] */
  uint8_t *numbers;                     /* [height · width] of objects; NULL without */
  int64_t n_of_number[FS_SEED_MAX + 1]; /* their pixels */
  uint32_t *component; /* [height · width] its number, in order of their first pixels */
  uint32_t n_components;
  uint32_t *n_pixels; /* [n_components] */
  uint8_t *is_object; /* [n_components] */
  gboolean is_mask;   /* fs_guess_is_mask */
  int16_t odds[FS_GUESS_STEPS];
};

/* The log-odds of a pixel of the guess. */
static inline int16_t
fs_guess_odds (const FsGuess *guess, size_t i)
{
  return guess->odds[guess->probability[i] >> 4];
}
G_STATIC_ASSERT (FS_GUESS_STEPS << 4 == UINT16_MAX + 1);

static inline gboolean
fs_guess_is_certain (const FsGuess *guess, size_t i)
{
  return ABS (fs_guess_odds (guess, i)) >= FS_GUESS_CERTAIN;
}

G_END_DECLS

#endif
