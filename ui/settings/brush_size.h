/* SPDX-License-Identifier: MIT */
/* Widgets for the brush size: a slider with a logarithmic scale, and an entry.   Layer: ui.
 *
 * In the entry Enter sets the size, clamped to its range, and Escape restores the text; both move
 * the focus to the canvas. While the entry has the focus, keys are not shortcuts.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_BRUSH_SIZE_H
#define FS_UI_SETTINGS_BRUSH_SIZE_H

#include "ui/canvas/tools.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Binds the slider's value to the binary logarithm of the tools' "brush-size", in both directions.
 */
void fs_brush_slider_bind (GtkAdjustment *slider, FsTools *tools);

/* Binds the entry to "brush-size". All three must be destroyed together, as in one window. */
void fs_brush_entry_bind (GtkEntry *entry, FsTools *tools, GtkWidget *canvas);

G_END_DECLS

#endif
