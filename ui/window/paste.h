/* SPDX-License-Identifier: MIT */
/* Paste: opens the files or the image on the clipboard.   Layer: ui.
 *
 * An image is written to a file (app/session/pasted.h) and opened like any other: in another window
 * if `window` has unsaved work.
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
