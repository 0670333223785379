/* SPDX-License-Identifier: MIT */
/* The CUDA backend beside the CPU backend, on the same problems in the same process:
 *
 *   bench_cuda [OPTIONS] PHOTO SEEDS [PHOTO SEEDS …]
 *
 * Cold solves; with --strokes, a second person's strokes painted on the first one's and undone
 * again; artificial strokes and their undoing. The device makes the links from the photo.
 * Times are milliseconds: of the wall from the call to the mask on the host, and of the device's
 * own clock. One JSON object a photo on standard output:
 *
 *   load, build    the first solver of a photo, which sends it up, and every further one
 *   cold           its first cut
 *   person         a person's stroke from its pixels to the list of changed mask tiles: spans
 *                  listed, sent, cut, one stroke after another, as they are when somebody paints;
 *                  then all of them again, the mask of each compared; how many there were, and how
 *                  many turned pixels
 *   flip, undo     an artificial stroke's t-links changed, and cut; taken back, and cut
 *   stroke         a flip from its coordinates: painted, spans, cut, and the changed tiles listed
 *   refit          what t-links follow from sent again, and all of them made anew
 *   fitted         the cut after that, of models that were fitted to a person's strokes, one after
 *                  another
 *   bytes          that went up and down with a stroke, and up with a refit
 *   preview        by levels and bands (--levels, --band): the first of a solver that has cut
 *                  nothing, which takes memory and makes the pyramid's n-links, and further ones of
 *                  the solver that made all those cuts, which go on in the last one's mask, each
 *                  after one more artificial stroke to which the models were fitted, and then once
 *                  again, with all t-links of the pyramid made anew but none changed; after strokes
 *                  by which the models stand, with the sending of their spans; with --strokes,
 *                  after a person's to which the models were fitted; what they take beside the
 *                  cut's own state, and what they get wrong
 *
 * With --alone the processor cuts nothing, where it would take too long: all masks are proven on
 * the host, and no previews made. Fails where two masks differ. */
#include "solver/backend.h"
#include "tests/bench/bench_cuda_previews.h"
#include "tests/bench/bench_strokes.h"

#include "energy/implicit_links.h"
#include "solver/certificate.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/implicit_links.h"

#include <string.h>

enum { N_STROKES = 20 };

static int neighbours = 8;
static double megapixels;
static int rounds = 5;
static char *strokes_path;
static int n_flips = 10;
static char *model_name;
static double smoothness = 1;
static int threads = 1;
static gboolean certify, alone;
static int levels = 2, band = 2;
static char **files;
static FsSettings settings;

static const GOptionEntry options[] = {
  { "neighbours", 'n', 0, G_OPTION_ARG_INT, &neighbours, "4 or 8", "N" },
  { "megapixels", 'm', 0, G_OPTION_ARG_DOUBLE, &megapixels, "Resize the photos", "X" },
  { "rounds", 'r', 0, G_OPTION_ARG_INT, &rounds, "Cold solves", "N" },
  { "strokes", 's', 0, G_OPTION_ARG_FILENAME, &strokes_path, "Paint these strokes too", "SEEDS" },
  { "flips", 'f', 0, G_OPTION_ARG_INT, &n_flips, "Artificial strokes", "N" },
  { "model", 'M', 0, G_OPTION_ARG_STRING, &model_name,
    "geodesic (without strokes), kmeans or gmm; kmeans if nothing is said", "NAME" },
  { "smoothness", 0, 0, G_OPTION_ARG_DOUBLE, &smoothness, "λ as a multiple of the default", "X" },
  { "threads", 't', 0, G_OPTION_ARG_INT, &threads, "Threads of the CPU backend", "N" },
  { "levels", 'l', 0, G_OPTION_ARG_INT, &levels, "Coarse levels of the preview", "N" },
  { "band", 'b', 0, G_OPTION_ARG_INT, &band, "Dilation of its bands", "D" },
  { "certify", 'c', 0, G_OPTION_ARG_NONE, &certify,
    "Prove masks on the host; of persons' strokes only the last", NULL },
  { "alone", 'a', 0, G_OPTION_ARG_NONE, &alone, "Without the processor; --certify is implied",
    NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "PHOTO SEEDS …" },
  { NULL },
};

typedef struct {
  BenchClocks load, build, cold, person, flip, undo, stroke, refit;
  guint n_turning;   /* persons' strokes that turned pixels */
  GArray *up, *down; /* of double: bytes of a stroke */
  GArray *refit_up;  /* … of a refit                 */
} Measures;

/* Returns milliseconds of the wall. */
static double
cut (FsSolver *solver)
{
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  double start = bench_wall_ms ();
  if (!fs_solver_solve (solver, NULL, &solution, &error))
    bench_fail (error->message);
  double ms = bench_wall_ms () - start;
  if (!solution.exact)
    bench_fail ("energy and bound differ");
  return ms;
}

double
bench_cuda_solve (FsSolver *solver, uint8_t *mask)
{
  double ms = cut (solver);
  fs_solver_read_mask (solver, 0, 0, solver->grid->width, solver->grid->height, mask,
                       (size_t)solver->grid->width);
  return ms;
}

static void
prove (FsSolver *solver)
{
  if (!certify && !alone)
    return;
  FsCertificate certificate;
  g_autoptr (GError) error = NULL;
  if (!fs_solver_certify (solver, &certificate, &error))
    bench_fail (error->message);
  if (!certificate.holds)
    bench_fail ("a certificate does not hold");
}

/* `times` may be NULL. */
static void
solve_both (BenchCudaMatch *match, double cpu_start, double cuda_start, BenchClocks *times)
{
  FsEngineResult result;
  size_t n = fs_grid_n_pixels (match->grid);
  double cpu_ms = cpu_start + (alone ? 0 : bench_cuda_solve (match->cpu, match->mask));
  double wall_ms = cuda_start + bench_cuda_solve (match->cuda, match->other);
  fs_cuda_last_result (match->cuda, &result);
  if (alone)
    memcpy (match->mask, match->other, n);
  else if (memcmp (match->mask, match->other, n) != 0)
    bench_fail ("the two masks differ");
  if (fs_cuda_notice () != NULL)
    bench_fail (fs_cuda_notice ());
  if (times == NULL)
    return;
  if (!alone)
    g_array_append_val (times->cpu, cpu_ms);
  g_array_append_val (times->wall, wall_ms);
  g_array_append_val (times->device, result.device_ms);
}

/* Spans for the device (NULL: the t-links), t-links for the processor. */
static void
change_and_solve (BenchCudaMatch *match, const GArray *spans, const GArray *changes,
                  BenchClocks *times)
{
  const FsTlinkChange *change = (const FsTlinkChange *)(const void *)changes->data;
  double start = bench_wall_ms ();
  if (!alone)
    fs_solver_change_tlinks (match->cpu, change, changes->len, NULL);
  for (guint i = 0; alone && i < changes->len; i++)
    match->grid->tlink[change[i].pixel] = change[i].tlink;
  double cpu = bench_wall_ms () - start;
  start = bench_wall_ms ();
  if (spans != NULL)
    fs_solver_fix_tlinks (match->cuda, (const FsFixedSpan *)(const void *)spans->data, spans->len,
                          NULL);
  else
    fs_solver_change_tlinks (match->cuda, change, changes->len, NULL);
  double cuda = bench_wall_ms () - start;
  solve_both (match, cpu, cuda, times);
}

static void
change_both (BenchCudaMatch *match, const GArray *changes, BenchClocks *times)
{
  change_and_solve (match, NULL, changes, times);
}

/* --- Cold --- */

/* The processor's planes are there; whoever asks gets copies. */
static gboolean
fill (FsGrid *grid, gpointer data, GError **error)
{
  const BenchCudaMatch *match = data;
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    grid->nlink[d] = match->grid->nlink[d];
  memcpy (grid->tlink, match->grid->tlink, fs_grid_n_pixels (grid) * sizeof *grid->tlink);
  return TRUE;
}

static FsSolver *
make_cuda (BenchCudaMatch *match, FsGrid *grid, BenchClocks *times)
{
  g_autoptr (GError) error = NULL;
  FsLinkSource source;
  double start = bench_wall_ms ();
  fs_energy_fill_link_source (match->instance->energy, match->instance->seeds, &source);
  FsSolver *solver =
      fs_solver_new_built (&fs_backend_cuda, grid, &source, (FsPlaneOwner){ fill, match }, &error);
  double ms = bench_wall_ms () - start;
  if (solver == NULL)
    bench_fail (error->message);
  g_array_append_val (times->wall, ms);
  return solver;
}

static void
make_cpu (BenchCudaMatch *match, BenchClocks *times)
{
  g_autoptr (GError) error = NULL;
  double start = bench_wall_ms ();
  match->cpu = fs_solver_new (&fs_backend_cpu, match->grid, &error);
  double ms = bench_wall_ms () - start;
  if (match->cpu == NULL)
    bench_fail (error->message);
  g_array_append_val (times->cpu, ms);
}

static void
time_cold (BenchCudaMatch *match, Measures *measures, FsEngineResult *result)
{
  match->first = make_cuda (match, &match->copy, &measures->load);
  for (int i = 0; i < rounds; i++) {
    g_clear_pointer (&match->cpu, fs_solver_free);
    g_clear_pointer (&match->cuda, fs_solver_free);
    if (!alone)
      make_cpu (match, &measures->build);
    match->cuda = make_cuda (match, &match->copy, &measures->build);
    solve_both (match, 0, 0, &measures->cold);
    prove (match->cuda);
    fs_cuda_last_result (match->cuda, result);
    g_array_append_val (measures->build.device, result->build_ms);
  }
}

/* --- Strokes --- */

static void
note_bytes (BenchCudaMatch *match, Measures *measures)
{
  FsEngineResult result;
  fs_cuda_last_result (match->cuda, &result);
  double up = (double)result.bytes_up, down = (double)result.bytes_down;
  g_array_append_val (measures->up, up);
  g_array_append_val (measures->down, down);
}

/* Paints a stroke and cuts; `changes` gets its t-links. */
static void
time_stroke (BenchCudaMatch *match, const FsCapsule *capsule, uint8_t label, Measures *measures,
             GArray *changes)
{
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  g_autoptr (GArray) star = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  BenchInstance *instance = match->instance;
  double start = bench_wall_ms ();
  fs_seed_map_paint (instance->seeds, capsule, label, NULL, pixels);
  fs_energy_list_fixed (instance->seeds, (const uint32_t *)(void *)pixels->data, pixels->len,
                        match->spans);
  double ms = bench_wall_ms () - start;
  fs_energy_extend (instance->energy, instance->seeds, (const uint32_t *)(void *)pixels->data,
                    pixels->len, changes, star);
  change_and_solve (match, match->spans, changes, &measures->flip);
  ms += g_array_index (measures->flip.wall, double, measures->flip.wall->len - 1);
  start = bench_wall_ms ();
  fs_solver_take_changed_tiles (match->cuda, match->tiles);
  ms += bench_wall_ms () - start;
  g_array_append_val (measures->stroke.wall, ms);
  note_bytes (match, measures);
}

/* By the device alone. */
static void
time_person (BenchCudaMatch *match, const BenchStroke *stroke, BenchClocks *times)
{
  FsEngineResult result;
  double start = bench_wall_ms ();
  bench_stroke_paint_spans (stroke, match->instance, match->spans);
  fs_solver_fix_tlinks (match->cuda, (const FsFixedSpan *)(const void *)match->spans->data,
                        match->spans->len, NULL);
  cut (match->cuda);
  fs_solver_take_changed_tiles (match->cuda, match->tiles);
  double ms = bench_wall_ms () - start;
  fs_cuda_last_result (match->cuda, &result);
  g_array_append_val (times->wall, ms);
  g_array_append_val (times->device, result.device_ms);
}

/* By both; the processor's time is noted. */
static void
check_person (BenchCudaMatch *match, const BenchStroke *stroke, Measures *measures)
{
  size_t n = fs_grid_n_pixels (match->grid);
  g_autofree uint8_t *before = g_memdup2 (match->mask, n);
  g_autoptr (GArray) scrap = g_array_new (FALSE, FALSE, sizeof (double));
  BenchClocks times = { measures->person.cpu, scrap, scrap };
  bench_stroke_paint_spans (stroke, match->instance, match->spans);
  g_autoptr (GArray) changes = bench_stroke_paint (stroke, match->instance);
  change_and_solve (match, match->spans, changes, &times);
  measures->n_turning += memcmp (before, match->mask, n) != 0;
}

/* Of a second person, on the same photo; they are taken back each time. */
static void
time_persons (BenchCudaMatch *match, Measures *measures)
{
  BenchInstance *instance = match->instance;
  g_autoptr (GPtrArray) strokes = bench_strokes_read (strokes_path, instance, N_STROKES);
  fs_solver_take_changed_tiles (match->cuda, match->tiles);
  for (guint i = 0; i < strokes->len; i++)
    time_person (match, g_ptr_array_index (strokes, i), &measures->person);
  for (guint i = strokes->len; i-- > 0;) {
    g_autoptr (GArray) back = bench_stroke_undo (g_ptr_array_index (strokes, i), instance);
    fs_solver_change_tlinks (match->cuda, (const FsTlinkChange *)(const void *)back->data,
                             back->len, NULL);
  }
  for (guint i = 0; i < strokes->len; i++)
    check_person (match, g_ptr_array_index (strokes, i), measures);
  for (guint i = strokes->len; i-- > 0;) {
    g_autoptr (GArray) back = bench_stroke_undo (g_ptr_array_index (strokes, i), instance);
    change_both (match, back, NULL);
  }
  prove (match->cuda);
}

static void
time_strokes (BenchCudaMatch *match, Measures *measures)
{
  size_t n = fs_grid_n_pixels (match->grid);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  fs_solver_take_changed_tiles (match->cuda, match->tiles);
  for (int i = 0; i < n_flips; i++) {
    g_autofree uint8_t *before = g_memdup2 (match->instance->seeds->label, n);
    uint8_t label;
    FsCapsule capsule = bench_flip_capsule (i, match->instance, match->mask, &label);
    time_stroke (match, &capsule, label, measures, changes);
    prove (match->cuda);
    g_autoptr (GArray) back = bench_flip_undo (changes, match->instance, before);
    change_both (match, back, &measures->undo);
    prove (match->cuda);
  }
}

/* --- Refits --- */

/* Of the models as they are, so that the mask stays. */
static void
time_refits (BenchCudaMatch *match, Measures *measures)
{
  FsEngineResult result;
  for (int i = 0; i < rounds; i++) {
    FsLinkSource source;
    double start = bench_wall_ms ();
    fs_energy_fill_link_source (match->instance->energy, match->instance->seeds, &source);
    if (!fs_solver_rebuild_tlinks (match->cuda, &source, NULL))
      bench_fail ("no new t-links");
    double ms = bench_wall_ms () - start;
    bench_cuda_solve (match->cuda, match->other);
    fs_cuda_last_result (match->cuda, &result);
    if (memcmp (match->mask, match->other, fs_grid_n_pixels (match->grid)) != 0)
      bench_fail ("the mask after a refit differs");
    double up = (double)result.bytes_up;
    g_array_append_val (measures->refit.wall, ms);
    g_array_append_val (measures->refit.device, result.build_ms);
    g_array_append_val (measures->refit_up, up);
  }
}

void
bench_cuda_fit (BenchCudaMatch *match)
{
  BenchInstance *instance = match->instance;
  FsLinkSource source;
  fs_energy_fit (instance->energy, instance->seeds);
  fs_energy_fill_tlinks (instance->energy, instance->seeds, match->grid->tlink);
  fs_energy_fill_link_source (instance->energy, instance->seeds, &source);
  if (!fs_solver_rebuild_tlinks (match->cuda, &source, NULL))
    bench_fail ("no new t-links");
}

void
bench_cuda_cut_fitted (BenchCudaMatch *match, BenchClocks *times)
{
  FsEngineResult result;
  double ms = cut (match->cuda);
  fs_cuda_last_result (match->cuda, &result);
  g_array_append_val (times->wall, ms);
  g_array_append_val (times->device, result.device_ms);
}

void
bench_cuda_take_back (BenchCudaMatch *match, const GPtrArray *strokes)
{
  size_t n = fs_grid_n_pixels (match->grid);
  g_autofree uint8_t *mask = g_malloc (n);
  for (guint i = strokes->len; i-- > 0;)
    g_array_unref (bench_stroke_undo (g_ptr_array_index (strokes, i), match->instance));
  bench_cuda_fit (match);
  bench_cuda_solve (match->cuda, mask);
  prove (match->cuda);
  if (memcmp (match->mask, mask, n) != 0)
    bench_fail ("the mask after refits differs");
}

/* Of a second person's strokes, where no previews are made. */
static void
time_fitted (BenchCudaMatch *match, BenchClocks *times)
{
  g_autoptr (GPtrArray) strokes = bench_strokes_read (strokes_path, match->instance, N_STROKES);
  for (guint i = 0; i < strokes->len; i++) {
    g_array_unref (bench_stroke_paint (g_ptr_array_index (strokes, i), match->instance));
    bench_cuda_fit (match);
    bench_cuda_cut_fitted (match, times);
  }
  bench_cuda_take_back (match, strokes);
}

/* --- A photo --- */

/* Of a solver that has cut nothing, and of the one that has made all cuts. */
static void
time_previews (BenchCudaMatch *match, Measures *measures, BenchCudaPreviews *previews)
{
  g_autoptr (FsSolver) fresh = make_cuda (match, &match->copy, &measures->build);
  g_autoptr (GPtrArray) strokes = NULL;
  if (strokes_path != NULL)
    strokes = bench_strokes_read (strokes_path, match->instance, N_STROKES);
  bench_cuda_time_previews (match, fresh, strokes, rounds, previews);
}

static void
match_init (BenchCudaMatch *match, BenchInstance *instance)
{
  *match = (BenchCudaMatch){ .instance = instance,
                             .grid = bench_instance_fit_settings (instance, &settings) };
  size_t n = fs_grid_n_pixels (match->grid);
  match->copy = *match->grid;
  memset (match->copy.nlink, 0, sizeof match->copy.nlink);
  match->copy.tlink = g_new (int32_t, n);
  match->mask = g_malloc0 (n);
  match->other = g_malloc0 (n);
  match->spans = g_array_new (FALSE, FALSE, sizeof (FsFixedSpan));
  match->tiles = g_malloc0 (n / FS_MASK_TILE + match->grid->width + match->grid->height);
}

static void
match_clear (BenchCudaMatch *match)
{
  fs_solver_free (match->cpu);
  fs_solver_free (match->cuda);
  fs_solver_free (match->first);
  g_free (match->copy.tlink);
  g_free (match->mask);
  g_free (match->other);
  g_free (match->tiles);
  g_array_unref (match->spans);
}

static void
print_row (const BenchCudaMatch *match, const FsEngineResult *result, Measures *measures,
           const BenchCudaPreviews *previews)
{
  g_print ("{\"photo\": \"%s\", \"megapixels\": %.2f, \"neighbours\": %d, \"model\": \"%s\", "
           "\"epochs\": %d, "
           "\"discharges\": %d, \"labellings\": %d, \"bytes_per_pixel\": %.1f",
           match->instance->name, bench_instance_megapixels (match->instance), neighbours,
           fs_model_name (settings.model), (int)result->epochs, (int)result->discharges,
           (int)result->labellings,
           (double)fs_solver_size_bytes (match->cuda) / (double)fs_grid_n_pixels (match->grid));
  g_print (", \"phases\": %d, \"pushes\": %d, \"busy\": %.2f", (int)result->phases,
           (int)result->pushes, result->busy);
  g_print (", \"part_ms\": [%.3f, %.3f, %.3f]", result->ms[0], result->ms[1], result->ms[2]);
  bench_print_clocks ("load", &measures->load);
  bench_print_clocks ("build", &measures->build);
  bench_print_clocks ("cold", &measures->cold);
  if (strokes_path != NULL)
    g_print (", \"n_persons\": %u, \"n_turning\": %u", measures->person.wall->len,
             measures->n_turning);
  bench_print_clocks ("person", &measures->person);
  bench_print_clocks ("flip", &measures->flip);
  bench_print_clocks ("undo", &measures->undo);
  bench_print_clocks ("stroke", &measures->stroke);
  bench_print_clocks ("refit", &measures->refit);
  bench_print_clocks ("fitted", &previews->fitted);
  bench_print_median ("refit_bytes_up", measures->refit_up);
  bench_print_median ("bytes_up", measures->up);
  bench_print_median ("bytes_down", measures->down);
  if (!alone)
    bench_cuda_print_previews (match, previews);
  g_print ("}\n");
}

static void
measure (const char *photo, const char *seeds)
{
  g_autoptr (BenchInstance) instance = bench_instance_new (photo, seeds, megapixels);
  BenchCudaMatch match;
  Measures measures = { .up = g_array_new (FALSE, FALSE, sizeof (double)),
                        .down = g_array_new (FALSE, FALSE, sizeof (double)),
                        .refit_up = g_array_new (FALSE, FALSE, sizeof (double)) };
  BenchCudaPreviews previews = { .levels = levels, .band_px = band };
  BenchClocks *times[] = { &measures.load,    &measures.build,  &measures.cold,   &measures.person,
                           &measures.flip,    &measures.undo,   &measures.stroke, &measures.refit,
                           &previews.fitted,  &previews.first,  &previews.flips,  &previews.again,
                           &previews.painted, &previews.persons };
  FsEngineResult result = { 0 };
  for (size_t i = 0; i < G_N_ELEMENTS (times); i++)
    bench_clocks_init (times[i]);
  match_init (&match, instance);
  time_cold (&match, &measures, &result);
  if (strokes_path != NULL)
    time_persons (&match, &measures);
  time_strokes (&match, &measures);
  time_refits (&match, &measures);
  if (!alone)
    time_previews (&match, &measures, &previews);
  else if (strokes_path != NULL)
    time_fitted (&match, &previews.fitted);
  print_row (&match, &result, &measures, &previews);
  for (size_t i = 0; i < G_N_ELEMENTS (times); i++)
    bench_clocks_clear (times[i]);
  g_array_unref (measures.up);
  g_array_unref (measures.down);
  g_array_unref (measures.refit_up);
  match_clear (&match);
}

/* A stroke of the geodesic model leads the star on, which both solvers would write in one plane. */
static void
read_settings (void)
{
  settings = FS_SETTINGS_DEFAULT;
  settings.model = FS_MODEL_KMEANS;
  if (model_name != NULL && !fs_model_from_name (model_name, &settings.model))
    bench_fail ("--model takes geodesic, kmeans or gmm");
  if (settings.model == FS_MODEL_GEODESIC && (n_flips > 0 || strokes_path != NULL))
    bench_fail ("strokes are not for the geodesic model: give --flips 0");
  if (smoothness < 0 || smoothness > FS_SMOOTHNESS_MAX)
    bench_fail ("--smoothness takes 0 to 100");
  settings.neighbours = (FsNeighbours)neighbours;
  settings.smoothness = smoothness;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    bench_fail (error->message);
  if (files == NULL || g_strv_length (files) % 2 != 0)
    bench_fail ("give photos and their seeds in pairs");
  if (!fs_cuda_is_available (&error))
    bench_fail (error->message);
  if (levels < 0 || levels > FS_LEVELS_MAX || band < 0)
    bench_fail ("--levels takes 0 to 12, --band no negative number");
  read_settings ();
  fs_solver_set_threads (threads);
  if (strokes_path != NULL && g_strv_length (files) > 2)
    bench_fail ("--strokes are for one photo");
  for (int i = 0; files[i] != NULL; i += 2)
    measure (files[i], files[i + 1]);
  return 0;
}
