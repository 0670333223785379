/* SPDX-License-Identifier: MIT */
/* Patterns (frame_names.h) of the images in a folder, for messages.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_FRAMES_LIST_FRAME_PATTERNS_H
#define FS_APP_FRAMES_LIST_FRAME_PATTERNS_H

#include "app/frames/list/frame.h"

G_BEGIN_DECLS

/* The numbered images of a folder that have one pattern. */
typedef struct {
  char *pattern; /* of their names, in the file system's encoding */
  guint n;
} FsFramePattern;

/* Lists the patterns (of FsFramePattern), those with most images first. Images are those of
 * fs_frames_list, whatever their numbers. */
GArray *fs_frame_patterns_list (const GPtrArray *frames);

/* "a-%04d.png (8 images), b-%04d.png (5)": at most three of them; displayable. g_free. */
char *fs_frame_patterns_describe (const GArray *patterns);

G_END_DECLS

#endif
