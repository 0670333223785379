/* SPDX-License-Identifier: MIT */
/* A window with one photo, or with none yet.   Layer: ui.
 *
 * Puts the parts together and owns what they share: the document and the tools. The parts listen to
 * those two and do not know each other; the window's actions are in window_actions.c.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_WINDOW_H
#define FS_UI_WINDOW_WINDOW_H

#include "app/session/project.h"
#include "ui/canvas/canvas.h"
#include "ui/open/subject_flow.h"
#include "ui/save/unsaved_dialog.h"
#include "ui/settings/finder_panel.h"
#include "ui/canvas/tools.h"
#include "ui/status/message_bar.h"

G_BEGIN_DECLS

#define FS_TYPE_WINDOW (fs_window_get_type ())
G_DECLARE_FINAL_TYPE (FsWindow, fs_window, FS, WINDOW, GtkApplicationWindow)

FsWindow *fs_window_new (GtkApplication *application);

/* Loads a photo or a session on a worker and shows it; what was shown before is let go. A failure
 * is shown in the message bar and changes nothing. Another call while it loads replaces it. */
void fs_window_open (FsWindow *self, GFile *file);
/* The same for work that a crash left; takes it. */
void fs_window_recover (FsWindow *self, FsLostWork *lost);
/* Cancels the opening, if there is one. */
void fs_window_stop_opening (FsWindow *self);
/* The next photo of the folder (`step` 1), or the previous one (-1); only with a document. */
void fs_window_step (FsWindow *self, int step);
/* Calls `go` as soon as no work would be lost: at once, or when it was asked about and is saved or
 * given up; never, if the user would rather stay. Another call takes its place. */
void fs_window_leave (FsWindow *self, FsUnsavedBefore before,
                      void (*go) (FsWindow *self, gpointer user_data), gpointer user_data);
/* Returns whether another file may be opened here: nothing is loading and no work would be lost. */
gboolean fs_window_is_free (FsWindow *self);
/* Returns whether it shows the session in `file`, or is opening it. */
gboolean fs_window_has_session (FsWindow *self, GFile *file);
/* The window of which that is true; NULL: none. */
GtkWindow *fs_window_find_session (GtkApplication *application, GFile *file);
/* Returns whether strokes may be painted and taken back: there is a document, and it is not being
 * brought back. */
gboolean fs_window_is_editable (FsWindow *self);

/* Saves the session, asking for a name if it has none or `ask` is set. */
void fs_window_save (FsWindow *self, gboolean ask);

/* Asks what and where and exports, or does again what was done last; only with a document. */
void fs_window_export (FsWindow *self, gboolean again);
/* Asks for a mask to begin with; only with a document. */
void fs_window_import_mask (FsWindow *self);
/* Puts the cut-out on the clipboard; only with a document. */
void fs_window_copy (FsWindow *self);

/* Both NULL while no photo is open. */
FsProject *fs_window_get_project (FsWindow *self);
FsDocument *fs_window_get_document (FsWindow *self);
FsTools *fs_window_get_tools (FsWindow *self);
FsCanvas *fs_window_get_canvas (FsWindow *self);
/* The figures of the latency probe, hidden at first. */
GtkWidget *fs_window_get_latency_label (FsWindow *self);
/* The settings (side_panel.h), and in them those of Find Subject. */
GtkWidget *fs_window_get_side_panel (FsWindow *self);
FsFinderPanel *fs_window_get_finder_panel (FsWindow *self);
FsSubjectFlow *fs_window_get_subject_flow (FsWindow *self);
GtkWidget *fs_window_get_menu_button (FsWindow *self);
FsMessageBar *fs_window_get_messages (FsWindow *self);

G_END_DECLS

#endif
