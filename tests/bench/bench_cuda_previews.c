/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench_cuda_previews.h"

#include "tests/bench/bench_strokes.h"

#include "energy/implicit_links.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/implicit_links.h"

#include <string.h>

static double
preview_on_device (BenchCudaMatch *match, FsSolver *solver, const FsPreviewOptions *wanted,
                   BenchCudaPreviews *seen)
{
  g_autoptr (GError) error = NULL;
  gboolean done;
  double start = bench_wall_ms ();
  if (!fs_solver_preview (solver, wanted, NULL, match->other, &seen->stats, &done, &error))
    bench_fail (error->message);
  double ms = bench_wall_ms () - start;
  if (!done)
    bench_fail (fs_cuda_notice () != NULL ? fs_cuda_notice () : "the device makes no previews");
  fs_cuda_last_preview (solver, &seen->device);
  return ms;
}

static double
preview_on_cpu (FsPreview *preview, uint8_t *mask)
{
  g_autoptr (GError) error = NULL;
  fs_preview_change_all (preview);
  double start = bench_wall_ms ();
  if (!fs_preview_solve (preview, NULL, mask, NULL, &error))
    bench_fail (error->message);
  return bench_wall_ms () - start;
}

/* Paints one more stroke; `pixels` gets those that it changed. */
static void
paint_one_more (BenchCudaMatch *match, int i, GArray *pixels)
{
  uint8_t label;
  FsCapsule capsule = bench_flip_capsule (i, match->instance, match->mask, &label);
  fs_seed_map_paint (match->instance->seeds, &capsule, label, NULL, pixels);
}

/* … and fits the models to it. */
static void
fit_to_stroke (BenchCudaMatch *match, int i)
{
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  paint_one_more (match, i, pixels);
  bench_cuda_fit (match);
}

/* … by which the models stand: its own t-links are others. Returns milliseconds of sending them. */
static double
send_stroke (BenchCudaMatch *match, int i)
{
  BenchInstance *instance = match->instance;
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  g_autoptr (GArray) star = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  paint_one_more (match, i, pixels);
  const uint32_t *pixel = (const uint32_t *)(void *)pixels->data;
  fs_energy_extend (instance->energy, instance->seeds, pixel, pixels->len, changes, star);
  for (guint k = 0; k < changes->len; k++) {
    const FsTlinkChange *change = &g_array_index (changes, FsTlinkChange, k);
    match->grid->tlink[change->pixel] = change->tlink;
  }
  double start = bench_wall_ms ();
  fs_energy_list_fixed (instance->seeds, pixel, pixels->len, match->spans);
  if (!fs_solver_fix_tlinks (match->cuda, (const FsFixedSpan *)(const void *)match->spans->data,
                             match->spans->len, NULL))
    bench_fail ("no t-links of a stroke");
  return bench_wall_ms () - start;
}

/* Both make one, unless `preview`, the processor's, is NULL; `made` and `sent`: milliseconds that
 * the processor and the device have spent on it before. */
static void
time_preview (BenchCudaMatch *match, FsSolver *solver, const FsPreviewOptions *wanted,
              FsPreview *preview, double made, double sent, BenchClocks *times,
              BenchCudaPreviews *seen)
{
  size_t n = fs_grid_n_pixels (match->grid);
  g_autofree uint8_t *expected = g_malloc (n);
  double cpu = preview != NULL ? preview_on_cpu (preview, expected) + made : 0;
  double wall = preview_on_device (match, solver, wanted, seen) + sent;
  if (preview != NULL && memcmp (expected, match->other, n) != 0)
    bench_fail ("the two previews differ");
  if (times == NULL)
    return;
  if (preview != NULL)
    g_array_append_val (times->cpu, cpu);
  g_array_append_val (times->wall, wall);
  g_array_append_val (times->device, seen->device.device_ms);
}

/* The processor's previews take long: each so many-th is compared. */
enum { COMPARE_EACH = 4 };

/* Of models that are fitted to a person's strokes, each before its cut; these are taken back in the
 * end. */
static void
time_persons (BenchCudaMatch *match, const GPtrArray *strokes, const FsPreviewOptions *wanted,
              FsPreview *preview, BenchCudaPreviews *previews)
{
  BenchCudaPreviews unused;
  for (guint i = 0; i < strokes->len; i++) {
    g_array_unref (bench_stroke_paint (g_ptr_array_index (strokes, i), match->instance));
    bench_cuda_fit (match);
    FsPreview *other = i % COMPARE_EACH == 0 ? preview : NULL;
    time_preview (match, match->cuda, wanted, other, 0, 0, &previews->persons, &unused);
    bench_cuda_cut_fitted (match, &previews->fitted);
  }
  bench_cuda_take_back (match, strokes);
}

/* … to artificial ones, and once again each time. What is wrong is that of the last. */
static void
time_flips (BenchCudaMatch *match, int rounds, const FsPreviewOptions *wanted, FsPreview *preview,
            BenchCudaPreviews *previews)
{
  size_t n = fs_grid_n_pixels (match->grid);
  for (int i = 0; i < rounds; i++) {
    fit_to_stroke (match, i);
    time_preview (match, match->cuda, wanted, preview, 0, 0, &previews->flips, previews);
    time_preview (match, match->cuda, wanted, preview, 0, 0, &previews->again, previews);
  }
  g_autofree uint8_t *last = g_memdup2 (match->other, n);
  bench_cuda_solve (match->cuda, match->mask);
  previews->wrong = 0;
  for (size_t p = 0; p < n; p++)
    previews->wrong += last[p] != match->mask[p];
}

/* Memory is there after the cutting solver's first one, which is not timed. Further ones go on in
 * the mask that it has filled. */
void
bench_cuda_time_previews (BenchCudaMatch *match, FsSolver *fresh, const GPtrArray *strokes,
                          int rounds, BenchCudaPreviews *previews)
{
  FsPreviewOptions wanted = { .n_levels = previews->levels,
                              .band_px = previews->band_px,
                              .soft_tlink = fs_energy_get_soft_tlink (match->instance->energy) };
  g_autoptr (GError) error = NULL;
  double start = bench_wall_ms ();
  g_autoptr (FsPreview) preview = fs_preview_new (match->grid, &wanted, NULL, &error);
  if (preview == NULL)
    bench_fail (error->message);
  double made = bench_wall_ms () - start;
  time_preview (match, fresh, &wanted, preview, made, 0, &previews->first, previews);
  time_preview (match, match->cuda, &wanted, preview, 0, 0, NULL, previews);
  wanted.goes_on = TRUE;
  if (strokes != NULL)
    time_persons (match, strokes, &wanted, preview, previews);
  time_flips (match, rounds, &wanted, preview, previews);
  BenchCudaPreviews unused;
  for (int i = rounds; i < 2 * rounds; i++) {
    double sent = send_stroke (match, i);
    time_preview (match, match->cuda, &wanted, preview, 0, sent, &previews->painted, &unused);
  }
}

void
bench_cuda_print_previews (const BenchCudaMatch *match, const BenchCudaPreviews *previews)
{
  double n = (double)fs_grid_n_pixels (match->grid);
  bench_print_clocks ("first_preview", &previews->first);
  bench_print_clocks ("preview", &previews->flips);
  bench_print_clocks ("preview_again", &previews->again);
  bench_print_clocks ("preview_painted", &previews->painted);
  bench_print_clocks ("preview_person", &previews->persons);
  g_print (", \"preview\": {\"levels\": %d, \"band\": %d, \"share_cut\": %.4f, \"share_wrong\": "
           "%.6f, \"pyramid_bytes_per_pixel\": %.2f, \"band_bytes_per_pixel\": %.2f, "
           "\"discharges\": %d, \"labellings\": %d}",
           previews->stats.n_levels, previews->band_px, (double)previews->stats.n_solved[0] / n,
           (double)previews->wrong / n, (double)previews->device.pyramid_bytes / n,
           (double)previews->device.band_bytes / n, (int)previews->device.discharges,
           (int)previews->device.labellings);
}
