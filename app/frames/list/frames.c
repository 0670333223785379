/* SPDX-License-Identifier: MIT */
#include "app/frames/list/frames.h"

#include "app/files/display_name.h"
#include "app/frames/list/frame_names.h"
#include "app/frames/list/frame_patterns.h"
#include "app/photo/photo.h"

#include <string.h>

static void
release_frame (gpointer data)
{
  fs_frame_unref (data);
}

/* The start of a photo's ending in a name; NULL for other files and hidden ones. */
static const char *
find_ending (const char *name)
{
  return name[0] != '.' && fs_photo_has_name (name) ? strrchr (name, '.') : NULL;
}

/* The last number in a stem; FALSE where there is none, or one that is too long. */
static gboolean
find_number (const char *stem, guint64 *number)
{
  gsize end = strlen (stem);
  while (end > 0 && !g_ascii_isdigit (stem[end - 1]))
    end--;
  gsize begin = end;
  while (begin > 0 && g_ascii_isdigit (stem[begin - 1]))
    begin--;
  if (begin == end || end - begin > FS_FRAME_MAX_DIGITS)
    return FALSE;
  *number = g_ascii_strtoull (stem + begin, NULL, 10);
  return TRUE;
}

static void
add_file (GPtrArray *frames, const char *folder, const char *name)
{
  const char *ending = find_ending (name);
  guint64 number;
  if (!ending)
    return;
  g_autofree char *stem = g_strndup (name, (gsize)(ending - name));
  if (find_number (stem, &number))
    g_ptr_array_add (frames, fs_frame_new (g_build_filename (folder, name, NULL),
                                           g_steal_pointer (&stem), number));
}

/* An ending that comes before the number is none. */
static void
add_named (GPtrArray *frames, const char *folder, const FsFrameNames *names, const char *name)
{
  guint64 number;
  if (!fs_frame_names_match (names, name, &number))
    return;
  const char *dot = strrchr (names->after, '.');
  gsize n_ending = dot ? strlen (dot) : 0;
  g_ptr_array_add (frames, fs_frame_new (g_build_filename (folder, name, NULL),
                                         g_strndup (name, strlen (name) - n_ending), number));
}

static gint
compare_frames (gconstpointer a, gconstpointer b)
{
  const FsFrame *first = *(FsFrame *const *)a, *second = *(FsFrame *const *)b;
  if (first->number != second->number)
    return first->number < second->number ? -1 : 1;
  return strcmp (first->path, second->path);
}

static gboolean
refuse_number (const char *folder, const FsFrame *a, const FsFrame *b, const GPtrArray *frames,
               GError **error)
{
  g_autofree char *first = g_path_get_basename (a->path);
  g_autofree char *second = g_path_get_basename (b->path);
  g_autofree char *both = g_strdup_printf ("%s and %s", first, second);
  g_autofree char *names = fs_display_name (both);
  g_autofree char *way_out = fs_frames_describe_sequences (folder, frames);
  return fs_frames_fail (error, FS_FRAMES_ERROR_FOLDER, folder, "%s have the same number: %s",
                         names, way_out);
}

static gboolean
check_numbers (const GPtrArray *frames, const char *folder, GError **error)
{
  if (frames->len == 0)
    return fs_frames_fail (error, FS_FRAMES_ERROR_FOLDER, folder,
                           "has no numbered images; the name of a frame has a number of at most 18 "
                           "digits, as in shot-0001.png");
  for (guint i = 1; i < frames->len; i++) {
    const FsFrame *frame = frames->pdata[i], *before = frames->pdata[i - 1];
    if (frame->number == before->number)
      return refuse_number (folder, before, frame, frames, error);
  }
  return TRUE;
}

static GDir *
open_folder (const char *folder, GError **error)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  if (!dir)
    fs_frames_fail (error, FS_FRAMES_ERROR_FOLDER, folder, "cannot be read as a folder");
  return dir;
}

/* All of them, whatever their numbers. */
static GPtrArray *
list_numbered (const char *folder, GError **error)
{
  g_autoptr (GDir) dir = open_folder (folder, error);
  if (!dir)
    return NULL;
  GPtrArray *frames = g_ptr_array_new_with_free_func (release_frame);
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir))
    add_file (frames, folder, name);
  g_ptr_array_sort (frames, compare_frames);
  return frames;
}

GPtrArray *
fs_frames_list (const char *folder, GError **error)
{
  g_return_val_if_fail (folder, NULL);
  g_autoptr (GPtrArray) frames = list_numbered (folder, error);
  return frames && check_numbers (frames, folder, error) ? g_steal_pointer (&frames) : NULL;
}

char *
fs_frames_describe_sequences (const char *folder, const GPtrArray *frames)
{
  g_return_val_if_fail (folder && frames, NULL);
  g_autoptr (GArray) patterns = fs_frame_patterns_list (frames);
  if (patterns->len < 2)
    return NULL;
  g_autofree char *all = fs_frame_patterns_describe (patterns);
  g_autofree char *path =
      g_build_filename (folder, g_array_index (patterns, FsFramePattern, 0).pattern, NULL);
  g_autofree char *shown = fs_display_name (path);
  return g_strdup_printf ("it holds %u sequences, %s; a pattern takes one of them: %s",
                          patterns->len, all, shown);
}

/* Names what is there instead, if anything. */
static gboolean
refuse_pattern (const char *folder, const char *pattern, GError **error)
{
  g_autoptr (GPtrArray) frames = list_numbered (folder, NULL);
  g_autoptr (GArray) patterns = frames ? fs_frame_patterns_list (frames) : NULL;
  if (!patterns || patterns->len == 0)
    return fs_frames_fail (error, FS_FRAMES_ERROR_FOLDER, pattern,
                           "there is no image of such a name");
  g_autofree char *all = fs_frame_patterns_describe (patterns);
  return fs_frames_fail (error, FS_FRAMES_ERROR_FOLDER, pattern,
                         "there is no image of such a name; its folder has %s", all);
}

GPtrArray *
fs_frames_list_pattern (const char *pattern, GError **error)
{
  g_return_val_if_fail (pattern, NULL);
  g_autofree char *folder = g_path_get_dirname (pattern);
  g_autofree char *name_pattern = g_path_get_basename (pattern);
  g_auto (FsFrameNames) names = { 0 };
  if (!fs_frame_names_init (&names, name_pattern, error))
    return NULL;
  g_autoptr (GDir) dir = open_folder (folder, error);
  if (!dir)
    return NULL;
  g_autoptr (GPtrArray) frames = g_ptr_array_new_with_free_func (release_frame);
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir))
    add_named (frames, folder, &names, name);
  if (frames->len == 0) {
    refuse_pattern (folder, pattern, error);
    return NULL;
  }
  g_ptr_array_sort (frames, compare_frames);
  return g_steal_pointer (&frames);
}

void
fs_frames_limit (GPtrArray *frames, guint64 first, guint64 last)
{
  guint begin = 0, end = frames->len;
  while (begin < end && ((FsFrame *)frames->pdata[begin])->number < first)
    begin++;
  while (end > begin && ((FsFrame *)frames->pdata[end - 1])->number > last)
    end--;
  if (end < frames->len)
    g_ptr_array_remove_range (frames, end, frames->len - end);
  if (begin > 0)
    g_ptr_array_remove_range (frames, 0, begin);
}

void
fs_frames_list_gaps (const GPtrArray *frames, GArray *gaps)
{
  for (guint i = 1; i < frames->len; i++) {
    const FsFrame *before = frames->pdata[i - 1], *frame = frames->pdata[i];
    FsFrameGap gap = { before->number + 1, frame->number - 1 };
    if (gap.first <= gap.last)
      g_array_append_val (gaps, gap);
  }
}
