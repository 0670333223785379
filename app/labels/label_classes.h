/* SPDX-License-Identifier: MIT */
/* The classes of a set of labels: names in a fixed order.   Layer: app.
 *
 * The list of a file (UTF-8, one name a line, the first is number 0) is closed: it takes no more
 * names, so that numbers are the same in every set made with it. Without a file names are numbered
 * as they first appear.
 *
 * Threads: one at a time per list; reading blocks.
 */
#ifndef FS_APP_LABELS_LABEL_CLASSES_H
#define FS_APP_LABELS_LABEL_CLASSES_H

#include "app/labels/label_error.h"

G_BEGIN_DECLS

#define FS_LABEL_MAX_CLASSES    100000
#define FS_LABEL_MAX_NAME_BYTES 200 /* as a session's label has */
#define FS_LABEL_NO_CLASS       G_MAXUINT

typedef struct _FsLabelClasses FsLabelClasses;

FsLabelClasses *fs_label_classes_new (void);
void fs_label_classes_free (FsLabelClasses *classes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLabelClasses, fs_label_classes_free)

/* The closed list of a file; one that ends in .json is a folder's classes (folder_classes.h), with
 * its errors. Else a line's end may be CR LF, and the last line need not have one.
 * Errors: FS_LABEL_ERROR, "PATH: line N …", for an empty line, a name twice, one that is too long,
 * not UTF-8 or has control characters. */
FsLabelClasses *fs_label_classes_read (const char *path, GError **error);

/* The same from text; `name` stands in messages. */
FsLabelClasses *fs_label_classes_parse (const char *name, const char *text, gsize n_bytes,
                                        GError **error);

/* The number of a name, which an open list adds where it is new; FS_LABEL_NO_CLASS where a closed
 * one has no such name. */
guint fs_label_classes_find (FsLabelClasses *classes, const char *name);

gboolean fs_label_classes_is_closed (const FsLabelClasses *classes);
guint fs_label_classes_get_n (const FsLabelClasses *classes);
const char *fs_label_classes_get_name (const FsLabelClasses *classes, guint number);

/* As fs_label_classes_read takes it. g_free. */
char *fs_label_classes_to_text (const FsLabelClasses *classes);

G_END_DECLS

#endif
