/* SPDX-License-Identifier: MIT */
/* Opinion: the t-links of a guess, weighted by the trust that the strokes leave it.   Layer:
 * energy.
 *
 * A pixel's t-link gains the guess's log-odds times a weight times a trust. The weight is
 * FS_OPINION_WEIGHT_CONFIRMED where an object stroke agrees with the guess and no stroke
 * contradicts it, else FS_OPINION_WEIGHT. The trust, from 0 to 1, is found by these rules:
 *
 * - a guess that cannot be of this photo (guess_photo.h) is not trusted once there is any stroke;
 * - a guess whose object fills more than three quarters of the photo's frame may be inverted. It
 *   is not trusted once there are object strokes, unless some seed agrees with it deeper in a
 *   component than all that contradict it (in octaves of guess_zones.h);
 * - without object strokes all components are trusted, except those that background strokes
 *   contradict;
 * - object strokes select the object components that they touch (within a cell of guess_zones.h).
 *   The other ones are not trusted; if none is touched, nothing of the guess is;
 * - a component that strokes contradict and none confirms is not trusted;
 * - a component that strokes both confirm and contradict, and one of more than half the photo, is
 *   trusted away from the contradiction, the more the farther (guess_zones.h).
 *
 * With a box or lasso alone, which leaves a twentieth of the photo out, guess_box.h selects the
 * components in place of the first four rules, and nothing is trusted where it finds none.
 *
 * The mask prior (mask_prior.h) draws pixels to the mask before a stroke. Where that mask came from
 * the guess, and the stroke lowers its trust, the prior is weakened in proportion: else an error of
 * the guess would have to be painted over component by component.
 *
 * Strokes on a guess that is a finished mask (mask_seeds.h) contradict components, but do not
 * select any.
 *
 * The rule is ours. A function of guess and seeds alone, in integers, so that undo is exact;
 * strokes themselves are seeds, whatever the guess says.
 *
 * Memory: two bytes a pixel of the guess. Threads: one at a time; between two fits any number may
 * read.
 */
#ifndef FS_ENERGY_GUESS_OPINION_H
#define FS_ENERGY_GUESS_OPINION_H

#include "energy/guess/guess.h"
#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "solver/link_source.h"

G_BEGIN_DECLS

enum {
  FS_OPINION_WEIGHT = 3,
  FS_OPINION_WEIGHT_CONFIRMED = 5,
  FS_OPINION_MAX = FS_OPINION_WEIGHT_CONFIRMED * 256 /* no |t| is larger */
};

typedef struct _FsOpinion FsOpinion;

/* Takes a reference to the guess; nothing is weighed yet. `image` is read once for the check of
 * guess_photo.h, and NULL skips it. NULL where memory is short. */
FsOpinion *fs_opinion_new (FsGuess *guess, const FsImage *image);
void fs_opinion_free (FsOpinion *opinion);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsOpinion, fs_opinion_free)

FsGuess *fs_opinion_get_guess (const FsOpinion *opinion);

/* Says that background seeds without object seeds are the outside of a lasso or box; at first they
 * count as strokes. Takes effect with the next weighing. */
void fs_opinion_set_outlined (FsOpinion *opinion, gboolean is_within_outline);

/* Finds the trust that these seeds, of the photo's size, leave the guess. Cost: one pass over the
 * seeds, and O(guess) where the trusted components change or trust is partly lost. */
void fs_opinion_weigh (FsOpinion *opinion, const FsSeedMap *seeds);

/* TRUE if the last weighing trusted nothing of the guess. */
gboolean fs_opinion_is_silent (const FsOpinion *opinion);

/* The trust that a stroke leaves the guess, in [*height · *width] cells of the photo: 256 where it
 * takes none away, down to 0. The stroke is n pixels (y·W + x) of the photo, which are among the
 * seeds last weighed. NULL where it takes none away at all, or memory is short. g_free. */
uint16_t *fs_opinion_get_remaining_trust (FsOpinion *opinion, const uint32_t *painted, size_t n,
                                          int *width, int *height);

/* An opinion scaled to a picture: bilinear between the centres of the guess's pixels, constant
 * beyond the outermost ones, rounded once, a half up. */
typedef struct {
  const FsOpinion *opinion; /* NULL: there is none */
  int width, height;
  uint32_t *column; /* [width] where it lies among the guess's columns, in 1/256 */
  uint32_t *row;    /* [height] */
} FsOpinionView;

/* Borrows the opinion. FALSE where memory is short; the view is then empty. */
gboolean fs_opinion_view_init (FsOpinionView *view, const FsOpinion *opinion, int width,
                               int height);
void fs_opinion_view_clear (FsOpinionView *view);

/* The t-link of pixel y·width + x. */
int32_t fs_opinion_view_get (const FsOpinionView *view, uint32_t pixel);

/* Adds the t-links of row y, columns [x0, x1), to tlinks[0 …]. */
void fs_opinion_view_add_row (const FsOpinionView *view, int y, int x0, int x1, int32_t *tlinks);

/* The view as a plane that devices scale to the same numbers (solver/link_source.h). */
FsStretchedPlane fs_opinion_view_plane (const FsOpinionView *view);

G_END_DECLS

#endif
