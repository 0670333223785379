/* SPDX-License-Identifier: MIT */
/* The names of the values of a class picture, from a list in its data set's folder.   Layer: app.
 *
 * Lists are classes.txt, labels.txt, class_names.txt and labelmap.txt, a name a line. Value 1 is
 * the first line, or the one behind a line that names the background ("background",
 * "_background_"), which is value 0. Other programs' "__ignore__" before it is passed over, and in
 * labelmap.txt empty lines, lines that begin with "#", and what stands behind a ":". An empty line
 * of the others is a value without a name. In a folder that fretsaw export has written, line N of
 * classes.txt is value N, whatever it says.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_LABELS_PARSE_VALUE_NAMES_H
#define FS_APP_LABELS_PARSE_VALUE_NAMES_H

#include <glib.h>

G_BEGIN_DECLS

enum { FS_VALUE_VOID = 255 };

/* [value] names; NULL: the folder has no list. g_ptr_array_unref. */
GPtrArray *fs_value_names_read (const char *folder);
typedef enum { FS_VALUE_LIST, FS_VALUE_MAP, FS_VALUE_OWN_LIST } FsValueListKind;
/* The same from the text of classes.txt, labelmap.txt, or classes.txt in a folder of an export. */
GPtrArray *fs_value_names_parse (const char *text, gsize n_bytes, FsValueListKind kind);

/* NULL where the value has none; `names` may be NULL. */
const char *fs_value_names_get (const GPtrArray *names, guint value);

G_END_DECLS

#endif
