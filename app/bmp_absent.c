/* SPDX-License-Identifier: MIT */
#include "app/bmp.h"

#include <glib/gi18n.h>

gboolean
fs_bmp_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error)
{
  fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_FORMAT,
                         _ ("is a BMP file, which this build of Fretsaw does not open"));
  return FALSE;
}
