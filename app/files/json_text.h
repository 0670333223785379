/* SPDX-License-Identifier: MIT */
/* JSON as text: a scan of its size before it is parsed, and strings for output without a tree,
 * which would be many times as large.   Layer: app.
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

/* Scans brackets, commas and strings only, and does not validate the text. A text that a parser
 * accepts has exactly this depth, and at most `n_values` values. */
FsJsonScan fs_json_scan (const char *text, gsize n_bytes);

/* Appends a string of UTF-8, quoted. */
void fs_json_append_quoted (GString *text, const char *value);

G_END_DECLS

#endif
