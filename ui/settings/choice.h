/* SPDX-License-Identifier: MIT */
/* Toggle buttons for an enumeration property, one for each value.   Layer: ui.
 *
 * GtkRadioButton with an action name does not work here: when the state is changed by others, the
 * button that is switched off emits "clicked" and activates its own value again.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_CHOICE_H
#define FS_UI_SETTINGS_CHOICE_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Binds "active" of `button` to whether the enumeration `property` of `object` is `value`;
 * switching the button on sets it. Lasts until one of the two is destroyed. */
void fs_choice_bind (GtkToggleButton *button, GObject *object, const char *property, int value);

G_END_DECLS

#endif
