/* SPDX-License-Identifier: MIT */
/* Truncated video files, as far as the container shows it.   Layer: app.
 *
 * AVI: the header says how large the file is. Ogg (RFC 3533): a stream's last page is marked as the
 * last. Others give the length in time, which GStreamer reports.
 */
#ifndef FS_APP_VIDEO_VIDEO_END_H
#define FS_APP_VIDEO_VIDEO_END_H

#include <glib.h>

G_BEGIN_DECLS

/* The sign that the file was cut off, for a message; NULL where there is none. Reads 64 KB at the
 * most. */
const char *fs_video_end_find_cut (const char *path);

G_END_DECLS

#endif
