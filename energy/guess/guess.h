/* SPDX-License-Identifier: MIT */
/* First guess: the probability of each pixel to be object, as evidence beside the strokes.
 * Layer: energy (value header).
 *
 * It comes from a network that finds salient objects, or from a mask of another program, and saves
 * painting. The probabilities become a unary term: their log-odds in FS_NAT_SCALE, cut to ±4 nats.
 * So the cut stays exact and follows the photo's contrast. opinion.h says how far the strokes let
 * it count.
 *
 * The *components* of a guess are the connected pixels of one side: 8 neighbours where object is
 * the likelier side, 4 where background is. With several objects they are those of one object each.
 *
 * Everything is integers. Threads: immutable and reference-counted; any thread may read it.
 */
#ifndef FS_ENERGY_GUESS_GUESS_H
#define FS_ENERGY_GUESS_GUESS_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct _FsGuess FsGuess;

/* The range of probabilities in a guess found by a program. None is certain, because the guess
 * would count as a finished mask then. */
#define FS_GUESS_FOUND_MIN 257
#define FS_GUESS_FOUND_MAX (254 * 257)

/* `probability`: [height · width], 65535 for certainly object; copied. A guess of more columns or
 * rows than the photo is reduced to the photo's by averages of boxes. NULL where memory is short.
 * Cost O(width · height). */
FsGuess *fs_guess_new (const uint16_t *probability, int width, int height, int photo_width,
                       int photo_height);
/* A finished mask of several objects. `numbers`: [height · width], of the photo's size; copied.
 * FS_SEED_OBJECT and up are objects, FS_SEED_BACKGROUND is none, and FS_SEED_NONE is unknown. NULL
 * where memory is short. */
FsGuess *fs_guess_new_objects (const uint8_t *numbers, int width, int height);
FsGuess *fs_guess_ref (FsGuess *guess);
void fs_guess_unref (FsGuess *guess);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsGuess, fs_guess_unref)

int fs_guess_get_width (const FsGuess *guess);
int fs_guess_get_height (const FsGuess *guess);
/* TRUE if the guess is a finished mask: of the photo's size, and certain nearly everywhere except
 * for smoothed edges and the unknown part of a trimap (mask_seeds.h). Each of its components,
 * however small, then counts as if it were painted. */
gboolean fs_guess_is_mask (const FsGuess *guess);
/* [height · width], owned by the guess. A guess made from it is the same as this one. */
const uint16_t *fs_guess_get_probability (const FsGuess *guess);
/* The numbers of its objects, [height · width], owned by the guess; NULL for a guess without. */
const uint8_t *fs_guess_get_numbers (const FsGuess *guess);
/* The number of pixels of an object, and the largest number of one, 0 without any. Cost O(1). */
int64_t fs_guess_count_object (const FsGuess *guess, uint8_t number);
uint8_t fs_guess_get_last_object (const FsGuess *guess);

G_END_DECLS

#endif
