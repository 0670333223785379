/* SPDX-License-Identifier: MIT */
/* Sessions from labels: the objects of a photo as a guess that strokes correct.   Layer: app.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_LABELS_INPUT_LABEL_IMPORT_H
#define FS_APP_LABELS_INPUT_LABEL_IMPORT_H

#include "app/labels/input/label_reader.h"

G_BEGIN_DECLS

/* The photos of a folder, by name. */
typedef struct _FsPhotoNames FsPhotoNames;

/* NULL where the folder cannot be read. Errors: FS_LABEL_ERROR_READ. */
FsPhotoNames *fs_photo_names_new (const char *folder, GError **error);
void fs_photo_names_free (FsPhotoNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPhotoNames, fs_photo_names_free)

/* The path of the photo that a set calls by `name`: below the folder by its path, or in it by its
 * file name, or by that without the ending; else the same for `name` as a path of Windows. NULL
 * where there is none, or several. g_free. */
char *fs_photo_names_find (const FsPhotoNames *names, const char *name);

/* Writes a session of the photo with the labels of an entry, whose file's name the guess gets, over
 * one with other contents only where that is said. `counts` gets what was read and left out;
 * without an object no session is written. Errors: FS_LABEL_ERROR, FS_PHOTO_ERROR,
 * FS_SESSION_ERROR, FS_EXPORT_ERROR. */
gboolean fs_label_import_write (FsLabelReader *reader, guint entry, const char *photo_path,
                                const char *session_path, gboolean replace, FsLabelCounts *counts,
                                GError **error);

G_END_DECLS

#endif
