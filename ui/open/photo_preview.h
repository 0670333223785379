/* SPDX-License-Identifier: MIT */
/* The preview of the selected photo in a file dialog.   Layer: ui.
 *
 * A worker reads the photo, or that of a session, as opening it would; another selection cancels
 * it. There is no preview of unreadable files and of files of more than 64 MB. A native dialog of
 * the desktop has its own preview instead.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_OPEN_PHOTO_PREVIEW_H
#define FS_UI_OPEN_PHOTO_PREVIEW_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

void fs_photo_preview_attach (GtkFileChooserNative *chooser);

G_END_DECLS

#endif
