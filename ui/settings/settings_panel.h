/* SPDX-License-Identifier: MIT */
/* The panel of the cut's settings, with live effect.   Layer: ui. Threads: the main one. */
#ifndef FS_UI_SETTINGS_SETTINGS_PANEL_H
#define FS_UI_SETTINGS_SETTINGS_PANEL_H

#include "app/live/document.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_SETTINGS_PANEL (fs_settings_panel_get_type ())
G_DECLARE_FINAL_TYPE (FsSettingsPanel, fs_settings_panel, FS, SETTINGS_PANEL, GtkBox)

/* The settings of a new photo in the window, and of Reset: the program's defaults, with
 * stability. */
FsSettings fs_settings_panel_get_defaults (void);

/* Shows a document's settings and changes them; NULL: insensitive. */
void fs_settings_panel_set_document (FsSettingsPanel *self, FsDocument *document);

G_END_DECLS

#endif
