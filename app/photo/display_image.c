/* SPDX-License-Identifier: MIT */
#include "app/photo/display_image.h"

#include "app/photo/colour_profile.h"
#include "app/photo/input/colour_transform.h"

FsImage *
fs_display_image_new (const FsPhoto *photo, GBytes *display_icc)
{
  FsImage *image = photo->image;
  gboolean is_lost;
  g_autoptr (GBytes) icc = fs_colour_profile_of (photo->metadata, image, &is_lost);
  g_autoptr (FsColourTransform) transform = fs_colour_transform_new_for_display (icc, display_icc);
  g_autoptr (FsImage) shown = transform ? fs_image_new_whole (image->width, image->height) : NULL;
  if (!shown)
    return fs_image_ref (image);
  const gsize width = (gsize)image->width;
  shown->has_alpha = image->has_alpha;
  for (int y = 0; y < image->height; y++)
    fs_colour_transform_convert_pixels (transform, image->pixels + (gsize)y * width,
                                        shown->pixels + (gsize)y * width, (guint)width);
  return g_steal_pointer (&shown);
}
