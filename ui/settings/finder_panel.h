/* SPDX-License-Identifier: MIT */
/* Panel with the settings of Find Subject: program, time limit, and automatic runs.   Layer: ui.
 *
 * Program and time limit are stored in the file that commands read, too
 * (app/finder/finder_settings.h); it is read again whenever the panel is shown. An invalid command
 * is reported and not saved.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_FINDER_PANEL_H
#define FS_UI_SETTINGS_FINDER_PANEL_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The preference: find the subject whenever a photo is opened. */
#define FS_FIND_ON_OPENING_KEY "find-subject-on-opening"

#define FS_TYPE_FINDER_PANEL (fs_finder_panel_get_type ())
G_DECLARE_FINAL_TYPE (FsFinderPanel, fs_finder_panel, FS, FINDER_PANEL, GtkBox)

/* Moves the focus to the panel and scrolls to it, once it is shown. */
void fs_finder_panel_present (FsFinderPanel *self);

G_END_DECLS

#endif
