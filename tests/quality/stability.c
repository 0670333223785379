/* SPDX-License-Identifier: MIT */
#include "tests/quality/stability.h"

#include "tests/quality/distance.h"

#include <math.h>
#include <string.h>

enum { NEAR_PX = 2 };

#define PULL       0.375 /* of the model's largest t-link                              */
#define REACH      0.2   /* of the diagonal: where the pull has its full strength      */
#define COLOUR     0.7   /* share of the colour difference in the length of a step     */
#define BUCKET_PX  0.05
#define NOT_BEFORE 1e30f

static double
difference2 (uint32_t a, uint32_t b)
{
  double r = (double)FS_PIXEL_R (a) - FS_PIXEL_R (b), g = (double)FS_PIXEL_G (a) - FS_PIXEL_G (b),
         blue = (double)FS_PIXEL_B (a) - FS_PIXEL_B (b);
  return r * r + g * g + blue * blue;
}

/* The mean squared colour difference of neighbours. */
static double
mean_difference2 (const FsImage *image)
{
  double sum = 0;
  size_t n = 0;
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x + 1 < image->width; x++, n++) {
      const uint32_t *p = image->pixels + (size_t)y * image->width + x;
      sum += difference2 (p[0], p[1]);
    }
  return n > 0 && sum > 0 ? sum / (double)n : 1;
}

/* Dial's buckets: pixels whose distance falls into the same BUCKET_PX wait in one list; a pixel
 * whose distance shrinks is put in again, and old entries are passed over. */
typedef struct {
  const FsImage *image;
  double mean2;
  float limit;
  float *distance;
  GPtrArray *buckets; /* of GArray of uint32_t */
} Search;

static void
search_offer (Search *search, uint32_t pixel, float distance)
{
  if (distance >= search->distance[pixel] || distance > search->limit)
    return;
  search->distance[pixel] = distance;
  guint bucket = (guint)(distance / BUCKET_PX);
  g_array_append_val ((GArray *)search->buckets->pdata[bucket], pixel);
}

static void
search_spread (Search *search, uint32_t pixel)
{
  int w = search->image->width, h = search->image->height;
  int x = (int)(pixel % (uint32_t)w), y = (int)(pixel / (uint32_t)w);
  const uint32_t *pixels = search->image->pixels;
  for (int qy = MAX (y - 1, 0); qy <= MIN (y + 1, h - 1); qy++)
    for (int qx = MAX (x - 1, 0); qx <= MIN (x + 1, w - 1); qx++) {
      uint32_t q = (uint32_t)qy * (uint32_t)w + (uint32_t)qx;
      double length2 = (qx != x) + (qy != y);
      double step2 =
          (1 - COLOUR) * length2 + COLOUR * difference2 (pixels[pixel], pixels[q]) / search->mean2;
      search_offer (search, q, search->distance[pixel] + (float)sqrt (step2));
    }
}

/* Geodesic distances from the stroke up to `limit`, farther pixels NOT_BEFORE. g_free. */
static float *
geodesic_distances (const FsImage *image, const uint8_t *stroke, float limit)
{
  uint32_t n = (uint32_t)image->width * (uint32_t)image->height;
  Search search = { image, mean_difference2 (image), limit, g_new (float, n), NULL };
  guint n_buckets = (guint)(limit / BUCKET_PX) + 2;
  search.buckets = g_ptr_array_new_full (n_buckets, (GDestroyNotify)g_array_unref);
  for (guint i = 0; i < n_buckets; i++)
    g_ptr_array_add (search.buckets, g_array_new (FALSE, FALSE, sizeof (uint32_t)));
  for (uint32_t i = 0; i < n; i++)
    search.distance[i] = NOT_BEFORE;
  for (uint32_t i = 0; i < n; i++)
    if (stroke[i])
      search_offer (&search, i, 0);
  for (guint i = 0; i < n_buckets; i++) {
    GArray *bucket = search.buckets->pdata[i];
    for (guint k = 0; k < bucket->len; k++) {
      uint32_t pixel = g_array_index (bucket, uint32_t, k);
      if ((guint)(search.distance[pixel] / BUCKET_PX) == i)
        search_spread (&search, pixel);
    }
  }
  g_ptr_array_unref (search.buckets);
  return search.distance;
}

void
quality_stability_pull (const FsImage *image, const FsSeedMap *seeds, const uint8_t *stroke,
                        const uint8_t *previous, int32_t soft_tlink, int32_t *tlink)
{
  float reach = (float)(REACH * hypot (image->width, image->height));
  g_autofree float *distance = geodesic_distances (image, stroke, reach);
  size_t n = (size_t)image->width * (size_t)image->height;
  for (size_t i = 0; i < n; i++) {
    if (seeds->label[i] != FS_SEED_NONE)
      continue;
    double strength = PULL * soft_tlink * MIN (distance[i] / reach, 1);
    tlink[i] += (int32_t)lround (previous[i] ? strength : -strength);
  }
}

/* Takes back the piece of changed pixels that holds `first`, unless it comes near the stroke.
 * `changed` loses the piece; `stack` has room for every pixel. */
static void
judge_piece (uint8_t *changed, const int64_t *stroke2, int width, int height, uint32_t first,
             uint32_t *stack, const uint8_t *previous, uint8_t *mask)
{
  size_t n_piece = 0;
  gboolean near = FALSE;
  stack[n_piece++] = first;
  changed[first] = 0;
  for (size_t k = 0; k < n_piece; k++) {
    uint32_t p = stack[k];
    int x = (int)(p % (uint32_t)width), y = (int)(p / (uint32_t)width);
    near = near || stroke2[p] <= NEAR_PX * NEAR_PX;
    for (int qy = MAX (y - 1, 0); qy <= MIN (y + 1, height - 1); qy++)
      for (int qx = MAX (x - 1, 0); qx <= MIN (x + 1, width - 1); qx++) {
        uint32_t q = (uint32_t)qy * (uint32_t)width + (uint32_t)qx;
        if (!changed[q])
          continue;
        changed[q] = 0;
        stack[n_piece++] = q;
      }
  }
  for (size_t k = 0; k < n_piece && !near; k++)
    mask[stack[k]] = previous[stack[k]];
}

void
quality_stability_accept (const uint8_t *stroke, const uint8_t *previous, int width, int height,
                          uint8_t *mask)
{
  uint32_t n = (uint32_t)width * (uint32_t)height;
  g_autofree int64_t *stroke2 = quality_distance2 (stroke, width, height);
  g_autofree uint8_t *changed = g_malloc (n);
  g_autofree uint32_t *stack = g_new (uint32_t, n);
  for (uint32_t i = 0; i < n; i++)
    changed[i] = mask[i] != previous[i];
  for (uint32_t i = 0; i < n; i++)
    if (changed[i])
      judge_piece (changed, stroke2, width, height, i, stack, previous, mask);
}
