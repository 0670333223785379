/* SPDX-License-Identifier: MIT */
#include "energy/labels/labels_objects.h"

#include "energy/energy.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* More than a pixel's pairs can cost together. */
enum { SEED_COST = FS_N_ARCS * FS_NLINK_MAX + 1 };
enum { PIXELS_A_POLL = 1 << 18 };
/* Bound of costs: the largest are one of these on top of differences of t-links (energy.c). */
G_STATIC_ASSERT (8 * SEED_COST <= FS_LABEL_COST_MAX);

struct _FsObjects {
  FsLabelProblem problem;
  uint8_t number[FS_LABELS_MAX];
  FsGuess *guess;                  /* or NULL                                        */
  FsEnergy *energy[FS_LABELS_MAX]; /* of each object against the rest; [0] is NULL */
  int32_t *data;
  int32_t *table;
};

void
fs_objects_free (FsObjects *objects)
{
  if (objects == NULL)
    return;
  /* The first shares its n-links with the others. */
  for (int label = objects->problem.n_labels - 1; label > 0; label--)
    fs_energy_free (objects->energy[label]);
  g_clear_pointer (&objects->guess, fs_guess_unref);
  fs_memory_free (objects->data);
  g_free (objects->table);
  g_free (objects);
}

const FsLabelProblem *
fs_objects_get_problem (const FsObjects *objects)
{
  return &objects->problem;
}

uint8_t
fs_objects_get_number (const FsObjects *objects, int label)
{
  return objects->number[label];
}

static void
number_labels (FsObjects *objects, const FsSeedMap *seeds)
{
  int n = 0;
  objects->number[n++] = FS_SEED_BACKGROUND;
  for (int number = FS_SEED_OBJECT; number <= FS_SEED_MAX; number++)
    if (seeds->n_seeds[number] > 0)
      objects->number[n++] = (uint8_t)number;
  objects->problem.n_labels = n;
}

static gboolean
make_cost_planes (FsObjects *objects, const FsSeedMap *seeds, GError **error)
{
  FsLabelProblem *problem = &objects->problem;
  size_t n = (size_t)seeds->width * (size_t)seeds->height;
  int n_labels = problem->n_labels;
  objects->table = g_new (int32_t, n_labels * n_labels);
  for (int i = 0; i < n_labels * n_labels; i++)
    objects->table[i] = i / n_labels != i % n_labels;
  problem->table = objects->table;
  problem->data = objects->data = fs_memory_new (n * (size_t)n_labels, sizeof (int32_t));
  if (objects->data != NULL)
    return TRUE;
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for %d labels of %d × %d pixels", n_labels, seeds->width,
               seeds->height);
  return FALSE;
}

/* --- Models ----------------------------------------------------------------------------------- */

/* The number that a seed has in one object's own energy. */
static uint8_t
binary_number (uint8_t number, uint8_t object)
{
  if (number == FS_SEED_NONE)
    return FS_SEED_NONE;
  return number == object ? FS_SEED_OBJECT : FS_SEED_BACKGROUND;
}

/* `numbers` is scratch, a byte a pixel. */
static void
fill_binary_seeds (const FsSeedMap *seeds, uint8_t object, uint8_t *numbers, FsSeedMap *binary)
{
  size_t n = (size_t)seeds->width * (size_t)seeds->height;
  for (size_t p = 0; p < n; p++)
    numbers[p] = binary_number (seeds->label[p], object);
  fs_seed_map_set (binary, numbers);
}

static FsEnergy *
make_energy (FsObjects *objects, FsImage *image, const FsSettings *settings,
             const FsProgress *progress, GError **error)
{
  FsSettings starless = *settings;
  starless.star = FALSE;
  if (objects->energy[1] != NULL)
    return fs_energy_new_sibling (objects->energy[1], error);
  return fs_energy_new (image, &starless, progress, error);
}

static gboolean
fit_all (FsObjects *objects, FsImage *image, const FsSettings *settings, const FsSeedMap *seeds,
         uint8_t *numbers, FsSeedMap *binary, const FsProgress *progress, GError **error)
{
  size_t n = (size_t)seeds->width * (size_t)seeds->height;
  for (int label = 1; label < objects->problem.n_labels; label++) {
    objects->energy[label] = make_energy (objects, image, settings, progress, error);
    if (objects->energy[label] == NULL || !fs_progress_goes_on (progress, error)
        || !fs_energy_set_guess (objects->energy[label], objects->guess, error)
        || !fs_progress_goes_on (progress, error))
      return FALSE;
    fill_binary_seeds (seeds, objects->number[label], numbers, binary);
    if (!fs_progress_goes_on (progress, error))
      return FALSE;
    fs_energy_fit (objects->energy[label], binary);
    if (!fs_progress_goes_on (progress, error))
      return FALSE;
    fs_energy_fill_tlinks (objects->energy[label], binary, objects->data + (size_t)label * n);
  }
  return TRUE;
}

static gboolean
fit_objects (FsObjects *objects, FsImage *image, const FsSettings *settings, const FsSeedMap *seeds,
             const FsProgress *progress, GError **error)
{
  g_autoptr (FsSeedMap) binary = fs_seed_map_new (seeds->width, seeds->height);
  uint8_t *numbers = fs_memory_new ((size_t)seeds->width * (size_t)seeds->height, 1);
  gboolean has_memory = binary != NULL && numbers != NULL;
  gboolean done =
      has_memory && fit_all (objects, image, settings, seeds, numbers, binary, progress, error);
  if (!has_memory)
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY, "not enough memory for seeds");
  fs_memory_free (numbers);
  return done;
}

/* --- Costs ------------------------------------------------------------------------------------ */

/* Turns a pixel's t-links, which stand where its costs shall be, into these. */
static void
fix_pixel (FsObjects *objects, size_t p, uint8_t seed)
{
  size_t n = fs_label_problem_n_pixels (&objects->problem);
  int n_labels = objects->problem.n_labels;
  int32_t *cost = objects->data + p, max = 0;
  cost[0] = 0;
  for (int label = 1; label < n_labels; label++)
    max = MAX (max, cost[(size_t)label * n]);
  for (int label = 0; label < n_labels; label++) {
    int32_t *at = &cost[(size_t)label * n];
    if (seed == FS_SEED_NONE)
      *at = max - *at;
    else
      *at = objects->number[label] == seed ? 0 : SEED_COST;
  }
}

void
fs_objects_change (FsObjects *objects, const FsSeedMap *seeds, const uint32_t *pixels, size_t n)
{
  size_t n_pixels = fs_label_problem_n_pixels (&objects->problem);
  for (size_t i = 0; i < n; i++) {
    uint32_t p = pixels[i];
    for (int label = 1; label < objects->problem.n_labels; label++)
      objects->data[(size_t)label * n_pixels + p] =
          fs_energy_tlink (objects->energy[label], p,
                           binary_number (seeds->label[p], objects->number[label]));
    fix_pixel (objects, p, seeds->label[p]);
  }
}

static void
bind_grid (FsObjects *objects)
{
  const FsGrid *grid = fs_energy_get_grid (objects->energy[1]);
  objects->problem.width = grid->width;
  objects->problem.height = grid->height;
  objects->problem.neighbours = grid->neighbours;
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    objects->problem.weight[d] = grid->nlink[d];
}

static int32_t
greatest_cost (const FsObjects *objects, size_t p)
{
  size_t n = fs_label_problem_n_pixels (&objects->problem);
  int32_t max = 0;
  for (int label = 0; label < objects->problem.n_labels; label++)
    max = MAX (max, objects->data[(size_t)label * n + p]);
  return max;
}

/* `bounds` are seeds, or fixed numbers: then pixels that may be any object's get a background cost
 * above all that it could save. */
static gboolean
fix_pixels (FsObjects *objects, const uint8_t *bounds, gboolean are_fixed,
            const FsProgress *progress, GError **error)
{
  size_t n = fs_label_problem_n_pixels (&objects->problem);
  for (size_t p = 0; p < n; p++) {
    if (p % PIXELS_A_POLL == 0 && !fs_progress_goes_on (progress, error))
      return FALSE;
    fix_pixel (objects, p, bounds[p]);
    if (are_fixed && bounds[p] == FS_SEED_NONE)
      objects->data[p] = SEED_COST + greatest_cost (objects, p);
  }
  return TRUE;
}

static FsObjects *
make_objects (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds, FsGuess *guess,
              const FsProgress *progress, GError **error)
{
  g_autoptr (FsObjects) objects = g_new0 (FsObjects, 1);
  objects->guess = guess ? fs_guess_ref (guess) : NULL;
  number_labels (objects, seeds);
  g_return_val_if_fail (objects->problem.n_labels > 1, NULL);
  if (!make_cost_planes (objects, seeds, error)
      || !fit_objects (objects, image, settings, seeds, progress, error))
    return NULL;
  bind_grid (objects);
  return g_steal_pointer (&objects);
}

FsObjects *
fs_objects_new (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds, GError **error)
{
  return fs_objects_new_guessed (image, settings, seeds, NULL, NULL, error);
}

FsObjects *
fs_objects_new_guessed (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds,
                        FsGuess *guess, const FsProgress *progress, GError **error)
{
  g_return_val_if_fail (image != NULL && settings != NULL && seeds != NULL, NULL);
  g_autoptr (FsObjects) objects = make_objects (image, settings, seeds, guess, progress, error);
  return objects && fix_pixels (objects, seeds->label, FALSE, progress, error)
             ? g_steal_pointer (&objects)
             : NULL;
}

FsObjects *
fs_objects_new_within (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds,
                       const uint8_t *bounds, const FsProgress *progress, GError **error)
{
  g_return_val_if_fail (image != NULL && settings != NULL && seeds != NULL && bounds != NULL, NULL);
  g_autoptr (FsObjects) objects = make_objects (image, settings, seeds, NULL, progress, error);
  return objects && fix_pixels (objects, bounds, TRUE, progress, error) ? g_steal_pointer (&objects)
                                                                        : NULL;
}

/* Background, then objects with more and more pixels. */
static void
order_by_size (const uint8_t *labels, size_t n, int n_labels, uint8_t *order)
{
  size_t n_pixels[FS_LABELS_MAX] = { 0 };
  for (size_t p = 0; p < n; p++)
    n_pixels[labels[p]]++;
  order[0] = 0;
  for (int label = 1; label < n_labels; label++) {
    int i = label;
    for (; i > 1 && n_pixels[order[i - 1]] > n_pixels[label]; i--)
      order[i] = order[i - 1];
    order[i] = (uint8_t)label;
  }
}

/* Gives each pixel to the object for which it is cheapest. */
static void
give_to_cheapest (const FsObjects *objects, uint8_t *labels)
{
  size_t n = fs_label_problem_n_pixels (&objects->problem);
  memset (labels, 1, n);
  for (int label = 2; label < objects->problem.n_labels; label++)
    for (size_t p = 0; p < n; p++)
      if (objects->data[(size_t)label * n + p] < objects->data[labels[p] * n + p])
        labels[p] = (uint8_t)label;
}

/* With one object the first move's cut is the binary one, whose background is the smallest. */
void
fs_objects_start (const FsObjects *objects, uint8_t *labels, uint8_t *order)
{
  const FsLabelProblem *problem = &objects->problem;
  size_t n = fs_label_problem_n_pixels (problem);
  give_to_cheapest (objects, labels);
  order_by_size (labels, n, problem->n_labels, order);
  memset (labels, problem->n_labels == 2, n);
}
