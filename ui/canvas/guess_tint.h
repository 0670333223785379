/* SPDX-License-Identifier: MIT */
/* Tint that shows a guess over the photo until the first mask computed with it arrives.
 * Layer: ui.
 *
 * Background is covered by the overlay's colour, with an opacity that grows with its probability
 * and stays below the overlay's. The cost of drawing does not depend on the photo's size.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_CANVAS_GUESS_TINT_H
#define FS_UI_CANVAS_GUESS_TINT_H

#include "energy/guess/guess.h"
#include "ui/view/view_style.h"
#include "ui/view/view_transform.h"
#include <cairo.h>

G_BEGIN_DECLS

typedef struct _FsGuessTint FsGuessTint;

/* Takes no reference. NULL where memory is short. */
FsGuessTint *fs_guess_tint_new (const FsGuess *guess);
void fs_guess_tint_free (FsGuessTint *tint);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsGuessTint, fs_guess_tint_free)

/* `cr` in widget pixels. Draws only in the overlay and contour views. */
void fs_guess_tint_draw (FsGuessTint *tint, cairo_t *cr, const FsViewTransform *transform,
                         FsViewStyle style);

G_END_DECLS

#endif
