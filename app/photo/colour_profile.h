/* SPDX-License-Identifier: MIT */
/* The ICC profile of a photo's RGB values.   Layer: app.
 *
 * metadata_reader.h finds the colour information of a file. As in PNG (3rd edition, 4.3), the first
 * of cICP (or nclx of HEIF), an ICC profile, sRGB, gAMA and cHRM counts. An RGB profile is used as
 * it is; for the others Little CMS makes one. CMYK and L*a*b* are converted to sRGB by the
 * decoders.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_PHOTO_COLOUR_PROFILE_H
#define FS_APP_PHOTO_COLOUR_PROFILE_H

#include "app/photo/input/photo_metadata.h"
#include "energy/image/image.h"

G_BEGIN_DECLS

/* The ICC profile of a photo; one for greys counts only if `image` (or NULL) is grey. NULL for
 * sRGB, which is the default without a profile. NULL with `*is_lost` where no profile can express
 * the colours: PQ, HLG, and in a build without Little CMS. g_bytes_unref. */
GBytes *fs_colour_profile_of (const FsPhotoMetadata *metadata, const FsImage *image,
                              gboolean *is_lost);

/* The same for the photo at `path`, which is not grey. NULL also where there is no such file. */
GBytes *fs_colour_profile_read (const char *path);

G_END_DECLS

#endif
