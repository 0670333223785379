/* SPDX-License-Identifier: MIT */
/* The alpha of zones in exports: computed once where several files show it, and cancelled. */
#include "app/cut/cut_job.h"
#include "app/export/export.h"
#include "app/export/export_edge.h"
#include "tests/app/photo/made_files.h"

#include <math.h>
#include <string.h>

enum { W = 120, H = 90, N = W * H };

typedef struct {
  char *folder;
  FsImage *image;
  uint8_t mask[N], zones[N];
  GCancellable *cancellable; /* of test_cancelled, or NULL */
  double last;               /* fraction that was reported */
  int n_runs, n_reports;
} Fixture;

/* An object below a blurred, wavy border, in noise; one zone along it. */
static void
set_up (Fixture *f, gconstpointer data)
{
  uint32_t random = 3;
  f->folder = made_folder ();
  f->image = fs_image_new (W, H);
  f->last = 1;
  for (int p = 0; p < N; p++) {
    const double alpha = CLAMP ((p / W - 45 + 4 * sin (p % W / 9.0)) / 8 + 0.5, 0, 1);
    random = random * 1664525u + 1013904223u;
    const int grain = (int)(random >> 20) % 17;
    f->image->pixels[p] = FS_PIXEL (255, (uint8_t)(40 + 160 * alpha + grain),
                                    (uint8_t)(120 - 60 * alpha + grain), (uint8_t)(80 + grain));
    f->mask[p] = alpha > 0.5;
    f->zones[p] = p / W > 30 && p / W < 60 ? FS_EDGE_ZONE_REFINE : FS_EDGE_ZONE_NONE;
  }
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  made_folder_remove (f->folder);
  g_free (f->folder);
  fs_image_unref (f->image);
}

static void
note_refining (double fraction, gpointer user_data)
{
  Fixture *f = user_data;
  f->n_runs += fraction < f->last;
  f->last = fraction;
  f->n_reports++;
  if (f->cancellable)
    g_cancellable_cancel (f->cancellable);
}

static FsExport
describe (Fixture *f, FsExportKind kind, const FsProgress *refining)
{
  return (FsExport){ .image = f->image,
                     .mask = f->mask,
                     .kind = kind,
                     .edge = FS_EDGE_SETTINGS_DEFAULT,
                     .zones = f->zones,
                     .refining = refining };
}

/* Returns the file's bytes. g_free. */
static char *
write_file (Fixture *f, const FsExport *what, const char *name, gsize *n)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *bytes;
  fs_export_write (what, path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &bytes, n, NULL));
  return bytes;
}

static void
assert_same_files (Fixture *f, const FsExport *alone, const FsExportRefinement *refinement,
                   const char *name)
{
  FsExport shared = *alone;
  gsize n_before, n_after;
  shared.refinement = refinement;
  g_autofree char *before = write_file (f, alone, name, &n_before);
  f->n_runs = 0;
  g_autofree char *after = write_file (f, &shared, name, &n_after);
  g_assert_cmpmem (before, n_before, after, n_after);
  g_assert_cmpint (f->n_runs, ==, 0);
}

/* Files with what was computed before are those without it. */
static void
test_shared (Fixture *f, gconstpointer data)
{
  const FsProgress refining = { .report = note_refining, .user_data = f };
  FsExport cutout = describe (f, FS_EXPORT_CUTOUT, &refining);
  const FsExport alpha = describe (f, FS_EXPORT_ALPHA, &refining);
  g_autoptr (FsExportRefinement) refinement = fs_export_refine (&cutout);
  g_assert_nonnull (refinement);
  g_assert_cmpint (f->n_runs, ==, 1);
  g_assert_cmpint (f->n_reports, >, 4);
  assert_same_files (f, &alpha, refinement, "alpha.png");
  assert_same_files (f, &cutout, refinement, "cutout.png");
  cutout.edge.specks_px = 5;
  g_autoptr (FsExportRefinement) tidy = fs_export_refine (&cutout);
  assert_same_files (f, &cutout, tidy, "tidy.png");
}

/* One run for a cropped cut-out, whose extent needs its alpha, too; one for each layer. */
static void
test_once (Fixture *f, gconstpointer data)
{
  const FsProgress refining = { .report = note_refining, .user_data = f };
  FsExport what = describe (f, FS_EXPORT_CUTOUT, &refining);
  gsize n;
  g_free (write_file (f, &what, "layer.ora", &n));
  g_assert_cmpint (f->n_runs, ==, 1);
  g_free (write_file (f, &what, "layer.psd", &n));
  g_assert_cmpint (f->n_runs, ==, 2);
  what.area = (FsRect){ 0, 40, W, H };
  what.takes_edge = TRUE;
  g_free (write_file (f, &what, "cropped.png", &n));
  g_assert_cmpint (f->n_runs, ==, 3);
}

/* The command's alpha and cut-out. */
static void
test_command (Fixture *f, gconstpointer data)
{
  const FsProgress refining = { .report = note_refining, .user_data = f };
  uint8_t seeds[N];
  for (int p = 0; p < N; p++)
    seeds[p] = p / W < 5 ? FS_SEED_BACKGROUND : p / W > 80 ? FS_SEED_OBJECT : FS_SEED_NONE;
  const FsExport photo = { .image = f->image,
                           .mask = f->mask,
                           .kind = FS_EXPORT_CUTOUT,
                           .keep_hidden = TRUE,
                           .edge = FS_EDGE_SETTINGS_HARD };
  const FsExport marks = { .image = f->image, .mask = seeds, .kind = FS_EXPORT_GREY };
  const FsExport zones = { .image = f->image, .mask = f->zones, .kind = FS_EXPORT_GREY };
  gsize n;
  memset (f->mask, 1, N);
  g_free (write_file (f, &photo, "photo.png", &n));
  g_free (write_file (f, &marks, "seeds.png", &n));
  g_free (write_file (f, &zones, "zones.png", &n));
  g_autofree char *photo_path = g_build_filename (f->folder, "photo.png", NULL);
  g_autofree char *seeds_path = g_build_filename (f->folder, "seeds.png", NULL);
  g_autofree char *zones_path = g_build_filename (f->folder, "zones.png", NULL);
  g_autofree char *alpha_path = g_build_filename (f->folder, "alpha.png", NULL);
  g_autofree char *cutout_path = g_build_filename (f->folder, "cutout.png", NULL);
  const FsCutJob job = { .photo = photo_path,
                         .seeds = seeds_path,
                         .edge_zones = zones_path,
                         .alpha = alpha_path,
                         .cutout = cutout_path,
                         .edge = FS_EDGE_SETTINGS_DEFAULT,
                         .refining = &refining,
                         .settings = FS_SETTINGS_DEFAULT };
  FsCutResult result;
  g_autoptr (GError) error = NULL;
  fs_cut_job_run (&job, &result, &error);
  g_assert_no_error (error);
  fs_cut_result_clear (&result);
  g_assert_cmpint (f->n_runs, ==, 1);
  g_assert_cmpfloat (f->last, ==, 1);
}

/* Cancelled while the alpha is computed, before there is any row: it is not computed to its end. */
static void
test_cancelled (Fixture *f, gconstpointer data)
{
  const FsProgress refining = { .report = note_refining, .user_data = f };
  const FsExport what = describe (f, FS_EXPORT_CUTOUT, &refining);
  g_autofree char *path = g_build_filename (f->folder, data, NULL);
  g_autoptr (GCancellable) cancellable = f->cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_export_write (&what, path, cancellable, NULL, NULL, &error));
  g_assert_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_CANCELLED);
  /* The first one, which cancels, and the last one. */
  g_assert_cmpint (f->n_reports, <=, 2);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/refinement/shared", Fixture, NULL, set_up, test_shared, tear_down);
  g_test_add ("/refinement/once", Fixture, NULL, set_up, test_once, tear_down);
  g_test_add ("/refinement/command", Fixture, NULL, set_up, test_command, tear_down);
  g_test_add ("/refinement/cancelled", Fixture, "cutout.png", set_up, test_cancelled, tear_down);
  g_test_add ("/refinement/cancelled-layers", Fixture, "cutout.ora", set_up, test_cancelled,
              tear_down);
  return g_test_run ();
}
