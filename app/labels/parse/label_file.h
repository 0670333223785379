/* SPDX-License-Identifier: MIT */
/* Files of labels, of which nothing is known: text and JSON trees within limits.   Layer: app.
 *
 * Errors: FS_LABEL_ERROR, "NAME: reason".
 * Threads: any; blocks.
 */
#ifndef FS_APP_LABELS_PARSE_LABEL_FILE_H
#define FS_APP_LABELS_PARSE_LABEL_FILE_H

#include "app/labels/label_error.h"
#include <jansson.h>

G_BEGIN_DECLS

#define FS_LABEL_FILE_MAX_BYTES ((gsize)1 << 30) /* of JSON */
#define FS_LABEL_FILE_MAX_DEPTH 16

G_DEFINE_AUTOPTR_CLEANUP_FUNC (json_t, json_decref)

/* "NAME: reason". Returns FALSE. */
gboolean fs_label_file_refuse (const char *path, int code, const char *reason, GError **error);

/* The bytes of a file, with a NUL behind them. g_free. */
char *fs_label_file_read (const char *path, gsize max_bytes, gsize *n_bytes, GError **error);

/* The length of UTF-8's byte order mark at the start of a text: 3, or 0 without one. */
gsize fs_label_file_count_mark (const char *text, gsize n_bytes);

/* The tree of a JSON file. json_decref. */
json_t *fs_label_file_read_json (const char *path, GError **error);
/* The same from text; `path` stands in messages. */
json_t *fs_label_file_parse_json (const char *path, const char *text, gsize n_bytes,
                                  GError **error);

/* Names of the files of a folder, without hidden ones, that end with `ending` (".txt"), in the
 * order of their bytes, at most `max` of them. g_ptr_array_unref. NULL where it cannot be read. */
GPtrArray *fs_label_file_list (const char *folder, const char *ending, guint max, GError **error);

/* A file's name without folder and ending. g_free. */
char *fs_label_file_stem (const char *path);

G_END_DECLS

#endif
