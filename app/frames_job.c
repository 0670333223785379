/* SPDX-License-Identifier: MIT */
#include "app/frames_job.h"

#include "app/backend_choice.h"
#include "app/display_name.h"
#include "app/export.h"
#include "app/follow.h"
#include "app/frame_strokes.h"
#include "app/frames_folder.h"
#include "app/frames_origin.h"
#include "app/frames_report.h"
#include "app/report.h"
#include "app/same_file.h"
#include "app/sequence.h"
#include "app/skin_frames.h"
#include "energy/energy.h"

#include <string.h>

enum { N_KINDS = 3 };

typedef struct {
  const FsFramesJob *job;
  FsFramesResult *result;
  FsFrameSource *source;
  FsFramesFolder folders[N_KINDS]; /* the masks' first */
  int n_folders;
  GHashTable *corrections; /* frame number → const FsFramesCorrection, those not used yet */
  GPtrArray *failures;     /* messages; nothing is made of a frame, or not all */
  GPtrArray *warnings;     /* messages; something of it is damaged */
  FsFrame *last;           /* that has a mask; NULL: none yet           */
  FsImage *former;         /* its picture, and its mask; NULL until needed */
  uint8_t *former_mask;
  FsFrame *marked;      /* the last one whose mask a person has said something of */
  GQueue recent;        /* of FsFrame: the last ones after it that have masks, as many as a span */
  FsSkinFrames *skin;   /* the same of skin in frames that are cut together */
  FsSequence *sequence; /* from there to the last one; NULL until needed */
  gboolean is_lost;     /* the object, since the last frame that has a mask */
  gboolean is_fatal;    /* the failure that was met: nobody can go on */
} Run;

static void
forget_former (Run *run)
{
  g_clear_pointer (&run->former, fs_image_unref);
  g_clear_pointer (&run->former_mask, g_free);
}

static void
forget_recent (Run *run, guint n_kept)
{
  while (run->recent.length > n_kept)
    fs_frame_unref (g_queue_pop_head (&run->recent));
}

static void
run_clear (Run *run)
{
  forget_former (run);
  forget_recent (run, 0);
  g_clear_pointer (&run->last, fs_frame_unref);
  g_clear_pointer (&run->marked, fs_frame_unref);
  g_clear_pointer (&run->sequence, fs_sequence_free);
  g_clear_pointer (&run->skin, fs_skin_frames_free);
  g_clear_pointer (&run->source, fs_frame_source_free);
  g_clear_pointer (&run->corrections, g_hash_table_unref);
  g_clear_pointer (&run->failures, g_ptr_array_unref);
  g_clear_pointer (&run->warnings, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

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

static void
tell (const Run *run, GPtrArray *messages, const char *message)
{
  g_ptr_array_add (messages, g_strdup (message));
  if (run->job->tell)
    run->job->tell (message, run->job->user_data);
}

/* --- before the first frame ------------------------------------------------------------------- */

/* Where the frames are; of a folder itself, of files the one around them. */
static gboolean
check_folders (const Run *run, GError **error)
{
  const char *frames = run->job->frames;
  g_autofree char *around = g_path_get_dirname (frames);
  gboolean is_folder = g_file_test (frames, G_FILE_TEST_IS_DIR);
  gboolean is_video = fs_frame_source_get_video (run->source) != NULL;
  for (int i = 0; i < run->n_folders; i++) {
    const char *path = run->folders[i].path;
    if (!is_video && fs_same_file (is_folder ? frames : around, path))
      return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, path,
                             "is the folder of the frames themselves");
    for (int k = 0; k < i; k++)
      if (fs_same_file (path, run->folders[k].path))
        return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, path,
                               "masks, cut-outs and overlays need a folder each");
  }
  return TRUE;
}

static FsFrameStrokes *
load_strokes (const char *path, gboolean is_session, const FsFrame *frame, const FsImage *image,
              GError **error)
{
  return is_session ? fs_frame_strokes_load_session (path, frame, image, error)
                    : fs_frame_strokes_load_seeds (path, image, error);
}

/* A frame that cannot be read has its turn later. */
static gboolean
check_strokes (const Run *run, const FsFramesCorrection *correction, GError **error)
{
  g_autoptr (FsFrame) frame = fs_frame_source_peek (run->source, correction->number, NULL);
  g_autoptr (FsImage) image = frame ? fs_frame_load (frame, NULL, NULL) : NULL;
  if (!image)
    return TRUE;
  g_autoptr (FsFrameStrokes) strokes =
      load_strokes (correction->path, correction->is_session, frame, image, error);
  return strokes != NULL;
}

static gboolean
lies_in_folders (const Run *run, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  for (int i = 0; i < run->n_folders; i++)
    if (fs_same_file (folder, run->folders[i].path))
      return TRUE;
  return FALSE;
}

/* Among what is removed and made anew. */
static gboolean
is_made (const Run *run, const char *path)
{
  g_autofree char *stem = g_path_get_basename (path);
  guint64 number;
  char *dot = strrchr (stem, '.');
  if (dot)
    *dot = '\0';
  return lies_in_folders (run, path) && fs_frame_source_find (run->source, stem, &number);
}

/* Before anything is removed for them. */
static gboolean
check_corrections (const Run *run, GError **error)
{
  for (guint i = 0; i < run->job->n_corrections; i++) {
    const FsFramesCorrection *correction = &run->job->corrections[i];
    if (is_made (run, correction->path))
      return fs_frames_fail (error, FS_FRAMES_ERROR_STROKES, correction->path,
                             "lies where masks are written: keep strokes in another folder");
    if (!check_strokes (run, correction, error))
      return FALSE;
  }
  return TRUE;
}

/* All of them are looked at before anything is removed in one. */
static gboolean
prepare_each (const Run *run, const json_t *origin, GError **error)
{
  for (int i = 0; i < run->n_folders; i++)
    if (!fs_frames_folder_check (&run->folders[i], run->source, origin, error))
      return FALSE;
  /* It may lie in a folder that is there only now. */
  if (!fs_export_can_write (&run->job->report, 1, error))
    return FALSE;
  for (int i = 0; i < run->n_folders; i++)
    if (!fs_frames_folder_prepare (&run->folders[i], run->source, origin, error))
      return FALSE;
  return TRUE;
}

static void
list_folders (Run *run)
{
  const FsFramesJob *job = run->job;
  const char *paths[N_KINDS] = { job->out, job->cutouts, job->overlays };
  for (int kind = 0; kind < N_KINDS; kind++)
    if (paths[kind])
      run->folders[run->n_folders++] =
          (FsFramesFolder){ .kind = (FsFramesKind)kind,
                            .path = paths[kind],
                            .soft_px = kind == FS_FRAMES_CUTOUTS ? job->soft_px : 0,
                            .keep_hidden = kind == FS_FRAMES_CUTOUTS && job->keep_hidden };
}

/* Before frames are read, where its folder does not depend on them. */
static gboolean
check_report (const Run *run, GError **error)
{
  const char *report = run->job->report;
  return !report || lies_in_folders (run, report) || fs_export_can_write (&report, 1, error);
}

static gboolean
prepare_folders (const Run *run, GError **error)
{
  if (!check_folders (run, error) || !check_corrections (run, error))
    return FALSE;
  json_t *origin = fs_frames_origin_new (run->job, run->source, error);
  gboolean done = origin && prepare_each (run, origin, error);
  json_decref (origin);
  return done;
}

static gboolean
open_source (Run *run, GError **error)
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

/* --- the mask of a frame ---------------------------------------------------------------------- */

/* Of the first frame, or of a correction. */
static FsFrameStrokes *
load_own_strokes (Run *run, const FsFrame *frame, const FsImage *image, GError **error)
{
  const FsFramesJob *job = run->job;
  const FsFramesCorrection *correction = g_hash_table_lookup (run->corrections, &frame->number);
  const char *path = correction ? correction->path : job->seeds ? job->seeds : job->session;
  gboolean is_session = correction ? correction->is_session : job->seeds == NULL;
  FsFrameStrokes *strokes = load_strokes (path, is_session, frame, image, error);
  run->is_fatal = strokes == NULL;
  return strokes;
}

/* A frame that has a mask. */
static gboolean
load_known (Run *run, const FsFrame *frame, FsImage **image, uint8_t **mask, GError **error)
{
  *image = fs_frame_load (frame, NULL, error);
  if (*image)
    *mask = fs_frames_folder_read (&run->folders[0], frame, *image, error);
  return *mask != NULL;
}

static gboolean
load_former (Run *run, GError **error)
{
  if (!run->former && !load_known (run, run->last, &run->former, &run->former_mask, error))
    forget_former (run);
  return run->former_mask != NULL;
}

/* Goes on from the frames that have been written since the one that was marked. */
static gboolean
go_on (Run *run, FsSequence *sequence, GError **error)
{
  for (GList *at = run->recent.head; at; at = at->next) {
    const FsFrame *frame = at->data;
    g_autoptr (FsImage) image = NULL;
    g_autofree uint8_t *mask = NULL;
    if (!load_known (run, frame, &image, &mask, error))
      return FALSE;
    if (image->width != run->former->width || image->height != run->former->height)
      return fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, frame->path,
                             "is not as large as the frames after it");
    if (!fs_sequence_go_on (sequence, image, mask, error))
      return FALSE;
  }
  return TRUE;
}

/* From what has been written, if it does not go on already. The former frame is loaded. */
static gboolean
load_sequence (Run *run, GError **error)
{
  if (run->sequence)
    return TRUE;
  g_autoptr (FsImage) image = NULL;
  g_autofree uint8_t *mask = NULL;
  size_t n_pixels = (size_t)run->former->width * (size_t)run->former->height;
  FsSequenceOptions options = { .span = run->job->span };
  /* Frames that are cut together are the processor's: no driver is opened for them. */
  if (options.span <= 1)
    options.backend = fs_backend_choice_pick (FS_WORK_FRAMES, n_pixels);
  if (!load_known (run, run->marked, &image, &mask, error))
    return FALSE;
  g_autoptr (FsSequence) sequence = fs_sequence_new (&options);
  if (!sequence)
    return fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, run->last->path, "not enough memory");
  if (image->width != run->former->width || image->height != run->former->height)
    return fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, run->marked->path,
                           "is not as large as the frames after it");
  if (!fs_sequence_begin (sequence, image, mask, error) || !go_on (run, sequence, error))
    return FALSE;
  run->sequence = g_steal_pointer (&sequence);
  return TRUE;
}

static gboolean
check_size (const Run *run, const FsFrame *frame, const FsImage *image, GError **error)
{
  const FsImage *former = run->former;
  if (image->width == former->width && image->height == former->height)
    return TRUE;
  return fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, frame->path,
                         "is %d × %d pixels, and the frames before %d × %d", image->width,
                         image->height, former->width, former->height);
}

static gboolean
check_found (const FsFrame *frame, const FsImage *image, const uint8_t *mask, GError **error)
{
  if (fs_report_count_object (mask, image->width, image->height) >= FS_FOLLOW_LEAST_PX)
    return TRUE;
  return fs_frames_fail (error, FS_FRAMES_ERROR_LOST, frame->path,
                         "the object is lost: nothing is left of it");
}

/* The next frame, with the strokes of a correction laid over it. */
static uint8_t *
mend (Run *run, const FsFrame *frame, FsImage *image, const FsSeedMap *strokes, GError **error)
{
  g_autofree uint8_t *mask = g_try_malloc ((gsize)image->width * (gsize)image->height);
  if (!mask) {
    fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, frame->path, "not enough memory");
    return NULL;
  }
  if (!load_sequence (run, error))
    return NULL;
  if (!fs_sequence_mend (run->sequence, image, strokes, mask, error))
    return name_failure (NULL, frame, error);
  return check_found (frame, image, mask, error) ? g_steal_pointer (&mask) : NULL;
}

static void
tell_event (const Run *run, const FsFrame *frame, const char *message)
{
  g_autofree char *name = fs_display_name (frame->path);
  g_autofree char *line = g_strdup_printf ("%s: %s", name, message);
  tell (run, run->warnings, line);
}

static uint8_t *
follow (Run *run, const FsFrame *frame, FsImage *image, GError **error)
{
  g_autofree uint8_t *mask = g_try_malloc ((gsize)image->width * (gsize)image->height);
  FsSequenceStep step;
  if (!mask) {
    fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, frame->path, "not enough memory");
    return NULL;
  }
  if (!load_sequence (run, error))
    return NULL;
  if (!fs_sequence_next (run->sequence, image, mask, &step, error))
    return name_failure (NULL, frame, error);
  run->result->backend = step.backend->name;
  run->result->device = step.backend->device ();
  if (step.events & FS_SEQUENCE_FOUND_AGAIN)
    tell_event (run, frame, "the object was lost and is found again: look at its mask");
  else if (step.events & FS_SEQUENCE_NEW_BACKGROUND)
    tell_event (run, frame, "the background has changed: look at the mask");
  return g_steal_pointer (&mask);
}

static uint8_t *
cut_by_strokes (const FsFrameStrokes *strokes, const FsFrame *frame, FsImage *image, GError **error)
{
  g_autofree uint8_t *mask =
      name_failure (fs_frame_strokes_cut (strokes, image, error), frame, error);
  return mask && check_found (frame, image, mask, error) ? g_steal_pointer (&mask) : NULL;
}

static uint8_t *
cut_first (Run *run, const FsFrame *frame, FsImage *image, GError **error)
{
  g_autoptr (FsFrameStrokes) strokes = load_own_strokes (run, frame, image, error);
  return strokes ? cut_by_strokes (strokes, frame, image, error) : NULL;
}

static uint8_t *
cut_next (Run *run, const FsFrame *frame, FsImage *image, GError **error)
{
  if (!load_former (run, error) || !check_size (run, frame, image, error))
    return NULL;
  if (!g_hash_table_contains (run->corrections, &frame->number))
    return follow (run, frame, image, error);
  g_autoptr (FsFrameStrokes) strokes = load_own_strokes (run, frame, image, error);
  if (!strokes)
    return NULL;
  return strokes->seeds && !run->is_lost ? mend (run, frame, image, strokes->seeds, error)
                                         : cut_by_strokes (strokes, frame, image, error);
}

/* From what has been written, if it does not go on already. */
static gboolean
load_skin (Run *run, GError **error)
{
  if (run->skin)
    return TRUE;
  g_autoptr (FsSkinFrames) skin = fs_skin_frames_new (run->job->span);
  for (GList *at = run->recent.head; at; at = at->next) {
    g_autoptr (FsImage) image = NULL;
    g_autofree uint8_t *mask = NULL;
    if (!load_known (run, at->data, &image, &mask, error)
        || !fs_skin_frames_go_on (skin, image, mask, error))
      return FALSE;
  }
  run->skin = g_steal_pointer (&skin);
  return TRUE;
}

static uint8_t *
cut_skin (Run *run, const FsFrame *frame, FsImage *image, GError **error)
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

static uint8_t *
cut (Run *run, const FsFrame *frame, FsImage *image, GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  uint8_t *mask = run->job->skin ? cut_skin (run, frame, image, error)
                  : run->last    ? cut_next (run, frame, image, error)
                                 : cut_first (run, frame, image, error);
  run->result->cut_us += fs_report_lap (&mark);
  return mask;
}

/* --- one frame -------------------------------------------------------------------------------- */

/* Whether a person has painted on it; until the next frame has its turn. */
static gboolean
is_marked (const Run *run, const FsFrame *frame)
{
  return (!run->last && !run->job->skin)
         || g_hash_table_contains (run->corrections, &frame->number);
}

/* What was painted on a frame that is marked. */
static uint8_t *
load_marks (Run *run, const FsFrame *frame, const FsImage *image, GError **error)
{
  g_autoptr (FsFrameStrokes) strokes = load_own_strokes (run, frame, image, error);
  uint8_t *marks = strokes ? fs_frame_strokes_paint (strokes, image) : NULL;
  if (strokes && !marks)
    fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, frame->path, "not enough memory");
  return marks;
}

static gboolean
write_all (Run *run, const FsFrame *frame, FsImage *image, const uint8_t *mask, gboolean marked,
           int from, GError **error)
{
  g_autofree uint8_t *marks = NULL;
  for (int i = from; i < run->n_folders; i++) {
    gboolean wants_marks = marked && run->folders[i].soft_px > 0;
    if (wants_marks && !marks && !(marks = load_marks (run, frame, image, error)))
      return FALSE;
    if (!fs_frames_folder_write (&run->folders[i], frame, image, mask, marks, error))
      return FALSE;
  }
  return TRUE;
}

static void
remember (Run *run, FsFrame *frame)
{
  if (is_marked (run, frame)) {
    g_clear_pointer (&run->sequence, fs_sequence_free);
    g_clear_pointer (&run->marked, fs_frame_unref);
    run->marked = fs_frame_ref (frame);
    forget_recent (run, 0);
  } else {
    g_queue_push_tail (&run->recent, fs_frame_ref (frame));
    forget_recent (run, (guint)MAX (run->job->span, 1));
  }
  g_clear_pointer (&run->last, fs_frame_unref);
  run->last = fs_frame_ref (frame);
  run->is_lost = FALSE;
}

static gboolean
make (Run *run, FsFrame *frame, GError **error)
{
  g_autofree char *warning = NULL;
  g_autoptr (FsImage) image = fs_frame_load (frame, &warning, error);
  if (warning)
    tell (run, run->warnings, warning);
  g_autofree uint8_t *mask = image ? cut (run, frame, image, error) : NULL;
  if (!mask || !write_all (run, frame, image, mask, is_marked (run, frame), 0, error))
    return FALSE;
  forget_former (run);
  run->former = g_steal_pointer (&image);
  run->former_mask = g_steal_pointer (&mask);
  remember (run, frame);
  run->result->n_cut++;
  return TRUE;
}

/* A frame whose mask is there: what else is wanted of it is made from that. */
static gboolean
keep (Run *run, FsFrame *frame, GError **error)
{
  gboolean is_whole = TRUE, marked = is_marked (run, frame);
  for (int i = 1; i < run->n_folders; i++)
    is_whole = is_whole && fs_frames_folder_has (&run->folders[i], frame);
  forget_former (run);
  g_clear_pointer (&run->sequence, fs_sequence_free);
  g_clear_pointer (&run->skin, fs_skin_frames_free);
  remember (run, frame);
  if (!is_whole
      && (!load_former (run, error)
          || !write_all (run, frame, run->former, run->former_mask, marked, 1, error)))
    return FALSE;
  run->result->n_kept++;
  return TRUE;
}

/* FALSE where the whole run can come to nothing: nobody else can do without the first frame, and a
 * file that cannot be written will not be the last one. */
static gboolean
treat (Run *run, FsFrame *frame, GError **error)
{
  g_autoptr (GError) reason = NULL;
  gboolean is_first = !run->last && !run->job->skin;
  gboolean is_kept = fs_frames_folder_has (&run->folders[0], frame);
  if (run->job->progress)
    run->job->progress (run->result->n_frames, fs_frame_source_count (run->source),
                        run->job->user_data);
  gboolean done = is_kept ? keep (run, frame, &reason) : make (run, frame, &reason);
  g_hash_table_remove (run->corrections, &frame->number);
  if (done)
    return TRUE;
  if (is_first || run->is_fatal || reason->domain == FS_EXPORT_ERROR) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  if (g_error_matches (reason, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST))
    run->is_lost = TRUE;
  run->result->n_failed++;
  tell (run, run->failures, reason->message);
  return TRUE;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void
tell_damage (Run *run)
{
  char *warning;
  while ((warning = fs_frame_source_take_warning (run->source))) {
    tell (run, run->warnings, warning);
    g_free (warning);
  }
}

/* A video that breaks off has given what it had. */
static gboolean
treat_all (Run *run, GError **error)
{
  g_autoptr (GError) reason = NULL;
  for (;;) {
    g_autoptr (FsFrame) frame = fs_frame_source_next (run->source, &reason);
    tell_damage (run);
    if (!frame)
      break;
    run->result->n_frames++;
    if (!treat (run, frame, error))
      return FALSE;
  }
  if (reason && run->result->n_frames == 0) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  if (reason) {
    run->result->n_frames++;
    run->result->n_failed++;
    tell (run, run->failures, reason->message);
  }
  return run->result->n_frames > 0
         || fs_frames_fail (error, FS_FRAMES_ERROR_VIDEO, run->job->frames,
                            "ends before frame %" G_GUINT64_FORMAT, run->job->first);
}

static void
tell_unused (Run *run)
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
    tell (run, run->failures, reason->message);
  }
}

gboolean
fs_frames_job_run (const FsFramesJob *job, FsFramesResult *result, GError **error)
{
  g_return_val_if_fail (job && job->frames && job->out && job->first <= job->last, FALSE);
  g_return_val_if_fail (!job->seeds + !job->session + !job->skin == 2, FALSE);
  g_return_val_if_fail (!job->skin || job->n_corrections == 0, FALSE);
  g_return_val_if_fail (job->span >= 0 && job->span <= FS_FRAME_SPAN_MOST, FALSE);
  g_return_val_if_fail (result, FALSE);
  if (!fs_backend_choice_want (job->backend))
    return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, job->frames, "there is no such backend");
  *result = (FsFramesResult){ .gaps = g_array_new (FALSE, FALSE, sizeof (FsFrameGap)) };
  g_auto (Run) run = { .job = job, .result = result };
  gint64 start = g_get_monotonic_time ();
  run.failures = g_ptr_array_new_with_free_func (g_free);
  run.warnings = g_ptr_array_new_with_free_func (g_free);
  fs_solver_set_threads (job->n_threads);
  fs_energy_set_threads (job->n_threads);
  list_folders (&run);
  if (!check_report (&run, error) || !open_source (&run, error)
      || !fs_frame_source_spare (run.source, job->report, error) || !prepare_folders (&run, error)
      || !treat_all (&run, error))
    return FALSE;
  tell_unused (&run);
  result->total_us = g_get_monotonic_time () - start;
  if (job->report == NULL)
    return TRUE;
  g_autofree char *report = fs_frames_report_to_json (result, run.failures, run.warnings);
  return fs_export_write_text (job->report, report, -1, error);
}

gboolean
fs_frames_write_picture (const char *frames, guint64 first, const char *path, GError **error)
{
  g_return_val_if_fail (frames && path, FALSE);
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
  g_autoptr (FsImage) image = fs_frame_load (frame, NULL, error);
  return image && fs_frame_write (image, path, error);
}

void
fs_frames_result_clear (FsFramesResult *result)
{
  g_clear_pointer (&result->gaps, g_array_unref);
}
