/* SPDX-License-Identifier: MIT */
#include "cut/label_specks.h"

#include "solver/system/checked_memory.h"

/* A small component has less than 1/SMALL_DIVISOR as many pixels as all components of its label
 * with strokes have together. */
enum { SMALL_DIVISOR = 50 };
enum { PIXELS_A_POLL = 1 << 18 };
enum { NOBODY = INT32_MIN, N_NUMBERS = FS_SEED_MAX + 1 };

typedef struct {
  FsRect bounds;
  uint32_t first;
  int64_t n_pixels;
  uint8_t number, given_to;
  gboolean has_seed, is_speck;
} Component;

typedef struct {
  const FsSeedMap *seeds;
  const uint8_t *numbers;
  int32_t *of;     /* [pixels] the component's place in the list, or its complement */
  uint32_t *queue; /* [pixels] */
  GArray *components;
  GArray *seeded; /* of guint: the places of those that have a seed */
  int64_t n_seeded[N_NUMBERS];
} Work;

static void
specks_clear (Work *work)
{
  fs_memory_free (work->of);
  fs_memory_free (work->queue);
  g_clear_pointer (&work->components, g_array_unref);
  g_clear_pointer (&work->seeded, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, specks_clear)

static Component *
component_at (const Work *work, guint i)
{
  return &g_array_index (work->components, Component, i);
}

static FsRect
neighbourhood (const Work *work, uint32_t p)
{
  int x = (int)(p % (uint32_t)work->seeds->width), y = (int)(p / (uint32_t)work->seeds->width);
  FsRect whole = { 0, 0, work->seeds->width, work->seeds->height };
  return fs_rect_intersect ((FsRect){ x - 1, y - 1, x + 2, y + 2 }, whole);
}

/* --- components --- */

static gboolean
collect_component (Work *work, uint32_t first, const FsProgress *progress, GError **error)
{
  uint32_t width = (uint32_t)work->seeds->width;
  Component component = { .first = first, .number = work->numbers[first] };
  size_t n = 0;
  work->of[first] = (int32_t)work->components->len;
  work->queue[n++] = first;
  for (size_t i = 0; i < n; i++) {
    if (i % PIXELS_A_POLL == PIXELS_A_POLL - 1 && !fs_progress_goes_on (progress, error))
      return FALSE;
    uint32_t p = work->queue[i];
    FsRect r = neighbourhood (work, p);
    int x = (int)(p % width), y = (int)(p / width);
    component.bounds = fs_rect_union (component.bounds, (FsRect){ x, y, x + 1, y + 1 });
    component.has_seed |= work->seeds->label[p] == component.number;
    for (int j = r.y0; j < r.y1; j++)
      for (int k = r.x0; k < r.x1; k++) {
        uint32_t q = (uint32_t)j * width + (uint32_t)k;
        if (work->of[q] != NOBODY || work->numbers[q] != component.number)
          continue;
        work->of[q] = (int32_t)work->components->len;
        work->queue[n++] = q;
      }
  }
  component.n_pixels = (int64_t)n;
  if (component.has_seed) {
    work->n_seeded[component.number] += component.n_pixels;
    g_array_append_val (work->seeded, work->components->len);
  }
  g_array_append_val (work->components, component);
  return TRUE;
}

static gboolean
find_components (Work *work, const FsProgress *progress, GError **error)
{
  size_t n = (size_t)work->seeds->width * (size_t)work->seeds->height;
  work->of = fs_memory_new (n, sizeof *work->of);
  work->queue = fs_memory_new (n, sizeof *work->queue);
  if (work->of == NULL || work->queue == NULL) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to look for specks among %d × %d pixels", work->seeds->width,
                 work->seeds->height);
    return FALSE;
  }
  work->components = g_array_new (FALSE, FALSE, sizeof (Component));
  work->seeded = g_array_new (FALSE, FALSE, sizeof (guint));
  for (size_t p = 0; p < n; p++)
    work->of[p] = NOBODY;
  for (size_t p = 0; p < n; p++) {
    if (p % PIXELS_A_POLL == 0 && !fs_progress_goes_on (progress, error))
      return FALSE;
    if (work->numbers[p] >= FS_SEED_OBJECT && work->of[p] == NOBODY
        && !collect_component (work, (uint32_t)p, progress, error))
      return FALSE;
  }
  return TRUE;
}

/* --- specks --- */

/* The squared distance of two rectangles, 0 where they meet. */
static int64_t
gap2 (FsRect a, FsRect b)
{
  int64_t dx = MAX (0, MAX (a.x0 - b.x1, b.x0 - a.x1));
  int64_t dy = MAX (0, MAX (a.y0 - b.y1, b.y0 - a.y1));
  return dx * dx + dy * dy;
}

/* To the nearest component of the number that has its strokes. */
static int64_t
gap2_to (const Work *work, const Component *component, int number)
{
  int64_t min = INT64_MAX;
  for (guint i = 0; i < work->seeded->len; i++) {
    const Component *other = component_at (work, g_array_index (work->seeded, guint, i));
    if (other->number == number)
      min = MIN (min, gap2 (component->bounds, other->bounds));
  }
  return min;
}

static gboolean
is_speck (const Work *work, const Component *component)
{
  int64_t n_main = work->n_seeded[component->number];
  if (component->has_seed || n_main == 0)
    return FALSE;
  return component->n_pixels * SMALL_DIVISOR < n_main
         || gap2_to (work, component, component->number) > 4 * component->n_pixels;
}

static gboolean
is_of_speck (const Work *work, size_t p)
{
  int32_t of = work->of[p];
  return of != NOBODY && component_at (work, (guint)(of < 0 ? ~of : of))->is_speck;
}

/* Visits the component once more, and counts the neighbours of its pixels that are of no speck, by
 * number. Its pixels are known from then on by ~of. */
static void
count_contacts (Work *work, guint component, int64_t contacts[N_NUMBERS])
{
  uint32_t width = (uint32_t)work->seeds->width;
  size_t n = 0;
  work->queue[n++] = component_at (work, component)->first;
  work->of[component_at (work, component)->first] = ~(int32_t)component;
  for (size_t i = 0; i < n; i++) {
    FsRect r = neighbourhood (work, work->queue[i]);
    for (int y = r.y0; y < r.y1; y++)
      for (int x = r.x0; x < r.x1; x++) {
        uint32_t q = (uint32_t)y * width + (uint32_t)x;
        if (work->of[q] == (int32_t)component) {
          work->of[q] = ~(int32_t)component;
          work->queue[n++] = q;
        } else if (!is_of_speck (work, q))
          contacts[work->numbers[q]]++;
      }
  }
}

static uint8_t
find_main_neighbour (const int64_t contacts[N_NUMBERS], FsSpecksTo to)
{
  int best = FS_SEED_NONE;
  for (int number = to == FS_SPECKS_TO_ANY ? FS_SEED_BACKGROUND : FS_SEED_OBJECT;
       number < N_NUMBERS; number++)
    if (contacts[number] > 0 && (best == FS_SEED_NONE || contacts[number] > contacts[best]))
      best = number;
  return (uint8_t)best;
}

static uint8_t
nearest (const Work *work, const Component *component)
{
  int best = component->number;
  int64_t min = gap2_to (work, component, best);
  for (int number = FS_SEED_OBJECT; number < N_NUMBERS; number++) {
    int64_t gap = work->n_seeded[number] > 0 ? gap2_to (work, component, number) : INT64_MAX;
    if (gap < min) {
      min = gap;
      best = number;
    }
  }
  return (uint8_t)best;
}

gboolean
fs_label_specks_give_away (const FsSeedMap *seeds, FsSpecksTo to, uint8_t *numbers, size_t *n_given,
                           const FsProgress *progress, GError **error)
{
  g_return_val_if_fail (seeds && numbers, FALSE);

  size_t n = (size_t)seeds->width * (size_t)seeds->height, n_changed = 0;
  g_auto (Work) work = { .seeds = seeds, .numbers = numbers };
  if (!find_components (&work, progress, error))
    return FALSE;
  for (guint i = 0; i < work.components->len; i++)
    component_at (&work, i)->is_speck = is_speck (&work, component_at (&work, i));
  for (guint i = 0; i < work.components->len; i++) {
    Component *component = component_at (&work, i);
    int64_t contacts[N_NUMBERS] = { 0 };
    if (!component->is_speck)
      continue;
    count_contacts (&work, i, contacts);
    component->given_to = find_main_neighbour (contacts, to);
    if (component->given_to == FS_SEED_NONE)
      component->given_to = nearest (&work, component);
  }
  for (size_t p = 0; p < n; p++)
    if (is_of_speck (&work, p)) {
      uint8_t number = component_at (&work, (guint)~work.of[p])->given_to;
      n_changed += numbers[p] != number;
      numbers[p] = number;
    }
  if (n_given)
    *n_given = n_changed;
  return TRUE;
}
