/* SPDX-License-Identifier: MIT */
/* JSON that is written piece by piece, where a tree of all of it would be many times as large.
 * Layer: app. Threads: any. */
#ifndef FS_APP_FILES_JSON_TEXT_H
#define FS_APP_FILES_JSON_TEXT_H

#include <glib.h>

G_BEGIN_DECLS

/* Appends a string of UTF-8, quoted. */
void fs_json_append_quoted (GString *text, const char *value);

G_END_DECLS

#endif
