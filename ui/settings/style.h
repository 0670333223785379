/* SPDX-License-Identifier: MIT */
/* Colours and themes of every window.   Layer: ui.
 *
 * Dark, because edges are judged best against a dark, neutral surround; the preference "dark" says
 * otherwise. With a theme of high contrast nothing is faint.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_STYLE_H
#define FS_UI_SETTINGS_STYLE_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* For the default screen, for as long as the program runs. Adds the action "dark" to `actions`,
 * where it can be remembered. */
void fs_style_load (GActionMap *actions);

G_END_DECLS

#endif
