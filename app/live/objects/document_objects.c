/* SPDX-License-Identifier: MIT */
#include "app/live/objects/document_objects.h"

#include "app/files/task_source.h"
#include "cut/mask_objects.h"
#include "solver/system/checked_memory.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
  FsImage *image;
  FsSettings settings;
  FsSeedMap *seeds;
  FsGuess *guess; /* or NULL */
  uint8_t *mask;
  uint8_t *numbers;
  FsCancelFlag cancel;
  gulong cancelled_id;
} Job;

static void
objects_job_free (gpointer data)
{
  Job *job = data;
  fs_image_unref (job->image);
  fs_seed_map_free (job->seeds);
  g_clear_pointer (&job->guess, fs_guess_unref);
  fs_memory_free (job->mask);
  fs_memory_free (job->numbers);
  g_free (job);
}

static Job *
job_new (FsDocument *document)
{
  Job *job = g_new0 (Job, 1);
  job->image = fs_image_ref (fs_document_get_image (document));
  job->settings = fs_document_get_settings (document);
  FsGuess *guess = fs_document_get_guess (document);
  job->guess = guess ? fs_guess_ref (guess) : NULL;
  size_t n_pixels = (size_t)job->image->width * (size_t)job->image->height;
  job->seeds = fs_seed_map_new (job->image->width, job->image->height);
  job->mask = fs_memory_new (n_pixels, 1);
  job->numbers = fs_memory_new (n_pixels, 1);
  if (job->seeds == NULL || job->mask == NULL || job->numbers == NULL) {
    objects_job_free (job);
    return NULL;
  }
  fs_seed_map_set (job->seeds, fs_document_get_marks (document));
  memcpy (job->mask, fs_document_get_mask (document), n_pixels);
  return job;
}

static void
map_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  const FsProgress progress = { .cancel = &job->cancel };
  gboolean done = fs_mask_map_objects (job->image, &job->settings, job->seeds, job->guess,
                                       job->mask, &progress, job->numbers, &error);
  g_cancellable_disconnect (cancellable, job->cancelled_id);
  if (done)
    g_task_return_pointer (task, g_steal_pointer (&job->numbers), fs_memory_free);
  else
    g_task_return_error (task, error);
}

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  atomic_store (&((Job *)data)->cancel, true);
}

void
fs_document_map_objects_async (FsDocument *document, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (FS_IS_DOCUMENT (document));

  g_autoptr (GTask) task = g_task_new (document, cancellable, callback, user_data);
  g_task_set_source_tag (task, fs_document_map_objects_async);
  Job *job = job_new (document);
  if (job == NULL) {
    g_task_return_new_error (task, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                             "not enough memory to separate the objects");
    return;
  }
  g_task_set_task_data (task, job, objects_job_free);
  if (cancellable != NULL)
    job->cancelled_id = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), job, NULL);
  fs_task_hold_source (task);
  g_task_run_in_thread (task, map_in_thread);
}

uint8_t *
fs_document_map_objects_finish (FsDocument *document, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, document), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
