/* SPDX-License-Identifier: MIT */
/* Photos and what a person does to them in a window, at random. */
#ifndef FS_TESTS_APP_RANDOM_SESSIONS_H
#define FS_TESTS_APP_RANDOM_SESSIONS_H

#include "app/session/project.h"

/* Small: patches, an ellipse on a ground, or stripes, all noisy. */
FsImage *random_image (GRand *rand);
/* As an RGB PNG; its path. */
char *write_photo (const char *folder, const FsImage *image);
/* Any model, with and without a star and stability; stability more often than not. */
FsSettings random_settings (GRand *rand);

/* Of any size, discs and noise, sharp or not, of 8 bits more often than of 16; or a finished mask.
 */
FsGuess *random_guess (const FsImage *image, GRand *rand);

/* Strokes of several labels, erasures, lassos, a pen's, cancelled ones, undo, redo, other settings,
 * guesses; before some the mask is final, before others it has not. At the end it may not have.
 */
void random_work (FsDocument *document, GRand *rand);

/* Runs the main loop until the mask is final; asserts that it becomes so, and is exact. */
void wait_for_final (FsDocument *document);

#endif
