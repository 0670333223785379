/* SPDX-License-Identifier: MIT */
/* The table of skin colours: what it says of colours that everybody knows, and that seeds stand. */
#include "energy/colour/skin.h"
#include "energy/energy.h"

static void
test_colours (void)
{
  static const uint32_t skins[] = { 0xffe0ac69, 0xffc68642, 0xfff1c27d, 0xffffdbac, 0xff8d5524 };
  static const uint32_t others[] = { 0xff2050a0, 0xff208030, 0xff000000, 0xffffffff,
                                     0xff808080, 0xff00ff00, 0xffff00ff };
  for (guint i = 0; i < G_N_ELEMENTS (skins); i++)
    g_assert_cmpint (fs_skin_tlink (skins[i]), >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_cmpint (fs_skin_tlink (others[i]), <, 0);
}

/* Six nats at most, both reached; alpha says nothing. */
static void
test_range (void)
{
  int32_t min = 0, max = 0;
  for (uint32_t rgb = 0; rgb < 1u << 24; rgb += 0x0f0f0f / 13) {
    int32_t t = fs_skin_tlink (rgb);
    g_assert_cmpint (t, ==, fs_skin_tlink (rgb | 0xff000000u));
    min = MIN (min, t);
    max = MAX (max, t);
  }
  g_assert_cmpint (min, ==, -FS_SKIN_TLINK_MAX);
  g_assert_cmpint (max, >, FS_SKIN_TLINK_MAX / 2);
  g_assert_cmpint (max, <=, FS_SKIN_TLINK_MAX);
  g_assert_cmpint (FS_SKIN_TLINK_MAX, ==, 6 * FS_NAT_SCALE);
}

static void
test_seeds_stand (void)
{
  g_autoptr (FsImage) image = fs_image_new (3, 1);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (3, 1);
  const uint8_t labels[] = { FS_SEED_NONE, FS_SEED_BACKGROUND, FS_SEED_OBJECT };
  fs_seed_map_set (seeds, labels);
  for (int i = 0; i < 3; i++)
    image->pixels[i] = 0xffe0ac69;
  int32_t tlinks[] = { 7, -1000, 1000 };
  fs_skin_add_tlinks (image, seeds, tlinks);
  g_assert_cmpint (tlinks[0], ==, 7 + fs_skin_tlink (0xffe0ac69));
  g_assert_cmpint (tlinks[1], ==, -1000);
  g_assert_cmpint (tlinks[2], ==, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/energy/skin/colours", test_colours);
  g_test_add_func ("/energy/skin/range", test_range);
  g_test_add_func ("/energy/skin/seeds-stand", test_seeds_stand);
  return g_test_run ();
}
