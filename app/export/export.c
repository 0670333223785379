/* SPDX-License-Identifier: MIT */
#include "app/export/export.h"
#include "app/files/atomic_file.h"
#include "app/files/display_name.h"
#include "app/export/export_format.h"
#include "app/export/png_write.h"

#include <glib/gi18n.h>
#include <string.h>

/* Progress crosses to the main loop at most this often. */
#define REPORT_INTERVAL_US (G_USEC_PER_SEC / 30)

typedef void (*ProgressFunc) (double fraction, gpointer user_data);

typedef struct {
  FsAtomicFile *file; /* one of these two */
  GByteArray *bytes;
  const char *name;
  GCancellable *cancellable;
  ProgressFunc progress;
  gpointer user_data;
} Writing;

static gboolean
on_write (gpointer user_data, const void *bytes, gsize n_bytes, GError **error)
{
  Writing *writing = user_data;
  return fs_atomic_file_write (writing->file, bytes, n_bytes, error);
}

static gboolean
go_on_writing (const Writing *writing, GError **error)
{
  if (!g_cancellable_is_cancelled (writing->cancellable))
    return TRUE;
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_CANCELLED,
               _ ("%s: writing it was cancelled"), writing->name);
  return FALSE;
}

static gboolean
on_append (gpointer user_data, const void *bytes, gsize n_bytes, GError **error)
{
  Writing *writing = user_data;
  if (n_bytes > G_MAXUINT - writing->bytes->len) {
    g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, _ ("%s: is too large"),
                 writing->name);
    return FALSE;
  }
  g_byte_array_append (writing->bytes, bytes, (guint)n_bytes);
  return TRUE;
}

static gboolean
on_rows_done (gpointer user_data, int n_rows, int n_all, GError **error)
{
  Writing *writing = user_data;
  if (!go_on_writing (writing, error))
    return FALSE;
  if (writing->progress)
    writing->progress ((double)n_rows / n_all, writing->user_data);
  return TRUE;
}

static void
on_cancelled (GCancellable *cancellable, gpointer flag)
{
  atomic_store ((FsCancelFlag *)flag, TRUE);
}

/* Calls a writer. The alpha of zones, which comes before all rows, looks at a flag. What fails once
 * it is cancelled counts as cancelled. */
static gboolean
write_content (FsExportWriter write, const FsExport *what, const FsExportSink *sink, GError **error)
{
  const Writing *writing = sink->user_data;
  FsCancelFlag flag = FALSE;
  FsProgress refining = what->refining ? *what->refining : (FsProgress){ 0 };
  FsExport content = *what;
  gulong handler = 0;
  if (writing->cancellable) {
    refining.cancel = &flag;
    handler = g_cancellable_connect (writing->cancellable, G_CALLBACK (on_cancelled), &flag, NULL);
  }
  content.refining = &refining;
  g_autoptr (GError) failure = NULL;
  const gboolean done = write (&content, writing->name, sink, &failure);
  g_cancellable_disconnect (writing->cancellable, handler);
  if (!go_on_writing (writing, error))
    return FALSE;
  if (!done)
    g_propagate_error (error, g_steal_pointer (&failure));
  return done;
}

gboolean
fs_export_write (const FsExport *what, const char *path, GCancellable *cancellable,
                 ProgressFunc progress, gpointer user_data, GError **error)
{
  g_return_val_if_fail (what && what->image && what->mask, FALSE);
  g_return_val_if_fail (what->kind >= FS_EXPORT_MASK && what->kind <= FS_EXPORT_ALPHA, FALSE);
  g_return_val_if_fail (path, FALSE);

  g_autofree char *name = fs_display_name (path);
  Writing writing = {
    .name = name, .cancellable = cancellable, .progress = progress, .user_data = user_data
  };
  const FsExportSink sink = { .write = on_write, .rows_done = on_rows_done, .user_data = &writing };

  const FsExportFormat format = fs_export_format_of (path);
  const FsExportWriter write = fs_export_format_get_writer (format);

  if (!go_on_writing (&writing, error))
    return FALSE;
  if (!write) {
    g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("%s: this build of Fretsaw cannot write %s"), name,
                 fs_export_format_get_name (format));
    return FALSE;
  }
  if (!fs_export_format_holds (format, what->kind)) {
    g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, _ ("%s: cannot be written: %s"),
                 name, _ ("its format is of objects; masks need PNG, WebP or TIFF"));
    return FALSE;
  }
  g_autoptr (FsAtomicFile) file = fs_atomic_file_new (path, error);
  writing.file = file;
  return file && write_content (write, what, &sink, error) && fs_atomic_file_commit (file, error);
}

gboolean
fs_export_can_write (const char *const *paths, guint n, GError **error)
{
  for (guint i = 0; i < n; i++) {
    g_autoptr (FsAtomicFile) file = paths[i] ? fs_atomic_file_new (paths[i], error) : NULL;
    if (paths[i] && !file)
      return FALSE;
  }
  return TRUE;
}

gboolean
fs_export_write_text (const char *path, const char *text, gssize length, GError **error)
{
  g_return_val_if_fail (path && text, FALSE);

  g_autoptr (FsAtomicFile) file = fs_atomic_file_new (path, error);
  return file
         && fs_atomic_file_write (file, text, length < 0 ? strlen (text) : (gsize)length, error)
         && fs_atomic_file_commit (file, error);
}

/* Data owned by the worker. */
typedef struct {
  FsExport what;
  uint8_t *mask, *marks, *zones;
  char *names[FS_SEED_MAX + 1]; /* each may be NULL */
  char *photo;
  char *path;
  GString *notes;
  GTask *task; /* not owned: the task owns this */
  ProgressFunc progress;
  gpointer user_data;
  gint64 reported_at_us;
} Job;

typedef struct {
  GTask *task;
  double fraction;
} Report;

static void
export_job_free (gpointer data)
{
  Job *job = data;
  fs_image_unref (job->what.image);
  fs_background_unref (job->what.background);
  g_free (job->mask);
  g_free (job->marks);
  g_free (job->zones);
  for (gsize i = 0; i < G_N_ELEMENTS (job->names); i++)
    g_free (job->names[i]);
  g_free (job->photo);
  g_string_free (job->notes, TRUE);
  g_free (job->path);
  g_free (job);
}

static void
report_free (gpointer data)
{
  Report *report = data;
  g_object_unref (report->task);
  g_free (report);
}

static gboolean
deliver_report (gpointer data)
{
  Report *report = data;
  const Job *job = g_task_get_task_data (report->task);
  /* After the callback the caller's data may be gone. */
  if (!g_task_get_completed (report->task))
    job->progress (report->fraction, job->user_data);
  return G_SOURCE_REMOVE;
}

static void
on_worker_progress (double fraction, gpointer user_data)
{
  Job *job = user_data;
  const gint64 now_us = g_get_monotonic_time ();
  if (fraction < 1 && now_us - job->reported_at_us < REPORT_INTERVAL_US)
    return;
  job->reported_at_us = now_us;

  Report *report = g_new0 (Report, 1);
  report->task = g_object_ref (job->task);
  report->fraction = fraction;
  g_autoptr (GSource) source = g_idle_source_new ();
  g_source_set_priority (source, g_task_get_priority (job->task));
  g_source_set_callback (source, deliver_report, report, report_free);
  g_source_attach (source, g_task_get_context (job->task));
}

static void
run_job (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  if (fs_export_write (&job->what, job->path, cancellable,
                       job->progress ? on_worker_progress : NULL, job, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* NULL where memory is short, and of no plane. */
static uint8_t *
copy_plane (const uint8_t *plane, gsize n)
{
  uint8_t *copy = plane ? g_try_malloc (n) : NULL;
  return copy ? memcpy (copy, plane, n) : NULL;
}

/* NULL where memory is short. The task owns it. */
static Job *
add_job (GTask *task, const FsExport *what)
{
  const gsize n = (gsize)what->image->width * (gsize)what->image->height;
  const uint8_t *wanted = fs_export_has_edge (what) ? what->marks : NULL;
  g_autofree uint8_t *mask = copy_plane (what->mask, n), *marks = copy_plane (wanted, n);
  g_autofree uint8_t *zones = copy_plane (what->zones, n);
  if (!mask || !marks != !wanted || !zones != !what->zones)
    return NULL;
  Job *job = g_new0 (Job, 1);
  job->what = *what;
  job->what.image = fs_image_ref (what->image);
  job->what.background = fs_background_ref (what->background);
  job->what.mask = job->mask = g_steal_pointer (&mask);
  job->what.marks = job->marks = g_steal_pointer (&marks);
  job->what.zones = job->zones = g_steal_pointer (&zones);
  for (gsize i = 0; what->object_names && i < G_N_ELEMENTS (job->names); i++)
    job->names[i] = g_strdup (what->object_names[i]);
  job->what.object_names = (const char *const *)job->names;
  job->what.photo = job->photo = g_strdup (what->photo);
  job->what.notes = job->notes = g_string_new (NULL);
  job->task = task;
  g_task_set_task_data (task, job, export_job_free);
  return job;
}

static void
fail_task_for_memory (GTask *task, const char *name)
{
  GError *error = NULL;
  fs_export_fail_for_memory (name, &error);
  g_task_return_error (task, error);
}

void
fs_export_write_async (const FsExport *what, const char *path, GCancellable *cancellable,
                       ProgressFunc progress, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (what && what->image && what->mask && !what->words && !what->refinement);
  g_return_if_fail (path);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fs_export_write_async);
  /* The file may be in place when the cancellation comes; then the answer is that it is. */
  g_task_set_check_cancellable (task, FALSE);

  Job *job = add_job (task, what);
  if (!job) {
    g_autofree char *name = fs_display_name (path);
    fail_task_for_memory (task, name);
    return;
  }
  job->path = g_strdup (path);
  job->progress = progress;
  job->user_data = user_data;
  g_task_run_in_thread (task, run_job);
}

gboolean
fs_export_write_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

const char *
fs_export_write_get_notes (GAsyncResult *result)
{
  const Job *job = g_task_get_task_data (G_TASK (result));
  return job ? job->notes->str : "";
}

/* ---- Into memory ---- */

static void
run_encode (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  const Job *job = task_data;
  GError *error = NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  Writing writing = { .bytes = bytes, .name = "PNG", .cancellable = cancellable };
  const FsExportSink sink = { .write = on_append,
                              .rows_done = on_rows_done,
                              .user_data = &writing };
  if (write_content (fs_png_write, &job->what, &sink, &error))
    g_task_return_pointer (task, g_byte_array_free_to_bytes (g_steal_pointer (&bytes)),
                           (GDestroyNotify)g_bytes_unref);
  else
    g_task_return_error (task, error);
}

void
fs_export_encode_async (const FsExport *what, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (what && what->image && what->mask && !what->words && !what->refinement);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fs_export_encode_async);
  if (add_job (task, what))
    g_task_run_in_thread (task, run_encode);
  else
    fail_task_for_memory (task, "PNG");
}

GBytes *
fs_export_encode_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
