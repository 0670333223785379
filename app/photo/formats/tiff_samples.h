/* SPDX-License-Identifier: MIT */
/* Unpacking of TIFF samples: any number of bits, inverted greys, palettes.
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
  guint to_bits;         /* 8 or 16: of the result, in which the range is scaled       */
  guint n_samples;       /* of a pixel, in the file; 1 in a plane of its own           */
  gboolean is_inverted;  /* the first sample of a pixel is 0 where it is white         */
  const guint16 *map[3]; /* red, green and blue of each index, or NULL: no palette     */
  gboolean is_map_brief; /* its entries are of 8 bits                                  */
} FsTiffPacking;

/* TRUE if samples with this number of bits can be unpacked. */
gboolean fs_tiff_packing_takes (guint bits);

/* The number of samples of a pixel in the result. */
guint fs_tiff_packing_count (const FsTiffPacking *packing);

/* Unpacks a row of `n_pixels` of libtiff into fs_tiff_packing_count() samples a pixel. */
void fs_tiff_packing_spread (const FsTiffPacking *packing, const guint8 *row, gsize n_pixels,
                             guint8 *to);

G_END_DECLS

#endif
