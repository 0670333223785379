/* SPDX-License-Identifier: MIT */
/* Find Subject: a program's first guess of what to keep, fetched while one paints on.   Layer: ui.
 *
 * A subject finder (app/finder/subject_finder.h) runs as a child; the status line says so and how
 * long, and has a Cancel button. What it finds becomes one edit that can be undone; a stroke that
 * is being painted then ends first. What comes for a photo that is not shown any more is dropped.
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

/* The parts of a window that show it. */
typedef struct {
  FsCanvas *canvas;
  FsMessageBar *messages;
  FsStatusLine *status_line;
  FsSubjectButton *button;
  FsHint *hint;
} FsSubjectWidgets;

/* Holds no reference of the window and its parts, which must call fs_subject_flow_close(). */
FsSubjectFlow *fs_subject_flow_new (GtkWindow *window, const FsSubjectWidgets *widgets);

/* Finds the subject of the document on the canvas; without a finder the button says how to get one.
 * Nothing happens while a run is on its way. */
void fs_subject_flow_start (FsSubjectFlow *self);
/* A photo was opened that has no work yet: starts, where the user has set it so. */
void fs_subject_flow_photo_opened (FsSubjectFlow *self);
/* The child is ended, and nothing changes. */
void fs_subject_flow_cancel (FsSubjectFlow *self);
gboolean fs_subject_flow_is_running (FsSubjectFlow *self);

/* Cancels, and lets go of the window. */
void fs_subject_flow_close (FsSubjectFlow *self);

G_END_DECLS

#endif
