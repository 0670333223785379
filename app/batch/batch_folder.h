/* SPDX-License-Identifier: MIT */
/* Output folders of a batch, and the record of what their files were made of.   Layer: app.
 *
 *   .fretsaw-cut.json         { "format": "fretsaw-cut-1",
 *                               "photos": { STEM: { "turn", "photo", "place",
 *                                                   "mask": { "from", "sum" }, … }, … } }
 *   .fretsaw-cut.log          as app/manifest/manifest.h has it
 *   .fretsaw-cut-2-of-4.json  those of shard 2/4, and its log
 *
 * They are in the masks' folder. Several processes may write it, each its own manifest; all of them
 * are read when a run begins, and of a photo's records the one with the highest turn counts. A file
 * is recorded without "sum" before it is written. A file that is not as it was made is never
 * overwritten, but moved into a folder "old" beside it.
 *
 * Threads: one at a time; blocks on the disk.
 */
#ifndef FS_APP_BATCH_BATCH_FOLDER_H
#define FS_APP_BATCH_BATCH_FOLDER_H

#include "app/batch/batch_photos.h"

G_BEGIN_DECLS

typedef struct FsBatchFolder FsBatchFolder;

/* Makes the folders, and locks and reads the manifest of this shard. Refuses folders that are the
 * same, or those of photos or evidence. Errors: FS_BATCH_ERROR_FOLDER, FS_EXPORT_ERROR_WRITE. */
FsBatchFolder *fs_batch_folder_open (const FsBatchJob *job, const GPtrArray *photos,
                                     GError **error);
void fs_batch_folder_free (FsBatchFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsBatchFolder, fs_batch_folder_free)

/* In a copy of the process: gives up the lock, which stays the other one's. */
void fs_batch_folder_leave (FsBatchFolder *folder);

/* The path of an output; g_free. NULL where the job has none of that kind. */
char *fs_batch_folder_path (const FsBatchFolder *folder, const FsBatchPhoto *photo,
                            FsBatchKind kind);

/* TRUE if every output of the photo is there, made of the same, and whole. `from`: the sum of the
 * inputs of each kind. */
gboolean fs_batch_folder_has (const FsBatchFolder *folder, const FsBatchPhoto *photo,
                              char *const from[FS_BATCH_N_KINDS]);

/* Records that the photo's outputs are being written. A file in the place of one that is not as it
 * was made is moved away. Errors: FS_EXPORT_ERROR_WRITE; FS_BATCH_ERROR_FOLDER where there are
 * outputs of another photo of that name, in another folder, that is not the same. */
gboolean fs_batch_folder_begin (FsBatchFolder *folder, const FsBatchPhoto *photo,
                                const char *photo_sum, char *const from[FS_BATCH_N_KINDS],
                                GError **error);

/* Records the outputs' sums; kinds that the job does not have stay as they were recorded. Errors:
 * FS_EXPORT_ERROR_WRITE. */
gboolean fs_batch_folder_end (FsBatchFolder *folder, const FsBatchPhoto *photo,
                              const char *const sums[FS_BATCH_N_KINDS], GError **error);

/* Removes what an earlier run has made of a photo that has now failed: of something else. */
void fs_batch_folder_discard (FsBatchFolder *folder, const FsBatchPhoto *photo);

/* Writes the manifest, and removes the log. Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_batch_folder_close (FsBatchFolder *folder, GError **error);

G_END_DECLS

#endif
