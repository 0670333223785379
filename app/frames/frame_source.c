/* SPDX-License-Identifier: MIT */
#include "app/frames/frame_source.h"

#include "app/files/display_name.h"
#include "app/files/same_file.h"
#include "app/frames/list/frame_names.h"
#include "app/video/video.h"

#include <string.h>

#define PICTURE_NAMES "frame-%06d"

struct _FsFrameSource {
  char *path;
  guint64 first, last;
  GPtrArray *frames; /* NULL for a video */
  GHashTable *all;   /* stem → FsFrame, those beyond the limits too */
  guint at;
  FsVideo *video;
  FsFrameNames names; /* of pictures */
  guint64 n_pictures; /* read        */
  gboolean has_ended; /* the video   */
  char *warning;      /* of images   */
};

static void
release_frame (gpointer data)
{
  fs_frame_unref (data);
}

static gboolean
refuse_limits (const FsFrameSource *source, const char *there, GError **error)
{
  g_autofree char *last = source->last < G_MAXINT64
                              ? g_strdup_printf (" to %" G_GUINT64_FORMAT, source->last)
                              : g_strdup (" on");
  return fs_frames_fail (error, FS_FRAMES_ERROR_FOLDER, source->path,
                         "has no image from number %" G_GUINT64_FORMAT "%s: its numbers are %s",
                         source->first, last, there);
}

static gboolean
use_images (FsFrameSource *source, GPtrArray *frames, GError **error)
{
  source->frames = frames;
  if (!frames)
    return FALSE;
  source->all = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, release_frame);
  for (guint i = 0; i < frames->len; i++) {
    FsFrame *frame = fs_frame_ref (frames->pdata[i]);
    g_hash_table_insert (source->all, frame->stem, frame);
  }
  g_autofree char *there = g_strdup_printf ("%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                                            ((FsFrame *)frames->pdata[0])->number,
                                            ((FsFrame *)frames->pdata[frames->len - 1])->number);
  fs_frames_limit (frames, source->first, source->last);
  if (frames->len == 0)
    return refuse_limits (source, there, error);
  return TRUE;
}

static void
warn_of_sequences (FsFrameSource *source)
{
  g_autofree char *found = fs_frames_describe_sequences (source->path, source->frames);
  g_autofree char *name = fs_display_name (source->path);
  if (found)
    source->warning =
        g_strdup_printf ("%s: all its images are read as one sequence, but %s", name, found);
}

static gboolean
use_folder (FsFrameSource *source, GError **error)
{
  if (!use_images (source, fs_frames_list (source->path, error), error))
    return FALSE;
  warn_of_sequences (source);
  return TRUE;
}

static gboolean
use_video (FsFrameSource *source, GError **error)
{
  source->video = fs_video_open (source->path, error);
  return source->video && fs_frame_names_init (&source->names, PICTURE_NAMES, error);
}

static gboolean
open_path (FsFrameSource *source, GError **error)
{
  g_autofree char *name = g_path_get_basename (source->path);
  if (g_file_test (source->path, G_FILE_TEST_IS_DIR))
    return use_folder (source, error);
  if (g_file_test (source->path, G_FILE_TEST_EXISTS))
    return use_video (source, error);
  if (strchr (name, '%'))
    return use_images (source, fs_frames_list_pattern (source->path, error), error);
  return fs_frames_fail (error, FS_FRAMES_ERROR_FOLDER, source->path,
                         "no such folder, video, or pattern of numbered images");
}

FsFrameSource *
fs_frame_source_open (const char *path, guint64 first, guint64 last, GError **error)
{
  g_return_val_if_fail (path && first <= last, NULL);
  g_autoptr (FsFrameSource) source = g_new0 (FsFrameSource, 1);
  source->path = g_strdup (path);
  source->first = first;
  source->last = last;
  return open_path (source, error) ? g_steal_pointer (&source) : NULL;
}

void
fs_frame_source_free (FsFrameSource *source)
{
  if (!source)
    return;
  fs_video_free (source->video);
  fs_frame_names_clear (&source->names);
  g_clear_pointer (&source->all, g_hash_table_unref);
  g_clear_pointer (&source->frames, g_ptr_array_unref);
  g_free (source->warning);
  g_free (source->path);
  g_free (source);
}

static FsFrame *
next_picture (FsFrameSource *source, GError **error)
{
  FsImage *image = NULL;
  do {
    g_clear_pointer (&image, fs_image_unref);
    if (source->n_pictures >= source->last)
      return NULL;
    g_autoptr (GError) reason = NULL;
    image = fs_video_next (source->video, &reason);
    source->n_pictures += image != NULL;
    source->has_ended = !image && !reason;
    if (reason)
      g_propagate_error (error, g_steal_pointer (&reason));
  } while (image && source->n_pictures < source->first);
  if (!image)
    return NULL;
  char *path = g_strdup_printf ("%s: frame %" G_GUINT64_FORMAT, source->path, source->n_pictures);
  FsFrame *frame = fs_frame_new (path, fs_frame_names_expand (&source->names, source->n_pictures),
                                 source->n_pictures);
  frame->image = image;
  return frame;
}

FsFrame *
fs_frame_source_next (FsFrameSource *source, GError **error)
{
  g_return_val_if_fail (source, NULL);
  if (source->video)
    return next_picture (source, error);
  return source->at < source->frames->len ? fs_frame_ref (source->frames->pdata[source->at++])
                                          : NULL;
}

char *
fs_frame_source_take_warning (FsFrameSource *source)
{
  return source->video ? fs_video_take_warning (source->video) : g_steal_pointer (&source->warning);
}

gboolean
fs_frame_source_may_have (const FsFrameSource *source, guint64 number)
{
  if (source->video)
    return number > MAX (source->first, 1) && number <= source->last;
  for (guint i = 1; i < source->frames->len; i++)
    if (((FsFrame *)source->frames->pdata[i])->number == number)
      return TRUE;
  return FALSE;
}

guint
fs_frame_source_count (const FsFrameSource *source)
{
  return source->frames ? source->frames->len : 0;
}

const char *
fs_frame_source_get_video (const FsFrameSource *source)
{
  return source->video ? source->path : NULL;
}

gboolean
fs_frame_source_spare (const FsFrameSource *source, const char *output, GError **error)
{
  if (source->video)
    return fs_same_file_spare (source->path, &output, 1, error);
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, source->all);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (!fs_same_file_spare (((FsFrame *)value)->path, &output, 1, error))
      return FALSE;
  return TRUE;
}

FsFrame *
fs_frame_source_peek (const FsFrameSource *source, guint64 number, GError **error)
{
  g_autoptr (FsFrameSource) again =
      source->video ? fs_frame_source_open (source->path, 0, G_MAXUINT64, error) : NULL;
  if (source->video)
    return again ? fs_frame_source_next (again, error) : NULL;
  for (guint i = 0; i < source->frames->len; i++)
    if (((FsFrame *)source->frames->pdata[i])->number == number)
      return fs_frame_ref (source->frames->pdata[i]);
  return NULL;
}

char *
fs_frame_source_name_first (const FsFrameSource *source)
{
  return source->video ? fs_frame_names_expand (&source->names, MAX (source->first, 1))
                       : g_strdup (((FsFrame *)source->frames->pdata[0])->stem);
}

gboolean
fs_frame_source_find (const FsFrameSource *source, const char *stem, guint64 *number)
{
  if (source->video)
    return fs_frame_names_match (&source->names, stem, number);
  const FsFrame *frame = g_hash_table_lookup (source->all, stem);
  if (frame)
    *number = frame->number;
  return frame != NULL;
}

gboolean
fs_frame_source_is_gone (const FsFrameSource *source, const char *stem)
{
  guint64 number;
  gboolean may_be = fs_frame_source_find (source, stem, &number);
  return !may_be || (source->video && source->has_ended && number > source->n_pictures);
}

void
fs_frame_source_list_gaps (const FsFrameSource *source, GArray *gaps)
{
  if (source->frames)
    fs_frames_list_gaps (source->frames, gaps);
}
