/* SPDX-License-Identifier: MIT */
/* The live loop from outside: every final mask against a fresh solve of its seed map. */
#include "cut/refine_cut.h"
#include "app/live/document.h"
#include "app/live/live_thread.h"
#include "solver/certificate.h"
#include "solver/system/checked_memory.h"
#include "tests/faults/faults.h"

#include <sys/resource.h>
#include <unistd.h>

enum { W = 150, H = 110 };

static FsImage *
make_image (guint32 seed, int w, int h)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  FsImage *image = fs_image_new (w, h);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int dx = x - w / 2, dy = y - h / 2;
      gboolean inside = dx * dx + 2 * dy * dy < w * w / 9;
      uint8_t base = inside ? 170 : 70;
      uint8_t noise = (uint8_t)g_rand_int_range (rand, 0, 60);
      image->pixels[y * w + x] = FS_PIXEL (255, base + noise, base, 230 - base + noise / 2);
    }
  return image;
}

/* Sanitizers make everything slow. */
static guint
most_seconds (void)
{
  const char *slowness = g_getenv ("FRETSAW_SLOWNESS");
  return (guint)(60 * (slowness ? g_ascii_strtod (slowness, NULL) : 1));
}

static gboolean
on_timeout (gpointer data)
{
  g_error ("the document has no final mask after %u s", most_seconds ());
  return G_SOURCE_REMOVE;
}

static void
on_final (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_document_wait_final_finish (FS_DOCUMENT (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *)data = TRUE;
}

static void
wait_for_final (FsDocument *document)
{
  gboolean done = FALSE;
  guint timeout = g_timeout_add_seconds (most_seconds (), on_timeout, NULL);
  fs_document_wait_final_async (document, NULL, on_final, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
}

/* What a program that knows only the seed map would cut. */
static uint8_t *
fresh_mask (FsDocument *document)
{
  FsImage *image = fs_document_get_image (document);
  FsSettings settings = fs_document_get_settings (document);
  size_t n = (size_t)image->width * (size_t)image->height;
  uint8_t *mask = g_malloc0 (n);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (image->width, image->height);
  fs_seed_map_set (seeds, fs_document_get_marks (document));
  if (seeds->n_seeds[FS_SEED_NONE] == (int64_t)n)
    return mask;

  g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
  FsGrid *grid = fs_energy_get_grid (energy);
  fs_energy_fit (energy, seeds);
  fs_energy_fill_grid (energy, seeds);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, NULL);
  FsSolution solution;
  FsCertificate certificate;
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  g_assert_true (fs_solver_certify (solver, &certificate, NULL));
  g_assert_true (certificate.holds);
  fs_solver_read_mask (solver, 0, 0, image->width, image->height, mask, (size_t)image->width);
  if (!fs_energy_wants_refinement (energy))
    return mask;
  g_auto (FsRefineCut) second = { 0 };
  g_assert_true (fs_refine_cut_run (&second, energy, seeds, &fs_backend_cpu, mask, NULL, NULL));
  g_assert_true (!second.solver || fs_solver_certify (second.solver, &certificate, NULL));
  g_assert_true (certificate.holds);
  return mask;
}

static void
check_final_mask (FsDocument *document)
{
  wait_for_final (document);
  FsDocumentStatus status = fs_document_get_status (document);
  g_assert_true (status.is_final);
  g_assert_true (status.exact);
  g_assert_cmpint (status.energy, ==, status.bound);
  FsImage *image = fs_document_get_image (document);
  size_t n = (size_t)image->width * (size_t)image->height;
  g_autofree uint8_t *expected = fresh_mask (document);
  g_assert_cmpmem (fs_document_get_mask (document), n, expected, n);
}

static void
paint (FsDocument *document, uint8_t label, float radius, float x0, float y0, float x1, float y1)
{
  g_assert_true (fs_document_begin_stroke (document, label, radius));
  for (int i = 0; i <= 8; i++) {
    FsSample sample = { x0 + (x1 - x0) * (float)i / 8, y0 + (y1 - y0) * (float)i / 8, 1,
                        (guint)i * 8 };
    fs_document_extend_stroke (document, &sample, 1);
    g_main_context_iteration (NULL, FALSE);
  }
  fs_document_end_stroke (document);
}

static void
paint_random (FsDocument *document, GRand *rand)
{
  paint (document, (uint8_t)g_rand_int_range (rand, 0, 3), (float)g_rand_double_range (rand, 1, 9),
         (float)g_rand_double_range (rand, 0, W), (float)g_rand_double_range (rand, 0, H),
         (float)g_rand_double_range (rand, 0, W), (float)g_rand_double_range (rand, 0, H));
}

static void
test_first_stroke_cuts (void)
{
  g_autoptr (FsImage) image = make_image (1, W, H);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  check_final_mask (document);
  g_assert_false (fs_document_get_status (document).has_mask);
  paint (document, FS_SEED_OBJECT, 4, W / 2 - 15, H / 2, W / 2 + 15, H / 2);
  check_final_mask (document);
  g_assert_true (fs_document_get_status (document).has_mask);
  const uint8_t *mask = fs_document_get_mask (document);
  g_assert_cmpint (mask[H / 2 * W + W / 2], ==, 1);
  g_assert_cmpint (mask[2 * W + 2], ==, 0);
}

/* The mask must follow while the stroke still grows. */
static void
on_mask_updated (FsDocument *document, gpointer rects, guint n_rects, gpointer data)
{
  if (fs_document_is_drawing (document))
    ++*(guint *)data;
}

static void
test_mask_follows_the_brush (void)
{
  g_autoptr (FsImage) image = make_image (2, W, H);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  guint n_live = 0;
  g_signal_connect (document, "mask-updated", G_CALLBACK (on_mask_updated), &n_live);
  fs_document_begin_stroke (document, FS_SEED_OBJECT, 5);
  for (int i = 0; i < 6; i++) {
    FsSample sample = { (float)W / 2, (float)H / 2 + (float)i * 3, 1, 0 };
    fs_document_extend_stroke (document, &sample, 1);
    gint64 generation = (gint64)fs_document_get_status (document).generation;
    while ((gint64)fs_document_get_status (document).generation <= generation)
      g_main_context_iteration (NULL, TRUE);
  }
  g_assert_cmpuint (n_live, >=, 1);
  fs_document_end_stroke (document);
  check_final_mask (document);
}

static void
test_undo_all_redo_all (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (FsImage) image = make_image (3, W, H);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  g_autoptr (GPtrArray) masks = g_ptr_array_new_with_free_func (g_free);
  for (int i = 0; i < 12; i++) {
    wait_for_final (document);
    g_ptr_array_add (masks, g_memdup2 (fs_document_get_mask (document), W * H));
    paint_random (document, rand);
  }
  check_final_mask (document);
  g_autofree uint8_t *last = g_memdup2 (fs_document_get_mask (document), W * H);
  for (guint i = masks->len; i-- > 0;) {
    g_assert_true (fs_document_undo (document));
    wait_for_final (document);
    g_assert_cmpmem (fs_document_get_mask (document), W * H, masks->pdata[i], W * H);
  }
  g_assert_false (fs_document_can_undo (document));
  while (fs_document_redo (document))
    ;
  check_final_mask (document);
  g_assert_cmpmem (fs_document_get_mask (document), W * H, last, W * H);
}

static void
random_edit (FsDocument *document, GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 8)) {
  case 0:
  case 1:
    fs_document_undo (document);
    break;
  case 2:
    fs_document_redo (document);
    break;
  case 3: {
    FsSettings settings = { .neighbours = g_rand_boolean (rand) ? 8 : 4,
                            .smoothness = g_rand_int_range (rand, 0, 4),
                            .model = (FsModelKind)g_rand_int_range (rand, 0, FS_N_MODELS),
                            .star = g_rand_boolean (rand) };
    fs_document_set_settings (document, &settings);
    break;
  }
  case 4: {
    FsSample sample = { (float)g_rand_int_range (rand, 0, W), (float)g_rand_int_range (rand, 0, H),
                        1, 0 };
    fs_document_begin_stroke (document, FS_SEED_BACKGROUND, 8);
    fs_document_extend_stroke (document, &sample, 1);
    fs_document_cancel_stroke (document);
    break;
  }
  default:
    paint_random (document, rand);
  }
}

/* Edits come faster than masks; whenever the mask is final, it is that of the strokes. */
static void
test_random_histories (void)
{
  for (guint32 seed = 0; seed < 6; seed++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
    g_autoptr (FsImage) image = make_image (seed, W, H);
    g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
    for (int i = 0; i < 40; i++) {
      random_edit (document, rand);
      if (g_rand_int_range (rand, 0, 3) == 0)
        check_final_mask (document);
    }
    check_final_mask (document);
  }
}

typedef struct {
  guint64 newest; /* generation of the edits so far */
  guint n_masks;
} Growing;

/* A mask that holds every edit holds every painted seed. */
static void
on_growing_status (FsDocument *document, gpointer data)
{
  Growing *growing = data;
  FsDocumentStatus status = fs_document_get_status (document);
  if (!status.has_mask || status.generation != growing->newest)
    return;
  growing->n_masks++;
  const uint8_t *marks = fs_document_get_marks (document);
  const uint8_t *mask = fs_document_get_mask (document);
  for (int i = 0; i < W * H; i++)
    if (marks[i] != FS_SEED_NONE)
      g_assert_cmpint (mask[i], ==, marks[i] == FS_SEED_OBJECT);
}

/* Models of a side's first stroke are fitted while it grows, on older seeds than there are when
 * they come to the front: what was painted meanwhile must not be lost. The strokes run over both
 * regions, against their colours. */
static void
test_seeds_hold_while_models_change (void)
{
  for (guint32 seed = 0; seed < 4; seed++) {
    g_autoptr (FsImage) image = make_image (seed, W, H);
    g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
    wait_for_final (document);
    Growing growing = { 0 };
    g_signal_connect (document, "status-changed", G_CALLBACK (on_growing_status), &growing);
    for (uint8_t label = FS_SEED_BACKGROUND; label <= FS_SEED_OBJECT; label++) {
      fs_document_begin_stroke (document, label, 2);
      growing.newest++;
      for (int i = 0; i < 70; i++) {
        FsSample sample = { (float)(2 * i + 4), (float)(label * 30 + i % 9), 1, 0 };
        growing.newest++;
        fs_document_extend_stroke (document, &sample, 1);
        g_usleep (300);
        g_main_context_iteration (NULL, FALSE);
      }
      growing.newest++;
      fs_document_end_stroke (document);
      wait_for_final (document);
    }
    g_assert_cmpuint (growing.n_masks, >, 0);
  }
}

typedef struct {
  guint n_previews;
  guint n_exact;
} Counts;

static void
on_status (FsDocument *document, gpointer data)
{
  Counts *counts = data;
  FsDocumentStatus status = fs_document_get_status (document);
  if (status.has_mask && status.exact)
    counts->n_exact++;
  else if (status.has_mask)
    counts->n_previews++;
}

/* On a large photo a preview comes before the exact mask, for the first stroke and for every fit;
 * edits in between interrupt either; and the final mask is exact. Returns whether both previews
 * were seen: where this thread gets no processor for long enough, the exact mask is there before it
 * looks. */
static gboolean
sees_previews (FsImage *image)
{
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  wait_for_final (document);
  Counts counts = { 0 };
  g_signal_connect (document, "status-changed", G_CALLBACK (on_status), &counts);
  paint (document, FS_SEED_OBJECT, 12, 400, 300, 600, 340);
  check_final_mask (document);
  gboolean sees_first = counts.n_previews > 0;
  g_assert_cmpuint (counts.n_exact, >=, 1);

  counts.n_previews = 0;
  for (int i = 0; i < 4; i++)
    paint (document, i % 2 ? FS_SEED_OBJECT : FS_SEED_BACKGROUND, 9, 60 + 90 * (float)i, 40, 400,
           90 + 120 * (float)i);
  fs_document_undo (document);
  check_final_mask (document);
  fs_document_redo (document);
  check_final_mask (document);
  return sees_first && counts.n_previews > 0;
}

static void
test_preview_first (void)
{
  g_autoptr (FsImage) image = make_image (6, 1000, 640);
  gboolean is_seen = FALSE;
  for (int i = 0; !is_seen && i < 6; i++)
    is_seen = sees_previews (image);
  g_assert_true (is_seen);
}

/* The first exact mask is not the last one. */
static void
on_looked_at (FsDocument *document, gpointer data)
{
  guint *n_refined = data;
  FsDocumentStatus status = fs_document_get_status (document);
  FsSettings settings = fs_document_get_settings (document);
  gboolean wants_refinement = settings.model == FS_MODEL_GEODESIC && settings.star;
  if (status.refined)
    g_assert_true (wants_refinement && status.exact);
  else if (status.has_mask && wants_refinement)
    g_assert_false (status.is_final);
  *n_refined += status.refined;
}

static void
test_refinement_before_the_final_mask (void)
{
  g_autoptr (FsImage) image = make_image (9, 400, 300);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  guint n_refined = 0;
  g_signal_connect (document, "status-changed", G_CALLBACK (on_looked_at), &n_refined);
  for (int i = 0; i < 4; i++) {
    FsSettings settings = fs_document_get_settings (document);
    settings.star = i != 2;
    settings.model = i == 3 ? FS_MODEL_KMEANS : FS_MODEL_GEODESIC;
    fs_document_set_settings (document, &settings);
    wait_for_final (document);
    guint before = n_refined;
    FsSample samples[] = { { 180 + 10 * (float)i, 140, 1, 0 }, { 220, 160, 1, 8 } };
    g_assert_true (fs_document_begin_stroke (document, FS_SEED_OBJECT, 6));
    fs_document_extend_stroke (document, samples, 2);
    fs_document_end_stroke (document);
    check_final_mask (document);
    g_assert_cmpint (n_refined > before, ==, i < 2);
  }
}

static void
on_can_undo (FsDocument *document, GParamSpec *pspec, gpointer data)
{
  *(gboolean *)data = fs_document_can_undo (document);
}

/* What a button bound to "can-undo" would show. */
static void
test_can_undo_is_notified (void)
{
  g_autoptr (FsImage) image = make_image (8, W, H);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  gboolean shown = FALSE;
  g_signal_connect (document, "notify::can-undo", G_CALLBACK (on_can_undo), &shown);
  paint (document, FS_SEED_OBJECT, 3, 20, 20, 40, 40);
  g_assert_true (shown);
  fs_document_begin_stroke (document, FS_SEED_OBJECT, 3);
  g_assert_false (shown);
  fs_document_cancel_stroke (document);
  g_assert_true (shown);
  fs_document_undo (document);
  g_assert_false (shown);
}

static void
on_marks (FsDocument *document, gpointer rect, gpointer data)
{
  *(FsRect *)data = fs_rect_union (*(FsRect *)data, *(const FsRect *)rect);
}

static void
test_marks_at_once (void)
{
  g_autoptr (FsImage) image = make_image (4, W, H);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  FsRect damage = { 0 };
  g_signal_connect (document, "marks-updated", G_CALLBACK (on_marks), &damage);
  FsSample sample = { 20.5f, 30.5f, 1, 0 };
  fs_document_begin_stroke (document, FS_SEED_BACKGROUND, 3);
  fs_document_extend_stroke (document, &sample, 1);
  g_assert_cmpint (fs_document_get_marks (document)[30 * W + 20], ==, FS_SEED_BACKGROUND);
  g_assert_true (damage.x0 <= 18 && damage.x1 >= 23 && damage.y0 <= 28 && damage.y1 >= 33);
  fs_document_cancel_stroke (document);
  g_assert_cmpint (fs_document_get_marks (document)[30 * W + 20], ==, 0);
  check_final_mask (document);
}

/* Closed at random moments of the work: nothing waits, leaks or crashes (sanitizers tell), and all
 * threads end. */
static void
test_close_while_solving (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (FsImage) image = make_image (5, 600, 500);
  for (int i = 0; i < 60; i++) {
    g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
    int n = g_rand_int_range (rand, 0, 4);
    for (int k = 0; k < n; k++)
      paint_random (document, rand);
    g_usleep ((gulong)g_rand_int_range (rand, 0, 15000));
  }
  guint n_left = 1;
  for (int i = 0; n_left > 0 && i < 20; i++) /* a busy machine takes more than one wait */
    n_left = fs_live_wait_for_threads ();
  g_assert_cmpuint (n_left, ==, 0);
}

/* --- memory that ends ------------------------------------------------------------------------ */

/* Leaves `n_bytes` of address space beside what is taken; what the limit was. */
static struct rlimit
limit_memory (gsize n_bytes)
{
  g_autofree char *statm = NULL;
  g_assert_true (g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL));
  rlim_t taken = g_ascii_strtoull (statm, NULL, 10) * (rlim_t)sysconf (_SC_PAGESIZE);
  struct rlimit before;
  g_assert_cmpint (getrlimit (RLIMIT_AS, &before), ==, 0);
  struct rlimit limit = { .rlim_cur = taken + n_bytes, .rlim_max = before.rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
  return before;
}

static void
on_failed (FsDocument *document, const GError *error, gpointer data)
{
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
  ++*(guint *)data;
}

/* A thread's stack takes eight megabytes, a photo of this size almost nothing. */
static void
fail_without_thread (void)
{
  g_autoptr (FsImage) image = make_image (6, W, H);
  struct rlimit before = limit_memory (2 << 20);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  g_assert_nonnull (document);
  g_autoptr (FsDocument) closed = fs_document_new (image, NULL, NULL);
  g_clear_object (&closed);
  guint n_failed = 0;
  g_signal_connect (document, "failed", G_CALLBACK (on_failed), &n_failed);
  while (n_failed == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (setrlimit (RLIMIT_AS, &before), ==, 0);
  paint (document, FS_SEED_OBJECT, 4, W / 2 - 15, H / 2, W / 2 + 15, H / 2);
  check_final_mask (document);
  g_assert_true (fs_document_get_status (document).has_mask);
}

/* Where memory for the masks ends there is no document; one byte a pixel is a hundred megabytes. */
static void
fail_without_masks (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsImage) image = fs_image_new (10000, 10000);
  for (gsize megabytes = 0; megabytes < 500; megabytes += 50) {
    struct rlimit before = limit_memory (megabytes << 20);
    g_autoptr (FsDocument) document = fs_document_new (image, NULL, &error);
    g_assert_cmpint (setrlimit (RLIMIT_AS, &before), ==, 0);
    if (document)
      break;
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    g_clear_error (&error);
  }
}

/* A list that grows ends the program where there is no memory for it, so blocks leave some. */
static void
leave_memory_for_lists (void)
{
  struct rlimit before = limit_memory (30 << 20);
  g_assert_null (fs_memory_new (18 << 20, 1));
  void *blocks[8];
  guint n = 0;
  while (n < G_N_ELEMENTS (blocks) && (blocks[n] = fs_memory_new (2 << 20, 1)))
    n++;
  g_assert_cmpuint (n, >, 1);
  g_assert_cmpuint (n, <, G_N_ELEMENTS (blocks));
  g_free (g_malloc (12 << 20));
  while (n > 0)
    fs_memory_free (blocks[--n]);
  g_assert_cmpint (setrlimit (RLIMIT_AS, &before), ==, 0);
}

static void
test_memory_ends (void)
{
  if (g_test_subprocess ()) {
    leave_memory_for_lists ();
    fail_without_thread ();
    fail_without_masks ();
    return;
  }
  if (g_getenv ("FRETSAW_SLOWNESS")) {
    g_test_skip ("a sanitizer needs more address space than the test leaves");
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* Who asks again and again need not be woken. */
static void
on_live_wake (gpointer data)
{
}

static void
post_dot (FsLive *live, uint8_t label, int x, int y)
{
  FsSample sample = { .x = (float)x, .y = (float)y, .pressure = 1 };
  fs_live_post (live, &(FsEdit){ .kind = FS_EDIT_BEGIN, .label = label, .radius_px = 4 });
  fs_live_post (live, &(FsEdit){ .kind = FS_EDIT_EXTEND, .samples = &sample, .n_samples = 1 });
  fs_live_post (live, &(FsEdit){ .kind = FS_EDIT_END });
}

/* Edits that came while there was no memory for a history are in the mask once there is. */
static void
test_edits_wait_for_memory (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsImage) image = make_image (8, W, H);
  g_autofree uint8_t *mask = g_malloc0 (W * H), *tiles = g_malloc0 (W * H);
  FsLiveState state = { 0 };
  g_assert_cmpuint (fs_live_wait_for_threads (), ==, 0);
  fault_memory_after (0, TRUE);
  g_autoptr (FsLive) live = fs_live_new (image, &FS_SETTINGS_DEFAULT, NULL, on_live_wake, NULL);
  post_dot (live, FS_SEED_OBJECT, W - 10, H - 10);
  for (int n_failed = 0; n_failed < 2; n_failed += error != NULL) {
    g_clear_error (&error);
    if (!fs_live_collect (live, mask, tiles, &state, &error)) {
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
      fs_live_post (live, &(FsEdit){ .kind = FS_EDIT_SETTINGS, .settings = FS_SETTINGS_DEFAULT });
    }
    g_usleep (1000);
  }
  g_clear_error (&error);
  fault_memory_after (-1, FALSE);
  post_dot (live, FS_SEED_BACKGROUND, 10, 10);
  for (gint64 end_us = g_get_monotonic_time () + most_seconds () * G_USEC_PER_SEC;
       !state.is_final && g_get_monotonic_time () < end_us; g_usleep (1000))
    fs_live_collect (live, mask, tiles, &state, NULL);
  g_assert_true (state.is_final && state.exact);
  g_assert_cmpint (mask[(H - 10) * W + W - 10], ==, 1);
  g_assert_cmpint (mask[10 * W + 10], ==, 0);
}

/* The stages are reported one after the other, and none when the mask is final. */
static void
test_stages (void)
{
  g_autoptr (FsImage) image = make_image (5, 640, 480);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  guint seen = 0;
  double fraction;
  paint (document, FS_SEED_OBJECT, 12, 300, 220, 340, 260);
  paint (document, FS_SEED_BACKGROUND, 12, 20, 20, 600, 30);
  while (!fs_document_get_status (document).is_final) {
    seen |= 1u << fs_document_get_stage (document, &fraction);
    g_assert_true (fraction >= 0 && fraction <= 1);
    g_main_context_iteration (NULL, FALSE);
  }
  g_assert_true ((seen & 1u << FS_STAGE_PREPARING) != 0);
  g_assert_true ((seen & (1u << FS_STAGE_LEARNING | 1u << FS_STAGE_PROVING)) != 0);
  g_assert_true ((seen & 1u << FS_STAGE_REFINING) != 0);
  g_assert_cmpint (fs_document_get_stage (document, &fraction), ==, FS_STAGE_IDLE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/document/first-stroke-cuts", test_first_stroke_cuts);
  g_test_add_func ("/document/mask-follows-the-brush", test_mask_follows_the_brush);
  g_test_add_func ("/document/undo-all-redo-all", test_undo_all_redo_all);
  g_test_add_func ("/document/random-histories", test_random_histories);
  g_test_add_func ("/document/refinement-before-the-final-mask",
                   test_refinement_before_the_final_mask);
  g_test_add_func ("/document/preview-first", test_preview_first);
  g_test_add_func ("/document/can-undo-is-notified", test_can_undo_is_notified);
  g_test_add_func ("/document/seeds-hold-while-models-change", test_seeds_hold_while_models_change);
  g_test_add_func ("/document/marks-at-once", test_marks_at_once);
  g_test_add_func ("/document/close-while-solving", test_close_while_solving);
  g_test_add_func ("/document/memory-ends", test_memory_ends);
  g_test_add_func ("/document/edits-wait-for-memory", test_edits_wait_for_memory);
  g_test_add_func ("/document/stages", test_stages);
  return g_test_run ();
}
