/* SPDX-License-Identifier: MIT */
/* The pictures that a subject finder is given: the photo as it is shown, and its strokes.
 * Layer: app.
 *
 * Whatever the photo's file is like (rotated by Exif, raw, 16 bits, transparent), a finder gets an
 * upright PNG of 8-bit red, green and blue, so that all programs read it alike. Networks use 320 to
 * 1,280 pixels a side: a photo with a side longer than FS_FINDER_MAX_SIDE_PX is reduced to that, by
 * box averages.
 *
 * Threads: any.
 */
#ifndef FS_APP_FINDER_FINDER_PICTURES_H
#define FS_APP_FINDER_FINDER_PICTURES_H

#include "energy/image/image.h"
#include <gio/gio.h>

G_BEGIN_DECLS

#define FS_FINDER_MAX_SIDE_PX 2048

typedef struct {
  int width, height;
  uint8_t *rgb;    /* [height · width · 3]; transparent pixels are over white        */
  uint8_t *labels; /* [height · width] the seeds' numbers, 0: none; NULL: no strokes */
} FsFinderPictures;

/* `marks`: width·height labels as painted, or NULL for none; read only `with_strokes`. A reduced
 * stroke is never thinner than a pixel; of several labels in a pixel the most frequent one is
 * taken. FALSE where memory is short. */
gboolean fs_finder_pictures_init (FsFinderPictures *pictures, const FsImage *image,
                                  const uint8_t *marks, gboolean with_strokes);
void fs_finder_pictures_clear (FsFinderPictures *pictures);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsFinderPictures, fs_finder_pictures_clear)

/* Write a PNG: of red, green and blue; of the labels, as grey. Errors: G_FILE_ERROR. */
gboolean fs_finder_pictures_write_photo (const FsFinderPictures *pictures, const char *path,
                                         GError **error);
gboolean fs_finder_pictures_write_strokes (const FsFinderPictures *pictures, const char *path,
                                           GError **error);

G_END_DECLS

#endif
