/* SPDX-License-Identifier: MIT */
#include "energy/matting/estimate.h"

#include "energy/matting/colour_tree.h"
#include "energy/matting/embedding.h"
#include "energy/matting/trimap.h"

/* Neighbours of each side, and the leaves that are searched for them. */
enum { K = 7, N_LEAVES = 64 };
/* The photo's longer side is worth this many times the range of a channel. */
#define PLACE 2.5
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
estimate_pixel (const Estimate *estimate, int x, int y, uint32_t u, FsColourNeighbours *object,
                FsColourNeighbours *background)
{
  FsMattingSystem *system = estimate->system;
  const FsColourPoint query = fs_colour_point (system->zone, x, y, estimate->place);
  double z[2 * K][3], object_mean[3] = { 0 }, background_mean[3] = { 0 }, contrast2 = 0;
  double weights[2 * K], alpha = 0;
  fs_colour_tree_search (&estimate->object, &query, K, N_LEAVES, object);
  fs_colour_tree_search (&estimate->background, &query, K, N_LEAVES, background);
  append (&estimate->object, &query, object, z, object_mean);
  append (&estimate->background, &query, background, z + object->n, background_mean);
  for (int c = 0; c < 3; c++) {
    const double difference = (object_mean[c] - background_mean[c]) / 255;
    contrast2 += difference * difference / 3;
  }
  const double weight = WEIGHT * contrast2 + MIN_WEIGHT;
  fs_embedding_weights (z, object->n + background->n, weights);
  for (int k = 0; k < object->n; k++)
    alpha += weights[k];
  alpha = CLAMP (alpha, 0, 1);
  system->diagonal[u] += weight;
  system->right[u] += weight * alpha;
  system->alpha[u] = alpha;
}

static void
estimate_run (const FsZone *zone, const FsZoneRun *run, gpointer data)
{
  FsColourNeighbours object = { 0 }, background = { 0 };
  (void)zone;
  for (int i = 0; i < run->n; i++)
    estimate_pixel (data, run->x + i, run->y, run->first + (uint32_t)i, &object, &background);
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
