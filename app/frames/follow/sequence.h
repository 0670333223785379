/* SPDX-License-Identifier: MIT */
/* Tracking of one object through a sequence: the cut of each frame after the first.   Layer: app.
 *
 * It begins with a frame that has a mask. Each further frame is cut in a band along the previous
 * silhouette, which is moved with the object (energy/frames/frame_band.h), with colour models that
 * are carried along and learnt again (energy/frames/frame_colours.h). The cut is the exact minimum
 * of the band's energy (energy/frames/frame_energy.h), and its bound is compared with it.
 *
 * Flow is reused: the band lies in a window that moves with the object, and the flow that is still
 * feasible stays (Kohli & Torr 2007, dynamic cuts; Vineet & Narayanan 2008 and 2010 for frames of a
 * video). A device computes the links itself (energy/frames/frame_tables.h) and starts from zero
 * flow, in memory that is reused. The canonical mask does not depend on the initial flow. Where the
 * device fails the CPU continues with the same frame.
 *
 * A background whose colours have changed is learnt from the present frame alone.
 *
 * A mask is a function of the frame and of two earlier frames with their masks: the last one with a
 * mask, and the first of the sequence. So an interrupted run goes on from the files that it has
 * written.
 *
 * Threads: one at a time; frames are not changed.
 */
#ifndef FS_APP_FRAMES_FOLLOW_SEQUENCE_H
#define FS_APP_FRAMES_FOLLOW_SEQUENCE_H

#include "app/frames/follow/lost_signs.h"
#include "app/frames/follow/motion.h"
#include "app/frames/follow/sequence_step.h"
#include "energy/frames/frame_span.h"
#include "energy/guess/guess.h"
#include "solver/solver.h"

G_BEGIN_DECLS

typedef struct {
  const FsBackend *backend; /* NULL: the CPU */
  int span; /* frames that are cut together (energy/frames/frame_span.h), on the CPU; 0 or 1: each
               by itself; FS_FRAME_SPAN_MAX at most */
} FsSequenceOptions;

typedef struct _FsSequence FsSequence;

/* NULL where memory is short. */
FsSequence *fs_sequence_new (const FsSequenceOptions *options);
void fs_sequence_free (FsSequence *sequence);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsSequence, fs_sequence_free)

/* Begins the sequence, or another one, with a frame and its mask (width·height bytes, 0 or 1), as a
 * person has marked it. Takes a reference to the image and copies the mask. Errors:
 * FS_SOLVER_ERROR_MEMORY. */
gboolean fs_sequence_begin (FsSequence *sequence, FsImage *image, const uint8_t *mask,
                            GError **error);

/* Sets the last frame with a mask, a later one of the same size. Errors as above. */
gboolean fs_sequence_go_on (FsSequence *sequence, FsImage *image, const uint8_t *mask,
                            GError **error);

/* Sets the guess (energy/frames/frame_guess.h) of the next frame, and of those after it until the
 * next call; NULL: none. Frames with a guess are cut one by one on the CPU. Takes a reference. */
void fs_sequence_set_guess (FsSequence *sequence, FsGuess *guess);

/* Cuts the next frame, of the same size, and goes on from it. `step` may be NULL.
 *
 * If the object is not where it should have moved to, it is searched for in the whole frame as it
 * was in the first one: if few of its colours are there, if the cut has less than a quarter or more
 * than four times its pixels, or by the signs of lost_signs.h. If it is not found it is lost, and
 * the next frame follows from the same one as this.
 *
 * Errors: FS_SOLVER_ERROR; FS_FRAMES_ERROR_LOST with the reason. The sequence is unchanged then.
 * Blocks. */
gboolean fs_sequence_next (FsSequence *sequence, FsImage *image, uint8_t *mask,
                           FsSequenceStep *step, GError **error);

/* Cuts the next frame, of the same size, with a person's strokes as further evidence
 * (fs_frame_band_mend): within a sixteenth of the frame's shorter side of a stroke the previous
 * silhouette does not count, and the strokes' colours are samples of their sides. Cut by itself,
 * also in a span. The sequence does not go on from it. Errors: FS_SOLVER_ERROR. Blocks. */
gboolean fs_sequence_mend (FsSequence *sequence, FsImage *image, const FsSeedMap *strokes,
                           uint8_t *mask, GError **error);

G_END_DECLS

#endif
