/* SPDX-License-Identifier: MIT */
/* The slider of the brush size, on a logarithmic scale.   Layer: ui. */
#ifndef FS_UI_SETTINGS_BRUSH_SLIDER_H
#define FS_UI_SETTINGS_BRUSH_SLIDER_H

#include "ui/canvas/tools.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Its value becomes the binary logarithm of the tools' "brush-size", both ways. */
void fs_brush_slider_bind (GtkAdjustment *slider, FsTools *tools);

G_END_DECLS

#endif
