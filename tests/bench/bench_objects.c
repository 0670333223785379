/* SPDX-License-Identifier: MIT */
/* bench_objects PHOTO SEEDS.png [THREADS [BACKEND]]: several objects, cut apart cold and after
 * further strokes.
 *
 * Each stroke is a capsule of 20 pixels that gives a place to another object than the one it had;
 * models stand still, as while a brush is down. Times by the clock and the processor's of this
 * thread. */
#include "app/photo.h"
#include "energy/energy.h"
#include "energy/labels_objects.h"
#include "solver/expansion.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N_STROKES = 15 };

typedef struct {
  gint64 clock_us, processor_us;
} Mark;

static Mark
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (Mark){ g_get_monotonic_time (), (gint64)t.tv_sec * 1000000 + t.tv_nsec / 1000 };
}

static void
print_since (const char *what, Mark begin, const FsExpansionResult *result)
{
  Mark end = now ();
  printf ("%-8s %8.1f ms, processor %8.1f ms", what, (double)(end.clock_us - begin.clock_us) / 1e3,
          (double)(end.processor_us - begin.processor_us) / 1e3);
  if (result)
    printf (", energy %" G_GINT64_FORMAT ", %d cycles, %" G_GINT64_FORMAT " cuts",
            result->energy.total, result->n_cycles, result->n_solves);
  printf ("\n");
}

static void
expand (FsExpansion *expansion, uint8_t *labels, const char *what, Mark begin)
{
  g_auto (FsExpansionResult) result = { 0 };
  g_autoptr (GError) error = NULL;
  if (!fs_expansion_run (expansion, labels, NULL, &result, &error))
    g_error ("%s", error->message);
  print_since (what, begin, &result);
}

/* Paints over a random place with the number of another label. */
static void
stroke (GRand *rand, FsObjects *objects, FsSeedMap *seeds, FsExpansion *expansion, uint8_t *labels)
{
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  double x = g_rand_double_range (rand, 0, seeds->width);
  double y = g_rand_double_range (rand, 0, seeds->height);
  const FsCapsule capsule = { x, y, x + 20, y + 5, 6 };
  int n_labels = fs_objects_get_problem (objects)->n_labels;
  int there = labels[(size_t)y * (size_t)seeds->width + (size_t)x];
  int other = (there + g_rand_int_range (rand, 1, n_labels)) % n_labels;
  fs_seed_map_paint (seeds, &capsule, fs_objects_get_number (objects, other), NULL, changed);
  Mark begin = now ();
  fs_objects_change (objects, seeds, (const void *)changed->data, changed->len);
  fs_expansion_change_data (expansion, (const void *)changed->data, changed->len);
  expand (expansion, labels, "stroke", begin);
}

int
main (int argc, char **argv)
{
  if (argc < 3) {
    fprintf (stderr, "bench_objects PHOTO SEEDS.png [THREADS [BACKEND]]\n");
    return 2;
  }
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (argv[1], NULL, NULL, &error);
  g_autofree uint8_t *numbers =
      photo ? fs_seeds_load (argv[2], photo->image->width, photo->image->height, NULL, &error)
            : NULL;
  if (!numbers) {
    fprintf (stderr, "%s\n", error->message);
    return 1;
  }
  int n_threads = argc > 3 ? atoi (argv[3]) : 0;
  fs_solver_set_threads (n_threads);
  fs_energy_set_threads (n_threads);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (photo->image->width, photo->image->height);
  fs_seed_map_set (seeds, numbers);
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  const FsExpansionOptions options = { 0 };
  const FsBackend *backend = fs_backend_find (argc > 4 ? argv[4] : "cpu", &error);
  if (!backend) {
    fprintf (stderr, "%s\n", error->message);
    return 1;
  }
  Mark begin = now ();
  g_autoptr (FsObjects) objects = fs_objects_new (photo->image, &settings, seeds, &error);
  print_since ("models", begin, NULL);
  begin = now ();
  g_autoptr (FsExpansion) expansion =
      fs_expansion_new (backend, fs_objects_get_problem (objects), &options, &error);
  print_since ("made", begin, NULL);
  fs_objects_start (objects, numbers);
  begin = now ();
  expand (expansion, numbers, "cold", begin);
  printf ("%.0f MB\n", (double)fs_expansion_size_bytes (expansion) / 1e6);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  for (int i = 0; i < N_STROKES; i++)
    stroke (rand, objects, seeds, expansion, numbers);
  return 0;
}
