/* SPDX-License-Identifier: MIT */
#include "app/frames_job.h"

#include "app/cut_job.h"
#include "app/display_name.h"
#include "app/export.h"
#include "app/follow.h"
#include "app/photo.h"
#include "app/report.h"
#include "energy/energy.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define IDENTITY "fretsaw-frames.json"

/* Of the object's pixels from one frame to the next, more or less, is no longer the same object. */
enum { MOST_CHANGE = 4 };

typedef struct {
  const FsFramesJob *job;
  FsFramesResult *result;
  GPtrArray *frames;
  GPtrArray *failures; /* messages */
  const FsFrame *last; /* that has a mask; NULL: none yet           */
  FsPhoto *former;     /* its photo, and its mask; NULL until needed */
  uint8_t *former_mask;
} Run;

static void
forget_former (Run *run)
{
  g_clear_pointer (&run->former, fs_photo_free);
  g_clear_pointer (&run->former_mask, g_free);
}

static void
run_clear (Run *run)
{
  forget_former (run);
  g_clear_pointer (&run->frames, g_ptr_array_unref);
  g_clear_pointer (&run->failures, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static gboolean G_GNUC_PRINTF (4, 5)
    fail (GError **error, FsFramesError code, const char *path, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_FRAMES_ERROR, code, "%s: %s", name, reason);
  return FALSE;
}

static char *
mask_path (const Run *run, const FsFrame *frame)
{
  g_autofree char *name = g_strconcat (frame->stem, ".png", NULL);
  return g_build_filename (run->job->out, name, NULL);
}

/* --- the output folder ------------------------------------------------------------------------ */

/* What the masks are made from, as JSON. NULL where the seeds cannot be read. */
static char *
describe (const Run *run, GError **error)
{
  g_autofree char *sum = NULL;
  if (run->job->seeds) {
    g_autofree char *bytes = NULL;
    gsize n_bytes;
    g_autoptr (GError) reason = NULL;
    if (!g_file_get_contents (run->job->seeds, &bytes, &n_bytes, &reason)) {
      fail (error, FS_FRAMES_ERROR_FOLDER, run->job->seeds, "cannot be read");
      return NULL;
    }
    sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)bytes, n_bytes);
  }
  const FsFrame *first = run->frames->pdata[0];
  g_autofree char *name = g_utf8_make_valid (first->stem, -1);
  json_t *json = json_pack ("{s:s, s:s, s:s?, s:b}", "format", "fretsaw-frames-1", "first", name,
                            "seeds", sum, "skin", run->job->skin);
  char *text = json_dumps (json, JSON_INDENT (2));
  json_decref (json);
  char *line = g_strconcat (text, "\n", NULL);
  free (text);
  return line;
}

static gboolean
check_empty (const Run *run, GError **error)
{
  for (guint i = 0; i < run->frames->len; i++) {
    g_autofree char *path = mask_path (run, run->frames->pdata[i]);
    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return fail (error, FS_FRAMES_ERROR_OTHER, path,
                   "is there, but no " IDENTITY " beside it: choose another folder");
  }
  return TRUE;
}

/* Makes the folder, or finds it as this very job has left it. */
static gboolean
prepare_folder (const Run *run, GError **error)
{
  const char *out = run->job->out;
  struct stat from, to;
  if (g_mkdir_with_parents (out, 0777) != 0)
    return fail (error, FS_FRAMES_ERROR_OTHER, out, "cannot be made: %s", g_strerror (errno));
  if (stat (run->job->folder, &from) == 0 && stat (out, &to) == 0 && from.st_dev == to.st_dev
      && from.st_ino == to.st_ino)
    return fail (error, FS_FRAMES_ERROR_OTHER, out, "is the folder of the frames themselves");
  g_autofree char *identity = describe (run, error);
  if (!identity)
    return FALSE;
  g_autofree char *path = g_build_filename (out, IDENTITY, NULL);
  g_autofree char *there = NULL;
  if (!g_file_get_contents (path, &there, NULL, NULL))
    return check_empty (run, error) && fs_export_write_text (path, identity, -1, error);
  return strcmp (there, identity) == 0
         || fail (error, FS_FRAMES_ERROR_OTHER, out,
                  "holds the masks of another run: other seeds or other frames");
}

/* --- one frame -------------------------------------------------------------------------------- */

/* By seeds or by skin, as one photo. */
static gboolean
cut_alone (Run *run, const FsFrame *frame, const char *out, GError **error)
{
  FsCutJob job = { .photo = frame->path,
                   .seeds = run->job->seeds,
                   .mask = out,
                   .skin = run->job->skin,
                   .settings = FS_SETTINGS_DEFAULT,
                   .n_threads = run->job->n_threads };
  if (job.skin)
    job.settings.model = FS_MODEL_GMM;
  FsCutResult cut;
  gboolean done = fs_cut_job_run (&job, &cut, error);
  if (done)
    run->result->cut_us += cut.model_us + cut.energy_us + cut.cut_us;
  fs_cut_result_clear (&cut);
  return done;
}

static uint8_t *
load_mask (const char *path, const FsImage *frame, GError **error)
{
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, error);
  if (!photo)
    return NULL;
  if (photo->image->width != frame->width || photo->image->height != frame->height) {
    fail (error, FS_FRAMES_ERROR_OTHER, path, "is not as large as its frame");
    return NULL;
  }
  size_t n = (size_t)frame->width * (size_t)frame->height;
  uint8_t *mask = g_malloc (n);
  for (size_t p = 0; p < n; p++)
    mask[p] = FS_PIXEL_G (photo->image->pixels[p]) > 127;
  return mask;
}

static gboolean
load_former (Run *run, GError **error)
{
  if (run->former)
    return TRUE;
  g_autofree char *path = mask_path (run, run->last);
  run->former = fs_photo_load (run->last->path, NULL, NULL, error);
  if (run->former)
    run->former_mask = load_mask (path, run->former->image, error);
  if (!run->former_mask)
    forget_former (run);
  return run->former_mask != NULL;
}

static gboolean
check_same_object (const Run *run, const FsFrame *frame, const uint8_t *mask, GError **error)
{
  const FsImage *image = run->former->image;
  int64_t before = fs_report_count_object (run->former_mask, image->width, image->height);
  int64_t now = fs_report_count_object (mask, image->width, image->height);
  if (now >= FS_FOLLOW_LEAST_PX && now <= MOST_CHANGE * before && before <= MOST_CHANGE * now)
    return TRUE;
  return fail (error, FS_FRAMES_ERROR_LOST, frame->path,
               "the object is lost: it had %" G_GINT64_FORMAT
               " pixels and would have %" G_GINT64_FORMAT,
               before, now);
}

/* The mask of the next frame; g_free. */
static uint8_t *
follow (Run *run, const FsFrame *frame, FsImage *image, GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (image->width, image->height);
  g_autofree uint8_t *mask = g_try_malloc ((gsize)image->width * (gsize)image->height);
  if (!seeds || !mask) {
    fail (error, FS_FRAMES_ERROR_LOST, frame->path, "not enough memory");
    return NULL;
  }
  FsShift shift = fs_follow_measure (run->former->image, run->former_mask, image);
  fs_follow_make_seeds (run->former_mask, shift, seeds);
  if (!fs_follow_cut (image, seeds, mask, error)) {
    g_autofree char *name = fs_display_name (frame->path);
    g_prefix_error (error, "%s: ", name);
    return NULL;
  }
  run->result->cut_us += fs_report_lap (&mark);
  return check_same_object (run, frame, mask, error) ? g_steal_pointer (&mask) : NULL;
}

static gboolean
cut_next (Run *run, const FsFrame *frame, const char *out, GError **error)
{
  g_autoptr (FsPhoto) photo = fs_photo_load (frame->path, NULL, NULL, error);
  if (!photo || !load_former (run, error))
    return FALSE;
  FsImage *image = photo->image;
  if (image->width != run->former->image->width || image->height != run->former->image->height)
    return fail (error, FS_FRAMES_ERROR_LOST, frame->path,
                 "is %d × %d pixels, and the frames before %d × %d", image->width, image->height,
                 run->former->image->width, run->former->image->height);
  g_autofree uint8_t *mask = follow (run, frame, image, error);
  FsExport export = { .image = image, .mask = mask, .kind = FS_EXPORT_MASK };
  if (!mask || !fs_export_write (&export, out, NULL, NULL, NULL, error))
    return FALSE;
  forget_former (run);
  run->former = g_steal_pointer (&photo);
  run->former_mask = g_steal_pointer (&mask);
  return TRUE;
}

static void
note_failure (Run *run, const char *message)
{
  run->result->n_failed++;
  g_ptr_array_add (run->failures, g_strdup (message));
  if (run->job->tell)
    run->job->tell (message, run->job->user_data);
}

/* FALSE where the whole run can come to nothing: nobody else can do without the first frame, and a
 * mask that cannot be written will not be the last one. */
static gboolean
cut_frame (Run *run, const FsFrame *frame, GError **error)
{
  g_autofree char *out = mask_path (run, frame);
  gboolean is_first = !run->last && !run->job->skin;
  if (g_file_test (out, G_FILE_TEST_EXISTS)) {
    run->result->n_kept++;
    forget_former (run);
    run->last = frame;
    return TRUE;
  }
  g_autoptr (GError) reason = NULL;
  gboolean alone = is_first || run->job->skin;
  if (alone ? cut_alone (run, frame, out, &reason) : cut_next (run, frame, out, &reason)) {
    run->result->n_cut++;
    run->last = frame;
    return TRUE;
  }
  if (is_first || reason->domain == FS_EXPORT_ERROR) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  note_failure (run, reason->message);
  return TRUE;
}

/* --- the whole -------------------------------------------------------------------------------- */

static gboolean
write_report (const Run *run, GError **error)
{
  const FsFramesResult *r = run->result;
  json_t *failures = json_array ();
  for (guint i = 0; i < run->failures->len; i++) {
    g_autofree char *message = g_utf8_make_valid (run->failures->pdata[i], -1);
    json_array_append_new (failures, json_string (message));
  }
  json_t *report =
      json_pack ("{s:I, s:I, s:I, s:I, s:I, s:o, s:{s:I, s:I}}", "frames", (json_int_t)r->n_frames,
                 "cut", (json_int_t)r->n_cut, "kept", (json_int_t)r->n_kept, "failed",
                 (json_int_t)r->n_failed, "missing", (json_int_t)r->n_missing, "failures", failures,
                 "time_us", "cut", (json_int_t)r->cut_us, "total", (json_int_t)r->total_us);
  char *text = json_dumps (report, JSON_INDENT (2));
  json_decref (report);
  g_autofree char *line = g_strconcat (text, "\n", NULL);
  free (text);
  return fs_export_write_text (run->job->report, line, -1, error);
}

gboolean
fs_frames_job_run (const FsFramesJob *job, FsFramesResult *result, GError **error)
{
  g_return_val_if_fail (job && job->folder && job->out && result, FALSE);
  g_return_val_if_fail (job->seeds || job->skin, FALSE);
  *result = (FsFramesResult){ 0 };
  g_auto (Run) run = { .job = job, .result = result };
  gint64 start = g_get_monotonic_time ();
  run.failures = g_ptr_array_new_with_free_func (g_free);
  run.frames = fs_frames_list (job->folder, error);
  if (!run.frames || !prepare_folder (&run, error))
    return FALSE;
  fs_solver_set_threads (job->n_threads);
  fs_energy_set_threads (job->n_threads);
  result->n_frames = run.frames->len;
  result->n_missing = fs_frames_count_missing (run.frames);
  for (guint i = 0; i < run.frames->len; i++)
    if (!cut_frame (&run, run.frames->pdata[i], error))
      return FALSE;
  result->total_us = g_get_monotonic_time () - start;
  return job->report == NULL || write_report (&run, error);
}
