/* SPDX-License-Identifier: MIT */
/* Metadata of a JPEG file.   Layer: app. */
#ifndef FS_APP_PHOTO_FORMATS_JPEG_METADATA_H
#define FS_APP_PHOTO_FORMATS_JPEG_METADATA_H

#include "app/photo/input/metadata_finds.h"

G_BEGIN_DECLS

/* Passes each block with metadata to `finds`. */
void fs_jpeg_find_metadata (FsByteView file, FsMetadataFinds *finds);

G_END_DECLS

#endif
