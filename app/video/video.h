/* SPDX-License-Identifier: MIT */
/* The pictures of a video file, in their order.   Layer: app.
 *
 * Read by GStreamer where the build has it, by software decoders only, so that the pictures do not
 * depend on the machine, and never from anywhere but this file: playlists that lead elsewhere are
 * refused. Sound and all but the first video stream are left aside. Each picture comes once, or as
 * often as an edit list shows it (video_boxes.h), as an upright FsImage of square pixels without
 * alpha (video_picture.h).
 *
 * Bounds: pictures of at most FS_VIDEO_MAX_SIDE_PX × FS_VIDEO_MAX_SIDE_PX and FS_VIDEO_MAX_PIXELS,
 * at most FS_VIDEO_MAX_PICTURES of them, and FS_VIDEO_PATIENCE_S for the next one. Two decoded
 * pictures wait at most, beside those that the decoder needs.
 *
 * Threads: one at a time (GStreamer has its own); blocks. Opens no display and no sound.
 */
#ifndef FS_APP_VIDEO_VIDEO_H
#define FS_APP_VIDEO_VIDEO_H

#include "energy/image/image.h"

G_BEGIN_DECLS

#define FS_VIDEO_MAX_PICTURES 1000000
#define FS_VIDEO_PATIENCE_S   60

typedef struct _FsVideo FsVideo;

/* The library that reads videos, "GStreamer 1.22.0"; NULL in a build without. */
const char *fs_video_get_reader (void);

/* Errors: FS_FRAMES_ERROR_VIDEO, "NAME: reason": no regular file, or a reader or plug-in is
 * missing. Whether it is a video at all shows with its first picture. */
FsVideo *fs_video_open (const char *path, GError **error);
void fs_video_free (FsVideo *video);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsVideo, fs_video_free)

/* The next picture, to be unreferenced; NULL without an error after the last one. Errors:
 * FS_FRAMES_ERROR_VIDEO where it is no video, or one that cannot be decoded (further), or beyond a
 * bound; call no more then. */
FsImage *fs_video_next (FsVideo *video, GError **error);

/* A warning: damage in the pictures so far, changes made to them or, after the last one, what is
 * damaged in the whole, "NAME: what"; NULL where there is nothing (more) to report. g_free. */
char *fs_video_take_warning (FsVideo *video);

G_END_DECLS

#endif
