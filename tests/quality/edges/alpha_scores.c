/* SPDX-License-Identifier: MIT */
#include "tests/quality/edges/alpha_scores.h"

#include "energy/image/components.h"

#include <math.h>
#include <string.h>

/* The Gaussian's derivative falls below 1 % of its scale within so many pixels of σ = 1.4. */
enum { RADIUS = 4, STEPS = 10 };
#define SIGMA 1.4

typedef struct {
  double smooth[2 * RADIUS + 1], slope[2 * RADIUS + 1];
} Kernel;

static void
fill_kernel (Kernel *kernel)
{
  double norm2 = 0;
  for (int i = -RADIUS; i <= RADIUS; i++) {
    const double g = exp (-i * i / (2 * SIGMA * SIGMA)) / (SIGMA * sqrt (2 * G_PI));
    kernel->smooth[i + RADIUS] = g;
    kernel->slope[i + RADIUS] = -i * g / (SIGMA * SIGMA);
  }
  for (int i = 0; i <= 2 * RADIUS; i++)
    for (int j = 0; j <= 2 * RADIUS; j++)
      norm2 += pow (kernel->smooth[i] * kernel->slope[j], 2);
  for (int i = 0; i <= 2 * RADIUS; i++)
    kernel->slope[i] /= sqrt (norm2);
}

/* Edge pixels are repeated beyond the photo. */
static double *
convolve (const double *plane, const double *along_x, const double *along_y, int w, int h)
{
  g_autofree double *rows = g_new (double, (gsize)w *(gsize)h);
  double *both = g_new (double, (gsize)w *(gsize)h);
  for (int p = 0; p < w * h; p++) {
    rows[p] = 0;
    for (int i = -RADIUS; i <= RADIUS; i++)
      rows[p] += along_x[i + RADIUS] * plane[p - p % w + CLAMP (p % w + i, 0, w - 1)];
  }
  for (int p = 0; p < w * h; p++) {
    both[p] = 0;
    for (int i = -RADIUS; i <= RADIUS; i++)
      both[p] += along_y[i + RADIUS] * rows[CLAMP (p / w + i, 0, h - 1) * w + p % w];
  }
  return both;
}

static double *
gradient_of (const uint8_t *alpha, int w, int h)
{
  const int n = w * h;
  double *plane = g_new (double, n);
  Kernel kernel;
  fill_kernel (&kernel);
  for (int p = 0; p < n; p++)
    plane[p] = alpha[p] / 255.0;
  g_autofree double *x = convolve (plane, kernel.slope, kernel.smooth, w, h);
  g_autofree double *y = convolve (plane, kernel.smooth, kernel.slope, w, h);
  for (int p = 0; p < n; p++)
    plane[p] = hypot (x[p], y[p]);
  return plane;
}

/* Marks the largest component of 4-connected pixels where both alphas are at least `level`. */
static void
mark_largest (FsComponents *components, const uint8_t *alpha, const uint8_t *truth, double level)
{
  const guint n = (guint)(components->width * components->height);
  uint32_t largest = 0;
  guint n_largest = 0;
  for (guint p = 0; p < n; p++)
    components->marks[p] = alpha[p] >= 255 * level - 1e-9 && truth[p] >= 255 * level - 1e-9
                               ? FS_CELL_WAITS
                               : FS_CELL_OTHER;
  for (guint p = 0; p < n; p++)
    if (fs_components_collect (components, p)) {
      if (components->cells->len > n_largest) {
        n_largest = components->cells->len;
        largest = p;
      }
      fs_components_mark (components, FS_CELL_OTHER + FS_CELL_IN_COMPONENT + 1);
    }
  for (guint p = 0; p < n; p++)
    components->marks[p] = components->marks[p] == FS_CELL_OTHER ? FS_CELL_OTHER : FS_CELL_WAITS;
  if (n_largest > 0)
    fs_components_collect (components, largest);
}

/* Threshold up to which each pixel is connected to the largest component. */
static double *
connected_levels (const uint8_t *alpha, const uint8_t *truth, int w, int h)
{
  g_auto (FsComponents) components = { 0 };
  const int n = w * h;
  double *level = g_new (double, n);
  fs_components_init (&components, w, h);
  for (int p = 0; p < n; p++)
    level[p] = -1;
  for (int step = 1; step <= STEPS; step++) {
    mark_largest (&components, alpha, truth, (double)step / STEPS);
    for (int p = 0; p < n; p++)
      if (level[p] < 0 && components.marks[p] != FS_CELL_IN_COMPONENT)
        level[p] = (double)(step - 1) / STEPS;
  }
  for (int p = 0; p < n; p++)
    level[p] = level[p] < 0 ? 1 : level[p];
  return level;
}

static double
connectedness (double alpha, double level)
{
  const double missing = alpha - level;
  return 1 - (missing >= 0.15 ? missing : 0);
}

AlphaScores
alpha_scores (const uint8_t *alpha, const uint8_t *truth, const uint8_t *unknown, int width,
              int height)
{
  g_autofree double *gradient = gradient_of (alpha, width, height);
  g_autofree double *true_gradient = gradient_of (truth, width, height);
  g_autofree double *level = connected_levels (alpha, truth, width, height);
  AlphaScores scores = { 0 };
  int n = 0;
  for (int p = 0; p < width * height; p++) {
    if (!unknown[p])
      continue;
    const double a = alpha[p] / 255.0, b = truth[p] / 255.0;
    n++;
    scores.sad += fabs (a - b) / 1000;
    scores.mse += (a - b) * (a - b) * 1000;
    scores.gradient += pow (gradient[p] - true_gradient[p], 2) / 1000;
    scores.connectivity += fabs (connectedness (a, level[p]) - connectedness (b, level[p])) / 1000;
  }
  scores.mse /= MAX (n, 1);
  return scores;
}
