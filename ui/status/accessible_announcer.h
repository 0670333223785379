/* SPDX-License-Identifier: MIT */
/* A description of the canvas for screen readers.   Layer: ui.
 *
 * The canvas describes itself to assistive technology: tool, brush and view, and how far the cut
 * is. Screen readers speak a description that changes while its widget has the focus. Tools and
 * views are called what their buttons are called, objects by their names.
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

/* The accessible name of the control that stands for a value of an enumeration of FsTools; "tool"
 * or "view", and the value's nick. Owned by the control. */
typedef const char *(*FsNarratorCall) (const char *property, const char *nick, gpointer data);

/* Describes `canvas`, of which it holds no reference, until one of the two goes. */
FsNarrator *fs_narrator_new (GtkWidget *canvas, FsTools *tools, FsNarratorCall call, gpointer data);

/* May be NULL. */
void fs_narrator_set_project (FsNarrator *self, FsProject *project);

G_END_DECLS

#endif
