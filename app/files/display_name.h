/* SPDX-License-Identifier: MIT */
/* File names in messages, and their endings.   Layer: app. */
#ifndef FS_APP_FILES_DISPLAY_NAME_H
#define FS_APP_FILES_DISPLAY_NAME_H

#include <glib.h>

G_BEGIN_DECLS

/* `path` (in the file system's encoding) as one line of UTF-8. Invalid bytes and control characters
 * are replaced, and characters that change the writing direction are escaped ("\u202e"), so that a
 * name cannot break a line, control a terminal or look like another one. g_free. */
char *fs_display_name (const char *path);

/* TRUE if the name is longer than `ending` (".png") and ends with it, in any case. */
gboolean fs_name_has_ending (const char *path, const char *ending);

G_END_DECLS

#endif
