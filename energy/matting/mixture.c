/* SPDX-License-Identifier: MIT */
#include "energy/matting/mixture.h"

#include "energy/matting/colour_tree.h"
#include "energy/matting/embedding.h"
#include "energy/matting/trimap.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { K = FS_MIXTURE_K, N_LEAVES = 32, NO_NUMBER = G_MAXUINT32 };
/* Neighbours lie within this distance, in rows and columns, of unknown pixels. */
enum { RADIUS_PX = 20 };
/* The photo's longer side is worth this many times the range of a channel. */
#define PLACE  0.03
#define WEIGHT 0.03
/* Nanoseconds a pixel of searching, and of multiplying. */
enum { SEARCH_NS = 400, MULTIPLY_NS = 8 };

/* ---- Memory ---- */

static gboolean
allocate (FsMixture *mixture)
{
  const size_t n = mixture->zone->n_unknown;
  mixture->place = fs_memory_new (n * K, sizeof *mixture->place);
  mixture->weight = fs_memory_new (n * K, sizeof *mixture->weight);
  mixture->known = fs_memory_new (n, sizeof *mixture->known);
  mixture->user = fs_memory_new (n * K, sizeof *mixture->user);
  mixture->first_user = fs_memory_new (n + 1, sizeof *mixture->first_user);
  mixture->residual = fs_memory_new (n, sizeof *mixture->residual);
  return mixture->place && mixture->weight && mixture->known && mixture->user && mixture->first_user
         && mixture->residual;
}

void
fs_mixture_clear (FsMixture *mixture)
{
  fs_memory_free (mixture->place);
  fs_memory_free (mixture->weight);
  fs_memory_free (mixture->known);
  fs_memory_free (mixture->user);
  fs_memory_free (mixture->first_user);
  fs_memory_free (mixture->residual);
  *mixture = (FsMixture){ 0 };
}

/* ---- Neighbours ---- */

/* Marks what lies near a run. */
static void
mark_near (const FsZone *zone, uint8_t *is_near)
{
  for (uint32_t k = 0; k < zone->n_runs; k++) {
    const FsZoneRun *run = &zone->run[k];
    const int x0 = MAX (run->x - RADIUS_PX, 0), x1 = MIN (run->x + run->n + RADIUS_PX, zone->width);
    for (int y = MAX (run->y - RADIUS_PX, 0); y < MIN (run->y + RADIUS_PX + 1, zone->height); y++)
      memset (is_near + fs_zone_pixel (zone, x0, y), 1, (size_t)(x1 - x0));
  }
}

typedef struct {
  FsMixture *mixture;
  const FsColourTree *tree;
  float place;
} Filling;

static void
mix_pixel (const Filling *filling, int x, int y, uint32_t u, FsColourNeighbours *found)
{
  FsMixture *mixture = filling->mixture;
  const FsZone *zone = mixture->zone;
  const FsColourPoint query = fs_colour_point (zone, x, y, filling->place);
  double z[K][3], weight[K];
  fs_colour_tree_search (filling->tree, &query, K, N_LEAVES, found);
  for (int k = 0; k < found->n; k++)
    for (int c = 0; c < 3; c++)
      z[k][c] = (double)filling->tree->point[found->point[k]].at[c] - (double)query.at[c];
  fs_embedding_weights (z, found->n, weight);
  mixture->known[u] = 0;
  for (int k = 0; k < K; k++) {
    const uint32_t pixel = k < found->n ? filling->tree->point[found->point[k]].pixel : 0;
    const uint32_t width = (uint32_t)zone->width;
    mixture->place[u * K + (uint32_t)k] =
        (uint32_t)fs_zone_place (zone, (int)(pixel % width), (int)(pixel / width));
    mixture->weight[u * K + (uint32_t)k] = k < found->n ? (float)weight[k] : 0;
    if (k < found->n && zone->label[pixel] == FS_TRIMAP_OBJECT)
      mixture->known[u] += (double)(float)weight[k];
  }
}

static void
mix_run (const FsZone *zone, const FsZoneRun *run, gpointer data)
{
  FsColourNeighbours found = { 0 };
  (void)zone;
  for (int i = 0; i < run->n; i++)
    mix_pixel (data, run->x + i, run->y, run->first + (uint32_t)i, &found);
}

static gboolean
find_neighbours (FsMixture *mixture)
{
  const FsZone *zone = mixture->zone;
  const size_t n = (size_t)zone->width * (size_t)zone->height;
  const float place = (float)(PLACE * 255 / MAX (zone->image->width, zone->image->height));
  uint8_t *is_near = fs_memory_new (n, 1);
  g_auto (FsColourTree) tree = { 0 };
  if (is_near == NULL)
    return FALSE;
  memset (is_near, 0, n);
  mark_near (zone, is_near);
  const gboolean is_made = fs_colour_tree_init (&tree, zone, is_near, 1, place);
  fs_memory_free (is_near);
  Filling filling = { mixture, &tree, place };
  if (is_made)
    fs_zone_run_each (zone, SEARCH_NS, mix_run, &filling);
  return is_made;
}

/* ---- Transpose ---- */

static void
number_places (const FsZone *zone, uint32_t *number)
{
  memset (number, 0xff, fs_zone_plane_size (zone) * sizeof *number);
  for (uint32_t k = 0; k < zone->n_runs; k++) {
    const FsZoneRun *run = &zone->run[k];
    uint32_t *to = number + fs_zone_place (zone, run->x, run->y);
    for (int i = 0; i < run->n; i++)
      to[i] = run->first + (uint32_t)i;
  }
}

/* Sorts the weights by the unknown pixel that they belong to: counted, added up, placed. */
static gboolean
transpose (FsMixture *mixture)
{
  const FsZone *zone = mixture->zone;
  const uint32_t n = zone->n_unknown;
  uint32_t *first = mixture->first_user;
  uint32_t *number = fs_memory_new (fs_zone_plane_size (zone), sizeof *number);
  if (number == NULL)
    return FALSE;
  number_places (zone, number);
  memset (first, 0, (n + 1) * sizeof *first);
  for (uint32_t i = 0; i < n * K; i++)
    if (number[mixture->place[i]] != NO_NUMBER)
      first[number[mixture->place[i]] + 1]++;
  for (uint32_t u = 0; u < n; u++)
    first[u + 1] += first[u];
  const uint32_t n_users = first[n];
  for (uint32_t i = n * K; i-- > 0;)
    if (number[mixture->place[i]] != NO_NUMBER)
      mixture->user[--first[number[mixture->place[i]] + 1]] =
          (FsMixtureUser){ i / K, mixture->weight[i] };
  memmove (first, first + 1, n * sizeof *first);
  first[n] = n_users;
  fs_memory_free (number);
  return TRUE;
}

gboolean
fs_mixture_init (FsMixture *mixture, const FsZone *zone)
{
  *mixture = (FsMixture){ .zone = zone };
  if (!allocate (mixture) || !find_neighbours (mixture))
    return FALSE;
  return fs_progress_is_cancelled (zone->progress) || transpose (mixture);
}

/* ---- Multiplication ---- */

typedef struct {
  FsMixture *mixture;
  const double *plane;
} Plane;

static void
set_block (const FsZone *zone, uint32_t block, gpointer data)
{
  const Plane *plane = data;
  FsMixture *mixture = plane->mixture;
  for (uint32_t r = zone->block[block]; r < zone->block[block + 1]; r++) {
    const FsZoneRun *run = &zone->run[r];
    const double *own = plane->plane + fs_zone_place (zone, run->x, run->y);
    for (int i = 0; i < run->n; i++) {
      const uint32_t u = run->first + (uint32_t)i;
      double residual = own[i];
      for (uint32_t k = u * K; k < (u + 1) * K; k++)
        residual -= (double)mixture->weight[k] * plane->plane[mixture->place[k]];
      mixture->residual[u] = residual;
    }
  }
}

void
fs_mixture_set_residual (FsMixture *mixture, const double *plane)
{
  Plane data = { mixture, plane };
  fs_zone_run_blocks (mixture->zone, MULTIPLY_NS, set_block, &data);
}

double
fs_mixture_product (const FsMixture *mixture, uint32_t pixel)
{
  double product = mixture->residual[pixel];
  for (uint32_t i = mixture->first_user[pixel]; i < mixture->first_user[pixel + 1]; i++) {
    const FsMixtureUser *user = &mixture->user[i];
    product -= (double)user->weight * mixture->residual[user->row];
  }
  return WEIGHT * product;
}

void
fs_mixture_add_right (FsMixture *mixture, double *right)
{
  const uint32_t n = mixture->zone->n_unknown;
  memcpy (mixture->residual, mixture->known, n * sizeof *mixture->residual);
  for (uint32_t u = 0; u < n; u++)
    right[u] += fs_mixture_product (mixture, u);
}

double
fs_mixture_diagonal (const FsMixture *mixture, uint32_t pixel)
{
  double sum = 1;
  for (uint32_t i = mixture->first_user[pixel]; i < mixture->first_user[pixel + 1]; i++) {
    const double weight = (double)mixture->user[i].weight;
    sum += weight * weight;
  }
  return WEIGHT * sum;
}
