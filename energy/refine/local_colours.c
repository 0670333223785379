/* SPDX-License-Identifier: MIT */
#include "energy/refine/local_colours.h"
#include "energy/terms/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the diagonal: the side of a tile, 0.0345; how far from the border samples begin; how far
 * from it there is something to add. */
#define TILE_FRACTION   0.0345
#define SAMPLE_FRACTION 0.005
#define ZONE_FRACTION   0.008
/* Added to the variance of L, a and b. */
#define VARIANCE_MIN 1
/* In nats, and their weight. */
#define RATIO_MAX 6
#define WEIGHT    1.5

/* A tile's cells count four times in its own samples. */
enum { SAMPLES_MIN = 4, OWN_WEIGHT = 4 };

enum { N_CHANNELS = 3, N_PRODUCTS = 6 };

/* In units of FS_LAB_UNIT. Products: LL, La, Lb, aa, ab, bb. */
typedef struct {
  int64_t n, sum[N_CHANNELS], product[N_PRODUCTS];
} Moments;

typedef struct {
  double mean[N_CHANNELS], inverse[N_PRODUCTS];
} Gaussian;

typedef struct {
  Gaussian side[2];
  gboolean knows; /* enough samples of both */
} Tile;

struct _FsLocalColours {
  const FsGeodesicLevel *level;
  const int32_t *distance; /* [cells] borrowed */
  int side;                /* of a tile, in cells */
  int width, height;       /* in tiles */
  int32_t beyond, zone;
  Moments (*moments)[2]; /* [tiles] of their own cells */
  Tile *tiles;
};

FsLocalColours *
fs_local_colours_new (const FsGeodesicLevel *level)
{
  g_autoptr (FsLocalColours) colours = g_new0 (FsLocalColours, 1);
  colours->level = level;
  colours->side = MAX (2, (int)floor (TILE_FRACTION * level->diagonal / FS_GEODESIC_UNIT + 0.5));
  colours->width = (level->width + colours->side - 1) / colours->side;
  colours->height = (level->height + colours->side - 1) / colours->side;
  colours->beyond = MAX (FS_GEODESIC_UNIT / 2, (int32_t)floor (SAMPLE_FRACTION * level->diagonal));
  colours->zone = MAX (1, (int32_t)floor (ZONE_FRACTION * level->diagonal));
  size_t n = (size_t)colours->width * (size_t)colours->height;
  colours->moments = g_try_malloc_n (n, sizeof *colours->moments);
  colours->tiles = g_try_new (Tile, n);
  return colours->moments && colours->tiles ? g_steal_pointer (&colours) : NULL;
}

void
fs_local_colours_free (FsLocalColours *colours)
{
  if (!colours)
    return;
  g_free (colours->moments);
  g_free (colours->tiles);
  g_free (colours);
}

/* --- samples --- */

static void
add_cell (Moments *moments, FsLab lab)
{
  const int64_t v[N_CHANNELS] = { lab.l, lab.a, lab.b };
  moments->n++;
  for (int i = 0, k = 0; i < N_CHANNELS; i++) {
    moments->sum[i] += v[i];
    for (int j = i; j < N_CHANNELS; j++)
      moments->product[k++] += v[i] * v[j];
  }
}

static void
collect (FsLocalColours *colours, const uint8_t *side)
{
  const FsGeodesicLevel *level = colours->level;
  size_t n = (size_t)colours->width * (size_t)colours->height;
  memset (colours->moments, 0, n * sizeof *colours->moments);
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      size_t i = (size_t)y * (size_t)level->width + (size_t)x;
      size_t tile =
          (size_t)(y / colours->side) * (size_t)colours->width + (size_t)(x / colours->side);
      if (side[i] <= 1 && colours->distance[i] > colours->beyond)
        add_cell (&colours->moments[tile][side[i]], level->lab[fs_geodesic_cell (level, x, y)]);
    }
}

static void
add_weighted (Moments *sum, const Moments *moments, int weight)
{
  sum->n += weight * moments->n;
  for (int i = 0; i < N_CHANNELS; i++)
    sum->sum[i] += weight * moments->sum[i];
  for (int k = 0; k < N_PRODUCTS; k++)
    sum->product[k] += weight * moments->product[k];
}

/* The moments of a tile and its eight neighbours. */
static Moments
gather (const FsLocalColours *colours, int x, int y, int side)
{
  Moments sum = { 0 };
  for (int j = MAX (y - 1, 0); j <= MIN (y + 1, colours->height - 1); j++)
    for (int i = MAX (x - 1, 0); i <= MIN (x + 1, colours->width - 1); i++)
      add_weighted (&sum, &colours->moments[j * colours->width + i][side],
                    (2 - abs (i - x)) * (2 - abs (j - y)));
  return sum;
}

/* --- Gaussians --- */

static void
invert (Gaussian *gaussian, const double *c)
{
  double *inverse = gaussian->inverse;
  double ll = c[3] * c[5] - c[4] * c[4];
  double la = c[2] * c[4] - c[1] * c[5];
  double lb = c[1] * c[4] - c[2] * c[3];
  double det = c[0] * ll + c[1] * la + c[2] * lb;
  inverse[0] = ll / det;
  inverse[1] = la / det;
  inverse[2] = lb / det;
  inverse[3] = (c[0] * c[5] - c[2] * c[2]) / det;
  inverse[4] = (c[1] * c[2] - c[0] * c[4]) / det;
  inverse[5] = (c[0] * c[3] - c[1] * c[1]) / det;
}

static void
fit_gaussian (Gaussian *gaussian, const Moments *moments)
{
  const double n = (double)moments->n, unit2 = FS_LAB_UNIT * FS_LAB_UNIT;
  double covariance[N_PRODUCTS];
  for (int i = 0; i < N_CHANNELS; i++)
    gaussian->mean[i] = (double)moments->sum[i] / (n * FS_LAB_UNIT);
  for (int i = 0, k = 0; i < N_CHANNELS; i++)
    for (int j = i; j < N_CHANNELS; j++, k++)
      covariance[k] = (double)moments->product[k] / (n * unit2)
                      - gaussian->mean[i] * gaussian->mean[j] + (i == j ? VARIANCE_MIN : 0);
  invert (gaussian, covariance);
}

void
fs_local_colours_learn (FsLocalColours *colours, const uint8_t *side, const int32_t *distance)
{
  colours->distance = distance;
  collect (colours, side);
  for (int y = 0; y < colours->height; y++)
    for (int x = 0; x < colours->width; x++) {
      Tile *tile = &colours->tiles[y * colours->width + x];
      tile->knows = TRUE;
      for (int s = 0; s < 2; s++) {
        Moments moments = gather (colours, x, y, s);
        if (moments.n >= SAMPLES_MIN * OWN_WEIGHT)
          fit_gaussian (&tile->side[s], &moments);
        else
          tile->knows = FALSE;
      }
    }
}

/* --- pixels --- */

typedef struct {
  double v[N_CHANNELS];
} Colour;

/* Half the squared Mahalanobis distance. */
static double
half_distance2 (const Gaussian *gaussian, const Colour *colour)
{
  const double *inverse = gaussian->inverse;
  double l = colour->v[0] - gaussian->mean[0], a = colour->v[1] - gaussian->mean[1],
         b = colour->v[2] - gaussian->mean[2];
  double squares = l * l * inverse[0] + a * a * inverse[3] + b * b * inverse[5];
  double products = l * a * inverse[1] + l * b * inverse[2] + a * b * inverse[4];
  return 0.5 * squares + products;
}

static double
ratio_of_tile (const Tile *tile, const Colour *colour)
{
  double r = half_distance2 (&tile->side[0], colour) - half_distance2 (&tile->side[1], colour);
  return CLAMP (r, -RATIO_MAX, RATIO_MAX);
}

/* Between the middles of tiles: the first of the two that are mixed, which may be −1, and how far
 * the way to the second is gone. */
static int
place_among_tiles (double position, double *fraction)
{
  int first = (int)floor (position - 0.5);
  *fraction = position - 0.5 - first;
  return first;
}

/* The weighted mean of the ratios of tiles that have one; 0 where none does. (u, v) in tiles. */
static double
ratio_at (const FsLocalColours *colours, double u, double v, const Colour *colour)
{
  double fx, fy, sum = 0, weights = 0;
  int x = place_among_tiles (u, &fx), y = place_among_tiles (v, &fy);
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 2; i++) {
      int column = CLAMP (x + i, 0, colours->width - 1),
          row = CLAMP (y + j, 0, colours->height - 1);
      const Tile *tile = &colours->tiles[row * colours->width + column];
      double weight = (i ? fx : 1 - fx) * (j ? fy : 1 - fy);
      if (!tile->knows || weight <= 0)
        continue;
      sum += weight * ratio_of_tile (tile, colour);
      weights += weight;
    }
  return weights > 0 ? sum / weights : 0;
}

static Colour
colour_of_pixel (uint32_t pixel)
{
  FsLab lab;
  fs_lab_from_pixels (&pixel, 1, &lab);
  return (Colour){ { (double)lab.l / FS_LAB_UNIT, (double)lab.a / FS_LAB_UNIT,
                     (double)lab.b / FS_LAB_UNIT } };
}

static int32_t
distance_at (const FsLocalColours *colours, const FsGeodesicLevel *level, int x, int y)
{
  return colours
      ->distance[(size_t)(y >> level->shift) * (size_t)level->width + (size_t)(x >> level->shift)];
}

gboolean
fs_local_colours_has_pixel (const FsLocalColours *colours, const FsGeodesicLevel *level, int x,
                            int y)
{
  return distance_at (colours, level, x, y) < colours->zone;
}

int32_t
fs_local_colours_weigh (const FsLocalColours *colours, const FsGeodesicLevel *level, int x, int y,
                        uint32_t pixel)
{
  const double per_pixel = 1.0 / ((double)colours->side * (1 << level->shift));
  int32_t distance = distance_at (colours, level, x, y);
  if (distance >= colours->zone)
    return 0;
  Colour colour = colour_of_pixel (pixel);
  double r = ratio_at (colours, (x + 0.5) * per_pixel, (y + 0.5) * per_pixel, &colour);
  double w = MIN (1, 2 * (1 - (double)distance / colours->zone));
  return (int32_t)floor (FS_NAT_SCALE * WEIGHT * w * r + 0.5);
}
