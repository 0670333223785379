/* SPDX-License-Identifier: MIT */
/* Steps to the next and the previous photo of a folder.   Layer: ui.
 *
 * The order is that of ui/open/photo_folder.h. If the photo has a session with its name in the
 * folder, that is opened. Asks about unsaved work first. A photo that cannot be opened is reported,
 * and the next step continues after it.
 *
 * Threads: the main one; folders are read by workers.
 */
#ifndef FS_UI_WINDOW_FOLDER_FLOW_H
#define FS_UI_WINDOW_FOLDER_FLOW_H

#include "ui/window/window_state.h"

G_BEGIN_DECLS

#define FS_TYPE_FOLDER_FLOW (fs_folder_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsFolderFlow, fs_folder_flow, FS, FOLDER_FLOW, GObject)

/* Holds no reference to the window. */
FsFolderFlow *fs_folder_flow_new (FsWindow *window, FsSessionFinder finder);

/* `step`: 1 for the next photo, -1 for the previous one. Replaces a step that still searches for
 * its photo. Does nothing if fs_photo_folder_is_own() is FALSE for the window's photo. */
void fs_folder_flow_step (FsFolderFlow *self, int step);

/* Goes to a photo, or to its session, in the same way. */
void fs_folder_flow_go (FsFolderFlow *self, const char *photo);
/* The path of the photo from which the next step is: the one that is shown, or that is being
 * opened; NULL: none. */
const char *fs_folder_flow_get_place (FsFolderFlow *self);

/* Cancels, and drops the pointer to the window. */
void fs_folder_flow_close (FsFolderFlow *self);

G_END_DECLS

#endif
