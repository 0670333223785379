/* SPDX-License-Identifier: MIT */
#include "tests/app/frames/moving_object.h"

#include <math.h>

static gboolean
is_inside (const MovingObject *object, int x, int y)
{
  int dx = x - object->x, dy = y - object->y;
  return dx * dx + 2 * dy * dy < object->radius * object->radius;
}

/* 0 to 30, in waves as long as a photo's. */
static int
wave (int x, int y)
{
  return (int)(15 + 7 * sin (x * 0.13 + y * 0.05) + 8 * cos (y * 0.17 - x * 0.03));
}

static uint32_t
pixel_at (const MovingObject *object, int x, int y, int noise)
{
  if (is_inside (object, x, y)) {
    int own = wave (x - object->x, y - object->y) + noise;
    return FS_PIXEL (255, (uint8_t)(190 + own), (uint8_t)(90 + own), (uint8_t)(50 + noise));
  }
  int ground = wave (2 * (x - object->pan), y) + noise + object->light;
  return FS_PIXEL (255, (uint8_t)(40 + noise), (uint8_t)(80 + ground), (uint8_t)(120 + ground));
}

FsImage *
moving_object_frame (const MovingObject *object)
{
  FsImage *image = fs_image_new (FS_MOVING_WIDTH, FS_MOVING_HEIGHT);
  g_autoptr (GRand) rand = g_rand_new_with_seed (object->noise);
  for (int y = 0; y < FS_MOVING_HEIGHT; y++)
    for (int x = 0; x < FS_MOVING_WIDTH; x++)
      image->pixels[y * FS_MOVING_WIDTH + x] =
          pixel_at (object, x, y, g_rand_int_range (rand, -6, 7));
  return image;
}

uint8_t *
moving_object_mask (const MovingObject *object)
{
  uint8_t *mask = g_malloc (FS_MOVING_WIDTH * FS_MOVING_HEIGHT);
  for (int y = 0; y < FS_MOVING_HEIGHT; y++)
    for (int x = 0; x < FS_MOVING_WIDTH; x++)
      mask[y * FS_MOVING_WIDTH + x] = is_inside (object, x, y);
  return mask;
}
