/* SPDX-License-Identifier: MIT */
#include "energy/colour/lab.h"

#include "energy/image/image.h"
#include "energy/image/target_clones.h"

#include <string.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#define LINEAR_BITS 16 /* linear light: 1 is 2^16 */
#define MATRIX_BITS 14
#define SUM_BITS    (LINEAR_BITS + MATRIX_BITS)
#define ROOT_BITS   15 /* values of f */
#define INDEX_BITS  12 /* entries of f's table; between them it is linear */
#define FRACTION    (SUM_BITS - INDEX_BITS)

/* L = 116·f(Y) − 16, a = 500·(f(X) − f(Y)), b = 200·(f(Y) − f(Z)). */
enum {
  L_SCALE = 116 * FS_LAB_UNIT,
  L_OFFSET = 16 * FS_LAB_UNIT,
  A_SCALE = 500 * FS_LAB_UNIT,
  B_SCALE = 200 * FS_LAB_UNIT
};

typedef struct {
  int32_t x, y, z; /* one channel's term of X/Xn, Y/Yn, Z/Zn; 1 is 2^SUM_BITS */
  int32_t none;
} Term;

typedef struct {
  Term term[3][256];
  uint32_t root[(1 << INDEX_BITS) + 1]; /* f, and above 16 bits the step to the next entry */
} Tables;

/* IEC 61966-2-1's matrix, each row divided by its sum. */
static const int32_t MATRIX[3][3] = { { 7110, 6164, 3110 },
                                      { 3484, 11717, 1183 },
                                      { 291, 1793, 14300 } };

static uint64_t
multiply_30 (uint64_t a, uint64_t b)
{
  return (a * b) >> 30;
}

/* The largest r with r^5 ≤ v; 1 is 2^30, v ≤ 1. */
static uint64_t
fifth_root_30 (uint64_t v)
{
  uint64_t r = 0;
  for (uint64_t bit = (uint64_t)1 << 30; bit; bit >>= 1) {
    uint64_t t = r | bit, t2 = multiply_30 (t, t);
    if (t <= (uint64_t)1 << 30 && multiply_30 (multiply_30 (t2, t2), t) <= v)
      r = t;
  }
  return r;
}

/* sRGB's transfer function. t^2.4 is t² times the fifth root of t². */
static int32_t
linear_light (uint64_t v)
{
  if (v <= 10)
    return (int32_t)((v * 200 * (1 << LINEAR_BITS) + 255 * 1292) / (2 * 255 * 1292));
  uint64_t t = ((1000 * v + 55 * 255) << 30) / (1055 * 255);
  uint64_t t2 = multiply_30 (t, t);
  uint64_t lin = multiply_30 (t2, fifth_root_30 (t2));
  return (int32_t)((lin + (1 << (29 - LINEAR_BITS))) >> (30 - LINEAR_BITS));
}

/* CIE's f of i / 2^INDEX_BITS: the cube root, and a straight line below (6/29)³. */
static int32_t
cie_root (uint64_t i, uint64_t start)
{
  if (i * 29 * 29 * 29 <= (uint64_t)(6 * 6 * 6) << INDEX_BITS)
    return (int32_t)((((i << (ROOT_BITS - INDEX_BITS)) * 841 * 29)
                      + ((uint64_t)4 * 108 << ROOT_BITS) + 108 * 29 / 2)
                     / (108 * 29));
  uint64_t f = start, cube = i << (3 * ROOT_BITS - INDEX_BITS);
  while ((2 * f + 1) * (2 * f + 1) * (2 * f + 1) <= 8 * cube)
    f++;
  return (int32_t)f;
}

static Tables *
tables_new (void)
{
  Tables *tables = g_new (Tables, 1);
  for (int v = 0; v < 256; v++) {
    int32_t lin = linear_light ((uint64_t)v);
    for (int c = 0; c < 3; c++)
      tables->term[c][v] = (Term){ lin * MATRIX[0][c], lin * MATRIX[1][c], lin * MATRIX[2][c], 0 };
  }
  uint64_t f = 0;
  for (uint64_t i = 0; i <= 1 << INDEX_BITS; i++) {
    uint64_t next = (uint64_t)cie_root (i, f);
    if (i > 0)
      tables->root[i - 1] |= (uint32_t)(next - f) << 16;
    tables->root[i] = (uint32_t)next;
    f = next;
  }
  return tables;
}

static const Tables *
get_tables (void)
{
  static const Tables *tables;
  if (g_once_init_enter (&tables))
    g_once_init_leave (&tables, tables_new ());
  return tables;
}

/* Its numbers of bits are those of solver/photo_links.h. */
G_STATIC_ASSERT (SUM_BITS == 30 && ROOT_BITS == 15 && INDEX_BITS == FS_CURVE_BITS);
G_STATIC_ASSERT (sizeof (Term) == sizeof (int32_t[4]));

static FsWordSpace *
space_new (void)
{
  const Tables *tables = get_tables ();
  FsWordSpace *space = g_new0 (FsWordSpace, 1);
  memcpy (space->term, tables->term, sizeof space->term);
  memcpy (space->curve, tables->root, sizeof space->curve);
  const int32_t matrix[3][3] = { { 0, L_SCALE, 0 },
                                 { A_SCALE, -A_SCALE, 0 },
                                 { 0, B_SCALE, -B_SCALE } };
  memcpy (space->matrix, matrix, sizeof matrix);
  space->offset[0] = -L_OFFSET;
  return space;
}

const FsWordSpace *
fs_lab_get_space (void)
{
  static const FsWordSpace *space;
  if (g_once_init_enter (&space))
    g_once_init_leave (&space, space_new ());
  return space;
}

/* --- pixels --- */

static inline int32_t
root (const Tables *tables, int32_t sum)
{
  uint32_t root = tables->root[sum >> FRACTION];
  int32_t step = (int32_t)(root >> 16), rest = (sum & ((1 << FRACTION) - 1)) >> 8;
  return (int32_t)(root & 0xffff) + ((step * rest + (1 << (FRACTION - 9))) >> (FRACTION - 8));
}

static inline FsLab
convert (const Tables *tables, uint32_t pixel)
{
  const int32_t half = 1 << (ROOT_BITS - 1);
  const Term *r = &tables->term[0][FS_PIXEL_R (pixel)];
  const Term *g = &tables->term[1][FS_PIXEL_G (pixel)];
  const Term *b = &tables->term[2][FS_PIXEL_B (pixel)];
  int32_t x = root (tables, r->x + g->x + b->x);
  int32_t y = root (tables, r->y + g->y + b->y);
  int32_t z = root (tables, r->z + g->z + b->z);
  return (FsLab){ (int16_t)(((L_SCALE * y + half) >> ROOT_BITS) - L_OFFSET),
                  (int16_t)((A_SCALE * (x - y) + half) >> ROOT_BITS),
                  (int16_t)((B_SCALE * (y - z) + half) >> ROOT_BITS) };
}

#ifdef __x86_64__
/* f of four sums, as root. */
static inline __m128i
root_of_four (const Tables *tables, __m128i sums)
{
  __m128i index = _mm_srli_epi32 (sums, FRACTION);
  __m128i rest = _mm_srli_epi32 (_mm_slli_epi32 (sums, 32 - FRACTION), 32 - FRACTION + 8);
  uint64_t low = (uint64_t)_mm_cvtsi128_si64 (index);
  uint64_t high = (uint64_t)_mm_cvtsi128_si64 (_mm_unpackhi_epi64 (index, index));
  __m128i root = _mm_set_epi32 ((int)tables->root[high >> 32], (int)tables->root[(uint32_t)high],
                                (int)tables->root[low >> 32], (int)tables->root[(uint32_t)low]);
  __m128i more = _mm_madd_epi16 (_mm_srli_epi32 (root, 16), rest);
  more = _mm_srai_epi32 (_mm_add_epi32 (more, _mm_set1_epi32 (1 << (FRACTION - 9))), FRACTION - 8);
  return _mm_add_epi32 (_mm_and_si128 (root, _mm_set1_epi32 (0xffff)), more);
}

/* `difference` has 16 bits with the sign. */
static inline __m128i
scale_four (__m128i difference, int32_t scale)
{
  __m128i scaled = _mm_madd_epi16 (difference, _mm_set1_epi32 (scale));
  return _mm_srai_epi32 (_mm_add_epi32 (scaled, _mm_set1_epi32 (1 << (ROOT_BITS - 1))), ROOT_BITS);
}

static inline __m128i
sums_of (const Tables *tables, uint32_t pixel)
{
  const __m128i *r = (const void *)&tables->term[0][FS_PIXEL_R (pixel)];
  const __m128i *g = (const void *)&tables->term[1][FS_PIXEL_G (pixel)];
  const __m128i *b = (const void *)&tables->term[2][FS_PIXEL_B (pixel)];
  return _mm_add_epi32 (_mm_add_epi32 (_mm_loadu_si128 (r), _mm_loadu_si128 (g)),
                        _mm_loadu_si128 (b));
}

/* L, a and b of four pixels. */
static inline void
convert_four (const Tables *tables, const uint32_t *pixels, __m128i lab[3])
{
  __m128i p0 = sums_of (tables, pixels[0]), p1 = sums_of (tables, pixels[1]);
  __m128i p2 = sums_of (tables, pixels[2]), p3 = sums_of (tables, pixels[3]);
  __m128i xy01 = _mm_unpacklo_epi32 (p0, p1), xy23 = _mm_unpacklo_epi32 (p2, p3);
  __m128i z01 = _mm_unpackhi_epi32 (p0, p1), z23 = _mm_unpackhi_epi32 (p2, p3);
  __m128i x = root_of_four (tables, _mm_unpacklo_epi64 (xy01, xy23));
  __m128i y = root_of_four (tables, _mm_unpackhi_epi64 (xy01, xy23));
  __m128i z = root_of_four (tables, _mm_unpacklo_epi64 (z01, z23));
  /* f itself has 16 bits with the sign less ½. */
  lab[0] = scale_four (_mm_sub_epi32 (y, _mm_set1_epi32 (1 << (ROOT_BITS - 1))), L_SCALE);
  lab[0] = _mm_add_epi32 (lab[0], _mm_set1_epi32 (L_SCALE / 2 - L_OFFSET));
  lab[1] = scale_four (_mm_sub_epi32 (x, y), A_SCALE);
  lab[2] = scale_four (_mm_sub_epi32 (y, z), B_SCALE);
}

static inline void
store_eight (const Tables *tables, const uint32_t *pixels, int16_t *l, int16_t *a, int16_t *b)
{
  __m128i first[3], second[3];
  convert_four (tables, pixels, first);
  convert_four (tables, pixels + 4, second);
  _mm_storeu_si128 ((void *)l, _mm_packs_epi32 (first[0], second[0]));
  _mm_storeu_si128 ((void *)a, _mm_packs_epi32 (first[1], second[1]));
  _mm_storeu_si128 ((void *)b, _mm_packs_epi32 (first[2], second[2]));
}
#endif

void
fs_lab_from_pixels (const uint32_t *pixels, size_t n, FsLab *out)
{
  const Tables *tables = get_tables ();
  for (size_t i = 0; i < n; i++)
    out[i] = convert (tables, pixels[i]);
}

FS_TARGET_CLONES static void
convert_row (const Tables *tables, const uint32_t *pixels, size_t n, int16_t *l, int16_t *a,
             int16_t *b)
{
  size_t i = 0;
#ifdef __x86_64__
  for (; i + 8 <= n; i += 8)
    store_eight (tables, pixels + i, l + i, a + i, b + i);
#endif
  for (; i < n; i++) {
    FsLab lab = convert (tables, pixels[i]);
    l[i] = lab.l;
    a[i] = lab.a;
    b[i] = lab.b;
  }
}

void
fs_lab_channels_from_pixels (const uint32_t *pixels, size_t n, int16_t *l, int16_t *a, int16_t *b)
{
  convert_row (get_tables (), pixels, n, l, a, b);
}
