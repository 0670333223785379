/* SPDX-License-Identifier: MIT */
/* JSON as text: its size, before a parser allocates for it, and strings of what is written without
 * a tree of all of it, which would be many times as large.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_FILES_JSON_TEXT_H
#define FS_APP_FILES_JSON_TEXT_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint depth;    /* of arrays and objects: [[1]] has 2                        */
  gsize n_nested; /* arrays and objects                                        */
  gsize n_values; /* upper bound: what brackets and commas leave room for      */
} FsJsonScan;

/* Looks at brackets, commas and strings only; whether the text is JSON is the parser's to say. A
 * text that a parser accepts has exactly this depth, and no more values than `n_values`. */
FsJsonScan fs_json_scan (const char *text, gsize n_bytes);

/* Appends a string of UTF-8, quoted. */
void fs_json_append_quoted (GString *text, const char *value);

G_END_DECLS

#endif
