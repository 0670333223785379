/* SPDX-License-Identifier: MIT */
/* Opinion: what a guess says of the pixels once strokes have said how far it is to be trusted.
 * Layer: energy.
 *
 * A pixel's t-link gains FS_OPINION_WEIGHT times the guess's log-odds, or
 * FS_OPINION_WEIGHT_CONFIRMED times where an object stroke agrees with the guess and no stroke
 * contradicts it, times a trust from 0 to 1:
 *
 * - a guess that cannot be of this photo (guess_photo.h) is not trusted once there is any stroke;
 * - neither is one whose object fills more than three quarters of the photo's frame, which may be
 *   inverted, once there are object strokes and no seed agrees with it deeper in a component than
 *   the deepest one that contradicts it (in octaves of guess_zones.h);
 * - no object stroke: every component is trusted but those that background strokes contradict;
 * - object strokes say which components are meant, those that they hit or touch (within a cell of
 *   guess_zones.h): the other object components are not trusted, and where no component was hit,
 *   something else is meant and nothing of the guess is;
 * - a component that strokes contradict and none confirms is not trusted;
 * - a component that strokes both confirm and contradict, or one of more than half the photo, keeps
 *   its trust away from the contradiction: it grows with the distance (guess_zones.h).
 *
 * Of a box or lasso without strokes, which leaves a twentieth of the photo out, the first four do
 * not hold: guess_box.h says which components are meant, and nothing is trusted where it is about
 * something else.
 *
 * The mask prior (mask_prior.h) draws pixels to the mask before a stroke. Where the guess had made
 * it so and the stroke takes its trust away, the prior is that much weaker: else a few pixels of
 * paint would have to turn over what a wrong guess put there, component by component.
 *
 * Of a guess that is a finished mask (mask_seeds.h) strokes contradict components and never choose
 * among them.
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

/* Takes a reference to the guess, of which nothing is weighed yet; looks at the photo, which may be
 * NULL for one that the guess is sure to be of. NULL where memory is short. */
FsOpinion *fs_opinion_new (FsGuess *guess, const FsImage *image);
void fs_opinion_free (FsOpinion *opinion);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsOpinion, fs_opinion_free)

FsGuess *fs_opinion_get_guess (const FsOpinion *opinion);

/* Whether background seeds without any of the object are a lasso's or box's outside; at first they
 * are strokes. Holds from the next weighing on. */
void fs_opinion_set_outlined (FsOpinion *opinion, gboolean is_within_outline);

/* What the guess says beside these seeds, of the photo's size. Cost: a look
 * through the seeds' plane, and O(guess) where other components are trusted than before or trust is
 * partly lost. */
void fs_opinion_weigh (FsOpinion *opinion, const FsSeedMap *seeds);

/* Whether at the last weighing nothing of it was trusted. */
gboolean fs_opinion_is_silent (const FsOpinion *opinion);

/* What a stroke, n pixels (y·W + x) of the photo that are among the seeds last weighed, has made
 * the guess lose: the trust that is left in [*height · *width] cells of the photo, 0 to 256, 256
 * where it lost nothing. NULL where it lost nothing at all, or memory is short; g_free. */
uint16_t *fs_opinion_doubt (FsOpinion *opinion, const uint32_t *painted, size_t n, int *width,
                            int *height);

/* An opinion stretched over a picture: bilinear between the middles of its pixels, constant beyond
 * the outermost ones, rounded once, a half up. */
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

/* Of pixel y·width + x. */
int32_t fs_opinion_view_get (const FsOpinionView *view, uint32_t pixel);

/* Adds those of row y, columns [x0, x1), to tlinks[0] and on. */
void fs_opinion_view_add_row (const FsOpinionView *view, int y, int x0, int x1, int32_t *tlinks);

/* The view for others who stretch it (solver/link_source.h), to the same numbers. */
FsStretchedPlane fs_opinion_view_plane (const FsOpinionView *view);

G_END_DECLS

#endif
