/* SPDX-License-Identifier: MIT */
/* Keyboard input of the canvas: Escape, Space, and a cursor that paints. */
#include "ui/canvas/canvas_private.h"

/* Widget pixels per press of an arrow key; with Shift one. */
#define CURSOR_STEP   10.0
#define CURSOR_MARGIN 24.0 /* to the edge of the view, where the photo is panned */

static void
hold_space (FsCanvas *self, gboolean held)
{
  if (self->space_held == held)
    return;
  self->space_held = held;
  fs_canvas_update_cursor (self);
  fs_canvas_request_frame (self);
}

static void
hold_compare (FsCanvas *self, gboolean held)
{
  if (self->compare_held == held)
    return;
  self->compare_held = held;
  fs_tools_set_comparing (self->tools, held);
}

/* ---- The cursor ---- */

static gboolean
arrow_direction (guint keyval, int *dx, int *dy)
{
  static const struct {
    guint key, keypad;
    int dx, dy;
  } arrows[] = {
    { GDK_KEY_Left, GDK_KEY_KP_Left, -1, 0 },
    { GDK_KEY_Right, GDK_KEY_KP_Right, 1, 0 },
    { GDK_KEY_Up, GDK_KEY_KP_Up, 0, -1 },
    { GDK_KEY_Down, GDK_KEY_KP_Down, 0, 1 },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (arrows); i++)
    if (keyval == arrows[i].key || keyval == arrows[i].keypad) {
      *dx = arrows[i].dx;
      *dy = arrows[i].dy;
      return TRUE;
    }
  return FALSE;
}

static gboolean
is_enter (guint keyval)
{
  return keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter || keyval == GDK_KEY_ISO_Enter;
}

/* Shows the cursor, without a pointer in the centre of the view. */
static void
show_cursor (FsCanvas *self)
{
  if (!self->pointer_inside) {
    self->pointer_x = self->transform.view_width / 2.0;
    self->pointer_y = self->transform.view_height / 2.0;
  }
  self->pointer_inside = TRUE;
  fs_canvas_request_frame (self);
}

/* The distance of `place` beyond the margin. */
static double
beyond (double place, double extent)
{
  double inner = CLAMP (place, CURSOR_MARGIN, MAX (extent - CURSOR_MARGIN, CURSOR_MARGIN));
  return place - inner;
}

/* Pans the photo for a cursor at the edge, except during a stroke. */
static void
bring_into_view (FsCanvas *self)
{
  FsViewTransform t = self->transform;
  double dx = beyond (self->pointer_x, t.view_width), dy = beyond (self->pointer_y, t.view_height);
  double x = t.x, y = t.y;
  if (self->stroke_key == 0 && fs_view_transform_pan (&t, -dx, -dy)) {
    self->pointer_x += (t.x - x) / t.scale;
    self->pointer_y += (t.y - y) / t.scale;
    fs_canvas_change_transform (self, &t);
  }
  self->pointer_x = CLAMP (self->pointer_x, 0, t.view_width);
  self->pointer_y = CLAMP (self->pointer_y, 0, t.view_height);
}

static gboolean
move_cursor (FsCanvas *self, const GdkEventKey *event)
{
  int dx, dy;
  if ((event->state & (GDK_CONTROL_MASK | GDK_MOD1_MASK)) != 0
      || !arrow_direction (event->keyval, &dx, &dy))
    return FALSE;
  double step = (event->state & GDK_SHIFT_MASK) != 0 ? 1 : CURSOR_STEP;
  show_cursor (self);
  self->cursor_by_keys = TRUE;
  self->pointer_x += dx * step;
  self->pointer_y += dy * step;
  bring_into_view (self);
  if (self->stroke_key != 0)
    fs_canvas_extend_stroke (self, (const GdkEvent *)event);
  return TRUE;
}

/* A key that is held repeats; only the first press begins a stroke. */
static gboolean
press_enter (FsCanvas *self, const GdkEventKey *event)
{
  gboolean draws = fs_tools_paints (self->tools) || fs_tools_outlines (self->tools);
  if (!is_enter (event->keyval) || !draws)
    return FALSE;
  show_cursor (self);
  gboolean other = (event->state & GDK_SHIFT_MASK) != 0;
  if (!fs_stroke_input_is_active (self->input)
      && fs_canvas_begin_stroke (self, (const GdkEvent *)event, other, self->pointer_x,
                                 self->pointer_y))
    self->stroke_key = event->keyval;
  return TRUE;
}

/* ---- Events ---- */

/* While it is held the original is shown. */
static gboolean
is_compare_key (const GdkEventKey *event)
{
  return (event->keyval == GDK_KEY_o || event->keyval == GDK_KEY_O)
         && (event->state & (GDK_CONTROL_MASK | GDK_MOD1_MASK)) == 0;
}

static gboolean
is_shift (const GdkEventKey *event)
{
  return event->keyval == GDK_KEY_Shift_L || event->keyval == GDK_KEY_Shift_R;
}

static gboolean
fs_canvas_key_press (GtkWidget *widget, GdkEventKey *event)
{
  FsCanvas *self = (FsCanvas *)widget;
  if (is_shift (event))
    fs_canvas_hold_line (self, TRUE);
  if (event->keyval == GDK_KEY_Escape)
    self->cursor_by_keys = FALSE;
  if (event->keyval == GDK_KEY_Escape && fs_canvas_cancel_stroke (self))
    return GDK_EVENT_STOP;
  if (event->keyval == GDK_KEY_space && !fs_stroke_input_is_active (self->input)) {
    hold_space (self, TRUE);
    return GDK_EVENT_STOP;
  }
  if (is_compare_key (event)) {
    hold_compare (self, TRUE);
    return GDK_EVENT_STOP;
  }
  if (self->document != NULL && (move_cursor (self, event) || press_enter (self, event)))
    return GDK_EVENT_STOP;
  return GDK_EVENT_PROPAGATE;
}

static gboolean
fs_canvas_key_release (GtkWidget *widget, GdkEventKey *event)
{
  FsCanvas *self = (FsCanvas *)widget;
  if (event->keyval == GDK_KEY_space)
    hold_space (self, FALSE);
  if (is_shift (event))
    fs_canvas_hold_line (self, FALSE);
  if (event->keyval == GDK_KEY_o || event->keyval == GDK_KEY_O)
    hold_compare (self, FALSE);
  if (self->stroke_key == 0 || event->keyval != self->stroke_key)
    return GDK_EVENT_PROPAGATE;
  fs_canvas_end_stroke (self);
  return GDK_EVENT_STOP;
}

static gboolean
fs_canvas_focus_out (GtkWidget *widget, GdkEventFocus *event)
{
  FsCanvas *self = (FsCanvas *)widget;
  hold_space (self, FALSE);
  hold_compare (self, FALSE);
  fs_canvas_hold_line (self, FALSE);
  if (self->stroke_key != 0)
    fs_canvas_end_stroke (self);
  return GDK_EVENT_PROPAGATE;
}

void
fs_canvas_class_init_keys (GtkWidgetClass *widget_class)
{
  widget_class->key_press_event = fs_canvas_key_press;
  widget_class->key_release_event = fs_canvas_key_release;
  widget_class->focus_out_event = fs_canvas_focus_out;
}
