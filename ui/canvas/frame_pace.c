/* SPDX-License-Identifier: MIT */
#include "ui/canvas/frame_pace.h"

#define INTERVAL_US 4000

/* The fraction of the main loop that painting may take. */
#define PAINT_FRACTION 0.8

/* After events and masks, before GTK's frames. */
#define PRIORITY (G_PRIORITY_DEFAULT + 1)

struct _FsFramePace {
  GtkWidget *widget;
  void (*work) (GtkWidget *widget);
  void (*painted) (GtkWidget *widget);
  GSource *source;
  gint64 next_us; /* earliest time of the next call of `work` */
};

static gboolean
shows_at_once (GtkWidget *widget)
{
  return gtk_widget_get_mapped (widget)
         && !gdk_screen_is_composited (gtk_widget_get_screen (widget));
}

/* gdk_window_process_updates() is deprecated because a compositor shows nothing outside of frames.
 */
static void
paint_now (FsFramePace *pace)
{
  GtkWidget *toplevel = gtk_widget_get_toplevel (pace->widget);
  gtk_container_check_resize (GTK_CONTAINER (toplevel));
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  gdk_window_process_updates (gtk_widget_get_window (toplevel), TRUE);
  G_GNUC_END_IGNORE_DEPRECATIONS
  pace->painted (pace->widget);
}

static gboolean
on_due (gpointer user_data)
{
  FsFramePace *pace = user_data;
  gint64 start_us = g_get_monotonic_time ();
  g_source_set_ready_time (pace->source, -1);
  pace->work (pace->widget);
  if (shows_at_once (pace->widget))
    paint_now (pace);
  gint64 took_us = g_get_monotonic_time () - start_us;
  pace->next_us = start_us + MAX (INTERVAL_US, (gint64)((double)took_us / PAINT_FRACTION));
  return G_SOURCE_CONTINUE;
}

static gboolean
dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  return callback (user_data);
}

void
fs_frame_pace_request (FsFramePace *pace)
{
  if (!fs_frame_pace_is_requested (pace))
    g_source_set_ready_time (pace->source, pace->next_us);
}

gboolean
fs_frame_pace_is_requested (FsFramePace *pace)
{
  return g_source_get_ready_time (pace->source) != -1;
}

FsFramePace *
fs_frame_pace_new (GtkWidget *widget, void (*work) (GtkWidget *widget),
                   void (*painted) (GtkWidget *widget))
{
  static GSourceFuncs funcs = { .dispatch = dispatch };
  FsFramePace *pace = g_new0 (FsFramePace, 1);
  pace->widget = widget;
  pace->work = work;
  pace->painted = painted;
  pace->source = g_source_new (&funcs, sizeof (GSource));
  g_source_set_static_name (pace->source, "fretsaw frame pace");
  g_source_set_priority (pace->source, PRIORITY);
  g_source_set_callback (pace->source, on_due, pace, NULL);
  g_source_attach (pace->source, NULL);
  return pace;
}

void
fs_frame_pace_free (FsFramePace *pace)
{
  if (pace == NULL)
    return;
  g_source_destroy (pace->source);
  g_source_unref (pace->source);
  g_free (pace);
}
