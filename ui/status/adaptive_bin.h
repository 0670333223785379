/* SPDX-License-Identifier: MIT */
/* Container that shows the first of its children that fits.   Layer: ui.
 *
 * Its natural width is that of the widest child, its minimum width that of the narrowest. Add
 * children from the widest to the narrowest.
 * Threads: the main one.
 */
#ifndef FS_UI_STATUS_ADAPTIVE_BIN_H
#define FS_UI_STATUS_ADAPTIVE_BIN_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_ADAPTIVE_BIN (fs_adaptive_bin_get_type ())
G_DECLARE_FINAL_TYPE (FsAdaptiveBin, fs_adaptive_bin, FS, ADAPTIVE_BIN, GtkBox)

G_END_DECLS

#endif
