/* SPDX-License-Identifier: MIT */
/* What is wrong with a mask, as a picture. */
#ifndef FS_QUALITY_PICTURES_H
#define FS_QUALITY_PICTURES_H

#include "energy/image/image.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

typedef struct {
  const uint8_t *mask;
  const uint8_t *truth;
  const FsSeedMap *seeds;
} QualityPicture;

/* PREFIX-photo.png: the photo with its background dimmed, seeds and the mask's border on it.
 * PREFIX-map.png: no pixel of the photo, only flat colours: white and grey for truth, red for
 * background taken for object, blue for object that was missed, green and yellow for the seeds.
 * Errors: FS_EXPORT_ERROR. */
gboolean quality_picture_write (const QualityPicture *picture, FsImage *image, const char *prefix,
                                GError **error);

G_END_DECLS

#endif
