/* SPDX-License-Identifier: MIT */
/* bench_edge [OPTIONS] PHOTO SEEDS [PHOTO SEEDS …]
 *
 * The live edge's worker (app/edge/edge_job.h): the first edge of a photo's mask, and the edge
 * after an edit that moves about 500 pixels of the border by 3, in milliseconds of the wall and of
 * all processors; medians, and the memory of the tiles. The photo is as it is with --megapixels 0,
 * else resized. One JSON object a photo. */
#include "app/edge/edge_job.h"
#include "energy/image/threads.h"
#include "solver/solver.h"
#include "tests/bench/bench_instance.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 9, MOVED_PX = 500, BY_PX = 3 };

static double megapixels = 12;
static int rounds = 5, n_threads = 2;
static char **files;

static const GOptionEntry options[] = {
  { "megapixels", 'm', 0, G_OPTION_ARG_DOUBLE, &megapixels, "Resize the photos", "X" },
  { "rounds", 'r', 0, G_OPTION_ARG_INT, &rounds, "Median of N, up to 9", "N" },
  { "threads", 't', 0, G_OPTION_ARG_INT, &n_threads, "Threads", "N" },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "PHOTO SEEDS …" },
  { NULL },
};

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double
median (double *values)
{
  qsort (values, (size_t)rounds, sizeof *values, compare_doubles);
  return values[rounds / 2];
}

/* Runs a job on the dirty tiles. */
static void
time_job (FsEdgePlanes *planes, const FsRect *dirty, double *wall_ms, double *cpu_ms,
          guint *n_words, guint *n_dirty)
{
  const gsize n = (gsize)planes->columns * (gsize)planes->rows;
  FsEdgeJob *job = fs_edge_job_new (planes);
  job->settings = FS_EDGE_SETTINGS_DEFAULT;
  memcpy (job->dirty, dirty, n * sizeof *dirty);
  const double wall = bench_wall_ms (), cpu = bench_process_ms ();
  fs_edge_job_run (job);
  *wall_ms = bench_wall_ms () - wall;
  *cpu_ms = bench_process_ms () - cpu;
  *n_words = *n_dirty = 0;
  for (gsize i = 0; i < n; i++) {
    *n_words += job->words[i] != NULL;
    *n_dirty += !fs_rect_is_empty (job->dirty[i]);
  }
  fs_edge_job_free (job);
}

/* Gives the background near the border to the object, in a window with about so much border. Marks
 * the tiles that the edge is to be computed again in. */
static void
move_border (FsEdgePlanes *planes, FsRect *dirty)
{
  const int w = planes->image->width, h = planes->image->height;
  const FsEdgeSettings settings = FS_EDGE_SETTINGS_DEFAULT;
  const int margin_px = fs_edge_get_radius (&settings);
  int n = 0;
  g_autofree uint8_t *before = g_memdup2 (planes->mask, (gsize)w * (gsize)h);
  for (int y = BY_PX; y < h - BY_PX && n < MOVED_PX; y++)
    for (int x = BY_PX; x < w - BY_PX && n < MOVED_PX; x++) {
      if (!before[(gsize)y * (gsize)w + (gsize)x] || before[(gsize)y * (gsize)w + (gsize)x - 1])
        continue;
      n++;
      memset (planes->mask + (gsize)y * (gsize)w + x - BY_PX, 1, BY_PX);
      fs_edge_planes_add (planes, dirty, (FsRect){ x - BY_PX, y, x, y + 1 }, margin_px);
    }
}

static void
cut_photo (BenchInstance *instance, uint8_t *mask)
{
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  const FsImage *image = instance->image;
  FsGrid *grid = bench_instance_fit_settings (instance, &settings);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, NULL);
  FsSolution solution;
  if (solver == NULL || !fs_solver_solve (solver, NULL, &solution, NULL))
    bench_fail ("the photo could not be cut");
  fs_solver_read_mask (solver, 0, 0, image->width, image->height, mask, (size_t)image->width);
}

static void
run_photo (const char *photo, const char *seeds)
{
  g_autoptr (BenchInstance) instance = bench_instance_new (photo, seeds, megapixels);
  FsEdgePlanes planes;
  if (!fs_edge_planes_init (&planes, instance->image))
    bench_fail ("there is not enough memory");
  cut_photo (instance, planes.mask);
  memcpy (planes.marks, instance->seeds->label,
          (gsize)instance->image->width * (gsize)instance->image->height);
  const gsize n = (gsize)planes.columns * (gsize)planes.rows;
  const FsRect whole = { 0, 0, instance->image->width, instance->image->height };
  g_autofree FsRect *all = g_new0 (FsRect, n), *moved = g_new0 (FsRect, n);
  fs_edge_planes_add (&planes, all, whole, 0);
  double first[MAX_ROUNDS], edit[MAX_ROUNDS], first_cpu[MAX_ROUNDS], edit_cpu[MAX_ROUNDS];
  guint n_words = 0, n_dirty = 0, n_moved = 0, ignored;
  for (int i = 0; i < rounds; i++)
    time_job (&planes, all, &first[i], &first_cpu[i], &n_words, &n_dirty);
  move_border (&planes, moved);
  for (int i = 0; i < rounds; i++)
    time_job (&planes, moved, &edit[i], &edit_cpu[i], &ignored, &n_moved);
  g_print ("{\"photo\": \"%s\", \"megapixels\": %.2f, \"threads\": %d, \"first_ms\": %.1f, "
           "\"first_cpu_ms\": %.1f, \"edit_ms\": %.1f, \"edit_cpu_ms\": %.1f, \"edit_tiles\": %u, "
           "\"tiles\": %u, \"mebibytes\": %.1f}\n",
           instance->name, bench_instance_megapixels (instance), n_threads, median (first),
           median (first_cpu), median (edit), median (edit_cpu), n_moved, n_words,
           (double)n_words * sizeof (FsEdgeTile) / (1 << 20));
  fs_edge_planes_clear (&planes);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    bench_fail (error->message);
  if (files == NULL || g_strv_length (files) % 2 != 0 || rounds < 1 || rounds > MAX_ROUNDS)
    bench_fail ("bench_edge [OPTIONS] PHOTO SEEDS [PHOTO SEEDS …]");
  fs_energy_set_threads (n_threads);
  for (char **file = files; *file != NULL; file += 2)
    run_photo (file[0], file[1]);
  return 0;
}
