/* SPDX-License-Identifier: MIT */
#include "tests/quality/edges/foreground.h"

#include <math.h>

enum { SMALL_SIDE = 32, SMALL_ITERATIONS = 10, LARGE_ITERATIONS = 2 };
#define REGULARISATION 1e-5f

/* Colours of both sides at one level. */
typedef struct {
  int w, h;
  float *object, *ground; /* [3 · h · w] */
} Level;

static Level
level_new (int w, int h)
{
  return (Level){ w, h, g_new0 (float, 3 * w * h), g_new0 (float, 3 * w * h) };
}

static void
level_free (Level *level)
{
  g_free (level->object);
  g_free (level->ground);
}

/* The pixel of a plane of w × h that is nearest to one of a level. */
static int
nearest (const Level *level, int p, int w, int h)
{
  const int x = (int)((p % level->w + 0.5) * w / level->w),
            y = (int)((p / level->w + 0.5) * h / level->h);
  return MIN (y, h - 1) * w + MIN (x, w - 1);
}

typedef struct {
  const FsImage *image;
  const uint8_t *alpha;
} Photo;

static float
alpha_at (const Photo *photo, const Level *level, int p)
{
  return photo->alpha[nearest (level, p, photo->image->width, photo->image->height)] / 255.0f;
}

/* The two sides' colours at a pixel from those of its neighbours. */
static void
update (const Photo *photo, Level *level, int p)
{
  const int x = p % level->w, y = p / level->w;
  const float alpha = alpha_at (photo, level, p), rest = 1 - alpha;
  const uint32_t pixel =
      photo->image->pixels[nearest (level, p, photo->image->width, photo->image->height)];
  const int near[4] = { y * level->w + MAX (x - 1, 0), y * level->w + MIN (x + 1, level->w - 1),
                        MAX (y - 1, 0) * level->w + x, MIN (y + 1, level->h - 1) * level->w + x };
  float weight[4], sum = 0;
  for (int k = 0; k < 4; k++) {
    weight[k] = REGULARISATION + fabsf (alpha - alpha_at (photo, level, near[k]));
    sum += weight[k];
  }
  const float a = alpha * alpha + sum, b = alpha * rest, c = rest * rest + sum;
  const float determinant = a * c - b * b;
  for (int k = 0; k < 3; k++) {
    const float value = (float)(pixel >> (16 - 8 * k) & 0xff) / 255;
    float object = alpha * value, ground = rest * value;
    for (int i = 0; i < 4; i++) {
      object += weight[i] * level->object[3 * near[i] + k];
      ground += weight[i] * level->ground[3 * near[i] + k];
    }
    level->object[3 * p + k] = CLAMP ((c * object - b * ground) / determinant, 0, 1);
    level->ground[3 * p + k] = CLAMP ((a * ground - b * object) / determinant, 0, 1);
  }
}

/* Means of the certain pixels of each side, where the first level starts. */
static void
fill_means (const Photo *photo, Level *level)
{
  double sum[2][3] = { { 0 } }, n[2] = { 0 };
  for (int p = 0; p < photo->image->width * photo->image->height; p++) {
    const int side = photo->alpha[p] > 229 ? 1 : 0;
    if (photo->alpha[p] > 25 && !side)
      continue;
    n[side]++;
    for (int k = 0; k < 3; k++)
      sum[side][k] += (photo->image->pixels[p] >> (16 - 8 * k) & 0xff) / 255.0;
  }
  for (int i = 0; i < 3 * level->w * level->h; i++) {
    level->ground[i] = (float)(sum[0][i % 3] / MAX (n[0], 1));
    level->object[i] = (float)(sum[1][i % 3] / MAX (n[1], 1));
  }
}

static Level
refine (const Photo *photo, const Level *coarse, int w, int h)
{
  Level level = level_new (w, h);
  for (int p = 0; p < w * h; p++) {
    const int from = nearest (&level, p, coarse->w, coarse->h);
    for (int k = 0; k < 3; k++) {
      level.object[3 * p + k] = coarse->object[3 * from + k];
      level.ground[3 * p + k] = coarse->ground[3 * from + k];
    }
  }
  const gboolean is_small = w <= SMALL_SIDE && h <= SMALL_SIDE;
  for (int i = 0; i < (is_small ? SMALL_ITERATIONS : LARGE_ITERATIONS); i++)
    for (int p = 0; p < w * h; p++)
      update (photo, &level, p);
  return level;
}

float *
foreground_estimate (const FsImage *image, const uint8_t *alpha)
{
  const Photo photo = { image, alpha };
  const int n_levels = (int)ceil (log2 (MAX (image->width, image->height)));
  Level level = level_new (1, 1);
  fill_means (&photo, &level);
  for (int i = 0; i <= n_levels; i++) {
    const double part = n_levels > 0 ? (double)i / n_levels : 1;
    Level finer = refine (&photo, &level, (int)round (pow (image->width, part)),
                          (int)round (pow (image->height, part)));
    level_free (&level);
    level = finer;
  }
  g_free (level.ground);
  return level.object;
}
