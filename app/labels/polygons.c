/* SPDX-License-Identifier: MIT */
#include "app/labels/polygons.h"

#include "app/labels/mask_parts.h"

#include <string.h>

/* Pairs of corners that are compared for one bridge, and for all holes of a part. */
#define MAX_PAIRS ((gint64)1 << 22)

static void
free_contour (gpointer contour)
{
  g_array_unref (contour);
}

static const FsContourPoint *
point_at (const GArray *contour, guint i)
{
  return &g_array_index (contour, FsContourPoint, i);
}

typedef struct {
  guint from, to; /* corners of two contours */
  guint contour;  /* that `to` is of */
} Bridge;

/* The nearest corners of two contours; in large contours among every n-th. */
static Bridge
find_bridge (const GArray *a, const GArray *b, gint64 max_pairs)
{
  Bridge best = { 0 };
  gint64 best_distance = G_MAXINT64;
  guint a_step = 1, b_step = 1;
  while ((gint64)(a->len / a_step + 1) * (b->len / b_step + 1) > max_pairs
         && (a_step < a->len || b_step < b->len)) {
    if (a->len / a_step >= b->len / b_step)
      a_step *= 2;
    else
      b_step *= 2;
  }
  for (guint i = 0; i < a->len; i += a_step)
    for (guint k = 0; k < b->len; k += b_step) {
      const FsContourPoint *p = point_at (a, i), *q = point_at (b, k);
      const gint64 dx = p->x2 - q->x2, dy = p->y2 - q->y2, distance = dx * dx + dy * dy;
      if (distance < best_distance) {
        best_distance = distance;
        best.from = i;
        best.to = k;
      }
    }
  return best;
}

/* Appends a contour's corners from one to another, both included, in the contour's direction; the
 * whole contour where they are the same. */
static void
append_walk (GArray *to, const GArray *contour, guint from, guint until)
{
  guint i = from;
  do {
    g_array_append_val (to, *point_at (contour, i));
    i = (i + 1) % contour->len;
  } while (i != until);
  g_array_append_val (to, *point_at (contour, until));
}

static gint
compare_bridges (gconstpointer a, gconstpointer b)
{
  const Bridge *first = a, *second = b;
  if (first->from != second->from)
    return first->from < second->from ? -1 : 1;
  return first->contour < second->contour ? -1 : first->contour > second->contour;
}

/* The first contour, which is the outer one, with the others, which are its holes. */
static GArray *
join_holes (GPtrArray *contours)
{
  GArray *outer = contours->pdata[0];
  if (contours->len == 1)
    return g_array_ref (outer);
  g_autoptr (GArray) bridges = g_array_new (FALSE, FALSE, sizeof (Bridge));
  gsize n_points = outer->len;
  for (guint i = 1; i < contours->len; i++) {
    const GArray *hole = contours->pdata[i];
    Bridge bridge = find_bridge (outer, hole, MAX (16, MAX_PAIRS / (contours->len - 1)));
    bridge.contour = i;
    g_array_append_val (bridges, bridge);
    n_points += hole->len + 2;
  }
  g_array_sort (bridges, compare_bridges);
  GArray *joined = g_array_sized_new (FALSE, FALSE, sizeof (FsContourPoint), (guint)n_points);
  for (guint i = 0, k = 0; i < outer->len; i++) {
    g_array_append_val (joined, *point_at (outer, i));
    for (; k < bridges->len && g_array_index (bridges, Bridge, k).from == i; k++) {
      const Bridge *bridge = &g_array_index (bridges, Bridge, k);
      append_walk (joined, contours->pdata[bridge->contour], bridge->to, bridge->to);
      g_array_append_val (joined, *point_at (outer, i));
    }
  }
  return joined;
}

/* --- contours --------------------------------------------------------------------------------- */

typedef struct {
  GPtrArray *contours; /* of one part; the outer contour is the first */
  int x0, y0;          /* of the plane, in the photo */
} Tracing;

static gboolean
take_contour_points (gpointer user_data, const FsContourPoint *points, gsize n)
{
  Tracing *tracing = user_data;
  GArray *contour = g_array_sized_new (FALSE, FALSE, sizeof *points, (guint)n);
  for (gsize i = 0; i < n; i++) {
    const FsContourPoint point = { points[i].x2 + 2 * tracing->x0, points[i].y2 + 2 * tracing->y0 };
    g_array_append_val (contour, point);
  }
  g_ptr_array_add (tracing->contours, contour);
  return TRUE;
}

/* The polygon of one part; NULL where memory is short. Each contour passes the left end of a run, a
 * part's outer contour that of its first. */
static GArray *
trace_part (FsContourTracer *tracer, const FsLabelObject *part, int x0, int y0)
{
  g_autoptr (GPtrArray) contours = g_ptr_array_new_with_free_func (free_contour);
  Tracing tracing = { contours, x0, y0 };
  for (guint i = 0; i < part->runs->len; i++) {
    const FsLabelRun *run = &g_array_index (part->runs, FsLabelRun, i);
    if (!fs_contour_tracer_trace (tracer, run->x0 - x0, run->y - y0, take_contour_points, &tracing))
      return NULL;
  }
  return join_holes (contours);
}

GPtrArray *
fs_polygons_new (const FsLabelObject *object, int width, int height, double tolerance_px)
{
  g_return_val_if_fail (object && width > 0 && height > 0, NULL);

  g_autoptr (GPtrArray) polygons = g_ptr_array_new_with_free_func (free_contour);
  if (object->n_pixels == 0)
    return g_steal_pointer (&polygons);
  /* A pixel around the object, where the photo has one, keeps the plane's frame away from it. */
  const FsRect area = { MAX (object->box.x0 - 1, 0), MAX (object->box.y0 - 1, 0),
                        MIN (object->box.x1 + 1, width), MIN (object->box.y1 + 1, height) };
  const int plane_width = area.x1 - area.x0, plane_height = area.y1 - area.y0;
  g_autofree uint8_t *plane = g_try_malloc0 ((gsize)plane_width * (gsize)plane_height);
  if (!plane)
    return NULL;
  fs_label_object_paint (object, area, 1, plane);
  const FsContourMap map = { .labels = plane,
                             .width = plane_width,
                             .area = { 0, 0, plane_width, plane_height } };
  g_autoptr (FsContourTracer) tracer = fs_contour_tracer_new (&map, 1, tolerance_px);
  g_autoptr (GPtrArray) parts = fs_mask_parts_new (object);
  for (guint i = 0; tracer && i < parts->len; i++) {
    GArray *polygon = trace_part (tracer, parts->pdata[i], area.x0, area.y0);
    if (!polygon)
      return NULL;
    g_ptr_array_add (polygons, polygon);
  }
  return tracer ? g_steal_pointer (&polygons) : NULL;
}

/* --- all parts as one ------------------------------------------------------------------------- */

GArray *
fs_polygons_join (const GPtrArray *polygons)
{
  g_return_val_if_fail (polygons, NULL);

  const guint n = polygons->len;
  if (n == 1)
    return g_array_ref (polygons->pdata[0]);
  GArray *joined = g_array_new (FALSE, FALSE, sizeof (FsContourPoint));
  if (n == 0)
    return joined;
  /* A chain: there from polygon to polygon, and back along their other sides. */
  g_autofree Bridge *bridges = g_new0 (Bridge, n);
  for (guint i = 0; i + 1 < n; i++)
    bridges[i] =
        find_bridge (polygons->pdata[i], polygons->pdata[i + 1], MAX (16, MAX_PAIRS / (n - 1)));
  guint entry = bridges[0].from;
  for (guint i = 0; i + 1 < n; i++) {
    if (i > 0 && bridges[i].from != entry)
      append_walk (joined, polygons->pdata[i], entry, bridges[i].from);
    else
      g_array_append_val (joined, *point_at (polygons->pdata[i], entry));
    entry = bridges[i].to;
  }
  append_walk (joined, polygons->pdata[n - 1], entry, entry);
  for (guint i = n - 1; i-- > 0;) {
    const guint back = i > 0 ? bridges[i - 1].to : bridges[0].from;
    append_walk (joined, polygons->pdata[i], bridges[i].from, back);
  }
  g_array_set_size (joined, joined->len - 1); /* it ends where it began */
  return joined;
}

void
fs_polygons_append_number (GString *text, int half_pixels)
{
  g_string_append_printf (text, half_pixels % 2 ? "%d.5" : "%d", half_pixels / 2);
}
