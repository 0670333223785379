/* SPDX-License-Identifier: MIT */
#include "app/frames/frames_outputs.h"

#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/files/same_file.h"
#include "app/session/session.h"

#include <jansson.h>
#include <stdlib.h>

enum { MAX_NAMES = 3 };

/* The options' settings, completed from the session, and from the default ones. A session that
 * cannot be read has its turn later. */
static FsEdgeSettings
find_edge_settings (const FsFramesJob *job)
{
  FsEdgeSettings settings = job->edge;
  g_autoptr (FsSession) session =
      job->session && job->cutouts ? fs_session_read (job->session, NULL) : NULL;
  for (guint i = session ? session->edge->len : 0; i-- > 0;) {
    const FsEdgeEdit *edit = session->edge->pdata[i];
    if (!edit->zone) {
      fs_edge_settings_complete (&settings, &edit->settings);
      break;
    }
  }
  fs_edge_settings_complete (&settings, &FS_EDGE_SETTINGS_DEFAULT);
  return settings;
}

void
fs_frames_outputs_init (FsFramesOutputs *outputs, const FsFramesJob *job)
{
  const char *paths[FS_FRAMES_MAX_OUTPUTS] = { job->out, job->cutouts, job->overlays };
  outputs->n = 0;
  for (int kind = 0; kind < FS_FRAMES_MAX_OUTPUTS; kind++) {
    if (!paths[kind])
      continue;
    FsFramesFolder *folder = &outputs->folder[outputs->n++];
    fs_frames_folder_init (folder, (FsFramesKind)kind, paths[kind]);
    if (kind == FS_FRAMES_CUTOUTS)
      folder->edge = find_edge_settings (job);
    folder->keep_hidden = kind == FS_FRAMES_CUTOUTS && job->keep_hidden;
  }
}

void
fs_frames_outputs_clear (FsFramesOutputs *outputs)
{
  for (int i = 0; i < outputs->n; i++)
    fs_frames_folder_clear (&outputs->folder[i]);
  outputs->n = 0;
}

/* --- names ------------------------------------------------------------------------------------ */

static gboolean
lies_in_folders (const FsFramesOutputs *outputs, const char *path)
{
  g_autofree char *parent = g_path_get_dirname (path);
  for (int i = 0; i < outputs->n; i++)
    if (fs_same_file (parent, outputs->folder[i].path))
      return TRUE;
  return FALSE;
}

gboolean
fs_frames_outputs_check_report (const FsFramesOutputs *outputs, const FsFramesJob *job,
                                GError **error)
{
  return !job->report || lies_in_folders (outputs, job->report)
         || fs_export_can_write (&job->report, 1, error);
}

static gboolean
check_twice (const FsFramesOutputs *outputs, GError **error)
{
  for (int i = 0; i < outputs->n; i++)
    for (int k = 0; k < i; k++)
      if (fs_same_file (outputs->folder[i].path, outputs->folder[k].path))
        return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, outputs->folder[i].path,
                               "masks, cut-outs and overlays need a folder each");
  return TRUE;
}

/* The folder of the frames; of a folder itself, of files the one around them. */
static gboolean
check_folders (const FsFramesOutputs *outputs, const FsFramesJob *job, const FsFrameSource *source,
               GError **error)
{
  g_autofree char *parent = g_path_get_dirname (job->frames);
  gboolean is_folder = g_file_test (job->frames, G_FILE_TEST_IS_DIR);
  gboolean is_video = fs_frame_source_get_video (source) != NULL;
  for (int i = 0; i < outputs->n; i++)
    if (!is_video && fs_same_file (is_folder ? job->frames : parent, outputs->folder[i].path))
      return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, outputs->folder[i].path,
                             "is the folder of the frames themselves");
  return check_twice (outputs, error);
}

/* A folder of them, or the one around a pattern's. */
static gboolean
check_guesses (const FsFramesOutputs *outputs, const char *guess, GError **error)
{
  if (!guess || g_file_test (guess, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  g_autofree char *parent = g_path_get_dirname (guess);
  gboolean is_folder = g_file_test (guess, G_FILE_TEST_IS_DIR);
  for (int i = 0; i < outputs->n; i++)
    if (fs_same_file (is_folder ? guess : parent, outputs->folder[i].path))
      return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, outputs->folder[i].path,
                             "is the folder of the guesses");
  return TRUE;
}

static gboolean
is_made (const FsFramesOutputs *outputs, const FsFrameSource *source, const char *path)
{
  for (int i = 0; i < outputs->n; i++)
    if (fs_frames_folder_makes (&outputs->folder[i], source, path))
      return TRUE;
  return FALSE;
}

static gboolean
check_strokes (const FsFramesOutputs *outputs, const FsFrameSource *source, const char *path,
               GError **error)
{
  return !path || !is_made (outputs, source, path)
         || fs_frames_fail (error, FS_FRAMES_ERROR_STROKES, path,
                            "lies where masks are written: keep strokes in another folder");
}

/* A session that cannot be read has its turn later. */
static gboolean
spare_photo (const char *session_path, const char *report, GError **error)
{
  g_autoptr (FsSession) session = session_path ? fs_session_read (session_path, NULL) : NULL;
  if (!session)
    return TRUE;
  g_autofree char *photo = fs_session_photo_path (session, session_path);
  return fs_same_file_spare (photo, &report, 1, error);
}

static gboolean
check_report_name (const FsFramesOutputs *outputs, const FsFramesJob *job,
                   const FsFrameSource *source, GError **error)
{
  if (!job->report)
    return TRUE;
  if (is_made (outputs, source, job->report))
    return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, job->report,
                           "is a file that this run writes: the report needs another name");
  if (!fs_frame_source_spare (source, job->report, error)
      || !fs_same_file_spare (job->photo, &job->report, 1, error)
      || !spare_photo (job->session, job->report, error))
    return FALSE;
  for (guint i = 0; i < job->n_corrections; i++)
    if (job->corrections[i].is_session
        && !spare_photo (job->corrections[i].path, job->report, error))
      return FALSE;
  return TRUE;
}

gboolean
fs_frames_outputs_check_names (const FsFramesOutputs *outputs, const FsFramesJob *job,
                               const FsFrameSource *source, GError **error)
{
  if (!check_folders (outputs, job, source, error) || !check_guesses (outputs, job->guess, error)
      || !check_strokes (outputs, source, job->seeds, error)
      || !check_strokes (outputs, source, job->session, error))
    return FALSE;
  for (guint i = 0; i < job->n_corrections; i++)
    if (!check_strokes (outputs, source, job->corrections[i].path, error))
      return FALSE;
  return check_report_name (outputs, job, source, error);
}

/* --- the origin of the masks ------------------------------------------------------------------ */

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

/* Inputs of the masks, as recorded in their folders: frames by their names, strokes by their
 * checksums. NULL where strokes cannot be read. */
static json_t *
make_origin (const FsFramesJob *job, const FsFrameSource *source, GError **error)
{
  const char *path = job->seeds ? job->seeds : job->session;
  g_autofree char *strokes = path ? fs_session_sum_photo (path, NULL, error) : NULL;
  if (path && !strokes)
    return NULL;
  json_t *origin = json_pack ("{s:s, s:s?, s:b}", "format", "fretsaw-frames-2", "strokes", strokes,
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

/* --- before the first frame ------------------------------------------------------------------- */

static gboolean
prepare_each (FsFramesOutputs *outputs, const FsFramesJob *job, const FsFrameSource *source,
              const json_t *origin, void (*on_message) (const char *, gpointer), gpointer user_data,
              GError **error)
{
  for (int i = 0; i < outputs->n; i++)
    if (!check_twice (outputs, error)
        || !fs_frames_folder_check (&outputs->folder[i], source, origin, error))
      return FALSE;
  /* The report may be in a folder that has just been made. */
  if (!fs_export_can_write (&job->report, 1, error))
    return FALSE;
  for (int i = 0; i < outputs->n; i++) {
    g_autofree char *message = fs_frames_folder_describe (&outputs->folder[i]);
    if (message)
      on_message (message, user_data);
    if (!fs_frames_folder_prepare (&outputs->folder[i], origin, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
load_background (FsFramesOutputs *outputs, const FsFramesJob *job, GError **error)
{
  for (int i = 0; job->background && i < outputs->n; i++) {
    FsFramesFolder *folder = &outputs->folder[i];
    if (folder->kind == FS_FRAMES_CUTOUTS
        && !(folder->background = fs_background_new (job->background, error)))
      return FALSE;
  }
  return TRUE;
}

gboolean
fs_frames_outputs_prepare (FsFramesOutputs *outputs, const FsFramesJob *job,
                           const FsFrameSource *source,
                           void (*on_message) (const char *message, gpointer user_data),
                           gpointer user_data, GError **error)
{
  json_t *origin = load_background (outputs, job, error) ? make_origin (job, source, error) : NULL;
  gboolean done =
      origin && prepare_each (outputs, job, source, origin, on_message, user_data, error);
  json_decref (origin);
  return done;
}

/* --- and later -------------------------------------------------------------------------------- */

gboolean
fs_frames_outputs_check_place (FsFramesOutputs *outputs, const FsFrame *frame, GError **error)
{
  for (int i = 0; i < outputs->n; i++)
    if (!fs_frames_folder_check_place (&outputs->folder[i], frame, error))
      return FALSE;
  return TRUE;
}

gboolean
fs_frames_outputs_discard_from (FsFramesOutputs *outputs, const FsFrameSource *source,
                                guint64 number, GError **error)
{
  for (int i = 0; i < outputs->n; i++)
    if (!fs_frames_folder_discard_from (&outputs->folder[i], source, number, error))
      return FALSE;
  return TRUE;
}

gboolean
fs_frames_outputs_close (FsFramesOutputs *outputs, gboolean done, GError **error)
{
  gboolean closed = TRUE;
  for (int i = 0; i < outputs->n; i++)
    if (outputs->folder[i].manifest)
      closed = fs_frames_folder_close (&outputs->folder[i], done, closed ? error : NULL) && closed;
  return closed;
}

char *
fs_frames_outputs_describe_left (FsFramesOutputs *outputs, int folder, const FsFrameSource *source,
                                 guint *n)
{
  g_autoptr (GPtrArray) names = fs_frames_folder_list_left (&outputs->folder[folder], source);
  if (names->len == 0)
    return NULL;
  GString *list = g_string_new (NULL);
  for (guint i = 0; i < names->len && i < MAX_NAMES; i++) {
    g_autofree char *name = fs_display_name (names->pdata[i]);
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", name);
  }
  if (names->len > MAX_NAMES)
    g_string_append (list, ", …");
  g_autofree char *path = fs_display_name (outputs->folder[folder].path);
  char *message = g_strdup_printf ("%s: %u %s of frames that are no longer there, and %s: %s", path,
                                   names->len, names->len == 1 ? "picture is" : "pictures are",
                                   names->len == 1 ? "stays" : "stay", list->str);
  g_string_free (list, TRUE);
  *n += names->len;
  return message;
}
