/* SPDX-License-Identifier: MIT */
/* The veil of a guess over the photo, until the mask that follows from it is there.   Layer: ui.
 *
 * What the guess leaves out is covered by the overlay's colour, the more the surer it is, and less
 * than the overlay itself covers. The cost of drawing does not depend on the photo's size.
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

/* `cr` in widget pixels. Draws nothing but in overlay and contour. */
void fs_guess_tint_draw (FsGuessTint *tint, cairo_t *cr, const FsViewTransform *transform,
                         FsViewStyle style);

G_END_DECLS

#endif
