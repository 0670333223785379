/* SPDX-License-Identifier: MIT */
/* What a photo's numbers mean as colours: the ICC profile in its file, for the cut-out to take
 * along.   Layer: app.
 *
 * Source: ICC.1:2022, 7.2 "Profile header" and annex B.4 "Embedding in JPEG"; PNG (3rd edition),
 * 11.3.2.3 "iCCP"; those of TIFF, WebP and HEIF are found by their libraries. The bytes are not
 * trusted: at most a megabyte is taken, of at most 1,024 blocks that lie before the picture, and
 * only where the header is that of a profile for RGB. What else it holds is not looked at, and no
 * colour is changed.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_COLOUR_PROFILE_H
#define FS_APP_COLOUR_PROFILE_H

#include <glib.h>

G_BEGIN_DECLS

/* The profile of the photo at `path`. NULL where there is none, none that fits, or no
 * such file: a picture without a profile is sRGB. g_bytes_unref. */
GBytes *fs_colour_profile_read (const char *path);

G_END_DECLS

#endif
