/* SPDX-License-Identifier: MIT */
#include "app/frames/frames_options.h"

#include <string.h>

const char *
fs_frames_lost_name (FsFramesLost way)
{
  static const char *const names[] = { "skip", "empty", "last", "stop" };
  return names[way];
}

gboolean
fs_frames_lost_from_name (const char *name, FsFramesLost *way)
{
  for (int i = FS_FRAMES_LOST_SKIP; i <= FS_FRAMES_LOST_STOP; i++)
    if (strcmp (name, fs_frames_lost_name ((FsFramesLost)i)) == 0) {
      *way = (FsFramesLost)i;
      return TRUE;
    }
  return FALSE;
}
