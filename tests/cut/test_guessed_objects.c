/* SPDX-License-Identifier: MIT */
/* Objects of an imported mask: without strokes they are what was imported, to the pixel; strokes
 * correct them where they are, and the rest stays. */
#include "cut/mask_objects.h"
#include "tests/faults/faults.h"

#include <string.h>

enum { W = 160, H = 96, N = W * H };

typedef struct {
  FsImage *image;
  FsSeedMap *strokes;
  uint8_t imported[N], mask[N], numbers[N];
} Scene;

/* Three columns of different colours, and nothing imported. */
static void
scene_init (Scene *scene)
{
  static const uint32_t colours[] = { 0xffb43c3c, 0xff3c78b4, 0xff50a03c };
  memset (scene, 0, sizeof *scene);
  scene->image = fs_image_new (W, H);
  scene->strokes = fs_seed_map_new (W, H);
  for (int p = 0; p < N; p++)
    scene->image->pixels[p] = colours[p % W * 3 / W] + (uint32_t)(p * 7 % 9);
  memset (scene->imported, FS_SEED_BACKGROUND, N);
}

static void
scene_clear (Scene *scene)
{
  fs_image_unref (scene->image);
  fs_seed_map_free (scene->strokes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

static void
fill (Scene *scene, int x0, int y0, int x1, int y1, uint8_t number)
{
  for (int y = y0; y < y1; y++)
    memset (scene->imported + y * W + x0, number, (size_t)(x1 - x0));
}

static void
paint (Scene *scene, uint8_t number, double x0, double y0, double x1, double y1)
{
  const FsCapsule capsule = { x0, y0, x1, y1, 2 };
  fs_seed_map_paint (scene->strokes, &capsule, number, NULL, NULL);
}

/* The mask is what was imported, and what strokes of objects add. */
static void
map (Scene *scene)
{
  g_autoptr (FsGuess) guess = fs_guess_new_objects (scene->imported, W, H);
  g_autoptr (GError) error = NULL;
  FsSettings settings = FS_SETTINGS_DEFAULT;
  for (int p = 0; p < N; p++) {
    uint8_t stroke = scene->strokes->label[p];
    uint8_t label = stroke != FS_SEED_NONE ? stroke : scene->imported[p];
    scene->mask[p] = label != FS_SEED_BACKGROUND;
  }
  gboolean done = fs_mask_map_objects (scene->image, &settings, scene->strokes, guess, scene->mask,
                                       NULL, scene->numbers, &error);
  g_assert_no_error (error);
  g_assert_true (done);
  for (int p = 0; p < N; p++) {
    g_assert_true ((scene->numbers[p] >= FS_SEED_OBJECT) == scene->mask[p]);
    if (scene->strokes->label[p] != FS_SEED_NONE)
      g_assert_cmpint (scene->numbers[p], ==, scene->strokes->label[p]);
  }
}

static void
assert_all (const Scene *scene, int x0, int y0, int x1, int y1, uint8_t number)
{
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      if (scene->strokes->label[y * W + x] == FS_SEED_NONE && scene->numbers[y * W + x] != number)
        g_error ("(%d, %d) is %d, not %d", x, y, scene->numbers[y * W + x], number);
}

/* Corners, one pixel, rings, parts that touch, chess, noise, all numbers, all of the photo. */
static void
test_same (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  const char *scale = g_getenv ("SCALE");
  int n = 40 * (scale ? MAX (1, atoi (scale)) : 1);
  for (int i = 0; i < n; i++) {
    g_auto (Scene) scene;
    scene_init (&scene);
    int n_numbers = i % 5 == 4 ? FS_SEED_MAX - 1 : 1 + i % 4, kind = i % 7;
    for (int p = 0; p < N; p++) {
      int x = p % W, y = p / W;
      int number = FS_SEED_OBJECT + g_rand_int_range (rand, 0, n_numbers);
      int tile = FS_SEED_OBJECT + (x / 9 + y / 7 * 3) % n_numbers;
      if (kind == 0 || (kind == 1 && (x + y) % 2 == 0) || (kind == 2 && (x == W - 1 && y == H - 1)))
        scene.imported[p] = (uint8_t)number;
      else if (kind == 3 || (kind == 4 && MIN (x, y) % 20 < 5) || (kind == 5 && x % 13 < 9))
        scene.imported[p] = (uint8_t)tile;
      else if (kind == 6)
        scene.imported[p] = FS_SEED_MAX;
    }
    map (&scene);
    g_assert_cmpmem (scene.numbers, N, scene.imported, N);
  }
}

/* A stroke across an object that it does not mean gets what looks like it, or all that is near;
 * the far part stays, and so do the others. */
static void
test_stroke_takes (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  fill (&scene, 4, 40, 156, 52, 2); /* over all three colours */
  fill (&scene, 4, 60, 156, 66, 4);
  paint (&scene, 3, 64, 46, 90, 46);
  map (&scene);
  assert_all (&scene, 4, 40, 40, 52, 2);
  assert_all (&scene, 55, 40, 98, 52, 3);
  assert_all (&scene, 120, 40, 156, 52, 2);
  assert_all (&scene, 4, 60, 156, 66, 4);
}

/* A small one is the stroke's as a whole. */
static void
test_stroke_renames (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  fill (&scene, 20, 20, 34, 34, 2);
  fill (&scene, 34, 20, 48, 34, 5); /* touches it */
  paint (&scene, 9, 23, 27, 31, 27);
  map (&scene);
  assert_all (&scene, 20, 20, 32, 34, 9);
  assert_all (&scene, 34, 20, 48, 34, 5);
}

/* What a stroke adds is its object's, also beside others; the background's says nothing of who is
 * who. */
static void
test_stroke_adds (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  fill (&scene, 20, 20, 40, 60, 2);
  fill (&scene, 60, 20, 90, 60, 3);
  paint (&scene, 3, 120, 40, 140, 40);
  paint (&scene, 2, 42, 30, 45, 30);
  paint (&scene, FS_SEED_BACKGROUND, 62, 40, 88, 40);
  map (&scene);
  assert_all (&scene, 20, 20, 40, 60, 2);
  assert_all (&scene, 60, 20, 90, 36, 3);
  assert_all (&scene, 60, 44, 90, 60, 3);
}

/* Between two that touch the unknown pixels go to the nearer one; alone, too. */
static void
test_unknown (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  fill (&scene, 20, 20, 30, 40, 2);
  fill (&scene, 30, 20, 40, 40, FS_SEED_NONE);
  fill (&scene, 40, 20, 50, 40, 3);
  fill (&scene, 60, 20, 66, 40, FS_SEED_NONE);
  fill (&scene, 100, 20, 110, 40, 7);
  fill (&scene, 98, 18, 100, 42, FS_SEED_NONE);
  map (&scene);
  assert_all (&scene, 20, 20, 35, 40, 2);
  assert_all (&scene, 35, 20, 50, 40, 3);
  assert_all (&scene, 60, 20, 66, 40, 3);
  assert_all (&scene, 98, 18, 100, 42, 7);
}

/* Where no number is left to mark what was not visited. */
static void
test_all_numbers (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  for (int p = 0; p < N; p++)
    scene.imported[p] = p % 5 == 0 ? FS_SEED_NONE : (uint8_t)(2 + p % (FS_SEED_MAX - 1));
  map (&scene);
  for (int p = 0; p < N; p++)
    if (scene.imported[p] != FS_SEED_NONE)
      g_assert_cmpint (scene.numbers[p], ==, scene.imported[p]);
}

/* Whatever is painted, all of the mask has an object, and what no stroke is near stays. */
static void
test_random_strokes (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  for (int i = 0; i < 30; i++) {
    g_auto (Scene) scene;
    scene_init (&scene);
    for (int k = 0; k < 6; k++) {
      int x = g_rand_int_range (rand, 0, 120), y = g_rand_int_range (rand, 0, 70);
      fill (&scene, x, y, x + g_rand_int_range (rand, 1, 40), y + g_rand_int_range (rand, 1, 26),
            (uint8_t)g_rand_int_range (rand, 0, 6));
    }
    fill (&scene, 0, H - 2, 3, H, 200);
    for (int k = g_rand_int_range (rand, 1, 4); k > 0; k--)
      paint (&scene, (uint8_t)g_rand_int_range (rand, 1, 7), g_rand_double_range (rand, 5, W),
             g_rand_double_range (rand, 0, H - 8), g_rand_double_range (rand, 5, W),
             g_rand_double_range (rand, 0, H - 8));
    map (&scene);
    assert_all (&scene, 0, H - 2, 3, H, 200);
  }
}

static void
test_memory (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  fill (&scene, 4, 40, 156, 52, 2);
  fill (&scene, 50, 60, 60, 66, FS_SEED_NONE);
  paint (&scene, 3, 64, 46, 90, 46);
  map (&scene);
  g_autoptr (FsGuess) guess = fs_guess_new_objects (scene.imported, W, H);
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  uint8_t numbers[N];
  gboolean done = FALSE;
  int n = 0;
  for (; !done; n++) {
    g_autoptr (GError) error = NULL;
    fault_memory_after (n, FALSE);
    done = fs_mask_map_objects (scene.image, &settings, scene.strokes, guess, scene.mask, NULL,
                                numbers, &error);
    fault_memory_after (-1, FALSE);
    g_assert_cmpint (done, ==, error == NULL);
    if (!done)
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    g_assert_cmpint (n, <, 1000);
  }
  g_assert_cmpint (n, >, 5);
  g_assert_cmpmem (numbers, N, scene.numbers, N);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guessed-objects/same", test_same);
  g_test_add_func ("/guessed-objects/stroke-takes", test_stroke_takes);
  g_test_add_func ("/guessed-objects/stroke-renames", test_stroke_renames);
  g_test_add_func ("/guessed-objects/stroke-adds", test_stroke_adds);
  g_test_add_func ("/guessed-objects/unknown", test_unknown);
  g_test_add_func ("/guessed-objects/all-numbers", test_all_numbers);
  g_test_add_func ("/guessed-objects/random-strokes", test_random_strokes);
  g_test_add_func ("/guessed-objects/memory", test_memory);
  return g_test_run ();
}
