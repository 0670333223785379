/* SPDX-License-Identifier: MIT */
/* One of several toggle buttons for an enumeration property.   Layer: ui.
 *
 * GtkRadioButton with an action name is no help here: when the state changes from elsewhere, the
 * button that goes off counts as clicked and activates its own value again.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_CHOICE_H
#define FS_UI_SETTINGS_CHOICE_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Keeps `button` active exactly while the enumeration `property` of `object` is `value`, and sets
 * it when the button is switched on. Ends with either of them. */
void fs_choice_bind (GtkToggleButton *button, GObject *object, const char *property, int value);

G_END_DECLS

#endif
