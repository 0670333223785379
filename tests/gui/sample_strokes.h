/* SPDX-License-Identifier: MIT */
/* The sessions that cut the sample photo's bird out, for pictures of the window. */
#ifndef FS_TESTS_GUI_SAMPLE_STROKES_H
#define FS_TESTS_GUI_SAMPLE_STROKES_H

#include "tests/gui/stage.h"

/* Paints five strokes (data/sessions/sample-few.fretsaw) in the sample photo, which must be open,
 * at the pace of a hand. */
void sample_strokes_play (Stage *stage);

/* The same with a guess, as a subject finder gives it, and two strokes over what that misses
 * (data/sessions/sample-guess.fretsaw). */
void sample_guess_play (Stage *stage);

#endif
