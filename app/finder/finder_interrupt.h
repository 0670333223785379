/* SPDX-License-Identifier: MIT */
/* Signals that end a command while it waits for a subject finder.   Layer: app.
 *
 * The finder is in a process group of its own, which a terminal's Ctrl+C does not reach. Between
 * begin and end SIGINT, SIGTERM and SIGHUP cancel it instead of ending this process, and its
 * folder is removed; then the process ends by the signal as it would have.
 *
 * Threads: one at a time in a process.
 */
#ifndef FS_APP_FINDER_FINDER_INTERRUPT_H
#define FS_APP_FINDER_FINDER_INTERRUPT_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* Begins; returns the cancellable that a signal cancels. g_object_unref after the end. */
GCancellable *fs_finder_interrupt_begin (void);
/* Ends. Does not return if a signal came: it ends the process then. */
void fs_finder_interrupt_end (void);

G_END_DECLS

#endif
