/* SPDX-License-Identifier: MIT */
#include "tests/energy/matting/dense_matting.h"

#include "energy/matting/matting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIM_RADIUS = 9, K = 7, MIXTURE_K = 4, MIXTURE_RADIUS = 20 };

typedef struct {
  const FsImage *image;
  int w, n;
  uint8_t *label;
  double *matrix, *right; /* [n · n], [n] */
} Dense;

static double
channel (const Dense *dense, int p, int k)
{
  return (dense->image->pixels[p] >> (16 - 8 * k) & 0xff) / 255.0;
}

/* Gauss's elimination with pivots; the solution replaces b. */
static void
eliminate (double *a, double *b, int n)
{
  for (int i = 0; i < n; i++) {
    int pivot = i;
    for (int j = i + 1; j < n; j++)
      if (fabs (a[j * n + i]) > fabs (a[pivot * n + i]))
        pivot = j;
    for (int k = 0; k < n; k++) {
      const double kept = a[i * n + k];
      a[i * n + k] = a[pivot * n + k];
      a[pivot * n + k] = kept;
    }
    const double kept = b[i];
    b[i] = b[pivot];
    b[pivot] = kept;
    for (int j = 0; j < n; j++) {
      const double factor = j == i ? 0 : a[j * n + i] / a[i * n + i];
      for (int k = i; k < n && factor != 0; k++)
        a[j * n + k] -= factor * a[i * n + k];
      b[j] -= factor * b[i];
    }
  }
  for (int i = 0; i < n; i++)
    b[i] /= a[i * n + i];
}

/* ---- Trimap ---- */

static uint8_t
trimmed (const Dense *dense, const uint8_t *trimap, int p)
{
  uint8_t label = trimap[p];
  double nearest = INFINITY;
  for (int q = 0; q < dense->n && trimap[p] == FS_TRIMAP_UNKNOWN; q++) {
    const double distance = hypot (q % dense->w - p % dense->w, q / dense->w - p / dense->w);
    double colour2 = 0;
    for (int k = 0; k < 3; k++)
      colour2 += pow (255 * (channel (dense, p, k) - channel (dense, q, k)), 2);
    if (trimap[q] != FS_TRIMAP_UNKNOWN && distance <= TRIM_RADIUS && distance < nearest
        && sqrt (colour2) <= 8 * (1 - distance / (TRIM_RADIUS + 1))) {
      nearest = distance;
      label = trimap[q];
    }
  }
  return label;
}

/* ---- Laplacian ---- */

/* Of the pixels q of a window: the residual of alpha's best line is alpha less H · alpha, with
 * H = C (CᵀC + ridge)⁻¹ Cᵀ of the rows C of colours and 1. */
static void
add_window (Dense *dense, const int *q, int n)
{
  double gram[16];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x[4];
      memset (gram, 0, sizeof gram);
      for (int m = 0; m < n; m++)
        for (int k = 0; k < 4; k++)
          for (int l = 0; l < 4; l++)
            gram[4 * k + l] +=
                (k < 3 ? channel (dense, q[m], k) : 1) * (l < 3 ? channel (dense, q[m], l) : 1);
      for (int k = 0; k < 4; k++) {
        gram[5 * k] += k < 3 ? 1e-7 : 0;
        x[k] = k < 3 ? channel (dense, q[j], k) : 1;
      }
      eliminate (gram, x, 4);
      double smoothed = x[3];
      for (int k = 0; k < 3; k++)
        smoothed += x[k] * channel (dense, q[i], k);
      dense->matrix[q[i] * dense->n + q[j]] += (i == j) - smoothed;
    }
}

static void
add_windows (Dense *dense)
{
  const int h = dense->n / dense->w;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < dense->w; x++) {
      int q[9], n = 0;
      for (int j = MAX (y - 1, 0); j < MIN (y + 2, h); j++)
        for (int i = MAX (x - 1, 0); i < MIN (x + 2, dense->w); i++)
          q[n++] = j * dense->w + i;
      add_window (dense, q, n);
    }
}

/* ---- Estimates ---- */

/* Appends the k nearest of the pixels but p that `is_in` has as `value`. A photo's side counts as
 * `place` channels. */
static int
find_nearest (const Dense *dense, int p, const uint8_t *is_in, uint8_t value, double place, int k,
              int *found)
{
  const double scale = place / MAX (dense->w, dense->n / dense->w);
  double distance2[K];
  int n = 0;
  for (int q = 0; q < dense->n; q++) {
    if (is_in[q] != value || q == p)
      continue;
    double d2 = pow (scale * (q % dense->w - p % dense->w), 2)
                + pow (scale * (q / dense->w - p / dense->w), 2);
    for (int c = 0; c < 3; c++)
      d2 += pow (channel (dense, q, c) - channel (dense, p, c), 2);
    int at = n < k ? n++ : k;
    for (; at > 0 && distance2[at - 1] > d2; at--)
      if (at < k) {
        distance2[at] = distance2[at - 1];
        found[at] = found[at - 1];
      }
    if (at < k) {
      distance2[at] = d2;
      found[at] = q;
    }
  }
  return n;
}

/* Weights by the Gram matrix of the differences, with the same ridge. */
static void
embed (const Dense *dense, int p, const int *q, int n, double *weight)
{
  double gram[4 * K * K], all = 0;
  for (int i = 0; i < n; i++) {
    weight[i] = 1;
    for (int j = 0; j < n; j++) {
      gram[i * n + j] = i == j ? 1e-3 : 0;
      for (int k = 0; k < 3; k++)
        gram[i * n + j] += (channel (dense, q[i], k) - channel (dense, p, k))
                           * (channel (dense, q[j], k) - channel (dense, p, k));
    }
  }
  eliminate (gram, weight, n);
  for (int i = 0; i < n; i++)
    all += weight[i];
  for (int i = 0; i < n; i++)
    weight[i] /= all;
}

static void
add_estimate (Dense *dense, int p)
{
  int q[2 * K];
  double contrast2 = 0, weights[2 * K], alpha = 0;
  const int n_object = find_nearest (dense, p, dense->label, FS_TRIMAP_OBJECT, 2.5, K, q);
  const int n =
      n_object + find_nearest (dense, p, dense->label, FS_TRIMAP_BACKGROUND, 2.5, K, q + n_object);
  embed (dense, p, q, n, weights);
  for (int i = 0; i < n_object; i++)
    alpha += weights[i];
  for (int k = 0; k < 3; k++) {
    double difference = 0;
    for (int i = 0; i < n; i++)
      difference += channel (dense, q[i], k) / (i < n_object ? n_object : n_object - n);
    contrast2 += difference * difference / 3;
  }
  const double weight = 0.05 * contrast2 + 1e-7;
  dense->matrix[p * (dense->n + 1)] += weight;
  dense->right[p] += weight * CLAMP (alpha, 0, 1);
}

/* ---- Mixtures ---- */

static gboolean
is_near_unknown (const Dense *dense, int p)
{
  for (int q = 0; q < dense->n; q++)
    if (dense->label[q] == FS_TRIMAP_UNKNOWN && abs (q % dense->w - p % dense->w) <= MIXTURE_RADIUS
        && abs (q / dense->w - p / dense->w) <= MIXTURE_RADIUS)
      return TRUE;
  return FALSE;
}

/* 0.03 · (α_p − Σ w α)² */
static void
add_mixture (Dense *dense, int p, const uint8_t *is_near)
{
  int q[MIXTURE_K + 1];
  double weight[MIXTURE_K + 1];
  const int n = find_nearest (dense, p, is_near, TRUE, 0.03, MIXTURE_K, q);
  embed (dense, p, q, n, weight);
  q[n] = p;
  weight[n] = -1;
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++)
      dense->matrix[q[i] * dense->n + q[j]] += 0.03 * weight[i] * weight[j];
}

/* ---- All of it ---- */

/* Rows of known pixels say what they are. */
static void
fix (Dense *dense, int p)
{
  memset (dense->matrix + p * dense->n, 0, (gsize)dense->n * sizeof *dense->matrix);
  dense->matrix[p * (dense->n + 1)] = 1;
  dense->right[p] = dense->label[p] / 255.0;
}

double *
dense_matting (const FsImage *image, const uint8_t *trimap)
{
  const int n = image->width * image->height;
  g_autofree uint8_t *label = g_malloc ((gsize)n), *is_near = g_malloc ((gsize)n);
  g_autofree double *matrix = g_new0 (double, n *n);
  Dense dense = { image, image->width, n, label, matrix, g_new0 (double, n) };
  for (int p = 0; p < n; p++)
    label[p] = trimmed (&dense, trimap, p);
  add_windows (&dense);
  for (int p = 0; p < n; p++)
    is_near[p] = is_near_unknown (&dense, p);
  for (int p = 0; p < n; p++)
    if (label[p] == FS_TRIMAP_UNKNOWN) {
      add_estimate (&dense, p);
      add_mixture (&dense, p, is_near);
    }
  for (int p = 0; p < n; p++)
    if (label[p] != FS_TRIMAP_UNKNOWN)
      fix (&dense, p);
  eliminate (matrix, dense.right, n);
  for (int p = 0; p < n; p++)
    if (label[p] == FS_TRIMAP_UNKNOWN)
      dense.right[p] = CLAMP ((dense.right[p] - 0.03) / 0.94, 0, 1);
  return dense.right;
}
