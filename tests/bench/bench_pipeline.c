/* SPDX-License-Identifier: MIT */
/* bench_pipeline [OPTIONS] PHOTO SEEDS [PHOTO SEEDS …]
 *
 * The whole of `fretsaw cut` (decode, model, energy, cut, write) with its default settings against
 * the whole of OpenCV's grabCut with one iteration (decode, model, cut, write), one thread each, in
 * turn in one process, on the same JPEG and seed map: the photo as it is with --megapixels 0, else
 * resized and written as JPEG. Milliseconds of processor time, medians of the
 * rounds, and the least of them; the stages are our own, on the wall. One JSON
 * object a photo on standard output, a few words on standard error. */
#include "app/cut/cut_job.h"
#include "tests/bench/bench_instance.h"
#include "tests/bench/opencv_grabcut.h"

#include <glib/gstdio.h>
#include <stdlib.h>

enum { MAX_ROUNDS = 9 };

static double megapixels;
static int rounds = 3;
static char **files;

static const GOptionEntry options[] = {
  { "megapixels", 'm', 0, G_OPTION_ARG_DOUBLE, &megapixels, "Resize the photos", "X" },
  { "rounds", 'r', 0, G_OPTION_ARG_INT, &rounds, "Median of N, up to 9", "N" },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "PHOTO SEEDS …" },
  { NULL },
};

typedef struct {
  const char *photo, *seeds, *mask;
} Files;

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

static double
cut_ms (const Files *paths, FsCutResult *result)
{
  FsCutJob job = { .photo = paths->photo,
                   .seeds = paths->seeds,
                   .mask = paths->mask,
                   .backend = "cpu",
                   .n_threads = 1,
                   .settings = FS_SETTINGS_DEFAULT };
  g_autoptr (GError) error = NULL;
  double start = bench_process_ms ();
  if (!fs_cut_job_run (&job, result, &error))
    bench_fail (error->message);
  return bench_process_ms () - start;
}

static double
opencv_ms (const Files *paths)
{
  double start = bench_process_ms ();
  if (!bench_opencv_grabcut (paths->photo, paths->seeds, paths->mask))
    bench_fail ("OpenCV could not cut the photo");
  return bench_process_ms () - start;
}

static void
print_stages (const FsCutResult *result)
{
  g_print ("\"stages\": {\"decode\": %.1f, \"model\": %.1f, \"energy\": %.1f, \"cut\": %.1f, "
           "\"write\": %.1f}}\n",
           (double)result->decode_us * 1e-3, (double)result->model_us * 1e-3,
           (double)result->energy_us * 1e-3, (double)result->cut_us * 1e-3,
           (double)result->write_us * 1e-3);
}

static void
compare_on (const Files *paths, const BenchInstance *instance)
{
  double ours[MAX_ROUNDS], theirs[MAX_ROUNDS];
  FsCutResult result = { 0 };
  for (int i = 0; i < rounds; i++) {
    fs_cut_result_clear (&result);
    ours[i] = cut_ms (paths, &result);
    theirs[i] = opencv_ms (paths);
  }
  double a = median (ours), b = median (theirs); /* sorted from now on */
  double size = bench_instance_megapixels (instance);
  g_printerr ("%-24s %5.2f MP  fretsaw %8.0f ms, OpenCV %8.0f ms (x %.1f)\n", instance->name, size,
              a, b, b / a);
  g_print ("{\"photo\": \"%s\", \"megapixels\": %.4f, \"scale\": %.3f, \"ours\": %.1f, "
           "\"opencv\": %.1f, \"ours_least\": %.1f, \"opencv_least\": %.1f, \"model\": \"%s\", ",
           instance->name, size, instance->scale, a, b, ours[0], theirs[0],
           fs_model_name (FS_SETTINGS_DEFAULT.model));
  print_stages (&result);
  fs_cut_result_clear (&result);
}

static void
bench_photo (const char *folder, const char *photo, const char *seeds)
{
  g_autoptr (BenchInstance) instance = bench_instance_new (photo, seeds, megapixels);
  g_autofree char *made_photo = g_build_filename (folder, "photo.jpg", NULL);
  g_autofree char *made_seeds = g_build_filename (folder, "seeds.png", NULL);
  g_autofree char *mask = g_build_filename (folder, "mask.png", NULL);
  int w = instance->image->width, h = instance->image->height;
  if ((megapixels > 0 && !bench_opencv_write (made_photo, instance->image->pixels, w, h))
      || !bench_opencv_write_seeds (made_seeds, instance->seeds->label, w, h))
    bench_fail ("cannot write to the folder for temporary files");
  Files paths = { megapixels > 0 ? made_photo : photo, made_seeds, mask };
  compare_on (&paths, instance);
  g_unlink (made_photo);
  g_unlink (made_seeds);
  g_unlink (mask);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, options, NULL);
  g_autoptr (GError) error = NULL;
  if (!g_option_context_parse (context, &argc, &argv, &error))
    bench_fail (error->message);
  if (files == NULL || g_strv_length (files) % 2 != 0 || rounds < 1 || rounds > MAX_ROUNDS)
    bench_fail ("PHOTO SEEDS are needed, and one to nine rounds");
  g_autofree char *folder = g_dir_make_tmp ("fretsaw-bench-XXXXXX", NULL);
  if (folder == NULL)
    bench_fail ("no folder for temporary files");
  for (char **f = files; *f != NULL; f += 2)
    bench_photo (folder, f[0], f[1]);
  g_rmdir (folder);
  g_strfreev (files);
  return 0;
}
