/* SPDX-License-Identifier: MIT */
#include "ui/view/pyramid.h"

#include <math.h>
#include <string.h>

#define MAX_LEVELS 17 /* for sides of up to 65,536 px */

typedef struct {
  int width, height;
  uint32_t *photo;
  uint8_t *mask;
  uint8_t *mark;
  uint8_t *mark_coverage;
} Level;

struct _FsPyramid {
  FsImage *image;
  const uint8_t *marks;   /* level 0, borrowed */
  const uint8_t *mask;    /* level 0, borrowed */
  const uint8_t *numbers; /* the same */
  const uint8_t *zones;   /* the same */
  const FsEdgeLevels *edge;
  guint n_levels;
  Level level[MAX_LEVELS]; /* [0] has only the size */
};

/* The second column or row of the finer level for pixel i; the last one of an odd side counts
 * twice. */
static inline int
second (int i, int size)
{
  return MIN (2 * i + 1, size - 1);
}

static inline uint32_t
average_opaque (uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
  /* Two channels at a time, each with 16 bits. */
  uint32_t even = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff) + 0x20002;
  uint32_t odd = (a >> 8 & 0xff00ff) + (b >> 8 & 0xff00ff) + (c >> 8 & 0xff00ff)
                 + (d >> 8 & 0xff00ff) + 0x20002;
  return (even >> 2 & 0xff00ff) | (odd >> 2 & 0xff00ff) << 8;
}

/* Colours are weighted by alpha, so that transparent pixels contribute none. */
static uint32_t
average_alpha (const uint32_t p[4])
{
  uint32_t a = 0, r = 0, g = 0, b = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t alpha = FS_PIXEL_A (p[i]);
    a += alpha;
    r += alpha * FS_PIXEL_R (p[i]);
    g += alpha * FS_PIXEL_G (p[i]);
    b += alpha * FS_PIXEL_B (p[i]);
  }
  if (a == 0)
    return 0;
  return FS_PIXEL ((a + 2) / 4, (r + a / 2) / a, (g + a / 2) / a, (b + a / 2) / a);
}

static void
halve_photo (const uint32_t *fine, int fine_width, int fine_height, gboolean has_alpha,
             Level *coarse)
{
  for (int y = 0; y < coarse->height; y++) {
    const uint32_t *top = fine + (size_t)(2 * y) * fine_width;
    const uint32_t *low = fine + (size_t)second (y, fine_height) * fine_width;
    uint32_t *out = coarse->photo + (size_t)y * coarse->width;
    for (int x = 0; x < coarse->width; x++) {
      int x0 = 2 * x;
      int x1 = second (x, fine_width);
      if (has_alpha)
        out[x] = average_alpha ((uint32_t[]){ top[x0], top[x1], low[x0], low[x1] });
      else
        out[x] = average_opaque (top[x0], top[x1], low[x0], low[x1]);
    }
  }
}

static void
halve_mask (const uint8_t *fine, int fine_width, int fine_height, int fine_unit, Level *coarse,
            const FsRect *rect)
{
  /* A sum of 0…4 object pixels, or of coverages 0…1,020, becomes 0…255. */
  int numerator = fine_unit == 1 ? 255 : 1;
  for (int y = rect->y0; y < rect->y1; y++) {
    const uint8_t *top = fine + (size_t)(2 * y) * fine_width;
    const uint8_t *low = fine + (size_t)second (y, fine_height) * fine_width;
    uint8_t *out = coarse->mask + (size_t)y * coarse->width;
    for (int x = rect->x0; x < rect->x1; x++) {
      int x0 = 2 * x;
      int x1 = second (x, fine_width);
      out[x] = (uint8_t)(((top[x0] + top[x1] + low[x0] + low[x1]) * numerator + 2) / 4);
    }
  }
}

/* The label with the largest coverage among four wins; the coverage counts all labels together. */
static void
merge_marks (const uint8_t label[4], const int coverage[4], uint8_t *out_label,
             uint8_t *out_coverage)
{
  int best = 0;
  int best_coverage = 0;
  int total = 0;
  for (int i = 0; i < 4; i++) {
    int sum = 0;
    for (int j = 0; j < 4; j++)
      sum += label[j] == label[i] ? coverage[j] : 0;
    if (label[i] != 0 && sum > best_coverage) {
      best = label[i];
      best_coverage = sum;
    }
    total += label[i] != 0 ? coverage[i] : 0;
  }
  *out_label = (uint8_t)best;
  *out_coverage = (uint8_t)((total + 2) / 4);
}

/* The number of pixels of a row that are tested for marks together; most rows have none. */
enum { STRETCH = 8 };

static inline gboolean
is_unmarked (const uint8_t *marks)
{
  uint64_t all;
  memcpy (&all, marks, STRETCH);
  return all == 0;
}

static void
halve_marks (const uint8_t *fine, const uint8_t *fine_coverage, int fine_width, int fine_height,
             Level *coarse, const FsRect *rect)
{
  for (int y = rect->y0; y < rect->y1; y++) {
    size_t top = (size_t)(2 * y) * fine_width;
    size_t low = (size_t)second (y, fine_height) * fine_width;
    size_t out = (size_t)y * coarse->width;
    for (int x = rect->x0; x < rect->x1; x++) {
      gboolean stretch = x + STRETCH / 2 <= rect->x1 && 2 * x + STRETCH <= fine_width;
      if (stretch && is_unmarked (fine + top + 2 * x) && is_unmarked (fine + low + 2 * x)) {
        memset (coarse->mark + out + x, 0, STRETCH / 2);
        memset (coarse->mark_coverage + out + x, 0, STRETCH / 2);
        x += STRETCH / 2 - 1;
        continue;
      }
      int x1 = second (x, fine_width);
      size_t at[4] = { top + 2 * x, top + x1, low + 2 * x, low + x1 };
      uint8_t label[4] = { fine[at[0]], fine[at[1]], fine[at[2]], fine[at[3]] };
      if ((label[0] | label[1] | label[2] | label[3]) == 0) {
        coarse->mark[out + x] = 0;
        coarse->mark_coverage[out + x] = 0;
        continue;
      }
      int coverage[4] = { 255, 255, 255, 255 };
      for (int i = 0; fine_coverage != NULL && i < 4; i++)
        coverage[i] = fine_coverage[at[i]];
      merge_marks (label, coverage, &coarse->mark[out + x], &coarse->mark_coverage[out + x]);
    }
  }
}

static FsRect
halve_rect (FsRect rect, const Level *coarse)
{
  return (FsRect){ rect.x0 / 2, rect.y0 / 2, MIN ((rect.x1 + 1) / 2, coarse->width),
                   MIN ((rect.y1 + 1) / 2, coarse->height) };
}

static gboolean
allocate_level (Level *level)
{
  size_t n = (size_t)level->width * level->height;
  level->photo = g_try_malloc_n (n, sizeof *level->photo);
  level->mask = g_try_malloc0 (n);
  level->mark = g_try_malloc0 (n);
  level->mark_coverage = g_try_malloc0 (n);
  return level->photo != NULL && level->mask != NULL && level->mark != NULL
         && level->mark_coverage != NULL;
}

FsPyramid *
fs_pyramid_new (FsImage *image)
{
  g_autoptr (FsPyramid) pyramid = g_new0 (FsPyramid, 1);
  pyramid->image = fs_image_ref (image);
  pyramid->level[0].width = image->width;
  pyramid->level[0].height = image->height;
  pyramid->n_levels = 1;

  const uint32_t *fine = image->pixels;
  for (guint k = 1; k < MAX_LEVELS; k++) {
    const Level *below = &pyramid->level[k - 1];
    if (below->width == 1 && below->height == 1)
      break;
    Level *level = &pyramid->level[k];
    level->width = (below->width + 1) / 2;
    level->height = (below->height + 1) / 2;
    pyramid->n_levels = k + 1;
    if (!allocate_level (level))
      return NULL;
    halve_photo (fine, below->width, below->height, image->has_alpha, level);
    fine = level->photo;
  }
  return g_steal_pointer (&pyramid);
}

void
fs_pyramid_free (FsPyramid *pyramid)
{
  if (pyramid == NULL)
    return;
  for (guint k = 0; k < pyramid->n_levels; k++) {
    g_free (pyramid->level[k].photo);
    g_free (pyramid->level[k].mask);
    g_free (pyramid->level[k].mark);
    g_free (pyramid->level[k].mark_coverage);
  }
  fs_image_unref (pyramid->image);
  g_free (pyramid);
}

FsImage *
fs_pyramid_get_image (const FsPyramid *pyramid)
{
  return pyramid->image;
}

guint
fs_pyramid_get_n_levels (const FsPyramid *pyramid)
{
  return pyramid->n_levels;
}

FsPyramidLevel
fs_pyramid_get_level (const FsPyramid *pyramid, guint k)
{
  g_return_val_if_fail (k < pyramid->n_levels, (FsPyramidLevel){ 0 });
  const Level *level = &pyramid->level[k];
  return (FsPyramidLevel){
    .width = level->width,
    .height = level->height,
    .photo = k == 0 ? pyramid->image->pixels : level->photo,
    .mask = k == 0 || pyramid->mask == NULL ? pyramid->mask : level->mask,
    .mark = k == 0 || pyramid->marks == NULL ? pyramid->marks : level->mark,
    .mark_coverage = level->mark_coverage,
    .mask_unit = k == 0 ? 1 : 255,
    .numbers = pyramid->numbers,
    .zones = pyramid->zones,
    .numbers_width = pyramid->level[0].width,
    .numbers_height = pyramid->level[0].height,
    .shift = k,
    .edge = pyramid->edge,
  };
}

guint
fs_pyramid_choose_level (const FsPyramid *pyramid, double zoom)
{
  double level = round (-log2 (zoom));
  return (guint)CLAMP (level, 0, pyramid->n_levels - 1.0);
}

void
fs_pyramid_update_marks (FsPyramid *pyramid, const uint8_t *marks, const FsRect *rect)
{
  pyramid->marks = marks;
  FsRect damage = *rect;
  for (guint k = 1; marks != NULL && k < pyramid->n_levels; k++) {
    const Level *below = &pyramid->level[k - 1];
    Level *level = &pyramid->level[k];
    damage = halve_rect (damage, level);
    halve_marks (k == 1 ? marks : below->mark, below->mark_coverage, below->width, below->height,
                 level, &damage);
  }
}

void
fs_pyramid_update_mask (FsPyramid *pyramid, const uint8_t *mask, const FsRect *rect)
{
  pyramid->mask = mask;
  FsRect damage = *rect;
  for (guint k = 1; mask != NULL && k < pyramid->n_levels; k++) {
    const Level *below = &pyramid->level[k - 1];
    Level *level = &pyramid->level[k];
    damage = halve_rect (damage, level);
    halve_mask (k == 1 ? mask : below->mask, below->width, below->height, k == 1 ? 1 : 255, level,
                &damage);
  }
}

void
fs_pyramid_set_zones (FsPyramid *pyramid, const uint8_t *zones)
{
  pyramid->zones = zones;
}

void
fs_pyramid_set_edge (FsPyramid *pyramid, const FsEdgeLevels *edge)
{
  pyramid->edge = edge;
}

void
fs_pyramid_set_numbers (FsPyramid *pyramid, const uint8_t *numbers)
{
  pyramid->numbers = numbers;
}
