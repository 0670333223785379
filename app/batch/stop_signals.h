/* SPDX-License-Identifier: MIT */
/* SIGINT, SIGTERM and SIGHUP as requests that a run with workers ends.   Layer: app.
 *
 * Threads: the only one of the process.
 */
#ifndef FS_APP_BATCH_STOP_SIGNALS_H
#define FS_APP_BATCH_STOP_SIGNALS_H

#include <glib.h>

G_BEGIN_DECLS

/* From here on the signals are only recorded; those that are ignored (nohup) stay so. */
void fs_stop_signals_watch (void);
/* They act again as before. */
void fs_stop_signals_leave (void);

/* The number of the one that came since they are watched, or 0. */
int fs_stop_signals_get (void);

/* TRUE if a worker without an answer (`line` is NULL) has ended by a signal that comes to this
 * process too, whichever gets it first. */
gboolean fs_stop_signals_explain (const char *line);

G_END_DECLS

#endif
