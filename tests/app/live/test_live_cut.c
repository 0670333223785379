/* SPDX-License-Identifier: MIT */
/* A model cut's previews: what a person sees while the exact mask is on its way. */
#include "app/cut/cut_state.h"

#include <string.h>

enum { W = 700, H = 500 };

static FsImage *
make_image (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  FsImage *image = fs_image_new (W, H);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      guint base = (x / 50 + y / 50) % 2 ? 150 : 60;
      guint noise = (guint)g_rand_int_range (rand, 0, 70);
      image->pixels[y * W + x] = FS_PIXEL (255, base + noise, base, 200 - base + noise / 2);
    }
  return image;
}

static FsPixelList *
paint (FsSeedMap *seeds, uint8_t label, double x0, double y0, double x1, double y1)
{
  FsPixelList *changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  FsCapsule capsule = { x0, y0, x1, y1, 4 };
  fs_seed_map_paint (seeds, &capsule, label, NULL, changed);
  g_assert_cmpuint (changed->len, >, 0);
  return changed;
}

static FsModelCut *
make_cut (FsImage *image, const FsSeedMap *seeds)
{
  g_autoptr (GError) error = NULL;
  FsModelCut *cut = fs_model_cut_new (image, &FS_SETTINGS_DEFAULT, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (fs_model_cut_fit (cut, seeds, NULL));
  return cut;
}

static gboolean
preview (FsModelCut *cut, gint64 deadline_us, uint8_t *mask)
{
  g_autoptr (GError) error = NULL;
  gboolean hasty;
  fs_model_cut_preview (cut, NULL, deadline_us, mask, &hasty, &error);
  g_assert_no_error (error);
  return hasty;
}

static void
assert_seeds (const FsSeedMap *seeds, const uint8_t *mask)
{
  for (int i = 0; i < W * H; i++)
    if (seeds->label[i] != FS_SEED_NONE)
      g_assert_cmpuint (mask[i], ==, seeds->label[i] != FS_SEED_BACKGROUND);
}

/* All of a change, at any length. */
static void
change (FsModelCut *cut, const FsPixelList *pixels, const FsSeedMap *seeds)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (gboolean done = fs_model_cut_change (cut, pixels, seeds); !done;)
    done = fs_model_cut_change (cut, none, seeds);
}

/* Whether there is time to refine it or not, and whether the solver has its state yet or not. */
static void
test_preview_holds_what_was_just_painted (void)
{
  g_autoptr (FsImage) image = make_image ();
  g_autofree uint8_t *mask = g_malloc ((gsize)W * H);
  for (int with_solver = 0; with_solver < 2; with_solver++) {
    g_autoptr (FsSeedMap) seeds = fs_seed_map_new (W, H);
    g_array_unref (paint (seeds, FS_SEED_OBJECT, 100, 100, 200, 120));
    g_autoptr (FsModelCut) cut = make_cut (image, seeds);
    if (with_solver)
      g_assert_true (fs_model_cut_solve (cut, NULL, NULL));
    g_assert_false (preview (cut, 0, mask));
    assert_seeds (seeds, mask);
    for (int i = 0; i < 12; i++) {
      uint8_t label = i % 2 ? FS_SEED_OBJECT : FS_SEED_BACKGROUND;
      g_autoptr (GArray) changed =
          paint (seeds, label, 40 + i * 50, 30 + i * 20, 90 + i * 40, 470 - i * 20);
      fs_model_cut_change (cut, changed, seeds);
      gint64 deadline_us = i % 3 ? 0 : 1;
      g_assert_cmpint (preview (cut, deadline_us, mask), ==, deadline_us != 0);
      assert_seeds (seeds, mask);
    }
  }
}

/* The mask of a changed cut is that of one that was made with the change. */
static void
test_preview_after_changes_is_a_fresh_one (void)
{
  g_autoptr (FsImage) image = make_image ();
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (W, H);
  g_array_unref (paint (seeds, FS_SEED_OBJECT, 100, 100, 200, 120));
  g_autoptr (FsModelCut) cut = make_cut (image, seeds);
  g_autofree uint8_t *mask = g_malloc ((gsize)W * H);
  preview (cut, 0, mask);
  /* What is painted and erased again leaves the seeds that both are fitted to. */
  g_autoptr (GArray) painted = paint (seeds, FS_SEED_BACKGROUND, 300, 50, 320, 450);
  change (cut, painted, seeds);
  g_autofree uint8_t *between = g_malloc ((gsize)W * H);
  preview (cut, 0, between);
  g_assert_cmpint (memcmp (between, mask, (gsize)W * H), !=, 0);
  g_autoptr (GArray) erased = paint (seeds, FS_SEED_NONE, 300, 50, 320, 450);
  change (cut, erased, seeds);
  g_autofree uint8_t *after = g_malloc ((gsize)W * H);
  preview (cut, 0, after);
  g_assert_cmpmem (after, W * H, mask, W * H);
}

static void
assert_solved_alike (FsModelCut *cut, FsModelCut *other)
{
  g_assert_true (fs_model_cut_solve (cut, NULL, NULL));
  g_assert_true (fs_model_cut_solve (other, NULL, NULL));
  g_autoptr (GBytes) mask = fs_model_cut_pack_mask (cut);
  g_autoptr (GBytes) other_mask = fs_model_cut_pack_mask (other);
  g_assert_true (g_bytes_equal (mask, other_mask));
}

/* Made beside it, the solver, its first time and later, is as good as one made afterwards. */
static void
test_preview_before_solve (void)
{
  g_autoptr (FsImage) image = make_image ();
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (W, H);
  g_array_unref (paint (seeds, FS_SEED_OBJECT, 100, 100, 200, 120));
  g_autoptr (FsModelCut) cut = make_cut (image, seeds), alone = make_cut (image, seeds);
  g_autofree uint8_t *mask = g_malloc ((gsize)W * H), *expected = g_malloc ((gsize)W * H);
  for (int i = 0; i < 2; i++) {
    g_assert_true (fs_model_cut_preview_before_solve (cut, NULL, mask, NULL));
    preview (alone, 0, expected);
    g_assert_cmpmem (mask, W * H, expected, W * H);
    assert_solved_alike (cut, alone);
    g_array_unref (paint (seeds, FS_SEED_BACKGROUND, 300 + 60 * i, 50, 320, 450));
    g_assert_true (fs_model_cut_fit (cut, seeds, NULL) && fs_model_cut_fit (alone, seeds, NULL));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/live-cut/preview-holds-what-was-just-painted",
                   test_preview_holds_what_was_just_painted);
  g_test_add_func ("/live-cut/preview-after-changes-is-a-fresh-one",
                   test_preview_after_changes_is_a_fresh_one);
  g_test_add_func ("/live-cut/preview-before-solve", test_preview_before_solve);
  return g_test_run ();
}
