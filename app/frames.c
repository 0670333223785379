/* SPDX-License-Identifier: MIT */
#include "app/frames.h"

#include "app/display_name.h"

#include <string.h>

G_DEFINE_QUARK (fs - frames - error - quark, fs_frames_error)

enum { MOST_DIGITS = 18 };

static void
frame_free (gpointer data)
{
  FsFrame *frame = data;
  g_free (frame->path);
  g_free (frame->stem);
  g_free (frame);
}

static gboolean
fail (GError **error, const char *folder, const char *reason)
{
  g_autofree char *name = fs_display_name (folder);
  g_set_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_FOLDER, "%s: %s", name, reason);
  return FALSE;
}

/* Where a photo's ending begins in a name; NULL for other files and hidden ones. */
static const char *
find_ending (const char *name)
{
  static const char *const endings[] = { ".jpg", ".jpeg", ".png", ".bmp" };
  const char *dot = strrchr (name, '.');
  for (guint i = 0; dot && dot != name && name[0] != '.' && i < G_N_ELEMENTS (endings); i++)
    if (g_ascii_strcasecmp (dot, endings[i]) == 0)
      return dot;
  return NULL;
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
  if (begin == end || end - begin > MOST_DIGITS)
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
  if (!find_number (stem, &number))
    return;
  FsFrame *frame = g_new0 (FsFrame, 1);
  frame->path = g_build_filename (folder, name, NULL);
  frame->stem = g_steal_pointer (&stem);
  frame->number = number;
  g_ptr_array_add (frames, frame);
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const FsFrame *first = *(FsFrame *const *)a, *second = *(FsFrame *const *)b;
  if (first->number != second->number)
    return first->number < second->number ? -1 : 1;
  return strcmp (first->path, second->path);
}

static gboolean
check (const GPtrArray *frames, const char *folder, GError **error)
{
  if (frames->len == 0)
    return fail (error, folder, "has no numbered images");
  for (guint i = 1; i < frames->len; i++) {
    const FsFrame *frame = frames->pdata[i], *before = frames->pdata[i - 1];
    if (frame->number != before->number)
      continue;
    g_autofree char *first = g_path_get_basename (before->path);
    g_autofree char *second = g_path_get_basename (frame->path);
    g_autofree char *both = g_strdup_printf ("%s and %s", first, second);
    g_autofree char *names = fs_display_name (both);
    g_autofree char *reason = g_strdup_printf ("%s have the same number", names);
    return fail (error, folder, reason);
  }
  return TRUE;
}

GPtrArray *
fs_frames_list (const char *folder, GError **error)
{
  g_return_val_if_fail (folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  if (!dir) {
    fail (error, folder, "cannot be read as a folder");
    return NULL;
  }
  g_autoptr (GPtrArray) frames = g_ptr_array_new_with_free_func (frame_free);
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir))
    add_file (frames, folder, name);
  g_ptr_array_sort (frames, compare);
  return check (frames, folder, error) ? g_steal_pointer (&frames) : NULL;
}

guint64
fs_frames_count_missing (const GPtrArray *frames)
{
  const FsFrame *first = frames->pdata[0], *last = frames->pdata[frames->len - 1];
  return last->number - first->number + 1 - frames->len;
}
