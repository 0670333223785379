/* SPDX-License-Identifier: MIT */
/* Cuts of many photos as one job: its options and what it leaves.   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_BATCH_BATCH_H
#define FS_APP_BATCH_BATCH_H

#include "app/cut/cut_job.h"
#include "app/files/shard.h"

G_BEGIN_DECLS

#define FS_BATCH_ERROR (fs_batch_error_quark ())
GQuark fs_batch_error_quark (void);

typedef enum {
  FS_BATCH_ERROR_PHOTOS, /* a folder or list cannot be read, or two photos have one name       */
  FS_BATCH_ERROR_FOLDER, /* an output folder cannot be made or used                            */
  FS_BATCH_ERROR_WORKER, /* no worker can be started, or the worker of a photo has ended early */
} FsBatchError;

/* Sets "PATH: reason" and returns FALSE. */
gboolean fs_batch_fail (GError **error, FsBatchError code, const char *path, const char *format,
                        ...) G_GNUC_PRINTF (4, 5);

/* Outputs of a photo: NAME.png, the last one NAME.svg, each kind in a folder of its own. */
typedef enum {
  FS_BATCH_MASKS,
  FS_BATCH_ALPHAS,
  FS_BATCH_CUTOUTS,
  FS_BATCH_LABELS,
  FS_BATCH_OUTLINES,
  FS_BATCH_N_KINDS
} FsBatchKind;

/* In manifests and messages. Static storage. */
const char *fs_batch_kind_name (FsBatchKind kind);

typedef struct {
  const char *const
      *inputs; /* paths, not owned: photos, folders of them, lists of them; NULL ends */
  const char *folders[FS_BATCH_N_KINDS]; /* the masks' is needed */
  /* Where evidence is looked for, in place of the photos' folders; NULL: nowhere if another one is
   * given, else beside the photo. */
  const char *sessions, *seeds, *guesses;
  FsCutJob cut;        /* without paths of a photo; n_threads is one worker's, 0: its share */
  FsEdgeSettings edge; /* what is unset is a session's, or else the default */
  FsShard shard;       /* of the photos, sorted by their paths */
  int n_jobs;          /* workers, at least 1 */
  const char *const *devices; /* worker k has device k mod n as its only one; NULL: all of them */
  const char *report;         /* or NULL */
  /* A warning, one line. */
  void (*on_message) (const char *message, gpointer user_data);
  void (*progress) (guint n_done, guint n_failed, guint n_all, double left_s, gpointer user_data);
  gpointer user_data;
} FsBatchJob;

typedef struct {
  guint n_photos;
  guint n_cut;         /* in this run                                      */
  guint n_reused;      /* whose outputs were there                         */
  guint n_failed;      /* n_cut + n_reused + n_failed = n_photos at the end */
  int signal;          /* that ended the run before all were done, or 0    */
  GPtrArray *failures; /* of char: "NAME: reason", in the order of the photos */
  gint64 total_us;
} FsBatchResult;

void fs_batch_result_clear (FsBatchResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsBatchResult, fs_batch_result_clear)

G_END_DECLS

#endif
