/* SPDX-License-Identifier: MIT */
#include "app/photo/metadata_reader.h"

#include "app/photo/formats/jpeg_metadata.h"
#include "app/photo/formats/png_metadata.h"
#include "app/photo/formats/webp_metadata.h"
#include "app/photo/heif/heif.h"
#include "app/photo/input/exif.h"

#include <string.h>

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
