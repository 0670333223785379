/* SPDX-License-Identifier: MIT */
#include "tests/quality/edges/closed_form.h"

#include <math.h>
#include <string.h>

enum { SIDE = 5, LINKS = SIDE * SIDE, UNKNOWN = 128, MAX_ITERATIONS = 2000 };
#define TOLERANCE 1e-4

typedef struct {
  const FsImage *image;
  const uint8_t *trimap;
  int w, h, n;
  int *number, *pixel; /* of an unknown pixel among these, or −1; and back */
  double *row;         /* [n · LINKS] */
  int *neighbour;      /* [n · LINKS] numbers; n where there is none */
  double *right;       /* [n] */
} System;

static double
channel (const FsImage *image, int p, int k)
{
  return (image->pixels[p] >> (16 - 8 * k) & 0xff) / 255.0;
}

static void
invert (double m[3][3])
{
  double inverse[3][3];
  const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                             - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                             + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[i][j] = (m[a][c] * m[b][d] - m[a][d] * m[b][c]) / determinant;
    }
  memcpy (m, inverse, sizeof inverse);
}

/* The affinity of two pixels of a window, whose colours less the mean are d. */
static double
affinity (double m[3][3], double d[9][3], int i, int j)
{
  double sum = 1;
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      sum += d[i][k] * m[k][l] * d[j][l];
  return sum / 9;
}

static void
add_window (System *system, int x, int y)
{
  double d[9][3], m[3][3], mean[3] = { 0 };
  int p[9];
  for (int i = 0; i < 9; i++)
    p[i] = (y - 1 + i / 3) * system->w + x - 1 + i % 3;
  for (int i = 0; i < 9; i++)
    for (int k = 0; k < 3; k++)
      mean[k] += channel (system->image, p[i], k) / 9;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 9; i++)
      d[i][k] = channel (system->image, p[i], k) - mean[k];
    for (int l = 0; l <= k; l++) {
      double sum = k == l ? 1e-7 / 9 : 0;
      for (int i = 0; i < 9; i++)
        sum += d[i][k] * d[i][l] / 9;
      m[k][l] = m[l][k] = sum;
    }
  }
  invert (m);
  for (int i = 0; i < 9; i++) {
    const int u = system->number[p[i]];
    for (int j = 0; j < 9 && u >= 0; j++) {
      const double link = (i == j) - affinity (m, d, i, j);
      const int offset = (j / 3 - i / 3) * SIDE + j % 3 - i % 3;
      system->row[(gsize)u * LINKS + (gsize)(LINKS / 2 + offset)] += link;
      if (system->number[p[j]] < 0)
        system->right[u] -= link * system->trimap[p[j]] / 255;
    }
  }
}

static void
list_neighbours (System *system)
{
  system->neighbour = g_new (int, (gsize)system->n *LINKS);
  for (int u = 0; u < system->n; u++)
    for (int k = 0; k < LINKS; k++) {
      const int x = system->pixel[u] % system->w + k % SIDE - 2,
                y = system->pixel[u] / system->w + k / SIDE - 2;
      const gboolean is_in = x >= 0 && y >= 0 && x < system->w && y < system->h;
      const int v = is_in ? system->number[y * system->w + x] : -1;
      system->neighbour[u * LINKS + k] = v < 0 ? system->n : v;
    }
}

static void
system_init (System *system, const FsImage *image, const uint8_t *trimap)
{
  const int w = image->width, h = image->height;
  *system = (System){ .image = image, .trimap = trimap, .w = w, .h = h };
  system->number = g_new (int, w *h);
  system->pixel = g_new (int, w *h);
  for (int p = 0; p < w * h; p++) {
    system->number[p] = trimap[p] == UNKNOWN ? system->n : -1;
    if (trimap[p] == UNKNOWN)
      system->pixel[system->n++] = p;
  }
  system->row = g_new0 (double, (gsize)system->n *LINKS);
  system->right = g_new0 (double, system->n);
  list_neighbours (system);
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      add_window (system, x, y);
}

static void
system_clear (System *system)
{
  g_free (system->number);
  g_free (system->pixel);
  g_free (system->row);
  g_free (system->neighbour);
  g_free (system->right);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (System, system_clear)

/* `from` has a 0 behind its end. */
static void
multiply (const System *system, const double *from, double *to)
{
  for (int u = 0; u < system->n; u++) {
    const double *row = system->row + (gsize)u * LINKS;
    const int *neighbour = system->neighbour + (gsize)u * LINKS;
    double sum = 0;
    for (int k = 0; k < LINKS; k++)
      sum += row[k] * from[neighbour[k]];
    to[u] = sum;
  }
}

static double
scale_of (const System *system, int u)
{
  const double diagonal = system->row[(gsize)u * LINKS + LINKS / 2];
  return diagonal > 0 ? 1 / diagonal : 1;
}

/* Conjugate gradients, preconditioned by the diagonal, from ½ on. */
static void
solve (const System *system, double *x)
{
  const int n = system->n;
  g_autofree double *residual = g_new (double, n), *direction = g_new0 (double, n + 1),
                    *product = g_new (double, n);
  double first = 0, last = 1;
  for (int u = 0; u < n; u++)
    x[u] = 0.5;
  multiply (system, x, product);
  for (int u = 0; u < n; u++)
    residual[u] = system->right[u] - product[u];
  for (int i = 0; i < MAX_ITERATIONS; i++) {
    double norm2 = 0, curvature = 0;
    for (int u = 0; u < n; u++)
      norm2 += residual[u] * residual[u] * scale_of (system, u);
    first = i == 0 ? norm2 : first;
    if (norm2 <= TOLERANCE * TOLERANCE * first)
      return;
    for (int u = 0; u < n; u++)
      direction[u] = residual[u] * scale_of (system, u) + norm2 / last * direction[u];
    multiply (system, direction, product);
    for (int u = 0; u < n; u++)
      curvature += direction[u] * product[u];
    for (int u = 0; u < n; u++) {
      x[u] += norm2 / curvature * direction[u];
      residual[u] -= norm2 / curvature * product[u];
    }
    last = norm2;
  }
}

void
closed_form_alpha (const FsImage *image, const uint8_t *trimap, uint8_t *alpha)
{
  g_auto (System) system = { 0 };
  system_init (&system, image, trimap);
  g_autofree double *x = g_new0 (double, system.n + 1);
  solve (&system, x);
  memcpy (alpha, trimap, (gsize)system.w * (gsize)system.h);
  for (int u = 0; u < system.n; u++)
    alpha[system.pixel[u]] = (uint8_t)(CLAMP (x[u], 0, 1) * 255 + 0.5);
}
