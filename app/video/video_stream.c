/* SPDX-License-Identifier: MIT */
#include "app/video/video_stream.h"

#include <stdlib.h>
#include <string.h>

/* Requests past the end, one after the other, before they count as endless. */
enum { MAX_PAST_END = 100 };

typedef struct {
  const FsVideoBoxes *boxes;
  GstElement *source;
  guint n_past_end;
} File;

/* --- the file --------------------------------------------------------------------------------- */

static GstPadProbeReturn
on_bytes (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  File *file = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  gsize n = buffer ? gst_buffer_get_size (buffer) : 0;
  file->n_past_end = 0;
  if (n == 0 || !fs_video_boxes_patch (file->boxes, GST_PAD_PROBE_INFO_OFFSET (info), NULL, n))
    return GST_PAD_PROBE_OK;
  buffer = gst_buffer_make_writable (buffer);
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  GstMapInfo map;
  if (gst_buffer_map (buffer, &map, GST_MAP_READWRITE)) {
    fs_video_boxes_patch (file->boxes, GST_PAD_PROBE_INFO_OFFSET (info), map.data, map.size);
    gst_buffer_unmap (buffer, &map);
  }
  return GST_PAD_PROBE_OK;
}

/* Before each request: those that are answered with bytes count from the beginning. */
static GstPadProbeReturn
on_request (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  File *file = user_data;
  return ++file->n_past_end > MAX_PAST_END ? GST_PAD_PROBE_HANDLED : GST_PAD_PROBE_PASS;
}

void
fs_video_stream_patch (GstElement *source, const FsVideoBoxes *boxes)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (source, "src");
  File *file = g_new0 (File, 1);
  file->boxes = boxes;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_PULL | GST_PAD_PROBE_TYPE_BUFFER, on_bytes, file,
                     NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_PULL | GST_PAD_PROBE_TYPE_BLOCK, on_request, file,
                     NULL);
  g_object_set_data_full (G_OBJECT (source), "fretsaw-file", file, g_free);
}

/* --- events ----------------------------------------------------------------------------------- */

static void
open_segment (GstPadProbeInfo *info)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstSegment segment;
  gst_event_copy_segment (event, &segment);
  if (segment.format != GST_FORMAT_TIME || segment.rate < 0)
    return;
  segment.start = segment.time = segment.position = 0;
  segment.stop = segment.duration = GST_CLOCK_TIME_NONE;
  GstEvent *opened = gst_event_new_segment (&segment);
  gst_event_set_seqnum (opened, gst_event_get_seqnum (event));
  gst_event_unref (event);
  GST_PAD_PROBE_INFO_DATA (info) = opened;
}

static void
hide_container (GstPadProbeInfo *info)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstCaps *caps = NULL;
  gst_event_parse_caps (event, &caps);
  g_autoptr (GstCaps) fewer = gst_caps_copy (caps);
  for (guint i = 0; i < gst_caps_get_size (fewer); i++)
    gst_structure_remove_fields (gst_caps_get_structure (fewer, i), "colorimetry", "chroma-site",
                                 "interlace-mode", "field-order", NULL);
  GstEvent *hidden = gst_event_new_caps (fewer);
  gst_event_set_seqnum (hidden, gst_event_get_seqnum (event));
  gst_event_unref (event);
  GST_PAD_PROBE_INFO_DATA (info) = hidden;
}

static GstPadProbeReturn
on_event (GstPad *pad, GstPadProbeInfo *info, gpointer is_libav)
{
  GstEventType type = GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info));
  if (type == GST_EVENT_SEGMENT)
    open_segment (info);
  else if (type == GST_EVENT_CAPS && is_libav)
    hide_container (info);
  return GST_PAD_PROBE_OK;
}

static const char *
get_kind (GstElementFactory *factory)
{
  const char *kind =
      factory ? gst_element_factory_get_metadata (factory, GST_ELEMENT_METADATA_KLASS) : NULL;
  return kind ? kind : "";
}

static gboolean
is_decoder (GstElement *element)
{
  const char *kind = get_kind (gst_element_get_factory (element));
  return strstr (kind, "Decoder") && (strstr (kind, "Video") || strstr (kind, "Image"));
}

static void
mend_pad (GstElement *element, gboolean is_libav)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  if (pad)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_event,
                       GINT_TO_POINTER (is_libav), NULL);
}

static void
on_element_added (GstBin *bin, GstBin *within, GstElement *element, gpointer user_data)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  if (is_decoder (element) && !GST_IS_BIN (element))
    mend_pad (element, g_str_has_prefix (GST_OBJECT_NAME (factory), "avdec_"));
}

G_GNUC_BEGIN_IGNORE_DEPRECATIONS /* decodebin's lists are GValueArrays */

    static GValueArray *
    on_autoplug_sort (GstElement *decodebin, GstPad *pad, GstCaps *caps, GValueArray *factories,
                      gpointer user_data)
{
  GValueArray *rest = g_value_array_copy (factories);
  for (guint i = rest->n_values; i-- > 0;) {
    GObject *factory = g_value_get_object (g_value_array_get_nth (rest, i));
    if (g_str_has_suffix (GST_OBJECT_NAME (factory), "alphadecodebin"))
      g_value_array_remove (rest, i);
  }
  return rest;
}

G_GNUC_END_IGNORE_DEPRECATIONS

void
fs_video_stream_mend_decoders (GstElement *decodebin)
{
  g_signal_connect (decodebin, "deep-element-added", G_CALLBACK (on_element_added), NULL);
  g_signal_connect (decodebin, "autoplug-sort", G_CALLBACK (on_autoplug_sort), NULL);
}

void
fs_video_stream_mend_sink (GstElement *sink)
{
  mend_pad (sink, FALSE);
}

/* --- what the pictures come from -------------------------------------------------------------- */

GstPad *
fs_video_stream_get_origin (GstElement *sink)
{
  g_autoptr (GstPad) wanted = gst_element_get_static_pad (sink, "sink");
  GstPad *pad = gst_pad_get_peer (wanted);
  while (pad && GST_IS_GHOST_PAD (pad)) {
    GstPad *target = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));
    gst_object_unref (pad);
    pad = target;
  }
  g_autoptr (GstElement) element = pad ? gst_pad_get_parent_element (pad) : NULL;
  if (!element || !is_decoder (element))
    return pad;
  g_autoptr (GstPad) entry = gst_element_get_static_pad (element, "sink");
  GstPad *before = entry ? gst_pad_get_peer (entry) : NULL;
  if (!before)
    return pad;
  gst_object_unref (pad);
  return before;
}

guint32
fs_video_stream_get_track (GstPad *origin)
{
  g_autofree char *id = gst_pad_get_stream_id (origin);
  const char *number = id ? strrchr (id, '/') : NULL;
  return number ? (guint32)strtoul (number + 1, NULL, 10) : 0;
}

int
fs_video_stream_get_orientation (const GstTagList *tags)
{
  static const char *const names[] = { "rotate-0",        "flip-rotate-0",   "rotate-180",
                                       "flip-rotate-180", "flip-rotate-270", "rotate-90",
                                       "flip-rotate-90",  "rotate-270" };
  g_autofree char *orientation = NULL;
  if (!gst_tag_list_get_string (tags, GST_TAG_IMAGE_ORIENTATION, &orientation))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (orientation, names[i]) == 0)
      return (int)i + 1;
  return 0;
}
