/* SPDX-License-Identifier: MIT */
/* Manifest of an output folder: the inputs of a run, and a record for each of its items.
 * Layer: app.
 *
 *   NAME.json   { … inputs of the run …, LIST: { KEY: { … }, … } }
 *   NAME.log    the records of a running or interrupted run, a line each with the key as ITEM; the
 *               last line may be torn
 *
 * A record is appended to the log by one write. At its end a run writes all records into the
 * manifest, atomically, and removes the log. Keys that are not UTF-8 or have a percent sign are
 * escaped as in URIs.
 *
 * Threads: one at a time; blocks on the disk.
 */
#ifndef FS_APP_MANIFEST_MANIFEST_H
#define FS_APP_MANIFEST_MANIFEST_H

#include <glib.h>
#include <jansson.h>

G_BEGIN_DECLS

typedef struct _FsManifest FsManifest;

typedef struct {
  const char *folder;
  const char *name, *log; /* of the files in it */
  const char *list, *item;
} FsManifestNames;

/* Reads the manifest. Never NULL: a missing or damaged file has no records. */
FsManifest *fs_manifest_read (const FsManifestNames *names);

/* The same, and keeps its log open with a lock, so that it has one writer; the lock ends with the
 * manifest. NULL where another process has it. Errors: FS_EXPORT_ERROR_WRITE. On file systems
 * without locks there is none. */
FsManifest *fs_manifest_read_locked (const FsManifestNames *names, GError **error);

void fs_manifest_free (FsManifest *manifest);
/* In a copy of the process (fork), before it is freed there: gives up the log and its lock, which
 * stay the other one's. */
void fs_manifest_leave (FsManifest *manifest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsManifest, fs_manifest_free)

gboolean fs_manifest_is_there (const FsManifest *manifest);
gboolean fs_manifest_is_damaged (const FsManifest *manifest);

/* The inputs of the run, without the list; NULL where they are not known. */
const json_t *fs_manifest_get_run (const FsManifest *manifest);
void fs_manifest_set_run (FsManifest *manifest, json_t *run);

/* Calls `each` for all records, in no order. */
void fs_manifest_foreach (const FsManifest *manifest,
                          void (*each) (const char *key, const json_t *record, gpointer data),
                          gpointer data);

/* Appends a record to the log; the second call appends the removal of one. `record` is copied.
 * Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_manifest_put (FsManifest *manifest, const char *key, const json_t *record,
                          GError **error);
gboolean fs_manifest_drop (FsManifest *manifest, const char *key, GError **error);

/* Sets a record that is on the disk once the manifest is saved. `record` is copied. */
void fs_manifest_set (FsManifest *manifest, const char *key, const json_t *record);

/* Forgets all records. */
void fs_manifest_clear (FsManifest *manifest);

/* Writes the manifest if it has changed, and removes the log; a locked one stays, empty, until the
 * manifest is freed. Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_manifest_save (FsManifest *manifest, GError **error);

G_END_DECLS

#endif
