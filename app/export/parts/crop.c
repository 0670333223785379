/* SPDX-License-Identifier: MIT */
#include "app/export/parts/crop.h"

#include <string.h>

typedef struct {
  guint parent; /* itself: a root, which holds the sums */
  gint64 area;
  FsRect rect;
  gboolean meant; /* an object stroke is in it */
} Component;

/* Pixels x0 … x1 − 1 of a row. */
typedef struct {
  int x0, x1;
  guint component;
} Run;

typedef struct {
  GArray *components; /* of Component */
  GArray *above;      /* of Run: the row before */
  GArray *here;       /* of Run */
  int y;
  gboolean one; /* there are so many components that they are one */
} Scan;

static Component *
component_at (Scan *scan, guint i)
{
  return &g_array_index (scan->components, Component, i);
}

static guint
root_of (Scan *scan, guint i)
{
  while (component_at (scan, i)->parent != i) {
    Component *component = component_at (scan, i);
    component->parent = component_at (scan, component->parent)->parent;
    i = component->parent;
  }
  return i;
}

static FsRect
hull (FsRect a, FsRect b)
{
  return (FsRect){ MIN (a.x0, b.x0), MIN (a.y0, b.y0), MAX (a.x1, b.x1), MAX (a.y1, b.y1) };
}

/* Returns the root of both. */
static guint
join_areas (Scan *scan, guint a, guint b)
{
  a = root_of (scan, a);
  b = root_of (scan, b);
  if (a == b)
    return a;
  Component *into = component_at (scan, MIN (a, b)), *from = component_at (scan, MAX (a, b));
  from->parent = MIN (a, b);
  into->area += from->area;
  into->rect = hull (into->rect, from->rect);
  into->meant |= from->meant;
  return MIN (a, b);
}

static gboolean
has_object_seed (const uint8_t *seeds, int n)
{
  for (int x = 0; seeds && x < n; x++)
    if (seeds[x] >= FS_SEED_OBJECT)
      return TRUE;
  return FALSE;
}

/* Makes the run a component, and joins it to those that it touches above, of which `*first` is the
 * first that may. */
static void
add_scan_run (Scan *scan, int x0, int x1, const uint8_t *seeds, guint *first)
{
  Component component = { .parent = scan->components->len,
                          .area = x1 - x0,
                          .rect = { x0, scan->y, x1, scan->y + 1 },
                          .meant = has_object_seed (seeds ? seeds + x0 : NULL, x1 - x0) };
  g_array_append_val (scan->components, component);
  Run run = { x0, x1, component.parent };
  for (guint i = *first; i < scan->above->len; i++) {
    const Run *other = &g_array_index (scan->above, Run, i);
    if (other->x0 > x1)
      break;
    if (other->x1 < x0)
      *first = i + 1;
    else
      run.component = join_areas (scan, other->component, run.component);
  }
  if (scan->one)
    run.component = join_areas (scan, 0, run.component);
  /* A component that was joined at once can go again. */
  if (run.component != component.parent && component.parent + 1 == scan->components->len)
    g_array_set_size (scan->components, component.parent);
  g_array_append_val (scan->here, run);
}

static void
scan_row (Scan *scan, const uint8_t *mask, const uint8_t *seeds, int width)
{
  guint first = 0;
  g_array_set_size (scan->here, 0);
  for (int x = 0; x < width;) {
    const uint8_t *start = memchr (mask + x, 1, (size_t)(width - x));
    if (!start)
      break;
    int x0 = (int)(start - mask);
    const uint8_t *end = memchr (start, 0, (size_t)(width - x0));
    x = end ? (int)(end - mask) : width;
    add_scan_run (scan, x0, x, seeds, &first);
  }
  GArray *row = scan->above;
  scan->above = scan->here;
  scan->here = row;
  scan->y++;
}

static FsRect
sum_up (Scan *scan)
{
  FsRect found = { G_MAXINT, G_MAXINT, 0, 0 };
  gint64 largest = 0;
  for (guint i = 0; i < scan->components->len; i++)
    largest = MAX (largest, component_at (scan, i)->area);
  for (guint i = 0; i < scan->components->len; i++) {
    const Component *component = component_at (scan, i);
    if (component->parent == i && (component->meant || component->area * FS_CROP_SPECKS >= largest))
      found = hull (found, component->rect);
  }
  return largest > 0 ? found : (FsRect){ 0 };
}

FsRect
fs_crop_to_object (const uint8_t *mask, const uint8_t *seeds, int width, int height)
{
  g_return_val_if_fail (mask && width > 0 && height > 0, ((FsRect){ 0 }));

  g_autoptr (GArray) components = g_array_new (FALSE, FALSE, sizeof (Component));
  g_autoptr (GArray) above = g_array_new (FALSE, FALSE, sizeof (Run));
  g_autoptr (GArray) here = g_array_new (FALSE, FALSE, sizeof (Run));
  Scan scan = { .components = components, .above = above, .here = here };
  for (int y = 0; y < height; y++) {
    gsize at = (gsize)y * (gsize)width;
    scan_row (&scan, mask + at, seeds ? seeds + at : NULL, width);
    if (scan.one || components->len <= FS_CROP_MAX_COMPONENTS)
      continue;
    for (guint i = 1; i < components->len; i++)
      join_areas (&scan, 0, i);
    scan.one = TRUE;
  }
  return sum_up (&scan);
}

/* ---- A part of the border ---- */

typedef struct {
  int n_columns, n_rows;
  guint *counts; /* of the row's steps between object and background, a field */
} Fields;

static void
count_steps (Fields *fields, const uint8_t *mask, int width, int height, int side_x, int side_y)
{
  for (int y = 0; y < height; y++) {
    const uint8_t *row = mask + (gsize)y * (gsize)width;
    guint *counts = fields->counts + y / side_y * fields->n_columns;
    for (int x = 1; x < width; x++)
      counts[x / side_x] += row[x] != row[x - 1];
  }
}

/* The first field of four that lie around a corner and have the most together. */
static gboolean
find_densest (const Fields *fields, int *x, int *y)
{
  guint max = 0;
  for (int j = 0; j < fields->n_rows; j++)
    for (int i = 0; i < fields->n_columns; i++) {
      const guint *field = fields->counts + j * fields->n_columns + i;
      const gboolean has_right = i + 1 < fields->n_columns, has_below = j + 1 < fields->n_rows;
      guint sum = field[0] + (has_right ? field[1] : 0) + (has_below ? field[fields->n_columns] : 0)
                  + (has_right && has_below ? field[fields->n_columns + 1] : 0);
      if (sum > max) {
        max = sum;
        *x = i;
        *y = j;
      }
    }
  return max > 0;
}

FsRect
fs_crop_to_border (const uint8_t *mask, int width, int height, int side_x, int side_y)
{
  g_return_val_if_fail (mask && width > 0 && height > 0, ((FsRect){ 0 }));
  g_return_val_if_fail (side_x > 1 && side_y > 1, ((FsRect){ 0 }));

  const int half_x = side_x / 2, half_y = side_y / 2;
  Fields fields = { .n_columns = (width - 1) / half_x + 1, .n_rows = (height - 1) / half_y + 1 };
  g_autofree guint *counts = g_new0 (guint, (gsize)fields.n_columns * (gsize)fields.n_rows);
  fields.counts = counts;
  count_steps (&fields, mask, width, height, half_x, half_y);
  int column = 0, row = 0;
  const gboolean has_border = find_densest (&fields, &column, &row);
  const int x = has_border ? column * half_x : (width - side_x) / 2;
  const int y = has_border ? row * half_y : (height - side_y) / 2;
  const int x0 = CLAMP (x, 0, MAX (0, width - side_x)), y0 = CLAMP (y, 0, MAX (0, height - side_y));
  return (FsRect){ x0, y0, MIN (width, x0 + side_x), MIN (height, y0 + side_y) };
}
