/* SPDX-License-Identifier: MIT */
#include "app/labels/parse/object_canvas.h"

#include <math.h>
#include <string.h>

/* Pixels that may be filled, as multiples of the plane and in addition. */
enum { BUDGET_PLANES = 64, BUDGET_MORE = 1 << 26 };
enum { FIFTHS = 5 };

struct _FsObjectCanvas {
  int width, height;
  uint8_t *plane;    /* [height · width] 1: drawn        */
  uint8_t *crossing; /* [height · width] of one polygon  */
  FsRect box;        /* of what is drawn                 */
  gint64 budget;
};

FsObjectCanvas *
fs_object_canvas_new (int width, int height)
{
  g_return_val_if_fail (width > 0 && height > 0, NULL);

  g_autoptr (FsObjectCanvas) canvas = g_new0 (FsObjectCanvas, 1);
  gsize n = (gsize)width * (gsize)height;
  canvas->width = width;
  canvas->height = height;
  canvas->plane = g_try_malloc0 (n);
  canvas->crossing = g_try_malloc0 (n);
  canvas->budget = (gint64)n * BUDGET_PLANES + BUDGET_MORE;
  return canvas->plane && canvas->crossing ? g_steal_pointer (&canvas) : NULL;
}

void
fs_object_canvas_free (FsObjectCanvas *canvas)
{
  if (!canvas)
    return;
  g_free (canvas->plane);
  g_free (canvas->crossing);
  g_free (canvas);
}

static FsRect
join_boxes (FsRect a, FsRect b)
{
  if (a.x0 >= a.x1 || a.y0 >= a.y1)
    return b;
  return (FsRect){ MIN (a.x0, b.x0), MIN (a.y0, b.y0), MAX (a.x1, b.x1), MAX (a.y1, b.y1) };
}

static gint64
area_of (FsRect box)
{
  return (gint64)(box.x1 - box.x0) * (box.y1 - box.y0);
}

static void
note_drawn (FsObjectCanvas *canvas, FsRect box)
{
  canvas->box = join_boxes (canvas->box, box);
  canvas->budget -= area_of (box);
}

void
fs_object_canvas_add_column (FsObjectCanvas *canvas, int x, int y0, int y1)
{
  g_return_if_fail (x >= 0 && x < canvas->width && y0 >= 0 && y1 <= canvas->height);
  if (y0 >= y1)
    return;
  for (int y = y0; y < y1; y++)
    canvas->plane[(gsize)y * (gsize)canvas->width + (gsize)x] = 1;
  note_drawn (canvas, (FsRect){ x, y0, x + 1, y1 });
}

void
fs_object_canvas_add_row (FsObjectCanvas *canvas, int y, int x0, int x1)
{
  g_return_if_fail (y >= 0 && y < canvas->height && x0 >= 0 && x1 <= canvas->width);
  if (x0 >= x1)
    return;
  memset (canvas->plane + (gsize)y * (gsize)canvas->width + (gsize)x0, 1, (gsize)(x1 - x0));
  note_drawn (canvas, (FsRect){ x0, y, x1, y + 1 });
}

/* --- polygons --- */

static int
clamp_to (double value, int max)
{
  return value <= 0 ? 0 : value >= max ? max : (int)value;
}

/* The pixels that a polygon may cover. */
static FsRect
bound (const FsObjectCanvas *canvas, const double *xy, gsize n)
{
  double x0 = xy[0], x1 = xy[0], y0 = xy[1], y1 = xy[1];
  for (gsize i = 1; i < n; i++) {
    x0 = MIN (x0, xy[2 * i]);
    x1 = MAX (x1, xy[2 * i]);
    y0 = MIN (y0, xy[2 * i + 1]);
    y1 = MAX (y1, xy[2 * i + 1]);
  }
  return (
      FsRect){ clamp_to (floor (x0) - 1, canvas->width), clamp_to (floor (y0) - 1, canvas->height),
               clamp_to (ceil (x1) + 1, canvas->width), clamp_to (ceil (y1) + 1, canvas->height) };
}

/* From this pixel of the column on it is the other side; nothing below the plane. */
static void
cross_column (FsObjectCanvas *canvas, FsRect box, int x, gint64 y)
{
  if (x >= box.x0 && x < box.x1 && y < box.y1)
    canvas->crossing[(gsize)MAX (y, box.y0) * (gsize)canvas->width + (gsize)x] ^= 1;
}

static void
cross_by_centres (FsObjectCanvas *canvas, FsRect box, const double *a, const double *b)
{
  if (a[0] > b[0]) {
    const double *c = a;
    a = b;
    b = c;
  }
  int first = MAX (box.x0, (int)ceil (a[0] - 0.5)), last = MIN (box.x1, (int)ceil (b[0] - 0.5));
  canvas->budget -= MAX (last - first, 0);
  for (int x = first; x < last; x++) {
    double y = a[1] + (b[1] - a[1]) * ((x + 0.5 - a[0]) / (b[0] - a[0]));
    cross_column (canvas, box, x, (gint64)ceil (y - 0.5));
  }
}

/* A line between two points of the fine grid, from its lower end along its longer direction. */
typedef struct {
  gint64 x0, y0, x1, y1, dx, dy;
  double slope; /* of the other coordinate */
} FineLine;

static FineLine
fine_line (gint64 x0, gint64 y0, gint64 x1, gint64 y1)
{
  gint64 dx = ABS (x1 - x0), dy = ABS (y1 - y0);
  FineLine line = { x0, y0, x1, y1, dx, dy, 0 };
  if ((dx >= dy && x0 > x1) || (dx < dy && y0 > y1))
    line = (FineLine){ x1, y1, x0, y0, dx, dy, 0 };
  if (dx > 0 && dx >= dy)
    line.slope = (double)(line.y1 - line.y0) / (double)dx;
  else if (dy > 0)
    line.slope = (double)(line.x1 - line.x0) / (double)dy;
  return line;
}

static gint64
fine_y (const FineLine *line, gint64 x)
{
  return (gint64)((double)line->y0 + line->slope * (double)(x - line->x0) + 0.5);
}

static gint64
fine_x (const FineLine *line, gint64 y)
{
  return (gint64)((double)line->x0 + line->slope * (double)(y - line->y0) + 0.5);
}

/* The fine row in which a steep line passes from one of two neighbouring fine columns to the
 * other. */
static gint64
find_passage (const FineLine *line, gint64 x)
{
  gint64 low = line->y0, high = line->y1;
  gboolean is_left = fine_x (line, low) <= x;
  while (high - low > 1) {
    gint64 middle = low + (high - low) / 2;
    if ((fine_x (line, middle) <= x) == is_left)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void
cross_by_fifths (FsObjectCanvas *canvas, FsRect box, const double *a, const double *b)
{
  FineLine line = fine_line ((gint64)(FIFTHS * a[0] + 0.5), (gint64)(FIFTHS * a[1] + 0.5),
                             (gint64)(FIFTHS * b[0] + 0.5), (gint64)(FIFTHS * b[1] + 0.5));
  gint64 min = MIN (line.x0, line.x1), max = MAX (line.x0, line.x1);
  int first = (int)MAX (box.x0, min / FIFTHS - 1);
  int last = (int)MIN (box.x1, max / FIFTHS + 1);
  canvas->budget -= MAX (last - first, 0);
  for (int x = first; x < last; x++) {
    gint64 fine = (gint64)FIFTHS * x + 2;
    if (fine < min || fine + 1 > max)
      continue;
    gint64 y = line.dx >= line.dy ? MIN (fine_y (&line, fine), fine_y (&line, fine + 1))
                                  : find_passage (&line, fine);
    /* The first pixel whose third fine row is not above. */
    cross_column (canvas, box, x, y <= 2 ? 0 : (y + 2) / FIFTHS);
  }
}

/* Draws what the crossings enclose, or, where not all sides have been followed, forgets them. */
static void
fill_crossed (FsObjectCanvas *canvas, FsRect box, gboolean is_whole)
{
  gsize w = (gsize)canvas->width;
  for (int y = box.y0; y < box.y1; y++) {
    uint8_t *row = canvas->crossing + (gsize)y * w, *drawn = canvas->plane + (gsize)y * w;
    for (int x = box.x0; x < box.x1; x++) {
      drawn[x] |= row[x] & is_whole;
      if (y + 1 < box.y1)
        row[w + (gsize)x] ^= row[x];
      row[x] = 0;
    }
  }
}

gboolean
fs_object_canvas_add_polygon (FsObjectCanvas *canvas, FsCanvasRule rule, const double *xy, gsize n)
{
  if (n < 3)
    return FALSE;
  for (gsize i = 0; i < 2 * n; i++)
    if (!(fabs (xy[i]) <= FS_CANVAS_MAX_PLACE_PX))
      return FALSE;
  FsRect box = bound (canvas, xy, n);
  if (box.x0 >= box.x1 || box.y0 >= box.y1)
    return TRUE;
  gsize i = 0;
  for (; i < n && canvas->budget > 0; i++) {
    const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % n);
    if (rule == FS_CANVAS_FIFTHS)
      cross_by_fifths (canvas, box, a, b);
    else
      cross_by_centres (canvas, box, a, b);
    canvas->budget--;
  }
  fill_crossed (canvas, box, i == n);
  note_drawn (canvas, box);
  return i == n;
}

/* --- what is drawn --- */

gboolean
fs_object_canvas_is_spent (const FsObjectCanvas *canvas)
{
  return canvas->budget <= 0;
}

gint64
fs_object_canvas_count (const FsObjectCanvas *canvas)
{
  gint64 n = 0;
  for (int y = canvas->box.y0; y < canvas->box.y1; y++)
    for (int x = canvas->box.x0; x < canvas->box.x1; x++)
      n += canvas->plane[(gsize)y * (gsize)canvas->width + (gsize)x];
  return n;
}

void
fs_object_canvas_clear (FsObjectCanvas *canvas)
{
  FsRect box = canvas->box;
  for (int y = box.y0; y < box.y1; y++)
    memset (canvas->plane + (gsize)y * (gsize)canvas->width + (gsize)box.x0, 0,
            (gsize)(box.x1 - box.x0));
  canvas->box = (FsRect){ 0 };
}

void
fs_object_canvas_take (FsObjectCanvas *canvas, FsLabelObject *object)
{
  FsRect box = canvas->box;
  canvas->budget -= area_of (box);
  for (int y = box.y0; y < box.y1; y++) {
    const uint8_t *row = canvas->plane + (gsize)y * (gsize)canvas->width;
    for (int x = box.x0, end; x < box.x1; x = end) {
      for (end = x + 1; end < box.x1 && row[end] == row[x]; end++)
        continue;
      if (row[x])
        fs_label_object_add_run (object, y, x, end);
    }
  }
  fs_object_canvas_clear (canvas);
}
