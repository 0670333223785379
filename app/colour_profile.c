/* SPDX-License-Identifier: MIT */
#include "app/colour_profile.h"

#include "app/photo_metadata.h"

GBytes *
fs_colour_profile_read (const char *path)
{
  g_return_val_if_fail (path, NULL);

  g_autoptr (FsPhotoMetadata) metadata = fs_photo_metadata_read (path);
  return fs_icc_is_for (metadata->icc, "RGB ") ? g_bytes_ref (metadata->icc) : NULL;
}
