/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench_strokes.h"

#include "energy/implicit_links.h"
#include "tests/bench/bench_labels.h"

#include <math.h>
#include <string.h>

enum { SPECK_SHARE = 8 };

static void
stroke_free (BenchStroke *stroke)
{
  g_array_unref (stroke->pixels);
  g_free (stroke);
}

/* Lists the pixels that hang together with `first` and have its value in `plane`, by their distance
 * from it, and gives them the value `done`. */
static GArray *
relabelling (uint8_t *plane, int width, int height, uint32_t first, uint8_t done)
{
  const uint8_t value = plane[first];
  GArray *found = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  g_array_append_val (found, first);
  plane[first] = done;
  for (guint i = 0; i < found->len; i++) {
    uint32_t p = g_array_index (found, uint32_t, i);
    int x = (int)(p % (uint32_t)width), y = (int)(p / (uint32_t)width);
    for (int ny = MAX (y - 1, 0); ny <= MIN (y + 1, height - 1); ny++)
      for (int nx = MAX (x - 1, 0); nx <= MIN (x + 1, width - 1); nx++) {
        uint32_t q = (uint32_t)ny * (uint32_t)width + (uint32_t)nx;
        if (plane[q] != value)
          continue;
        plane[q] = done;
        g_array_append_val (found, q);
      }
  }
  return found;
}

static int
compare_pixels (gconstpointer a, gconstpointer b)
{
  const uint32_t *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

/* A stroke's pixels come row by row, as they do from the seed map's painting. */
static void
add_parts (GPtrArray *strokes, const GArray *pixels, uint8_t label, guint n_parts)
{
  for (guint i = 0; i < n_parts; i++) {
    guint from = (guint)((guint64)pixels->len * i / n_parts);
    guint to = (guint)((guint64)pixels->len * (i + 1) / n_parts);
    BenchStroke *stroke = g_new0 (BenchStroke, 1);
    stroke->label = label;
    stroke->pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    g_array_append_vals (stroke->pixels, &g_array_index (pixels, uint32_t, from), to - from);
    g_array_sort (stroke->pixels, compare_pixels);
    g_ptr_array_add (strokes, stroke);
  }
}

GPtrArray *
bench_strokes_read (const char *path, const BenchInstance *instance, int n_wanted)
{
  const uint8_t seen = FS_SEED_MAX;
  int width = instance->image->width, height = instance->image->height;
  uint32_t n = (uint32_t)width * (uint32_t)height;
  g_autoptr (BenchLabels) labels = bench_labels_read (path, BENCH_LABELS_ALL);
  g_autofree uint8_t *plane = bench_labels_stretch (labels, width, height);
  guint n_painted = 0;
  for (uint32_t p = 0; p < n; p++) {
    if (instance->seeds->label[p] != FS_SEED_NONE)
      plane[p] = FS_SEED_NONE;
    n_painted += plane[p] != FS_SEED_NONE;
  }
  guint size = MAX (n_painted / (guint)n_wanted, 1);
  GPtrArray *strokes = g_ptr_array_new_with_free_func ((GDestroyNotify)stroke_free);
  for (uint32_t p = 0; p < n; p++) {
    uint8_t label = plane[p];
    if (label == FS_SEED_NONE)
      continue;
    g_autoptr (GArray) all = relabelling (plane, width, height, p, seen);
    /* From the pixel that is farthest from an arbitrary one, distance runs along the length. */
    uint32_t end = g_array_index (all, uint32_t, all->len - 1);
    g_autoptr (GArray) sorted = relabelling (plane, width, height, end, FS_SEED_NONE);
    if (sorted->len * SPECK_SHARE >= size)
      add_parts (strokes, sorted, label, MAX ((sorted->len + size / 2) / size, 1));
  }
  return strokes;
}

static void
set_label (FsSeedMap *seeds, uint32_t pixel, uint8_t label)
{
  seeds->n_seeds[seeds->label[pixel]]--;
  seeds->n_seeds[label]++;
  seeds->label[pixel] = label;
}

static void
add_change (GArray *changes, BenchInstance *instance, uint32_t pixel, uint8_t label)
{
  FsTlinkChange change = { pixel, fs_energy_tlink (instance->energy, pixel, label) };
  set_label (instance->seeds, pixel, label);
  g_array_append_val (changes, change);
}

/* How many pixels from the i-th on are listed as they lie side by side in a row. */
static guint
count_run (const GArray *pixels, guint i, guint width)
{
  const uint32_t *first = &g_array_index (pixels, uint32_t, i);
  guint run = 1, max = MIN (pixels->len - i, width - first[0] % width);
  while (run < max && first[run] == first[0] + run)
    run++;
  return run;
}

/* Labels of pixels that are listed row by row. */
static void
set_runs (const GArray *pixels, uint8_t label, BenchInstance *instance)
{
  for (guint i = 0, run; i < pixels->len; i += run) {
    run = count_run (pixels, i, (guint)instance->image->width);
    uint32_t first = g_array_index (pixels, uint32_t, i), width = (uint32_t)instance->image->width;
    int x = (int)(first % width);
    fs_seed_map_set_run (instance->seeds, (int)(first / width), x, x + (int)run, label);
  }
}

/* T-links as the program makes them, along rows; a star, which that would lead on, stays as it is.
 */
static GArray *
set_labels (const GArray *pixels, uint8_t label, BenchInstance *instance)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  if (fs_energy_has_star (instance->energy)) {
    for (guint i = 0; i < pixels->len; i++)
      add_change (changes, instance, g_array_index (pixels, uint32_t, i), label);
    return changes;
  }
  g_autoptr (GArray) star = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  set_runs (pixels, label, instance);
  fs_energy_extend (instance->energy, instance->seeds, (const uint32_t *)(void *)pixels->data,
                    pixels->len, changes, star);
  return changes;
}

GArray *
bench_stroke_paint (const BenchStroke *stroke, BenchInstance *instance)
{
  return set_labels (stroke->pixels, stroke->label, instance);
}

void
bench_stroke_paint_spans (const BenchStroke *stroke, BenchInstance *instance, GArray *spans)
{
  set_runs (stroke->pixels, stroke->label, instance);
  if (!fs_energy_list_fixed (instance->seeds, (const uint32_t *)(void *)stroke->pixels->data,
                             stroke->pixels->len, spans))
    bench_fail ("a stroke's pixel is no seed");
}

GArray *
bench_stroke_undo (const BenchStroke *stroke, BenchInstance *instance)
{
  return set_labels (stroke->pixels, FS_SEED_NONE, instance);
}

/* The first pixel after `from`, row by row, that lies beside the other side of the mask. */
static size_t
next_on_border (const uint8_t *mask, size_t n, size_t from)
{
  for (size_t i = 0; i + 1 < n; i++) {
    size_t p = (from + i) % (n - 1);
    if (mask[p] != mask[p + 1])
      return p;
  }
  return from;
}

FsCapsule
bench_flip_capsule (int i, const BenchInstance *instance, const uint8_t *mask, uint8_t *label)
{
  int width = instance->image->width, height = instance->image->height;
  double diagonal = hypot (width, height);
  size_t n = (size_t)width * height;
  /* Steps of the golden ratio spread the strokes over the photo. */
  size_t start = (size_t)(fmod (0.37 + i * 0.6180339887, 1) * (double)(n - 1));
  if (i % 2 == 1)
    start = next_on_border (mask, n, start);
  double x = (double)(start % width), y = (double)(start / width);
  *label = mask[start] ? FS_SEED_OBJECT : FS_SEED_BACKGROUND;
  return (FsCapsule){ x, y, x + 0.02 * diagonal * cos (i), y + 0.02 * diagonal * sin (i),
                      0.004 * diagonal };
}

GArray *
bench_flip_paint (int i, BenchInstance *instance, const uint8_t *mask)
{
  uint8_t label;
  FsCapsule capsule = bench_flip_capsule (i, instance, mask, &label);
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  fs_seed_map_paint (instance->seeds, &capsule, label, NULL, pixels);
  return set_labels (pixels, label, instance);
}

GArray *
bench_flip_undo (const GArray *changes, BenchInstance *instance, const uint8_t *before)
{
  GArray *back = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  for (guint i = 0; i < changes->len; i++) {
    uint32_t pixel = g_array_index (changes, FsTlinkChange, i).pixel;
    add_change (back, instance, pixel, before[pixel]);
  }
  return back;
}
