/* SPDX-License-Identifier: MIT */
/* A child process that may hang, print endlessly or crash.   Layer: app.
 *
 * It has its own process group, which is ended with it, so that nothing it started survives. Its
 * standard input is empty. Its standard output and error are always read, and the last few
 * kilobytes saved, so that it never blocks. If this program dies, the process is killed (Linux).
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_FINDER_FINDER_PROCESS_H
#define FS_APP_FINDER_FINDER_PROCESS_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  FS_FINDER_EXITED,    /* by itself; `code` is its exit status */
  FS_FINDER_DIED,      /* of a signal, `code`                  */
  FS_FINDER_TIMED_OUT, /* it was ended after its time limit    */
  FS_FINDER_CANCELLED, /* it was ended                         */
} FsFinderEnding;

typedef struct {
  FsFinderEnding ending;
  int code;
  char
      *said; /* the last lines that it printed on its standard error, or, where it printed none
                there, on its standard output: UTF-8, one line, "a | b"; "" where it said nothing */
} FsFinderEnd;

/* Runs argv[0], which is looked up on PATH if it has no slash, and waits for its end. `temporary`,
 * if not NULL, is its folder for temporary files (TMPDIR). On timeout and cancellation it gets
 * SIGTERM, and SIGKILL two seconds later. `cancellable` may be NULL. Errors: G_SPAWN_ERROR where it
 * cannot be started. */
gboolean fs_finder_process_run (const char *const *argv, const char *temporary, int time_limit_s,
                                GCancellable *cancellable, FsFinderEnd *end, GError **error);

void fs_finder_end_clear (FsFinderEnd *end);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsFinderEnd, fs_finder_end_clear)

G_END_DECLS

#endif
