/* SPDX-License-Identifier: MIT */
#include "ui/folder/photo_strip.h"

#include "app/files/display_name.h"
#include "ui/folder/thumbnail_cache.h"
#include <glib/gi18n.h>
#include <math.h>

#define CELL_PX   84 /* width of a photo's place */
#define PHOTO_PX  72 /* longer side of a thumbnail */
#define HEIGHT_PX 84
#define MARK_PX   16

struct _FsPhotoStrip {
  GtkRevealer parent_instance;
  GtkLabel *count;
  GtkScrolledWindow *scroller;
  GtkWidget *area;
  FsFolderJob *job; /* NULL: none */
  FsThumbnailCache *cache;
  char *photo;            /* path of the window's photo, or NULL */
  int shown;              /* its place; -1: it is not there */
  gboolean scrolls_later; /* once there is room for all photos */
  char *text;
};

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FsPhotoStrip, fs_photo_strip, GTK_TYPE_REVEALER)

static const FsFolderList *
get_list (FsPhotoStrip *self)
{
  return self->job != NULL ? fs_folder_job_get_list (self->job) : NULL;
}

static const char *
describe_state (FsFolderState state)
{
  static const char *const states[] = {
    [FS_FOLDER_EMPTY] = NC_ ("photo", "empty"),
    [FS_FOLDER_BEGUN] = NC_ ("photo", "begun"),
    [FS_FOLDER_DONE] = NC_ ("photo", "done"),
  };
  return g_dpgettext2 (NULL, "photo", states[state]);
}

/* "3.png: begun". g_free. */
static char *
describe_photo (const FsFolderPhoto *photo)
{
  g_autofree char *name = fs_display_name (photo->name);
  /* Translators: a photo's name, and whether it is empty, begun or done */
  return g_strdup_printf (_ ("%s: %s"), name, describe_state (photo->state));
}

/* ---- Drawing ---- */

static void
set_rgb (cairo_t *cr, guint32 rgb)
{
  cairo_set_source_rgb (cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                        (rgb & 255) / 255.0);
}

/* On a dark disc, so that it is seen on any photo. */
static void
draw_mark (cairo_t *cr, double x, double y, FsFolderState state)
{
  const double r = MARK_PX / 2.0;
  cairo_new_path (cr);
  cairo_arc (cr, x, y, r, 0, 2 * G_PI);
  set_rgb (cr, state == FS_FOLDER_DONE ? 0x1a7f4b : 0x1e1d24);
  cairo_fill (cr);
  cairo_set_line_width (cr, 2);
  set_rgb (cr, state == FS_FOLDER_BEGUN ? 0xf6d32d : 0xffffff);
  if (state == FS_FOLDER_DONE) {
    cairo_move_to (cr, x - r * 0.5, y);
    cairo_line_to (cr, x - r * 0.1, y + r * 0.42);
    cairo_line_to (cr, x + r * 0.55, y - r * 0.4);
    cairo_stroke (cr);
    return;
  }
  cairo_arc (cr, x, y, r * 0.55, 0, 2 * G_PI);
  cairo_stroke (cr);
  if (state == FS_FOLDER_BEGUN) {
    cairo_arc (cr, x, y, r * 0.55, G_PI / 2, 3 * G_PI / 2);
    cairo_fill (cr);
  }
}

static void
draw_thumbnail (FsPhotoStrip *self, cairo_t *cr, const char *path, double x, double y,
                GdkRectangle *place)
{
  cairo_surface_t *surface = fs_thumbnail_cache_get (self->cache, path);
  const double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  double width = PHOTO_PX, height = PHOTO_PX * 0.75;
  if (surface != NULL) {
    width = cairo_image_surface_get_width (surface) / scale;
    height = cairo_image_surface_get_height (surface) / scale;
  }
  *place = (GdkRectangle){ (int)(x - width / 2), (int)(y - height / 2), (int)ceil (width),
                           (int)ceil (height) };
  cairo_save (cr);
  if (surface != NULL) {
    cairo_translate (cr, place->x, place->y);
    cairo_scale (cr, 1 / scale, 1 / scale);
    cairo_set_source_surface (cr, surface, 0, 0);
    cairo_paint (cr);
  } else {
    cairo_set_source_rgba (cr, 0.5, 0.5, 0.5, 0.25);
    cairo_rectangle (cr, place->x, place->y, place->width, place->height);
    cairo_fill (cr);
  }
  cairo_restore (cr);
}

static void
draw_photo (FsPhotoStrip *self, cairo_t *cr, const FsFolderList *list, int i)
{
  const FsFolderPhoto *photo = fs_folder_list_get (list, (guint)i);
  g_autofree char *path = fs_folder_list_path (list, (guint)i);
  const double x = (i + 0.5) * CELL_PX, y = HEIGHT_PX / 2.0;
  GdkRectangle place;
  if (i == self->shown) {
    GtkStyleContext *context = gtk_widget_get_style_context (self->area);
    GdkRGBA rgba = { 0.2, 0.5, 0.9, 1 };
    gtk_style_context_lookup_color (context, "theme_selected_bg_color", &rgba);
    gdk_cairo_set_source_rgba (cr, &rgba);
    cairo_rectangle (cr, i * CELL_PX + 1, 1, CELL_PX - 2, HEIGHT_PX - 2);
    cairo_fill (cr);
  }
  draw_thumbnail (self, cr, path, x, y, &place);
  draw_mark (cr, place.x + place.width - MARK_PX / 2.0 - 1,
             place.y + place.height - MARK_PX / 2.0 - 1, photo->state);
}

static gboolean
on_draw (GtkWidget *area, cairo_t *cr, FsPhotoStrip *self)
{
  const FsFolderList *list = get_list (self);
  GdkRectangle clip;
  if (list == NULL || !gdk_cairo_get_clip_rectangle (cr, &clip))
    return GDK_EVENT_PROPAGATE;
  const int first = MAX (clip.x / CELL_PX, 0);
  const int end = MIN ((clip.x + clip.width) / CELL_PX + 1, (int)list->photos->len);
  for (int i = first; i < end; i++)
    draw_photo (self, cr, list, i);
  return GDK_EVENT_STOP;
}

/* ---- The text ---- */

static void
update_text (FsPhotoStrip *self)
{
  const FsFolderList *list = get_list (self);
  AtkObject *accessible = gtk_widget_get_accessible (self->area);
  g_clear_pointer (&self->text, g_free);
  if (list == NULL || self->shown < 0) {
    gtk_label_set_text (self->count, "");
    return;
  }
  const guint n_done = fs_folder_list_count (list, FS_FOLDER_DONE);
  /* Translators: the number of a photo, of how many, and how many of all are done */
  self->text =
      g_strdup_printf (_ ("%d of %u, %u done"), self->shown + 1, list->photos->len, n_done);
  g_auto (GStrv) parts = g_strsplit (self->text, ", ", 2);
  g_autofree char *lines = g_strjoinv (",\n", parts);
  gtk_label_set_text (self->count, lines);
  g_autofree char *photo = describe_photo (fs_folder_list_get (list, (guint)self->shown));
  g_autofree char *description = g_strdup_printf ("%s. %s", self->text, photo);
  atk_object_set_description (accessible, description);
}

const char *
fs_photo_strip_get_text (FsPhotoStrip *self)
{
  return self->text != NULL ? self->text : "";
}

/* ---- The place of the window's photo ---- */

/* A place more on either side stays in sight. */
static void
scroll_to_shown (FsPhotoStrip *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_hadjustment (self->scroller);
  if (self->shown < 0)
    return;
  const double last = (self->shown + 2) * CELL_PX;
  self->scrolls_later = gtk_adjustment_get_upper (adjustment) < last - CELL_PX;
  gtk_adjustment_clamp_page (adjustment, (self->shown - 1) * CELL_PX, last);
}

static void
on_width_changed (FsPhotoStrip *self)
{
  if (self->scrolls_later)
    scroll_to_shown (self);
}

static void
update_strip (FsPhotoStrip *self)
{
  const FsFolderList *list = get_list (self);
  const int before = self->shown;
  self->shown = list != NULL && self->photo != NULL ? fs_folder_list_find (list, self->photo) : -1;
  gtk_widget_set_size_request (self->area, list != NULL ? (int)list->photos->len * CELL_PX : 1,
                               HEIGHT_PX);
  gtk_widget_queue_draw (self->area);
  update_text (self);
  if (self->shown != before)
    scroll_to_shown (self);
}

static int
find_place (FsPhotoStrip *self, double x)
{
  const FsFolderList *list = get_list (self);
  const int place = (int)floor (x / CELL_PX);
  return list != NULL && place >= 0 && place < (int)list->photos->len ? place : -1;
}

static gboolean
on_button (GtkWidget *area, GdkEventButton *event, FsPhotoStrip *self)
{
  const int place = find_place (self, event->x);
  if (event->type != GDK_BUTTON_PRESS || event->button != GDK_BUTTON_PRIMARY || place < 0)
    return GDK_EVENT_PROPAGATE;
  g_autofree char *path = fs_folder_list_path (get_list (self), (guint)place);
  g_signal_emit (self, signals[CHOSEN], 0, path);
  return GDK_EVENT_STOP;
}

static gboolean
on_query_tooltip (GtkWidget *area, int x, int y, gboolean by_key, GtkTooltip *tooltip,
                  FsPhotoStrip *self)
{
  const int place = find_place (self, x);
  if (place < 0)
    return FALSE;
  g_autofree char *text = describe_photo (fs_folder_list_get (get_list (self), (guint)place));
  const GdkRectangle cell = { place * CELL_PX, 0, CELL_PX, HEIGHT_PX };
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &cell);
  return TRUE;
}

/* The wheel moves along the strip. */
static gboolean
on_scroll (GtkWidget *area, GdkEventScroll *event, FsPhotoStrip *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_hadjustment (self->scroller);
  double dx, dy;
  if (!gdk_event_get_scroll_deltas ((const GdkEvent *)event, &dx, &dy)) {
    dx = event->direction == GDK_SCROLL_RIGHT ? 1 : event->direction == GDK_SCROLL_LEFT ? -1 : 0;
    dy = event->direction == GDK_SCROLL_DOWN ? 1 : event->direction == GDK_SCROLL_UP ? -1 : 0;
  }
  fs_thumbnail_cache_forget_wishes (self->cache);
  gtk_adjustment_set_value (adjustment,
                            gtk_adjustment_get_value (adjustment) + (dx + dy) * 2 * CELL_PX);
  return GDK_EVENT_STOP;
}

void
fs_photo_strip_set_job (FsPhotoStrip *self, FsFolderJob *job, const char *photo)
{
  g_return_if_fail (FS_IS_PHOTO_STRIP (self));

  if (self->job != job) {
    if (self->job != NULL)
      g_signal_handlers_disconnect_by_data (self->job, self);
    g_set_object (&self->job, job);
    fs_thumbnail_cache_forget_wishes (self->cache);
    if (job != NULL)
      g_signal_connect_object (job, "list-changed", G_CALLBACK (update_strip), self,
                               G_CONNECT_SWAPPED);
  }
  gtk_widget_set_visible (GTK_WIDGET (self), job != NULL);
  g_free (self->photo);
  self->photo = g_strdup (photo);
  update_strip (self);
}

/* ---- The widget ---- */

static void
fs_photo_strip_dispose (GObject *object)
{
  FsPhotoStrip *self = FS_PHOTO_STRIP (object);
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
  if (self->cache != NULL) {
    g_signal_handlers_disconnect_by_data (self->cache, self);
    fs_thumbnail_cache_close (self->cache);
  }
  g_clear_object (&self->cache);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->photo, g_free);
  G_OBJECT_CLASS (fs_photo_strip_parent_class)->dispose (object);
}

static void
fs_photo_strip_class_init (FsPhotoStripClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fs_photo_strip_dispose;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
make_area (FsPhotoStrip *self)
{
  self->area = gtk_drawing_area_new ();
  gtk_widget_add_events (self->area,
                         GDK_BUTTON_PRESS_MASK | GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK);
  gtk_widget_set_has_tooltip (self->area, TRUE);
  g_signal_connect (self->area, "draw", G_CALLBACK (on_draw), self);
  g_signal_connect (self->area, "button-press-event", G_CALLBACK (on_button), self);
  g_signal_connect (self->area, "scroll-event", G_CALLBACK (on_scroll), self);
  g_signal_connect (self->area, "query-tooltip", G_CALLBACK (on_query_tooltip), self);
  atk_object_set_name (gtk_widget_get_accessible (self->area), _ ("Photos of the folder"));
  atk_object_set_role (gtk_widget_get_accessible (self->area), ATK_ROLE_LIST);
}

static void
fs_photo_strip_init (FsPhotoStrip *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->shown = -1;
  self->cache = fs_thumbnail_cache_new (PHOTO_PX * gtk_widget_get_scale_factor (GTK_WIDGET (self)));
  self->count = GTK_LABEL (gtk_label_new (NULL));
  g_object_set (self->count, "margin", 8, NULL);
  gtk_label_set_justify (self->count, GTK_JUSTIFY_CENTER);
  make_area (self);
  self->scroller = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new (NULL, NULL));
  gtk_scrolled_window_set_policy (self->scroller, GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_container_add (GTK_CONTAINER (self->scroller), self->area);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (self->scroller), "changed",
                           G_CALLBACK (on_width_changed), self, G_CONNECT_SWAPPED);
  gtk_container_add (GTK_CONTAINER (box), GTK_WIDGET (self->count));
  gtk_box_pack_start (GTK_BOX (box), GTK_WIDGET (self->scroller), TRUE, TRUE, 0);
  gtk_container_add (GTK_CONTAINER (self), box);
  gtk_widget_show_all (box);
  gtk_revealer_set_transition_type (GTK_REVEALER (self), GTK_REVEALER_TRANSITION_TYPE_NONE);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self)), "fs-strip");
  g_signal_connect_object (self->cache, "loaded", G_CALLBACK (gtk_widget_queue_draw), self->area,
                           G_CONNECT_SWAPPED);
}
