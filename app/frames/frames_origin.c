/* SPDX-License-Identifier: MIT */
#include "app/frames/frames_origin.h"

#include "app/session/session.h"

#include <stdlib.h>

static json_t *
sum_file (const char *path, GError **error)
{
  g_autofree char *sum = fs_session_sum_photo (path, NULL, error);
  return sum ? json_string (sum) : NULL;
}

/* The frames' location, as a sum: a folder may be given away with what was made of it. */
static json_t *
sum_place (const char *frames)
{
  g_autofree char *folder = g_path_get_dirname (frames);
  gboolean is_pattern = !g_file_test (frames, G_FILE_TEST_EXISTS);
  g_autofree char *whole = g_canonicalize_filename (is_pattern ? folder : frames, NULL);
  char *real = realpath (whole, NULL);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, real ? real : whole, -1);
  free (real);
  return json_string (sum);
}

static void
describe_frames (const FsFramesJob *job, const FsFrameSource *source, json_t *origin)
{
  g_autofree char *first = fs_frame_source_name_first (source);
  g_autofree char *first_utf8 = g_utf8_make_valid (first, -1);
  const char *video = fs_frame_source_get_video (source);
  json_object_set_new (origin, "first", json_string (first_utf8));
  json_object_set_new (origin, "place", sum_place (job->frames));
  if (!video)
    return;
  g_autofree char *name = g_path_get_basename (video);
  g_autofree char *utf8 = g_utf8_make_valid (name, -1);
  json_object_set_new (origin, "video", json_string (utf8));
}

json_t *
fs_frames_origin_new (const FsFramesJob *job, const FsFrameSource *source, GError **error)
{
  g_return_val_if_fail (job && source, NULL);
  const char *path = job->seeds ? job->seeds : job->session;
  json_t *strokes = path ? sum_file (path, error) : json_null ();
  if (!strokes)
    return NULL;
  json_t *origin = json_pack ("{s:s, s:o, s:b}", "format", "fretsaw-frames-2", "strokes", strokes,
                              "skin", job->skin);
  if (job->span > 1)
    json_object_set_new (origin, "span", json_integer (job->span));
  if (job->guess)
    json_object_set_new (origin, "guess", json_true ());
  if (job->find_subject)
    json_object_set_new (origin, "finder", json_true ());
  describe_frames (job, source, origin);
  return origin;
}
