/* SPDX-License-Identifier: MIT */
/* Steps to the next and the previous photo of a folder.   Layer: ui.
 *
 * Which one that is says ui/open/photo_folder.h; if it has a session of its name beside it, that is
 * opened. Unsaved work is asked about first. A photo that cannot be opened is reported, and the
 * next step continues after it.
 *
 * Threads: the main one; folders are read by workers.
 */
#ifndef FS_UI_WINDOW_FOLDER_FLOW_H
#define FS_UI_WINDOW_FOLDER_FLOW_H

#include "ui/window/window_state.h"

G_BEGIN_DECLS

#define FS_TYPE_FOLDER_FLOW (fs_folder_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsFolderFlow, fs_folder_flow, FS, FOLDER_FLOW, GObject)

/* Does not hold the window. */
FsFolderFlow *fs_folder_flow_new (FsWindow *window, FsSessionFinder finder);

/* `step`: 1 for the next photo, -1 for the previous one. Takes the place of a step that still looks
 * for its photo. Nothing happens where fs_photo_folder_is_own() is not true of the window's photo.
 */
void fs_folder_flow_step (FsFolderFlow *self, int step);

/* Lets go of the window. */
void fs_folder_flow_close (FsFolderFlow *self);

G_END_DECLS

#endif
