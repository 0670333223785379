/* SPDX-License-Identifier: MIT */
#include "app/video/video.h"

#include "app/files/display_name.h"
#include "app/files/process_limits.h"
#include "app/frames/list/frames.h"
#include "app/video/video_end.h"
#include "app/video/video_picture.h"
#include "app/video/video_stream.h"

#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <string.h>

/* More than a pipeline has: it grows as it finds streams. */
enum { N_THREADS = 12 };

/* Two decoded pictures in the queue; how long to look for one before the bus is asked; and how long
 * pictures may still come from the queues after an error. */
enum { MAX_WAITING = 2, SLICE_MS = 20, GRACE_MS = 1000 };

/* Sound may go on for a moment after the last picture. */
#define TAIL (GST_SECOND / 2)

/* The maximum number of jumps back in an edit list: each time all before it is decoded again. */
enum { MAX_REWINDS = 256 };

/* decodebin's answers, whose type it keeps to itself. */
enum { AUTOPLUG_TRY = 0, AUTOPLUG_SKIP = 2 };

struct _FsVideo {
  char *name; /* for messages */
  GstElement *pipeline;
  GstElement *sink; /* of the pipeline */
  guint64 n_read;
  GstClockTime length;     /* that the file says it has                      */
  GstClockTime start, end; /* of all pictures                                */
  gboolean has_times;      /* that go on                                     */
  const char *cut;         /* what shows that the file was cut off, or NULL */
  GPtrArray *warnings;     /* not taken yet */
  FsVideoBoxes *boxes;
  FsVideoPainter *painter;
  guint deeds, reported; /* FsVideoDeeds: of the pictures so far; those that were reported */
  /* Since the first picture. */
  const FsVideoTrack *track; /* NULL: of no such file                       */
  FsVideoLook look;
  gboolean has_look;
  char *colours;     /* for the look */
  gint64 time_shift; /* from a picture's time to that in the stream */
  guint edit;        /* that is being shown                         */
  guint n_rewinds;
  gboolean goes_back; /* to the first picture, for it */
  gboolean is_shown;  /* all that the edits show      */
  /* Messages of GStreamer's threads. */
  GMutex mutex;
  char *refusal;         /* why a stream was not decoded      */
  guint n_lost;          /* pictures that could not be decoded */
  gboolean flows;        /* the first picture was decoded     */
  gboolean is_too_large; /* what comes from the decoder now */
  int orientation;       /* by tags; 0        : none         */
  /* Given to them. */
  gboolean is_closing; /* nothing is linked any more */
};

static gboolean G_GNUC_PRINTF (3, 4) fail (FsVideo *video, GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_VIDEO, "%s: %s", video->name, reason);
  return FALSE;
}

const char *
fs_video_get_reader (void)
{
  static char text[64];
  static gsize once;
  if (g_once_init_enter (&once)) {
    guint major, minor, micro, nano;
    gst_version (&major, &minor, &micro, &nano);
    g_snprintf (text, sizeof text, "GStreamer %u.%u.%u", major, minor, micro);
    g_once_init_leave (&once, 1);
  }
  return text;
}

/* --- what may be decoded ---------------------------------------------------------------------- */

static void
refuse_stream (FsVideo *video, char *reason)
{
  g_mutex_lock (&video->mutex);
  g_free (video->refusal);
  video->refusal = reason;
  g_mutex_unlock (&video->mutex);
}

/* FALSE, and the reason kept, where a stream's pictures are said to be too large. */
static gboolean
admit_size (FsVideo *video, const GstCaps *caps)
{
  int width = 0, height = 0;
  if (!caps || gst_caps_is_empty (caps) || gst_caps_is_any (caps))
    return TRUE;
  const GstStructure *facts = gst_caps_get_structure (caps, 0);
  if (!gst_structure_get_int (facts, "width", &width)
      || !gst_structure_get_int (facts, "height", &height))
    return TRUE;
  if (width <= FS_VIDEO_MAX_SIDE_PX && height <= FS_VIDEO_MAX_SIDE_PX
      && (gint64)width * height <= FS_VIDEO_MAX_PIXELS)
    return TRUE;
  refuse_stream (video, g_strdup_printf ("its pictures of %d × %d pixels are too large: at most %d "
                                         "megapixels, and %d pixels a side",
                                         width, height, FS_VIDEO_MAX_PIXELS / 1000000,
                                         FS_VIDEO_MAX_SIDE_PX));
  return FALSE;
}

static int
on_autoplug_select (GstElement *decoder, GstPad *pad, GstCaps *caps, GstElementFactory *factory,
                    gpointer user_data)
{
  FsVideo *video = user_data;
  const char *kind = gst_element_factory_get_metadata (factory, GST_ELEMENT_METADATA_KLASS);
  if (kind && (strstr (kind, "Adaptive") || strstr (kind, "Network") || strstr (kind, "Editing"))) {
    refuse_stream (video, g_strdup ("is a list of videos that lie elsewhere"));
    return AUTOPLUG_SKIP;
  }
  if (!kind || strstr (kind, "Hardware"))
    return AUTOPLUG_SKIP;
  return admit_size (video, caps) ? AUTOPLUG_TRY : AUTOPLUG_SKIP;
}

static void
take_tags (FsVideo *video, GstEvent *event)
{
  GstTagList *tags;
  gst_event_parse_tag (event, &tags);
  int orientation = fs_video_stream_get_orientation (tags);
  g_mutex_lock (&video->mutex);
  if (orientation != 0)
    video->orientation = orientation;
  g_mutex_unlock (&video->mutex);
}

/* Between decoder and everything else: sizes that only the stream itself knows, or that change. */
static GstPadProbeReturn
on_event (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  FsVideo *video = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstCaps *caps = NULL;
  if (GST_EVENT_TYPE (event) == GST_EVENT_TAG)
    take_tags (video, event);
  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  gst_event_parse_caps (event, &caps);
  if (admit_size (video, caps))
    return GST_PAD_PROBE_OK;
  g_mutex_lock (&video->mutex);
  video->is_too_large = TRUE;
  g_mutex_unlock (&video->mutex);
  GST_ELEMENT_ERROR (video->pipeline, STREAM, DECODE, (NULL), (NULL));
  return GST_PAD_PROBE_DROP;
}

/* Decoders report each picture that they drop, and some of headers, which come before all
 * pictures. Of other messages there may be any number: only those that are read are kept. */
static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  FsVideo *video = user_data;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_QOS) {
    g_mutex_lock (&video->mutex);
    video->n_lost += video->flows != 0;
    g_mutex_unlock (&video->mutex);
  }
  const GstStructure *facts = gst_message_get_structure (message);
  gboolean wanted = GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR
                    || (facts && gst_structure_has_name (facts, "missing-plugin"));
  return wanted ? GST_BUS_PASS : GST_BUS_DROP;
}

static GstPadProbeReturn
on_picture (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  FsVideo *video = user_data;
  g_mutex_lock (&video->mutex);
  gboolean admitted = !video->is_too_large;
  video->flows = TRUE;
  g_mutex_unlock (&video->mutex);
  if (admitted)
    return GST_PAD_PROBE_OK;
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = NULL;
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_ERROR;
  return GST_PAD_PROBE_HANDLED;
}

static void
on_pad_added (GstElement *decoder, GstPad *pad, gpointer user_data)
{
  FsVideo *video = user_data;
  g_autoptr (GstPad) wanted = gst_element_get_static_pad (video->sink, "sink");
  g_mutex_lock (&video->mutex);
  gboolean linked = !video->is_closing && !gst_pad_is_linked (wanted)
                    && gst_pad_link (pad, wanted) == GST_PAD_LINK_OK;
  g_mutex_unlock (&video->mutex);
  if (!linked)
    return;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_event, video, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_picture, video, NULL);
}

/* --- the pipeline ----------------------------------------------------------------------------- */

/* Into the pipeline, which owns it. */
static GstElement *
add_element (FsVideo *video, const char *kind, GError **error)
{
  GstElement *element = gst_element_factory_make (kind, NULL);
  if (element)
    gst_bin_add (GST_BIN (video->pipeline), element);
  else
    fail (video, error, "cannot be read: GStreamer's element “%s” is not installed", kind);
  return element;
}

static void
set_up_decoder (FsVideo *video, GstElement *decoder)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw(ANY)");
  g_object_set (decoder, "caps", caps, "expose-all-streams", FALSE, NULL);
  g_signal_connect (decoder, "autoplug-select", G_CALLBACK (on_autoplug_select), video);
  g_signal_connect (decoder, "pad-added", G_CALLBACK (on_pad_added), video);
}

static void
set_up_sink (FsVideo *video)
{
  g_autoptr (GstCaps) caps = gst_caps_new_empty_simple ("video/x-raw");
  g_object_set (video->sink, "caps", caps, "sync", FALSE, "max-buffers", MAX_WAITING, "drop", FALSE,
                NULL);
  fs_video_stream_mend_sink (video->sink);
}

static gboolean
build_pipeline (FsVideo *video, const char *path, GError **error)
{
  video->pipeline = gst_pipeline_new (NULL);
  g_autoptr (GstBus) bus = gst_element_get_bus (video->pipeline);
  gst_bus_set_sync_handler (bus, on_message, video, NULL);
  GstElement *file = add_element (video, "filesrc", error);
  GstElement *decoder = file ? add_element (video, "decodebin", error) : NULL;
  video->sink = decoder ? add_element (video, "appsink", error) : NULL;
  if (!video->sink)
    return FALSE;
  g_object_set (file, "location", path, NULL);
  fs_video_stream_patch (file, video->boxes);
  fs_video_stream_mend_decoders (decoder);
  set_up_decoder (video, decoder);
  set_up_sink (video);
  if (!gst_element_link (file, decoder))
    return fail (video, error, "cannot be read: GStreamer's elements do not fit together");
  gst_element_set_state (video->pipeline, GST_STATE_PLAYING);
  return TRUE;
}

FsVideo *
fs_video_open (const char *path, GError **error)
{
  g_return_val_if_fail (path, NULL);
  g_autoptr (GError) reason = NULL;
  g_autoptr (FsVideo) video = g_new0 (FsVideo, 1);
  video->name = fs_display_name (path);
  video->length = video->start = video->end = GST_CLOCK_TIME_NONE;
  video->warnings = g_ptr_array_new_with_free_func (g_free);
  g_mutex_init (&video->mutex);
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    fail (video, error, "is neither a folder nor a regular file");
    return NULL;
  }
  /* It ends the program, or waits for ever, where it cannot start its own. */
  if (!fs_process_limits_allow_threads (N_THREADS, &reason)) {
    fail (video, error, "cannot be read: %s", reason->message);
    return NULL;
  }
  if (!gst_init_check (NULL, NULL, &reason)) {
    fail (video, error, "cannot be read: GStreamer does not start: %s", reason->message);
    return NULL;
  }
  video->cut = fs_video_end_find_cut (path);
  video->boxes = fs_video_boxes_read (path);
  video->painter = fs_video_painter_new ();
  return build_pipeline (video, path, error) ? g_steal_pointer (&video) : NULL;
}

void
fs_video_free (FsVideo *video)
{
  if (!video)
    return;
  if (video->pipeline) {
    /* A link that is made while the pipeline sorts its elements looks like a loop to it. */
    g_mutex_lock (&video->mutex);
    video->is_closing = TRUE;
    g_mutex_unlock (&video->mutex);
    gst_element_set_state (video->pipeline, GST_STATE_NULL);
    gst_object_unref (video->pipeline);
  }
  g_mutex_clear (&video->mutex);
  g_ptr_array_unref (video->warnings);
  fs_video_boxes_free (video->boxes);
  fs_video_painter_free (video->painter);
  g_free (video->colours);
  g_free (video->refusal);
  g_free (video->name);
  g_free (video);
}

/* --- pictures --------------------------------------------------------------------------------- */

/* The pipeline's error in a sentence about the file; NULL without one. */
static char *
take_failure (FsVideo *video)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (video->pipeline);
  g_autofree char *missing = NULL, *failure = NULL;
  GstMessage *message;
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_ELEMENT))) {
    const GstStructure *facts = gst_message_get_structure (message);
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR && !failure) {
      g_autoptr (GError) reason = NULL;
      gst_message_parse_error (message, &reason, NULL);
      failure = g_error_matches (reason, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN)
                    ? g_strdup ("there is no video in it that GStreamer could decode")
                    : g_strdup_printf ("cannot be decoded: %s", reason->message);
    } else if (facts && gst_structure_has_name (facts, "missing-plugin") && !missing)
      missing = g_strdup (gst_structure_get_string (facts, "name"));
    gst_message_unref (message);
  }
  g_mutex_lock (&video->mutex);
  g_autofree char *refusal = g_strdup (video->refusal);
  g_mutex_unlock (&video->mutex);
  if (!failure)
    return NULL;
  if (refusal)
    return g_steal_pointer (&refusal);
  return missing
             ? g_strdup_printf ("cannot be decoded: GStreamer has no plug-in for it: %s", missing)
             : g_steal_pointer (&failure);
}

static void
raise_failure (FsVideo *video, const char *failure, GError **error)
{
  g_autofree char *reason = fs_display_name (failure);
  if (video->n_read == 0)
    fail (video, error, "%s", reason);
  else
    fail (video, error, "after frame %" G_GUINT64_FORMAT ": %s", video->n_read, reason);
}

static gboolean
has_stream (FsVideo *video)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (video->sink, "sink");
  return gst_pad_is_linked (pad);
}

static void
look_for_task (const GValue *value, gpointer user_data)
{
  GstElement *element = g_value_get_object (value);
  gboolean *found = user_data;
  GST_OBJECT_LOCK (element);
  for (GList *at = element->pads; at; at = at->next)
    *found = *found || gst_pad_get_task_state (at->data) == GST_TASK_STARTED;
  GST_OBJECT_UNLOCK (element);
}

/* decodebin swallows errors while it puts an element in, and thinks that these are then over: a
 * demuxer that fails at once stands still, and nobody says why. */
static gboolean
stands_still (FsVideo *video)
{
  gboolean found = FALSE;
  GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (video->pipeline));
  GstIteratorResult result = gst_iterator_foreach (elements, look_for_task, &found);
  gst_iterator_free (elements);
  return result == GST_ITERATOR_DONE && !found && !has_stream (video);
}

/* The error after nothing has come for so long; NULL without one. g_free. */
static char *
look_for_failure (FsVideo *video, gint64 idle_us)
{
  char *failure = take_failure (video);
  if (!failure && idle_us > GRACE_MS * 1000 && stands_still (video))
    return g_strdup ("cannot be decoded: it is damaged or incomplete");
  if (!failure && idle_us > FS_VIDEO_PATIENCE_S * G_USEC_PER_SEC)
    return g_strdup ("cannot be decoded: nothing comes any more");
  return failure;
}

/* The next sample; NULL at the end, and after a failure when what came before it has been given. */
static GstSample *
pull (FsVideo *video, GError **error)
{
  g_autofree char *failure = NULL;
  gint64 start = g_get_monotonic_time (), failed = 0;
  for (;;) {
    GstSample *sample =
        gst_app_sink_try_pull_sample (GST_APP_SINK (video->sink), SLICE_MS * GST_MSECOND);
    if (sample)
      return sample;
    /* In this order: a failure is reported before the end that follows from it. */
    gboolean ended = gst_app_sink_is_eos (GST_APP_SINK (video->sink));
    gint64 now = g_get_monotonic_time ();
    if (!failure && (failure = look_for_failure (video, now - start)))
      failed = now;
    if (failure && (ended || !has_stream (video) || now - failed > GRACE_MS * 1000)) {
      raise_failure (video, failure, error);
      return NULL;
    }
    if (ended)
      return NULL;
  }
}

/* --- edits ------------------------------------------------------------------------------------ */

/* As FsVideoLook has them: those that the container alone knows of; a parser's are the stream's. */
static int
get_fields (const GstStructure *facts)
{
  gboolean is_parsed = FALSE;
  gst_structure_get_boolean (facts, "parsed", &is_parsed);
  if (is_parsed || g_strcmp0 (gst_structure_get_string (facts, "interlace-mode"), "interleaved"))
    return 0;
  return g_strcmp0 (gst_structure_get_string (facts, "field-order"), "bottom-field-first") ? 1 : 2;
}

static void
read_stream_facts (FsVideo *video)
{
  g_autoptr (GstPad) origin = fs_video_stream_get_origin (video->sink);
  g_autoptr (GstCaps) caps = origin ? gst_pad_get_current_caps (origin) : NULL;
  g_autoptr (GstEvent) event =
      origin ? gst_pad_get_sticky_event (origin, GST_EVENT_SEGMENT, 0) : NULL;
  const GstStructure *facts = caps ? gst_caps_get_structure (caps, 0) : NULL;
  const GstSegment *segment = NULL;
  gboolean has_alpha = FALSE;
  if (event)
    gst_event_parse_segment (event, &segment);
  if (segment && segment->format == GST_FORMAT_TIME && GST_CLOCK_TIME_IS_VALID (segment->time))
    video->time_shift = (gint64)segment->time - (gint64)segment->start;
  if (origin)
    video->track = fs_video_boxes_find (video->boxes, fs_video_stream_get_track (origin));
  if (facts)
    video->colours = g_strdup (gst_structure_get_string (facts, "colorimetry"));
  if (facts && gst_structure_get_boolean (facts, "codec-alpha", &has_alpha) && has_alpha)
    video->deeds |= FS_VIDEO_TRANSPARENT;
  g_mutex_lock (&video->mutex);
  int orientation = video->orientation ? video->orientation : 1;
  g_mutex_unlock (&video->mutex);
  video->look =
      (FsVideoLook){ .colours = video->colours,
                     .range = video->track ? video->track->range : 0,
                     .stretch = video->track ? video->track->stretch : 1,
                     .fields = facts ? get_fields (facts) : 0,
                     .orientation = video->track ? video->track->orientation : orientation };
}

/* Either by the segment or as it stands, as files differ in where they count a length from. */
static void
note_times (FsVideo *video, GstBuffer *buffer)
{
  GstClockTime start = GST_BUFFER_PTS (buffer);
  if (!GST_CLOCK_TIME_IS_VALID (start))
    return;
  gint64 end = (gint64)start + MAX (video->time_shift, 0);
  if (GST_BUFFER_DURATION_IS_VALID (buffer))
    end += (gint64)GST_BUFFER_DURATION (buffer);
  if (!GST_CLOCK_TIME_IS_VALID (video->start))
    video->start = start;
  video->has_times = video->has_times || start > video->start;
  if (!GST_CLOCK_TIME_IS_VALID (video->end) || end > (gint64)video->end)
    video->end = (GstClockTime)MAX (end, 0);
}

/* The track's, in which edits are counted; G_MININT64 where the picture has none. */
static gint64
get_ticks (const FsVideo *video, GstSample *sample)
{
  GstClockTime time = GST_BUFFER_PTS (gst_sample_get_buffer (sample));
  if (!GST_CLOCK_TIME_IS_VALID (time))
    return G_MININT64;
  gint64 shifted = (gint64)time + video->time_shift;
  guint64 ticks =
      gst_util_uint64_scale_round ((guint64)ABS (shifted), video->track->timescale, GST_SECOND);
  return shifted < 0 ? -(gint64)ticks : (gint64)ticks;
}

static gboolean
rewind_all (FsVideo *video, GError **error)
{
  video->goes_back = FALSE;
  if (++video->n_rewinds > MAX_REWINDS)
    return fail (video, error,
                 "after frame %" G_GUINT64_FORMAT ": its edit list goes back too often",
                 video->n_read);
  return gst_element_seek_simple (video->pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0)
         || fail (video, error, "after frame %" G_GUINT64_FORMAT ": cannot go back in it",
                  video->n_read);
}

/* Returns whether the picture at `at`, G_MAXINT64 after the last one, is to be shown. Changes to
 * later edits for it, up to one that begins before the end of the one that is over. */
static gboolean
is_within_edit (FsVideo *video, gint64 at)
{
  const GArray *edits = video->track->edits;
  while (!video->is_shown && !video->goes_back) {
    const FsVideoEdit *edit = &g_array_index (edits, FsVideoEdit, video->edit);
    if (at < edit->end)
      return at >= edit->start;
    video->edit++;
    video->is_shown = video->edit == edits->len;
    video->goes_back = !video->is_shown && edit[1].start < edit->end;
  }
  return FALSE;
}

static void
note_sample (FsVideo *video, GstSample *sample)
{
  if (!video->has_look)
    read_stream_facts (video);
  video->has_look = TRUE;
  note_times (video, gst_sample_get_buffer (sample));
}

/* The next one that the edits show, as pull(). No sample may be held while the pipeline goes back:
 * appsink writes into its own. */
static GstSample *
pull_shown (FsVideo *video, GError **error)
{
  while (!video->is_shown) {
    g_autoptr (GError) reason = NULL;
    if (video->goes_back && !rewind_all (video, error))
      return NULL;
    g_autoptr (GstSample) sample = pull (video, &reason);
    if (sample)
      note_sample (video, sample);
    if (reason) {
      g_propagate_error (error, g_steal_pointer (&reason));
      return NULL;
    }
    if (!video->track || !video->track->edits)
      return g_steal_pointer (&sample);
    gint64 at = sample ? get_ticks (video, sample) : G_MAXINT64;
    if (at == G_MININT64 || is_within_edit (video, at))
      return g_steal_pointer (&sample);
  }
  return NULL;
}

/* --- damage ----------------------------------------------------------------------------------- */

static void G_GNUC_PRINTF (2, 3) warn (FsVideo *video, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *damage = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (video->warnings, g_strdup_printf ("%s: %s", video->name, damage));
}

static GstClockTime
get_length (const FsVideo *video)
{
  const FsVideoTrack *track = video->track;
  gint64 length = track ? track->length : 0, shown = 0;
  for (guint i = 0; track && track->edits && i < track->edits->len; i++)
    shown = MAX (shown, g_array_index (track->edits, FsVideoEdit, i).end);
  if (shown > 0)
    length = MIN (length, shown);
  if (length > 0)
    return gst_util_uint64_scale ((guint64)length, GST_SECOND, track->timescale);
  if (gst_element_query_duration (video->pipeline, GST_FORMAT_TIME, &length) && length > 0)
    return (GstClockTime)length;
  return GST_CLOCK_TIME_NONE;
}

static void
look_over_picture (FsVideo *video, GstSample *sample)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  if (video->n_read == 1)
    video->length = get_length (video);
  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_CORRUPTED))
    warn (video, "frame %" G_GUINT64_FORMAT " is damaged", video->n_read);
  guint fresh = video->deeds & ~video->reported;
  video->reported = video->deeds;
  if (fresh & FS_VIDEO_DEINTERLACED)
    warn (video, "is interlaced: each frame is made one picture of its first field");
  if (fresh & FS_VIDEO_STRETCHED)
    warn (video, "its pixels are not square: pictures are resampled to square ones");
  if (fresh & FS_VIDEO_TRANSPARENT)
    warn (video, "its transparency is ignored");
}

static void
look_over_whole (FsVideo *video)
{
  g_mutex_lock (&video->mutex);
  guint n_lost = video->n_lost;
  g_mutex_unlock (&video->mutex);
  if (n_lost > 0)
    warn (video, "pictures that cannot be decoded, and are not counted: %u", n_lost);
  if (video->cut)
    warn (video, "ends after frame %" G_GUINT64_FORMAT ": %s", video->n_read, video->cut);
  else if (GST_CLOCK_TIME_IS_VALID (video->length) && (video->has_times || video->n_read == 1)
           && GST_CLOCK_TIME_IS_VALID (video->end) && video->end + TAIL < video->length)
    warn (video, "ends after frame %" G_GUINT64_FORMAT ", at %.1f s of %.1f: it may be cut short",
          video->n_read, (double)video->end / GST_SECOND, (double)video->length / GST_SECOND);
}

char *
fs_video_take_warning (FsVideo *video)
{
  g_return_val_if_fail (video, NULL);
  return video->warnings->len > 0 ? g_ptr_array_steal_index (video->warnings, 0) : NULL;
}

/* --- the next one ----------------------------------------------------------------------------- */

static FsImage *
take_picture (FsVideo *video, GstSample *sample, GError **error)
{
  FsImage *image = fs_video_painter_paint (video->painter, sample, &video->look, &video->deeds);
  if (image) {
    video->n_read++;
    look_over_picture (video, sample);
  } else
    fail (video, error, "frame %" G_GUINT64_FORMAT " cannot be read, or memory is short for it",
          video->n_read + 1);
  return image;
}

FsImage *
fs_video_next (FsVideo *video, GError **error)
{
  g_return_val_if_fail (video, NULL);
  g_autoptr (GError) reason = NULL;
  g_autoptr (GstSample) sample = pull_shown (video, &reason);
  if (reason)
    g_propagate_error (error, g_steal_pointer (&reason));
  else if (sample && video->n_read == FS_VIDEO_MAX_PICTURES)
    fail (video, error, "has more than %d frames", FS_VIDEO_MAX_PICTURES);
  else if (sample)
    return take_picture (video, sample, error);
  else if (video->n_read == 0 && video->cut)
    fail (video, error, "has no pictures: %s", video->cut);
  else if (video->n_read == 0)
    fail (video, error, "has no pictures");
  else
    look_over_whole (video);
  return NULL;
}
