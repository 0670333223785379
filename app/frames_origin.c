/* SPDX-License-Identifier: MIT */
#include "app/frames_origin.h"

#include "app/session.h"

#include <sys/stat.h>

static json_t *
sum_file (const char *path, GError **error)
{
  g_autofree char *sum = fs_session_sum_photo (path, NULL, error);
  return sum ? json_string (sum) : NULL;
}

static json_t *
sum_corrections (const FsFramesJob *job, GError **error)
{
  json_t *sums = json_object ();
  for (guint i = 0; i < job->n_corrections; i++) {
    json_t *sum = sum_file (job->corrections[i].path, error);
    if (!sum) {
      json_decref (sums);
      return NULL;
    }
    g_autofree char *key = g_strdup_printf ("%" G_GUINT64_FORMAT, job->corrections[i].number);
    json_object_set_new (sums, key, sum);
  }
  return sums;
}

/* A video is known by name and size: to read all of it first could take longer than to follow. */
static void
describe_frames (const FsFrameSource *source, json_t *origin)
{
  g_autofree char *first = fs_frame_source_name_first (source);
  g_autofree char *first_utf8 = g_utf8_make_valid (first, -1);
  const char *video = fs_frame_source_get_video (source);
  struct stat facts;
  json_object_set_new (origin, "first", json_string (first_utf8));
  if (!video || stat (video, &facts) != 0)
    return;
  g_autofree char *name = g_path_get_basename (video);
  g_autofree char *utf8 = g_utf8_make_valid (name, -1);
  json_object_set_new (origin, "video", json_string (utf8));
  json_object_set_new (origin, "bytes", json_integer (facts.st_size));
}

json_t *
fs_frames_origin_new (const FsFramesJob *job, const FsFrameSource *source, GError **error)
{
  g_return_val_if_fail (job && source, NULL);
  const char *path = job->seeds ? job->seeds : job->session;
  json_t *strokes = path ? sum_file (path, error) : json_null ();
  json_t *corrections = strokes ? sum_corrections (job, error) : NULL;
  if (!corrections) {
    json_decref (strokes);
    return NULL;
  }
  json_t *origin = json_pack ("{s:s, s:o, s:b, s:o}", "format", "fretsaw-frames-1", "strokes",
                              strokes, "skin", job->skin, "corrections", corrections);
  if (job->span > 1)
    json_object_set_new (origin, "span", json_integer (job->span));
  describe_frames (source, origin);
  return origin;
}
