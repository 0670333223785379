/* SPDX-License-Identifier: MIT */
#include "ui/canvas/canvas.h"

#include "app/live/document_edge.h"
#include "ui/canvas/canvas_private.h"
#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (FsCanvas, fs_canvas, GTK_TYPE_DRAWING_AREA)

#define DASHES_MS 120

enum { PROP_ZOOM = 1 };

static FsRect
photo_rect (FsCanvas *self)
{
  FsImage *image = fs_pyramid_get_image (self->pyramid);
  return (FsRect){ 0, 0, image->width, image->height };
}

/* ---- The document ---- */

static void
on_marks_updated (FsCanvas *self, const FsRect *rect)
{
  if (fs_rect_is_empty (*rect))
    return;
  fs_pyramid_update_marks (self->pyramid, fs_document_get_brushed (self->document), rect);
  fs_canvas_invalidate_rect (self, rect, fs_canvas_shows_marks (self));
}

static gboolean
on_dashes (gpointer user_data)
{
  FsCanvas *self = user_data;
  self->phase++;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_CONTINUE;
}

/* Runs the timer only while a contour is visible, and not if the user has disabled animations. */
static void
animate_contour (FsCanvas *self)
{
  gboolean animations;
  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &animations,
                NULL);
  gboolean moves = animations && self->has_mask && gtk_widget_get_mapped (GTK_WIDGET (self))
                   && fs_canvas_shown_view (self) == FS_VIEW_CONTOUR;
  if (moves && self->dashes_id == 0)
    self->dashes_id = g_timeout_add (DASHES_MS, on_dashes, self);
  else if (!moves)
    g_clear_handle_id (&self->dashes_id, g_source_remove);
}

static void
remove_tint (FsCanvas *self)
{
  if (self->tint == NULL)
    return;
  g_clear_pointer (&self->tint, fs_guess_tint_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fs_canvas_show_guess (FsCanvas *self, const FsGuess *guess)
{
  remove_tint (self);
  self->tint = fs_guess_tint_new (guess);
  if (fs_tools_get_view (self->tools) == FS_VIEW_MARKS)
    fs_tools_set_view (self->tools, FS_VIEW_OVERLAY);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* TRUE if any of it will be visible. */
static gboolean
take_mask (FsCanvas *self, const FsRect *rects, guint n)
{
  gboolean seen = FALSE;
  gboolean has_mask = fs_document_get_status (self->document).has_mask;
  gboolean whole = has_mask != self->has_mask;
  FsRect all = photo_rect (self);
  self->has_mask = has_mask;
  if (whole) {
    rects = &all;
    n = 1;
  }
  if (n > 0 || fs_document_get_status (self->document).is_final)
    remove_tint (self);
  const uint8_t *mask = has_mask ? fs_document_get_mask (self->document) : NULL;
  for (guint i = 0; i < n; i++) {
    fs_pyramid_update_mask (self->pyramid, mask, &rects[i]);
    if (self->edge_levels != NULL)
      fs_edge_levels_update (self->edge_levels, &rects[i]);
    if (fs_canvas_shown_view (self) != FS_VIEW_MARKS
        && fs_canvas_shown_view (self) != FS_VIEW_ORIGINAL)
      seen |= fs_canvas_invalidate_rect (self, &rects[i], TRUE);
  }
  animate_contour (self);
  return seen;
}

static void
on_mask_updated (FsCanvas *self, const FsRect *rects, guint n)
{
  if (take_mask (self, rects, n))
    fs_latency_probe_note_mask (self->probe, fs_document_get_status (self->document).edit_us);
}

static void
on_status_changed (FsCanvas *self)
{
  take_mask (self, NULL, 0);
}

static gboolean
shows_edge (FsCanvas *self)
{
  const FsViewStyle style = fs_tools_get_style (self->tools);
  return fs_view_shows_edge (&style);
}

static void
on_edge_updated (FsCanvas *self, const FsRect *rects, guint n)
{
  for (guint i = 0; i < n; i++) {
    fs_edge_levels_update (self->edge_levels, &rects[i]);
    if (shows_edge (self))
      fs_canvas_invalidate_rect (self, &rects[i], TRUE);
  }
}

static void
on_edge_changed (FsCanvas *self, const FsRect *rect)
{
  fs_pyramid_set_zones (self->pyramid, fs_document_get_zones (self->document));
  if (!fs_rect_is_empty (*rect))
    fs_canvas_invalidate_rect (self, rect, fs_canvas_shows_zones (self));
}

static void
follow_edge (FsCanvas *self)
{
  fs_pyramid_set_zones (self->pyramid, fs_document_get_zones (self->document));
  g_signal_connect_object (self->document, "edge-changed", G_CALLBACK (on_edge_changed), self,
                           G_CONNECT_SWAPPED);
  self->edge = fs_live_edge_new (self->document);
  self->edge_levels = fs_edge_levels_new (self->edge, self->pyramid);
  fs_pyramid_set_edge (self->pyramid, self->edge_levels);
  g_signal_connect_object (self->edge, "updated", G_CALLBACK (on_edge_updated), self,
                           G_CONNECT_SWAPPED);
}

static void
drop_edge (FsCanvas *self)
{
  if (self->edge == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->edge, self);
  fs_pyramid_set_edge (self->pyramid, NULL);
  g_clear_pointer (&self->edge_levels, fs_edge_levels_free);
  fs_live_edge_close (self->edge);
  g_clear_object (&self->edge);
}

/* Is also called after the document is gone. */
static void
on_object_map_changed (FsCanvas *self)
{
  if (self->pyramid == NULL)
    return;
  fs_pyramid_set_numbers (self->pyramid, fs_object_map_get_numbers (self->object_map));
  const FsView view = fs_canvas_shown_view (self);
  if (view == FS_VIEW_OVERLAY || view == FS_VIEW_MASK || view == FS_VIEW_CUTOUT)
    fs_canvas_invalidate_all (self);
}

static void
on_view_changed (FsCanvas *self)
{
  self->zones_shown = fs_canvas_shows_zones (self);
  fs_canvas_invalidate_all (self);
  animate_contour (self);
}

/* Places the line at the pointer, or in the centre. */
static void
on_split_changed (FsCanvas *self)
{
  const FsViewTransform *t = &self->transform;
  double x = self->pointer_inside ? self->pointer_x : t->view_width / 2.0, y;
  if (self->document != NULL)
    fs_view_transform_to_image (t, x, 0, &self->split_x, &y);
  on_view_changed (self);
}

static void
on_tool_changed (FsCanvas *self)
{
  gboolean shown = fs_canvas_shows_zones (self);
  if (shown != self->zones_shown && self->document != NULL
      && fs_document_get_zones (self->document) != NULL)
    fs_canvas_invalidate_all (self);
  self->zones_shown = shown;
  fs_canvas_update_cursor (self);
  fs_canvas_request_frame (self);
}

static void
watch (FsCanvas *self, const char *property, GCallback callback)
{
  g_autofree char *signal = g_strdup_printf ("notify::%s", property);
  g_signal_connect_object (self->tools, signal, callback, self, G_CONNECT_SWAPPED);
}

void
fs_canvas_set_tools (FsCanvas *self, FsTools *tools)
{
  g_return_if_fail (self->tools == NULL);
  self->tools = g_object_ref (tools);
  static const char *const looks[] = { "view",           "comparing",       "soft-mask",
                                       "overlay-colour", "overlay-opacity", "backdrop",
                                       "backdrop-colour" };
  static const char *const hands[] = { "tool", "object", "brush-size", "fixed-size" };
  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    watch (self, looks[i], G_CALLBACK (on_view_changed));
  g_signal_connect_object (tools, "labels-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  watch (self, "split", G_CALLBACK (on_split_changed));
  for (gsize i = 0; i < G_N_ELEMENTS (hands); i++)
    watch (self, hands[i], G_CALLBACK (on_tool_changed));
}

static void
drop_document (FsCanvas *self)
{
  fs_canvas_end_input (self);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  drop_edge (self);
  g_clear_pointer (&self->pyramid, fs_pyramid_free);
  g_clear_pointer (&self->tint, fs_guess_tint_free);
  if (self->object_map != NULL)
    fs_object_map_set_document (self->object_map, NULL);
  g_clear_object (&self->document);
  self->has_mask = FALSE;
  g_clear_handle_id (&self->dashes_id, g_source_remove);
}

void
fs_canvas_set_document (FsCanvas *self, FsDocument *document, FsPyramid *pyramid)
{
  g_return_if_fail ((document == NULL) == (pyramid == NULL));
  drop_document (self);
  self->has_line = self->cursor_by_keys = FALSE;
  if (document != NULL) {
    self->document = g_object_ref (document);
    self->pyramid = pyramid;
    g_signal_connect_object (document, "marks-updated", G_CALLBACK (on_marks_updated), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (document, "mask-updated", G_CALLBACK (on_mask_updated), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (document, "status-changed", G_CALLBACK (on_status_changed), self,
                             G_CONNECT_SWAPPED);
    FsRect all = photo_rect (self), none = { 0 };
    gboolean painted = fs_document_get_n_strokes (document) > 0;
    fs_view_transform_init (&self->transform, all.x1, all.y1,
                            gtk_widget_get_allocated_width (GTK_WIDGET (self)),
                            gtk_widget_get_allocated_height (GTK_WIDGET (self)),
                            gtk_widget_get_scale_factor (GTK_WIDGET (self)));
    /* A search for marks in up to 256 megapixels without any would block the window. */
    fs_pyramid_update_marks (pyramid, fs_document_get_brushed (document), painted ? &all : &none);
    take_mask (self, &all, 1);
    fs_object_map_set_document (self->object_map, document);
    follow_edge (self);
  }
  fs_canvas_invalidate_all (self);
  fs_canvas_update_cursor (self);
  g_object_notify (G_OBJECT (self), "zoom");
}

FsDocument *
fs_canvas_get_document (FsCanvas *self)
{
  return self->document;
}

/* ---- Zoom and position ---- */

gboolean
fs_canvas_has_key_cursor (FsCanvas *self)
{
  return self->cursor_by_keys || self->stroke_key != 0;
}

const FsViewTransform *
fs_canvas_get_transform (FsCanvas *self)
{
  return &self->transform;
}

/* Zooms at the pointer while it is over the canvas, else at the centre. */
static void
zoom_to (FsCanvas *self, double zoom)
{
  if (self->document == NULL)
    return;
  FsViewTransform t = self->transform;
  double x = self->pointer_inside ? self->pointer_x : t.view_width / 2.0;
  double y = self->pointer_inside ? self->pointer_y : t.view_height / 2.0;
  fs_view_transform_zoom_to (&t, zoom, x, y);
  fs_canvas_change_transform (self, &t);
}

void
fs_canvas_zoom_step (FsCanvas *self, gboolean in)
{
  zoom_to (self, self->transform.zoom * (in ? FS_ZOOM_STEP : 1 / FS_ZOOM_STEP));
}

void
fs_canvas_zoom_original (FsCanvas *self)
{
  zoom_to (self, 1);
}

void
fs_canvas_zoom_fit (FsCanvas *self)
{
  if (self->document == NULL)
    return;
  FsViewTransform t = self->transform;
  fs_view_transform_fit (&t);
  fs_canvas_change_transform (self, &t);
}

static void
fs_canvas_size_allocate (GtkWidget *widget, GtkAllocation *allocation)
{
  FsCanvas *self = FS_CANVAS (widget);
  GTK_WIDGET_CLASS (fs_canvas_parent_class)->size_allocate (widget, allocation);
  int scale = gtk_widget_get_scale_factor (widget);
  fs_screen_cache_set_size (self->cache, allocation->width * scale, allocation->height * scale);
  fs_contour_set_size (self->contour, allocation->width * scale, allocation->height * scale);
  if (self->document == NULL)
    return;
  FsViewTransform t = self->transform;
  if (t.view_width == allocation->width && t.view_height == allocation->height && t.scale == scale)
    return;
  fs_view_transform_set_view (&self->transform, allocation->width, allocation->height, scale);
  fs_canvas_invalidate_all (self);
  if (t.zoom != self->transform.zoom)
    g_object_notify (G_OBJECT (self), "zoom");
}

static void
on_scale_factor_changed (FsCanvas *self)
{
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* ---- Frames ---- */

static void
take_input (GtkWidget *widget)
{
  FsCanvas *self = FS_CANVAS (widget);
  fs_canvas_apply_input (self);
  fs_canvas_update_circle (self);
}

gboolean
fs_canvas_awaits_frame (FsCanvas *self)
{
  return fs_frame_pace_is_requested (self->pace);
}

guint64
fs_canvas_get_painted (FsCanvas *self)
{
  return fs_screen_cache_get_painted (self->cache);
}

/* ---- The widget ---- */

FsObjectMap *
fs_canvas_get_object_map (FsCanvas *self)
{
  return self->object_map;
}

FsLiveEdge *
fs_canvas_get_edge (FsCanvas *self)
{
  return self->edge;
}

FsLatencyProbe *
fs_canvas_get_probe (FsCanvas *self)
{
  return self->probe;
}

static void
on_painted (GtkWidget *widget)
{
  fs_latency_probe_note_painted (FS_CANVAS (widget)->probe);
}

static void
fs_canvas_realize (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fs_canvas_parent_class)->realize (widget);
  g_signal_connect_object (gtk_widget_get_frame_clock (widget), "after-paint",
                           G_CALLBACK (on_painted), widget, G_CONNECT_SWAPPED);
  gdk_window_set_event_compression (gtk_widget_get_window (widget), FALSE);
  fs_canvas_update_cursor (FS_CANVAS (widget));
}

static void
fs_canvas_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FsCanvas *self = FS_CANVAS (object);
  switch (id) {
  case PROP_ZOOM:
    g_value_set_double (value, self->document != NULL ? self->transform.zoom : 0);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
fs_canvas_dispose (GObject *object)
{
  FsCanvas *self = FS_CANVAS (object);
  drop_document (self);
  g_clear_object (&self->object_map);
  g_clear_object (&self->pinch);
  g_clear_object (&self->tools);
  G_OBJECT_CLASS (fs_canvas_parent_class)->dispose (object);
}

static void
fs_canvas_finalize (GObject *object)
{
  FsCanvas *self = FS_CANVAS (object);
  fs_frame_pace_free (self->pace);
  fs_stroke_input_free (self->input);
  fs_screen_cache_free (self->cache);
  fs_contour_free (self->contour);
  fs_latency_probe_free (self->probe);
  fs_view_scratch_clear (&self->scratch);
  G_OBJECT_CLASS (fs_canvas_parent_class)->finalize (object);
}

static void
fs_canvas_class_init (FsCanvasClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  object_class->get_property = fs_canvas_get_property;
  object_class->dispose = fs_canvas_dispose;
  object_class->finalize = fs_canvas_finalize;
  widget_class->realize = fs_canvas_realize;
  widget_class->size_allocate = fs_canvas_size_allocate;
  widget_class->draw = fs_canvas_draw;
  fs_canvas_class_init_input (widget_class);
  fs_canvas_class_init_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "fs-canvas");

  g_object_class_install_property (object_class, PROP_ZOOM,
                                   g_param_spec_double ("zoom", NULL, NULL, 0, FS_ZOOM_MAX, 0,
                                                        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  g_signal_new ("stroke-ended", FS_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                0);
}

static void
fs_canvas_init (FsCanvas *self)
{
  self->cache = fs_screen_cache_new (CAIRO_FORMAT_RGB24);
  self->contour = fs_contour_new ();
  self->probe = fs_latency_probe_new ();
  self->input = fs_stroke_input_new ();
  self->object_map = fs_object_map_new ();
  g_signal_connect_object (self->object_map, "changed", G_CALLBACK (on_object_map_changed), self,
                           G_CONNECT_SWAPPED);
  self->pace = fs_frame_pace_new (GTK_WIDGET (self), take_input, on_painted);
  gtk_widget_set_can_focus (GTK_WIDGET (self), TRUE);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), _ ("Photo"));
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (on_scale_factor_changed), NULL);
  g_signal_connect (self, "map", G_CALLBACK (animate_contour), NULL);
  g_signal_connect_after (self, "unmap", G_CALLBACK (animate_contour), NULL);
  fs_canvas_init_input (self);
}
