/* SPDX-License-Identifier: MIT */
/* A container that shows the widest of its children that fits.   Layer: ui.
 *
 * As wide as the first where there is room, never narrower than the last needs; the others are not
 * shown. Children are added from the widest to the narrowest.
 * Threads: the main one.
 */
#ifndef FS_UI_STATUS_ADAPTIVE_BIN_H
#define FS_UI_STATUS_ADAPTIVE_BIN_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_FITTING (fs_fitting_get_type ())
G_DECLARE_FINAL_TYPE (FsFitting, fs_fitting, FS, FITTING, GtkBox)

G_END_DECLS

#endif
