/* SPDX-License-Identifier: MIT */
/* Button of Find Subject, with a spinner while a finder runs and an explanation if none is
 * installed.   Layer: ui.
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

/* Explains in a popover how to get a finder; the popover's button opens the settings. */
void fs_subject_button_explain (FsSubjectButton *self);
/* Call it before the window is destroyed: GTK would still give the popover the focus. */
void fs_subject_button_close (FsSubjectButton *self);
/* The popover's text while it is open, or NULL. */
const char *fs_subject_button_get_explanation (FsSubjectButton *self);

G_END_DECLS

#endif
