/* SPDX-License-Identifier: MIT */
/* Opinion: what a guess says of the pixels once strokes have said how far it is to be trusted.
 * Layer: energy.
 *
 * A pixel's t-link gains FS_OPINION_WEIGHT times the guess's log-odds, times a trust from 0 to 1:
 *
 * - no object stroke: every part is trusted but those that background strokes contradict;
 * - object strokes say which parts are meant: the other object parts are not trusted, and where no
 *   part was hit, something else is meant and nothing of the guess is;
 * - a part that strokes contradict and none confirms is not trusted;
 * - a part that strokes both confirm and contradict, or one of more than half the photo, keeps its
 *   trust away from the contradiction: trust grows with the distance from it, and is whole at some
 *   times the depth at which the contradicted pixel lay in the part. A stroke in the midst of a
 * part says more about it than one beside its border.
 *
 * Of a guess that is a finished mask (mask_seeds.h) strokes contradict parts and never choose among
 * them.
 *
 * The rule is ours. A function of guess and seeds alone, in integers, so that undo is exact;
 * strokes themselves are seeds, whatever the guess says.
 *
 * Memory: two bytes a pixel of the guess. Threads: one at a time; between two fits any number may
 * read.
 */
#ifndef FS_ENERGY_OPINION_H
#define FS_ENERGY_OPINION_H

#include "energy/guess.h"
#include "energy/seed_map.h"
#include "solver/link_source.h"

G_BEGIN_DECLS

enum {
  FS_OPINION_WEIGHT = 3,
  FS_OPINION_MAX = FS_OPINION_WEIGHT * 256 /* no |t| is larger */
};

typedef struct _FsOpinion FsOpinion;

/* Takes a reference to the guess, of which nothing is weighed yet. NULL where memory is short. */
FsOpinion *fs_opinion_new (FsGuess *guess);
void fs_opinion_free (FsOpinion *opinion);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsOpinion, fs_opinion_free)

FsGuess *fs_opinion_get_guess (const FsOpinion *opinion);

/* What the guess says beside these seeds, of the photo's size. Where memory is short every part
 * that is contradicted loses its trust whole. Cost O(seeds' plane + guess). */
void fs_opinion_weigh (FsOpinion *opinion, const FsSeedMap *seeds);

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
FsStretchedPlane fs_opinion_view_tell (const FsOpinionView *view);

G_END_DECLS

#endif
