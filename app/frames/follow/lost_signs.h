/* SPDX-License-Identifier: MIT */
/* Signs that a mask, cut where an object should be, is of something else.   Layer: app.
 *
 * The mask of a frame is compared with that of the frame in which a person marked the object, and
 * with nothing in between, so that a run that was ended says the same when it goes on:
 *
 *   background   what of the mask shows background of the first frame (previous_background.h):
 *                something beside it, of its colours, was taken
 *   likeness     how much of the first object's colours it has, and
 *   blending     how much more than in the first frame its colours are those round it: ground was
 *                taken, little by little
 *   size         of the first mask
 *
 * Source: ours; thresholds from made-up clips and one real one (docs/frames.md).
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_FRAMES_FOLLOW_LOST_SIGNS_H
#define FS_APP_FRAMES_FOLLOW_LOST_SIGNS_H

#include "energy/frames/frame_colours.h"

G_BEGIN_DECLS

typedef struct {
  double background, likeness, blending, size;
} FsLostSigns;

typedef struct {
  FsImage *image;
  const uint8_t *mask; /* width·height bytes, 0 or 1 */
  int64_t n_object;    /* its pixels                 */
} FsMarkedFrame;

typedef struct {
  FsFrameBand band;
  FsSideTables tables;
} FsLostScratch;

void fs_lost_scratch_init (FsLostScratch *scratch);
void fs_lost_scratch_clear (FsLostScratch *scratch);

/* `colours`: of the first frame, along its mask; `sure`: of what is sure of the present one. Where
 * these agree the mask's own are not looked at. FALSE where memory is short. Cost: O(N) of bytes
 * read, and some operations a pixel near the border. */
gboolean fs_lost_signs_measure (FsLostSigns *signs, const FsMarkedFrame *first,
                                const FsSideTables *colours, const FsSideTables *sure,
                                const FsMarkedFrame *now, FsLostScratch *scratch);

typedef enum {
  FS_LOST_THERE,
  FS_LOST_SMALL,      /* hardly any of the first mask's pixels */
  FS_LOST_DOUBTFUL,   /* by background or colours              */
  FS_LOST_BACKGROUND, /* it is lost                            */
  FS_LOST_COLOURS,    /* the same                              */
} FsLostClass;

FsLostClass fs_lost_signs_classify (const FsLostSigns *signs);

G_END_DECLS

#endif
