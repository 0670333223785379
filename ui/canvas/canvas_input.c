/* SPDX-License-Identifier: MIT */
#include "ui/canvas/canvas_private.h"

#include "ui/canvas/lasso_drawing.h"

#include <math.h>

#define SCROLL_STEP         60.0 /* widget pixels a wheel notch */
#define SMOOTHING_TOLERANCE 0.25 /* widget pixels */

static void
track_pointer (FsCanvas *self, double x, double y)
{
  self->pointer_x = x;
  self->pointer_y = y;
  self->pointer_inside = TRUE;
  self->cursor_by_keys = FALSE;
}

/* ---- Strokes ---- */

static double
event_pressure (const GdkEvent *event)
{
  double pressure;
  return gdk_event_get_axis (event, GDK_AXIS_PRESSURE, &pressure) ? pressure : 1;
}

static void
append_point (FsCanvas *self, double x, double y, double pressure, guint32 time_ms)
{
  double image_x, image_y;
  fs_latency_probe_note_event (self->probe, FS_LATENCY_STROKE);
  fs_view_transform_to_image (&self->transform, x, y, &image_x, &image_y);
  fs_stroke_input_append (self->input, image_x, image_y, pressure, time_ms);
}

static void
append_event (FsCanvas *self, const GdkEvent *event)
{
  double x, y;
  if (gdk_event_get_coords (event, &x, &y))
    append_point (self, x, y, event_pressure (event), gdk_event_get_time (event));
}

/* The eraser end of a pen erases with any tool. */
static gboolean
is_eraser_end (const GdkEvent *event)
{
  GdkDevice *device = gdk_event_get_source_device (event);
  return device != NULL && gdk_device_get_source (device) == GDK_SOURCE_ERASER;
}

static FsTrail
choose_trail (FsCanvas *self, const GdkEvent *event)
{
  double pressure;
  if (fs_tools_outlines (self->tools))
    return fs_tools_get_tool (self->tools) == FS_TOOL_BOX ? FS_TRAIL_BOX : FS_TRAIL_LASSO;
  gboolean is_pen = gdk_event_get_axis (event, GDK_AXIS_PRESSURE, &pressure);
  return is_pen && fs_tools_get_pressure (self->tools) ? FS_TRAIL_PEN : FS_TRAIL_BRUSH;
}

static double
brush_radius (FsCanvas *self)
{
  double radius = fs_tools_get_brush_size (self->tools) / 2.0;
  return fs_tools_get_fixed_size (self->tools)
             ? radius
             : fs_view_transform_length_to_image (&self->transform, radius);
}

/* A straight line is a stroke of two samples. */
static void
begin_at_last_point (FsCanvas *self, const GdkEvent *event)
{
  GdkModifierType state = 0;
  if (!self->has_line || fs_tools_outlines (self->tools)
      || gdk_event_get_event_type (event) != GDK_BUTTON_PRESS
      || !gdk_event_get_state (event, &state) || (state & GDK_SHIFT_MASK) == 0)
    return;
  fs_stroke_input_append (self->input, self->line_x, self->line_y, event_pressure (event),
                          gdk_event_get_time (event));
}

static void
note_last_point (FsCanvas *self)
{
  guint n;
  const FsSample *samples = fs_stroke_input_get_samples (self->input, &n);
  if (self->stroke_button == 0 || n == 0 || fs_tools_outlines (self->tools))
    return;
  self->line_x = samples[n - 1].x;
  self->line_y = samples[n - 1].y;
  self->has_line = TRUE;
}

void
fs_canvas_hold_line (FsCanvas *self, gboolean held)
{
  if (self->line_held == held)
    return;
  self->line_held = held;
  if (self->has_line)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
fs_canvas_begin_stroke (FsCanvas *self, const GdkEvent *event, gboolean right, double x, double y)
{
  gboolean erases = is_eraser_end (event);
  FsStrokeStart start = {
    .trail = choose_trail (self, event),
    .is_zone = fs_tools_paints_zones (self->tools),
    .label = erases ? FS_SEED_NONE : fs_tools_get_label (self->tools, right),
    .radius_px = (float)brush_radius (self),
    .tolerance_px = fs_view_transform_length_to_image (&self->transform, SMOOTHING_TOLERANCE),
  };
  if (!fs_stroke_input_begin (self->input, self->document, &start, gdk_event_get_time (event)))
    return FALSE;
  begin_at_last_point (self, event);
  append_point (self, x, y, event_pressure (event), gdk_event_get_time (event));
  fs_canvas_request_frame (self);
  return TRUE;
}

void
fs_canvas_extend_stroke (FsCanvas *self, const GdkEvent *event)
{
  append_point (self, self->pointer_x, self->pointer_y, 1, gdk_event_get_time (event));
  fs_canvas_request_frame (self);
}

static void
repaint_trail (FsCanvas *self)
{
  self->stroke_button = 0;
  self->stroke_key = 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
is_slip (FsCanvas *self)
{
  guint n;
  const FsSample *samples = fs_stroke_input_get_samples (self->input, &n);
  return fs_stroke_input_get_start (self->input)->trail >= FS_TRAIL_LASSO
         && !fs_lasso_drawing_is_meant (&self->transform, samples, n);
}

void
fs_canvas_end_stroke (FsCanvas *self)
{
  if (is_slip (self)) {
    fs_canvas_cancel_stroke (self);
    return;
  }
  note_last_point (self);
  fs_stroke_input_end (self->input);
  fs_latency_probe_note_posted (self->probe);
  repaint_trail (self);
  g_signal_emit_by_name (self, "stroke-ended");
}

gboolean
fs_canvas_cancel_stroke (FsCanvas *self)
{
  if (!fs_stroke_input_is_active (self->input))
    return FALSE;
  fs_stroke_input_cancel (self->input);
  repaint_trail (self);
  return TRUE;
}

/* ---- Zoom and pan ---- */

static void
begin_pan (FsCanvas *self, guint button, double x, double y)
{
  self->pan_button = button;
  fs_view_transform_to_image (&self->transform, x, y, &self->hold_x, &self->hold_y);
  fs_canvas_update_cursor (self);
  fs_canvas_request_frame (self);
}

static void
end_pan (FsCanvas *self)
{
  self->pan_button = 0;
  fs_canvas_update_cursor (self);
  fs_canvas_request_frame (self);
}

static void
follow_pan (FsCanvas *self)
{
  double x, y;
  fs_view_transform_to_widget (&self->transform, self->hold_x, self->hold_y, &x, &y);
  FsViewTransform t = self->transform;
  if (fs_view_transform_pan (&t, self->pointer_x - x, self->pointer_y - y))
    fs_canvas_change_transform (self, &t);
}

void
fs_canvas_apply_input (FsCanvas *self)
{
  if (self->document == NULL)
    return;
  if (self->pan_button != 0)
    follow_pan (self);
  fs_stroke_input_flush (self->input);
  fs_latency_probe_note_posted (self->probe);
  if (self->stroke_button + self->stroke_key != 0 && fs_tools_outlines (self->tools))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fs_canvas_end_input (FsCanvas *self)
{
  if (fs_stroke_input_is_active (self->input))
    fs_canvas_end_stroke (self);
  self->stroke_button = 0;
  self->stroke_key = 0;
  self->pan_button = 0;
  self->space_held = FALSE;
}

static void
scroll_pan (FsCanvas *self, double dx, double dy)
{
  FsViewTransform t = self->transform;
  fs_latency_probe_note_event (self->probe, FS_LATENCY_VIEW);
  if (fs_view_transform_pan (&t, -dx * SCROLL_STEP, -dy * SCROLL_STEP))
    fs_canvas_change_transform (self, &t);
}

static void
scroll_zoom (FsCanvas *self, double steps)
{
  FsViewTransform t = self->transform;
  fs_latency_probe_note_event (self->probe, FS_LATENCY_VIEW);
  fs_view_transform_zoom_to (&t, t.zoom * pow (FS_ZOOM_STEP, -steps), self->pointer_x,
                             self->pointer_y);
  fs_canvas_change_transform (self, &t);
}

static gboolean
scroll_steps (const GdkEvent *event, double *dx, double *dy)
{
  GdkScrollDirection direction;
  if (gdk_event_get_scroll_deltas (event, dx, dy))
    return TRUE;
  if (!gdk_event_get_scroll_direction (event, &direction))
    return FALSE;
  *dx = direction == GDK_SCROLL_LEFT ? -1 : direction == GDK_SCROLL_RIGHT ? 1 : 0;
  *dy = direction == GDK_SCROLL_UP ? -1 : direction == GDK_SCROLL_DOWN ? 1 : 0;
  return TRUE;
}

static gboolean
fs_canvas_scroll (GtkWidget *widget, GdkEventScroll *event)
{
  FsCanvas *self = (FsCanvas *)widget;
  double dx, dy;
  if (self->document == NULL || !scroll_steps ((const GdkEvent *)event, &dx, &dy))
    return GDK_EVENT_PROPAGATE;
  track_pointer (self, event->x, event->y);
  /* Moving the photo during a stroke would break the line. */
  if (fs_stroke_input_is_active (self->input))
    return GDK_EVENT_STOP;
  if ((event->state & GDK_CONTROL_MASK) != 0)
    scroll_zoom (self, dy != 0 ? dy : dx);
  else if ((event->state & GDK_SHIFT_MASK) != 0 && dx == 0)
    scroll_pan (self, dy, 0);
  else
    scroll_pan (self, dx, dy);
  return GDK_EVENT_STOP;
}

/* ---- Two fingers ---- */

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, FsCanvas *self)
{
  fs_canvas_cancel_stroke (self);
  self->pinch_zoom = self->transform.zoom;
  double x, y;
  if (self->document != NULL && gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    fs_view_transform_to_image (&self->transform, x, y, &self->hold_x, &self->hold_y);
}

static void
on_pinch_changed (FsCanvas *self, double scale)
{
  double x, y, held_x, held_y;
  if (self->document == NULL || !gtk_gesture_get_bounding_box_center (self->pinch, &x, &y))
    return;
  FsViewTransform t = self->transform;
  fs_view_transform_zoom_to (&t, self->pinch_zoom * scale, x, y);
  fs_view_transform_to_widget (&t, self->hold_x, self->hold_y, &held_x, &held_y);
  fs_view_transform_pan (&t, x - held_x, y - held_y);
  fs_canvas_change_transform (self, &t);
}

/* ---- Buttons, motion, keys ---- */

static gboolean
wants_pan (FsCanvas *self, guint button)
{
  return button == GDK_BUTTON_MIDDLE
         || (button == GDK_BUTTON_PRIMARY
             && (self->space_held || fs_tools_moves (self->tools, FALSE)))
         || (button == GDK_BUTTON_SECONDARY && fs_tools_moves (self->tools, TRUE));
}

/* Outlines are drawn only with the left button. */
static gboolean
wants_stroke (FsCanvas *self, guint button)
{
  return (fs_tools_paints (self->tools)
          && (button == GDK_BUTTON_PRIMARY || button == GDK_BUTTON_SECONDARY))
         || (fs_tools_outlines (self->tools) && button == GDK_BUTTON_PRIMARY);
}

static gboolean
fs_canvas_button_press (GtkWidget *widget, GdkEventButton *event)
{
  FsCanvas *self = (FsCanvas *)widget;
  gtk_widget_grab_focus (widget);
  if (self->document == NULL || event->type != GDK_BUTTON_PRESS
      || fs_stroke_input_is_active (self->input) || self->pan_button != 0)
    return GDK_EVENT_PROPAGATE;
  track_pointer (self, event->x, event->y);
  if (wants_pan (self, event->button))
    begin_pan (self, event->button, event->x, event->y);
  else if (wants_stroke (self, event->button)
           && fs_canvas_begin_stroke (self, (const GdkEvent *)event,
                                      event->button == GDK_BUTTON_SECONDARY, event->x, event->y))
    self->stroke_button = event->button;
  return GDK_EVENT_STOP;
}

static gboolean
fs_canvas_motion (GtkWidget *widget, GdkEventMotion *event)
{
  FsCanvas *self = (FsCanvas *)widget;
  track_pointer (self, event->x, event->y);
  fs_canvas_hold_line (self, (event->state & GDK_SHIFT_MASK) != 0);
  if (self->line_held && self->has_line && self->stroke_button == 0)
    gtk_widget_queue_draw (widget);
  if (self->stroke_button != 0)
    append_event (self, (const GdkEvent *)event);
  if (self->pan_button != 0)
    fs_latency_probe_note_event (self->probe, FS_LATENCY_VIEW);
  fs_canvas_request_frame (self);
  return GDK_EVENT_STOP;
}

static gboolean
fs_canvas_button_release (GtkWidget *widget, GdkEventButton *event)
{
  FsCanvas *self = (FsCanvas *)widget;
  track_pointer (self, event->x, event->y);
  if (event->button == self->stroke_button) {
    append_event (self, (const GdkEvent *)event);
    fs_canvas_end_stroke (self);
  } else if (event->button == self->pan_button) {
    follow_pan (self);
    end_pan (self);
  }
  return GDK_EVENT_STOP;
}

/* Another window has grabbed the pointer: the stroke ends here. */
static gboolean
fs_canvas_grab_broken (GtkWidget *widget, GdkEventGrabBroken *event)
{
  FsCanvas *self = (FsCanvas *)widget;
  if (fs_stroke_input_is_active (self->input))
    fs_canvas_end_stroke (self);
  if (self->pan_button != 0)
    end_pan (self);
  return GDK_EVENT_PROPAGATE;
}

static gboolean
fs_canvas_crossing (GtkWidget *widget, GdkEventCrossing *event)
{
  FsCanvas *self = (FsCanvas *)widget;
  self->pointer_inside = event->type == GDK_ENTER_NOTIFY || self->stroke_button != 0;
  self->pointer_x = event->x;
  self->pointer_y = event->y;
  fs_canvas_request_frame (self);
  return GDK_EVENT_PROPAGATE;
}

void
fs_canvas_class_init_input (GtkWidgetClass *widget_class)
{
  widget_class->button_press_event = fs_canvas_button_press;
  widget_class->button_release_event = fs_canvas_button_release;
  widget_class->motion_notify_event = fs_canvas_motion;
  widget_class->scroll_event = fs_canvas_scroll;
  widget_class->enter_notify_event = fs_canvas_crossing;
  widget_class->leave_notify_event = fs_canvas_crossing;
  widget_class->grab_broken_event = fs_canvas_grab_broken;
}

void
fs_canvas_update_cursor (FsCanvas *self)
{
  GdkWindow *window = gtk_widget_get_window (GTK_WIDGET (self));
  if (window == NULL)
    return;
  const char *name = "default";
  if (self->document != NULL && self->pan_button != 0)
    name = "grabbing";
  else if (self->document != NULL && (self->space_held || fs_tools_moves (self->tools, FALSE)))
    name = "grab";
  else if (self->document != NULL && fs_tools_outlines (self->tools))
    name = "crosshair";
  else if (self->document != NULL)
    name = "none";
  g_autoptr (GdkCursor) cursor =
      gdk_cursor_new_from_name (gtk_widget_get_display (GTK_WIDGET (self)), name);
  gdk_window_set_cursor (window, cursor);
}

void
fs_canvas_init_input (FsCanvas *self)
{
  gtk_widget_add_events (GTK_WIDGET (self),
                         GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_POINTER_MOTION_MASK
                             | GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK | GDK_ENTER_NOTIFY_MASK
                             | GDK_LEAVE_NOTIFY_MASK | GDK_KEY_PRESS_MASK | GDK_KEY_RELEASE_MASK
                             | GDK_TOUCH_MASK | GDK_TOUCHPAD_GESTURE_MASK);
  self->pinch = gtk_gesture_zoom_new (GTK_WIDGET (self));
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (self->pinch),
                                              GTK_PHASE_CAPTURE);
  g_signal_connect (self->pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect_swapped (self->pinch, "scale-changed", G_CALLBACK (on_pinch_changed), self);
}
