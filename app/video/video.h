/* SPDX-License-Identifier: MIT */
/* Reader of a video file: its pictures in order.   Layer: app.
 *
 * It uses GStreamer, an optional feature of the build, with software decoders only, so that the
 * pictures do not depend on the machine. Nothing but this file is read: playlists of others are
 * refused. Sound and all but the first video stream are ignored. Each picture comes once, or as
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

/* Errors: FS_FRAMES_ERROR_VIDEO, "NAME: reason": not a regular file, or a missing reader or
 * plug-in. A file that is not a video gives its error with the first picture. */
FsVideo *fs_video_open (const char *path, GError **error);
void fs_video_free (FsVideo *video);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsVideo, fs_video_free)

/* The next picture; fs_image_unref. NULL without an error after the last one. Errors:
 * FS_FRAMES_ERROR_VIDEO where it is not a video, cannot be decoded (further), or is beyond a bound;
 * there must be no call after that. */
FsImage *fs_video_next (FsVideo *video, GError **error);

/* A warning: damage in the pictures so far, changes made to them or, after the last one, what is
 * damaged in the whole, "NAME: what"; NULL where there is nothing (more) to report. g_free. */
char *fs_video_take_warning (FsVideo *video);

G_END_DECLS

#endif
