/* SPDX-License-Identifier: MIT */
/* Colours and themes of all windows.   Layer: ui.
 *
 * Dark, since edges are seen best on a dark, neutral surround, unless the preference "dark" is off.
 * With a high-contrast theme no text is dimmed.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_STYLE_H
#define FS_UI_SETTINGS_STYLE_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* Loads the style for the default screen, until the program ends. Adds the action "dark" to
 * `actions` if the preference can be stored. */
void fs_style_load (GActionMap *actions);

G_END_DECLS

#endif
