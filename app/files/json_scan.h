/* SPDX-License-Identifier: MIT */
/* Depth and number of values of a JSON text, before a parser allocates for it.   Layer: app.
 *
 * Looks at brackets, commas and strings only; whether the text is JSON is the parser's to say. A
 * text that a parser accepts has exactly this depth, and no more values than `n_values`.
 *
 * Threads: any.
 */
#ifndef FS_APP_FILES_JSON_SCAN_H
#define FS_APP_FILES_JSON_SCAN_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint depth;    /* of arrays and objects: [[1]] has 2                        */
  gsize n_nested; /* arrays and objects                                        */
  gsize n_values; /* upper bound: what brackets and commas leave room for      */
} FsJsonScan;

FsJsonScan fs_json_scan (const char *text, gsize n_bytes);

G_END_DECLS

#endif
