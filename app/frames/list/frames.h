/* SPDX-License-Identifier: MIT */
/* Numbered images of a folder or of a pattern, in the order of their numbers.   Layer: app.
 *
 * In a folder a frame is a file whose name has a photo's ending (app/photo/photo.h) and a number;
 * of several numbers the last one counts ("take2-0031.jpg" is frame 31). A pattern (frame_names.h)
 * selects the files of its folder that match, whatever their ending. Numbers may be missing. Other
 * files are ignored.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_FRAMES_LIST_FRAMES_H
#define FS_APP_FRAMES_LIST_FRAMES_H

#include "app/frames/list/frame.h"

G_BEGIN_DECLS

/* Lists the frames (of FsFrame, owned by the array), at least one. Errors: FS_FRAMES_ERROR_FOLDER,
 * "FOLDER: reason"; FS_FRAMES_ERROR_PATTERN. */
GPtrArray *fs_frames_list (const char *folder, GError **error);
GPtrArray *fs_frames_list_pattern (const char *pattern, GError **error);

/* "it holds 2 sequences, a-%04d.png (8 images), b-%04d.png (8); a pattern takes one of them:
 * FOLDER/a-%04d.png"; NULL where they are of one pattern. g_free. */
char *fs_frames_describe_sequences (const char *folder, const GPtrArray *frames);

/* Removes the frames before number `first` and after number `last`. */
void fs_frames_limit (GPtrArray *frames, guint64 first, guint64 last);

/* A range of numbers without a frame, both included. */
typedef struct {
  guint64 first, last;
} FsFrameGap;

/* Appends the gaps between consecutive frames of the list to `gaps`, of FsFrameGap. */
void fs_frames_list_gaps (const GPtrArray *frames, GArray *gaps);

G_END_DECLS

#endif
