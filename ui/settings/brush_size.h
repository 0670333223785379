/* SPDX-License-Identifier: MIT */
/* The widgets of the brush size: a slider on a logarithmic scale, and a number that can be typed.
 * Layer: ui.
 *
 * Enter takes the number, within the range of sizes, and Escape the old one back; both give the
 * keyboard to the canvas again. While one types, no key of the window's is a shortcut.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_BRUSH_SIZE_H
#define FS_UI_SETTINGS_BRUSH_SIZE_H

#include "ui/canvas/tools.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Its value becomes the binary logarithm of the tools' "brush-size", both ways. */
void fs_brush_slider_bind (GtkAdjustment *slider, FsTools *tools);

/* In a window; all three go together. */
void fs_brush_entry_bind (GtkEntry *entry, FsTools *tools, GtkWidget *canvas);

G_END_DECLS

#endif
