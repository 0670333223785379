/* SPDX-License-Identifier: MIT */
/* Previews against our own exact cold cut: time, memory, wrong pixels, excess energy.
 *
 *   bench_preview [OPTIONS] PHOTO SEEDS [PHOTO SEEDS …]
 *
 * SEEDS is a seed map, a session, or "-" for a disc in the middle and the photo's frame. One thread
 * each, milliseconds of processor time. One JSON object a photo on standard output, a few words on
 * standard error. */
#include "solver/multilevel/preview.h"
#include "tests/bench/bench_instance.h"

#include <stdlib.h>

static double megapixels = 2.5;
static int neighbours = 8;
static FsPreviewOptions preview_options = { .n_levels = 3,
                                            .band_px = 2,
                                            .soft_tlink = FS_DATA_SCALE };
static char **files;

static const GOptionEntry options[] = {
  { "megapixels", 'm', 0, G_OPTION_ARG_DOUBLE, &megapixels, "Resize the photos", "X" },
  { "levels", 0, 0, G_OPTION_ARG_INT, &preview_options.n_levels, "Coarse levels", "N" },
  { "band", 0, 0, G_OPTION_ARG_INT, &preview_options.band_px, "Dilation of the band", "D" },
  { "neighbours", 'n', 0, G_OPTION_ARG_INT, &neighbours, "4 or 8", "N" },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "PHOTO SEEDS …" },
  { NULL },
};

typedef struct {
  double exact_ms;     /* solver made and solved                       */
  double make_ms;      /* fs_preview_new: once a photo                 */
  double first_ms;     /* the first solve                              */
  double again_ms;     /* all t-links changed                          */
  double dab_ms;       /* one dab later                                */
  double wrong;        /* share of the pixels                          */
  double excess;       /* share of the energy                          */
  double band;         /* share of the photo's pixels                  */
  double memory;       /* bytes a pixel of the photo                   */
  double exact_memory; /* the same of the exact problem                */
} Row;

static uint8_t *
exact_mask (FsGrid *grid, Row *row, FsSolution *solution)
{
  g_autoptr (GError) error = NULL;
  double start = bench_cpu_ms ();
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, &error);
  if (solver == NULL || !fs_solver_solve (solver, NULL, solution, &error))
    bench_fail (error->message);
  row->exact_ms = bench_cpu_ms () - start;
  row->exact_memory = (double)fs_solver_size_bytes (solver) / (double)fs_grid_n_pixels (grid);
  uint8_t *mask = g_malloc (fs_grid_n_pixels (grid));
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
  return mask;
}

static double
solve_ms (FsPreview *preview, uint8_t *mask, FsPreviewStats *stats)
{
  g_autoptr (GError) error = NULL;
  double start = bench_cpu_ms ();
  if (!fs_preview_solve (preview, NULL, mask, stats, &error))
    bench_fail (error->message);
  return bench_cpu_ms () - start;
}

/* A dab of object on the preview's border in the middle row, as a stroke would put it there. */
static GArray *
dab (FsEnergy *energy, const uint8_t *mask)
{
  FsGrid *grid = fs_energy_get_grid (energy);
  GArray *pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  int y0 = grid->height / 2, x0 = 1;
  const uint8_t *row = mask + (size_t)y0 * (size_t)grid->width;
  while (x0 < grid->width - 1 && row[x0] == row[x0 - 1])
    x0++;
  for (int y = MAX (y0 - 8, 0); y < MIN (y0 + 8, grid->height); y++)
    for (int x = MAX (x0 - 8, 0); x < MIN (x0 + 8, grid->width); x++) {
      uint32_t p = (uint32_t)y * (uint32_t)grid->width + (uint32_t)x;
      grid->tlink[p] = fs_energy_tlink (energy, p, FS_SEED_OBJECT);
      g_array_append_val (pixels, p);
    }
  return pixels;
}

static void
compare (const uint8_t *mask, const uint8_t *exact, size_t n, const FsPreviewStats *stats,
         const FsSolution *solution, Row *row)
{
  size_t wrong = 0;
  for (size_t p = 0; p < n; p++)
    wrong += mask[p] != exact[p];
  row->wrong = (double)wrong / (double)n;
  if (solution->energy > 0)
    row->excess = (double)(stats->energy - solution->energy) / (double)solution->energy;
  row->band = (double)stats->n_solved[0] / (double)n;
  row->memory = (double)stats->size_bytes / (double)n;
}

static void
time_preview (FsEnergy *energy, Row *row)
{
  FsGrid *grid = fs_energy_get_grid (energy);
  size_t n = fs_grid_n_pixels (grid);
  FsSolution solution;
  FsPreviewStats stats;
  g_autofree uint8_t *exact = exact_mask (grid, row, &solution);
  g_autofree uint8_t *mask = g_malloc (n);
  g_autoptr (GError) error = NULL;
  double start = bench_cpu_ms ();
  g_autoptr (FsPreview) preview = fs_preview_new (grid, &preview_options, NULL, &error);
  if (preview == NULL)
    bench_fail (error->message);
  row->make_ms = bench_cpu_ms () - start;
  row->first_ms = solve_ms (preview, mask, &stats);
  compare (mask, exact, n, &stats, &solution, row);
  g_autoptr (GArray) changed = dab (energy, mask);
  start = bench_cpu_ms ();
  fs_preview_change (preview, (const uint32_t *)(const void *)changed->data, changed->len);
  row->dab_ms = bench_cpu_ms () - start + solve_ms (preview, mask, &stats);
  fs_preview_change_all (preview);
  row->again_ms = solve_ms (preview, mask, &stats);
}

static void
print_row (const BenchInstance *instance, const Row *row)
{
  g_printerr ("%-28s %5.2f MP  exact %8.1f ms, preview %6.1f (x %.1f), %.3f %% wrong, energy "
              "+%.3f %%, memory %.1f %%\n",
              instance->name, bench_instance_megapixels (instance), row->exact_ms, row->first_ms,
              row->exact_ms / row->first_ms, 100 * row->wrong, 100 * row->excess,
              100 * row->memory / row->exact_memory);
  g_print ("{\"photo\": \"%s\", \"megapixels\": %.4f, \"scale\": %.3f, \"neighbours\": %d, ",
           instance->name, bench_instance_megapixels (instance), instance->scale, neighbours);
  g_print ("\"exact\": %.3f, \"make\": %.3f, \"first\": %.3f, \"again\": %.3f, \"dab\": %.3f, ",
           row->exact_ms, row->make_ms, row->first_ms, row->again_ms, row->dab_ms);
  g_print ("\"wrong\": %.6f, \"excess\": %.6f, \"band\": %.5f, \"memory\": %.3f, "
           "\"exact_memory\": %.3f}\n",
           row->wrong, row->excess, row->band, row->memory, row->exact_memory);
}

static void
bench_one (const char *photo, const char *seeds)
{
  g_autoptr (BenchInstance) instance = bench_instance_new (photo, seeds, megapixels);
  bench_instance_fit (instance, (FsNeighbours)neighbours);
  Row row = { 0 };
  time_preview (instance->energy, &row);
  print_row (instance, &row);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, options, NULL);
  g_autoptr (GError) error = NULL;
  if (!g_option_context_parse (context, &argc, &argv, &error))
    bench_fail (error->message);
  if (files == NULL || g_strv_length (files) % 2 != 0)
    bench_fail ("PHOTO SEEDS are needed");
  fs_solver_set_threads (1);
  for (char **f = files; *f != NULL; f += 2)
    bench_one (f[0], f[1]);
  g_strfreev (files);
  return 0;
}
