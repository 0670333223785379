/* SPDX-License-Identifier: MIT */
/* The actions "win.…" of a window.   Layer: ui.
 *
 * tool, view (states, shared with FsTools), swap, cycle-view, brush-smaller, brush-larger, undo,
 * redo, export-all, export-all-again, label-folder, finish-photo, next-unfinished, photo-done,
 * save, save-as, export, export-again, import-mask, copy, paste, zoom-in, zoom-out, zoom-fit,
 * zoom-original, close.
 */
#ifndef FS_UI_WINDOW_WINDOW_ACTIONS_H
#define FS_UI_WINDOW_WINDOW_ACTIONS_H

#include "ui/window/window_state.h"

G_BEGIN_DECLS

void fs_window_actions_install (FsWindow *self);
/* Enables what the document's state allows. */
void fs_window_actions_update (FsWindow *self);

G_END_DECLS

#endif
