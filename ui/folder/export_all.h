/* SPDX-License-Identifier: MIT */
/* Export of all photos of a job as one set of labels.   Layer: ui.
 *
 * Asks for a format (app/labels/output), whether only photos that are done are meant, and where;
 * then saves what is unsaved, and a worker cuts and writes one session after another. What could
 * not be written is counted and told; Cancel stops between two photos. Classes are numbered as the
 * job's list has them.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_FOLDER_EXPORT_ALL_H
#define FS_UI_FOLDER_EXPORT_ALL_H

#include "ui/folder/folder_job.h"
#include "ui/save/autosave.h"

G_BEGIN_DECLS

#define FS_TYPE_EXPORT_ALL (fs_export_all_get_type ())
G_DECLARE_FINAL_TYPE (FsExportAll, fs_export_all, FS, EXPORT_ALL, GObject)

FsExportAll *fs_export_all_new (GtkWindow *parent, FsMessageBar *messages, FsAutosave *autosave);

/* Nothing happens while another export is asked for or runs. */
void fs_export_all_ask (FsExportAll *self, FsFolderJob *job);
/* To the same place in the same format as the last time, without asking; asks where there was no
 * last time for this folder. */
void fs_export_all_repeat (FsExportAll *self, FsFolderJob *job);

/* Cancels, and lets go of parent, messages and autosave. */
void fs_export_all_close (FsExportAll *self);

G_END_DECLS

#endif
