/* SPDX-License-Identifier: MIT */
/* Writing of a set of labels in one format.   Layer: app.
 *
 * Photos come one after another; names are checked once for all formats. The files of a folder
 * appear as photos are added, the single file of a set, and lists, at the end.
 *
 * Threads: one at a time per writer; blocks.
 */
#ifndef FS_APP_LABELS_OUTPUT_LABEL_WRITER_H
#define FS_APP_LABELS_OUTPUT_LABEL_WRITER_H

#include "app/labels/output/label_format.h"

G_BEGIN_DECLS

typedef struct _FsLabelWriter FsLabelWriter;

/* The name of a photo's files in a folder: its file name without the ending. g_free. */
char *fs_label_writer_make_stem (const char *file_name);

/* Takes copies of the options and of their path, and the classes. Errors: FS_EXPORT_ERROR where the
 * place cannot be written to. */
FsLabelWriter *fs_label_writer_new (const FsLabelFormat *format, const FsLabelOptions *options,
                                    FsLabelClasses *classes, GError **error);

/* Without an end before, a set of one file is not written. */
void fs_label_writer_free (FsLabelWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLabelWriter, fs_label_writer_free)

/* A file, absolute, as seen from which the set names photos. */
const char *fs_label_writer_get_place (const FsLabelWriter *writer);
const FsLabelFormat *fs_label_writer_get_format (const FsLabelWriter *writer);
/* The file of a set that is one, else NULL. */
const char *fs_label_writer_get_file (const FsLabelWriter *writer);
FsLabelClasses *fs_label_writer_get_classes (const FsLabelWriter *writer);
guint fs_label_writer_get_n_photos (const FsLabelWriter *writer);
guint fs_label_writer_get_n_objects (const FsLabelWriter *writer);

/* Adds a photo with its objects, whose classes are the writer's; `path` is the photo's file, which
 * is never written over, or NULL. Errors, each of which leaves out this photo alone:
 * FS_LABEL_ERROR_NAME where the format has no place for the photo's name, or a photo of the same
 * name is there already; FS_LABEL_ERROR_LIMIT; FS_EXPORT_ERROR. */
gboolean fs_label_writer_add (FsLabelWriter *writer, const FsLabelPhoto *photo, const char *path,
                              GError **error);

gboolean fs_label_writer_end (FsLabelWriter *writer, GError **error);

G_END_DECLS

#endif
