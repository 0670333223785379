/* SPDX-License-Identifier: MIT */
/* Corrections of what passes between GStreamer's elements.   Layer: app.
 *
 * Decoders and sinks drop pictures outside of a segment that demultiplexers guess from decoding
 * times: every segment that reaches them is opened. libav's decoders believe the container's caps
 * rather than the stream in what concerns colours and fields: they do not see these. Decoders of a
 * stream's alpha, which is left aside, are passed over. And a demultiplexer that asks for more and
 * more beyond the file's end, as libav's does for GIF, gets an error.
 *
 * Threads: the functions any; what they install runs in GStreamer's.
 */
#ifndef FS_APP_VIDEO_VIDEO_STREAM_H
#define FS_APP_VIDEO_VIDEO_STREAM_H

#include "app/video/video_boxes.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* Bytes read from the source have the patches of `boxes`, which must outlive it. */
void fs_video_stream_patch (GstElement *source, const FsVideoBoxes *boxes);

/* decodebin, before it decodes, and a sink. */
void fs_video_stream_mend_decoders (GstElement *decodebin);
void fs_video_stream_mend_sink (GstElement *sink);

/* The pad that the stream which reaches the sink left the demultiplexer or parser by; to be
 * unreferenced; NULL where nothing is linked yet. Its sticky events are as they were. */
GstPad *fs_video_stream_get_origin (GstElement *sink);

/* The number of an MP4 file's track; 0 where the stream has none. */
guint32 fs_video_stream_get_track (GstPad *origin);

/* The orientation in the tags, as Exif counts it; 0 where there is none. */
int fs_video_stream_get_orientation (const GstTagList *tags);

G_END_DECLS

#endif
