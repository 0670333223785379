/* SPDX-License-Identifier: MIT */
/* Panel with the settings of brushes and views.   Layer: ui.   Threads: the main one. */
#ifndef FS_UI_SETTINGS_TOOL_PANEL_H
#define FS_UI_SETTINGS_TOOL_PANEL_H

#include "ui/canvas/tools.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_TOOL_PANEL (fs_tool_panel_get_type ())
G_DECLARE_FINAL_TYPE (FsToolPanel, fs_tool_panel, FS, TOOL_PANEL, GtkBox)

/* Call it once. Shows and changes the properties of the tools, and stores them as preferences. */
void fs_tool_panel_set_tools (FsToolPanel *self, FsTools *tools);

G_END_DECLS

#endif
