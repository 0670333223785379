/* SPDX-License-Identifier: MIT */
#include "app/photo/input/metadata_finds.h"

#include "app/photo/input/xmp.h"

#include <string.h>

/* An entry of the table of tags. */
enum { ICC_TAG_BYTES = 12 };

/* Writers that leave out the padding of the last tag count it nevertheless. */
enum { MAX_ICC_PADDING = 3 };

static guint32
read_be32 (const guint8 *bytes)
{
  return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

void
fs_finds_take_xmp (FsMetadataFinds *finds, FsByteView view)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const gsize n_left = FS_METADATA_XMP_BYTES - finds->n_xmp_bytes;
  if (!fs_byte_view_append_to (view, n_left, bytes))
    return;
  finds->n_xmp_bytes += bytes->len;
  if (bytes->len > 0)
    fs_xmp_read ((const char *)bytes->data, bytes->len, &finds->xmp);
}

/* Returns whether every tag lies within the bytes that are there. */
static gboolean
has_all_tags (const guint8 *bytes, gsize n_bytes)
{
  const guint64 n_tags = read_be32 (bytes + FS_ICC_HEAD_BYTES - 4);
  if (n_tags > (n_bytes - FS_ICC_HEAD_BYTES) / ICC_TAG_BYTES)
    return FALSE;
  for (guint64 i = 0; i < n_tags; i++) {
    const guint8 *tag = bytes + FS_ICC_HEAD_BYTES + i * ICC_TAG_BYTES;
    if ((guint64)read_be32 (tag + 4) + read_be32 (tag + 8) > n_bytes)
      return FALSE;
  }
  return TRUE;
}

void
fs_finds_take_icc_bytes (FsMetadataFinds *finds, const guint8 *bytes, gsize n_bytes)
{
  if (finds->icc || n_bytes < FS_ICC_HEAD_BYTES || memcmp (bytes + 36, "acsp", 4) != 0)
    return;
  const gsize n_said = read_be32 (bytes);
  if (n_said < FS_ICC_HEAD_BYTES || n_said > n_bytes + MAX_ICC_PADDING
      || n_said > FS_METADATA_ICC_BYTES)
    return;
  g_autofree guint8 *whole = g_try_malloc0 (n_said);
  if (!whole)
    return;
  memcpy (whole, bytes, MIN (n_said, n_bytes));
  if (has_all_tags (whole, n_said))
    finds->icc = g_bytes_new_take (g_steal_pointer (&whole), n_said);
}

void
fs_finds_take_icc (FsMetadataFinds *finds, FsByteView view)
{
  guint8 size[4];
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  if (finds->icc || !fs_byte_view_read (view, 0, size, sizeof size))
    return;
  if (fs_byte_view_append_to (view, MIN (read_be32 (size), FS_METADATA_ICC_BYTES), bytes))
    fs_finds_take_icc_bytes (finds, bytes->data, bytes->len);
}

/* --- What counts ------------------------------------------------------------------------------ */

static void
take_text (char **to, char **first, char **second, char **third)
{
  char **texts[] = { first, second, third };
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!*to)
      *to = g_steal_pointer (texts[i]);
}

static void
take_dpi (FsPhotoMetadata *metadata, const FsMetadataFinds *finds)
{
  const FsPhotoMetadata *places[] = { finds->own_dpi_first ? &finds->own : &finds->exif,
                                      finds->own_dpi_first ? &finds->exif : &finds->own,
                                      &finds->xmp };
  for (gsize i = 0; i < G_N_ELEMENTS (places) && !(metadata->dpi_x > 0); i++) {
    metadata->dpi_x = places[i]->dpi_x;
    metadata->dpi_y = places[i]->dpi_y;
  }
}

void
fs_photo_metadata_take_finds (FsPhotoMetadata *metadata, FsMetadataFinds *finds)
{
  FsPhotoMetadata *exif = &finds->exif, *xmp = &finds->xmp, *own = &finds->own;
  metadata->orientation = exif->orientation ? exif->orientation : MAX (xmp->orientation, 1);
  take_dpi (metadata, finds);
  take_text (&metadata->artist, &exif->artist, &xmp->artist, &own->artist);
  take_text (&metadata->copyright, &exif->copyright, &xmp->copyright, &own->copyright);
  take_text (&metadata->description, &exif->description, &xmp->description, &own->description);
  metadata->icc = g_steal_pointer (&finds->icc);
  metadata->block = g_steal_pointer (&exif->block);
  metadata->is_block_damaged = exif->is_block_damaged;
  metadata->png = own->png;
  metadata->has_cicp = own->has_cicp;
  memcpy (metadata->cicp, own->cicp, sizeof metadata->cicp);
  fs_photo_metadata_clear (exif);
  fs_photo_metadata_clear (xmp);
  fs_photo_metadata_clear (own);
}
