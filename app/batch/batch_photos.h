/* SPDX-License-Identifier: MIT */
/* The photos of a batch, and the evidence of each by its name.   Layer: app.
 *
 * Evidence of NAME.jpg: a session NAME.fretsaw, or else seeds NAME-seeds.png, a guess
 * NAME-guess.png, or both. In a folder that is named for them seeds and guesses are NAME.png.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_BATCH_BATCH_PHOTOS_H
#define FS_APP_BATCH_BATCH_PHOTOS_H

#include "app/batch/batch.h"

G_BEGIN_DECLS

typedef struct {
  char *path;
  char *stem;                    /* the file's name without its ending */
  char *session, *seeds, *guess; /* or NULL; seeds and guess only without a session */
} FsBatchPhoto;

/* The job's photos in the order of their paths' bytes, of its shard only: those that are named,
 * those of folders (without evidence, and not of folders in them), and those of lists, text files
 * with a path a line, relative to the list. One that is named several times is one photo. What is
 * no file (a dangling link, a pipe, a folder) is in the list, so that its reading says so.
 * g_ptr_array_unref. Errors: FS_BATCH_ERROR_PHOTOS, also where two photos have one stem. */
GPtrArray *fs_batch_photos_list (const FsBatchJob *job, GError **error);

G_END_DECLS

#endif
