/* SPDX-License-Identifier: MIT */
/* Which backend cuts: by what was measured, by wish, and after a failure. The kernels' twin on the
 * host stands in for a device. */
#include "app/backend_choice.h"
#include "app/document.h"
#include "solver/cuda.h"
#include "solver/cuda_module.h"
#include "solver/kernels/engine_host.h"

#include <glib/gstdio.h>
#include <string.h>

enum { W = 96, H = 64, LARGE = 4000000, SMALL = 10000 };

/* --- Made-up devices and files --- */

static int n_opened;

static int
count_opening (char *name, size_t name_bytes, FsEngineError *error)
{
  g_atomic_int_inc (&n_opened);
  return fs_engine_host ()->open (name, name_bytes, error);
}

static int
no_device (char *name, size_t name_bytes, FsEngineError *error)
{
  g_atomic_int_inc (&n_opened);
  g_strlcpy (error->text, "there is none", sizeof error->text);
  return FS_ENGINE_NO_DEVICE;
}

static void
remove_file (void)
{
  g_autofree char *path = fs_backend_choice_path ();
  g_remove (path);
}

/* As if a program had just started on a machine with that device; what was kept stays. */
static void
restart (int (*open) (char *, size_t, FsEngineError *))
{
  static FsEngineTable table;
  table = *fs_engine_host ();
  table.open = open;
  fs_engine_host_fail_after (-1, FALSE, 0);
  fs_cuda_use_table (&table);
  fs_backend_choice_forget ();
  g_unsetenv ("FRETSAW_BACKEND");
  n_opened = 0;
}

static void
begin (int (*open) (char *, size_t, FsEngineError *))
{
  remove_file ();
  restart (open);
}

/* A device that is slow to begin and ten times as fast with large photos. */
static FsBackendTimes
made_times (void)
{
  FsBackendTimes times = {
    .open_us = 50000,
    .n_pixels = { 100000, 500000, 2500000 },
    .cpu = { { 10000, 100, 9000, 500 },
             { 50000, 400, 30000, 1500 },
             { 250000, 1000, 90000, 6000 } },
    .cuda = { { 9000, 300, 9000, 600 }, { 12000, 300, 10000, 700 }, { 25000, 300, 20000, 900 } }
  };
  g_autofree char *key = fs_backend_times_key ();
  g_strlcpy (times.key, key, sizeof times.key);
  return times;
}

static void
keep_times (const FsBackendTimes *times)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = fs_backend_choice_path ();
  fs_backend_times_write (times, path, &error);
  g_assert_no_error (error);
}

static void
keep_made_times (void)
{
  FsBackendTimes times = made_times ();
  keep_times (&times);
}

static void
check_pick (FsWork work, size_t n_pixels, const char *name)
{
  g_assert_cmpstr (fs_backend_choice_pick (work, n_pixels)->name, ==, name);
}

/* --- Times --- */

static void
test_times_by_size (void)
{
  begin (count_opening);
  FsBackendTimes times = made_times ();
  g_assert_cmpint (fs_backend_times_cpu (&times, FS_WORK_ONCE, 100000), ==, 10000);
  g_assert_cmpint (fs_backend_times_cpu (&times, FS_WORK_ONCE, 300000), ==, 30000);
  g_assert_cmpint (fs_backend_times_cpu (&times, FS_WORK_ONCE, 50000), ==, 5000);
  g_assert_cmpint (fs_backend_times_cpu (&times, FS_WORK_ONCE, 5000000), ==, 500000);
  g_assert_cmpint (fs_backend_times_cuda (&times, FS_WORK_ONCE, 50000), ==, 59000);
  g_assert_cmpint (fs_backend_times_cuda (&times, FS_WORK_ONCE, 1500000), ==, 68500);
  g_assert_cmpint (fs_backend_times_cpu (&times, FS_WORK_PREVIEW, 1500000), ==, 60000);
  g_assert_cmpint (fs_backend_times_cuda (&times, FS_WORK_PREVIEW, 1500000), ==, 65000);
  gint64 frame = fs_backend_times_cpu (&times, FS_WORK_FRAMES, 2500000) / 6000;
  g_assert_cmpint (frame, >, 1);
  g_assert_cmpint (fs_backend_times_cuda (&times, FS_WORK_FRAMES, 2500000), ==,
                   50000 + frame * 900);
  gint64 live = fs_backend_times_cuda (&times, FS_WORK_LIVE, 2500000);
  g_assert_cmpint (live, >, 25000);
  g_assert_cmpint (live % 300, ==, 25000 % 300);
}

static void
test_file (void)
{
  begin (count_opening);
  FsBackendTimes times = made_times (), again;
  keep_times (&times);
  g_autofree char *path = fs_backend_choice_path ();
  g_assert_true (fs_backend_times_read (&again, path));
  g_assert_cmpstr (again.key, ==, times.key);
  g_assert_cmpint (again.open_us, ==, times.open_us);
  g_assert_cmpmem (again.n_pixels, sizeof again.n_pixels, times.n_pixels, sizeof times.n_pixels);
  g_assert_cmpmem (again.cpu, sizeof again.cpu, times.cpu, sizeof times.cpu);
  g_assert_cmpmem (again.cuda, sizeof again.cuda, times.cuda, sizeof times.cuda);
}

/* Each spoils one line of a good file. */
static void
test_damaged_files (void)
{
  static const char *const spoilt[][2] = {
    { "[times]", "[other]" },
    { "open-us=50000", "open-us=0" },
    { "pixels=100000;", "pixels=900000;" },
    { "cpu-cold-us=10000;", "cpu-cold-us=" },
    { "cpu-edit-us=100;", "cpu-edit-us=-1;" },
    { "cuda-cold-us=9000;", "cuda-cold-us=9000;1;" },
    { "cuda-edit-us=300;", "cuda-edit-us=99999999999;" },
    { "cpu-preview-us=9000;", "cpu-preview-us=0;" },
    { "cuda-frame-us=", "cuda-frames-us=" },
  };
  begin (count_opening);
  keep_made_times ();
  g_autofree char *path = fs_backend_choice_path (), *good = NULL;
  g_assert_true (g_file_get_contents (path, &good, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (spoilt); i++) {
    g_auto (GStrv) parts = g_strsplit (good, spoilt[i][0], 2);
    g_assert_cmpuint (g_strv_length (parts), ==, 2);
    g_autofree char *bad = g_strconcat (parts[0], spoilt[i][1], parts[1], NULL);
    g_assert_true (g_file_set_contents (path, bad, -1, NULL));
    FsBackendTimes times;
    g_assert_false (fs_backend_times_read (&times, path));
    fs_backend_choice_forget ();
    check_pick (FS_WORK_LIVE, LARGE, "cpu");
  }
}

static void
test_measure (void)
{
  g_autoptr (GError) error = NULL;
  FsBackendTimes times;
  begin (count_opening);
  fs_backend_times_measure (&times, 64, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *key = fs_backend_times_key ();
  g_assert_cmpstr (times.key, ==, key);
  g_assert_nonnull (strstr (key, fs_backend_cuda.device ()));
  for (int i = 0; i < FS_BACKEND_N_SIZES; i++) {
    g_assert_cmpint (times.cpu[i].preview_us, <, G_MAXINT32);
    g_assert_cmpint (times.cuda[i].frame_us, <, G_MAXINT32);
  }
  keep_times (&times);
  g_autofree char *path = fs_backend_choice_path ();
  g_assert_true (fs_backend_times_read (&times, path));
}

static void
test_measure_fails (void)
{
  g_autoptr (GError) error = NULL, cancelled = NULL, lost = NULL;
  FsBackendTimes times;
  begin (no_device);
  g_assert_false (fs_backend_choice_measure (&times, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND);
  begin (count_opening);
  atomic_bool cancel = TRUE;
  FsProgress progress = { .cancel = &cancel };
  g_assert_false (fs_backend_times_measure (&times, 64, &progress, &cancelled));
  g_assert_error (cancelled, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
  fs_engine_host_fail_after (2, TRUE, FS_ENGINE_FAILED);
  g_assert_false (fs_backend_times_measure (&times, 64, NULL, &lost));
  g_assert_error (lost, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND);
  g_autofree char *path = fs_backend_choice_path ();
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Whichever call it is, nothing is taken for a device's time that was the processor's. */
static void
test_any_call_fails (void)
{
  gboolean done = FALSE;
  int n_failed = 0;
  for (int after = 0; !done; after += 1 + after / 8) {
    g_autoptr (GError) error = NULL;
    FsBackendTimes times;
    begin (count_opening);
    fs_engine_host_fail_after (after, TRUE, FS_ENGINE_FAILED);
    done = fs_backend_times_measure (&times, 64, NULL, &error);
    g_assert_true (done || g_error_matches (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND));
    n_failed += !done;
  }
  g_assert_cmpint (n_failed, >, 10);
}

/* What a window does that is closed soon. */
static void
test_measure_beside_is_stopped (void)
{
  begin (count_opening);
  fs_backend_choice_measure_beside ();
  while (g_atomic_int_get (&n_opened) == 0)
    g_usleep (1000);
  fs_backend_choice_measure_beside ();
  fs_backend_choice_stop ();
  fs_backend_choice_stop ();
  g_assert_cmpint (g_atomic_int_get (&n_opened), ==, 1);
  g_autofree char *path = fs_backend_choice_path ();
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* --- Picking --- */

static void
test_nothing_measured (void)
{
  begin (count_opening);
  check_pick (FS_WORK_ONCE, LARGE, "cpu");
  check_pick (FS_WORK_LIVE, LARGE, "cpu");
  check_pick (FS_WORK_PREVIEW, LARGE, "cpu");
  check_pick (FS_WORK_FRAMES, LARGE, "cpu");
  g_assert_cmpint (n_opened, ==, 0);
  g_assert_null (fs_backend_choice_take_notice ());
}

static void
test_the_faster_one (void)
{
  begin (count_opening);
  keep_made_times ();
  restart (count_opening);
  check_pick (FS_WORK_ONCE, SMALL, "cpu");
  check_pick (FS_WORK_LIVE, SMALL, "cpu");
  g_assert_cmpint (n_opened, ==, 0);
  check_pick (FS_WORK_ONCE, LARGE, "cuda");
  check_pick (FS_WORK_LIVE, LARGE, "cuda");
  /* Opening the driver for one cut is worth it later than for a sitting. */
  check_pick (FS_WORK_ONCE, 520000, "cpu");
  check_pick (FS_WORK_LIVE, 520000, "cuda");
  check_pick (FS_WORK_PREVIEW, 1500000, "cpu");
  check_pick (FS_WORK_PREVIEW, LARGE, "cuda");
  check_pick (FS_WORK_FRAMES, SMALL, "cpu");
  check_pick (FS_WORK_FRAMES, LARGE, "cuda");
  g_assert_cmpint (n_opened, ==, 1);
}

static void
test_of_another_machine (void)
{
  begin (count_opening);
  FsBackendTimes times = made_times ();
  times.key[0] ^= 1;
  keep_times (&times);
  check_pick (FS_WORK_LIVE, LARGE, "cpu");
  keep_made_times ();
  restart (no_device);
  check_pick (FS_WORK_LIVE, LARGE, "cpu");
  g_assert_null (fs_backend_choice_take_notice ());
}

static void
test_wanted (void)
{
  begin (count_opening);
  g_assert_false (fs_backend_choice_want ("abacus"));
  g_assert_true (fs_backend_choice_want ("cuda"));
  check_pick (FS_WORK_ONCE, SMALL, "cuda");
  g_assert_true (fs_backend_choice_want ("cpu"));
  keep_made_times ();
  check_pick (FS_WORK_ONCE, LARGE, "cpu");
  g_assert_true (fs_backend_choice_want (NULL));
  g_setenv ("FRETSAW_BACKEND", "cuda", TRUE);
  check_pick (FS_WORK_ONCE, SMALL, "cuda");
  g_setenv ("FRETSAW_BACKEND", "cpu", TRUE);
  check_pick (FS_WORK_ONCE, LARGE, "cpu");
  g_assert_true (fs_backend_choice_want ("auto"));
  check_pick (FS_WORK_ONCE, LARGE, "cuda");
  g_assert_null (fs_backend_choice_take_notice ());
}

static void
test_wanted_but_not_there (void)
{
  begin (no_device);
  g_assert_true (fs_backend_choice_want ("cuda"));
  for (int i = 0; i < 2; i++)
    check_pick (FS_WORK_ONCE, LARGE, "cpu");
  g_assert_cmpstr (fs_backend_choice_take_notice (), ==,
                   "the CUDA backend cannot be used: there is none; the processor cuts");
  g_assert_null (fs_backend_choice_take_notice ());
  check_pick (FS_WORK_ONCE, LARGE, "cpu");
  g_assert_null (fs_backend_choice_take_notice ());
}

/* Nothing was measured for graphs: a device that is known gets the large ones. */
static void
test_graphs (void)
{
  static const FsGraphEngineTable table = { .version = FS_GRAPH_ENGINE_VERSION };
  const FsGraph large = { .n_nodes = LARGE }, small = { .n_nodes = SMALL };
  begin (count_opening);
  g_assert_cmpstr (fs_backend_choice_pick_graph (&large)->name, ==, "cpu");
  g_assert_cmpint (n_opened, ==, 0);
  keep_made_times ();
  restart (count_opening);
  /* The module has no engine for graphs. */
  g_assert_cmpstr (fs_backend_choice_pick_graph (&large)->name, ==, "cpu");
  fs_cuda_module_use_graph (&table);
  g_assert_cmpstr (fs_backend_choice_pick_graph (&large)->name, ==, "cuda");
  g_assert_cmpstr (fs_backend_choice_pick_graph (&small)->name, ==, "cpu");
  g_assert_null (fs_backend_choice_take_notice ());
  g_assert_true (fs_backend_choice_want ("cuda"));
  g_assert_cmpstr (fs_backend_choice_pick_graph (&small)->name, ==, "cuda");
  fs_cuda_module_use_graph (NULL);
  g_assert_cmpstr (fs_backend_choice_pick_graph (&small)->name, ==, "cpu");
  g_assert_nonnull (strstr (fs_backend_choice_take_notice (), "of another version"));
}

static void
test_wish_that_is_none (void)
{
  begin (count_opening);
  g_setenv ("FRETSAW_BACKEND", "abacus", TRUE);
  check_pick (FS_WORK_ONCE, LARGE, "cpu");
  g_assert_nonnull (strstr (fs_backend_choice_take_notice (), "“abacus”"));
}

/* --- A document --- */

static gboolean
on_timeout (gpointer data)
{
  g_error ("the document did not settle");
  return G_SOURCE_REMOVE;
}

static void
on_settled (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_document_settle_finish (FS_DOCUMENT (source), result, &error));
  *(gboolean *)data = TRUE;
}

static FsImage *
make_image (void)
{
  FsImage *image = fs_image_new (W, H);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      uint8_t base = (x - W / 2) * (x - W / 2) + (y - H / 2) * (y - H / 2) < 400 ? 190 : 60;
      image->pixels[y * W + x] = FS_PIXEL (255, base, base + (x * 7 + y * 13) % 31, 255 - base);
    }
  return image;
}

static void
stroke (FsDocument *document, uint8_t label, float y, guint after)
{
  g_assert_true (fs_document_begin_stroke_after (document, label, 3, after));
  FsSample samples[] = { { W / 2 - 10, y, 1, 0 }, { W / 2 + 10, y, 1, 8 } };
  fs_document_extend_stroke (document, samples, 2);
  fs_document_end_stroke (document);
}

/* The mask after strokes of which the last keeps a mask that nobody has waited for; g_free. */
static uint8_t *
cut_document (FsDocumentStatus *status)
{
  g_autoptr (FsImage) image = make_image ();
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.stability = TRUE;
  g_autoptr (FsDocument) document = fs_document_new (image, &settings, NULL);
  stroke (document, FS_SEED_OBJECT, H / 2, 0);
  stroke (document, FS_SEED_BACKGROUND, 4, 1);
  stroke (document, FS_SEED_OBJECT, H - 12, 2);
  gboolean done = FALSE;
  guint timeout = g_timeout_add_seconds (600, on_timeout, NULL);
  fs_document_settle_async (document, NULL, on_settled, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
  *status = fs_document_get_status (document);
  g_assert_true (status->settled && status->exact);
  return g_memdup2 (fs_document_get_mask (document), W * H);
}

static void
test_document (void)
{
  FsDocumentStatus status;
  begin (count_opening);
  g_assert_true (fs_backend_choice_want ("cpu"));
  g_autofree uint8_t *expected = cut_document (&status);
  g_assert_cmpstr (status.backend, ==, "cpu");

  g_assert_true (fs_backend_choice_want ("cuda"));
  g_autofree uint8_t *mask = cut_document (&status);
  g_assert_cmpstr (status.backend, ==, "cuda");
  g_assert_cmpstr (status.device, ==, fs_backend_cuda.device ());
  g_assert_cmpmem (mask, W * H, expected, W * H);
  g_assert_null (fs_backend_choice_take_notice ());

  fs_engine_host_fail_after (0, TRUE, FS_ENGINE_FAILED);
  g_autofree uint8_t *fallen = cut_document (&status);
  g_assert_cmpstr (status.backend, ==, "cpu");
  g_assert_cmpstr (status.device, ==, fs_backend_cpu.device ());
  g_assert_cmpmem (fallen, W * H, expected, W * H);
  g_assert_nonnull (fs_backend_choice_take_notice ());
  g_assert_null (fs_backend_choice_take_notice ());

  /* From then on auto keeps away from it. */
  keep_made_times ();
  g_assert_true (fs_backend_choice_want ("auto"));
  check_pick (FS_WORK_LIVE, LARGE, "cpu");
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("fretsaw-backends-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/backend-choice/times-by-size", test_times_by_size);
  g_test_add_func ("/app/backend-choice/file", test_file);
  g_test_add_func ("/app/backend-choice/damaged-files", test_damaged_files);
  g_test_add_func ("/app/backend-choice/measure", test_measure);
  g_test_add_func ("/app/backend-choice/measure-fails", test_measure_fails);
  g_test_add_func ("/app/backend-choice/any-call-fails", test_any_call_fails);
  g_test_add_func ("/app/backend-choice/measure-beside", test_measure_beside_is_stopped);
  g_test_add_func ("/app/backend-choice/nothing-measured", test_nothing_measured);
  g_test_add_func ("/app/backend-choice/the-faster-one", test_the_faster_one);
  g_test_add_func ("/app/backend-choice/of-another-machine", test_of_another_machine);
  g_test_add_func ("/app/backend-choice/wanted", test_wanted);
  g_test_add_func ("/app/backend-choice/wanted-but-not-there", test_wanted_but_not_there);
  g_test_add_func ("/app/backend-choice/graphs", test_graphs);
  g_test_add_func ("/app/backend-choice/wish-that-is-none", test_wish_that_is_none);
  g_test_add_func ("/app/backend-choice/document", test_document);
  int status = g_test_run ();
  remove_file ();
  g_autofree char *inner = g_build_filename (folder, "fretsaw", NULL);
  g_rmdir (inner);
  g_rmdir (folder);
  return status;
}
