/* SPDX-License-Identifier: MIT */
/* Frame pacing: input is handled and painted at most every 4 ms.   Layer: ui.
 *
 * GTK draws 60 frames a second, so that input handled in a frame is up to 16.7 ms old when it is
 * painted and when the solver gets it. Here input is handled as soon as the pending events have
 * been dispatched, at the earliest 4 ms after the last time, or later if painting takes longer.
 * Without a compositor changes are painted immediately; with one this would not show them earlier,
 * and GTK paints them in its next frame.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_CANVAS_FRAME_PACE_H
#define FS_UI_CANVAS_FRAME_PACE_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _FsFramePace FsFramePace;

/* `work` and `painted` get the widget, which must outlive the pace. `painted` is called after
 * painting outside of GTK's frames. */
FsFramePace *fs_frame_pace_new (GtkWidget *widget, void (*work) (GtkWidget *widget),
                                void (*painted) (GtkWidget *widget));
void fs_frame_pace_free (FsFramePace *pace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFramePace, fs_frame_pace_free)

/* Calls `work` once, as soon as the pace allows. */
void fs_frame_pace_request (FsFramePace *pace);
/* TRUE if a call of `work` has been requested and has not happened yet. */
gboolean fs_frame_pace_is_requested (FsFramePace *pace);

G_END_DECLS

#endif
