/* SPDX-License-Identifier: MIT */
/* Files dropped on the window.   Layer: ui.
 *
 * A URI of another computer must not open a local file: GLib's conversion ignores the host in
 * file://elsewhere/etc/passwd.
 */
#ifndef FS_UI_OPEN_DROP_H
#define FS_UI_OPEN_DROP_H

#include "ui/status/message_bar.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The file of a file: URI without host, or with "localhost" or this computer's name. Errors:
 * G_IO_ERROR_NOT_SUPPORTED, with a sentence to show. */
GFile *fs_drop_file_for_uri (const char *uri, GError **error);

/* Opens those of `uris` (may be NULL) that are local files (open_files.h); others are reported in
 * `messages`. */
void fs_drop_open (GtkWindow *window, FsMessageBar *messages, char **uris);

G_END_DECLS

#endif
