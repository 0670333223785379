/* SPDX-License-Identifier: MIT */
/* Edit lists, orientation and colour range of MP4 and QuickTime files.   Layer: app.
 *
 * Source: ISO/IEC 14496-12:2022, 8.2 to 8.6 and 12.1.5 (mvhd, tkhd, mdhd, elst, stts, colr).
 * GStreamer's demultiplexer applies edit lists by decoding times, cuts a file without one by the
 * length in its header, knows four of the eight orientations, and in some versions not the colour
 * range. So edit lists are hidden from it, by patches of the bytes that it reads, and applied here:
 * a picture is shown if its time lies within an edit, as in other readers. An edit without a length
 * extends to the end; a list that shows nothing is ignored.
 *
 * Bounds: at most FS_VIDEO_BOXES_MAX boxes are read, and FS_VIDEO_EDITS_MAX edits of a track;
 * nothing is allocated for a count before its entries are found. Contradictory boxes are left to
 * GStreamer.
 *
 * Threads: one at a time; blocks on the disk.
 */
#ifndef FS_APP_VIDEO_VIDEO_BOXES_H
#define FS_APP_VIDEO_VIDEO_BOXES_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_VIDEO_BOXES_MAX 100000
#define FS_VIDEO_EDITS_MAX 10000

/* Times in ticks of the track. */
typedef struct {
  gint64 start, end; /* the picture at `end` is not shown */
} FsVideoEdit;

typedef enum {
  FS_VIDEO_RANGE_UNKNOWN,
  FS_VIDEO_RANGE_LIMITED,
  FS_VIDEO_RANGE_FULL,
} FsVideoRange;

typedef struct {
  guint32 id;
  guint32 timescale; /* ticks a second; not 0                       */
  GArray *edits;     /* FsVideoEdit; NULL: all pictures are shown   */
  gint64 length;     /* of all pictures' times; 0: unknown          */
  int orientation;   /* as Exif counts it, 1 to 8 (app/photo/input/orient.h)    */
  double stretch;    /* width of a pixel against its height         */
  FsVideoRange range;
} FsVideoTrack;

/* Bytes that replace those of the file when they are read. */
typedef struct {
  guint64 offset;
  guint n_bytes;
  guint8 bytes[24];
} FsVideoPatch;

typedef struct {
  GArray *tracks;  /* FsVideoTrack */
  GArray *patches; /* FsVideoPatch */
} FsVideoBoxes;

/* Reads the boxes; empty for files of other formats. */
FsVideoBoxes *fs_video_boxes_read (const char *path);
void fs_video_boxes_free (FsVideoBoxes *boxes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsVideoBoxes, fs_video_boxes_free)

/* NULL where there is none. */
const FsVideoTrack *fs_video_boxes_find (const FsVideoBoxes *boxes, guint32 id);

/* Applies the patches to `n_bytes` that were read at `offset`; FALSE where none overlaps them.
 * `bytes` may be NULL for the test alone. */
gboolean fs_video_boxes_patch (const FsVideoBoxes *boxes, guint64 offset, guint8 *bytes,
                               gsize n_bytes);

G_END_DECLS

#endif
