/* SPDX-License-Identifier: MIT */
#include "tests/quality/clicks.h"

#include "energy/image/distance.h"
#include "tests/quality/scores.h"

#include <math.h>
#include <string.h>

typedef struct {
  uint32_t first;
  size_t n_pixels;
  uint8_t label; /* what should have been there */
} Component;

static uint8_t
missing_label (uint8_t mask, uint8_t truth)
{
  if (truth == QUALITY_TRUTH_OBJECT && !mask)
    return FS_SEED_OBJECT;
  if (truth == QUALITY_TRUTH_BACKGROUND && mask)
    return FS_SEED_BACKGROUND;
  return FS_SEED_NONE;
}

/* Moves the component of `wrong` that holds `first` to `reached` (1) and counts it; `stack` has
 * room for every pixel. */
static size_t
flood (uint8_t *wrong, uint8_t *reached, int width, int height, uint32_t first, uint32_t *stack)
{
  uint8_t label = wrong[first];
  size_t n_stack = 0, n_pixels = 0;
  stack[n_stack++] = first;
  wrong[first] = 0;
  while (n_stack > 0) {
    uint32_t p = stack[--n_stack];
    int x = (int)(p % (uint32_t)width), y = (int)(p / (uint32_t)width);
    reached[p] = 1;
    n_pixels++;
    for (int qy = MAX (y - 1, 0); qy <= MIN (y + 1, height - 1); qy++)
      for (int qx = MAX (x - 1, 0); qx <= MIN (x + 1, width - 1); qx++) {
        uint32_t q = (uint32_t)qy * (uint32_t)width + (uint32_t)qx;
        if (wrong[q] != label)
          continue;
        wrong[q] = 0;
        stack[n_stack++] = q;
      }
  }
  return n_pixels;
}

static gboolean
is_larger (const Component *a, const Component *b)
{
  if (a->n_pixels != b->n_pixels)
    return a->n_pixels > b->n_pixels;
  return a->label > b->label;
}

/* Leaves 1 in `found` where the largest component is. */
static Component
largest_error (const uint8_t *mask, const uint8_t *truth, int width, int height, uint8_t *found)
{
  size_t n = (size_t)width * (size_t)height;
  g_autofree uint8_t *wrong = g_malloc (n), *again = g_malloc (n);
  g_autofree uint32_t *stack = g_new (uint32_t, n);
  for (size_t i = 0; i < n; i++)
    wrong[i] = missing_label (mask[i], truth[i]);
  memcpy (again, wrong, n);
  Component best = { 0 };
  for (uint32_t i = 0; i < n; i++) {
    if (!wrong[i])
      continue;
    Component component = { i, 0, wrong[i] };
    component.n_pixels = flood (wrong, found, width, height, i, stack);
    if (is_larger (&component, &best))
      best = component;
  }
  memset (found, 0, n);
  if (best.n_pixels > 0)
    flood (again, found, width, height, best.first, stack);
  return best;
}

/* The squared distance of every pixel of the component to what is outside it; beyond the photo is
 * outside too. */
static uint32_t
deepest_pixel (const uint8_t *component, int width, int height)
{
  int w = width + 2, h = height + 2;
  g_autofree uint8_t *outside = g_malloc ((size_t)w * (size_t)h);
  memset (outside, 1, (size_t)w * (size_t)h);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      outside[(size_t)(y + 1) * w + x + 1] = !component[(size_t)y * width + x];
  g_autofree int64_t *depth2 = fs_distance2 (outside, w, h);
  int64_t best2 = 0;
  uint32_t best = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int64_t d2 = depth2[(size_t)(y + 1) * w + x + 1];
      if (d2 <= best2)
        continue;
      best2 = d2;
      best = (uint32_t)y * (uint32_t)width + (uint32_t)x;
    }
  return best;
}

/* The largest disc round the pixel that holds nothing but the label's truth. */
static double
disc_radius (const uint8_t *truth, int width, int height, const QualityClick *click)
{
  int wanted = click->label == FS_SEED_OBJECT ? QUALITY_TRUTH_OBJECT : QUALITY_TRUTH_BACKGROUND;
  int reach = (int)QUALITY_CLICK_RADIUS_PX, nearest2 = G_MAXINT;
  for (int y = MAX (click->y - reach, 0); y <= MIN (click->y + reach, height - 1); y++)
    for (int x = MAX (click->x - reach, 0); x <= MIN (click->x + reach, width - 1); x++)
      if (truth[(size_t)y * width + x] != wanted) {
        int dx = x - click->x, dy = y - click->y;
        nearest2 = MIN (nearest2, dx * dx + dy * dy);
      }
  return MIN (QUALITY_CLICK_RADIUS_PX, sqrt (nearest2) - 0.01);
}

gboolean
quality_click_next (const uint8_t *mask, const uint8_t *truth, int width, int height,
                    QualityClick *click)
{
  g_autofree uint8_t *component = g_malloc0 ((size_t)width * (size_t)height);
  Component error = largest_error (mask, truth, width, height, component);
  if (error.n_pixels == 0)
    return FALSE;
  uint32_t pixel = deepest_pixel (component, width, height);
  *click = (QualityClick){ .x = (int)(pixel % (uint32_t)width),
                           .y = (int)(pixel / (uint32_t)width),
                           .label = error.label };
  click->radius_px = disc_radius (truth, width, height, click);
  return TRUE;
}

void
quality_click_paint (const QualityClick *click, FsSeedMap *seeds, uint8_t *stroke)
{
  double x = click->x + 0.5, y = click->y + 0.5;
  FsCapsule disc = { x, y, x, y, click->radius_px };
  fs_seed_map_paint (seeds, &disc, click->label, NULL, NULL);

  g_autoptr (FsSeedMap) alone = fs_seed_map_new (seeds->width, seeds->height);
  fs_seed_map_paint (alone, &disc, 1, NULL, NULL);
  memcpy (stroke, alone->label, (size_t)seeds->width * (size_t)seeds->height);
}
