/* SPDX-License-Identifier: MIT */
#include "app/frames_folder.h"

#include "app/export.h"
#include "app/overlay.h"
#include "app/photo.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define ORIGIN      "fretsaw-frames.json"
#define ENDING      ".png"
#define CORRECTIONS "corrections"

static char *
path_of (const FsFramesFolder *folder, const char *stem)
{
  g_autofree char *name = g_strconcat (stem, ENDING, NULL);
  return g_build_filename (folder->path, name, NULL);
}

/* --- what is there ---------------------------------------------------------------------------- */

typedef struct {
  guint64 number;
  char *path;
} Made;

static void
made_clear (gpointer data)
{
  g_free (((Made *)data)->path);
}

static int
compare_later_first (gconstpointer a, gconstpointer b)
{
  const Made *first = a, *second = b;
  return first->number > second->number ? -1 : first->number < second->number;
}

/* What frames from a number on have in the folder, the last one first. */
static GArray *
list_made (const FsFramesFolder *folder, const FsFrameSource *source, guint64 from)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Made));
  g_array_set_clear_func (list, made_clear);
  g_autoptr (GDir) dir = g_dir_open (folder->path, 0, NULL);
  for (const char *name = NULL; dir && (name = g_dir_read_name (dir));) {
    guint64 number;
    if (!g_str_has_suffix (name, ENDING))
      continue;
    g_autofree char *stem = g_strndup (name, strlen (name) - strlen (ENDING));
    if (!fs_frame_source_find (source, stem, &number) || number < from)
      continue;
    Made made = { number, path_of (folder, stem) };
    g_array_append_val (list, made);
  }
  g_array_sort (list, compare_later_first);
  return list;
}

static gboolean
check_empty (const FsFramesFolder *folder, const FsFrameSource *source, GError **error)
{
  g_autoptr (GArray) list = list_made (folder, source, 0);
  return list->len == 0
         || fs_frames_fail (error, FS_FRAMES_ERROR_OTHER,
                            g_array_index (list, Made, list->len - 1).path,
                            "is there, but no " ORIGIN " beside it: choose another folder");
}

/* Pictures of any name: another run's frames may have others. A folder that cannot be listed is not
 * known to be without. */
static gboolean
has_pictures (const FsFramesFolder *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder->path, 0, NULL);
  const char *name = NULL;
  while (dir && (name = g_dir_read_name (dir)) && !g_str_has_suffix (name, ENDING))
    ;
  return !dir || name;
}

/* In this order a run that is ended on the way leaves the beginning of what was there. */
static gboolean
remove_from (const FsFramesFolder *folder, const FsFrameSource *source, guint64 from,
             GError **error)
{
  g_autoptr (GArray) list = list_made (folder, source, from);
  for (guint i = 0; i < list->len; i++) {
    const char *path = g_array_index (list, Made, i).path;
    if (g_unlink (path) != 0)
      return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, path, "cannot be removed: %s",
                             g_strerror (errno));
  }
  return TRUE;
}

/* --- what it was made from -------------------------------------------------------------------- */

static char *
to_text (json_t *json)
{
  char *text = json_dumps (json, JSON_INDENT (2) | JSON_SORT_KEYS);
  char *line = g_strconcat (text, "\n", NULL);
  free (text);
  return line;
}

/* The number of the first frame that two sets of corrections disagree on; the largest number where
 * they agree. */
static guint64
find_difference (json_t *a, json_t *b)
{
  guint64 first = G_MAXUINT64;
  json_t *sets[] = { a, b };
  for (int i = 0; i < 2; i++) {
    const char *key;
    json_t *value;
    json_object_foreach (sets[i], key,
                         value) if (!json_equal (value, json_object_get (sets[1 - i], key))) first =
        MIN (first, g_ascii_strtoull (key, NULL, 10));
  }
  return first;
}

/* Whether two runs differ in their corrections at most. */
static gboolean
is_same_run (json_t *a, json_t *b)
{
  json_t *first = json_copy (a), *second = json_copy (b);
  json_object_del (first, CORRECTIONS);
  json_object_del (second, CORRECTIONS);
  gboolean same = json_equal (first, second);
  json_decref (first);
  json_decref (second);
  return same;
}

/* `*from`: the first frame that has to be made anew, or the largest number. */
static gboolean
check_origin (const FsFramesFolder *folder, const char *text, json_t *origin, guint64 *from,
              GError **error)
{
  json_t *there = json_loads (text, JSON_REJECT_DUPLICATES, NULL);
  gboolean same =
      there && is_same_run (there, origin) && json_is_object (json_object_get (there, CORRECTIONS));
  *from = same ? find_difference (json_object_get (there, CORRECTIONS),
                                  json_object_get (origin, CORRECTIONS))
               : 0;
  json_decref (there);
  return same || !has_pictures (folder)
         || fs_frames_fail (
             error, FS_FRAMES_ERROR_OTHER, folder->path,
             "holds what another run has made: from other strokes, other frames or with another "
             "--span");
}

/* Makes the folder. `*from` as of check_origin(), of an empty folder 0. */
static gboolean
check (const FsFramesFolder *folder, const FsFrameSource *source, json_t *origin, guint64 *from,
       GError **error)
{
  g_autofree char *path = g_build_filename (folder->path, ORIGIN, NULL);
  g_autofree char *there = NULL;
  if (g_mkdir_with_parents (folder->path, 0777) != 0)
    return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, folder->path, "cannot be made: %s",
                           g_strerror (errno));
  if (g_file_get_contents (path, &there, NULL, NULL))
    return check_origin (folder, there, origin, from, error);
  *from = 0;
  return check_empty (folder, source, error);
}

/* What the folder itself keeps. json_decref. */
static json_t *
origin_of (const FsFramesFolder *folder, const json_t *origin)
{
  static const char *const kinds[] = { "masks", "cutouts", "overlays" };
  json_t *own = json_deep_copy (origin);
  json_object_set_new (own, "kind", json_string (kinds[folder->kind]));
  if (folder->soft_px > 0)
    json_object_set_new (own, "soft_edge", json_integer (folder->soft_px));
  if (folder->keep_hidden)
    json_object_set_new (own, "keep_hidden", json_true ());
  return own;
}

gboolean
fs_frames_folder_check (const FsFramesFolder *folder, const FsFrameSource *source,
                        const json_t *origin, GError **error)
{
  g_return_val_if_fail (folder && folder->path && source && origin, FALSE);
  json_t *own = origin_of (folder, origin);
  guint64 from;
  gboolean fine = check (folder, source, own, &from, error);
  json_decref (own);
  return fine;
}

gboolean
fs_frames_folder_prepare (const FsFramesFolder *folder, const FsFrameSource *source,
                          const json_t *origin, GError **error)
{
  g_return_val_if_fail (folder && folder->path && source && origin, FALSE);
  g_autofree char *path = g_build_filename (folder->path, ORIGIN, NULL);
  json_t *own = origin_of (folder, origin);
  guint64 from;
  gboolean done = check (folder, source, own, &from, error);
  if (done && from != G_MAXUINT64) {
    g_autofree char *line = to_text (own);
    done =
        remove_from (folder, source, from, error) && fs_export_write_text (path, line, -1, error);
  }
  json_decref (own);
  return done;
}

/* --- one frame -------------------------------------------------------------------------------- */

gboolean
fs_frames_folder_has (const FsFramesFolder *folder, const FsFrame *frame)
{
  g_autofree char *path = path_of (folder, frame->stem);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
write_overlay (const char *path, FsImage *image, const uint8_t *mask, GError **error)
{
  g_autoptr (FsImage) overlay = fs_overlay_new (image, mask);
  if (!overlay)
    return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, path, "not enough memory");
  return fs_frame_write (overlay, path, error);
}

gboolean
fs_frames_folder_write (const FsFramesFolder *folder, const FsFrame *frame, FsImage *image,
                        const uint8_t *mask, const uint8_t *marks, GError **error)
{
  g_return_val_if_fail (folder && frame && image && mask, FALSE);
  g_autofree char *path = path_of (folder, frame->stem);
  if (folder->kind == FS_FRAMES_OVERLAYS)
    return write_overlay (path, image, mask, error);
  FsExport export = { .image = image,
                      .mask = mask,
                      .kind = folder->kind == FS_FRAMES_CUTOUTS ? FS_EXPORT_CUTOUT : FS_EXPORT_MASK,
                      .photo = frame->image ? NULL : frame->path,
                      .soft_px = folder->soft_px,
                      .keep_hidden = folder->keep_hidden,
                      .marks = marks };
  return fs_export_write (&export, path, NULL, NULL, NULL, error);
}

uint8_t *
fs_frames_folder_read (const FsFramesFolder *folder, const FsFrame *frame, const FsImage *image,
                       GError **error)
{
  g_return_val_if_fail (folder && folder->kind == FS_FRAMES_MASKS && frame && image, NULL);
  g_autofree char *path = path_of (folder, frame->stem);
  g_autoptr (GError) reason = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &reason);
  if (!photo) {
    g_set_error (error, reason->domain, reason->code, "%s: remove it, and it is made again",
                 reason->message);
    return NULL;
  }
  if (photo->image->width != image->width || photo->image->height != image->height) {
    fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, path, "is not as large as its frame");
    return NULL;
  }
  size_t n = (size_t)image->width * (size_t)image->height;
  uint8_t *mask = g_try_malloc (n);
  if (!mask) {
    fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, path, "not enough memory");
    return NULL;
  }
  for (size_t p = 0; p < n; p++)
    mask[p] = FS_PIXEL_G (photo->image->pixels[p]) > 127;
  return mask;
}
