/* SPDX-License-Identifier: MIT */
/* Cuts of skin in several frames together.   Layer: app.
 *
 * Each frame is first cut by itself, as without a span. A band along the border of that cut, as
 * wide as that of a followed object (energy/frames/frame_band.h), is then cut together with those
 * of the frames before (energy/frames/frame_span.h), each pixel tied to the same place in the frame
 * before. Outside the band the first cut stays.
 *
 * A mask is a function of the frames of the span, and of the masks of all but itself. A frame of
 * another size begins a new span.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_FRAMES_FOLLOW_SKIN_FRAMES_H
#define FS_APP_FRAMES_FOLLOW_SKIN_FRAMES_H

#include "energy/image/image.h"

G_BEGIN_DECLS

typedef struct _FsSkinFrames FsSkinFrames;

/* For a span of 2 to FS_FRAME_SPAN_MAX frames. */
FsSkinFrames *fs_skin_frames_new (int span);
void fs_skin_frames_free (FsSkinFrames *frames);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsSkinFrames, fs_skin_frames_free)

/* Adds the next frame with its mask (width·height bytes, 0 or 1). Errors: FS_SOLVER_ERROR. */
gboolean fs_skin_frames_go_on (FsSkinFrames *frames, FsImage *image, const uint8_t *mask,
                               GError **error);

/* Cuts the next frame and adds it. Errors: as above; the frames before stay. Blocks. */
gboolean fs_skin_frames_next (FsSkinFrames *frames, FsImage *image, uint8_t *mask, GError **error);

G_END_DECLS

#endif
