/* SPDX-License-Identifier: MIT */
/* One object through the frames of a sequence: the engine between two frames.   Layer: app.
 *
 * It begins with a frame that has a mask. Each further frame is cut in a band along the silhouette
 * of the one before, which follows the object's motion (energy/frames/frame_band.h), with colours
 * that are carried along and learnt again (energy/frames/frame_colours.h). The cut is exact: the
 * minimum of the band's energy (energy/frames/frame_energy.h), its bound compared with it.
 *
 * What the last cut found is used again. The band lies in a window that moves with the object, and
 * what still fits of the flow is kept there (Kohli & Torr 2007, dynamic cuts; Vineet & Narayanan
 * 2008 and 2010 for frames of a video). A device makes the links itself
 * (energy/frames/frame_tables.h) and starts from nothing, in memory that stays. The canonical mask
 * does not depend on the flow that a solve begins with, so that it is the same, bit for bit,
 * without any re-use. Where the device fails the processor goes on with the same frame.
 *
 * A background whose colours have changed is learnt from the present frame alone.
 *
 * A mask is a function of the frame, the last frame with a mask, that mask, and the frame that the
 * sequence began with and its mask: of nothing later, and of no other history, so that a run that
 * was ended in between goes on from what it has written.
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
  const FsBackend *backend; /* NULL: the processor */
  gboolean no_reuse;        /* makes a solver for each frame: to compare with */
  int span; /* frames that are cut together (energy/frames/frame_span.h), on the processor; 0 or 1:
               each by itself; FS_FRAME_SPAN_MAX at most */
} FsSequenceOptions;

typedef struct _FsSequence FsSequence;

/* NULL where memory is short. */
FsSequence *fs_sequence_new (const FsSequenceOptions *options);
void fs_sequence_free (FsSequence *sequence);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsSequence, fs_sequence_free)

/* Begins, or begins anew, with a frame and its mask (width·height bytes, 0 or 1), as a person has
 * marked it. Takes a reference to the image and copies the mask. Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_sequence_begin (FsSequence *sequence, FsImage *image, const uint8_t *mask,
                            GError **error);

/* Takes a later frame that has a mask for the last one. Same size; errors as above. */
gboolean fs_sequence_go_on (FsSequence *sequence, FsImage *image, const uint8_t *mask,
                            GError **error);

/* The guess of the frame that is cut next (energy/frames/frame_guess.h), and of those after it
 * until there is another; NULL: none. The processor cuts with it, each frame by itself. Takes a
 * reference. */
void fs_sequence_set_guess (FsSequence *sequence, FsGuess *guess);

/* Cuts the next frame, of the same size, and goes on from it. `step` may be NULL.
 *
 * Where the object is not where it moved to (few of its colours are there, or the cut has less than
 * a quarter or more than four times its pixels, or there are signs that it is of something else
 * (app/frames/follow/lost_signs.h)), it is sought in the whole frame as it was in the
 * first one. Where it is not found either it is lost, and the next frame follows from the same as
 * this one.
 *
 * Errors: FS_SOLVER_ERROR; FS_FRAMES_ERROR_LOST, with a message that says why; the sequence is then
 * as it was. Blocks. */
gboolean fs_sequence_next (FsSequence *sequence, FsImage *image, uint8_t *mask,
                           FsSequenceStep *step, GError **error);

/* The mask of the next frame, of the same size, with a person's strokes laid over what follows from
 * the last one (fs_frame_band_mend): within a sixteenth of the frame's shorter side of a stroke the
 * previous silhouette counts no more, and the strokes' colours are colours of their sides. Cut by
 * itself, also in a span. The sequence does not go on from it. Errors: FS_SOLVER_ERROR. Blocks. */
gboolean fs_sequence_mend (FsSequence *sequence, FsImage *image, const FsSeedMap *strokes,
                           uint8_t *mask, GError **error);

G_END_DECLS

#endif
