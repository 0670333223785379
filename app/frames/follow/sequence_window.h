/* SPDX-License-Identifier: MIT */
/* Windows of a frame that move with an object (sequence.h).   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_FRAMES_FOLLOW_SEQUENCE_WINDOW_H
#define FS_APP_FRAMES_FOLLOW_SEQUENCE_WINDOW_H

#include "app/frames/follow/motion.h"
#include "energy/frames/frame_band.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

FsRect fs_rect_grow (FsRect rect, int px_x, int px_y);
FsRect fs_rect_move (FsRect rect, FsShift by);
gboolean fs_rect_contains (FsRect outer, FsRect inner);
int64_t fs_rect_area (FsRect rect);

/* The rectangle of a frame that the band and its colours need for an object that has moved since
 * the previous one; empty where it has left the frame. */
FsRect fs_sequence_window_need (FsRect object, FsShift shift, const FsImage *image);

/* `previous`, the last window moved with the object, where it contains `need` and is not much
 * larger; else `need` with a margin, so that the object can grow. */
FsRect fs_sequence_window_choose (FsRect previous, FsRect need);

G_END_DECLS

#endif
