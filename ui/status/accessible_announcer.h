/* SPDX-License-Identifier: MIT */
/* Accessible description of the canvas, for screen readers.   Layer: ui.
 *
 * The description has tool, brush, view and state of the cut. Screen readers speak a description
 * that changes while its widget has the focus. Tools and views have their buttons' names, objects
 * their own.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_STATUS_ACCESSIBLE_ANNOUNCER_H
#define FS_UI_STATUS_ACCESSIBLE_ANNOUNCER_H

#include "app/session/project.h"
#include "ui/canvas/tools.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_NARRATOR (fs_narrator_get_type ())
G_DECLARE_FINAL_TYPE (FsNarrator, fs_narrator, FS, NARRATOR, GObject)

/* Returns the accessible name of the control for a value of an enumeration of FsTools; `property`
 * is "tool" or "view". Owned by the control. */
typedef const char *(*FsNarratorCall) (const char *property, const char *nick, gpointer data);

/* Describes `canvas`, without a reference to it, until one of the two is destroyed. */
FsNarrator *fs_narrator_new (GtkWidget *canvas, FsTools *tools, FsNarratorCall call, gpointer data);

/* May be NULL. */
void fs_narrator_set_project (FsNarrator *self, FsProject *project);

G_END_DECLS

#endif
