/* SPDX-License-Identifier: MIT */
/* State of a sequence (sequence.h) between two frames.   Layer: app.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_FRAMES_FOLLOW_SEQUENCE_STATE_H
#define FS_APP_FRAMES_FOLLOW_SEQUENCE_STATE_H

#include "app/frames/follow/device_cut.h"
#include "app/frames/follow/lost_signs.h"
#include "energy/frames/frame_energy.h"
#include "energy/frames/frame_span.h"
#include "energy/guess/guess.h"
#include "solver/multilevel/band_cut.h"

G_BEGIN_DECLS

/* A frame with a mask. */
typedef struct {
  FsImage *image; /* NULL: none */
  uint8_t *mask;
  FsRect object;
  int64_t n_object;
} FsKnownFrame;

typedef struct _FsSequence FsSequence;

struct _FsSequence {
  const FsBackend *backend;
  FsKnownFrame first, previous; /* the last one that has a mask */
  FsFrameBand band;
  FsFrameColours *colours;
  FsLostScratch *scratch;
  FsFrameEnergy energy;
  FsFrameSpan *span; /* NULL: each frame by itself */
  FsGuess *guess;    /* of the frame that is cut, or NULL */

  FsRect window;      /* in the previous frame; empty: none yet */
  FsRect next_window; /* in the frame that is cut             */

  FsDeviceBand device;
  gboolean device_has_failed;

  /* On the processor: */
  FsBand runs;
  FsBandCut band_cut;
  FsBandFlow flow;

  uint8_t *cut; /* [window] */
  size_t cut_capacity;
};

/* Takes a reference to the image and copies the mask. FALSE where memory is short; `known` is then
 * as it was. */
gboolean fs_known_frame_set (FsKnownFrame *known, FsImage *image, const uint8_t *mask);
void fs_known_frame_clear (FsKnownFrame *known);

/* TRUE if frames that are cut by themselves are cut on the device. */
gboolean fs_sequence_is_on_device (const FsSequence *sequence);
/* TRUE if the frame that follows from `from` is cut together with those before it. */
gboolean fs_sequence_is_in_span (const FsSequence *sequence, const FsKnownFrame *from);
/* TRUE if that frame is cut on the device. Its energy then has tables, and no planes. */
gboolean fs_sequence_is_cut_on_device (const FsSequence *sequence, const FsKnownFrame *from);

/* Sets FS_SOLVER_ERROR_MEMORY and returns FALSE. */
gboolean fs_sequence_refuse_memory (const FsImage *image, GError **error);

G_END_DECLS

#endif
