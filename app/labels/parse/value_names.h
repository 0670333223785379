/* SPDX-License-Identifier: MIT */
/* The names of the values of a class picture, from a list in its data set's folder.   Layer: app.
 *
 * Lists are classes.txt, labels.txt, class_names.txt and labelmap.txt, a name a line. Value 1 is
 * the first line, or the one behind a line that names the background ("background",
 * "_background_"), which is value 0. Other programs' "__ignore__" before it is passed over, and in
 * labelmap.txt lines that begin with "#", and what stands behind a ":".
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
/* `is_map`: a labelmap.txt. */
GPtrArray *fs_value_names_parse (const char *text, gsize n_bytes, gboolean is_map);

/* NULL where the value has none; `names` may be NULL. */
const char *fs_value_names_get (const GPtrArray *names, guint value);

G_END_DECLS

#endif
