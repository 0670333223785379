/* SPDX-License-Identifier: MIT */
/* The preview of the selected photo in a file dialog.   Layer: ui.
 *
 * A worker reads the photo, or the one that a session names, as opening it would; the next
 * selection cancels it. What cannot be read is not shown, nor are files of more than 64 MB. Dialogs
 * of the desktop's own show what they like instead.
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
