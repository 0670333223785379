/* SPDX-License-Identifier: MIT */
/* Lost-object signs: measures that a frame's mask is no longer of the marked object.   Layer: app.
 *
 * The mask of a frame is compared with that of the frame in which a person marked the object, and
 * not with those in between, so that an interrupted run has the same results when it goes on:
 *
 *   background   the fraction of the mask that shows background of the first frame
 *                (previous_background.h): something nearby with the object's colours was taken
 *   likeness     the overlap of its colours with those of the first mask
 *   blending     the overlap of its colours with those around it, beyond that in the first frame:
 *                background was taken little by little
 *   size         its pixels as a fraction of the first mask's
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

/* `colours`: those along the mask of the first frame; `sure`: those of the present frame's fixed
 * pixels. If these agree, the mask's own colours are not measured. FALSE where memory is short.
 * Cost: O(N) of bytes read, and some operations a pixel near the border. */
gboolean fs_lost_signs_measure (FsLostSigns *signs, const FsMarkedFrame *first,
                                const FsSideTables *colours, const FsSideTables *sure,
                                const FsMarkedFrame *now, FsLostScratch *scratch);

typedef enum {
  FS_LOST_THERE,
  FS_LOST_SMALL,      /* there, but hardly any pixels are left */
  FS_LOST_DOUBTFUL,   /* perhaps lost, by background or colours */
  FS_LOST_BACKGROUND, /* lost, by the background               */
  FS_LOST_COLOURS,    /* lost, by the colours                  */
} FsLostClass;

FsLostClass fs_lost_signs_classify (const FsLostSigns *signs);

G_END_DECLS

#endif
