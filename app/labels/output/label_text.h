/* SPDX-License-Identifier: MIT */
/* Names of classes in files of labels and in the names of files.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_LABELS_OUTPUT_LABEL_TEXT_H
#define FS_APP_LABELS_OUTPUT_LABEL_TEXT_H

#include <glib.h>

G_BEGIN_DECLS

/* Appends a string of UTF-8 as a double-quoted scalar of YAML 1.1 and 1.2. */
void fs_label_text_append_yaml (GString *text, const char *value);

/* The value as a part of a file's name that every file system takes: bytes that some system gives a
 * meaning, a dot or blank at an end, and "%" become "%" and two hexadecimal digits. More than
 * FS_LABEL_MAX_FILE_PART bytes are cut, and the number is appended. g_free. */
#define FS_LABEL_MAX_FILE_PART 200
char *fs_label_text_to_file_part (const char *value, guint number);

G_END_DECLS

#endif
