/* SPDX-License-Identifier: MIT */
/* The source of a sequence's frames: a folder of numbered images, a pattern of their names, or a
 * video.   Layer: app.
 *
 * A path of a folder means its images; of any other file, a video (video.h); a path that does not
 * exist and has a percent sign is a pattern (frame_names.h). Pictures of a video are numbered from
 * 1; the outputs of picture 12 are named frame-000012.
 *
 * A video is read in order; only the last picture is in memory here.
 *
 * Threads: one at a time; blocks.
 */
#ifndef FS_APP_FRAMES_FRAME_SOURCE_H
#define FS_APP_FRAMES_FRAME_SOURCE_H

#include "app/frames/list/frames.h"

G_BEGIN_DECLS

typedef struct _FsFrameSource FsFrameSource;

/* Opens the frames with numbers from `first` to `last`. Errors: FS_FRAMES_ERROR, also where a
 * folder or pattern has none of them. */
FsFrameSource *fs_frame_source_open (const char *path, guint64 first, guint64 last, GError **error);
void fs_frame_source_free (FsFrameSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrameSource, fs_frame_source_free)

/* The next frame; fs_frame_unref. NULL without an error after the last one. There are no more after
 * an error. Errors: FS_FRAMES_ERROR_VIDEO. */
FsFrame *fs_frame_source_next (FsFrameSource *source, GError **error);

/* A warning: damage in a video so far, as fs_video_take_warning; or, once, that a folder has images
 * of several patterns. NULL: none. g_free. */
char *fs_frame_source_take_warning (FsFrameSource *source);

/* TRUE if a frame after the first one may have this number: of a video any number within the
 * limits.
 */
gboolean fs_frame_source_may_have (const FsFrameSource *source, guint64 number);

/* The number of frames; 0 where it is not known before the end. */
guint fs_frame_source_count (const FsFrameSource *source);

/* The name of a video's file; NULL for images. */
const char *fs_frame_source_get_video (const FsFrameSource *source);

/* The frame of this number; of a video always the first picture, since all have one size. NULL
 * where there is none, also without an error. fs_frame_unref. */
FsFrame *fs_frame_source_peek (const FsFrameSource *source, guint64 number, GError **error);

/* Refuses an output that would overwrite a frame's file, also one outside the limits. `output` may
 * be NULL. Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_frame_source_spare (const FsFrameSource *source, const char *output, GError **error);

/* The stem of the first frame. g_free. */
char *fs_frame_source_name_first (const FsFrameSource *source);

/* The number of the frame with this stem, also of one outside the limits; FALSE where there can be
 * none. */
gboolean fs_frame_source_find (const FsFrameSource *source, const char *stem, guint64 *number);

/* TRUE if there is certainly no frame of this stem any more; of a video only once its end is known.
 */
gboolean fs_frame_source_is_gone (const FsFrameSource *source, const char *stem);

/* Appends the numbers without a frame between images (FsFrameGap). */
void fs_frame_source_list_gaps (const FsFrameSource *source, GArray *gaps);

G_END_DECLS

#endif
