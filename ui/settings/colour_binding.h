/* SPDX-License-Identifier: MIT */
/* Binding of a colour button to a string property.   Layer: ui.   Threads: the main one. */
#ifndef FS_UI_SETTINGS_COLOUR_BINDING_H
#define FS_UI_SETTINGS_COLOUR_BINDING_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Binds the chooser's colour to `property` of `object`, a string "#rrggbb", in both directions.
 * Lasts until one of the two is destroyed. */
void fs_colour_bind (gpointer object, const char *property, GtkColorChooser *chooser);

G_END_DECLS

#endif
