/* SPDX-License-Identifier: MIT */
/* Memory refused at any allocation, and cuts cancelled at any poll: the object stays valid, and the
 * next call gives what it would have given. Linked with the library's objects, in which the linker
 * puts the faults. */
#include "library/fretsaw.h"
#include "tests/faults/faults.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 70, HEIGHT = 60, N = WIDTH * HEIGHT };

typedef struct {
  uint8_t rgb[3 * N], labels[N];
} Scene;

static void
fill (Scene *scene, gboolean has_several)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  for (int p = 0; p < N; p++) {
    int x = p % WIDTH, y = p / WIDTH, dx = x - WIDTH / 2, dy = y - HEIGHT / 2;
    gboolean is_inside = dx * dx + dy * dy < 300;
    for (int c = 0; c < 3; c++)
      scene->rgb[3 * p + c] =
          (uint8_t)((is_inside ? 150 + 20 * c : 90 - 20 * c) + g_rand_int_range (rand, -30, 30));
    scene->labels[p] = y == HEIGHT / 2 && is_inside ? 2 : y == 1 ? 1 : 0;
    if (has_several && y == HEIGHT / 2 + 6 && is_inside)
      scene->labels[p] = 3;
  }
}

static fretsaw_image
describe (const Scene *scene)
{
  fretsaw_image image = FRETSAW_IMAGE_INIT;
  image.width = WIDTH;
  image.height = HEIGHT;
  image.pixels = scene->rgb;
  return image;
}

/* Creation, an update, a stroke, another update, the end and the edge, each again while it fails
 * for want of memory or by a cancellation. Returns how many calls failed. */
static int
work (const Scene *scene, uint8_t *updated, uint8_t *labels, uint8_t *cutout,
      fretsaw_status expected)
{
  fretsaw_image image = describe (scene);
  fretsaw_photo *photo = NULL;
  fretsaw_error error;
  fretsaw_status status;
  int n_failed = 0;
  static uint8_t zones[N]; /* one of hair, across the object */
  memset (zones + N / 2, 2, WIDTH);
  fretsaw_edge_options edge = FRETSAW_EDGE_OPTIONS_INIT;
  edge.zones = zones;
#define TRY(call)                                                                                  \
  while ((status = (call)) != FRETSAW_OK) {                                                        \
    g_assert_cmpint (status, ==, expected);                                                        \
    g_assert_cmpint (error.status, ==, expected);                                                  \
    g_assert_cmpint (error.text[0], !=, '\0');                                                     \
    fault_memory_after (-1, FALSE);                                                                \
    fault_cancel_after (-1);                                                                       \
    n_failed++;                                                                                    \
  }
  TRY (fretsaw_photo_new (NULL, &image, NULL, &photo, &error));
  TRY (fretsaw_photo_set_labels (photo, scene->labels, 0, &error));
  TRY (fretsaw_photo_update (photo, NULL, NULL, &error));
  TRY (fretsaw_photo_paint (photo, 5, 50, 60, 50, 2, 1, &error));
  TRY (fretsaw_photo_update (photo, NULL, NULL, &error));
  TRY (fretsaw_photo_separate (photo, NULL, &error));
  TRY (fretsaw_photo_get_labels (photo, updated, 0, &error));
  TRY (fretsaw_photo_preview (photo, NULL, labels, 0, &error));
  TRY (fretsaw_photo_finish (photo, NULL, NULL, &error));
  TRY (fretsaw_photo_get_labels (photo, labels, 0, &error));
  TRY (fretsaw_photo_render (photo, &edge, NULL, FRETSAW_RGBA, cutout, 0, &error));
#undef TRY
  fretsaw_photo_free (photo);
  return n_failed;
}

static void
check_photo (gboolean has_several, gboolean cancels)
{
  g_autofree Scene *scene = g_new (Scene, 1);
  static uint8_t updated[N], labels[N], cutout[4 * N];
  static uint8_t expected_updated[N], expected_labels[N], expected_cutout[4 * N];
  fill (scene, has_several);
  g_assert_cmpint (work (scene, expected_updated, expected_labels, expected_cutout, FRETSAW_OK), ==,
                   0);
  const char *share = g_getenv ("FRETSAW_TEST_SHARE"); /* every n-th fault alone */
  int n_failed = 0, n = 1, step = share ? MAX (1, atoi (share)) : 1;
  for (int i = 0; n > 0; i += step) {
    if (cancels)
      fault_cancel_after (i + 1);
    else
      fault_memory_after (i, FALSE);
    n = work (scene, updated, labels, cutout, cancels ? FRETSAW_CANCELLED : FRETSAW_MEMORY);
    fault_memory_after (-1, FALSE);
    fault_cancel_after (-1);
    g_assert_cmpmem (updated, N, expected_updated, N);
    g_assert_cmpmem (labels, N, expected_labels, N);
    g_assert_cmpmem (cutout, 4 * N, expected_cutout, 4 * N);
    n_failed += n;
  }
  g_assert_cmpint (n_failed, >, 0);
  g_test_message ("%d faults were seen", n_failed);
}

static void
test_memory (void)
{
  check_photo (FALSE, FALSE);
}

static void
test_memory_of_several (void)
{
  check_photo (TRUE, FALSE);
}

static void
test_cancelled (void)
{
  check_photo (FALSE, TRUE);
}

static void
test_cancelled_of_several (void)
{
  check_photo (TRUE, TRUE);
}

static void
test_grid (void)
{
  static int32_t tlink[N];
  static uint16_t nlink[N];
  static uint8_t mask[N], expected[N];
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  g_autoptr (GRand) rand = g_rand_new_with_seed (10);
  for (int p = 0; p < N; p++) {
    tlink[p] = g_rand_int_range (rand, -50, 50);
    nlink[p] = (uint16_t)g_rand_int_range (rand, 0, 40);
  }
  options.width = WIDTH;
  options.height = HEIGHT;
  options.tlink = tlink;
  options.nlink[0] = options.nlink[1] = nlink;
  int n_failed = 0;
  for (int i = -1; i < 60; i++) {
    fretsaw_grid *grid = NULL;
    fretsaw_error error;
    fault_memory_after (i, FALSE);
    fretsaw_status status = fretsaw_grid_new (NULL, &options, &grid, &error);
    g_assert_true (status == FRETSAW_OK || status == FRETSAW_MEMORY);
    if (status)
      g_assert_cmpint (fretsaw_grid_new (NULL, &options, &grid, &error), ==, FRETSAW_OK);
    fretsaw_status solved = fretsaw_grid_solve (grid, NULL, NULL, &error);
    g_assert_true (solved == FRETSAW_OK || solved == FRETSAW_MEMORY);
    if (solved)
      g_assert_cmpint (fretsaw_grid_solve (grid, NULL, NULL, &error), ==, FRETSAW_OK);
    fault_memory_after (-1, FALSE);
    g_assert_cmpint (fretsaw_grid_get_mask (grid, i < 0 ? expected : mask, 0, &error), ==,
                     FRETSAW_OK);
    if (i >= 0)
      g_assert_cmpmem (mask, N, expected, N);
    fretsaw_grid_free (grid);
    n_failed += status != FRETSAW_OK || solved != FRETSAW_OK;
  }
  g_assert_cmpint (n_failed, >, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/faults/grid", test_grid);
  g_test_add_func ("/library/faults/memory", test_memory);
  g_test_add_func ("/library/faults/memory-of-several-objects", test_memory_of_several);
  g_test_add_func ("/library/faults/cancelled", test_cancelled);
  g_test_add_func ("/library/faults/cancelled-of-several-objects", test_cancelled_of_several);
  return g_test_run ();
}
