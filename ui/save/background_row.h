/* SPDX-License-Identifier: MIT */
/* The choice of what exported cut-outs are put on: nothing, a colour, or a picture, which is read
 * on a worker.   Layer: ui.   Threads: the main one. */
#ifndef FS_UI_SAVE_BACKGROUND_ROW_H
#define FS_UI_SAVE_BACKGROUND_ROW_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_BACKGROUND_ROW (fs_background_row_get_type ())
G_DECLARE_FINAL_TYPE (FsBackgroundRow, fs_background_row, FS, BACKGROUND_ROW, GtkBox)

/* Reads a picture as if it had been chosen. */
void fs_background_row_set_picture (FsBackgroundRow *self, const char *path);

G_END_DECLS

#endif
