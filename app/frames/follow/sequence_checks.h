/* SPDX-License-Identifier: MIT */
/* Checks that a frame's mask is still the object of the sequence (sequence.h).   Layer: app.
 *
 * Each returns FALSE with FS_FRAMES_ERROR_LOST and the reason where it is not.
 *
 * Threads: one at a time for a sequence.
 */
#ifndef FS_APP_FRAMES_FOLLOW_SEQUENCE_CHECKS_H
#define FS_APP_FRAMES_FOLLOW_SEQUENCE_CHECKS_H

#include "app/frames/follow/sequence_state.h"
#include "app/frames/follow/sequence_step.h"

G_BEGIN_DECLS

/* "the object is lost: " and the reason. */
gboolean fs_sequence_refuse_lost (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean fs_sequence_refuse_colours (GError **error);

/* TRUE if the colours around the object are not those of the frame before. */
gboolean fs_sequence_has_new_background (const FsFrameColours *colours);

/* Learns the colours along the band in both frames and compares the object's; a new background
 * becomes an event of the step. */
gboolean fs_sequence_check_colours (FsSequence *sequence, const FsKnownFrame *from,
                                    const FsImage *image, FsSequenceStep *step, GError **error);
/* Compares numbers of pixels. */
gboolean fs_sequence_check_size (const FsKnownFrame *from, const FsImage *image, FsShift shift,
                                 const uint8_t *mask, GError **error);
/* Compares with the frame that a person marked; doubt becomes an event of the step. Errors: also
 * FS_SOLVER_ERROR_MEMORY. */
gboolean fs_sequence_check_signs (FsSequence *sequence, FsImage *image, const uint8_t *mask,
                                  FsSequenceStep *step, GError **error);

G_END_DECLS

#endif
