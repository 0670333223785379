/* SPDX-License-Identifier: MIT */
/* Tables from which a photo's links are computed.   Layer: solver (value header).
 *
 * Plain C, since engines of devices include it too.
 *
 * A photo has one 32-bit word a pixel; the meaning of its bytes is not known here. An n-link is the
 * entry of a table for the distance of two neighbouring words. A t-link is the entry of a table for
 * the word plus the values of three smaller planes at the pixel. So a device can compute all links
 * of a photo that it has, and new t-links when only tables change.
 *
 * Points. A word stands for a point with three coordinates: its lower three bytes, the highest
 * first; or, with an FsWordSpace, f applied to three sums over the bytes, and a linear map:
 *
 *   s_j = Σ_c term[c][byte_c][j]                     0 ≤ s_j ≤ 2^30
 *   f_j = the curve at s_j, linear between entries    16 bits
 *   x_k = ((Σ_j matrix[k][j]·f_j + 2^14) >> 15) + offset[k]
 *
 * The sum of the three squared differences, which stays below 2^26, is the index of a table's
 * entry; or, by octaves, it has one entry for each value below 256, and then 256 an octave, up to
 * 4,095.
 *
 * Threads: plain data; nothing may change while a call reads it.
 */
#ifndef FS_SOLVER_PHOTO_LINKS_H
#define FS_SOLVER_PHOTO_LINKS_H

#include <stdint.h>

#define FS_CURVE_BITS 12
#define FS_WORD_BINS  (1 << 18) /* by the upper six bits of each of the three bytes */

typedef struct {
  __attribute__ ((aligned (16))) int32_t term[3][256][4]; /* the fourth is 0 */
  uint32_t curve[(1 << FS_CURVE_BITS) + 1]; /* lower half: f; upper: the step to the next entry */
  int32_t matrix[3][3];
  int32_t offset[3];
} FsWordSpace;

typedef enum { FS_SCALE_PLAIN, FS_SCALE_OCTAVES } FsDistanceScale;

/* Tables from which n-links are computed. */
typedef struct {
  const uint32_t *words;    /* [H·W]                               */
  const FsWordSpace *space; /* NULL: the bytes are the coordinates */
  FsDistanceScale scale;    /* of the squared distance             */
  uint32_t n_entries;       /* of either table                     */
  const uint16_t *straight; /* n-links to the E and S neighbours   */
  const uint16_t *diagonal; /* n-links to SE and SW                */
} FsPhotoLinks;

/* A value for every block of 2^shift × 2^shift pixels, interpolated linearly between the blocks'
 * centres and constant beyond the outermost ones: first between two rows, rounded, then between two
 * columns, rounded; a half is rounded up. */
typedef struct {
  const int32_t *values; /* [height · stride], of each row the first `width` count; NULL: all 0 */
  int shift, width, height, stride;
} FsCoarsePlane;

/* A plane of any size, stretched over the photo. Pixel (x, y) lies at (column[x], row[y]) of the
 * plane, in units of 1/256; its value is interpolated bilinearly and rounded once, a half up.
 * Values are below 2^14 in magnitude. */
typedef struct {
  const int16_t *values; /* [height · width]; NULL: all 0 */
  int width, height;
  int photo_width, photo_height;
  const uint32_t *column, *row; /* [photo_width], at most 256·(width − 1); [photo_height] */
} FsStretchedPlane;

/* Tables from which t-links are computed. The first line that applies to a pixel:
 *
 *   fixed     ± strength, or ± (1 + the sum of its n-links); by its side
 *   clamped   ± (1 + the sum of its n-links), by its side in the previous mask
 *   else      by_word[bin] + round (place / 16) + stretched + its pull, which is round (pull / 16)
 *             where its previous side is the source's, else that and a quarter of it, negative
 */
typedef struct {
  const int16_t *by_word; /* [FS_WORD_BINS] */
  FsCoarsePlane place, pull;
  FsStretchedPlane stretched;
  const uint64_t *previous; /* a bit a pixel, 1 for the source's side; NULL without a pull */
  const uint64_t *clamped;  /* a bit a pixel; NULL: none */
  const uint8_t *fixed; /* [H·W] 0: no, 1: to the sink's side, else to the source's; NULL: none */
  int32_t strength;     /* 0: by n-links */
} FsTlinkTerms;

/* Consecutive pixels of a plane that become fixed, as in FsTlinkTerms. */
typedef struct FsFixedSpan {
  uint32_t first;
  uint16_t n;
  uint16_t to_sink; /* 1: to the sink's side, 0: to the source's */
} FsFixedSpan;

#define FS_FIXED_SPAN_MAX 65535 /* pixels */

/* --- A band ---
 *
 * Of a frame's window only a band is cut, in the tiles that contain some of it. Each tile comes
 * with its halo of pixels, FS_BAND_SIDE_WITH_HALO² words and as many marks, row by row. A mark
 * below FS_BAND_SINK is a pixel of the band: 2·i + s, with the t-link by_word[bin] + pull[i] where
 * s is 1, by_word[bin] − pull[i] where it is 0. Other pixels are fixed, or FS_BAND_NOWHERE, whose
 * words are not read; n-links to fixed pixels are added to their neighbours' t-links.
 */
#define FS_BAND_TILE           32
#define FS_BAND_SIDE_WITH_HALO (FS_BAND_TILE + 2)
#define FS_BAND_SINK           65533
#define FS_BAND_SOURCE         65534
#define FS_BAND_NOWHERE        65535
#define FS_BAND_PULLS          (FS_BAND_SINK / 2) /* at most */

/* The distances of words, for all bands. */
typedef struct {
  const FsWordSpace *space; /* NULL: the bytes are the coordinates */
  FsDistanceScale scale;
  uint32_t n_entries;
} FsBandSpace;

typedef struct {
  uint32_t *words;    /* [n_tiles][FS_BAND_SIDE_WITH_HALO²]                              */
  uint16_t *marks;    /* [n_tiles][FS_BAND_SIDE_WITH_HALO²]                              */
  int32_t *neighbour; /* [n_tiles][9]: the tiles around, itself the fifth, −1: none */
  int16_t *by_word;   /* [FS_WORD_BINS]                                          */
  int16_t *pull;      /* [n_pulls]                                               */
  uint16_t *straight; /* [n_entries] as in FsPhotoLinks                          */
  uint16_t *diagonal;
} FsBandTiles;

#endif
