/* SPDX-License-Identifier: MIT */
/* Samples of a TIFF that are not whole bytes or not brightness: spread to 8 or 16 bits each.
 * Layer: app, private to tiff.c.
 *
 * Source: TIFF 6.0, sections 3 to 5 and 8. Whole numbers of 1 to 16, 24 and 32 bits, rows begin
 * with a byte; greys that count from white, and colours of a palette.
 */
#ifndef FS_APP_PHOTO_FORMATS_TIFF_SAMPLES_H
#define FS_APP_PHOTO_FORMATS_TIFF_SAMPLES_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint bits;            /* of a sample, in the file                                   */
  guint to_bits;         /* 8 or 16, what it becomes: its share of the greatest number */
  guint n_samples;       /* of a pixel, in the file; 1 in a plane of its own           */
  gboolean is_inverted;  /* the first sample of a pixel is 0 where it is white         */
  const guint16 *map[3]; /* red, green and blue of each index, or NULL: no palette     */
  gboolean is_map_brief; /* its entries are of 8 bits                                  */
} FsTiffPacking;

/* Returns whether samples of so many bits can be spread. */
gboolean fs_tiff_packing_takes (guint bits);

/* The number of samples a pixel then. */
guint fs_tiff_packing_count (const FsTiffPacking *packing);

/* A row of `n_pixels`, unpacked by libtiff, into as many times fs_tiff_packing_count() samples. */
void fs_tiff_packing_spread (const FsTiffPacking *packing, const guint8 *row, gsize n_pixels,
                             guint8 *to);

G_END_DECLS

#endif
