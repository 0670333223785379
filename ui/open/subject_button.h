/* SPDX-License-Identifier: MIT */
/* The button of Find Subject: its icon, a spinner while it runs, and how to get a finder where
 * there is none.   Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_OPEN_SUBJECT_BUTTON_H
#define FS_UI_OPEN_SUBJECT_BUTTON_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_SUBJECT_BUTTON (fs_subject_button_get_type ())
G_DECLARE_FINAL_TYPE (FsSubjectButton, fs_subject_button, FS, SUBJECT_BUTTON, GtkButton)

void fs_subject_button_set_running (FsSubjectButton *self, gboolean running);

/* Says in a popover how to get a finder; its button opens the settings. */
void fs_subject_button_explain (FsSubjectButton *self);
/* Before its window goes: GTK would still hand the popover the focus. */
void fs_subject_button_close (FsSubjectButton *self);
/* The popover's text while it is open, or NULL. */
const char *fs_subject_button_get_explanation (FsSubjectButton *self);

G_END_DECLS

#endif
