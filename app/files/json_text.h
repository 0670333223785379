/* SPDX-License-Identifier: MIT */
/* JSON as text: a scan of its size before it is parsed, the parser, with sentences for users, and
 * strings for output without a tree, which would be many times as large.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_FILES_JSON_TEXT_H
#define FS_APP_FILES_JSON_TEXT_H

#include <glib.h>
#include <jansson.h>

G_BEGIN_DECLS

typedef struct {
  guint depth;    /* of arrays and objects: [[1]] has 2                        */
  gsize n_nested; /* arrays and objects                                        */
  gsize n_values; /* upper bound: what brackets and commas leave room for      */
} FsJsonScan;

/* Scans brackets, commas and strings only, and does not validate the text. A text that a parser
 * accepts has exactly this depth, and at most `n_values` values. */
FsJsonScan fs_json_scan (const char *text, gsize n_bytes);

typedef enum { FS_JSON_ANY_NAMES, FS_JSON_UNIQUE_NAMES } FsJsonNames;

/* The tree of a text whose scan was within limits: json_decref. NULL where it is no JSON, or, with
 * FS_JSON_UNIQUE_NAMES, where an object has two members of one name; then `*reason`, to be freed
 * with g_free, is "line 3, column 14: …", translated. */
json_t *fs_json_parse (const char *text, gsize n_bytes, FsJsonNames names, char **reason);

/* Appends a string of UTF-8, quoted. */
void fs_json_append_quoted (GString *text, const char *value);

G_END_DECLS

#endif
