/* SPDX-License-Identifier: MIT */
#include "app/replay/replay.h"

#include "app/export/export.h"
#include "app/export/export_edge.h"
#include "app/export/export_format.h"
#include "app/files/display_name.h"
#include "app/files/report_numbers.h"
#include "app/files/same_file.h"
#include "app/finder/guess_file.h"
#include "app/live/document_edge.h"
#include "cut/mask_objects.h"
#include "app/photo/photo.h"
#include "app/replay/player.h"
#include "app/session/restore.h"
#include "app/session/session_photo.h"
#include "solver/system/checked_memory.h"

#include <glib/gi18n.h>

G_DEFINE_QUARK (fs - replay - error - quark, fs_replay_error)

typedef struct {
  FsSession *session;
  char *photo_path;
  FsPhoto *photo;
  FsBackground *background; /* of the cut-out, or NULL */
  FsDocument *document;
  uint8_t *numbers;               /* of the objects, where they are wanted */
  FsExportRefinement *refinement; /* where two files share it, or NULL */
} Work;

static void
replay_work_clear (Work *work)
{
  fs_export_refinement_free (work->refinement);
  g_clear_object (&work->document);
  fs_memory_free (work->numbers);
  fs_photo_free (work->photo);
  fs_background_unref (work->background);
  g_free (work->photo_path);
  fs_session_free (work->session);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, replay_work_clear)

/* The layers below know nothing of files: say which one their failure is about. */
static gboolean
fail_for_session (const FsReplayJob *job, GError **error)
{
  g_autofree char *name = fs_display_name (job->session);
  g_prefix_error (error, "%s: ", name);
  return FALSE;
}

static const char *
get_set_file (const FsReplayJob *job)
{
  return job->set ? fs_label_writer_get_file (job->set) : NULL;
}

static gboolean
take_guess (Work *work, const FsReplayJob *job, GError **error)
{
  if (!job->guess)
    return TRUE;
  g_autofree char *name = g_path_get_basename (job->guess);
  g_autoptr (FsGuess) guess = fs_guess_load_mask (job->guess, work->session->width,
                                                  work->session->height, NULL, NULL, NULL, error);
  if (guess)
    fs_session_replace_guesses (work->session, guess, name);
  return guess != NULL;
}

/* Takes the reason. */
static gboolean
fail_for_photo (const FsReplayJob *job, GError *reason, GError **error)
{
  if (!job->photo && g_error_matches (reason, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO))
    g_set_error (error, reason->domain, reason->code,
                 _ ("%s; name it, or its folder, with --photo"), reason->message);
  else
    g_set_error_literal (error, reason->domain, reason->code, reason->message);
  g_error_free (reason);
  return FALSE;
}

static gboolean
load_session (Work *work, const FsReplayJob *job, FsReplayResult *result, GError **error)
{
  work->session = fs_session_read (job->session, error);
  if (!work->session)
    return FALSE;
  g_auto (FsSessionPhoto) found = { 0 };
  GError *reason = NULL;
  if (!fs_session_photo_find (work->session, job->session, job->photo, FS_SESSION_FIT_SIZE, &found,
                              NULL, &reason))
    return fail_for_photo (job, reason, error);
  if (!job->photo || found.fit == FS_SESSION_FIT_CHANGED)
    result->note = fs_session_photo_note (&found);
  work->photo = g_steal_pointer (&found.photo);
  work->photo_path = g_steal_pointer (&found.path);
  const char *outputs[] = { job->mask,    job->alpha,  job->cutout,       job->labels,
                            job->outline, job->report, get_set_file (job) };
  if (!fs_same_file_spare (work->photo_path, outputs, G_N_ELEMENTS (outputs), error))
    return FALSE;
  if (job->background && !(work->background = fs_background_new (job->background, error)))
    return FALSE;
  if (!take_guess (work, job, error))
    return FALSE;
  result->warning = g_strdup (work->photo->warning);
  result->settings = work->session->settings;
  result->width = work->session->width;
  result->height = work->session->height;
  result->n_strokes = work->session->strokes->len;
  return TRUE;
}

static gboolean
play_in_time (Work *work, const FsReplayJob *job, FsReplayResult *result, GError **error)
{
  g_auto (FsPlayerTimes) times;
  fs_player_times_init (&times);
  if (!fs_player_play (work->document, work->session, job->watch, &times, error))
    return FALSE;
  result->masks = fs_latencies_sum_up (&times.masks);
  result->previews = fs_latencies_sum_up (&times.previews);
  result->exact = fs_latencies_sum_up (&times.exact);
  result->final = fs_latencies_sum_up (&times.final);
  return TRUE;
}

static gboolean
play (Work *work, const FsReplayJob *job, FsReplayResult *result, GError **error)
{
  work->document = fs_document_new (work->photo->image, &work->session->settings, error);
  if (!work->document)
    return fail_for_session (job, error);
  if (!(job->at_once ? fs_restore_run (work->document, work->session, error)
                     : play_in_time (work, job, result, error)))
    return fail_for_session (job, error);
  result->status = fs_document_get_status (work->document);
  if (fs_document_get_guess (work->document)) {
    const char *name = fs_document_get_guess_name (work->document);
    result->guess = g_strdup (name ? name : "");
  }
  if (result->status.exact && result->status.is_final)
    return TRUE;
  g_set_error_literal (error, FS_REPLAY_ERROR, FS_REPLAY_ERROR_NOT_EXACT,
                       "the cut could not be proven minimal; nothing was written");
  return fail_for_session (job, error);
}

/* TRUE if the cut-out has a layer for each object. */
static gboolean
has_layers (const FsReplayJob *job)
{
  return job->cutout && fs_export_format_has_layers (fs_export_format_of (job->cutout));
}

/* The objects that the mask is of, if they are wanted. */
static gboolean
map_objects (Work *work, const FsReplayJob *job, GError **error)
{
  if (!job->labels && !job->outline && !has_layers (job) && !job->set)
    return TRUE;
  FsImage *image = work->photo->image;
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (image->width, image->height);
  work->numbers = fs_memory_new ((size_t)image->width * (size_t)image->height, 1);
  if (!seeds || !work->numbers) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                         "not enough memory for labels");
    return fail_for_session (job, error);
  }
  fs_seed_map_set (seeds, fs_document_get_marks (work->document));
  FsSettings settings = fs_document_get_settings (work->document);
  return fs_mask_map_objects (image, &settings, seeds, fs_document_get_guess (work->document),
                              fs_document_get_mask (work->document), NULL, work->numbers, error)
         || fail_for_session (job, error);
}

static FsExport
describe_picture (const Work *work, const FsReplayJob *job, FsExportKind kind)
{
  const gboolean is_labels = kind == FS_EXPORT_LABELS;
  FsEdgeSettings edge = job->edge;
  const FsEdgeSettings saved = fs_document_get_edge_settings (work->document);
  fs_edge_settings_complete (&edge, &saved);
  return (FsExport){ .image = work->photo->image,
                     .mask = is_labels ? work->numbers : fs_document_get_mask (work->document),
                     .kind = kind,
                     .photo = work->photo_path,
                     .edge = edge,
                     .zones = fs_document_get_zones (work->document),
                     .refinement = is_labels ? NULL : work->refinement,
                     .refining = job->refining,
                     .keep_hidden = job->keep_hidden,
                     .keep_metadata = job->keep_metadata,
                     .has_mask_page = job->has_mask_page,
                     .background = work->background,
                     .quality = job->quality,
                     .outline_tolerance_px = job->outline_tolerance_px,
                     .notes = job->notes,
                     .marks = fs_document_get_marks (work->document) };
}

/* The alpha of zones is computed once for both files that show it. */
static void
refine_once (Work *work, const FsReplayJob *job)
{
  const FsExport cutout = describe_picture (work, job, FS_EXPORT_CUTOUT);
  if (job->alpha && job->cutout && !has_layers (job) && fs_export_has_edge (&cutout))
    work->refinement = fs_export_refine (&cutout);
}

static gboolean
write_picture (const Work *work, const FsReplayJob *job, const char *path, FsExportKind kind,
               GError **error)
{
  const char *names[FS_SEED_MAX + 1] = { NULL };
  for (guint i = FS_SEED_OBJECT; kind == FS_EXPORT_LABELS && i <= work->session->labels->len; i++)
    names[i] = g_array_index (work->session->labels, FsSessionLabel, i - 1).name;
  FsExport export = describe_picture (work, job, kind);
  export.object_names = names;
  return !path || fs_export_write (&export, path, NULL, NULL, NULL, error);
}

/* The photo's name in the set. g_free. */
static char *
name_in_set (const Work *work, const FsLabelWriter *set, GError **error)
{
  g_autofree char *photo = g_canonicalize_filename (work->photo_path, NULL);
  if (fs_label_writer_get_format (set)->names_paths)
    return fs_session_name_photo (fs_label_writer_get_place (set), photo, error);
  return g_path_get_basename (photo);
}

static gboolean
add_to_set (Work *work, const FsReplayJob *job, FsReplayResult *result, GError **error)
{
  if (!job->set)
    return TRUE;
  g_autofree char *name = name_in_set (work, job->set, error);
  if (!name)
    return FALSE;
  g_autoptr (FsLabelPhoto) photo = fs_label_photo_new (name, result->width, result->height);
  const char *names[FS_SEED_MAX + 1] = { NULL };
  for (guint i = FS_SEED_OBJECT; i <= work->session->labels->len; i++)
    names[i] = g_array_index (work->session->labels, FsSessionLabel, i - 1).name;
  if (!fs_label_photo_add_named (photo, work->numbers, FS_SEED_OBJECT, names,
                                 fs_label_writer_get_classes (job->set), error))
    return fail_for_session (job, error);
  if (!fs_label_writer_add (job->set, photo, work->photo_path, error))
    return FALSE;
  result->n_objects = photo->objects->len;
  return TRUE;
}

static gboolean
play_and_write (Work *work, const FsReplayJob *job, FsReplayResult *result, GError **error)
{
  const char *outputs[] = { job->mask,   job->alpha,   job->cutout,
                            job->labels, job->outline, job->report };
  if (!fs_export_can_write (outputs, G_N_ELEMENTS (outputs), error))
    return FALSE;
  gint64 start = g_get_monotonic_time (), mark = start;
  if (!load_session (work, job, result, error))
    return FALSE;
  result->decode_us = fs_report_lap (&mark);
  if (!play (work, job, result, error))
    return FALSE;
  result->play_us = fs_report_lap (&mark);
  result->object_pixels =
      fs_report_count_object (fs_document_get_mask (work->document), result->width, result->height);
  fs_report_lap (&mark);
  if (!map_objects (work, job, error))
    return FALSE;
  result->map_us = fs_report_lap (&mark);
  refine_once (work, job);
  if (!write_picture (work, job, job->mask, FS_EXPORT_MASK, error)
      || !write_picture (work, job, job->alpha, FS_EXPORT_ALPHA, error)
      || !write_picture (work, job, job->cutout,
                         has_layers (job) ? FS_EXPORT_LABELS : FS_EXPORT_CUTOUT, error)
      || !write_picture (work, job, job->labels, FS_EXPORT_LABELS, error)
      || !write_picture (work, job, job->outline, FS_EXPORT_LABELS, error)
      || !add_to_set (work, job, result, error))
    return FALSE;
  result->write_us = fs_report_lap (&mark);
  result->total_us = g_get_monotonic_time () - start;
  if (!job->report)
    return TRUE;
  g_autofree char *json = fs_replay_result_to_json (result);
  return fs_export_write_text (job->report, json, -1, error);
}

gboolean
fs_replay_run (const FsReplayJob *job, FsReplayResult *result, GError **error)
{
  g_return_val_if_fail (job && job->session && result, FALSE);

  *result = (FsReplayResult){ 0 };
  /* The first task makes a thread of GLib's, which ends the program where it cannot be made: now,
   * while there is memory. */
  g_type_ensure (G_TYPE_TASK);
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_main_context_push_thread_default (context);
  gboolean done;
  {
    g_auto (Work) work = { 0 };
    done = play_and_write (&work, job, result, error);
  }
  g_main_context_pop_thread_default (context);
  return done;
}
