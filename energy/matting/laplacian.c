/* SPDX-License-Identifier: MIT */
#include "energy/matting/laplacian.h"

#include "energy/matting/trimap.h"

/* Channels go from 0 to 255 here. */
#define EPSILON (1e-7 * 255 * 255)

typedef struct {
  FsRect rect;   /* of the area */
  double weight; /* 1 / number of pixels */
  double mean[3];
  double inverse[6]; /* of the covariance: rr, rg, rb, gg, gb, bb */
} LinearWindow;

/* n², and n² · covariance, are whole numbers: so windows of one colour have exactly 0. */
static void
invert (const int64_t sum[3], const int64_t product[6], int n, double inverse[6])
{
  static const uint8_t first[6] = { 0, 0, 0, 1, 1, 2 }, second[6] = { 0, 1, 2, 1, 2, 2 };
  double c[6];
  for (int k = 0; k < 6; k++)
    c[k] = (double)(n * product[k] - sum[first[k]] * sum[second[k]]) / (n * n)
           + (first[k] == second[k] ? EPSILON / n : 0);
  inverse[0] = c[3] * c[5] - c[4] * c[4];
  inverse[1] = c[2] * c[4] - c[1] * c[5];
  inverse[2] = c[1] * c[4] - c[2] * c[3];
  inverse[3] = c[0] * c[5] - c[2] * c[2];
  inverse[4] = c[1] * c[2] - c[0] * c[4];
  inverse[5] = c[0] * c[3] - c[1] * c[1];
  const double determinant = c[0] * inverse[0] + c[1] * inverse[1] + c[2] * inverse[2];
  for (int k = 0; k < 6; k++)
    inverse[k] /= determinant;
}

static void
fill_window (const FsZone *zone, int x, int y, LinearWindow *window)
{
  int64_t sum[3] = { 0 }, product[6] = { 0 };
  const FsRect rect = { MAX (x - 1, 0), MAX (y - 1, 0), MIN (x + 2, zone->width),
                        MIN (y + 2, zone->height) };
  const int n = (rect.x1 - rect.x0) * (rect.y1 - rect.y0);
  for (int j = rect.y0; j < rect.y1; j++)
    for (int i = rect.x0; i < rect.x1; i++) {
      const uint32_t colour = fs_zone_colour (zone, i, j);
      const int r = FS_PIXEL_R (colour), g = FS_PIXEL_G (colour), b = FS_PIXEL_B (colour);
      const int products[6] = { r * r, r * g, r * b, g * g, g * b, b * b };
      sum[0] += r;
      sum[1] += g;
      sum[2] += b;
      for (int k = 0; k < 6; k++)
        product[k] += products[k];
    }
  window->rect = rect;
  window->weight = 1.0 / n;
  for (int k = 0; k < 3; k++)
    window->mean[k] = (double)sum[k] / n;
  invert (sum, product, n, window->inverse);
}

/* Adds a window's part of a pixel's row of the matrix, whose middle is at (x, y). */
static void
add_window (const FsZone *zone, const LinearWindow *window, int x, int y,
            double row[FS_SYSTEM_LINKS])
{
  const double *mean = window->mean, *inverse = window->inverse;
  const uint32_t own = fs_zone_colour (zone, x, y);
  const double r = FS_PIXEL_R (own) - mean[0], g = FS_PIXEL_G (own) - mean[1],
               b = FS_PIXEL_B (own) - mean[2];
  const double slope[3] = { inverse[0] * r + inverse[1] * g + inverse[2] * b,
                            inverse[1] * r + inverse[3] * g + inverse[4] * b,
                            inverse[2] * r + inverse[4] * g + inverse[5] * b };
  for (int j = window->rect.y0; j < window->rect.y1; j++)
    for (int i = window->rect.x0; i < window->rect.x1; i++) {
      const uint32_t colour = fs_zone_colour (zone, i, j);
      const double linear = slope[0] * (FS_PIXEL_R (colour) - mean[0])
                            + slope[1] * (FS_PIXEL_G (colour) - mean[1])
                            + slope[2] * (FS_PIXEL_B (colour) - mean[2]);
      row[(j - y + 2) * FS_SYSTEM_SIDE + (i - x + 2)] -= (1 + linear) * window->weight;
    }
}

/* Rows of the Laplacian add up to 0, of rounded links as well. */
static void
store_row (FsMattingSystem *system, int x, int y, uint32_t u, const double row[FS_SYSTEM_LINKS])
{
  const FsZone *zone = system->zone;
  const size_t n = zone->n_unknown;
  double diagonal = 0, right = 0;
  for (int k = 0; k < FS_SYSTEM_LINKS; k++) {
    const int i = x + k % FS_SYSTEM_SIDE - 2, j = y + k / FS_SYSTEM_SIDE - 2;
    const float link = k == FS_SYSTEM_LINKS / 2 ? 0 : (float)row[k];
    system->link[(size_t)k * n + u] = link;
    diagonal -= (double)link;
    if (i >= 0 && j >= 0 && i < zone->width && j < zone->height
        && zone->label[fs_zone_pixel (zone, i, j)] == FS_TRIMAP_OBJECT)
      right -= (double)link;
  }
  system->diagonal[u] = diagonal;
  system->right[u] = right;
}

static void
fill_run (const FsZone *zone, const FsZoneRun *run, gpointer data)
{
  LinearWindow windows[3][FS_ZONE_RUN_MAX + 2];
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < run->n + 2; i++) {
      const int x = run->x - 1 + i, y = run->y - 1 + j;
      if (x >= 0 && y >= 0 && x < zone->width && y < zone->height)
        fill_window (zone, x, y, &windows[j][i]);
      else
        windows[j][i].rect = (FsRect){ 0 };
    }
  for (int k = 0; k < run->n; k++) {
    double row[FS_SYSTEM_LINKS] = { 0 };
    for (int j = 0; j < 3; j++)
      for (int i = k; i < k + 3; i++)
        if (windows[j][i].rect.x1 > 0)
          add_window (zone, &windows[j][i], run->x + k, run->y, row);
    store_row (data, run->x + k, run->y, run->first + (uint32_t)k, row);
  }
}

void
fs_laplacian_fill (FsMattingSystem *system)
{
  fs_zone_run_each (system->zone, 100, fill_run, system);
}
