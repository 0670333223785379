/* SPDX-License-Identifier: MIT */
/* Saving work as a session: ask where, write, report.   Layer: ui.
 *
 * A session that another program has changed is asked about: it is replaced, the work gets another
 * name, or the changed session is opened, and the work saved beside it.
 *
 * Signal "leaves" (const char *path, const char *own): the window is to open the session at `path`;
 * the work that it shows is saved at `own`.
 *
 * One at a time. Threads: the main one; the file is written by a worker.
 */
#ifndef FS_UI_SAVE_SAVE_FLOW_H
#define FS_UI_SAVE_SAVE_FLOW_H

#include "app/session/project.h"
#include "ui/status/message_bar.h"

G_BEGIN_DECLS

#define FS_TYPE_SAVE_FLOW (fs_save_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsSaveFlow, fs_save_flow, FS, SAVE_FLOW, GObject)

typedef void (*FsSaveDone) (gboolean saved, gpointer user_data);

/* The window that shows the session in `file`, or is opening it; NULL: none. */
typedef GtkWindow *(*FsSessionFinder) (GtkApplication *application, GFile *file);

FsSaveFlow *fs_save_flow_new (GtkWindow *parent, FsMessageBar *messages, FsSessionFinder finder);

/* Saves to the work's session, or asks for a name where it has none or `ask` is set. `done` (may be
 * NULL) is called once, unless the flow is closed before; nothing happens, and it is called at
 * once, while another saving is under way. */
void fs_save_flow_save (FsSaveFlow *self, FsProject *project, gboolean ask, FsSaveDone done,
                        gpointer user_data);

/* The same to `path`, which need not be the work's session yet; NULL: asks for a name. */
void fs_save_flow_save_to (FsSaveFlow *self, FsProject *project, const char *path, FsSaveDone done,
                           gpointer user_data);

/* Lets go of parent and messages; a file that is being written will be whole. */
void fs_save_flow_close (FsSaveFlow *self);

G_END_DECLS

#endif
