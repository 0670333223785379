/* SPDX-License-Identifier: MIT */
/* Reading of a mask or of labels for a photo, by a worker.   Layer: ui.
 *
 * Labels are a file that label_reader.h knows: JSON, YOLO's text, an annotation of VOC, or an
 * indexed picture of several classes. Of a set of many photos those of this photo are read.
 * Everything else is a mask (guess_file.h).
 *
 * Threads: one at a time per job; fs_import_job_run blocks, and may be a worker's.
 */
#ifndef FS_UI_OPEN_IMPORT_JOB_H
#define FS_UI_OPEN_IMPORT_JOB_H

#include "app/labels/input/object_numbers.h"
#include "app/session/project.h"
#include "energy/guess/guess.h"

G_BEGIN_DECLS

typedef struct {
  char *path, *photo_path;
  int width, height;        /* of the photo                                       */
  FsObjectNumbers numbers;  /* of objects with strokes or names; in the end, of all */
  FsGuess *guess;           /* out                                                */
  gboolean is_stretched;    /* out: to the photo's proportions                    */
  gboolean is_labels;       /* out                                                */
  FsLabelCounts counts;     /* out: of labels                                     */
  gboolean has_usual_names; /* out: classes are taken to be those that the format usually has */
} FsImportJob;

/* Takes the path. */
FsImportJob *fs_import_job_new (FsProject *project, char *path);
void fs_import_job_free (FsImportJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsImportJob, fs_import_job_free)

/* Errors: FS_PHOTO_ERROR, FS_LABEL_ERROR, "NAME: reason". */
gboolean fs_import_job_run (FsImportJob *job, GCancellable *cancellable, GError **error);

G_END_DECLS

#endif
