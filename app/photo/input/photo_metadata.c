/* SPDX-License-Identifier: MIT */
#include "app/photo/input/photo_metadata.h"

#include "app/photo/heif/heif.h"
#include "app/photo/input/exif.h"
#include "app/photo/input/metadata_finds.h"
#include "app/photo/input/xmp.h"

#include <string.h>

/* A profile's header and the number of its tags; an entry of their table. */
enum { ICC_HEAD_BYTES = 132, ICC_TAG_BYTES = 12 };

/* Writers that leave out the padding of the last tag count it nevertheless. */
enum { MAX_ICC_PADDING = 3 };

static guint32
read_be32 (const guint8 *bytes)
{
  return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

FsPhotoMetadata *
fs_photo_metadata_new (void)
{
  FsPhotoMetadata *metadata = g_new0 (FsPhotoMetadata, 1);
  metadata->orientation = 1;
  return metadata;
}

static void
clear (FsPhotoMetadata *metadata)
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
  clear (metadata);
  g_free (metadata);
}

/* --- Findings of one kind --------------------------------------------------------------------- */

void
fs_finds_set_text (char **text, const char *bytes, gsize n_bytes)
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

static void
keep_block (FsPhotoMetadata *exif, FsByteView view)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  if (!exif->wants_block || exif->block || view.n_bytes == 0)
    return;
  if (view.n_bytes <= FS_METADATA_EXIF_BYTES
      && fs_byte_view_append_to (view, FS_METADATA_EXIF_BYTES, bytes)
      && fs_exif_make_upright (bytes->data, bytes->len))
    exif->block = g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  exif->is_block_damaged = !exif->block;
}

/* Some writers put a few bytes before the name, and others something else for its last 0. */
void
fs_finds_take_exif (FsMetadataFinds *finds, FsByteView view)
{
  enum { MOST_BEFORE = 4, NAME_BYTES = 6 };
  guint8 head[MOST_BEFORE + NAME_BYTES] = { 0 };
  const FsByteView start = fs_byte_view_part (view, 0, sizeof head);
  if (!fs_byte_view_read (start, 0, head, (gsize)start.n_bytes))
    return;
  for (guint i = 0; i <= MOST_BEFORE; i++)
    if (g_ascii_strncasecmp ((const char *)head + i, "Exif", 4) == 0 && head[i + 4] == 0) {
      view = fs_byte_view_part (view, i + NAME_BYTES, view.n_bytes);
      break;
    }
  fs_exif_read (view, &finds->exif);
  keep_block (&finds->exif, view);
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

/* Whether every tag lies within the bytes that are there. */
static gboolean
has_all_tags (const guint8 *bytes, gsize n_bytes)
{
  const guint64 n_tags = read_be32 (bytes + ICC_HEAD_BYTES - 4);
  if (n_tags > (n_bytes - ICC_HEAD_BYTES) / ICC_TAG_BYTES)
    return FALSE;
  for (guint64 i = 0; i < n_tags; i++) {
    const guint8 *tag = bytes + ICC_HEAD_BYTES + i * ICC_TAG_BYTES;
    if ((guint64)read_be32 (tag + 4) + read_be32 (tag + 8) > n_bytes)
      return FALSE;
  }
  return TRUE;
}

void
fs_finds_take_icc_bytes (FsMetadataFinds *finds, const guint8 *bytes, gsize n_bytes)
{
  if (finds->icc || n_bytes < ICC_HEAD_BYTES || memcmp (bytes + 36, "acsp", 4) != 0)
    return;
  const gsize n_said = read_be32 (bytes);
  if (n_said < ICC_HEAD_BYTES || n_said > n_bytes + MAX_ICC_PADDING
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
  clear (exif);
  clear (xmp);
  clear (own);
}

/* --- A file ----------------------------------------------------------------------------------- */

void
fs_photo_metadata_scan (FsPhotoMetadata *metadata, FsPhotoInput *input)
{
  FsByteSource source;
  FsMetadataFinds finds = { .unpacked_left = FS_METADATA_UNPACKED_BYTES,
                            .exif.wants_block = metadata->wants_block };
  const FsByteView file = fs_byte_source_init_file (&source, input);
  if (input->n_head < 12)
    return;
  if (memcmp (input->head, "\x89PNG", 4) == 0)
    fs_png_find_metadata (file, &finds);
  else if (memcmp (input->head, "\xff\xd8", 2) == 0)
    fs_jpeg_find_metadata (file, &finds);
  else if (memcmp (input->head, "II", 2) == 0 || memcmp (input->head, "MM", 2) == 0)
    fs_tiff_find_metadata (file, &finds);
  else if (memcmp (input->head, "RIFF", 4) == 0 && memcmp (input->head + 8, "WEBP", 4) == 0)
    fs_webp_find_metadata (file, &finds);
  fs_photo_metadata_take_finds (metadata, &finds);
}

static FsPhotoMetadata *
read_file (const char *path, gboolean wants_block)
{
  g_autoptr (FsPhotoMetadata) metadata = fs_photo_metadata_new ();
  metadata->wants_block = wants_block;
  g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, NULL, NULL, NULL);
  if (!input)
    return g_steal_pointer (&metadata);
#ifdef HAVE_HEIF
  if (input->n_head >= 8 && memcmp (input->head + 4, "ftyp", 4) == 0)
    fs_heif_read_metadata (input, metadata);
  else
#endif
    fs_photo_metadata_scan (metadata, input);
  return g_steal_pointer (&metadata);
}

FsPhotoMetadata *
fs_photo_metadata_read (const char *path)
{
  g_return_val_if_fail (path, NULL);

  return read_file (path, FALSE);
}

FsPhotoMetadata *
fs_photo_metadata_read_block (const char *path)
{
  g_return_val_if_fail (path, NULL);

  return read_file (path, TRUE);
}

gboolean
fs_icc_is_for (GBytes *icc, const char *space)
{
  gsize n_bytes;
  const guint8 *bytes = icc ? g_bytes_get_data (icc, &n_bytes) : NULL;
  return bytes && n_bytes >= ICC_HEAD_BYTES && memcmp (bytes + 16, space, 4) == 0;
}
