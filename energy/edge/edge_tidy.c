/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge.h"

/* Pixels [x0, x1) of row y that have one side. */
typedef struct {
  int y, x0, x1;
  gboolean is_inside;
  guint parent;  /* a run of the same component; itself: the root        */
  gint64 pixels; /* of a root: those of its component                    */
} Run;

typedef struct {
  const FsEdgeInput *input;
  GArray *runs; /* of Run, by rows */
} Runs;

static Run *
run_at (const Runs *runs, guint i)
{
  return &g_array_index (runs->runs, Run, i);
}

static guint
root_of (const Runs *runs, guint i)
{
  while (run_at (runs, i)->parent != i) {
    Run *run = run_at (runs, i);
    run->parent = run_at (runs, run->parent)->parent;
    i = run->parent;
  }
  return i;
}

static void
join (const Runs *runs, guint a, guint b)
{
  const guint first = root_of (runs, a), second = root_of (runs, b);
  if (first == second)
    return;
  run_at (runs, second)->parent = first;
  run_at (runs, first)->pixels += run_at (runs, second)->pixels;
}

/* A component of the object goes on at corners, a hole does not. */
static gboolean
touches (const Run *above, const Run *run)
{
  const int corner = run->is_inside;
  return above->is_inside == run->is_inside && above->x0 < run->x1 + corner
         && run->x0 < above->x1 + corner;
}

/* Joins the runs of a row, from `start` on, with those of the row above, from `above` on. */
static void
join_rows (const Runs *runs, guint above, guint start)
{
  for (guint i = start; i < runs->runs->len; i++) {
    const int end = run_at (runs, i)->x1;
    while (above < start && run_at (runs, above)->x1 < run_at (runs, i)->x0)
      above++;
    for (guint k = above; k < start && run_at (runs, k)->x0 <= end; k++)
      if (touches (run_at (runs, k), run_at (runs, i)))
        join (runs, k, i);
  }
}

static int
end_of_run (const uint8_t *row, int x, int width)
{
  const gboolean is_inside = row[x] != 0;
  while (x < width && (row[x] != 0) == is_inside)
    x++;
  return x;
}

static void
list_runs (const Runs *runs)
{
  const int width = runs->input->image->width;
  guint above = 0;
  for (int y = 0; y < runs->input->image->height; y++) {
    const uint8_t *row = runs->input->mask + (gsize)y * (gsize)width;
    const guint start = runs->runs->len;
    for (int x = 0, end; x < width; x = end) {
      end = end_of_run (row, x, width);
      const Run run = { y, x, end, row[x] != 0, runs->runs->len, end - x };
      g_array_append_val (runs->runs, run);
    }
    join_rows (runs, above, start);
    above = start;
  }
}

/* Pieces with a stroke stay: they count as large. */
static void
keep_painted (const Runs *runs)
{
  for (guint i = 0; runs->input->marks && i < runs->runs->len; i++) {
    const Run *run = run_at (runs, i);
    Run *root = run_at (runs, root_of (runs, i));
    const uint8_t *row = runs->input->marks + (gsize)run->y * (gsize)runs->input->image->width;
    for (int x = run->x0; x < run->x1 && root->pixels <= FS_EDGE_MAX_AREA_PX; x++)
      if (row[x] != FS_SEED_NONE)
        root->pixels = G_MAXINT64;
  }
}

static gboolean
is_small (const Runs *runs, guint i)
{
  const FsEdgeSettings *settings = &runs->input->settings;
  const int most = run_at (runs, i)->is_inside ? settings->specks_px : settings->holes_px;
  return run_at (runs, root_of (runs, i))->pixels <= most;
}

void
fs_edge_tidy_mask (const FsEdgeInput *input, uint8_t *mask)
{
  g_return_if_fail (input && input->image && input->mask && mask);
  const gsize width = (gsize)input->image->width, n = width * (gsize)input->image->height;
  const gboolean is_tidy = input->settings.specks_px == 0 && input->settings.holes_px == 0;
  for (gsize p = 0; p < n; p++)
    mask[p] = input->mask[p] != 0;
  if (is_tidy)
    return;
  g_autoptr (GArray) array = g_array_new (FALSE, FALSE, sizeof (Run));
  const Runs runs = { input, array };
  list_runs (&runs);
  keep_painted (&runs);
  for (guint i = 0; i < array->len; i++)
    if (is_small (&runs, i)) {
      const Run *run = run_at (&runs, i);
      memset (mask + (gsize)run->y * width + run->x0, !run->is_inside, (gsize)(run->x1 - run->x0));
    }
}
