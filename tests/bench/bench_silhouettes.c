/* SPDX-License-Identifier: MIT */
/* Silhouettes as Garrett & Saito 2009, section 4, measure them: how many pixels of a photo are on
 * the wrong side, by each way that there is to cut the same energy.
 *
 *   bench_silhouettes [--model NAME] PHOTO SEEDS TRUTH [PHOTO SEEDS TRUTH …]
 *
 * The photo's grid is cut by the grid's solver, and as a graph like any other by the graph's, on
 * the processor and, where there is one, on the device, there also by their own kernel on their
 * regular graph. Fails where two masks differ by a pixel. One JSON object a photo on standard
 * output: shares of all pixels, and milliseconds of the wall from the energy to the mask. TRUTH is
 * 0, 128 (ignored) and 255; "none" where there is none. */
#include "app/photo/photo.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/graph/graph_cuda.h"
#include "tests/bench/bench_instance.h"
#include "tests/ladder/graph/graph_sweeps.h"

#include <string.h>

enum { OBJECT = 255 };

static char *model;
static char **files;

static const GOptionEntry options[] = {
  { "model", 0, 0, G_OPTION_ARG_STRING, &model, "geodesic, kmeans or gmm (geodesic)", "NAME" },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "PHOTO SEEDS TRUTH …" },
  { NULL },
};

/* The photo's problem in both forms. */
typedef struct {
  FsGrid *grid;
  FsGraph graph;
  size_t n;
  uint8_t *mask; /* of the first cut */
} Silhouette;

static FsGrid *
fit (BenchInstance *instance)
{
  g_autoptr (GError) error = NULL;
  FsSettings settings = FS_SETTINGS_DEFAULT;
  if (model != NULL && !fs_model_from_name (model, &settings.model))
    bench_fail ("there is no such model");
  settings.star = settings.star && settings.model == FS_MODEL_GEODESIC;
  instance->energy = fs_energy_new (instance->image, &settings, NULL, &error);
  if (instance->energy == NULL)
    bench_fail (error->message);
  fs_energy_fit (instance->energy, instance->seeds);
  fs_energy_fill_grid (instance->energy, instance->seeds);
  return fs_energy_get_grid (instance->energy);
}

/* --- The grid as a graph ---------------------------------------------------------------------- */

/* The edge between a pixel and its neighbour, with what the star makes of it (grid.h). */
static FsGraphEdge
edge_of (const FsGrid *grid, uint32_t pixel, uint32_t neighbour, FsDirection d)
{
  const uint16_t *back = grid->nlink_back[d] != NULL ? grid->nlink_back[d] : grid->nlink[d];
  FsGraphEdge edge = { pixel, neighbour, grid->nlink[d][pixel], back[pixel] };
  if (grid->star != NULL && grid->star[pixel] == (uint8_t)d)
    edge.capacity = FS_NLINK_PAIR_MAX - back[pixel];
  if (grid->star != NULL && grid->star[neighbour] == (uint8_t)(d ^ FS_DIRECTION_OPPOSITE))
    edge.back = FS_NLINK_PAIR_MAX - grid->nlink[d][pixel];
  return edge;
}

static void
add_edges (Silhouette *silhouette, int x, int y)
{
  const FsGrid *grid = silhouette->grid;
  FsGraph *graph = &silhouette->graph;
  for (int i = 0; i < fs_grid_n_directions (grid); i++) {
    FsDirection d = (FsDirection)i;
    int nx = x + fs_direction_dx (d), ny = y + fs_direction_dy (d);
    if (nx >= 0 && nx < grid->width && ny < grid->height)
      graph->edges[graph->n_edges++] =
          edge_of (grid, (uint32_t)(y * grid->width + x), (uint32_t)(ny * grid->width + nx), d);
  }
}

static void
silhouette_init (Silhouette *silhouette, FsGrid *grid)
{
  size_t n = fs_grid_n_pixels (grid);
  *silhouette = (Silhouette){ .grid = grid, .n = n };
  FsGraph *graph = &silhouette->graph;
  graph->n_nodes = (uint32_t)n;
  graph->tlink = g_new (int64_t, n);
  graph->edges = g_new (FsGraphEdge, n * (size_t)fs_grid_n_directions (grid));
  for (size_t p = 0; p < n; p++)
    graph->tlink[p] = grid->tlink[p];
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++)
      add_edges (silhouette, x, y);
}

static void
silhouette_clear (Silhouette *silhouette)
{
  g_free (silhouette->graph.tlink);
  g_free (silhouette->graph.edges);
  g_free (silhouette->mask);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Silhouette, silhouette_clear)

/* --- Cuts ------------------------------------------------------------------------------------- */

/* Demands the mask of those before. Takes the mask. */
static void
compare (Silhouette *silhouette, uint8_t *mask, const char *name, double ms)
{
  if (fs_cuda_notice () != NULL)
    bench_fail (fs_cuda_notice ());
  if (silhouette->mask != NULL && memcmp (silhouette->mask, mask, silhouette->n) != 0)
    bench_fail ("two masks differ");
  g_print (", \"%s_ms\": %.3f", name, ms);
  g_free (silhouette->mask);
  silhouette->mask = mask;
}

static void
cut_grid (Silhouette *silhouette, const FsBackend *backend, const char *name)
{
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  FsGrid *grid = silhouette->grid;
  uint8_t *mask = g_malloc (silhouette->n);
  double start = bench_wall_ms ();
  g_autoptr (FsSolver) solver = fs_solver_new (backend, grid, &error);
  if (solver == NULL || !fs_solver_solve (solver, NULL, &solution, &error))
    bench_fail (error->message);
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
  if (!solution.exact)
    bench_fail ("energy and bound differ");
  compare (silhouette, mask, name, bench_wall_ms () - start);
}

static void
cut_graph (Silhouette *silhouette, const FsGraphBackend *backend, const char *name)
{
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  FsCertificate certificate;
  uint8_t *mask = g_malloc (silhouette->n);
  double start = bench_wall_ms ();
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (backend, &silhouette->graph, &error);
  if (solver == NULL || !fs_graph_solver_solve (solver, NULL, &solution, &error))
    bench_fail (error->message);
  fs_graph_solver_read_mask (solver, mask);
  double ms = bench_wall_ms () - start;
  if (!fs_graph_solver_certify (solver, &certificate, &error) || !certificate.holds)
    bench_fail ("a certificate does not hold");
  compare (silhouette, mask, name, ms);
}

static void
cut_on_device (Silhouette *silhouette)
{
  cut_grid (silhouette, &fs_backend_cuda, "device_grid");
  cut_graph (silhouette, &fs_graph_backend_cuda, "device_graph");
#ifdef FS_WITH_CUDA
  fs_graph_cuda_use (fs_graph_engine_sweeps_regular (), (FsGraphTuning){ 0 });
  cut_graph (silhouette, &fs_graph_backend_cuda, "device_lock_free");
  fs_graph_cuda_use (NULL, (FsGraphTuning){ 0 });
#endif
}

static void
print_errors (const Silhouette *silhouette, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree uint8_t *truth =
      fs_seeds_load (path, silhouette->grid->width, silhouette->grid->height, NULL, &error);
  if (truth == NULL)
    bench_fail (error->message);
  size_t n_more = 0, n_less = 0;
  for (size_t p = 0; p < silhouette->n; p++) {
    n_more += truth[p] == 0 && silhouette->mask[p];
    n_less += truth[p] == OBJECT && !silhouette->mask[p];
  }
  double n = (double)silhouette->n;
  g_print (", \"false_positive\": %.6f, \"false_negative\": %.6f", (double)n_more / n,
           (double)n_less / n);
}

static void
measure (const char *photo, const char *seeds, const char *truth)
{
  g_autoptr (BenchInstance) instance = bench_instance_new (photo, seeds, 0);
  g_auto (Silhouette) silhouette;
  silhouette_init (&silhouette, fit (instance));
  g_print ("{\"photo\": \"%s\", \"pixels\": %zu", instance->name, silhouette.n);
  cut_grid (&silhouette, &fs_backend_cpu, "grid");
  cut_graph (&silhouette, &fs_graph_backend_cpu, "graph");
  if (fs_graph_cuda_is_available (NULL))
    cut_on_device (&silhouette);
  if (!g_str_equal (truth, "none"))
    print_errors (&silhouette, truth);
  g_print ("}\n");
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    bench_fail (error->message);
  if (files == NULL || g_strv_length (files) % 3 != 0)
    bench_fail ("give photos, their seeds and their truths");
  for (int i = 0; files[i] != NULL; i += 3)
    measure (files[i], files[i + 1], files[i + 2]);
  return 0;
}
