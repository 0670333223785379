/* SPDX-License-Identifier: MIT */
/* Strip with the photos of a folder that is labelled as one job: thumbnails, how far each is, and
 * how many are done.   Layer: ui.
 *
 * Marks have shapes as well as colours: a ring for an empty photo, a half disc for one that is
 * begun, a tick for one that is done. Only what is seen is drawn, and loaded by a worker, one photo
 * at a time. Shown only while there is a job; "reveal-child" (GtkRevealer's) says whether it is
 * open then.
 *
 * Signals: "chosen" (const char *path): a photo was clicked.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_FOLDER_PHOTO_STRIP_H
#define FS_UI_FOLDER_PHOTO_STRIP_H

#include "ui/folder/folder_job.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_PHOTO_STRIP (fs_photo_strip_get_type ())
G_DECLARE_FINAL_TYPE (FsPhotoStrip, fs_photo_strip, FS, PHOTO_STRIP, GtkRevealer)

/* NULL: there is no job. `photo` is the path of the photo that the window shows, or NULL. */
void fs_photo_strip_set_job (FsPhotoStrip *self, FsFolderJob *job, const char *photo);

/* "3 of 10, 4 done"; "" without a job. */
const char *fs_photo_strip_get_text (FsPhotoStrip *self);

G_END_DECLS

#endif
