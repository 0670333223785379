/* SPDX-License-Identifier: MIT */
#include "tests/energy/matting/dense_matting.h"

#include "energy/matting/matting.h"

#include <math.h>
#include <string.h>

enum { TRIM_RADIUS = 9, K = 7 };

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

/* Appends the K nearest pixels of a side to `found`. */
static int
find_nearest (const Dense *dense, int p, uint8_t label, int *found)
{
  const double place = 2.5 / MAX (dense->w, dense->n / dense->w);
  double distance2[K];
  int n = 0;
  for (int q = 0; q < dense->n; q++) {
    if (dense->label[q] != label)
      continue;
    double d2 = pow (place * (q % dense->w - p % dense->w), 2)
                + pow (place * (q / dense->w - p / dense->w), 2);
    for (int k = 0; k < 3; k++)
      d2 += pow (channel (dense, q, k) - channel (dense, p, k), 2);
    int at = n < K ? n++ : K;
    for (; at > 0 && distance2[at - 1] > d2; at--)
      if (at < K) {
        distance2[at] = distance2[at - 1];
        found[at] = found[at - 1];
      }
    if (at < K) {
      distance2[at] = d2;
      found[at] = q;
    }
  }
  return n;
}

/* Weights by the Gram matrix of the differences, with the same regularisation. */
static double
object_fraction (const Dense *dense, int p, const int *q, int n_object, int n)
{
  double gram[4 * K * K], weight[2 * K], object = 0, all = 0;
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
  for (int i = 0; i < n; i++) {
    all += weight[i];
    object += i < n_object ? weight[i] : 0;
  }
  return CLAMP (object / all, 0, 1);
}

static void
add_estimate (Dense *dense, int p)
{
  int q[2 * K];
  double contrast2 = 0;
  const int n_object = find_nearest (dense, p, FS_TRIMAP_OBJECT, q);
  const int n = n_object + find_nearest (dense, p, FS_TRIMAP_BACKGROUND, q + n_object);
  for (int k = 0; k < 3; k++) {
    double difference = 0;
    for (int i = 0; i < n; i++)
      difference += channel (dense, q[i], k) / (i < n_object ? n_object : n_object - n);
    contrast2 += difference * difference / 3;
  }
  const double weight = 0.05 * contrast2 + 1e-7;
  dense->matrix[p * (dense->n + 1)] += weight;
  dense->right[p] += weight * object_fraction (dense, p, q, n_object, n);
}

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
  g_autofree uint8_t *label = g_malloc ((gsize)n);
  g_autofree double *matrix = g_new0 (double, n *n);
  Dense dense = { image, image->width, n, label, matrix, g_new0 (double, n) };
  for (int p = 0; p < n; p++)
    label[p] = trimmed (&dense, trimap, p);
  add_windows (&dense);
  for (int p = 0; p < n; p++)
    if (label[p] == FS_TRIMAP_UNKNOWN)
      add_estimate (&dense, p);
    else
      fix (&dense, p);
  eliminate (matrix, dense.right, n);
  for (int p = 0; p < n; p++)
    if (label[p] == FS_TRIMAP_UNKNOWN)
      dense.right[p] = CLAMP ((dense.right[p] - 0.03) / 0.94, 0, 1);
  return dense.right;
}
