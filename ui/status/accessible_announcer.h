/* SPDX-License-Identifier: MIT */
/* Accessible description of the canvas, for screen readers.   Layer: ui.
 *
 * The description has tool, brush, view, and the state of cut and edge. Screen readers speak a
 * description that changes while its widget has the focus. Tools and views have their buttons'
 * names, objects their own.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_STATUS_ACCESSIBLE_ANNOUNCER_H
#define FS_UI_STATUS_ACCESSIBLE_ANNOUNCER_H

#include "app/session/project.h"
#include "ui/canvas/tools.h"
#include "ui/status/status_line.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_ACCESSIBLE_ANNOUNCER (fs_accessible_announcer_get_type ())
G_DECLARE_FINAL_TYPE (FsAccessibleAnnouncer, fs_accessible_announcer, FS, ACCESSIBLE_ANNOUNCER,
                      GObject)

/* Returns the accessible name of the control for a value of an enumeration of FsTools; `property`
 * is "tool" or "view". Owned by the control. */
typedef const char *(*FsAccessibleNameFunc) (const char *property, const char *nick, gpointer data);

/* Describes `canvas`, without a reference to it, until one of the two is destroyed. The edge's
 * state is that of the status line, which leaves out short ones. */
FsAccessibleAnnouncer *fs_accessible_announcer_new (GtkWidget *canvas, FsTools *tools,
                                                    FsStatusLine *status_line,
                                                    FsAccessibleNameFunc call, gpointer data);

/* May be NULL. */
void fs_accessible_announcer_set_project (FsAccessibleAnnouncer *self, FsProject *project);

G_END_DECLS

#endif
