/* SPDX-License-Identifier: MIT */
/* Links that follow from a photo, told in tables.   Layer: solver (value header).
 *
 * Plain C, for engines of devices include it too.
 *
 * A photo is a 32-bit word a pixel; of what its bytes mean nothing is known here. An n-link is a
 * table's entry for the distance of two neighbouring words, a t-link the sum of a table's entry for
 * the word and of what three smaller planes say of the place. So a device can make all links of a
 * photo that it holds, and new t-links where only tables have changed.
 *
 * Points. A word stands for a point of three coordinates: its lower three bytes, the highest first;
 * or, in a space of its own, f applied to three sums of what each byte adds, and a linear map:
 *
 *   s_j = Σ_c term[c][byte_c][j]                     0 ≤ s_j ≤ 2^30
 *   f_j = the curve at s_j, linear between entries    16 bits
 *   x_k = ((Σ_j matrix[k][j]·f_j + 2^14) >> 15) + offset[k]
 *
 * The sum of the three squared differences, which stays below 2^26, has an entry: itself, or by
 * octaves: every one below 256 for itself, and then 256 an octave, up to 4,095.
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

/* What n-links follow from. */
typedef struct {
  const uint32_t *words;    /* [H·W]                               */
  const FsWordSpace *space; /* NULL: the bytes are the coordinates */
  FsDistanceScale scale;    /* of the squared distance             */
  uint32_t n_entries;       /* of either table                     */
  const uint16_t *straight; /* the n-link of each entry: with E and S, … */
  const uint16_t *diagonal; /* … and with SE and SW                */
} FsPhotoLinks;

/* A value for every block of 2^shift × 2^shift pixels. Between the middles of blocks it is linear,
 * beyond the outermost ones constant: first the two rows are mixed and rounded, then the two
 * columns; a half is rounded up. */
typedef struct {
  const int32_t *values; /* [height · stride], of each row the first `width` count; NULL: all 0 */
  int shift, width, height, stride;
} FsCoarsePlane;

/* A plane of any size, stretched over the photo. Pixel (x, y) lies at column[x] and row[y] among
 * the plane's, in 1/256, and has what is linear between the four around it, rounded once, a half
 * up. Values are below 2^14 in magnitude. */
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

/* Pixels side by side in the order of the plane that become fixed, as FsTlinkTerms has it. */
typedef struct FsFixedSpan {
  uint32_t first;
  uint16_t n;
  uint16_t to_sink; /* 1: to the sink's side, 0: to the source's */
} FsFixedSpan;

#define FS_FIXED_SPAN_MAX 65535 /* pixels */

/* --- A band ---
 *
 * Of a frame's window a band alone is cut, in the tiles that hold some of it. Each comes with the
 * halo of pixels around it, FS_BAND_SIDE_WITH_HALO² words and as many marks, row by row. A mark
 * below FS_BAND_SINK is of the band: 2·i + s, and the pixel's t-link by_word[bin] + pull[i] where s
 * is 1, by_word[bin] − pull[i] where it is 0. Beyond the band pixels are fixed, or nowhere at all,
 * where words are not read; n-links to those that are fixed are added to the t-links beside them.
 */
#define FS_BAND_TILE           32
#define FS_BAND_SIDE_WITH_HALO (FS_BAND_TILE + 2)
#define FS_BAND_SINK           65533
#define FS_BAND_SOURCE         65534
#define FS_BAND_NOWHERE        65535
#define FS_BAND_PULLS          (FS_BAND_SINK / 2) /* at most */

/* Of what follows from words everywhere: that they are points, and how far apart. */
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
