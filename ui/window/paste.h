/* SPDX-License-Identifier: MIT */
/* Opening what is on the clipboard: files that were copied, or an image.   Layer: ui.
 *
 * An image is kept as a file (app/session/pasted.h) and opened like any other: where `window` holds
 * unsaved work, in another window.
 *
 * Threads: the main one; a worker writes the file.
 */
#ifndef FS_UI_WINDOW_PASTE_H
#define FS_UI_WINDOW_PASTE_H

#include "ui/window/window_state.h"

G_BEGIN_DECLS

/* Failures are reported in the window's message bar. */
void fs_paste (FsWindow *window);

G_END_DECLS

#endif
