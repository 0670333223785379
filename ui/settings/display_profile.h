/* SPDX-License-Identifier: MIT */
/* The colour profile of the display.   Layer: ui.
 *
 * Source: "ICC Profiles in X Specification" 0.4: the property _ICC_PROFILE of the root window,
 * which is of the first monitor. Elsewhere none is known.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_DISPLAY_PROFILE_H
#define FS_UI_SETTINGS_DISPLAY_PROFILE_H

#include <glib.h>

G_BEGIN_DECLS

/* NULL where none is known, which is taken for sRGB. g_bytes_unref. */
GBytes *fs_display_profile_get (void);

G_END_DECLS

#endif
