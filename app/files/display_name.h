/* SPDX-License-Identifier: MIT */
/* File names in messages, and their endings.   Layer: app. */
#ifndef FS_APP_FILES_DISPLAY_NAME_H
#define FS_APP_FILES_DISPLAY_NAME_H

#include <glib.h>

G_BEGIN_DECLS

/* `path` (in the file system's encoding) as one line of UTF-8: what is not UTF-8 and every control
 * character is replaced, and what turns the direction of writing is spelt out ("\u202e"), so that a
 * name can neither break a line, nor command a terminal, nor look like another one. g_free. */
char *fs_display_name (const char *path);

/* Returns whether something stands before `ending` (".png") and nothing after it, in whatever case.
 */
gboolean fs_name_has_ending (const char *path, const char *ending);

G_END_DECLS

#endif
