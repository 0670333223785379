/* SPDX-License-Identifier: MIT */
#include "app/photo/input/photo_metadata.h"

#include <string.h>

FsPhotoMetadata *
fs_photo_metadata_new (void)
{
  FsPhotoMetadata *metadata = g_new0 (FsPhotoMetadata, 1);
  metadata->orientation = 1;
  return metadata;
}

void
fs_photo_metadata_clear (FsPhotoMetadata *metadata)
{
  g_clear_pointer (&metadata->icc, g_bytes_unref);
  g_clear_pointer (&metadata->block, g_bytes_unref);
  g_clear_pointer (&metadata->artist, g_free);
  g_clear_pointer (&metadata->copyright, g_free);
  g_clear_pointer (&metadata->description, g_free);
}

void
fs_photo_metadata_free (FsPhotoMetadata *metadata)
{
  if (!metadata)
    return;
  fs_photo_metadata_clear (metadata);
  g_free (metadata);
}

void
fs_photo_metadata_set_text (char **text, const char *bytes, gsize n_bytes)
{
  if (*text || n_bytes == 0)
    return;
  const gsize n = strnlen (bytes, n_bytes);
  g_autofree char *utf8 =
      g_utf8_validate (bytes, (gssize)n, NULL)
          ? g_strndup (bytes, n)
          : g_convert (bytes, (gssize)n, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);
  if (utf8 && *g_strstrip (utf8))
    *text = g_steal_pointer (&utf8);
}

gboolean
fs_icc_is_for (GBytes *icc, const char *space)
{
  gsize n_bytes;
  const guint8 *bytes = icc ? g_bytes_get_data (icc, &n_bytes) : NULL;
  return bytes && n_bytes >= FS_ICC_HEAD_BYTES && memcmp (bytes + 16, space, 4) == 0;
}
