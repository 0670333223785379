/* SPDX-License-Identifier: MIT */
#include "app/video/video.h"

#include "app/files/display_name.h"
#include "app/frames/list/frames.h"

struct _FsVideo {
  char nothing;
};

const char *
fs_video_get_reader (void)
{
  return NULL;
}

FsVideo *
fs_video_open (const char *path, GError **error)
{
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_VIDEO,
               "%s: is no folder, and this build of Fretsaw reads no videos: it was made without "
               "GStreamer",
               name);
  return NULL;
}

void
fs_video_free (FsVideo *video)
{
  g_assert (!video);
}

FsImage *
fs_video_next (FsVideo *video, GError **error)
{
  g_return_val_if_reached (NULL);
}

char *
fs_video_take_warning (FsVideo *video)
{
  g_return_val_if_reached (NULL);
}
