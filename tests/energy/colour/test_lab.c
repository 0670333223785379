/* SPDX-License-Identifier: MIT */
#include "energy/colour/lab.h"
#include "energy/image/image.h"

#include <math.h>
#include <string.h>

static double
linear (int v)
{
  double c = v / 255.0;
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static double
cie_f (double t)
{
  return t > 216.0 / 24389 ? cbrt (t) : (24389.0 / 27 * t + 16) / 116;
}

/* The formulas as the standards print them. */
static void
exact_lab (uint32_t pixel, double lab[3])
{
  double r = linear (FS_PIXEL_R (pixel)), g = linear (FS_PIXEL_G (pixel));
  double b = linear (FS_PIXEL_B (pixel));
  double x = cie_f ((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.950470);
  double y = cie_f (0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  double z = cie_f ((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.088830);
  lab[0] = 116 * y - 16;
  lab[1] = 500 * (x - y);
  lab[2] = 200 * (y - z);
}

static void
test_against_formulas (void)
{
  for (uint32_t i = 0; i < 52 * 52 * 52; i++) {
    uint32_t pixel = FS_PIXEL (255, i % 52 * 5, i / 52 % 52 * 5, i / (52 * 52) * 5);
    double exact[3];
    exact_lab (pixel, exact);
    FsLab lab;
    fs_lab_from_pixels (&pixel, 1, &lab);
    g_assert_cmpfloat (fabs (exact[0] * FS_LAB_UNIT - lab.l), <, 0.7);
    g_assert_cmpfloat (fabs (exact[1] * FS_LAB_UNIT - lab.a), <, 1.5);
    g_assert_cmpfloat (fabs (exact[2] * FS_LAB_UNIT - lab.b), <, 1.0);
    g_assert_true (ABS (lab.a) <= FS_LAB_AB_MAX && ABS (lab.b) <= FS_LAB_AB_MAX);
  }
}

static void
test_greys (void)
{
  int before = -1;
  for (uint32_t v = 0; v < 256; v++) {
    uint32_t pixel = FS_PIXEL (0, v, v, v);
    FsLab lab;
    fs_lab_from_pixels (&pixel, 1, &lab);
    g_assert_cmpint (lab.a, ==, 0);
    g_assert_cmpint (lab.b, ==, 0);
    g_assert_cmpint (lab.l, >, before);
    before = lab.l;
  }
  g_assert_cmpint (before, ==, FS_LAB_L_MAX);
}

/* The same bits everywhere: a sum over many colours, written down once. */
static void
test_bits (void)
{
  uint64_t hash = 0;
  for (uint32_t i = 0; i < 1 << 18; i++) {
    uint32_t pixel = i * 64 + i % 61;
    FsLab lab;
    fs_lab_from_pixels (&pixel, 1, &lab);
    hash = hash * 1000003 + (uint16_t)lab.l * 65537u + (uint16_t)lab.a * 257u + (uint16_t)lab.b;
  }
  g_assert_cmphex (hash, ==, 0x836defc17d5f8293);
}

/* Any number of pixels, and not one number beyond them. */
static void
test_channels (void)
{
  enum { MOST = 40 };
  uint32_t pixels[MOST];
  for (uint32_t i = 0; i < MOST; i++)
    pixels[i] = i * 0x9e3779b1u;
  for (size_t n = 0; n < MOST; n++) {
    int16_t channels[3][MOST];
    memset (channels, 0x55, sizeof channels);
    fs_lab_channels_from_pixels (pixels, n, channels[0], channels[1], channels[2]);
    for (size_t i = 0; i < n; i++) {
      FsLab lab;
      fs_lab_from_pixels (&pixels[i], 1, &lab);
      g_assert_cmpint (channels[0][i], ==, lab.l);
      g_assert_cmpint (channels[1][i], ==, lab.a);
      g_assert_cmpint (channels[2][i], ==, lab.b);
    }
    for (int k = 0; k < 3; k++)
      g_assert_cmpint (channels[k][n], ==, 0x5555);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/against-formulas", test_against_formulas);
  g_test_add_func ("/lab/greys", test_greys);
  g_test_add_func ("/lab/bits", test_bits);
  g_test_add_func ("/lab/channels", test_channels);
  return g_test_run ();
}
