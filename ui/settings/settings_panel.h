/* SPDX-License-Identifier: MIT */
/* Panel with the settings of the cut, which are applied immediately.   Layer: ui.
 * Threads: the main one. */
#ifndef FS_UI_SETTINGS_SETTINGS_PANEL_H
#define FS_UI_SETTINGS_SETTINGS_PANEL_H

#include "app/live/document.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_SETTINGS_PANEL (fs_settings_panel_get_type ())
G_DECLARE_FINAL_TYPE (FsSettingsPanel, fs_settings_panel, FS, SETTINGS_PANEL, GtkBox)

/* The settings of a new photo in the window and after Reset: the program's defaults, plus
 * stability. */
FsSettings fs_settings_panel_get_defaults (void);

/* Shows and changes the document's settings; NULL: insensitive. */
void fs_settings_panel_set_document (FsSettingsPanel *self, FsDocument *document);

G_END_DECLS

#endif
