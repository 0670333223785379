/* SPDX-License-Identifier: MIT */
/* The cut-out, dragged out of the window: to a file manager as a file, to others as an image.
 * Layer: ui.
 *
 * When the drag begins, a worker writes the cut-out of the present strokes into the user's cache
 * folder; the file is there until the window goes, for whoever took it to copy.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SAVE_DRAG_OUT_H
#define FS_UI_SAVE_DRAG_OUT_H

#include "app/session/project.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_DRAG_OUT (fs_drag_out_get_type ())
G_DECLARE_FINAL_TYPE (FsDragOut, fs_drag_out, FS, DRAG_OUT, GObject)

/* Makes `widget` something to drag; it may still be clicked. */
FsDragOut *fs_drag_out_new (GtkWidget *widget);

/* The project that is dragged; NULL: none. */
void fs_drag_out_set_project (FsDragOut *self, FsProject *project);

G_END_DECLS

#endif
