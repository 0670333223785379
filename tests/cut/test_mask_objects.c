/* SPDX-License-Identifier: MIT */
/* Which object each pixel of a mask is of: pieces, what objects hang together in, memory. */
#include "cut/label_specks.h"
#include "cut/mask_objects.h"
#include "tests/faults/faults.h"

#include <stdbool.h>
#include <string.h>

enum { W = 64, H = 40 };

typedef struct {
  FsImage *image;
  FsSeedMap *seeds;
  FsGuess *guess; /* or NULL */
  uint8_t mask[W * H];
  uint8_t numbers[W * H];
} Scene;

/* Two halves of different colours, a little noise, and no mask. */
static void
scene_init (Scene *scene)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  memset (scene, 0, sizeof *scene);
  scene->image = fs_image_new (W, H);
  for (int p = 0; p < W * H; p++) {
    guint noise = (guint)g_rand_int_range (rand, 0, 20);
    scene->image->pixels[p] = p % W < W / 2 ? FS_PIXEL (255, 180 + noise, 60, 60 + noise)
                                            : FS_PIXEL (255, 60, 120 + noise, 180 + noise);
  }
  scene->seeds = fs_seed_map_new (W, H);
}

static void
scene_clear (Scene *scene)
{
  fs_image_unref (scene->image);
  fs_seed_map_free (scene->seeds);
  g_clear_pointer (&scene->guess, fs_guess_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

static void
fill_mask (Scene *scene, int x0, int y0, int x1, int y1)
{
  for (int y = y0; y < y1; y++)
    memset (scene->mask + y * W + x0, 1, (size_t)(x1 - x0));
}

static void
paint (Scene *scene, uint8_t number, double x, double y)
{
  const FsCapsule capsule = { x, y, x + 1, y, 1.5 };
  fs_seed_map_paint (scene->seeds, &capsule, number, NULL, NULL);
}

static void
map (Scene *scene)
{
  g_autoptr (GError) error = NULL;
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  memset (scene->numbers, 77, sizeof scene->numbers);
  g_assert_true (fs_mask_map_objects (scene->image, &settings, scene->seeds, scene->guess,
                                      scene->mask, NULL, scene->numbers, &error));
  g_assert_no_error (error);
  for (int p = 0; p < W * H; p++) {
    uint8_t seed = scene->seeds->label[p];
    g_assert_true ((scene->numbers[p] >= FS_SEED_OBJECT) == scene->mask[p]);
    if (scene->mask[p] && seed >= FS_SEED_OBJECT)
      g_assert_cmpint (scene->numbers[p], ==, seed);
  }
}

static void
assert_all (const Scene *scene, int x0, int y0, int x1, int y1, uint8_t number)
{
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      if (scene->numbers[y * W + x] != number)
        g_error ("(%d, %d) is %d, not %d", x, y, scene->numbers[y * W + x], number);
}

/* One object has all of the mask, whatever its number; without any it is the usual one's. */
static void
test_one_object (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  fill_mask (&scene, 3, 3, 20, 9);
  fill_mask (&scene, 40, 30, 64, 40);
  map (&scene);
  assert_all (&scene, 3, 3, 20, 9, FS_SEED_OBJECT);
  paint (&scene, 9, 8, 6);
  paint (&scene, FS_SEED_BACKGROUND, 30, 20);
  map (&scene);
  assert_all (&scene, 3, 3, 20, 9, 9);
  assert_all (&scene, 40, 30, 64, 40, 9);
}

/* Of one colour, and the strokes in one corner: the guess's parts say what is whose. */
static void
test_guess (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  for (int p = 0; p < W * H; p++)
    scene.image->pixels[p] = FS_PIXEL (255, 90, 90, 90);
  uint16_t plane[W / 4 * (H / 4)];
  for (int p = 0; p < W / 4 * (H / 4); p++)
    plane[p] = p % (W / 4) == 3 ? 0 : 60000;
  scene.guess = fs_guess_new (plane, W / 4, H / 4, W, H);
  fill_mask (&scene, 2, 4, 60, 36);
  paint (&scene, 2, 6, 8);
  paint (&scene, 3, 22, 30);
  paint (&scene, FS_SEED_BACKGROUND, 30, 1);
  map (&scene);
  assert_all (&scene, 2, 4, 12, 36, 2);
  assert_all (&scene, 16, 4, 60, 36, 3);
}

/* A piece with strokes of one object is its, whatever its colours; corners hold it together. */
static void
test_components (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  fill_mask (&scene, 2, 2, 62, 10); /* both colours */
  fill_mask (&scene, 24, 16, 32, 24);
  fill_mask (&scene, 32, 24, 40, 32); /* touches it at a corner, and looks like the next */
  fill_mask (&scene, 50, 20, 60, 30);
  paint (&scene, 3, 6, 5);
  paint (&scene, 2, 27, 20);
  paint (&scene, FS_SEED_MAX, 54, 25);
  map (&scene);
  assert_all (&scene, 2, 2, 62, 10, 3);
  assert_all (&scene, 24, 16, 32, 24, 2);
  assert_all (&scene, 32, 24, 40, 32, 2);
  assert_all (&scene, 50, 20, 60, 30, FS_SEED_MAX);
}

/* Two that hang together part where the colours do; a piece without strokes goes by its colours;
 * one with its own strokes stays whole beside. */
static void
test_rest (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  fill_mask (&scene, 10, 4, 54, 20);
  fill_mask (&scene, 4, 28, 12, 36);
  fill_mask (&scene, 50, 26, 60, 36);
  paint (&scene, 2, 16, 12);
  paint (&scene, 3, 46, 12);
  paint (&scene, 3, 6, 32);
  map (&scene);
  assert_all (&scene, 10, 4, 31, 20, 2);
  assert_all (&scene, 33, 4, 54, 20, 3);
  assert_all (&scene, 4, 28, 12, 36, 3);
  assert_all (&scene, 50, 26, 60, 36, 3);
}

/* With a stroke of each there are more objects than a number could be spared of. */
static void
test_all_numbers (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  fill_mask (&scene, 0, 0, W, 8);
  for (int number = FS_SEED_OBJECT; number <= FS_SEED_MAX; number++)
    fs_seed_map_set_run (scene.seeds, number / 60, number % 60, number % 60 + 1, (uint8_t)number);
  map (&scene);
}

/* A few pixels of one object's colour within another, far from its strokes, are the other's. */
static void
test_specks (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  fill_mask (&scene, 4, 4, 60, 20);
  paint (&scene, 2, 10, 12);
  paint (&scene, 3, 54, 12);
  for (int i = 0; i < 12; i++) /* what a stroke's own pixel shows, on the other side */
    scene.image->pixels[(7 + i / 4) * W + 6 + i % 4 + 42] = scene.image->pixels[12 * W + 10];
  map (&scene);
  assert_all (&scene, 4, 4, 28, 20, 2);
  assert_all (&scene, 36, 4, 60, 20, 3);
}

static void
give_away (uint8_t *numbers, const FsSeedMap *seeds, FsSpecksTo to, size_t n_expected)
{
  size_t n_given;
  g_assert_true (fs_label_specks_give_away (seeds, to, numbers, &n_given, NULL, NULL));
  g_assert_cmpuint (n_given, ==, n_expected);
}

static void
fill_numbers (uint8_t *numbers, int x0, int y0, int x1, int y1, uint8_t number)
{
  for (int y = y0; y < y1; y++)
    memset (numbers + y * W + x0, number, (size_t)(x1 - x0));
}

/* To what surrounds them, the background only if it may be; large parts near by stay. */
static void
test_given_away (void)
{
  for (int to = FS_SPECKS_TO_OBJECTS; to <= FS_SPECKS_TO_ANY; to++) {
    g_autoptr (FsSeedMap) seeds = fs_seed_map_new (W, H);
    g_autofree uint8_t *numbers = g_malloc (W * H);
    fill_numbers (numbers, 0, 0, W, H, 1);
    fill_numbers (numbers, 2, 2, 22, 22, 2);
    fill_numbers (numbers, 24, 2, 34, 22, 2); /* large, near: no speck */
    fill_numbers (numbers, 36, 2, 60, 30, 3);
    fill_numbers (numbers, 40, 10, 43, 13, 2); /* within the other */
    fill_numbers (numbers, 60, 35, 62, 37, 2); /* alone, nearer to the other */
    fill_numbers (numbers, 10, 10, 11, 11, 3); /* within the first */
    fs_seed_map_set_run (seeds, 5, 5, 9, 2);
    fs_seed_map_set_run (seeds, 5, 50, 55, 3);
    fs_seed_map_set_run (seeds, 39, 0, 9, 1);
    give_away (numbers, seeds, (FsSpecksTo)to, 9 + 4 + 1);
    g_assert_cmpint (numbers[12 * W + 42], ==, 3);
    g_assert_cmpint (numbers[10 * W + 10], ==, 2);
    g_assert_cmpint (numbers[10 * W + 30], ==, 2);
    g_assert_cmpint (numbers[36 * W + 61], ==, to == FS_SPECKS_TO_ANY ? 1 : 3);
    give_away (numbers, seeds, (FsSpecksTo)to, 0);
  }
}

static void
test_memory (void)
{
  g_auto (Scene) scene;
  scene_init (&scene);
  fill_mask (&scene, 10, 4, 54, 20);
  paint (&scene, 2, 16, 12);
  paint (&scene, 3, 46, 12);
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  gboolean done = FALSE;
  for (int n = 0; !done; n++) {
    g_autoptr (GError) error = NULL;
    fault_memory_after (n, FALSE);
    done = fs_mask_map_objects (scene.image, &settings, scene.seeds, NULL, scene.mask, NULL,
                                scene.numbers, &error);
    fault_memory_after (-1, FALSE);
    g_assert_cmpint (done, ==, error == NULL);
    if (!done)
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    g_assert_cmpint (n, <, 1000);
  }
}

/* Who no longer wants it is not made to wait for models and cuts. */
static void
test_cancelled (void)
{
  g_auto (Scene) scene;
  g_autoptr (GError) error = NULL;
  scene_init (&scene);
  fill_mask (&scene, 10, 4, 54, 20);
  paint (&scene, 2, 16, 12);
  paint (&scene, 3, 46, 12);
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  FsCancelFlag cancel = true;
  const FsProgress progress = { .cancel = &cancel };
  g_assert_false (fs_mask_map_objects (scene.image, &settings, scene.seeds, NULL, scene.mask,
                                       &progress, scene.numbers, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
  g_clear_error (&error);
  memset (scene.numbers, 2, sizeof scene.numbers);
  g_assert_false (fs_label_specks_give_away (scene.seeds, FS_SPECKS_TO_ANY, scene.numbers, NULL,
                                             &progress, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mask-objects/one-object", test_one_object);
  g_test_add_func ("/mask-objects/components", test_components);
  g_test_add_func ("/mask-objects/guess", test_guess);
  g_test_add_func ("/mask-objects/rest", test_rest);
  g_test_add_func ("/mask-objects/all-numbers", test_all_numbers);
  g_test_add_func ("/mask-objects/specks", test_specks);
  g_test_add_func ("/mask-objects/given-away", test_given_away);
  g_test_add_func ("/mask-objects/memory", test_memory);
  g_test_add_func ("/mask-objects/cancelled", test_cancelled);
  return g_test_run ();
}
