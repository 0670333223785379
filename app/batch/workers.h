/* SPDX-License-Identifier: MIT */
/* Worker processes: copies of this one (fork) that do items one after the other.   Layer: app.
 *
 * A worker gets the number of an item over a socket and answers with a line of text. One that
 * crashes, is killed or is refused memory loses its item alone, and another one takes its place.
 * Workers end with this process. They ignore SIGINT and SIGHUP, which the whole group gets; SIGTERM
 * ends them.
 *
 * Threads: one, in a process without others, as those do not exist in the copies.
 */
#ifndef FS_APP_BATCH_WORKERS_H
#define FS_APP_BATCH_WORKERS_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  /* In a new worker, before its first item: to close what it must not keep. */
  void (*begin) (int worker, gpointer data);
  /* In a worker: does the item, and returns a line without its end; g_free. */
  char *(*work) (guint item, gpointer data);
  gpointer data;
} FsWork;

typedef struct FsWorkers FsWorkers;

FsWorkers *fs_workers_new (int n, const FsWork *work);
/* Ends them, those at work by SIGTERM and later by SIGKILL, and waits for it. */
void fs_workers_free (FsWorkers *workers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsWorkers, fs_workers_free)

gboolean fs_workers_have_idle (const FsWorkers *workers);
gboolean fs_workers_have_busy (const FsWorkers *workers);

/* Gives an item to an idle worker, which is started if need be. Errors: FS_BATCH_ERROR_WORKER where
 * it cannot be. */
gboolean fs_workers_give (FsWorkers *workers, guint item, GError **error);

/* Waits for an answer, at most so long or until a signal comes: TRUE, and the item. `*line` is
 * NULL, with a reason, where the worker has ended before it; g_free. */
gboolean fs_workers_wait (FsWorkers *workers, int timeout_ms, guint *item, char **line,
                          char **reason);

G_END_DECLS

#endif
