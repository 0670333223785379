/* SPDX-License-Identifier: MIT */
#include "app/frames/frames_job.h"

#include "app/backend/backend_choice.h"
#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/files/report_numbers.h"
#include "app/frames/frames_run.h"
#include "app/session/session.h"
#include "energy/energy.h"

#include <string.h>

/* --- before the first frame ------------------------------------------------------------------- */

/* A frame that cannot be read has its turn later. */
static gboolean
check_strokes (const FsFramesRun *run, const FsFramesCorrection *correction, GError **error)
{
  g_autoptr (FsFrame) frame = fs_frame_source_peek (run->source, correction->number, NULL);
  g_autoptr (FsImage) image = frame ? fs_frame_load (frame, NULL, NULL) : NULL;
  if (!image)
    return TRUE;
  g_autoptr (FsFrameStrokes) strokes =
      fs_frames_run_load_strokes (correction->path, correction->is_session, frame, image,
                                  run->job->photo, error);
  return strokes != NULL;
}

/* Before anything is removed for them. */
static gboolean
check_corrections (const FsFramesRun *run, GError **error)
{
  for (guint i = 0; i < run->job->n_corrections; i++)
    if (!check_strokes (run, &run->job->corrections[i], error))
      return FALSE;
  return TRUE;
}

static void
report_folder (const char *message, gpointer run)
{
  fs_frames_run_report (run, ((FsFramesRun *)run)->warnings, message);
}

static gboolean
open_source (FsFramesRun *run, GError **error)
{
  const FsFramesJob *job = run->job;
  run->source = fs_frame_source_open (job->frames, job->first, job->last, error);
  if (!run->source)
    return FALSE;
  run->corrections = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint i = 0; i < job->n_corrections; i++) {
    const FsFramesCorrection *correction = &job->corrections[i];
    if (!fs_frame_source_may_have (run->source, correction->number))
      return fs_frames_fail (error, FS_FRAMES_ERROR_STROKES, correction->path,
                             "there is no later frame %" G_GUINT64_FORMAT " to be corrected",
                             correction->number);
    g_hash_table_insert (run->corrections, (gpointer)&correction->number, (gpointer)correction);
  }
  FsFramesResult *result = run->result;
  fs_frame_source_list_gaps (run->source, result->gaps);
  for (guint i = 0; i < result->gaps->len; i++) {
    FsFrameGap gap = g_array_index (result->gaps, FsFrameGap, i);
    result->n_missing += gap.last - gap.first + 1;
  }
  return TRUE;
}

static gboolean
open_guesses (FsFramesRun *run, GError **error)
{
  const FsFramesJob *job = run->job;
  if (job->guess)
    run->guesses = fs_frame_guesses_open (job->guess, job->first, job->last, error);
  else if (job->find_subject)
    run->guesses = fs_frame_guesses_find (job->find_subject, error);
  else
    return TRUE;
  if (!run->guesses || !fs_frame_guesses_spare (run->guesses, job->report, error))
    return FALSE;
  run->result->guess = g_strdup (fs_frame_guesses_get_name (run->guesses));
  return TRUE;
}

/* --- what it is made from --------------------------------------------------------------------- */

/* Returns whether a person has painted on it; until the next frame has its turn. */
static gboolean
is_marked (const FsFramesRun *run, const FsFrame *frame)
{
  return (!run->last && !run->job->skin)
         || g_hash_table_contains (run->corrections, &frame->number);
}

/* A frame and what is known of it before it is cut. */
typedef struct {
  FsFrame *frame;
  char *strokes;    /* the sum of those that a person has painted on it; NULL: none */
  char *from;       /* the sum of all that its mask is made from */
  const char *lost; /* how the mask is filled; NULL: it is cut */
} FrameTask;

static void
frame_task_clear (FrameTask *task)
{
  g_free (task->strokes);
  g_free (task->from);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FrameTask, frame_task_clear)

static void
append_known (const FsFramesRun *run, const FsFrame *frame, GString *all)
{
  g_string_append_printf (all, "%s %s\n", frame->sum,
                          fs_frames_folder_get_sum (&run->outputs.folder[0], frame));
}

/* Pictures and masks that it follows from. */
static void
append_previous (const FsFramesRun *run, GString *all)
{
  if (run->marked)
    append_known (run, run->marked, all);
  for (GList *at = run->recent.head; at; at = at->next)
    append_known (run, at->data, all);
}

/* Returns whether strokes stand for the whole mask. */
static gboolean
is_by_strokes_alone (const FsFramesRun *run, const FsFrame *frame)
{
  gboolean is_session;
  fs_frames_run_find_strokes (run, frame, &is_session);
  return !run->last || is_session || run->is_lost;
}

static gboolean
sum_task (FsFramesRun *run, FrameTask *task, GError **error)
{
  FsFrame *frame = task->frame;
  gboolean marked = is_marked (run, frame), is_session = FALSE;
  if (run->guesses)
    fs_frame_guesses_seek (run->guesses, frame->number);
  if (!fs_frame_sum (frame, error))
    return FALSE;
  const char *path = marked ? fs_frames_run_find_strokes (run, frame, &is_session) : NULL;
  if (path) {
    task->strokes = fs_session_sum_photo (path, NULL, error);
    run->is_fatal = task->strokes == NULL;
    if (!task->strokes)
      return FALSE;
  }
  if (run->edges)
    fs_recent_edges_begin (run->edges, frame, (FsRecentStrokes){ path, is_session, task->strokes });
  GString *all = g_string_new (NULL);
  g_string_append_printf (all, "%s\n%s\n", frame->sum, path ? task->strokes : "");
  if (run->guesses)
    g_string_append_printf (all, "%s\n", fs_frame_guesses_get_sum (run->guesses));
  if (run->job->skin ? run->job->span > 1 : !marked || !is_by_strokes_alone (run, frame))
    append_previous (run, all);
  task->from = g_compute_checksum_for_string (G_CHECKSUM_SHA256, all->str, -1);
  g_string_free (all, TRUE);
  return TRUE;
}

/* --- one frame -------------------------------------------------------------------------------- */

/* The strokes on a marked frame. */
static uint8_t *
load_marks (FsFramesRun *run, const FsFrame *frame, const FsImage *image, GError **error)
{
  g_autoptr (FsFrameStrokes) strokes = fs_frames_run_load_own_strokes (run, frame, image, error);
  uint8_t *marks = strokes ? fs_frame_strokes_paint (strokes, image) : NULL;
  if (strokes && !marks)
    fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, frame->path, "not enough memory");
  return marks;
}

static gboolean
has_edge (const FsFramesRun *run, const FsFramesFolder *folder)
{
  return folder->kind == FS_FRAMES_CUTOUTS
         && (!fs_edge_settings_are_hard (&folder->edge) || fs_recent_edges_has_zones (run->edges));
}

/* The sum of what else than the mask is made from. */
static char *
sum_others (const FsFramesRun *run, const FsFramesFolder *folder, const FrameTask *task)
{
  const char *mask_sum = fs_frames_folder_get_sum (&run->outputs.folder[0], task->frame);
  const char *own = task->strokes && has_edge (run, folder) ? task->strokes : "";
  GString *all = g_string_new (NULL);
  g_string_append_printf (all, "%s\n%s\n%s", task->frame->sum, mask_sum, own);
  if (has_edge (run, folder))
    fs_recent_edges_append_sums (run->edges, all);
  char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, all->str, -1);
  g_string_free (all, TRUE);
  return sum;
}

static gboolean
write_one (FsFramesRun *run, FsFramesFolder *folder, const FsFramesPicture *picture, GError **error)
{
  g_autofree char *moved = NULL;
  gboolean done = fs_frames_folder_write (folder, picture, &moved, error);
  if (moved) {
    g_autofree char *name = g_strconcat (picture->frame->stem, ".png", NULL);
    g_autofree char *path = g_build_filename (folder->path, name, NULL);
    g_autofree char *shown = fs_display_name (moved);
    fs_frames_run_report_file (
        run, path,
        "was changed after it was written: it is made again, and the changed file is now %s",
        shown);
  }
  return done;
}

static gboolean
is_there (const FsFramesRun *run, const FsFramesFolder *folder, const FrameTask *task)
{
  g_autofree char *from = sum_others (run, folder, task);
  return fs_frames_folder_look (folder, task->frame, from, task->lost) == FS_FRAMES_THERE;
}

/* Writes the other outputs of a frame with a mask, as far as they are not there. */
static gboolean
write_others (FsFramesRun *run, const FrameTask *task, FsImage *image, const uint8_t *mask,
              GError **error)
{
  for (int i = 1; i < run->outputs.n; i++) {
    FsFramesFolder *folder = &run->outputs.folder[i];
    if (is_there (run, folder, task))
      continue;
    g_autofree char *from = sum_others (run, folder, task);
    g_autofree uint8_t *marks = NULL;
    g_autofree uint32_t *words = NULL;
    FsFramesPicture picture = {
      .frame = task->frame, .image = image, .mask = mask, .from = from, .lost = task->lost
    };
    if (has_edge (run, folder)) {
      if (task->strokes && !(marks = load_marks (run, task->frame, image, error)))
        return FALSE;
      picture.marks = marks;
      if (!(words = fs_recent_edges_make (run->edges, &picture, error)))
        return FALSE;
      picture.words = words;
    }
    if (!write_one (run, folder, &picture, error))
      return FALSE;
  }
  return TRUE;
}

static void
remember_mask (FsFramesRun *run, FsFrame *frame)
{
  if (is_marked (run, frame)) {
    g_clear_pointer (&run->sequence, fs_sequence_free);
    g_clear_pointer (&run->marked, fs_frame_unref);
    run->marked = fs_frame_ref (frame);
    fs_frames_run_trim_recent (run, 0);
  } else {
    g_queue_push_tail (&run->recent, fs_frame_ref (frame));
    fs_frames_run_trim_recent (run, (guint)MAX (run->job->span, 1));
  }
  g_clear_pointer (&run->last, fs_frame_unref);
  run->last = fs_frame_ref (frame);
  run->is_lost = FALSE;
  if (run->edges)
    fs_recent_edges_end (run->edges);
}

static void
forget_edges (FsFramesRun *run)
{
  if (run->edges)
    fs_recent_edges_forget (run->edges);
}

/* The mask of a frame in which the object is lost, if the job wants one; `error` is the reason of
 * the loss. */
static uint8_t *
make_lost_mask (FsFramesRun *run, FrameTask *task, const FsImage *image, GError **error)
{
  size_t n = (size_t)image->width * (size_t)image->height;
  FsFramesLost way = run->job->lost;
  if (!error || !g_error_matches (*error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST) || !run->last
      || (way != FS_FRAMES_LOST_EMPTY && way != FS_FRAMES_LOST_LAST))
    return NULL;
  uint8_t *mask = g_try_malloc0 (n);
  if (!mask)
    return NULL;
  if (way == FS_FRAMES_LOST_LAST)
    memcpy (mask, run->previous_mask, n);
  task->lost = fs_frames_lost_name (way);
  forget_edges (run);
  fs_frames_run_report (run, run->warnings, (*error)->message);
  g_clear_error (error);
  return mask;
}

static void
remember_lost (FsFramesRun *run)
{
  run->is_lost = TRUE;
  run->result->n_lost++;
}

static gboolean
make_frame (FsFramesRun *run, FrameTask *task, GError **error)
{
  g_autofree char *warning = NULL;
  g_autoptr (FsImage) image = fs_frame_load (task->frame, &warning, error);
  if (warning)
    fs_frames_run_report (run, run->warnings, warning);
  g_autofree uint8_t *mask = image ? fs_frames_run_cut (run, task->frame, image, error) : NULL;
  if (image && !mask)
    mask = make_lost_mask (run, task, image, error);
  FsFramesPicture picture = {
    .frame = task->frame, .image = image, .mask = mask, .from = task->from, .lost = task->lost
  };
  if (!mask || !write_one (run, &run->outputs.folder[0], &picture, error)
      || !write_others (run, task, image, mask, error))
    return FALSE;
  if (task->lost) {
    remember_lost (run);
    return TRUE;
  }
  fs_frames_run_forget_previous (run);
  run->previous = g_steal_pointer (&image);
  run->previous_mask = g_steal_pointer (&mask);
  remember_mask (run, task->frame);
  run->result->n_cut++;
  return TRUE;
}

/* A frame whose mask is there: what else is wanted of it is made from that. */
static gboolean
reuse (FsFramesRun *run, FrameTask *task, GError **error)
{
  gboolean is_whole = TRUE;
  for (int i = 1; i < run->outputs.n; i++)
    is_whole = is_whole && is_there (run, &run->outputs.folder[i], task);
  if (!is_whole) {
    g_autoptr (FsImage) image = NULL;
    g_autofree uint8_t *mask = NULL;
    if (!fs_frames_run_load_known (run, task->frame, &image, &mask, error)
        || !write_others (run, task, image, mask, error))
      return FALSE;
  }
  if (task->lost) {
    remember_lost (run);
    return TRUE;
  }
  fs_frames_run_forget_previous (run);
  g_clear_pointer (&run->sequence, fs_sequence_free);
  g_clear_pointer (&run->skin, fs_skin_frames_free);
  remember_mask (run, task->frame);
  run->result->n_reused++;
  return TRUE;
}

/* Removes the outputs of a frame that has no mask. */
static gboolean
discard_frame (FsFramesRun *run, const FsFrame *frame, GError **error)
{
  for (int i = 0; i < run->outputs.n; i++) {
    g_autofree char *foreign = NULL;
    if (!fs_frames_folder_discard (&run->outputs.folder[i], frame, &foreign, error))
      return FALSE;
    if (foreign)
      fs_frames_run_report_file (
          run, foreign, "was changed after it was written: it is left as it is, and not used");
  }
  return TRUE;
}

/* Discards all that follows from a frame that has changed, or from others than before. */
static gboolean
discard_stale (FsFramesRun *run, const FrameTask *task, GError **error)
{
  const FsFrame *frame = task->frame;
  const char *before = fs_frames_folder_get_picture (&run->outputs.folder[0], frame);
  if (before && strcmp (before, frame->sum) != 0 && !run->is_changed) {
    run->is_changed = TRUE;
    fs_frames_run_report_file (run, frame->path, "has changed since its mask was made: %s",
                               run->job->skin && run->job->span <= 1
                                   ? "it is cut again, and so are others that have changed"
                                   : "it is cut again, and so is what follows from it");
  }
  return (run->job->skin && run->job->span <= 1)
         || fs_frames_outputs_discard_from (&run->outputs, run->source, frame->number, error);
}

static gboolean
reuse_or_make (FsFramesRun *run, FrameTask *task, GError **error)
{
  if (!sum_task (run, task, error))
    return FALSE;
  if (!fs_frames_outputs_check_place (&run->outputs, task->frame, error)) {
    run->is_fatal = TRUE;
    return FALSE;
  }
  const FsFramesFolder *masks = &run->outputs.folder[0];
  FsFramesState state =
      fs_frames_folder_look (masks, task->frame, task->from, fs_frames_lost_name (run->job->lost));
  if (state == FS_FRAMES_THERE) {
    task->lost = fs_frames_folder_get_lost (masks, task->frame);
    if (task->lost)
      forget_edges (run);
    return reuse (run, task, error);
  }
  return (state != FS_FRAMES_STALE || discard_stale (run, task, error))
         && make_frame (run, task, error);
}

/* FALSE where the run must stop: without the first frame no other can be cut, and after one failed
 * write others would fail, too. */
static gboolean
treat (FsFramesRun *run, FsFrame *frame, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_auto (FrameTask) task = { .frame = frame };
  gboolean is_first = !run->last && !run->job->skin;
  if (run->job->progress)
    run->job->progress (run->result->n_frames, fs_frame_source_count (run->source),
                        run->job->user_data);
  gboolean done = reuse_or_make (run, &task, &reason);
  g_hash_table_remove (run->corrections, &frame->number);
  if (done)
    return TRUE;
  if (is_first || run->is_fatal || reason->domain == FS_EXPORT_ERROR) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  if (g_error_matches (reason, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST)) {
    run->is_lost = TRUE;
    run->is_stopped = run->job->lost == FS_FRAMES_LOST_STOP;
  }
  run->result->n_failed++;
  fs_frames_run_report (run, run->failures, reason->message);
  return !task.from || discard_frame (run, frame, error);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void
report_damage (FsFramesRun *run)
{
  char *warning;
  while (run->guesses && (warning = fs_frame_guesses_take_warning (run->guesses))) {
    fs_frames_run_report (run, run->warnings, warning);
    g_free (warning);
  }
  while ((warning = fs_frame_source_take_warning (run->source))) {
    fs_frames_run_report (run, run->warnings, warning);
    g_free (warning);
  }
}

/* Treats all frames. A video that ends with an error has given some. */
static gboolean
treat_all (FsFramesRun *run, GError **error)
{
  g_autoptr (GError) reason = NULL;
  for (;;) {
    g_autoptr (FsFrame) frame = fs_frame_source_next (run->source, &reason);
    report_damage (run);
    if (!frame)
      break;
    run->result->n_frames++;
    if (!treat (run, frame, error))
      return FALSE;
    if (run->is_stopped)
      break;
  }
  if (reason && run->result->n_frames == 0) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  if (reason) {
    run->result->n_frames++;
    run->result->n_failed++;
    fs_frames_run_report (run, run->failures, reason->message);
  }
  return run->result->n_frames > 0
         || fs_frames_fail (error, FS_FRAMES_ERROR_VIDEO, run->job->frames,
                            "ends before frame %" G_GUINT64_FORMAT, run->job->first);
}

static void
report_unused (FsFramesRun *run)
{
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, run->corrections);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const FsFramesCorrection *correction = value;
    g_autoptr (GError) reason = NULL;
    fs_frames_fail (&reason, FS_FRAMES_ERROR_VIDEO, correction->path,
                    "there is no frame %" G_GUINT64_FORMAT " to be corrected", correction->number);
    run->result->n_unused++;
    fs_frames_run_report (run, run->failures, reason->message);
  }
}

/* A video's are only known at its end. */
static void
report_orphaned (FsFramesRun *run)
{
  for (int i = 0; i < run->outputs.n; i++) {
    g_autofree char *message =
        fs_frames_outputs_describe_left (&run->outputs, i, run->source, &run->result->n_left);
    if (message)
      fs_frames_run_report (run, run->warnings, message);
  }
}

static void
open_edges (FsFramesRun *run)
{
  for (int i = 1; i < run->outputs.n; i++)
    if (run->outputs.folder[i].kind == FS_FRAMES_CUTOUTS)
      run->edges =
          fs_recent_edges_new (&run->outputs.folder[0], &run->outputs.folder[i], run->job->photo);
}

/* Finished outputs stay recorded, however the run ends. */
static gboolean
treat_and_close (FsFramesRun *run, GError **error)
{
  open_edges (run);
  gboolean done = treat_all (run, error);
  if (done)
    report_orphaned (run);
  return fs_frames_outputs_close (&run->outputs, done, done ? error : NULL) && done;
}

gboolean
fs_frames_job_run (const FsFramesJob *job, FsFramesResult *result, GError **error)
{
  g_return_val_if_fail (job && job->frames && job->out && job->first <= job->last, FALSE);
  const gboolean has_guesses = job->guess || job->find_subject;
  g_return_val_if_fail (!job->guess || !job->find_subject, FALSE);
  g_return_val_if_fail (!job->seeds + !job->session + !job->skin == 2
                            || (has_guesses && !job->seeds && !job->session && !job->skin),
                        FALSE);
  g_return_val_if_fail (!has_guesses || (!job->skin && job->span <= 1), FALSE);
  g_return_val_if_fail (!job->skin || job->n_corrections == 0, FALSE);
  g_return_val_if_fail (job->span >= 0 && job->span <= FS_FRAME_SPAN_MAX, FALSE);
  g_return_val_if_fail (result, FALSE);
  if (!fs_backend_choice_want (job->backend))
    return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, job->frames, "there is no such backend");
  *result = (FsFramesResult){ .gaps = g_array_new (FALSE, FALSE, sizeof (FsFrameGap)) };
  g_auto (FsFramesRun) run = { .job = job, .result = result };
  gint64 start = g_get_monotonic_time ();
  run.failures = g_ptr_array_new_with_free_func (g_free);
  run.warnings = g_ptr_array_new_with_free_func (g_free);
  fs_solver_set_threads (job->n_threads);
  fs_energy_set_threads (job->n_threads);
  fs_frames_outputs_init (&run.outputs, job);
  if (!fs_frames_outputs_check_report (&run.outputs, job, error) || !open_source (&run, error)
      || !open_guesses (&run, error)
      || !fs_frames_outputs_check_names (&run.outputs, job, run.source, error)
      || !check_corrections (&run, error)
      || !fs_frames_outputs_prepare (&run.outputs, job, run.source, report_folder, &run, error)
      || !treat_and_close (&run, error))
    return FALSE;
  if (!run.is_stopped)
    report_unused (&run);
  result->total_us = g_get_monotonic_time () - start;
  if (job->report == NULL)
    return TRUE;
  g_autofree char *report = fs_frames_report_to_json (result, run.failures, run.warnings);
  return fs_export_write_text (job->report, report, -1, error);
}

gboolean
fs_frames_write_picture (const char *frames, guint64 first, const char *path,
                         void (*on_message) (const char *message, gpointer user_data),
                         gpointer user_data, GError **error)
{
  g_return_val_if_fail (frames && path && on_message, FALSE);
  g_autoptr (GError) reason = NULL;
  g_autoptr (FsFrameSource) source = fs_frame_source_open (frames, first, G_MAXUINT64, error);
  if (!source || !fs_frame_source_spare (source, path, error))
    return FALSE;
  g_autoptr (FsFrame) frame = fs_frame_source_next (source, &reason);
  if (reason) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  if (!frame)
    return fs_frames_fail (error, FS_FRAMES_ERROR_VIDEO, frames,
                           "ends before frame %" G_GUINT64_FORMAT, first);
  for (char *warning; (warning = fs_frame_source_take_warning (source)); g_free (warning))
    on_message (warning, user_data);
  g_autoptr (FsImage) image = fs_frame_load (frame, NULL, error);
  return image && fs_frame_write (image, path, error);
}
