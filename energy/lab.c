/* SPDX-License-Identifier: MIT */
#include "energy/lab.h"

#include "energy/image.h"

#define LINEAR_BITS 16 /* linear light: 1 is 2^16 */
#define MATRIX_BITS 14
#define SUM_BITS    (LINEAR_BITS + MATRIX_BITS)
#define ROOT_BITS   15 /* values of f */
#define INDEX_BITS  12 /* entries of f's table; between them it is linear */
#define FRACTION    (SUM_BITS - INDEX_BITS)

typedef struct {
  int32_t x, y, z; /* what one channel adds to X/Xn, Y/Yn, Z/Zn; 1 is 2^SUM_BITS */
} Share;

typedef struct {
  Share share[3][256];
  int32_t root[(1 << INDEX_BITS) + 2];
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
      tables->share[c][v] = (Share){ lin * MATRIX[0][c], lin * MATRIX[1][c], lin * MATRIX[2][c] };
  }
  uint64_t f = 0;
  for (uint64_t i = 0; i <= 1 << INDEX_BITS; i++)
    f = (uint64_t)(tables->root[i] = cie_root (i, f));
  tables->root[(1 << INDEX_BITS) + 1] = tables->root[1 << INDEX_BITS];
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

static inline int32_t
root (const Tables *tables, int32_t sum)
{
  int32_t i = sum >> FRACTION;
  int32_t rest = sum & ((1 << FRACTION) - 1);
  int32_t step = tables->root[i + 1] - tables->root[i];
  return tables->root[i] + ((step * (rest >> 8) + (1 << (FRACTION - 9))) >> (FRACTION - 8));
}

void
fs_lab_from_pixels (const uint32_t *pixels, size_t n, FsLab *out)
{
  const Tables *tables = get_tables ();
  const int32_t half = 1 << (ROOT_BITS - 1);
  for (size_t i = 0; i < n; i++) {
    const Share *r = &tables->share[0][FS_PIXEL_R (pixels[i])];
    const Share *g = &tables->share[1][FS_PIXEL_G (pixels[i])];
    const Share *b = &tables->share[2][FS_PIXEL_B (pixels[i])];
    int32_t x = root (tables, r->x + g->x + b->x);
    int32_t y = root (tables, r->y + g->y + b->y);
    int32_t z = root (tables, r->z + g->z + b->z);
    out[i].l = (int16_t)(((116 * FS_LAB_UNIT * y + half) >> ROOT_BITS) - 16 * FS_LAB_UNIT);
    out[i].a = (int16_t)((500 * FS_LAB_UNIT * (x - y) + half) >> ROOT_BITS);
    out[i].b = (int16_t)((200 * FS_LAB_UNIT * (y - z) + half) >> ROOT_BITS);
  }
}
