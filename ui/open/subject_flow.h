/* SPDX-License-Identifier: MIT */
/* Find Subject: a first guess of the object by an external program, without blocking painting.
 * Layer: ui.
 *
 * A subject finder (app/finder/subject_finder.h) runs as a child process. The status line shows
 * this with the elapsed time and a Cancel button. The guess becomes one edit that can be undone,
 * after a stroke that is being painted has ended. It is dropped if its photo is not shown any more.
 * One run at a time.
 *
 * Signal: "changed" (): a run has begun or ended.
 * Threads: the main one; a worker runs the child.
 */
#ifndef FS_UI_OPEN_SUBJECT_FLOW_H
#define FS_UI_OPEN_SUBJECT_FLOW_H

#include "ui/canvas/canvas.h"
#include "ui/open/subject_button.h"
#include "ui/status/hint.h"
#include "ui/status/message_bar.h"
#include "ui/status/status_line.h"

G_BEGIN_DECLS

#define FS_TYPE_SUBJECT_FLOW (fs_subject_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsSubjectFlow, fs_subject_flow, FS, SUBJECT_FLOW, GObject)

/* The widgets of a window that show it. */
typedef struct {
  FsCanvas *canvas;
  FsMessageBar *messages;
  FsStatusLine *status_line;
  FsSubjectButton *button;
  FsHint *hint;
} FsSubjectWidgets;

/* Holds no references to the window and the widgets; the window must call fs_subject_flow_close().
 */
FsSubjectFlow *fs_subject_flow_new (GtkWindow *window, const FsSubjectWidgets *widgets);

/* Finds the subject of the document on the canvas; without a finder the button explains how to get
 * one. Does nothing during a run. */
void fs_subject_flow_start (FsSubjectFlow *self);
/* To be called for an opened photo without work: starts a run if the user's settings say so. */
void fs_subject_flow_photo_opened (FsSubjectFlow *self);
/* Kills the child; the document does not change. */
void fs_subject_flow_cancel (FsSubjectFlow *self);
gboolean fs_subject_flow_is_running (FsSubjectFlow *self);

/* Cancels, and drops the pointer to the window. */
void fs_subject_flow_close (FsSubjectFlow *self);

G_END_DECLS

#endif
