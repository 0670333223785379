/* SPDX-License-Identifier: MIT */
#include "app/frames/moved_zones.h"

#include "app/frames/follow/motion.h"
#include "energy/image/rect_pixels.h"
#include "energy/image/seed_map.h"

#include <string.h>

/* The search range, and the distance from the zones within which the object's pixels are matched,
 * as parts of the frame's shorter side. */
enum { RANGE_DIVISOR = 24, NEAR_DIVISOR = 16 };

struct FsMovedZones {
  FsImage *image;
  uint8_t *zones;
  uint8_t *near; /* the object's pixels that are matched */
  int x, y;      /* the centre of the mask               */
};

/* FALSE for an empty mask. */
static gboolean
find_centre (const FsImage *image, const uint8_t *mask, int *x, int *y)
{
  gint64 n = 0, sum_x = 0, sum_y = 0;
  for (int row = 0; row < image->height; row++)
    for (int column = 0; column < image->width; column++)
      if (mask[(gsize)row * (gsize)image->width + (gsize)column]) {
        n++;
        sum_x += column;
        sum_y += row;
      }
  if (n == 0)
    return FALSE;
  *x = (int)((sum_x + n / 2) / n);
  *y = (int)((sum_y + n / 2) / n);
  return TRUE;
}

static FsRect
find_bounds (const FsImage *image, const uint8_t *plane)
{
  FsRect bounds = { 0 };
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++)
      if (plane[(gsize)y * (gsize)image->width + (gsize)x])
        bounds = fs_rect_union (bounds, (FsRect){ x, y, x + 1, y + 1 });
  return bounds;
}

/* All of the object where hardly any of it is near the zones. */
static void
find_near (FsMovedZones *self, const uint8_t *mask)
{
  const FsImage *image = self->image;
  const int distance = MIN (image->width, image->height) / NEAR_DIVISOR;
  const FsRect box = fs_rect_intersect (fs_rect_widen (find_bounds (image, self->zones), distance),
                                        (FsRect){ 0, 0, image->width, image->height });
  gsize n = 0;
  for (int y = box.y0; y < box.y1; y++)
    for (int x = box.x0; x < box.x1; x++) {
      const gsize p = (gsize)y * (gsize)image->width + (gsize)x;
      self->near[p] = mask[p];
      n += mask[p];
    }
  if (n < FS_FOLLOW_MIN_PX)
    memcpy (self->near, mask, (gsize)image->width * (gsize)image->height);
}

FsMovedZones *
fs_moved_zones_new (FsImage *image, const uint8_t *mask, const uint8_t *zones)
{
  g_return_val_if_fail (image && mask && zones, NULL);
  const gsize n = (gsize)image->width * (gsize)image->height;
  g_autoptr (FsMovedZones) self = g_new0 (FsMovedZones, 1);
  self->image = fs_image_ref (image);
  self->zones = g_try_malloc (n);
  self->near = g_try_malloc0 (n);
  if (!self->zones || !self->near)
    return NULL;
  memcpy (self->zones, zones, n);
  find_near (self, mask);
  find_centre (image, mask, &self->x, &self->y);
  return g_steal_pointer (&self);
}

void
fs_moved_zones_free (FsMovedZones *self)
{
  if (!self)
    return;
  fs_image_unref (self->image);
  g_free (self->zones);
  g_free (self->near);
  g_free (self);
}

static void
move_plane (const FsMovedZones *self, FsShift shift, uint8_t *to)
{
  const int width = self->image->width, height = self->image->height;
  const int x0 = MAX (0, shift.dx), x1 = MIN (width, width + shift.dx);
  for (int y = MAX (0, shift.dy); x0 < x1 && y < MIN (height, height + shift.dy); y++)
    memcpy (to + (gsize)y * (gsize)width + (gsize)x0,
            self->zones + (gsize)(y - shift.dy) * (gsize)width + (gsize)(x0 - shift.dx),
            (gsize)(x1 - x0));
}

uint8_t *
fs_moved_zones_place (const FsMovedZones *self, const FsImage *image, const uint8_t *mask)
{
  g_return_val_if_fail (self && image && mask, NULL);
  uint8_t *zones = g_try_malloc0 ((gsize)image->width * (gsize)image->height);
  int x, y;
  if (!zones || image->width != self->image->width || image->height != self->image->height
      || !find_centre (image, mask, &x, &y))
    return zones;
  const FsShift shift =
      fs_follow_refine (self->image, self->near, image, (FsShift){ x - self->x, y - self->y },
                        MIN (image->width, image->height) / RANGE_DIVISOR);
  move_plane (self, shift, zones);
  return zones;
}
