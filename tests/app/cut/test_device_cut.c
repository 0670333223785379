/* SPDX-License-Identifier: MIT */
/* Cuts whose links a device makes, against those of the processor: the live loop's, and the
 * command's. The kernels' twin on the host stands in for the device. */
#include "app/backend/backend_choice.h"
#include "app/cut/cut_job.h"
#include "app/cut/cut_state.h"
#include "app/frames/list/frames.h"
#include "app/frames/frames_job.h"
#include "energy/energy.h"
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/kernels/cuda/engine_host.h"
#include "tests/app/frames/moving_object.h"
#include "tests/app/photo/made_files.h"

#include <string.h>

enum { W = 75, H = 58 };

static void
use_device (int fail_after)
{
  fs_engine_host_fail_after (-1, FALSE, FS_ENGINE_DONE);
  fs_cuda_use_table (fs_engine_host ());
  g_assert_true (fs_cuda_is_available (NULL));
  fs_engine_host_fail_after (fail_after, FALSE, FS_ENGINE_FAILED);
}

/* --- The live loop's ---------------------------------------------------------------------------
 */

/* One cut by each, of the same strokes. */
typedef struct {
  FsImage *image;
  FsSeedMap *seeds;
  FsModelCut *device, *cpu;
  GArray *pixels, *none;
} Both;

static FsModelCut *
new_cut (const char *backend, FsImage *image, const FsSettings *settings)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_backend_choice_want (backend));
  FsModelCut *cut = fs_model_cut_new (image, settings, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (cut->backend->name, ==, backend);
  return cut;
}

static void
both_init (Both *both, const FsSettings *settings)
{
  *both = (Both){ .image = fs_image_new (W, H), .seeds = fs_seed_map_new (W, H) };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      guint base = (x / 20 + y / 20) % 2 ? 150 : 60;
      guint noise = (guint)g_rand_int_range (rand, 0, 60);
      both->image->pixels[y * W + x] = FS_PIXEL (255, base + noise, base, 210 - base);
    }
  both->pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  both->none = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  both->device = new_cut ("cuda", both->image, settings);
  both->cpu = new_cut ("cpu", both->image, settings);
}

static void
both_clear (Both *both)
{
  fs_model_cut_free (both->device);
  fs_model_cut_free (both->cpu);
  fs_seed_map_free (both->seeds);
  fs_image_unref (both->image);
  g_array_unref (both->pixels);
  g_array_unref (both->none);
  fs_backend_choice_want (NULL);
}

static void
paint (Both *both, uint8_t label, double x0, double y0, double x1, double y1)
{
  FsCapsule capsule = { x0, y0, x1, y1, 2.5 };
  g_array_set_size (both->pixels, 0);
  fs_seed_map_paint (both->seeds, &capsule, label, NULL, both->pixels);
}

static void
check (Both *both)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_model_cut_solve (both->device, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (fs_model_cut_solve (both->cpu, NULL, NULL));
  g_assert_true (both->device->solution.exact);
  g_assert_cmpint (both->device->solution.energy, ==, both->cpu->solution.energy);
  g_assert_true (both->device->locality == both->cpu->locality);
  g_autoptr (GBytes) mask = fs_model_cut_pack_mask (both->device);
  g_autoptr (GBytes) expected = fs_model_cut_pack_mask (both->cpu);
  g_assert_true (g_bytes_equal (mask, expected));
}

static void
fit (Both *both, const FsPreviousMask *previous)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_model_cut_fit_after (both->device, both->seeds, previous, &error));
  g_assert_no_error (error);
  g_assert_true (fs_model_cut_fit_after (both->cpu, both->seeds, previous, NULL));
  check (both);
}

static void
note (Both *both)
{
  FsModelCut *cuts[] = { both->device, both->cpu };
  for (int i = 0; i < 2; i++)
    for (gboolean done = fs_model_cut_change (cuts[i], both->pixels, both->seeds); !done;)
      done = fs_model_cut_change (cuts[i], both->none, both->seeds);
}

static void
change (Both *both)
{
  note (both);
  check (both);
}

/* Strokes over one another that the solver gets at once: spans, t-links after them, and what comes
 * after these. */
static void
change_often (Both *both)
{
  gboolean is_implicit = fs_solver_builds (both->device->solver) && both->device->preview == NULL;
  paint (both, FS_SEED_OBJECT, 20, 20, 44, 24);
  note (both);
  g_assert_true ((both->device->links.fixed->len > 0) == is_implicit);
  paint (both, FS_SEED_BACKGROUND, 30, 18, 32, 30);
  note (both);
  paint (both, FS_SEED_NONE, 26, 21, 40, 24);
  note (both);
  const FsCutLinks *links = &both->device->links;
  g_assert_true (links->all || links->tlinks->len > 0);
  g_assert_false (links->all && links->wanted->star == NULL);
  paint (both, FS_SEED_BACKGROUND, 38, 18, 40, 28);
  change (both);
}

static void
refine_border (Both *both)
{
  gboolean wants = fs_model_cut_wants_refinement (both->cpu);
  g_assert_true (fs_model_cut_wants_refinement (both->device) == wants);
  if (!wants)
    return;
  g_assert_true (fs_model_cut_refine (both->device, both->seeds, NULL, NULL));
  g_assert_true (fs_model_cut_refine (both->cpu, both->seeds, NULL, NULL));
  g_autoptr (GBytes) mask = fs_model_cut_pack_mask (both->device);
  g_autoptr (GBytes) expected = fs_model_cut_pack_mask (both->cpu);
  g_assert_true (g_bytes_equal (mask, expected));
}

/* A stroke that the mask that stood is kept after. */
static void
fit_keeping (Both *both)
{
  g_autoptr (GBytes) runs = fs_model_cut_pack_mask (both->cpu);
  g_autoptr (FsPreviousMask) previous = fs_previous_mask_new (runs);
  paint (both, FS_SEED_OBJECT, 50, 40, 60, 50);
  g_array_append_vals (previous->painted, both->pixels->data, both->pixels->len);
  fit (both, previous);
}

/* From the next fit on; NULL for none. */
static void
set_guess (Both *both, FsGuess *guess)
{
  fs_model_cut_set_guess (both->device, guess);
  fs_model_cut_set_guess (both->cpu, guess);
}

static FsGuess *
make_guess (void)
{
  uint16_t plane[9 * 7];
  for (int i = 0; i < 9 * 7; i++)
    plane[i] = (uint16_t)(i % 9 > 3 && i / 9 > 2 ? 60000 : 900 * i);
  return fs_guess_new (plane, 9, 7, W, H);
}

/* A preview of new models, the device's as long as it works, and the cut that follows. */
static void
check_preview (Both *both)
{
  gboolean hasty;
  g_autofree uint8_t *mask = g_malloc (W * H), *expected = g_malloc (W * H);
  g_assert_true (fs_model_cut_preview (both->device, NULL, 0, mask, &hasty, NULL));
  g_assert_true (fs_model_cut_preview (both->cpu, NULL, 0, expected, &hasty, NULL));
  g_assert_cmpmem (mask, W * H, expected, W * H);
  g_assert_true ((both->device->preview == NULL) == fs_solver_builds (both->device->solver));
}

static void
play (const FsSettings *settings)
{
  Both both;
  both_init (&both, settings);
  paint (&both, FS_SEED_OBJECT, 10, 10, 30, 14);
  fit (&both, NULL);
  paint (&both, FS_SEED_BACKGROUND, 5, 50, 70, 52);
  change (&both);
  fit (&both, NULL);
  refine_border (&both);
  fit_keeping (&both);
  paint (&both, FS_SEED_NONE, 10, 12, 20, 13);
  change (&both);
  paint (&both, FS_SEED_BACKGROUND, 60, 5, 62, 30);
  change (&both);
  change_often (&both);
  check_preview (&both);
  fit (&both, NULL);
  check_preview (&both);
  both_clear (&both);
}

static const FsSettings SETTINGS[] = {
  { FS_NEIGHBOURS_8, 1, FS_MODEL_GEODESIC, TRUE, TRUE },
  { FS_NEIGHBOURS_4, 0.5, FS_MODEL_GEODESIC, FALSE, TRUE },
  { FS_NEIGHBOURS_8, 1, FS_MODEL_KMEANS, FALSE, TRUE },
  { FS_NEIGHBOURS_4, 2, FS_MODEL_GMM, FALSE, TRUE },
};

static void
test_live (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (SETTINGS); i++) {
    use_device (-1);
    play (&SETTINGS[i]);
    g_assert_null (fs_cuda_notice ());
  }
}

/* With a guess from the beginning, without it, and with it again. */
static void
test_live_guess (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (SETTINGS); i++) {
    Both both;
    use_device (-1);
    both_init (&both, &SETTINGS[i]);
    g_autoptr (FsGuess) guess = make_guess ();
    set_guess (&both, guess);
    fit (&both, NULL);
    paint (&both, FS_SEED_OBJECT, 10, 10, 30, 14);
    change (&both);
    set_guess (&both, NULL);
    fit (&both, NULL);
    set_guess (&both, guess);
    fit (&both, NULL);
    check_preview (&both);
    refine_border (&both);
    fit_keeping (&both);
    both_clear (&both);
    g_assert_null (fs_cuda_notice ());
  }
}

/* Whichever call fails, the processor goes on with every edit. */
static void
test_live_failing (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (SETTINGS); i += 3)
    for (int n = 0;; n++) {
      use_device (n);
      play (&SETTINGS[i]);
      if (fs_cuda_notice ())
        continue;
      g_assert_cmpint (n, >, 12);
      break;
    }
}

/* --- The command's -----------------------------------------------------------------------------
 */

/* Grey, a byte a pixel. */
static char *
make_seeds (const char *folder)
{
  g_autofree uint8_t *rows = g_malloc0 ((W + 1) * H);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      if (y == 20 && x > 20 && x < 50)
        rows[y * (W + 1) + 1 + x] = FS_SEED_OBJECT;
      else if (y < 3)
        rows[y * (W + 1) + 1 + x] = FS_SEED_BACKGROUND;
  g_autoptr (GByteArray) png = made_png_begin (W, H, 8, 0, FALSE);
  made_png_pixels (png, rows, (W + 1) * H);
  made_png_end (png);
  return made_file (folder, "seeds.png", png->data, png->len);
}

typedef struct {
  char *folder, *photo, *seeds, *mask;
} Files;

static char *
run_job (const Files *files, FsCutJob job, const char *backend, FsCutResult *result)
{
  g_autoptr (GError) error = NULL;
  char *mask = NULL;
  gsize length;
  job.photo = files->photo;
  job.seeds = files->seeds;
  job.mask = files->mask;
  job.backend = backend;
  job.n_threads = 1;
  job.verify = !job.preview;
  fs_cut_job_run (&job, result, &error);
  g_assert_no_error (error);
  g_assert_true (job.preview || (result->solution.exact && result->certificate.holds));
  g_file_get_contents (files->mask, &mask, &length, &error);
  g_assert_no_error (error);
  char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)mask, length);
  g_free (mask);
  fs_cut_result_clear (result);
  return sum;
}

/* FALSE: no call of the device has failed. */
static gboolean
compare_jobs (const Files *files, FsCutJob job, int fail_after)
{
  FsCutResult result, expected;
  use_device (fail_after);
  g_autofree char *sum = run_job (files, job, "cuda", &result);
  gboolean failed = fs_cuda_notice () != NULL;
  g_autofree char *other = run_job (files, job, "cpu", &expected);
  g_assert_cmpstr (sum, ==, other);
  g_assert_cmpint (result.solution.energy, ==, expected.solution.energy);
  g_assert_cmpint (result.n_iterations, ==, expected.n_iterations);
  g_assert_cmpmem (result.preview.n_solved, sizeof result.preview.n_solved,
                   expected.preview.n_solved, sizeof expected.preview.n_solved);
  if (!failed)
    g_assert_cmpstr (result.backend, ==, "cuda");
  fs_backend_choice_want (NULL);
  return failed;
}

static void
test_command (void)
{
  Files files = { .folder = made_folder () };
  g_autoptr (GByteArray) png = made_png (W, H, FALSE);
  files.photo = made_file (files.folder, "photo.png", png->data, png->len);
  files.seeds = make_seeds (files.folder);
  files.mask = g_build_filename (files.folder, "mask.png", NULL);
  FsCutJob jobs[] = {
    { .settings = FS_SETTINGS_DEFAULT },
    { .settings = SETTINGS[1] },
    { .settings = SETTINGS[2] },
    { .settings = SETTINGS[3], .n_iterations = 3 },
    { .settings = SETTINGS[3], .skin = TRUE },
    { .settings = SETTINGS[0], .preview = TRUE, .preview_options = FS_PREVIEW_DEFAULT },
    { .settings = SETTINGS[3],
      .skin = TRUE,
      .preview = TRUE,
      .preview_options = { .n_levels = 2, .band_px = 1 } }
  };
  for (size_t i = 0; i < G_N_ELEMENTS (jobs); i++) {
    g_assert_false (compare_jobs (&files, jobs[i], -1));
    for (int n = 0; compare_jobs (&files, jobs[i], n); n++)
      ;
  }
  g_free (files.photo);
  g_free (files.seeds);
  g_free (files.mask);
  made_folder_remove (files.folder);
  g_free (files.folder);
}

/* --- The frames' -------------------------------------------------------------------------------
 */

enum { N_FRAMES = 6, CORRECTED = 4 };

/* A line through an object, and one above. */
static char *
write_strokes (const char *folder, const char *name, const MovingObject *object)
{
  enum { ROW = FS_MOVING_WIDTH + 1 };
  g_autofree uint8_t *rows = g_malloc0 ((gsize)ROW * FS_MOVING_HEIGHT);
  memset (rows + (gsize)object->y * ROW + 1 + object->x - 8, FS_SEED_OBJECT, 16);
  memset (rows + (gsize)4 * ROW + 1, FS_SEED_BACKGROUND, FS_MOVING_WIDTH);
  g_autoptr (GByteArray) png = made_png_begin (FS_MOVING_WIDTH, FS_MOVING_HEIGHT, 8, 0, FALSE);
  made_png_pixels (png, rows, (gsize)ROW * FS_MOVING_HEIGHT);
  made_png_end (png);
  return made_file (folder, name, png->data, png->len);
}

static MovingObject
object_of (int frame)
{
  return (
      MovingObject){ .x = 60 + 4 * frame, .y = 55 + frame, .radius = 24, .noise = (unsigned)frame };
}

static void
write_frames (const char *folder)
{
  for (int i = 1; i <= N_FRAMES; i++) {
    MovingObject object = object_of (i);
    g_autoptr (FsImage) image = moving_object_frame (&object);
    g_autofree char *name = g_strdup_printf ("f%d.png", i);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_true (fs_frame_write (image, path, NULL));
  }
}

/* Of all masks, in a folder that is new. */
static char *
run_frames (FsFramesJob job, const char *backend, FsFramesResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *out = made_folder ();
  job.out = out;
  job.backend = backend;
  fs_frames_job_run (&job, result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (result->n_cut, ==, N_FRAMES);
  for (int i = 1; i <= N_FRAMES; i++) {
    g_autofree char *name = g_strdup_printf ("f%d.png", i), *mask = NULL;
    g_autofree char *path = g_build_filename (out, name, NULL);
    gsize length;
    g_assert_true (g_file_get_contents (path, &mask, &length, NULL));
    g_checksum_update (sum, (const guchar *)mask, (gssize)length);
  }
  made_folder_remove (out);
  fs_frames_result_clear (result);
  return g_strdup (g_checksum_get_string (sum));
}

/* Followed by a device, with a correction on the way, and whichever of its calls fails. */
static void
test_frames (void)
{
  MovingObject first = object_of (1), mended = object_of (CORRECTED);
  g_autofree char *folder = made_folder (), *strokes = made_folder ();
  g_autofree char *seeds = write_strokes (strokes, "seeds.png", &first);
  g_autofree char *more = write_strokes (strokes, "more.png", &mended);
  FsFramesCorrection correction = { .number = CORRECTED, .path = more };
  FsFramesJob job = { .frames = folder,
                      .last = G_MAXUINT64,
                      .seeds = seeds,
                      .corrections = &correction,
                      .n_corrections = 1,
                      .n_threads = 1 };
  FsFramesResult result;
  write_frames (folder);
  g_autofree char *expected = run_frames (job, "cpu", &result);
  g_assert_cmpstr (result.backend, ==, "cpu");
  for (int n = -1, failed = 1; failed; n++) {
    use_device (n);
    g_autofree char *sum = run_frames (job, "cuda", &result);
    g_assert_cmpstr (sum, ==, expected);
    failed = n < 0 || fs_cuda_notice () != NULL;
    if (n < 0 || !failed)
      g_assert_cmpstr (result.backend, ==, "cuda");
    g_assert_cmpint (n, <, 200);
  }
  fs_backend_choice_want (NULL);
  made_folder_remove (folder);
  made_folder_remove (strokes);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  fs_solver_set_threads (1);
  fs_energy_set_threads (1);
  g_test_add_func ("/app/device-cut/live", test_live);
  g_test_add_func ("/app/device-cut/live-guess", test_live_guess);
  g_test_add_func ("/app/device-cut/live-failing", test_live_failing);
  g_test_add_func ("/app/device-cut/command", test_command);
  g_test_add_func ("/app/device-cut/frames", test_frames);
  return g_test_run ();
}
