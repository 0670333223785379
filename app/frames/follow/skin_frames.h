/* SPDX-License-Identifier: MIT */
/* Skin in frames that are cut together.   Layer: app.
 *
 * Each frame is cut by itself first, as without a span. A band along both sides of that border, as
 * wide as that of an object that is followed (energy/frames/frame_band.h), is then cut together
 * with those of the frames before (energy/frames/frame_span.h), each pixel tied to the same place
 * in the frame before; beyond it the first cut stands.
 *
 * A mask is a function of as many frames as the span has, and of their masks but for its own.
 * Frames of another size begin a span of their own.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_FRAMES_FOLLOW_SKIN_FRAMES_H
#define FS_APP_FRAMES_FOLLOW_SKIN_FRAMES_H

#include "energy/image/image.h"

G_BEGIN_DECLS

typedef struct _FsSkinFrames FsSkinFrames;

/* Of 2 to FS_FRAME_SPAN_MAX frames. */
FsSkinFrames *fs_skin_frames_new (int span);
void fs_skin_frames_free (FsSkinFrames *frames);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsSkinFrames, fs_skin_frames_free)

/* Takes a frame that has a mask (width·height bytes, 0 or 1), after those before it. Errors:
 * FS_SOLVER_ERROR. */
gboolean fs_skin_frames_go_on (FsSkinFrames *frames, FsImage *image, const uint8_t *mask,
                               GError **error);

/* Cuts the next one and goes on from it. The same errors; what was taken before stays. Blocks. */
gboolean fs_skin_frames_next (FsSkinFrames *frames, FsImage *image, uint8_t *mask, GError **error);

G_END_DECLS

#endif
