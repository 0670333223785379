/* SPDX-License-Identifier: MIT */
#include "energy/matting/estimate.h"

#include "energy/matting/colour_tree.h"
#include "energy/matting/trimap.h"

#include <math.h>

/* Neighbours of each side, and the leaves that are searched for them. */
enum { K = 7, N_LEAVES = 200 };
/* The photo's longer side is worth this many times the range of a channel. */
#define PLACE 2.5
/* Ridge of the embedding, for channels from 0 to 255. */
#define REGULARISATION (1e-3 * 255 * 255)
/* The weight of an estimate between black and white; and the least, which keeps the system
 * definite. */
#define WEIGHT     0.05
#define MIN_WEIGHT 1e-7

typedef struct {
  FsMattingSystem *system;
  FsColourTree object, background;
  float place;
} Estimate;

static void
estimate_clear (Estimate *estimate)
{
  fs_colour_tree_clear (&estimate->object);
  fs_colour_tree_clear (&estimate->background);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Estimate, estimate_clear)

/* x of a symmetric, positive definite a · x = b, by Cramer's rule. */
static void
solve_three (const double a[6], const double b[3], double x[3])
{
  const double c0 = a[3] * a[5] - a[4] * a[4], c1 = a[2] * a[4] - a[1] * a[5],
               c2 = a[1] * a[4] - a[2] * a[3], c3 = a[0] * a[5] - a[2] * a[2],
               c4 = a[1] * a[2] - a[0] * a[4], c5 = a[0] * a[3] - a[1] * a[1];
  const double determinant = a[0] * c0 + a[1] * c1 + a[2] * c2;
  x[0] = (c0 * b[0] + c1 * b[1] + c2 * b[2]) / determinant;
  x[1] = (c1 * b[0] + c3 * b[1] + c4 * b[2]) / determinant;
  x[2] = (c2 * b[0] + c4 * b[1] + c5 * b[2]) / determinant;
}

/* Weights w of n differences z to a colour that minimise |Σ w z|² + regularisation · Σ w² among
 * those of sum 1; those of the first `n_object` are added up. By the matrix inversion lemma they
 * are proportional to 1 − zᵀ (Σ z zᵀ + regularisation)⁻¹ Σ z. */
static double
object_fraction (double z[][3], int n_object, int n)
{
  double a[6] = { REGULARISATION, 0, 0, REGULARISATION, 0, REGULARISATION };
  double b[3] = { 0 }, x[3], object = 0, all = 0;
  for (int k = 0; k < n; k++) {
    a[0] += z[k][0] * z[k][0];
    a[1] += z[k][0] * z[k][1];
    a[2] += z[k][0] * z[k][2];
    a[3] += z[k][1] * z[k][1];
    a[4] += z[k][1] * z[k][2];
    a[5] += z[k][2] * z[k][2];
    for (int c = 0; c < 3; c++)
      b[c] += z[k][c];
  }
  solve_three (a, b, x);
  for (int k = 0; k < n; k++) {
    const double weight = 1 - z[k][0] * x[0] - z[k][1] * x[1] - z[k][2] * x[2];
    all += weight;
    object += k < n_object ? weight : 0;
  }
  return CLAMP (object / all, 0, 1);
}

/* Appends the differences of found colours to the query's, and adds up their mean. */
static void
append (const FsColourTree *tree, const FsColourPoint *query, const FsColourNeighbours *found,
        double z[][3], double mean[3])
{
  for (int k = 0; k < found->n; k++)
    for (int c = 0; c < 3; c++) {
      z[k][c] = (double)tree->point[found->point[k]].at[c] - (double)query->at[c];
      mean[c] += z[k][c] / found->n;
    }
}

static void
estimate_pixel (const Estimate *estimate, int x, int y, uint32_t u)
{
  FsMattingSystem *system = estimate->system;
  const FsColourPoint query = fs_colour_point (system->zone, x, y, estimate->place);
  FsColourNeighbours object, background;
  double z[2 * K][3], object_mean[3] = { 0 }, background_mean[3] = { 0 }, contrast2 = 0;
  fs_colour_tree_search (&estimate->object, &query, K, N_LEAVES, &object);
  fs_colour_tree_search (&estimate->background, &query, K, N_LEAVES, &background);
  append (&estimate->object, &query, &object, z, object_mean);
  append (&estimate->background, &query, &background, z + object.n, background_mean);
  for (int c = 0; c < 3; c++) {
    const double difference = (object_mean[c] - background_mean[c]) / 255;
    contrast2 += difference * difference / 3;
  }
  const double weight = WEIGHT * contrast2 + MIN_WEIGHT;
  const double alpha = object_fraction (z, object.n, object.n + background.n);
  system->diagonal[u] += weight;
  system->right[u] += weight * alpha;
  system->alpha[u] = alpha;
}

static void
estimate_run (const FsZone *zone, const FsZoneRun *run, gpointer data)
{
  (void)zone;
  for (int i = 0; i < run->n; i++)
    estimate_pixel (data, run->x + i, run->y, run->first + (uint32_t)i);
}

gboolean
fs_estimate_add (FsMattingSystem *system)
{
  const FsZone *zone = system->zone;
  g_auto (Estimate) estimate = { .system = system };
  estimate.place = (float)(PLACE * 255 / MAX (zone->image->width, zone->image->height));
  if (!fs_colour_tree_init (&estimate.object, zone, zone->label, FS_TRIMAP_OBJECT, estimate.place)
      || !fs_colour_tree_init (&estimate.background, zone, zone->label, FS_TRIMAP_BACKGROUND,
                               estimate.place))
    return FALSE;
  fs_zone_run_each (zone, 1000, estimate_run, &estimate);
  return TRUE;
}
