/* SPDX-License-Identifier: MIT */
/* The live edge against the edge of the whole photo, after random edits in random moments. */
#include "app/edge/edge_job.h"
#include "app/edge/live_edge.h"
#include "app/live/document_edge.h"
#include "energy/image/threads.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { W = 230, H = 150 };

/* An ellipse with a blurred border. */
static FsImage *
make_image (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  FsImage *image = fs_image_new (W, H);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      double dx = (x - W / 2) / 70.0, dy = (y - H / 2) / 45.0, d = dx * dx + dy * dy;
      uint8_t base = (uint8_t)(60 + 120 / (1 + (d < 8 ? d * d * d * d : 4096)));
      uint8_t noise = (uint8_t)g_rand_int_range (rand, 0, 40);
      image->pixels[y * W + x] = FS_PIXEL (255, base + noise, base, 230 - base);
    }
  return image;
}

/* --- comparing -------------------------------------------------------------------------------- */

static uint32_t *
expected_words (FsDocument *document)
{
  FsEdgeInput input = { .image = fs_document_get_image (document),
                        .mask = fs_document_get_mask (document),
                        .marks = fs_document_get_marks (document),
                        .zones = fs_document_get_zones (document),
                        .settings = fs_document_get_edge_settings (document) };
  g_autofree uint8_t *tidy = g_malloc (W * H);
  if (input.settings.specks_px > 0 || input.settings.holes_px > 0) {
    fs_edge_tidy_mask (&input, tidy);
    input.mask = tidy;
  }
  g_autoptr (FsZoneAlpha) zones =
      input.zones ? fs_zone_alpha_new (&input, NULL, NULL, 0, NULL, NULL) : NULL;
  g_autoptr (FsEdge) edge = fs_edge_new (&input, zones, (FsRect){ 0, 0, W, H });
  uint32_t *words = g_new (uint32_t, W * H);
  for (int y = 0; y < H; y++)
    memcpy (words + y * W, fs_edge_get_row (edge, y), W * sizeof *words);
  return words;
}

static void
read_words (FsLiveEdge *edge, uint32_t *words)
{
  for (int y = 0; y < H; y++)
    fs_live_edge_read_row (edge, y, 0, W, words + y * W);
}

static void
wait_until_still (FsDocument *document, FsLiveEdge *edge)
{
  while (!fs_document_get_status (document).is_final || fs_live_edge_is_busy (edge))
    g_main_context_iteration (NULL, TRUE);
}

static void
check_edge (FsDocument *document, FsLiveEdge *edge)
{
  g_autofree uint32_t *expected = expected_words (document), *words = g_new (uint32_t, W * H);
  read_words (edge, words);
  for (int i = 0; i < W * H; i++)
    if (words[i] != expected[i])
      g_error ("pixel %d, %d is %08x, not %08x", i % W, i / W, words[i], expected[i]);
}

/* What views keep, from the rectangles that they are told of. */
typedef struct {
  FsLiveEdge *edge;
  uint32_t words[W * H];
} View;

static void
on_changed (View *view, const FsRect *rects, guint n_rects)
{
  for (guint i = 0; i < n_rects; i++)
    for (int y = rects[i].y0; y < rects[i].y1; y++)
      fs_live_edge_read_row (view->edge, y, rects[i].x0, rects[i].x1,
                             view->words + y * W + rects[i].x0);
}

/* --- random edits ----------------------------------------------------------------------------- */

static void
paint (FsDocument *document, GRand *rand)
{
  for (int i = g_rand_int_range (rand, 1, 5); i > 0; i--) {
    FsSample sample = { (float)g_rand_double_range (rand, 0, W),
                        (float)g_rand_double_range (rand, 0, H), 1, 0 };
    fs_document_extend_stroke (document, &sample, 1);
    if (g_rand_boolean (rand))
      g_main_context_iteration (NULL, FALSE);
  }
  fs_document_end_stroke (document);
}

static FsEdgeSettings
random_settings (GRand *rand)
{
  return (FsEdgeSettings){ .width_px = g_rand_int_range (rand, FS_EDGE_WIDTH_AUTO, 9),
                           .shift_tenths = g_rand_int_range (rand, -15, 16),
                           .contrast = g_rand_int_range (rand, 0, 60),
                           .smooth_px = g_rand_int_range (rand, 0, 3),
                           .clean = g_rand_int_range (rand, 0, 101),
                           .specks_px = g_rand_boolean (rand) ? 300 : 0,
                           .holes_px = g_rand_boolean (rand) ? 300 : 0 };
}

static void
random_edit (FsDocument *document, GRand *rand)
{
  FsEdgeSettings settings = random_settings (rand);
  FsEdgeZone zone = (FsEdgeZone)g_rand_int_range (rand, 0, FS_EDGE_N_ZONES);
  switch (g_rand_int_range (rand, 0, 8)) {
  case 0:
    fs_document_undo (document);
    break;
  case 1:
    fs_document_redo (document);
    break;
  case 2:
    fs_document_set_edge_settings (document, &settings, FALSE);
    break;
  case 3:
  case 4:
    if (fs_document_begin_zone (document, FS_STROKE_BRUSH, zone,
                                (float)g_rand_double_range (rand, 2, 12)))
      paint (document, rand);
    break;
  default:
    if (fs_document_begin_stroke (document, (uint8_t)g_rand_int_range (rand, 0, 3),
                                  (float)g_rand_double_range (rand, 1, 8)))
      paint (document, rand);
  }
}

static void
check_random_edits (guint32 seed, int n_threads)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (FsImage) image = make_image (seed);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  g_autoptr (FsLiveEdge) edge = fs_live_edge_new (document);
  g_autofree View *view = g_new0 (View, 1);
  view->edge = edge;
  fs_energy_set_threads (n_threads);
  on_changed (view, &(FsRect){ 0, 0, W, H }, 1);
  g_signal_connect_swapped (edge, "updated", G_CALLBACK (on_changed), view);
  g_signal_connect_swapped (document, "mask-updated", G_CALLBACK (on_changed), view);
  for (int i = 0; i < 14; i++) {
    for (int k = g_rand_int_range (rand, 1, 4); k > 0; k--) {
      random_edit (document, rand);
      for (int turn = g_rand_int_range (rand, 0, 30); turn > 0; turn--) {
        g_main_context_iteration (NULL, FALSE);
        g_usleep ((gulong)g_rand_int_range (rand, 0, 300));
      }
    }
    wait_until_still (document, edge);
    check_edge (document, edge);
    g_autofree uint32_t *words = g_new (uint32_t, W * H);
    read_words (edge, words);
    g_assert_cmpmem (view->words, sizeof view->words, words, sizeof view->words);
  }
  g_signal_handlers_disconnect_by_data (document, view);
  fs_live_edge_close (edge);
  fs_energy_set_threads (0);
}

static void
test_random_edits (void)
{
  for (guint32 seed = 0; seed < 6; seed++)
    check_random_edits (seed, seed % 2 ? 1 : 2);
}

/* A stroke that grows shows the edge as it was, and hard pixels where the mask has changed. */
static void
test_no_flicker (void)
{
  g_autoptr (FsImage) image = make_image (3);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  g_autoptr (FsLiveEdge) edge = fs_live_edge_new (document);
  fs_document_begin_stroke (document, FS_SEED_OBJECT, 6);
  FsSample middle = { W / 2, H / 2, 1, 0 };
  fs_document_extend_stroke (document, &middle, 1);
  fs_document_end_stroke (document);
  wait_until_still (document, edge);
  g_assert_cmpuint (fs_live_edge_count_tiles (edge), >, 0);
  g_autofree uint32_t *before = g_new (uint32_t, W * H), *during = g_new (uint32_t, W * H);
  g_autofree uint8_t *mask = g_memdup2 (fs_document_get_mask (document), W * H);
  read_words (edge, before);
  fs_document_begin_stroke (document, FS_SEED_BACKGROUND, 9);
  guint64 generation = fs_document_get_status (document).generation;
  fs_document_extend_stroke (document, &(FsSample){ W / 2 + 50, H / 2, 1, 0 }, 1);
  while (fs_document_get_status (document).generation <= generation)
    g_main_context_iteration (NULL, TRUE);
  read_words (edge, during);
  const uint8_t *present = fs_document_get_mask (document);
  for (int i = 0; i < W * H; i++) {
    const uint32_t hard = (image->pixels[i] & 0xffffffu) | (present[i] ? 0xff000000u : 0);
    g_assert_cmphex (during[i], ==, present[i] == mask[i] ? before[i] : hard);
  }
  fs_document_cancel_stroke (document);
  wait_until_still (document, edge);
  check_edge (document, edge);
  fs_live_edge_close (edge);
}

static void
count_call (guint *n_calls)
{
  ++*n_calls;
}

/* Everything is computed again, and nothing looks different: views repaint nothing. */
static void
test_unchanged_tiles (void)
{
  g_autoptr (FsImage) image = make_image (3);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  g_autoptr (FsLiveEdge) edge = fs_live_edge_new (document);
  guint n_updates = 0;
  g_signal_connect_swapped (edge, "updated", G_CALLBACK (count_call), &n_updates);
  fs_document_begin_stroke (document, FS_SEED_OBJECT, 6);
  fs_document_extend_stroke (document, &(FsSample){ W / 2, H / 2, 1, 0 }, 1);
  fs_document_end_stroke (document);
  wait_until_still (document, edge);
  g_assert_cmpuint (n_updates, >, 0);
  n_updates = 0;
  FsEdgeSettings settings = fs_document_get_edge_settings (document);
  settings.holes_px = 1; /* there are none */
  fs_document_set_edge_settings (document, &settings, FALSE);
  g_assert_true (fs_live_edge_is_busy (edge));
  wait_until_still (document, edge);
  check_edge (document, edge);
  g_assert_cmpuint (n_updates, ==, 0);
  settings.clean = 50;
  fs_document_set_edge_settings (document, &settings, FALSE);
  wait_until_still (document, edge);
  check_edge (document, edge);
  g_assert_cmpuint (n_updates, >, 0);
  fs_live_edge_close (edge);
}

/* A job that was cancelled has done no tile; run again it does all that are dirty. */
static void
test_cancelled_job (void)
{
  g_autoptr (FsImage) image = make_image (7);
  FsEdgePlanes planes;
  g_assert_true (fs_edge_planes_init (&planes, image));
  for (int i = 0; i < W * H; i++)
    planes.mask[i] = i % W > W / 2;
  FsEdgeJob *job = fs_edge_job_new (&planes);
  const gsize n_tiles = (gsize)(planes.columns * planes.rows);
  job->settings = FS_EDGE_SETTINGS_DEFAULT;
  fs_edge_planes_add (&planes, job->dirty, (FsRect){ 0, 0, W, H }, 0);
  atomic_store (&job->cancel, TRUE);
  fs_edge_job_run (job);
  g_assert_null (memchr (job->done, 1, n_tiles));
  atomic_store (&job->cancel, FALSE);
  fs_edge_job_run (job);
  g_assert_null (memchr (job->done, 0, n_tiles));
  fs_edge_job_free (job);
  fs_edge_planes_clear (&planes);
}

/* --- cancelled at each area --- */

enum { WIDE = 700, HIGH = 290 }; /* six areas */

/* The linker puts this in front of the function that each area begins with. */
gboolean __real_fs_edge_tiles_are_hard (gconstpointer tiles, FsRect area);
gboolean __wrap_fs_edge_tiles_are_hard (gconstpointer tiles, FsRect area);

static gint areas_left = -1;
static FsCancelFlag *cancel_then;

gboolean
__wrap_fs_edge_tiles_are_hard (gconstpointer tiles, FsRect area)
{
  if (g_atomic_int_get (&areas_left) > 0 && g_atomic_int_dec_and_test (&areas_left))
    atomic_store (cancel_then, true);
  return __real_fs_edge_tiles_are_hard (tiles, area);
}

/* Another job goes on where this one was cancelled in its n-th area. Returns whether it was. */
static gboolean
check_cancelled_in_area (FsEdgePlanes *planes, const FsEdgeJob *whole, int n)
{
  const gsize n_tiles = fs_edge_planes_count_tiles (planes);
  FsEdgeJob *first = fs_edge_job_new (planes), *second = fs_edge_job_new (planes);
  first->settings = second->settings = FS_EDGE_SETTINGS_DEFAULT;
  memcpy (first->dirty, whole->dirty, n_tiles * sizeof (FsRect));
  cancel_then = &first->cancel;
  g_atomic_int_set (&areas_left, n);
  fs_edge_job_run (first);
  const gboolean was_cancelled = atomic_load (&first->cancel);
  g_atomic_int_set (&areas_left, -1);
  for (gsize i = 0; i < n_tiles; i++)
    second->dirty[i] = first->done[i] ? (FsRect){ 0 } : first->dirty[i];
  second->previous = first->words;
  fs_edge_job_run (second);
  for (gsize i = 0; i < n_tiles; i++) {
    const FsEdgeTile *tile = second->done[i] ? second->words[i] : first->words[i];
    g_assert_true (first->done[i] != second->done[i]);
    g_assert_true (first->done[i] || !first->words[i]);
    g_assert_cmpmem (tile, tile ? sizeof *tile : 0, whole->words[i],
                     whole->words[i] ? sizeof *tile : 0);
  }
  g_assert_true (was_cancelled || !memchr (first->done, 0, n_tiles));
  fs_edge_job_free (first);
  fs_edge_job_free (second);
  return was_cancelled;
}

static void
test_cancelled_in_each_area (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autoptr (FsImage) image = fs_image_new (WIDE, HIGH);
  FsEdgePlanes planes;
  g_assert_true (fs_edge_planes_init (&planes, image));
  for (int i = 0; i < WIDE * HIGH; i++) {
    planes.mask[i] = abs (i % WIDE - WIDE / 2) + abs (i / WIDE - HIGH / 2) < 140;
    image->pixels[i] =
        (planes.mask[i] ? 0xff905030u : 0xff305080u) + (g_rand_int (rand) & 0x1f1f1f);
  }
  FsEdgeJob *whole = fs_edge_job_new (&planes);
  whole->settings = FS_EDGE_SETTINGS_DEFAULT;
  fs_edge_planes_add (&planes, whole->dirty, (FsRect){ 0, 0, WIDE, HIGH }, 0);
  fs_edge_job_run (whole);
  for (int n_threads = 1; n_threads <= 3; n_threads++) {
    fs_energy_set_threads (n_threads);
    int n = 1;
    while (check_cancelled_in_area (&planes, whole, n))
      n++;
    g_assert_cmpint (n, ==, 7);
  }
  fs_energy_set_threads (0);
  fs_edge_job_free (whole);
  fs_edge_planes_clear (&planes);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/live_edge/random_edits", test_random_edits);
  g_test_add_func ("/live_edge/no_flicker", test_no_flicker);
  g_test_add_func ("/live_edge/unchanged_tiles", test_unchanged_tiles);
  g_test_add_func ("/live_edge/cancelled_job", test_cancelled_job);
  g_test_add_func ("/live_edge/cancelled_in_each_area", test_cancelled_in_each_area);
  return g_test_run ();
}
