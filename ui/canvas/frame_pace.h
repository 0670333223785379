/* SPDX-License-Identifier: MIT */
/* The pace of frames: input is handled and painted at most every 4 ms.   Layer: ui.
 *
 * GTK's frames come 60 times a second: what waits for the next one is up to 16.7 ms old before
 * anybody looks at it, and what the solver gets waits as long. Here work is done once the events
 * that wait have been handled, 4 ms after the last time at the earliest, or later where painting
 * takes longer than that. Where no compositor gathers frames, what has changed is painted there and
 * then; elsewhere it would be shown no earlier, and GTK paints it in its next frame.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_CANVAS_FRAME_PACE_H
#define FS_UI_CANVAS_FRAME_PACE_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _FsFramePace FsFramePace;

/* `work` and `painted` get the widget, which outlives the pace; `painted` comes after what was
 * painted outside of a frame. */
FsFramePace *fs_frame_pace_new (GtkWidget *widget, void (*work) (GtkWidget *widget),
                                void (*painted) (GtkWidget *widget));
void fs_frame_pace_free (FsFramePace *pace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFramePace, fs_frame_pace_free)

/* Calls `work` once, as soon as the pace allows. */
void fs_frame_pace_request (FsFramePace *pace);
/* Returns whether a call of `work` was asked for and is still to come. */
gboolean fs_frame_pace_is_requested (FsFramePace *pace);

G_END_DECLS

#endif
