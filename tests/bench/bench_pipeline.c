/* SPDX-License-Identifier: MIT */
/* bench_pipeline MEGAPIXELS PHOTO SEEDS [PHOTO SEEDS …]
 *
 * The whole of `fretsaw cut` (decode, model, energy, cut, write) against the whole of OpenCV's
 * grabCut with one iteration (decode, model, cut, write), one thread each, in turn in one process.
 * Prints one line a photo and the geometric mean of the ratios, and a JSON object as its last line.
 */
#include "app/cut_job.h"
#include "tests/bench/bench_instance.h"
#include "tests/bench/opencv_grabcut.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 3 };

typedef struct {
  char *photo, *seeds, *mask;
} Files;

static int
compare (const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double
median (double *values)
{
  qsort (values, ROUNDS, sizeof *values, compare);
  return values[ROUNDS / 2];
}

/* Processor time of all threads: another program on the machine does not count. */
static double
process_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static double
cut_ms (const Files *files)
{
  FsCutJob job = { .photo = files->photo,
                   .seeds = files->seeds,
                   .mask = files->mask,
                   .backend = "cpu",
                   .n_threads = 1,
                   .settings = FS_SETTINGS_DEFAULT };
  g_autoptr (GError) error = NULL;
  FsCutResult result;
  double start = process_ms ();
  if (!fs_cut_job_run (&job, &result, &error))
    g_error ("%s", error->message);
  double passed = process_ms () - start;
  fs_cut_result_clear (&result);
  return passed;
}

static double
opencv_ms (const Files *files)
{
  double start = process_ms ();
  if (!bench_opencv_grabcut (files->photo, files->seeds, files->mask))
    g_error ("OpenCV could not cut %s", files->photo);
  return process_ms () - start;
}

/* Returns the ratio of OpenCV's time to ours. */
static double
compare_on (const Files *files, const BenchInstance *instance)
{
  double ours[ROUNDS], theirs[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    ours[i] = cut_ms (files);
    theirs[i] = opencv_ms (files);
  }
  double a = median (ours), b = median (theirs);
  g_print ("%-24s %5.1f MP  fretsaw %8.0f ms  OpenCV %8.0f ms  %6.1f x\n", instance->name,
           (double)instance->image->width * instance->image->height / 1e6, a, b, b / a);
  return b / a;
}

static double
bench_photo (const char *folder, const char *photo, const char *seeds, double megapixels)
{
  g_autoptr (BenchInstance) instance =
      bench_instance_new (photo, seeds, megapixels, FS_NEIGHBOURS_8);
  g_autofree char *photo_file = g_build_filename (folder, "photo.jpg", NULL);
  g_autofree char *seeds_file = g_build_filename (folder, "seeds.png", NULL);
  g_autofree char *mask_file = g_build_filename (folder, "mask.png", NULL);
  Files files = { photo_file, seeds_file, mask_file };
  int w = instance->image->width, h = instance->image->height;
  if (!bench_opencv_write (photo_file, instance->image->pixels, w, h)
      || !bench_opencv_write_seeds (seeds_file, instance->seeds->label, w, h))
    g_error ("cannot write to %s", folder);
  double ratio = compare_on (&files, instance);
  g_unlink (photo_file);
  g_unlink (seeds_file);
  g_unlink (mask_file);
  return ratio;
}

int
main (int argc, char **argv)
{
  if (argc < 4 || argc % 2 != 0) {
    g_printerr ("usage: bench_pipeline MEGAPIXELS PHOTO SEEDS [PHOTO SEEDS …]\n");
    return 2;
  }
  double megapixels = g_ascii_strtod (argv[1], NULL);
  g_autofree char *folder = g_dir_make_tmp ("fretsaw-bench-XXXXXX", NULL);
  double sum = 0;
  int n = 0;
  for (int i = 2; i + 1 < argc; i += 2, n++)
    sum += log (bench_photo (folder, argv[i], argv[i + 1], megapixels));
  g_rmdir (folder);
  g_print ("{\"bench\": \"pipeline\", \"megapixels\": %g, \"photos\": %d, \"ratio\": %.2f}\n",
           megapixels, n, exp (sum / n));
  return 0;
}
