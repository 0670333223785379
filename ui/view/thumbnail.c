/* SPDX-License-Identifier: MIT */
#include "ui/view/thumbnail.h"

/* Twice the widget's size, for a scale factor of 2. */
#define SIDE_PX    640
#define SQUARE_PX  8
#define N_SAMPLES  4
#define LIGHT_GREY 0.80
#define DARK_GREY  0.62

struct _FsThumbnail {
  GtkDrawingArea parent;
  cairo_surface_t *picture;
  int zoom;
};

G_DEFINE_FINAL_TYPE (FsThumbnail, fs_thumbnail, GTK_TYPE_DRAWING_AREA)

/* ---- The picture ---- */

typedef struct {
  guint a, r, g, b; /* premultiplied sums */
} Sum;

static void
add_pixel (Sum *sum, const FsExport *what, int x, int y)
{
  gsize i = (gsize)y * (gsize)what->image->width + (gsize)x;
  uint32_t pixel = what->image->pixels[i];
  guint a = what->mask[i] ? FS_PIXEL_A (pixel) : 0;
  if (what->kind != FS_EXPORT_CUTOUT) {
    pixel = what->mask[i] ? 0xffffffff : 0xff000000;
    a = 255;
  }
  if (what->background != NULL && what->kind == FS_EXPORT_CUTOUT) {
    pixel = fs_pixel_over (FS_PIXEL (a, FS_PIXEL_R (pixel), FS_PIXEL_G (pixel), FS_PIXEL_B (pixel)),
                           fs_background_get_pixel (what->background, what->image->width,
                                                    what->image->height, x, y));
    a = 255;
  }
  sum->a += a;
  sum->r += FS_PIXEL_R (pixel) * a / 255;
  sum->g += FS_PIXEL_G (pixel) * a / 255;
  sum->b += FS_PIXEL_B (pixel) * a / 255;
}

/* The mean of the photo's pixels from [x0, x1) × [y0, y1). */
static guint32
mean_of_area (const FsExport *what, double x0, double y0, double x1, double y1)
{
  Sum sum = { 0 };
  for (int j = 0; j < N_SAMPLES; j++)
    for (int i = 0; i < N_SAMPLES; i++)
      add_pixel (&sum, what, (int)(x0 + (x1 - x0) * (i + 0.5) / N_SAMPLES),
                 (int)(y0 + (y1 - y0) * (j + 0.5) / N_SAMPLES));
  const guint n = N_SAMPLES * N_SAMPLES;
  return FS_PIXEL (sum.a / n, sum.r / n, sum.g / n, sum.b / n);
}

cairo_surface_t *
fs_thumbnail_render (const FsExport *what, int side)
{
  g_return_val_if_fail (what != NULL && side > 0, NULL);

  FsRect area = what->area;
  if (fs_rect_is_empty (area))
    area = (FsRect){ 0, 0, what->image->width, what->image->height };
  double scale = MAX (1, (double)MAX (area.x1 - area.x0, area.y1 - area.y0) / side);
  int width = MAX (1, (int)((area.x1 - area.x0) / scale));
  int height = MAX (1, (int)((area.y1 - area.y0) / scale));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy (surface);
    return NULL;
  }
  unsigned char *data = cairo_image_surface_get_data (surface);
  gsize stride = (gsize)cairo_image_surface_get_stride (surface);
  for (int y = 0; y < height; y++) {
    guint32 *row = (gpointer)(data + (gsize)y * stride);
    for (int x = 0; x < width; x++)
      row[x] = mean_of_area (what, area.x0 + x * scale, area.y0 + y * scale,
                             MIN (area.x0 + (x + 1) * scale, area.x1),
                             MIN (area.y0 + (y + 1) * scale, area.y1));
  }
  cairo_surface_mark_dirty (surface);
  return surface;
}

/* ---- The widget ---- */

void
fs_thumbnail_set (FsThumbnail *self, const FsExport *what)
{
  g_clear_pointer (&self->picture, cairo_surface_destroy);
  self->picture = fs_thumbnail_render (what, SIDE_PX);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fs_thumbnail_set_zoom (FsThumbnail *self, int zoom)
{
  self->zoom = zoom;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
draw_checkerboard (cairo_t *cr, int width, int height)
{
  for (int y = 0; y < height; y += SQUARE_PX)
    for (int x = 0; x < width; x += SQUARE_PX) {
      double grey = (x / SQUARE_PX + y / SQUARE_PX) % 2 ? DARK_GREY : LIGHT_GREY;
      cairo_set_source_rgb (cr, grey, grey, grey);
      cairo_rectangle (cr, x, y, MIN (SQUARE_PX, width - x), MIN (SQUARE_PX, height - y));
      cairo_fill (cr);
    }
}

static gboolean
fs_thumbnail_draw (GtkWidget *widget, cairo_t *cr)
{
  const FsThumbnail *self = FS_THUMBNAIL (widget);
  if (self->picture == NULL)
    return GDK_EVENT_PROPAGATE;
  int width = cairo_image_surface_get_width (self->picture);
  int height = cairo_image_surface_get_height (self->picture);
  double available_x = gtk_widget_get_allocated_width (widget);
  double available_y = gtk_widget_get_allocated_height (widget);
  double scale = MIN (self->zoom, MIN (available_x / width, available_y / height));
  int shown_width = MAX (1, (int)(width * scale)), shown_height = MAX (1, (int)(height * scale));
  cairo_translate (cr, (int)(available_x - shown_width) / 2, (int)(available_y - shown_height) / 2);
  draw_checkerboard (cr, shown_width, shown_height);
  cairo_rectangle (cr, 0, 0, shown_width, shown_height);
  cairo_clip (cr);
  cairo_scale (cr, scale, scale);
  cairo_set_source_surface (cr, self->picture, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_GOOD);
  cairo_paint (cr);
  return GDK_EVENT_PROPAGATE;
}

static void
fs_thumbnail_finalize (GObject *object)
{
  g_clear_pointer (&FS_THUMBNAIL (object)->picture, cairo_surface_destroy);
  G_OBJECT_CLASS (fs_thumbnail_parent_class)->finalize (object);
}

static void
fs_thumbnail_class_init (FsThumbnailClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fs_thumbnail_finalize;
  GTK_WIDGET_CLASS (klass)->draw = fs_thumbnail_draw;
}

static void
fs_thumbnail_init (FsThumbnail *self)
{
  self->zoom = 1;
}
