/* SPDX-License-Identifier: MIT */
/* A window with one photo, or with none yet.   Layer: ui.
 *
 * Creates the parts and owns what they share: the document and the tools. The parts listen to these
 * two and do not know each other. Widgets: window_layout.h; the shown document: window_document.h;
 * actions: window_actions.h; questions about unsaved work: window_work.h.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_WINDOW_H
#define FS_UI_WINDOW_WINDOW_H

#include "app/session/project.h"
#include "ui/canvas/canvas.h"
#include "ui/open/subject_flow.h"
#include "ui/canvas/tools.h"
#include "ui/status/message_bar.h"

G_BEGIN_DECLS

#define FS_TYPE_WINDOW (fs_window_get_type ())
G_DECLARE_FINAL_TYPE (FsWindow, fs_window, FS, WINDOW, GtkApplicationWindow)

FsWindow *fs_window_new (GtkApplication *application);

/* Loads a photo or a session on a worker and shows it in place of the previous one. A failure is
 * shown in the message bar and changes nothing. Another call cancels one that is loading. */
void fs_window_open (FsWindow *self, GFile *file);
/* The same for work that was lost in a crash; takes ownership of it. */
void fs_window_recover (FsWindow *self, FsLostWork *lost);
/* Opens the window for another program, before any file: the photo alone can be edited, and Apply
 * returns the cut-out to `folder` and closes (hand_over_flow.h). */
void fs_window_set_hand_over (FsWindow *self, const char *folder);
/* TRUE if another file may be opened here: nothing is loading, and no work would be lost. */
gboolean fs_window_is_free (FsWindow *self);
/* The window that shows the session in `file`, or is opening it; NULL: none. */
GtkWindow *fs_window_find_session (GtkApplication *application, GFile *file);
/* TRUE if strokes may be painted and undone: there is a document, and it is not being restored. */
gboolean fs_window_is_editable (FsWindow *self);

/* Both NULL while no photo is open. */
FsProject *fs_window_get_project (FsWindow *self);
FsDocument *fs_window_get_document (FsWindow *self);
FsTools *fs_window_get_tools (FsWindow *self);
FsCanvas *fs_window_get_canvas (FsWindow *self);
/* The label with the figures of the latency probe, hidden at first. */
GtkWidget *fs_window_get_latency_label (FsWindow *self);
/* The side panel with the settings (side_panel.h). */
GtkWidget *fs_window_get_side_panel (FsWindow *self);
FsSubjectFlow *fs_window_get_subject_flow (FsWindow *self);
GtkWidget *fs_window_get_menu_button (FsWindow *self);
FsMessageBar *fs_window_get_messages (FsWindow *self);

G_END_DECLS

#endif
