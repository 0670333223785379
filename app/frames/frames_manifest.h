/* SPDX-License-Identifier: MIT */
/* Manifest of an output folder of `fretsaw frames`: inputs and checksums of its pictures.
 * Layer: app.
 *
 *   .fretsaw-frames.json   { "format": "fretsaw-frames-2", … inputs of the run …,
 *                            "frames": { STEM: { "number", "picture", "from", "sum" }, … } }
 *   .fretsaw-frames.log    the records of a running or interrupted run, a line each; the last line
 *                          may be torn
 *
 * Both names are hidden, so that a listing shows the pictures alone. Older versions wrote the
 * manifest without the dot; such a file is renamed.
 *
 * A record is put (app/manifest/manifest.h) without "sum" before its picture is written, and again
 * when the picture is in place. Sums are hexadecimal SHA-256.
 *
 * Threads: one at a time; blocks on the disk.
 */
#ifndef FS_APP_FRAMES_FRAMES_MANIFEST_H
#define FS_APP_FRAMES_FRAMES_MANIFEST_H

#include <glib.h>
#include <jansson.h>

G_BEGIN_DECLS

#define FS_FRAMES_MANIFEST_NAME ".fretsaw-frames.json"
#define FS_FRAMES_MANIFEST_LOG  ".fretsaw-frames.log"

typedef struct {
  guint64 number;
  char *picture; /* the frame's sum                                    */
  char *from;    /* the sum of all inputs of the file                  */
  char *sum;     /* the file's own; NULL: its writing did not end      */
  char *lost;    /* how the mask of an object that is lost was filled; or NULL */
} FsFramesRecord;

typedef struct _FsFramesManifest FsFramesManifest;

/* Reads the manifest. Never NULL: a missing or damaged file has no records. */
FsFramesManifest *fs_frames_manifest_read (const char *folder);
void fs_frames_manifest_free (FsFramesManifest *manifest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFramesManifest, fs_frames_manifest_free)

gboolean fs_frames_manifest_is_there (const FsFramesManifest *manifest);
gboolean fs_frames_manifest_is_damaged (const FsFramesManifest *manifest);

/* The inputs of the run, without frames; NULL where they are not known. */
const json_t *fs_frames_manifest_get_run (const FsFramesManifest *manifest);
void fs_frames_manifest_set_run (FsFramesManifest *manifest, json_t *run);

/* The record of a frame, owned by the manifest; NULL: none. */
const FsFramesRecord *fs_frames_manifest_find (const FsFramesManifest *manifest, const char *stem);

/* The stems in the order of their frames' numbers; strings are owned by the manifest.
 * g_ptr_array_unref. */
GPtrArray *fs_frames_manifest_list (const FsFramesManifest *manifest);

/* Appends a record to the log; the second call appends the removal of one. Strings are copied.
 * Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_frames_manifest_put (FsFramesManifest *manifest, const char *stem,
                                 const FsFramesRecord *record, GError **error);
gboolean fs_frames_manifest_drop (FsFramesManifest *manifest, const char *stem, GError **error);

/* Forgets all records. */
void fs_frames_manifest_clear (FsFramesManifest *manifest);

/* Writes the manifest if it has changed, and removes the log. Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_frames_manifest_save (FsFramesManifest *manifest, GError **error);

G_END_DECLS

#endif
