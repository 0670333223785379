/* SPDX-License-Identifier: MIT */
/* The source of a sequence's frames: a folder of numbered images, a pattern of their names, or a
 * video.   Layer: app.
 *
 * What is a folder is one; what is another file is a video (video.h); what is not there and has a
 * percent sign in its name is a pattern (frame_names.h). Pictures of a video count from 1, and what
 * is made from picture 12 is named frame-000012.
 *
 * A video is read as it comes: the picture that was given last is the only one that is held here.
 *
 * Threads: one at a time; blocks.
 */
#ifndef FS_APP_FRAMES_FRAME_SOURCE_H
#define FS_APP_FRAMES_FRAME_SOURCE_H

#include "app/frames/list/frames.h"

G_BEGIN_DECLS

typedef struct _FsFrameSource FsFrameSource;

/* The frames with numbers from `first` to `last`, of which there is at least one among images.
 * Errors: FS_FRAMES_ERROR. */
FsFrameSource *fs_frame_source_open (const char *path, guint64 first, guint64 last, GError **error);
void fs_frame_source_free (FsFrameSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrameSource, fs_frame_source_free)

/* The next frame, to be unreferenced; NULL without an error after the last one. After an error
 * there are no more. Errors: FS_FRAMES_ERROR_VIDEO. */
FsFrame *fs_frame_source_next (FsFrameSource *source, GError **error);

/* A warning of damage in a video so far, as fs_video_take_warning; of a folder, once, that it holds
 * images of several patterns. NULL: nothing. g_free. */
char *fs_frame_source_take_warning (FsFrameSource *source);

/* Returns whether a number can be that of a frame after the first one: for a video every one within
 * the limits can. */
gboolean fs_frame_source_may_have (const FsFrameSource *source, guint64 number);

/* The number of frames; 0 where it is not known before the end. */
guint fs_frame_source_count (const FsFrameSource *source);

/* The name of a video's file; NULL for images. */
const char *fs_frame_source_get_video (const FsFrameSource *source);

/* The frame of this number, or the first picture of a video, all of which are of one size; NULL,
 * also without an error, where there is none. To be unreferenced. */
FsFrame *fs_frame_source_peek (const FsFrameSource *source, guint64 number, GError **error);

/* Refuses an output, or NULL, that is a file which frames are read from, also beyond the limits.
 * Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_frame_source_spare (const FsFrameSource *source, const char *output, GError **error);

/* The stem of the first frame. g_free. */
char *fs_frame_source_name_first (const FsFrameSource *source);

/* The number of the frame that has this stem, also of one beyond the limits; FALSE where none
 * could. */
gboolean fs_frame_source_find (const FsFrameSource *source, const char *stem, guint64 *number);

/* Returns whether there is known to be no frame of this stem any more; of a video after its end,
 * once that has been reached. */
gboolean fs_frame_source_is_gone (const FsFrameSource *source, const char *stem);

/* Appends the numbers without a frame between images (FsFrameGap). */
void fs_frame_source_list_gaps (const FsFrameSource *source, GArray *gaps);

G_END_DECLS

#endif
