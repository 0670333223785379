/* SPDX-License-Identifier: MIT */
/* The export dialog: its options and a preview.   Layer: ui.
 *
 * Changes the program's FsExportChoice; answers GTK_RESPONSE_ACCEPT or GTK_RESPONSE_CANCEL.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SAVE_EXPORT_DIALOG_H
#define FS_UI_SAVE_EXPORT_DIALOG_H

#include "app/live/document.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_EXPORT_DIALOG (fs_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (FsExportDialog, fs_export_dialog, FS, EXPORT_DIALOG, GtkDialog)

FsExportDialog *fs_export_dialog_new (GtkWindow *parent, FsDocument *document);

G_END_DECLS

#endif
