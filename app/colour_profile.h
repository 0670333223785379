/* SPDX-License-Identifier: MIT */
/* What a photo's numbers mean as colours: the ICC profile in its file, for the cut-out to take
 * along.   Layer: app.
 *
 * It is found by photo_metadata.h, and taken where its header is that of a profile for RGB. What
 * else it holds is not looked at, and no colour is changed.
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
