/* SPDX-License-Identifier: MIT */
#include "app/frames/frames_run.h"

#include "app/backend/backend_choice.h"
#include "app/files/display_name.h"
#include "app/files/report_numbers.h"
#include "app/finder/subject_finder.h"
#include "app/frames/follow/motion.h"
#include "energy/frames/frame_band.h"
#include "energy/image/distance.h"
#include "solver/cuda/cuda_backend.h"

#include <string.h>

/* Strokes that stand for a previous mask stay so many of a band's half widths from its border. */
enum { AWAY_HALF_WIDTHS = 2 };

void
fs_frames_run_forget_previous (FsFramesRun *run)
{
  g_clear_pointer (&run->previous, fs_image_unref);
  g_clear_pointer (&run->previous_mask, g_free);
}

void
fs_frames_run_trim_recent (FsFramesRun *run, guint n_left)
{
  while (run->recent.length > n_left)
    fs_frame_unref (g_queue_pop_head (&run->recent));
}

void
fs_frames_run_clear (FsFramesRun *run)
{
  fs_frames_run_forget_previous (run);
  fs_frames_run_trim_recent (run, 0);
  g_clear_pointer (&run->edges, fs_recent_edges_free);
  fs_frames_outputs_clear (&run->outputs);
  g_clear_pointer (&run->last, fs_frame_unref);
  g_clear_pointer (&run->marked, fs_frame_unref);
  g_clear_pointer (&run->sequence, fs_sequence_free);
  g_clear_pointer (&run->skin, fs_skin_frames_free);
  g_clear_pointer (&run->guesses, fs_frame_guesses_free);
  g_clear_pointer (&run->source, fs_frame_source_free);
  g_clear_pointer (&run->corrections, g_hash_table_unref);
  g_clear_pointer (&run->failures, g_ptr_array_unref);
  g_clear_pointer (&run->warnings, g_ptr_array_unref);
}

void
fs_frames_run_report (const FsFramesRun *run, GPtrArray *messages, const char *message)
{
  g_ptr_array_add (messages, g_strdup (message));
  if (run->job->on_message)
    run->job->on_message (message, run->job->user_data);
}

void
fs_frames_run_report_file (FsFramesRun *run, const char *path, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *words = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *name = fs_display_name (path);
  g_autofree char *line = g_strdup_printf ("%s: %s", name, words);
  fs_frames_run_report (run, run->warnings, line);
}

/* --- strokes ---------------------------------------------------------------------------------- */

FsFrameStrokes *
fs_frames_run_load_strokes (const char *path, gboolean is_session, const FsFrame *frame,
                            const FsImage *image, const char *photo, GError **error)
{
  return is_session ? fs_frame_strokes_load_session (path, frame, image, photo, error)
                    : fs_frame_strokes_load_seeds (path, image, error);
}

const char *
fs_frames_run_find_strokes (const FsFramesRun *run, const FsFrame *frame, gboolean *is_session)
{
  const FsFramesJob *job = run->job;
  const FsFramesCorrection *correction = g_hash_table_lookup (run->corrections, &frame->number);
  *is_session = correction ? correction->is_session : job->seeds == NULL;
  return correction ? correction->path : job->seeds ? job->seeds : job->session;
}

FsFrameStrokes *
fs_frames_run_load_own_strokes (FsFramesRun *run, const FsFrame *frame, const FsImage *image,
                                GError **error)
{
  gboolean is_session;
  const char *path = fs_frames_run_find_strokes (run, frame, &is_session);
  FsFrameStrokes *strokes =
      fs_frames_run_load_strokes (path, is_session, frame, image, run->job->photo, error);
  run->is_fatal = strokes == NULL;
  if (strokes && strokes->note)
    fs_frames_run_report (run, run->warnings, strokes->note);
  return strokes;
}

/* --- guesses ---------------------------------------------------------------------------------- */

/* A finder that is not there, or hangs, will do so with every frame. */
static gboolean
is_hopeless (const GError *reason)
{
  return reason->domain == FS_SUBJECT_FINDER_ERROR && reason->code != FS_SUBJECT_FINDER_ERROR_FAILED
         && reason->code != FS_SUBJECT_FINDER_ERROR_PICTURE;
}

/* The certain part of the previous mask for the next frame, as strokes; NULL where memory is
 * short.
 */
static uint8_t *
paint_previous (const FsFramesRun *run)
{
  const FsImage *previous = run->previous;
  const int w = previous->width, h = previous->height;
  const size_t n = (size_t)w * (size_t)h;
  const int64_t away = AWAY_HALF_WIDTHS * fs_frame_band_half_width_px (w, h);
  uint8_t *labels = g_try_malloc (n);
  if (!labels)
    return NULL;
  for (size_t p = 0; p < n; p++)
    labels[p] = !run->previous_mask[p];
  g_autofree int64_t *to_object = fs_distance2 (run->previous_mask, w, h);
  g_autofree int64_t *to_background = fs_distance2 (labels, w, h);
  for (size_t p = 0; p < n; p++)
    labels[p] = to_object[p] > away * away       ? FS_SEED_BACKGROUND
                : to_background[p] > away * away ? FS_SEED_OBJECT
                                                 : FS_SEED_NONE;
  return labels;
}

/* Loads the frame's guess into *guess, NULL where there is none. FALSE where the run must stop.
 * `strokes` are this frame's, or NULL. */
static gboolean
load_guess (FsFramesRun *run, const FsFrame *frame, const FsImage *image,
            const FsFrameStrokes *strokes, FsGuess **guess, GError **error)
{
  *guess = NULL;
  if (!run->guesses)
    return TRUE;
  g_autoptr (GError) reason = NULL;
  g_autofree uint8_t *marks = NULL;
  if (fs_frame_guesses_wants_strokes (run->guesses))
    marks = strokes              ? fs_frame_strokes_paint (strokes, image)
            : run->previous_mask ? paint_previous (run)
                                 : NULL;
  *guess = fs_frame_guesses_load (run->guesses, image, marks, &reason);
  if (reason && is_hopeless (reason)) {
    g_propagate_error (error, g_steal_pointer (&reason));
    run->is_fatal = TRUE;
    return FALSE;
  }
  if (reason && fs_frame_guesses_is_finder (run->guesses))
    fs_frames_run_report_file (run, frame->path, "has no guess: %s", reason->message);
  else if (reason)
    fs_frames_run_report (run, run->warnings, reason->message);
  if (*guess)
    run->result->n_guessed++;
  else
    run->result->n_unguessed++;
  return TRUE;
}

/* --- the mask of a frame ---------------------------------------------------------------------- */

/* The engine knows nothing of files: say which frame its failure is about. */
static uint8_t *
name_failure (uint8_t *mask, const FsFrame *frame, GError **error)
{
  if (mask)
    return mask;
  g_autofree char *name = fs_display_name (frame->path);
  g_prefix_error (error, "%s: ", name);
  return NULL;
}

gboolean
fs_frames_run_load_known (FsFramesRun *run, const FsFrame *frame, FsImage **image, uint8_t **mask,
                          GError **error)
{
  *image = fs_frame_load (frame, NULL, error);
  if (*image)
    *mask = fs_frames_folder_read (&run->outputs.folder[0], frame, *image, error);
  return *mask != NULL;
}

static gboolean
load_previous (FsFramesRun *run, GError **error)
{
  if (!run->previous
      && !fs_frames_run_load_known (run, run->last, &run->previous, &run->previous_mask, error))
    fs_frames_run_forget_previous (run);
  return run->previous_mask != NULL;
}

/* Goes on from the frames that have been written since the one that was marked. */
static gboolean
go_on (FsFramesRun *run, FsSequence *sequence, GError **error)
{
  for (GList *at = run->recent.head; at; at = at->next) {
    const FsFrame *frame = at->data;
    g_autoptr (FsImage) image = NULL;
    g_autofree uint8_t *mask = NULL;
    if (!fs_frames_run_load_known (run, frame, &image, &mask, error))
      return FALSE;
    if (image->width != run->previous->width || image->height != run->previous->height)
      return fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, frame->path,
                             "is not as large as the frames after it");
    if (!fs_sequence_go_on (sequence, image, mask, error))
      return FALSE;
  }
  return TRUE;
}

/* From what has been written, if it does not go on already. The previous frame is loaded. */
static gboolean
load_sequence (FsFramesRun *run, GError **error)
{
  if (run->sequence)
    return TRUE;
  g_autoptr (FsImage) image = NULL;
  g_autofree uint8_t *mask = NULL;
  size_t n_pixels = (size_t)run->previous->width * (size_t)run->previous->height;
  FsSequenceOptions options = { .span = run->job->span };
  /* Frames that are cut together, or with a guess, are cut on the CPU: no driver is opened for
   * them. */
  if (options.span <= 1 && !run->guesses)
    options.backend = run->picked = fs_backend_choice_pick (FS_WORK_FRAMES, n_pixels);
  if (!fs_frames_run_load_known (run, run->marked, &image, &mask, error))
    return FALSE;
  g_autoptr (FsSequence) sequence = fs_sequence_new (&options);
  if (!sequence)
    return fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, run->last->path, "not enough memory");
  if (image->width != run->previous->width || image->height != run->previous->height)
    return fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, run->marked->path,
                           "is not as large as the frames after it");
  if (!fs_sequence_begin (sequence, image, mask, error) || !go_on (run, sequence, error))
    return FALSE;
  run->sequence = g_steal_pointer (&sequence);
  return TRUE;
}

static gboolean
check_size (const FsFramesRun *run, const FsFrame *frame, const FsImage *image, GError **error)
{
  const FsImage *previous = run->previous;
  if (image->width == previous->width && image->height == previous->height)
    return TRUE;
  return fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, frame->path,
                         "is %d × %d pixels, and the frames before %d × %d", image->width,
                         image->height, previous->width, previous->height);
}

static gboolean
check_found (const FsFrame *frame, const FsImage *image, const uint8_t *mask, GError **error)
{
  if (fs_report_count_object (mask, image->width, image->height) >= FS_FOLLOW_MIN_PX)
    return TRUE;
  return fs_frames_fail (error, FS_FRAMES_ERROR_LOST, frame->path,
                         "the object is lost: nothing is left of it");
}

/* The next frame, with the strokes of a correction laid over it. */
static uint8_t *
mend_frame (FsFramesRun *run, const FsFrame *frame, FsImage *image, const FsSeedMap *strokes,
            FsGuess *guess, GError **error)
{
  g_autofree uint8_t *mask = g_try_malloc ((gsize)image->width * (gsize)image->height);
  if (!mask) {
    fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, frame->path, "not enough memory");
    return NULL;
  }
  if (!load_sequence (run, error))
    return NULL;
  fs_sequence_set_guess (run->sequence, guess);
  if (!fs_sequence_mend (run->sequence, image, strokes, mask, error))
    return name_failure (NULL, frame, error);
  return check_found (frame, image, mask, error) ? g_steal_pointer (&mask) : NULL;
}

/* Without any strokes a lost object may begin again where a guess has it, anywhere in the frame.
 * Fills `mask`. */
static gboolean
begin_again (FsFramesRun *run, const FsFrame *frame, FsImage *image, FsGuess *guess, uint8_t *mask,
             GError **error)
{
  const FsFramesJob *job = run->job;
  if (!guess || job->seeds || job->session || job->n_corrections > 0)
    return FALSE;
  g_autofree uint8_t *alone = fs_frame_strokes_cut (NULL, guess, image, error);
  if (!alone || !check_found (frame, image, alone, error)
      || !fs_sequence_go_on (run->sequence, image, alone, error))
    return FALSE;
  memcpy (mask, alone, (size_t)image->width * (size_t)image->height);
  fs_frames_run_report_file (
      run, frame->path, "the object was lost, and is cut by its guess alone: look at its mask");
  return TRUE;
}

static uint8_t *
follow_frame (FsFramesRun *run, const FsFrame *frame, FsImage *image, GError **error)
{
  g_autofree uint8_t *mask = g_try_malloc ((gsize)image->width * (gsize)image->height);
  g_autoptr (FsGuess) guess = NULL;
  g_autoptr (GError) reason = NULL;
  FsSequenceStep step;
  if (!mask) {
    fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, frame->path, "not enough memory");
    return NULL;
  }
  if (!load_sequence (run, error) || !load_guess (run, frame, image, NULL, &guess, error))
    return NULL;
  fs_sequence_set_guess (run->sequence, guess);
  if (!fs_sequence_next (run->sequence, image, mask, &step, &reason)) {
    if (g_error_matches (reason, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST)
        && begin_again (run, frame, image, guess, mask, NULL))
      return g_steal_pointer (&mask);
    g_propagate_error (error, g_steal_pointer (&reason));
    return name_failure (NULL, frame, error);
  }
  if (run->picked && (step.backend == run->picked || fs_cuda_notice ()))
    fs_backend_choice_note (FS_WORK_FRAMES, run->picked,
                            (size_t)image->width * (size_t)image->height, step.total_us);
  run->result->backend = fs_backend_get_name (step.backend);
  run->result->device = fs_backend_get_device (step.backend);
  if (step.events & FS_SEQUENCE_FOUND_AGAIN)
    fs_frames_run_report_file (run, frame->path,
                               "the object was lost and is found again: look at its mask");
  else if (step.events & FS_SEQUENCE_DOUBTFUL)
    fs_frames_run_report_file (run, frame->path,
                               "the object may be lost: much of the mask looks like the background "
                               "around it in the marked frame");
  else if (step.events & FS_SEQUENCE_SMALL)
    fs_frames_run_report_file (run, frame->path,
                               "the object may be lost: hardly any of its pixels are left");
  else if (step.events & FS_SEQUENCE_NEW_BACKGROUND)
    fs_frames_run_report_file (run, frame->path, "the background has changed: look at the mask");
  return g_steal_pointer (&mask);
}

static uint8_t *
cut_by_strokes (const FsFrameStrokes *strokes, FsGuess *guess, const FsFrame *frame, FsImage *image,
                GError **error)
{
  g_autofree uint8_t *mask =
      name_failure (fs_frame_strokes_cut (strokes, guess, image, error), frame, error);
  return mask && check_found (frame, image, mask, error) ? g_steal_pointer (&mask) : NULL;
}

static uint8_t *
cut_first (FsFramesRun *run, const FsFrame *frame, FsImage *image, GError **error)
{
  const FsFramesJob *job = run->job;
  g_autoptr (FsFrameStrokes) strokes = NULL;
  g_autoptr (FsGuess) guess = NULL;
  gboolean is_painted = job->seeds || job->session;
  if (is_painted)
    strokes = fs_frames_run_load_own_strokes (run, frame, image, error);
  if ((is_painted && !strokes) || !load_guess (run, frame, image, strokes, &guess, error))
    return NULL;
  if (strokes || guess)
    return cut_by_strokes (strokes, guess, frame, image, error);
  fs_frames_fail (error, FS_FRAMES_ERROR_STROKES, frame->path,
                  "is the first frame, and has neither strokes nor a guess");
  return NULL;
}

static uint8_t *
cut_next (FsFramesRun *run, const FsFrame *frame, FsImage *image, GError **error)
{
  if (!load_previous (run, error) || !check_size (run, frame, image, error))
    return NULL;
  if (!g_hash_table_contains (run->corrections, &frame->number))
    return follow_frame (run, frame, image, error);
  g_autoptr (FsFrameStrokes) strokes = fs_frames_run_load_own_strokes (run, frame, image, error);
  g_autoptr (FsGuess) guess = NULL;
  if (!strokes || !load_guess (run, frame, image, strokes, &guess, error))
    return NULL;
  return strokes->seeds && !run->is_lost
             ? mend_frame (run, frame, image, strokes->seeds, guess, error)
             : cut_by_strokes (strokes, guess, frame, image, error);
}

/* From what has been written, if it does not go on already. */
static gboolean
load_skin (FsFramesRun *run, GError **error)
{
  if (run->skin)
    return TRUE;
  g_autoptr (FsSkinFrames) skin = fs_skin_frames_new (run->job->span);
  for (GList *at = run->recent.head; at; at = at->next) {
    g_autoptr (FsImage) image = NULL;
    g_autofree uint8_t *mask = NULL;
    if (!fs_frames_run_load_known (run, at->data, &image, &mask, error)
        || !fs_skin_frames_go_on (skin, image, mask, error))
      return FALSE;
  }
  run->skin = g_steal_pointer (&skin);
  return TRUE;
}

static uint8_t *
cut_skin (FsFramesRun *run, const FsFrame *frame, FsImage *image, GError **error)
{
  if (run->job->span <= 1)
    return name_failure (fs_frame_cut_skin (image, error), frame, error);
  g_autofree uint8_t *mask = g_try_malloc ((gsize)image->width * (gsize)image->height);
  if (!mask) {
    fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, frame->path, "not enough memory");
    return NULL;
  }
  if (!load_skin (run, error))
    return NULL;
  if (!fs_skin_frames_next (run->skin, image, mask, error))
    return name_failure (NULL, frame, error);
  return g_steal_pointer (&mask);
}

uint8_t *
fs_frames_run_cut (FsFramesRun *run, const FsFrame *frame, FsImage *image, GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  uint8_t *mask = run->job->skin ? cut_skin (run, frame, image, error)
                  : run->last    ? cut_next (run, frame, image, error)
                                 : cut_first (run, frame, image, error);
  run->result->cut_us += fs_report_lap (&mark);
  return mask;
}
