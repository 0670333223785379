/* SPDX-License-Identifier: MIT */
#include "ui/open/import_job.h"

#include "app/files/display_name.h"
#include "app/finder/guess_file.h"
#include "app/labels/parse/label_file.h"
#include <glib/gi18n.h>

#define PROPORTIONS 1.02

FsImportJob *
fs_import_job_new (FsProject *project, char *path)
{
  FsDocument *document = fs_project_get_document (project);
  const FsImage *image = fs_document_get_image (document);
  const uint8_t *marks = fs_document_get_marks (document);
  FsImportJob *job = g_new0 (FsImportJob, 1);
  job->path = path;
  job->photo_path = g_strdup (fs_project_get_photo_path (project));
  job->width = image->width;
  job->height = image->height;
  for (gsize p = 0; p < (gsize)image->width * (gsize)image->height; p++)
    job->numbers.is_painted[marks[p]] = TRUE;
  for (int number = FS_SEED_OBJECT; number <= FS_SEED_MAX; number++)
    job->numbers.names[number] = g_strdup (fs_project_get_name (project, (uint8_t)number));
  return job;
}

void
fs_import_job_free (FsImportJob *job)
{
  fs_object_numbers_clear (&job->numbers);
  g_clear_pointer (&job->guess, fs_guess_unref);
  g_free (job->path);
  g_free (job->photo_path);
  g_free (job);
}

/* --- masks --- */

/* TRUE for the same proportions, with a tolerance of a pixel and for rounding in a reduced size. */
static gboolean
have_proportions (int width, int height, int other_width, int other_height)
{
  double ratio = (double)width * other_height / ((double)height * other_width);
  return ratio > 1 / PROPORTIONS && ratio < PROPORTIONS;
}

/* Networks scale all photos to squares; other proportions belong to another picture. */
static gboolean
check_proportions (FsImportJob *job, int width, int height, GError **error)
{
  job->is_stretched = !have_proportions (width, height, job->width, job->height);
  if (!job->is_stretched || width == height)
    return TRUE;
  g_autofree char *name = fs_display_name (job->path);
  g_set_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT,
               _ ("%s: is %d × %d pixels, but the photo is %d × %d"), name, width, height,
               job->width, job->height);
  return FALSE;
}

static gboolean
read_mask (FsImportJob *job, GCancellable *cancellable, GError **error)
{
  int width, height;
  job->guess =
      fs_guess_load_mask (job->path, job->width, job->height, cancellable, &width, &height, error);
  return job->guess && check_proportions (job, width, height, error);
}

/* --- labels --- */

static gboolean
are_labels (const char *path)
{
  return fs_label_reader_has_name (path) || fs_label_reader_is_indexed (path);
}

static gboolean
read_labels (FsImportJob *job, GError **error)
{
  g_autoptr (FsLabelReader) reader = fs_label_reader_open (job->path, error);
  guint entry = 0;
  if (!reader)
    return FALSE;
  if (!fs_label_reader_find (reader, job->photo_path, &entry)
      && fs_label_reader_get_n (reader) != 1)
    return fs_label_file_refuse (job->path, FS_LABEL_ERROR_NAME, _ ("has no labels of this photo"),
                                 error);
  g_autoptr (FsLabelReading) reading =
      fs_label_reader_read (reader, entry, job->width, job->height, error);
  if (!reading)
    return FALSE;
  job->guess = fs_object_numbers_make_guess (&job->numbers, reading);
  job->counts = reading->counts;
  job->has_usual_names = fs_label_reader_has_usual_names (reader);
  return job->guess
         || fs_label_file_refuse (job->path, FS_LABEL_ERROR_LIMIT,
                                  _ ("there is not enough memory for its labels"), error);
}

gboolean
fs_import_job_run (FsImportJob *job, GCancellable *cancellable, GError **error)
{
  job->is_labels = are_labels (job->path);
  return job->is_labels ? read_labels (job, error) : read_mask (job, cancellable, error);
}
