/* SPDX-License-Identifier: MIT */
/* The yardsticks of edges: errors of alpha by hand, closed form and foreground of known mixtures.
 */
#include "tests/quality/edges/alpha_scores.h"
#include "tests/quality/edges/closed_form.h"
#include "tests/quality/edges/foreground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { W = 40, H = 30, N = W * H };

static void
measures_nothing_where_equal (void)
{
  uint8_t alpha[N], unknown[N];
  memset (unknown, 1, N);
  for (int p = 0; p < N; p++)
    alpha[p] = (uint8_t)(p * 7);
  const AlphaScores scores = alpha_scores (alpha, alpha, unknown, W, H);
  g_assert_cmpfloat (scores.sad, ==, 0);
  g_assert_cmpfloat (scores.mse, ==, 0);
  g_assert_cmpfloat (scores.gradient, ==, 0);
  g_assert_cmpfloat (scores.connectivity, ==, 0);
}

/* A pixel of alpha 0.8 that is not connected to the object. */
static void
measures_by_definition (void)
{
  uint8_t alpha[N] = { 0 }, truth[N] = { 0 }, unknown[N] = { 0 };
  for (int p = 0; p < N; p++)
    if (p % W < 10)
      alpha[p] = truth[p] = 255;
  const int lonely = 15 * W + 25;
  alpha[lonely] = 204;
  unknown[lonely] = unknown[lonely + 1] = 1;
  const AlphaScores scores = alpha_scores (alpha, truth, unknown, W, H);
  g_assert_cmpfloat (fabs (scores.sad - 0.8 / 1000), <, 1e-9);
  g_assert_cmpfloat (fabs (scores.mse - 1000 * 0.64 / 2), <, 1e-9);
  g_assert_cmpfloat (fabs (scores.connectivity - 0.8 / 1000), <, 1e-9);
  g_assert_cmpfloat (scores.gradient, >, 0);
}

/* The filter has unit norm, so a step answers with the sum of its half. */
static void
measures_gradients (void)
{
  uint8_t alpha[N], truth[N] = { 0 }, unknown[N] = { 0 };
  double smooth[9], slope[9], norm2 = 0, sum = 0, half = 0;
  for (int p = 0; p < N; p++)
    alpha[p] = p % W < 20 ? 255 : 0;
  unknown[15 * W + 20] = 1;
  for (int i = -4; i <= 4; i++) {
    smooth[i + 4] = exp (-i * i / 3.92) / (1.4 * sqrt (2 * G_PI));
    slope[i + 4] = -i * smooth[i + 4] / 1.96;
  }
  for (int i = 0; i < 9; i++) {
    sum += smooth[i];
    half += i < 4 ? slope[i] : 0;
    for (int j = 0; j < 9; j++)
      norm2 += pow (smooth[i] * slope[j], 2);
  }
  const AlphaScores scores = alpha_scores (alpha, truth, unknown, W, H);
  g_assert_cmpfloat (fabs (scores.gradient - pow (half * sum, 2) / norm2 / 1000), <, 1e-6);
}

/* Two flat colours that pass into each other: both are linear in the colours. */
static FsImage *
make_ramp (uint8_t *truth, uint8_t *trimap)
{
  FsImage *image = fs_image_new (W, H);
  for (int p = 0; p < N; p++) {
    const double alpha = CLAMP ((p % W - 9.5) / 20, 0, 1);
    truth[p] = (uint8_t)(255 * alpha + 0.5);
    trimap[p] = alpha <= 0 ? 0 : alpha >= 1 ? 255 : 128;
    image->pixels[p] =
        FS_PIXEL (255, (uint8_t)(40 + 180 * alpha + 0.5), (uint8_t)(200 - 90 * alpha + 0.5), 77);
  }
  return image;
}

static void
finds_a_ramp (void)
{
  uint8_t truth[N], trimap[N], alpha[N];
  g_autoptr (FsImage) image = make_ramp (truth, trimap);
  closed_form_alpha (image, trimap, alpha);
  for (int p = 0; p < N; p++)
    g_assert_cmpint (abs (alpha[p] - truth[p]), <=, 3);
}

static void
finds_the_foreground (void)
{
  uint8_t truth[N], trimap[N];
  g_autoptr (FsImage) image = make_ramp (truth, trimap);
  g_autofree float *object = foreground_estimate (image, truth);
  for (int p = 0; p < N; p++)
    if (truth[p] > 25) {
      g_assert_cmpfloat (fabs ((double)object[3 * p] * 255 - 220), <, 12);
      g_assert_cmpfloat (fabs ((double)object[3 * p + 1] * 255 - 110), <, 12);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edges/measures-nothing-where-equal", measures_nothing_where_equal);
  g_test_add_func ("/edges/measures-by-definition", measures_by_definition);
  g_test_add_func ("/edges/measures-gradients", measures_gradients);
  g_test_add_func ("/edges/finds-a-ramp", finds_a_ramp);
  g_test_add_func ("/edges/finds-the-foreground", finds_the_foreground);
  return g_test_run ();
}
