/* SPDX-License-Identifier: MIT */
/* Choice of the backend: by timed cuts, by wish, and after a failure. The kernels' twin on the
 * host stands in for a device. */
#include "app/backend/backend_choice.h"
#include "app/live/document.h"
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/cuda/cuda_module.h"
#include "solver/graph/graph_backend.h"
#include "solver/kernels/cuda/engine_host.h"

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

/* Cuts of a large photo, as if they had taken so long. */
static void
note_times (FsWork work, gint64 cpu_us, gint64 cuda_us)
{
  fs_backend_choice_note (work, &fs_backend_cpu, LARGE, cpu_us);
  fs_backend_choice_note (work, &fs_backend_cuda, LARGE, cuda_us);
}

/* A device that is ten times as fast. */
static void
note_fast_device (void)
{
  note_times (FS_WORK_ONCE, 4000000, 400000);
  note_times (FS_WORK_FRAMES, 60000, 6000);
}

static gboolean
has_file (void)
{
  g_autofree char *path = fs_backend_choice_path ();
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
check_pick (FsWork work, size_t n_pixels, const char *name)
{
  g_assert_cmpstr (fs_backend_choice_pick (work, n_pixels)->name, ==, name);
}

/* --- Timing --- */

/* The first cut is the processor's, the second the device's; then the faster one goes on. */
static void
test_each_is_tried (void)
{
  static const FsWork works[] = { FS_WORK_ONCE, FS_WORK_LIVE, FS_WORK_FRAMES };
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    for (int is_device_fast = 0; is_device_fast < 2; is_device_fast++) {
      begin (count_opening);
      check_pick (works[i], LARGE, "cpu");
      g_assert_cmpint (n_opened, ==, 0);
      fs_backend_choice_note (works[i], &fs_backend_cpu, LARGE, 4000000);
      check_pick (works[i], LARGE, "cuda");
      fs_backend_choice_note (works[i], &fs_backend_cuda, LARGE, is_device_fast ? 400000 : 8000000);
      check_pick (works[i], LARGE, is_device_fast ? "cuda" : "cpu");
      g_assert_cmpint (n_opened, ==, 1);
      g_assert_null (fs_backend_choice_take_notice ());
    }
}

/* What nobody would feel is not tried: no driver is opened for it. */
static void
test_small_ones_are_the_processors (void)
{
  begin (count_opening);
  fs_backend_choice_note (FS_WORK_ONCE, &fs_backend_cpu, LARGE, 4000000);
  check_pick (FS_WORK_ONCE, SMALL, "cpu");
  check_pick (FS_WORK_LIVE, SMALL, "cpu");
  fs_backend_choice_note (FS_WORK_FRAMES, &fs_backend_cpu, LARGE, 60000);
  check_pick (FS_WORK_FRAMES, SMALL, "cpu");
  g_assert_cmpint (n_opened, ==, 0);
  check_pick (FS_WORK_LIVE, LARGE, "cuda");
}

static int
open_slowly (char *name, size_t name_bytes, FsEngineError *error)
{
  g_usleep (100000);
  return count_opening (name, name_bytes, error);
}

/* One cut waits for the driver, a sitting or a program that has opened it does not. */
static void
test_opening_counts (void)
{
  begin (open_slowly);
  fs_backend_choice_note (FS_WORK_ONCE, &fs_backend_cpu, LARGE, 90000);
  check_pick (FS_WORK_ONCE, LARGE, "cuda");
  fs_backend_choice_note (FS_WORK_ONCE, &fs_backend_cuda, LARGE, 9000);
  check_pick (FS_WORK_ONCE, LARGE, "cuda");
  restart (open_slowly);
  check_pick (FS_WORK_ONCE, LARGE, "cpu");
  g_assert_cmpint (n_opened, ==, 0);
  check_pick (FS_WORK_LIVE, LARGE, "cuda");
  check_pick (FS_WORK_ONCE, LARGE, "cuda");
  g_assert_cmpint (n_opened, ==, 1);
}

/* A hard photo does not decide for ever. */
static void
test_times_are_means (void)
{
  begin (count_opening);
  note_times (FS_WORK_LIVE, 400000, 800000);
  check_pick (FS_WORK_LIVE, LARGE, "cpu");
  for (int i = 0; i < 8; i++)
    fs_backend_choice_note (FS_WORK_LIVE, &fs_backend_cpu, LARGE, 1000000);
  check_pick (FS_WORK_LIVE, LARGE, "cuda");
  for (int i = 0; i < 2; i++)
    fs_backend_choice_note (FS_WORK_LIVE, &fs_backend_cuda, LARGE, 100000);
  restart (count_opening);
  check_pick (FS_WORK_LIVE, LARGE, "cuda");
}

static void
test_wishes_are_not_timed (void)
{
  begin (count_opening);
  for (int i = 0; i < 2; i++) {
    g_assert_true (fs_backend_choice_want (i ? "cuda" : "cpu"));
    note_fast_device ();
  }
  g_assert_false (has_file ());
}

/* --- The file --- */

static void
test_file (void)
{
  begin (count_opening);
  note_fast_device ();
  g_assert_true (has_file ());
  restart (count_opening);
  check_pick (FS_WORK_LIVE, LARGE, "cuda");
  check_pick (FS_WORK_FRAMES, LARGE, "cuda");
  note_times (FS_WORK_FRAMES, 1, 100000000);
  restart (count_opening);
  check_pick (FS_WORK_FRAMES, LARGE, "cpu");
  check_pick (FS_WORK_LIVE, LARGE, "cuda");
}

/* Each spoils a file by which the device cuts; the processor's time is found anew then, and none of
 * the damaged numbers is believed. */
static void
test_damaged_files (void)
{
  static const char *const spoilt[][2] = {
    { "[nanoseconds", "[microseconds" },
    { "key=", "key=another machine " },
    { "cpu-cut=", "cpu-cut=x" },
    { "cpu-cut=", "cpu-cut=-" },
    { "cpu-cut=", "cpu-cut=nan" },
    { "cpu-cut=", "cpu-cut=9e99" },
    { "cpu-cut=", "other=" },
  };
  begin (count_opening);
  note_fast_device ();
  g_autofree char *path = fs_backend_choice_path (), *good = NULL;
  g_assert_true (g_file_get_contents (path, &good, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (spoilt); i++) {
    g_auto (GStrv) parts = g_strsplit (good, spoilt[i][0], 2);
    g_assert_cmpuint (g_strv_length (parts), ==, 2);
    g_autofree char *bad = g_strconcat (parts[0], spoilt[i][1], parts[1], NULL);
    g_assert_true (g_file_set_contents (path, bad, -1, NULL));
    restart (count_opening);
    check_pick (FS_WORK_LIVE, LARGE, "cpu");
  }
}

/* A folder that cannot be made: it is timed again the next time, and nobody hears of it. */
static void
test_no_cache_folder (void)
{
  g_autofree char *path = fs_backend_choice_path (), *folder = g_path_get_dirname (path);
  begin (count_opening);
  g_rmdir (folder);
  g_assert_true (g_file_set_contents (folder, "", 0, NULL));
  note_fast_device ();
  check_pick (FS_WORK_LIVE, LARGE, "cuda");
  restart (count_opening);
  check_pick (FS_WORK_LIVE, LARGE, "cpu");
  g_assert_null (fs_backend_choice_take_notice ());
  g_remove (folder);
}

/* --- Devices --- */

static void
test_no_device (void)
{
  begin (no_device);
  note_times (FS_WORK_LIVE, 4000000, 1);
  for (int i = 0; i < 2; i++)
    check_pick (FS_WORK_LIVE, LARGE, "cpu");
  g_assert_null (fs_backend_choice_take_notice ());
}

/* Neither module nor driver: nothing is opened, timed or written. */
static void
test_nothing_there (void)
{
  begin (count_opening);
  fs_cuda_use_table (NULL);
  g_setenv ("FRETSAW_CUDA_MODULE", "/nowhere/fretsaw-cuda.so", TRUE);
  note_fast_device ();
  check_pick (FS_WORK_ONCE, LARGE, "cpu");
  check_pick (FS_WORK_LIVE, LARGE, "cpu");
  g_assert_false (has_file ());
  g_assert_null (fs_backend_choice_take_notice ());
  g_unsetenv ("FRETSAW_CUDA_MODULE");
}

/* Where it opens and then fails it is said once, and the next program keeps away from it. */
static void
test_failing_device (void)
{
  begin (count_opening);
  fs_backend_choice_note (FS_WORK_LIVE, &fs_backend_cpu, LARGE, 4000000);
  fs_engine_host_fail_after (1, TRUE, FS_ENGINE_FAILED);
  check_pick (FS_WORK_LIVE, LARGE, "cpu");
  g_assert_nonnull (fs_backend_choice_take_notice ());
  restart (count_opening);
  check_pick (FS_WORK_LIVE, LARGE, "cpu");
  g_assert_cmpint (n_opened, ==, 0);
  g_assert_null (fs_backend_choice_take_notice ());
}

/* --- Picking --- */

static void
test_wanted (void)
{
  begin (count_opening);
  note_fast_device ();
  g_assert_false (fs_backend_choice_want ("abacus"));
  g_assert_true (fs_backend_choice_want ("cuda"));
  check_pick (FS_WORK_ONCE, SMALL, "cuda");
  g_assert_true (fs_backend_choice_want ("cpu"));
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
                   "the CUDA backend cannot be used: there is none; using the CPU");
  g_assert_null (fs_backend_choice_take_notice ());
  check_pick (FS_WORK_ONCE, LARGE, "cpu");
  g_assert_null (fs_backend_choice_take_notice ());
}

/* A device that was faster with photos gets the large ones. */
static void
test_graphs (void)
{
  static const FsGraphEngineTable table = { .version = FS_GRAPH_ENGINE_VERSION };
  const FsGraph large = { .n_nodes = LARGE }, small = { .n_nodes = SMALL };
  begin (count_opening);
  g_assert_cmpstr (fs_backend_choice_pick_graph (&large)->name, ==, "cpu");
  g_assert_cmpint (n_opened, ==, 0);
  note_fast_device ();
  restart (count_opening);
  g_assert_cmpstr (fs_backend_choice_pick_graph (&small)->name, ==, "cpu");
  g_assert_cmpint (n_opened, ==, 0);
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
  g_error ("the document has no final mask");
  return G_SOURCE_REMOVE;
}

static void
on_final (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_document_wait_final_finish (FS_DOCUMENT (source), result, &error));
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
  fs_document_wait_final_async (document, NULL, on_final, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
  *status = fs_document_get_status (document);
  g_assert_true (status->is_final && status->exact);
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
  g_assert_true (fs_backend_choice_want ("auto"));
  note_fast_device ();
  check_pick (FS_WORK_LIVE, LARGE, "cpu");
}

/* Real cuts are timed, on both in turn, and nobody sees a difference. */
static void
test_documents_are_timed (void)
{
  FsDocumentStatus status;
  begin (count_opening);
  g_autofree uint8_t *expected = cut_document (&status);
  g_assert_cmpstr (status.backend, ==, "cpu");
  g_assert_true (has_file ());
  g_assert_cmpint (n_opened, ==, 0);

  /* As if this had taken the processor long. */
  begin (count_opening);
  fs_backend_choice_note (FS_WORK_LIVE, &fs_backend_cpu, W * H, 60000000);
  for (int i = 0; i < 2; i++) {
    g_autofree uint8_t *mask = cut_document (&status);
    g_assert_cmpstr (status.backend, ==, "cuda");
    g_assert_cmpmem (mask, W * H, expected, W * H);
    restart (count_opening);
  }
  g_assert_null (fs_backend_choice_take_notice ());

  /* The cut whose device fails is the device's, and slow. */
  begin (count_opening);
  fs_backend_choice_note (FS_WORK_LIVE, &fs_backend_cpu, W * H, 60000000);
  check_pick (FS_WORK_LIVE, W * H, "cuda");
  fs_engine_host_fail_after (0, TRUE, FS_ENGINE_FAILED);
  g_autofree uint8_t *mask = cut_document (&status);
  g_assert_cmpstr (status.backend, ==, "cpu");
  g_assert_cmpmem (mask, W * H, expected, W * H);
  restart (count_opening);
  check_pick (FS_WORK_LIVE, W * H, "cpu");
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("fretsaw-backends-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/backend-choice/each-is-tried", test_each_is_tried);
  g_test_add_func ("/app/backend-choice/small-ones-are-the-processors",
                   test_small_ones_are_the_processors);
  g_test_add_func ("/app/backend-choice/opening-counts", test_opening_counts);
  g_test_add_func ("/app/backend-choice/times-are-means", test_times_are_means);
  g_test_add_func ("/app/backend-choice/wishes-are-not-timed", test_wishes_are_not_timed);
  g_test_add_func ("/app/backend-choice/file", test_file);
  g_test_add_func ("/app/backend-choice/damaged-files", test_damaged_files);
  g_test_add_func ("/app/backend-choice/no-cache-folder", test_no_cache_folder);
  g_test_add_func ("/app/backend-choice/no-device", test_no_device);
  g_test_add_func ("/app/backend-choice/nothing-there", test_nothing_there);
  g_test_add_func ("/app/backend-choice/failing-device", test_failing_device);
  g_test_add_func ("/app/backend-choice/wanted", test_wanted);
  g_test_add_func ("/app/backend-choice/wanted-but-not-there", test_wanted_but_not_there);
  g_test_add_func ("/app/backend-choice/graphs", test_graphs);
  g_test_add_func ("/app/backend-choice/wish-that-is-none", test_wish_that_is_none);
  g_test_add_func ("/app/backend-choice/document", test_document);
  g_test_add_func ("/app/backend-choice/documents-are-timed", test_documents_are_timed);
  int status = g_test_run ();
  remove_file ();
  g_autofree char *inner = g_build_filename (folder, "fretsaw", NULL);
  g_rmdir (inner);
  g_rmdir (folder);
  return status;
}
