/* SPDX-License-Identifier: MIT */
/* sRGB → CIE L*a*b* (D65) in integers.   Layer: energy.
 *
 * Source: IEC 61966-2-1 (sRGB) and CIE 15 (L*a*b*). Differing from them: the rows of the matrix are
 * scaled so that each sums to the white point exactly, hence a = b = 0 for every grey. All tables
 * are made with integer arithmetic alone, so a colour has the same Lab on every machine. The error
 * against the exact formulas is below 1/10 in each coordinate, most of it the rounding to 1/16.
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_COLOUR_LAB_H
#define FS_ENERGY_COLOUR_LAB_H

#include "solver/link_source.h"
#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* The units in 1 of L, a or b. */
#define FS_LAB_UNIT  16
#define FS_LAB_L_MAX (100 * FS_LAB_UNIT)
/* |a| and |b| never exceed this (sRGB's blue has b = −107.9). */
#define FS_LAB_AB_MAX (128 * FS_LAB_UNIT)

typedef struct {
  int16_t l;    /* 0 … FS_LAB_L_MAX */
  int16_t a, b; /* −FS_LAB_AB_MAX … FS_LAB_AB_MAX, not clipped to any table's range */
} FsLab;

/* Converts n pixels (FS_PIXEL words, alpha ignored). Cost about 5 ns a pixel. */
void fs_lab_from_pixels (const uint32_t *pixels, size_t n, FsLab *out);

/* The same, with each coordinate in a row of its own. */
void fs_lab_channels_from_pixels (const uint32_t *pixels, size_t n, int16_t *l, int16_t *a,
                                  int16_t *b);

/* The conversion as tables for devices, to the same integers. Static storage. */
const FsWordSpace *fs_lab_get_space (void);

/* Squared difference of two colours in squared units (FS_LAB_UNIT² make 1). At most 36.2 million.
 */
static inline int32_t
fs_lab_distance2 (FsLab p, FsLab q)
{
  int32_t l = p.l - q.l, a = p.a - q.a, b = p.b - q.b;
  return l * l + a * a + b * b;
}

G_END_DECLS

#endif
