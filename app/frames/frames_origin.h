/* SPDX-License-Identifier: MIT */
/* Inputs of a sequence's masks, as recorded in their folder (frames_folder.h).   Layer: app. */
#ifndef FS_APP_FRAMES_FRAMES_ORIGIN_H
#define FS_APP_FRAMES_FRAMES_ORIGIN_H

#include "app/frames/frame_source.h"
#include "app/frames/frames_job.h"
#include <jansson.h>

G_BEGIN_DECLS

/* Lists frames by their names and strokes by their checksums. NULL where strokes cannot be read;
 * json_decref. Errors: FS_PHOTO_ERROR. */
json_t *fs_frames_origin_new (const FsFramesJob *job, const FsFrameSource *source, GError **error);

G_END_DECLS

#endif
