/* SPDX-License-Identifier: MIT */
#include "app/frames/frames_folder.h"

#include "app/manifest/made_files.h"
#include "app/export/export.h"
#include "app/export/parts/overlay.h"
#include "app/files/display_name.h"
#include "app/files/same_file.h"
#include "app/photo/photo.h"
#include "app/session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define ENDING ".png"
#define PLACE  "place"

static char *
path_of (const FsFramesFolder *folder, const char *stem)
{
  g_autofree char *name = g_strconcat (stem, ENDING, NULL);
  return g_build_filename (folder->path, name, NULL);
}

void
fs_frames_folder_init (FsFramesFolder *folder, FsFramesKind kind, const char *path)
{
  *folder = (FsFramesFolder){ .kind = kind, .path = path, .lock = -1 };
}

void
fs_frames_folder_clear (FsFramesFolder *folder)
{
  g_clear_pointer (&folder->manifest, fs_frames_manifest_free);
  g_clear_pointer (&folder->place, g_free);
  g_clear_pointer (&folder->background, fs_background_unref);
  if (folder->lock >= 0)
    close (folder->lock);
  folder->lock = -1;
}

/* Locks the folder itself, so that no lock file remains. On file systems without locks there is
 * none. */
static gboolean
lock_folder (FsFramesFolder *folder, GError **error)
{
  if (folder->lock >= 0)
    return TRUE;
  folder->lock = g_open (folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  return folder->lock < 0 || flock (folder->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
         || fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, folder->path,
                            "another run of frames is writing into it: wait until it has ended, or "
                            "choose another folder");
}

/* --- what it was made from -------------------------------------------------------------------- */

/* The check of a folder without a manifest. */
static gboolean
check_empty (const FsFramesFolder *folder, const FsFrameSource *source, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder->path, 0, NULL);
  g_autofree char *first = NULL;
  for (const char *name = NULL; dir && (name = g_dir_read_name (dir));) {
    guint64 number;
    if (!g_str_has_suffix (name, ENDING) || (first && strcmp (name, first) > 0))
      continue;
    g_autofree char *stem = g_strndup (name, strlen (name) - strlen (ENDING));
    if (!fs_frame_source_find (source, stem, &number))
      continue;
    g_free (first);
    first = g_strdup (name);
  }
  g_autofree char *path = g_build_filename (folder->path, first ? first : "", NULL);
  return !first
         || fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, path,
                            "is there, but no " FS_FRAMES_MANIFEST_NAME
                            " beside it: choose another folder");
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

/* The inputs that must be the same for a run to go on. The first format also listed corrections and
 * the size of a video, which are recorded frame by frame now. */
static json_t *
identity_of (const json_t *run)
{
  static const char *const others[] = { "format", PLACE, "corrections", "bytes" };
  json_t *identity = json_copy ((json_t *)run);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    json_object_del (identity, others[i]);
  return identity;
}

static gboolean
is_same_run (const json_t *a, const json_t *b)
{
  json_t *first = identity_of (a), *second = identity_of (b);
  gboolean same = json_equal (first, second);
  json_decref (first);
  json_decref (second);
  return same;
}

static json_t *
edge_to_json (const FsEdgeSettings *edge)
{
  return json_pack ("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "width_px", edge->width_px,
                    "shift_tenths", edge->shift_tenths, "contrast", edge->contrast, "smooth_px",
                    edge->smooth_px, "clean", edge->clean, "specks_px", edge->specks_px, "holes_px",
                    edge->holes_px);
}

/* A colour, or the sum of a picture's file, which is null where it is gone. */
static json_t *
describe_background (const FsBackground *background)
{
  const char *path = fs_background_get_path (background);
  g_autofree char *text = path ? fs_session_sum_photo (path, NULL, NULL)
                               : g_strdup_printf ("#%06x", fs_background_get_colour (background));
  return text ? json_string (text) : json_null ();
}

/* The folder's own record. json_decref. */
static json_t *
origin_of (const FsFramesFolder *folder, const json_t *origin)
{
  static const char *const kinds[] = { "masks", "cutouts", "overlays" };
  json_t *own = json_deep_copy (origin);
  json_object_set_new (own, "kind", json_string (kinds[folder->kind]));
  if (!fs_edge_settings_are_hard (&folder->edge))
    json_object_set_new (own, "edge", edge_to_json (&folder->edge));
  if (folder->keep_hidden)
    json_object_set_new (own, "keep_hidden", json_true ());
  if (folder->background)
    json_object_set_new (own, "background", describe_background (folder->background));
  return own;
}

static gboolean
check_run (FsFramesFolder *folder, const FsFrameSource *source, const json_t *origin,
           GError **error)
{
  const json_t *there = fs_frames_manifest_get_run (folder->manifest);
  if (!fs_frames_manifest_is_there (folder->manifest))
    return check_empty (folder, source, error);
  json_t *own = origin_of (folder, origin);
  gboolean is_same = !there || is_same_run (there, own);
  json_decref (own);
  if (is_same)
    return TRUE;
  if (has_pictures (folder))
    return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, folder->path,
                           "holds the results of another run, with other strokes, other frames, "
                           "another edge or another --span; choose another folder");
  fs_frames_manifest_clear (folder->manifest);
  return TRUE;
}

gboolean
fs_frames_folder_check (FsFramesFolder *folder, const FsFrameSource *source, const json_t *origin,
                        GError **error)
{
  g_return_val_if_fail (folder && folder->path && source && origin, FALSE);
  if (g_mkdir_with_parents (folder->path, 0777) != 0)
    return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, folder->path, "cannot be made: %s",
                           g_strerror (errno));
  if (!lock_folder (folder, error))
    return FALSE;
  g_clear_pointer (&folder->manifest, fs_frames_manifest_free);
  folder->manifest = fs_frames_manifest_read (folder->path);
  return check_run (folder, source, origin, error);
}

static const char *
get_place (const json_t *run)
{
  return json_string_value (json_object_get (run, PLACE));
}

/* The place stays what it was until a frame shows that only the folder has moved. */
gboolean
fs_frames_folder_prepare (FsFramesFolder *folder, const json_t *origin, GError **error)
{
  g_return_val_if_fail (folder && folder->manifest && origin, FALSE);
  const char *there = get_place (fs_frames_manifest_get_run (folder->manifest));
  json_t *own = origin_of (folder, origin);
  g_free (folder->place);
  folder->place = g_strdup (get_place (own));
  folder->is_moved = there && g_strcmp0 (there, folder->place) != 0;
  if (folder->is_moved)
    json_object_set_new (own, PLACE, json_string (there));
  fs_frames_manifest_set_run (folder->manifest, own);
  json_decref (own);
  return fs_frames_manifest_save (folder->manifest, error);
}

static void
update_place (FsFramesFolder *folder)
{
  if (!folder->is_moved)
    return;
  json_t *run = json_copy ((json_t *)fs_frames_manifest_get_run (folder->manifest));
  json_object_set_new (run, PLACE, json_string (folder->place));
  fs_frames_manifest_set_run (folder->manifest, run);
  json_decref (run);
  folder->is_moved = FALSE;
}

gboolean
fs_frames_folder_close (FsFramesFolder *folder, gboolean done, GError **error)
{
  g_return_val_if_fail (folder && folder->manifest, FALSE);
  if (done)
    update_place (folder);
  return fs_frames_manifest_save (folder->manifest, error);
}

char *
fs_frames_folder_describe (const FsFramesFolder *folder)
{
  const json_t *there = fs_frames_manifest_get_run (folder->manifest);
  g_autofree char *name = fs_display_name (folder->path);
  if (fs_frames_manifest_is_damaged (folder->manifest))
    return g_strdup_printf ("%s: its " FS_FRAMES_MANIFEST_NAME
                            " is damaged: the pictures there are made again",
                            name);
  if (there && !get_place (there) && has_pictures (folder))
    return g_strdup_printf ("%s: made by an older version, which did not record its inputs: all "
                            "pictures are made again",
                            name);
  return NULL;
}

gboolean
fs_frames_folder_check_place (FsFramesFolder *folder, const FsFrame *frame, GError **error)
{
  const FsFramesRecord *record = fs_frames_manifest_find (folder->manifest, frame->stem);
  if (!folder->is_moved || !record)
    return TRUE;
  if (strcmp (record->picture, frame->sum) != 0)
    return fs_frames_fail (
        error, FS_FRAMES_ERROR_OTHER, folder->path,
        "holds pictures made from other frames of the same names: choose another folder");
  update_place (folder);
  return TRUE;
}

/* --- what is there of a frame ----------------------------------------------------------------- */

FsFramesState
fs_frames_folder_look (const FsFramesFolder *folder, const FsFrame *frame, const char *from,
                       const char *lost)
{
  g_return_val_if_fail (folder && folder->manifest && frame && from, FS_FRAMES_FOREIGN);
  g_autofree char *path = path_of (folder, frame->stem);
  const FsFramesRecord *record = fs_frames_manifest_find (folder->manifest, frame->stem);
  if (!fs_made_file_is_there (path))
    return FS_FRAMES_ABSENT;
  if (record && !record->sum && fs_made_file_is_plain (path))
    return FS_FRAMES_BEGUN;
  g_autofree char *sum = record ? fs_made_file_sum (path) : NULL;
  if (!sum || strcmp (sum, record->sum) != 0)
    return FS_FRAMES_FOREIGN;
  if (strcmp (record->from, from) != 0)
    return FS_FRAMES_STALE;
  return !record->lost || g_strcmp0 (record->lost, lost) == 0 ? FS_FRAMES_THERE : FS_FRAMES_FILLED;
}

const char *
fs_frames_folder_get_sum (const FsFramesFolder *folder, const FsFrame *frame)
{
  const FsFramesRecord *record = fs_frames_manifest_find (folder->manifest, frame->stem);
  return record ? record->sum : NULL;
}

const char *
fs_frames_folder_get_picture (const FsFramesFolder *folder, const FsFrame *frame)
{
  const FsFramesRecord *record = fs_frames_manifest_find (folder->manifest, frame->stem);
  return record ? record->picture : NULL;
}

const char *
fs_frames_folder_get_lost (const FsFramesFolder *folder, const FsFrame *frame)
{
  const FsFramesRecord *record = fs_frames_manifest_find (folder->manifest, frame->stem);
  return record ? record->lost : NULL;
}

/* --- removing --------------------------------------------------------------------------------- */

/* TRUE if this program wrote the file and may remove it. */
static gboolean
is_own (const FsFramesFolder *folder, const char *stem, const char *path)
{
  const FsFramesRecord *record = fs_frames_manifest_find (folder->manifest, stem);
  g_autofree char *sum = record && record->sum ? fs_made_file_sum (path) : NULL;
  return record && fs_made_file_is_plain (path)
         && (!record->sum || g_strcmp0 (sum, record->sum) == 0);
}

static gboolean
discard_picture (FsFramesFolder *folder, const char *stem, char **foreign, GError **error)
{
  g_autofree char *path = path_of (folder, stem);
  if (is_own (folder, stem, path)) {
    if (!fs_made_file_remove (path, error))
      return FALSE;
  } else if (fs_made_file_is_there (path) && foreign) {
    *foreign = g_steal_pointer (&path);
  }
  return fs_frames_manifest_drop (folder->manifest, stem, error);
}

gboolean
fs_frames_folder_discard (FsFramesFolder *folder, const FsFrame *frame, char **foreign,
                          GError **error)
{
  g_return_val_if_fail (folder && folder->manifest && frame && foreign, FALSE);
  *foreign = NULL;
  return discard_picture (folder, frame->stem, foreign, error);
}

gboolean
fs_frames_folder_discard_from (FsFramesFolder *folder, const FsFrameSource *source, guint64 number,
                               GError **error)
{
  g_return_val_if_fail (folder && folder->manifest && source, FALSE);
  g_autoptr (GPtrArray) stems = fs_frames_manifest_list (folder->manifest);
  for (guint i = stems->len; i-- > 0;) {
    g_autofree char *stem = g_strdup (stems->pdata[i]);
    g_autofree char *path = path_of (folder, stem);
    guint64 its;
    if (!fs_frame_source_find (source, stem, &its) || its < number || !is_own (folder, stem, path))
      continue;
    if (!discard_picture (folder, stem, NULL, error))
      return FALSE;
  }
  return TRUE;
}

GPtrArray *
fs_frames_folder_list_left (FsFramesFolder *folder, const FsFrameSource *source)
{
  g_return_val_if_fail (folder && folder->manifest && source, NULL);
  g_autoptr (GPtrArray) stems = fs_frames_manifest_list (folder->manifest);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < stems->len; i++) {
    g_autofree char *stem = g_strdup (stems->pdata[i]);
    g_autofree char *path = path_of (folder, stem);
    if (!fs_made_file_is_there (path))
      fs_frames_manifest_drop (folder->manifest, stem, NULL);
    else if (fs_frame_source_is_gone (source, stem))
      g_ptr_array_add (names, g_strconcat (stem, ENDING, NULL));
  }
  return names;
}

/* --- writing ---------------------------------------------------------------------------------- */

static char *
move_away (const FsFramesFolder *folder, const char *stem, GError **error)
{
  g_autofree char *name = g_strconcat (stem, ENDING, NULL);
  return fs_made_file_move_away (folder->path, name, error);
}

/* `*moved`: where what was in the place is now, or NULL. */
static gboolean
clear_place (FsFramesFolder *folder, const char *stem, char **moved, GError **error)
{
  GStatBuf facts;
  g_autofree char *path = path_of (folder, stem);
  if (g_lstat (path, &facts) != 0 || is_own (folder, stem, path))
    return TRUE;
  if (S_ISREG (facts.st_mode) && facts.st_size == 0)
    return fs_made_file_remove (path, error);
  *moved = move_away (folder, stem, error);
  return *moved != NULL;
}

static gboolean
write_overlay (const char *path, FsImage *image, const uint8_t *mask, GError **error)
{
  g_autoptr (FsImage) overlay = fs_overlay_new (image, mask);
  if (!overlay)
    return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, path, "not enough memory");
  return fs_frame_write (overlay, path, error);
}

static gboolean
write_file (const FsFramesFolder *folder, const FsFramesPicture *picture, const char *path,
            GError **error)
{
  const FsFrame *frame = picture->frame;
  if (folder->kind == FS_FRAMES_OVERLAYS)
    return write_overlay (path, picture->image, picture->mask, error);
  FsExport export = { .image = picture->image,
                      .mask = picture->mask,
                      .kind = folder->kind == FS_FRAMES_CUTOUTS ? FS_EXPORT_CUTOUT : FS_EXPORT_MASK,
                      .photo = frame->image ? NULL : frame->path,
                      .edge = folder->edge,
                      .keep_hidden = folder->keep_hidden,
                      .background = folder->background,
                      .words = picture->words,
                      .marks = picture->marks };
  return fs_export_write (&export, path, NULL, NULL, NULL, error);
}

gboolean
fs_frames_folder_write (FsFramesFolder *folder, const FsFramesPicture *picture, char **moved,
                        GError **error)
{
  g_return_val_if_fail (folder && folder->manifest && picture && moved, FALSE);
  const FsFrame *frame = picture->frame;
  g_autofree char *path = path_of (folder, frame->stem);
  *moved = NULL;
  if (!fs_made_file_is_link (path) && fs_same_file (frame->path, path))
    return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, path, "is the frame itself, by a link");
  FsFramesRecord record = { .number = frame->number,
                            .picture = frame->sum,
                            .from = (char *)picture->from,
                            .lost = (char *)picture->lost };
  if (!clear_place (folder, frame->stem, moved, error)
      || !fs_frames_manifest_put (folder->manifest, frame->stem, &record, error)
      || !write_file (folder, picture, path, error))
    return FALSE;
  g_autofree char *sum = fs_session_sum_photo (path, NULL, error);
  record.sum = sum;
  if (!sum || !fs_frames_manifest_put (folder->manifest, frame->stem, &record, error))
    return FALSE;
  if (*moved)
    fs_made_file_remove_twin (folder->path, sum, moved);
  return TRUE;
}

uint8_t *
fs_frames_folder_read (const FsFramesFolder *folder, const FsFrame *frame, const FsImage *image,
                       GError **error)
{
  g_return_val_if_fail (folder && folder->kind == FS_FRAMES_MASKS && frame && image, NULL);
  g_autofree char *path = path_of (folder, frame->stem);
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, error);
  if (!photo)
    return NULL;
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

/* --- names ------------------------------------------------------------------------------------ */

static gboolean
is_made_name (const FsFrameSource *source, const char *name)
{
  guint64 number;
  if (strcmp (name, FS_FRAMES_MANIFEST_NAME) == 0 || strcmp (name, FS_FRAMES_MANIFEST_LOG) == 0)
    return TRUE;
  if (!g_str_has_suffix (name, ENDING))
    return FALSE;
  g_autofree char *stem = g_strndup (name, strlen (name) - strlen (ENDING));
  return fs_frame_source_find (source, stem, &number);
}

/* Links among the names of files, to what they lead to, there or not. */
static char *
follow_links (const char *path)
{
  enum { MAX_TRIES = 40 };
  char *here = g_strdup (path);
  for (int i = 0; i < MAX_TRIES; i++) {
    g_autofree char *target = g_file_read_link (here, NULL);
    if (!target)
      break;
    g_autofree char *parent = g_path_get_dirname (here);
    g_autofree char *whole = g_canonicalize_filename (parent, NULL);
    g_free (here);
    here = g_canonicalize_filename (target, whole);
  }
  return here;
}

gboolean
fs_frames_folder_makes (const FsFramesFolder *folder, const FsFrameSource *source, const char *path)
{
  g_return_val_if_fail (folder && source && path, FALSE);
  g_autofree char *target = follow_links (path);
  g_autofree char *parent = g_path_get_dirname (target);
  g_autofree char *name = g_path_get_basename (target);
  if (fs_same_file (parent, folder->path) && is_made_name (source, name))
    return TRUE;
  g_autoptr (GDir) dir = g_dir_open (folder->path, 0, NULL);
  for (const char *there = NULL; dir && (there = g_dir_read_name (dir));) {
    g_autofree char *made = g_build_filename (folder->path, there, NULL);
    if (is_made_name (source, there) && fs_same_file (made, target))
      return TRUE;
  }
  return FALSE;
}
