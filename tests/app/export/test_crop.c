/* SPDX-License-Identifier: MIT */
/* The rectangle of an object without its specks, against components that are flooded one by one. */
#include "app/export/parts/crop.h"

#include <string.h>

#define WIDTH  70
#define HEIGHT 41
#define N      (WIDTH * HEIGHT)

/* ---- The slow twin ---- */

typedef struct {
  int area;
  FsRect rect;
  gboolean meant;
} Flooded;

static void
take (int i, const uint8_t *seeds, Flooded *component)
{
  int x = i % WIDTH, y = i / WIDTH;
  component->rect = (FsRect){ MIN (component->rect.x0, x), MIN (component->rect.y0, y),
                              MAX (component->rect.x1, x + 1), MAX (component->rect.y1, y + 1) };
  component->area++;
  component->meant |= seeds && seeds[i] >= FS_SEED_OBJECT;
}

/* Takes the component of pixel `start` out of the mask. */
static Flooded
flood (uint8_t *mask, const uint8_t *seeds, int start)
{
  int stack[N], n = 0;
  Flooded component = { .rect = { WIDTH, HEIGHT, 0, 0 } };
  stack[n++] = start;
  mask[start] = 0;
  while (n > 0) {
    int i = stack[--n], x = i % WIDTH, y = i / WIDTH;
    take (i, seeds, &component);
    for (int v = MAX (y - 1, 0); v <= MIN (y + 1, HEIGHT - 1); v++)
      for (int u = MAX (x - 1, 0); u <= MIN (x + 1, WIDTH - 1); u++)
        if (mask[v * WIDTH + u]) {
          mask[v * WIDTH + u] = 0;
          stack[n++] = v * WIDTH + u;
        }
  }
  return component;
}

static FsRect
crop_slowly (const uint8_t *mask, const uint8_t *seeds)
{
  Flooded components[N];
  uint8_t left[N];
  int n = 0, largest = 0;
  FsRect found = { WIDTH, HEIGHT, 0, 0 };
  memcpy (left, mask, N);
  for (int i = 0; i < N; i++)
    if (left[i]) {
      components[n] = flood (left, seeds, i);
      largest = MAX (largest, components[n].area);
      n++;
    }
  for (int i = 0; i < n; i++) {
    FsRect r = components[i].rect;
    if (components[i].meant || components[i].area * FS_CROP_SPECKS >= largest)
      found = (FsRect){ MIN (found.x0, r.x0), MIN (found.y0, r.y0), MAX (found.x1, r.x1),
                        MAX (found.y1, r.y1) };
  }
  return n > 0 ? found : (FsRect){ 0 };
}

static void
assert_same (const uint8_t *mask, const uint8_t *seeds)
{
  FsRect expected = crop_slowly (mask, seeds);
  FsRect got = fs_crop_to_object (mask, seeds, WIDTH, HEIGHT);
  g_assert_cmpmem (&got, sizeof got, &expected, sizeof expected);
}

/* ---- What it is held against ---- */

static void
fill (uint8_t *plane, FsRect r, uint8_t value)
{
  for (int y = r.y0; y < r.y1; y++)
    memset (plane + y * WIDTH + r.x0, value, (size_t)(r.x1 - r.x0));
}

static void
test_none_and_one (void)
{
  uint8_t mask[N] = { 0 };
  g_assert_true (fs_rect_is_empty (fs_crop_to_object (mask, NULL, WIDTH, HEIGHT)));
  for (int i = 0; i < N; i++) {
    mask[i] = 1;
    assert_same (mask, NULL);
    mask[i] = 0;
  }
}

/* 1,000 pixels outweigh one, not two; a stroke outweighs them. */
static void
test_speck (void)
{
  uint8_t mask[N] = { 0 }, seeds[N] = { 0 };
  const FsRect object = { 20, 10, 60, 36 }, whole = { 2, 1, 60, 36 };
  fill (mask, object, 1);
  mask[1 * WIDTH + 2] = 1;
  FsRect r = fs_crop_to_object (mask, seeds, WIDTH, HEIGHT);
  g_assert_cmpmem (&r, sizeof r, &object, sizeof object);
  seeds[1 * WIDTH + 2] = FS_SEED_BACKGROUND;
  r = fs_crop_to_object (mask, seeds, WIDTH, HEIGHT);
  g_assert_cmpmem (&r, sizeof r, &object, sizeof object);
  seeds[1 * WIDTH + 2] = FS_SEED_OBJECT + 1;
  r = fs_crop_to_object (mask, seeds, WIDTH, HEIGHT);
  g_assert_cmpmem (&r, sizeof r, &whole, sizeof whole);
  mask[2 * WIDTH + 3] = 1;
  r = fs_crop_to_object (mask, NULL, WIDTH, HEIGHT);
  g_assert_cmpmem (&r, sizeof r, &whole, sizeof whole);
}

/* A speck of several rows is meant where any of them is: each begins as a component of its own. */
static void
test_speck_of_rows (void)
{
  enum { W = 200, H = 100, ROWS = 9 };
  g_autofree uint8_t *mask = g_malloc0 (W * H), *seeds = g_malloc0 (W * H);
  for (int y = 30; y < 90; y++)
    memset (mask + y * W + 10, 1, 180);
  for (int y = 5; y < 5 + ROWS; y++)
    mask[y * W + 3] = 1;
  g_assert_cmpint (fs_crop_to_object (mask, seeds, W, H).y0, ==, 30);
  for (int y = 5; y < 5 + ROWS; y++) {
    seeds[y * W + 3] = FS_SEED_OBJECT;
    const FsRect r = fs_crop_to_object (mask, seeds, W, H);
    g_assert_cmpint (r.x0, ==, 3);
    g_assert_cmpint (r.y0, ==, 5);
    seeds[y * W + 3] = FS_SEED_NONE;
  }
}

/* Spirals, combs and noise: components that meet late. */
static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  for (int round = 0; round < 300; round++) {
    uint8_t mask[N] = { 0 }, seeds[N] = { 0 };
    int density = g_rand_int_range (random, 1, 70);
    if (round % 2 == 0)
      fill (mask, (FsRect){ 20, 5, 64, g_rand_int_range (random, 25, 35) }, 1);
    for (int i = 0; i < N; i++) {
      if (g_rand_int_range (random, 0, 100) < density)
        mask[i] ^= 1;
      seeds[i] = g_rand_int_range (random, 0, 200) == 0 ? FS_SEED_OBJECT : FS_SEED_NONE;
    }
    assert_same (mask, round % 3 == 0 ? NULL : seeds);
  }
}

/* With more than FS_CROP_MAX_COMPONENTS components all of them count. */
static void
test_dust (void)
{
  const int width = 1200, height = 700;
  g_autofree uint8_t *mask = g_malloc0 ((gsize)(width * height));
  for (int y = 0; y < 400; y++)
    memset (mask + y * width + 500, 1, 600);
  for (int y = 404; y < height; y += 2)
    for (int x = 0; x < width; x += 2)
      mask[y * width + x] = 1;
  FsRect r = fs_crop_to_object (mask, NULL, width, height);
  const FsRect whole = { 0, 0, width - 1, height - 1 };
  g_assert_cmpmem (&r, sizeof r, &whole, sizeof whole);
}

/* ---- The rectangle with the most border ---- */

static gboolean
holds (FsRect r, int x, int y)
{
  return x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1;
}

enum { COMB_WIDTH = 8, COMB_HEIGHT = 4 };

static void
assert_shows (const uint8_t *mask, int x, int y)
{
  FsRect r = fs_crop_to_border (mask, WIDTH, HEIGHT, 20, 10);
  g_assert_cmpint (r.x1 - r.x0, ==, 20);
  g_assert_cmpint (r.y1 - r.y0, ==, 10);
  g_assert_true (r.x0 >= 0 && r.y0 >= 0 && r.x1 <= WIDTH && r.y1 <= HEIGHT);
  g_assert_true (holds (r, x, y) && holds (r, x + COMB_WIDTH - 1, y + COMB_HEIGHT - 1));
}

/* A comb has more border than the object beside it, wherever it is. */
static void
test_border (void)
{
  static const int places[][2] = { { 0, 0 },
                                   { WIDTH - COMB_WIDTH, 0 },
                                   { 37, 18 },
                                   { 37, 20 },
                                   { WIDTH - COMB_WIDTH, HEIGHT - COMB_HEIGHT } };
  uint8_t mask[N] = { 0 };
  assert_shows (mask, WIDTH / 2 - COMB_WIDTH / 2, HEIGHT / 2 - COMB_HEIGHT / 2);
  for (guint k = 0; k < G_N_ELEMENTS (places); k++) {
    const int x = places[k][0], y = places[k][1];
    memset (mask, 0, N);
    fill (mask, (FsRect){ 12, 4, 24, HEIGHT - 4 }, 1);
    for (int i = 0; i < COMB_WIDTH * COMB_HEIGHT; i += 2)
      mask[(y + i / COMB_WIDTH) * WIDTH + x + i % COMB_WIDTH] ^= 1;
    assert_shows (mask, x, y);
  }
}

static void
test_border_of_small_photos (void)
{
  const uint8_t mask[6] = { 0, 0, 1, 0, 1, 1 };
  const FsRect all = { 0, 0, 3, 2 };
  FsRect r = fs_crop_to_border (mask, 3, 2, 20, 10);
  g_assert_cmpmem (&r, sizeof r, &all, sizeof all);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crop/none-and-one", test_none_and_one);
  g_test_add_func ("/crop/speck", test_speck);
  g_test_add_func ("/crop/speck-of-rows", test_speck_of_rows);
  g_test_add_func ("/crop/random", test_random);
  g_test_add_func ("/crop/dust", test_dust);
  g_test_add_func ("/crop/border", test_border);
  g_test_add_func ("/crop/border-of-small-photos", test_border_of_small_photos);
  return g_test_run ();
}
