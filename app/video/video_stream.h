/* SPDX-License-Identifier: MIT */
/* Corrections of events and caps between GStreamer's elements.   Layer: app.
 *
 *   - Decoders and sinks drop pictures outside of a segment that demultiplexers derive from
 *     decoding times: segments are made unlimited.
 *   - libav's decoders prefer the container's caps to the stream for colours and fields: these
 *     are removed from the caps.
 *   - Decoders of a stream's alpha, which is ignored, are skipped.
 *   - A demultiplexer that reads on and on beyond the file's end, as libav's does for GIF, gets
 *     an error.
 *
 * Threads: the functions any; what they install runs in GStreamer's.
 */
#ifndef FS_APP_VIDEO_VIDEO_STREAM_H
#define FS_APP_VIDEO_VIDEO_STREAM_H

#include "app/video/video_boxes.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* Applies the patches of `boxes`, which must outlive the source, to the bytes read from it. */
void fs_video_stream_patch (GstElement *source, const FsVideoBoxes *boxes);

/* Install the corrections in decodebin, before it decodes, and in a sink. */
void fs_video_stream_mend_decoders (GstElement *decodebin);
void fs_video_stream_mend_sink (GstElement *sink);

/* The demultiplexer's or parser's pad of the stream that the sink gets, with its original sticky
 * events. gst_object_unref; NULL where nothing is linked yet. */
GstPad *fs_video_stream_get_origin (GstElement *sink);

/* The number of an MP4 file's track; 0 where the stream has none. */
guint32 fs_video_stream_get_track (GstPad *origin);

/* The orientation in the tags, as Exif counts it; 0 where there is none. */
int fs_video_stream_get_orientation (const GstTagList *tags);

G_END_DECLS

#endif
