/* SPDX-License-Identifier: MIT */
/* Computing implicit links and the initial state from a photo and tables (photo_links.h).
 * Layer: solver/kernels.
 *
 * A block computes a tile: first the points of its pixels and of their halo, then, pixel by pixel,
 * links, excess and residuals. An n-link is computed at both of its ends, so that tiles are
 * independent. New t-links are computed the same way, and the differences added to the excess.
 */
#ifndef FS_SOLVER_KERNELS_LINKS_BUILD_H
#define FS_SOLVER_KERNELS_LINKS_BUILD_H

#include "solver/photo_links.h"
#include "solver/kernels/solve/problem.h"

/* A tile with its halo, the pixels around it. */
#define FS_SIDE_WITH_HALO   (FS_SIDE + 2)
#define FS_PIXELS_WITH_HALO (FS_SIDE_WITH_HALO * FS_SIDE_WITH_HALO)

/* Scratch memory of a block: the points of the pixels inside the photo. */
typedef struct {
  uint32_t first_two[FS_PIXELS_WITH_HALO];
  int16_t third[FS_PIXELS_WITH_HALO];
} FsBuildScratch;

/* --- Points and n-links --- */

FS_PHASE int32_t
fs_word_curve (const FsWordSpace *space, int32_t sum)
{
  const int fraction = 30 - FS_CURVE_BITS; /* of which the upper ten bits are enough */
  uint32_t entry = space->curve[sum >> fraction];
  int32_t step = (int32_t)(entry >> 16), rest = (sum & ((1 << fraction) - 1)) >> (fraction - 10);
  return (int32_t)(entry & 0xffffu) + ((step * rest + (1 << 9)) >> 10);
}

FS_PHASE void
fs_word_point (const FsWordSpace *space, uint32_t word, int32_t point[3])
{
  const uint32_t byte[3] = { word >> 16 & 255u, word >> 8 & 255u, word & 255u };
  int32_t f[3];
  FS_UNROLL
  for (int k = 0; k < 3; k++)
    point[k] = (int32_t)byte[k];
  if (space == NULL)
    return;
  FS_UNROLL
  for (int j = 0; j < 3; j++)
    f[j] = fs_word_curve (space, space->term[0][byte[0]][j] + space->term[1][byte[1]][j]
                                     + space->term[2][byte[2]][j]);
  FS_UNROLL
  for (int k = 0; k < 3; k++) {
    const int32_t *row = space->matrix[k];
    int32_t sum = row[0] * f[0] + row[1] * f[1] + row[2] * f[2];
    point[k] = ((sum + (1 << 14)) >> 15) + space->offset[k];
  }
}

FS_PHASE void
fs_build_set_point (const FsPhotoLinks *links, uint32_t word, int i, FsBuildScratch *scratch)
{
  int32_t point[3];
  fs_word_point (links->space, word, point);
  scratch->first_two[i] = ((uint32_t)point[0] & 0xffffu) | (uint32_t)point[1] << 16;
  scratch->third[i] = (int16_t)point[2];
}

/* Makes point i of the tile and its halo, row by row. */
FS_PHASE void
fs_build_point (const FsGridState *grid, const FsPhotoLinks *links, int tile, int i,
                FsBuildScratch *scratch)
{
  int x = tile % grid->tiles_x * FS_SIDE + i % FS_SIDE_WITH_HALO - 1;
  int y = tile / grid->tiles_x * FS_SIDE + i / FS_SIDE_WITH_HALO - 1;
  if (x < 0 || y < 0 || x >= grid->width || y >= grid->height)
    return;
  fs_build_set_point (links, links->words[(size_t)y * grid->width + x], i, scratch);
}

FS_PHASE uint32_t
fs_scale_entry (FsDistanceScale scale, int32_t distance2)
{
  if (scale == FS_SCALE_PLAIN)
    return (uint32_t)distance2;
  uint32_t v = (uint32_t)fs_min_i32 (distance2, (1 << 24) - 257) + 256;
  int octave = fs_highest_bit (v) - 8;
  return ((uint32_t)octave << 8) + (v >> octave) - 256;
}

/* The n-link of two neighbours, given by their places in the scratch memory. */
FS_PHASE uint16_t
fs_build_nlink (const FsPhotoLinks *links, const FsBuildScratch *scratch, int p, int q,
                int is_diagonal)
{
  int32_t x = (int16_t)scratch->first_two[p] - (int16_t)scratch->first_two[q];
  int32_t y = (int16_t)(scratch->first_two[p] >> 16) - (int16_t)(scratch->first_two[q] >> 16);
  int32_t z = scratch->third[p] - scratch->third[q];
  uint32_t entry = fs_scale_entry (links->scale, x * x + y * y + z * z);
  return is_diagonal ? links->diagonal[entry] : links->straight[entry];
}

/* --- T-links --- */

/* FsTlinkTerms on a device, with fixed pixels as bits. */
typedef struct {
  const int16_t *by_word;
  FsCoarsePlane place, pull;
  FsStretchedPlane stretched;
  const uint64_t *previous, *clamped;
  const uint64_t *fixed, *sink; /* fixed pixels, and those on the sink's side; NULL: none */
  int32_t strength;
} FsSentTerms;

/* Packs n bytes into bits of 64-bit words: those that are not 0, and those that are 1. */
static inline void
fs_pack_fixed (const uint8_t *labels, size_t n, uint64_t *fixed, uint64_t *sink)
{
  for (size_t word = 0; word * 64 < n; word++) {
    const uint8_t *label = labels + word * 64;
    size_t end = n - word * 64 < 64 ? n - word * 64 : 64;
    uint8_t any = 0;
    for (size_t i = 0; i < end; i++)
      any |= label[i];
    fixed[word] = sink[word] = 0;
    for (size_t i = 0; any != 0 && i < end; i++) {
      fixed[word] |= (uint64_t)(label[i] != 0) << i;
      sink[word] |= (uint64_t)(label[i] == 1) << i;
    }
  }
}

/* (a·(s − weight) + b·weight) / s with s = 2^(shift + 1), a half rounded up. */
FS_PHASE int32_t
fs_coarse_mix (int32_t a, int32_t b, int weight, int shift)
{
  return a + (int32_t)(((int64_t)(b - a) * weight + (1 << shift)) >> (shift + 1));
}

FS_PHASE int32_t
fs_coarse_value (const FsCoarsePlane *plane, int x, int y)
{
  const int shift = plane->shift, mask = (2 << shift) - 1;
  if (shift == 0)
    return plane->values[(size_t)y * plane->stride + x];
  int u = 2 * x + 1 - (1 << shift), v = 2 * y + 1 - (1 << shift);
  int left = fs_max_i32 (u >> (shift + 1), 0);
  int right = fs_min_i32 ((u >> (shift + 1)) + 1, plane->width - 1);
  const int32_t *upper = plane->values + (size_t)fs_max_i32 (v >> (shift + 1), 0) * plane->stride;
  const int32_t *lower =
      plane->values
      + (size_t)fs_min_i32 ((v >> (shift + 1)) + 1, plane->height - 1) * plane->stride;
  int32_t a = fs_coarse_mix (upper[left], lower[left], v & mask, shift);
  int32_t b = fs_coarse_mix (upper[right], lower[right], v & mask, shift);
  return fs_coarse_mix (a, b, u & mask, shift);
}

FS_PHASE int32_t
fs_stretched_value (const FsStretchedPlane *plane, int x, int y)
{
  const uint32_t u = plane->column[x], v = plane->row[y];
  const int left = (int)(u >> 8), right = fs_min_i32 (left + 1, plane->width - 1);
  const int32_t far = (int32_t)(u & 255u), below = (int32_t)(v & 255u);
  const int16_t *upper = plane->values + (size_t)(v >> 8) * plane->width;
  const int16_t *lower =
      plane->values + (size_t)fs_min_i32 ((int)(v >> 8) + 1, plane->height - 1) * plane->width;
  int32_t a = upper[left] * (256 - below) + lower[left] * below;
  int32_t b = upper[right] * (256 - below) + lower[right] * below;
  return (a * (256 - far) + b * far + (1 << 15)) >> 16;
}

/* The index of a word in FsTlinkTerms.by_word. */
FS_PHASE uint32_t
fs_word_bin (uint32_t word)
{
  return (word >> 6 & 0x3f000u) | (word >> 4 & 0xfc0u) | (word >> 2 & 0x3fu);
}

FS_PHASE int
fs_terms_bit (const uint64_t *bits, size_t pixel)
{
  return (int)(bits[pixel / 64] >> pixel % 64 & 1u);
}

FS_PHASE int32_t
fs_terms_pull (const FsSentTerms *terms, size_t pixel, int x, int y)
{
  int32_t pull = (fs_coarse_value (&terms->pull, x, y) + 8) >> 4;
  return fs_terms_bit (terms->previous, pixel) ? pull : -(pull + pull / 4);
}

/* Returns whether the pixel's t-link depends on the sum of its n-links. */
FS_PHASE int
fs_terms_need_sum (const FsSentTerms *terms, size_t pixel)
{
  if (terms->fixed != NULL && fs_terms_bit (terms->fixed, pixel))
    return terms->strength == 0;
  return terms->clamped != NULL && fs_terms_bit (terms->clamped, pixel);
}

/* The t-link of a pixel inside the photo. `sum`: one more than all its n-links. */
FS_PHASE int32_t
fs_terms_tlink (const FsSentTerms *terms, uint32_t word, size_t pixel, int x, int y, int32_t sum)
{
  int32_t strength = terms->strength > 0 ? terms->strength : sum;
  if (terms->fixed != NULL && fs_terms_bit (terms->fixed, pixel))
    return fs_terms_bit (terms->sink, pixel) ? -strength : strength;
  if (terms->clamped != NULL && fs_terms_bit (terms->clamped, pixel))
    return fs_terms_bit (terms->previous, pixel) ? sum : -sum;
  int32_t t = terms->by_word[fs_word_bin (word)];
  if (terms->place.values != NULL)
    t += (fs_coarse_value (&terms->place, x, y) + 8) >> 4;
  if (terms->stretched.values != NULL)
    t += fs_stretched_value (&terms->stretched, x, y);
  return terms->pull.values != NULL ? t + fs_terms_pull (terms, pixel, x, y) : t;
}

/* --- A pixel of a tile --- */

/* The capacity of an arc with a given n-link; as fs_star_capacity(). */
FS_PHASE uint16_t
fs_build_capacity (const FsProblem *problem, size_t pixel, size_t there, int direction,
                   uint16_t nlink)
{
  if (problem->star != NULL && problem->star[pixel] == direction
      && problem->star[there] != (direction ^ 4))
    return (uint16_t)(65535 - nlink);
  return nlink;
}

/* Computes the n-links and residuals of pixel `at` of a tile, which lies in the photo. Returns one
 * more than the sum of the n-links; `bits` gets a bit for each arc with capacity. */
FS_PHASE int32_t
fs_build_arcs (const FsGridState *grid, int n_arcs, const FsProblem *problem,
               const FsPhotoLinks *links, const FsBuildScratch *scratch, int tile, int at,
               uint32_t *bits)
{
  int x = tile % grid->tiles_x * FS_SIDE + at % FS_SIDE;
  int y = tile / grid->tiles_x * FS_SIDE + at / FS_SIDE;
  size_t pixel = (size_t)y * grid->width + x, place = (size_t)tile * FS_TILE_PIXELS + at;
  int here = (at / FS_SIDE + 1) * FS_SIDE_WITH_HALO + at % FS_SIDE + 1;
  int32_t sum = 1;
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++) {
    int direction = fs_arc_direction (n_arcs, arc);
    int dx = fs_arc_dx (8, direction), dy = fs_arc_dy (8, direction);
    uint16_t nlink = 0, capacity = 0;
    if (x + dx >= 0 && y + dy >= 0 && x + dx < grid->width && y + dy < grid->height) {
      size_t there = (size_t)(y + dy) * grid->width + (x + dx);
      nlink = fs_build_nlink (links, scratch, here, here + dy * FS_SIDE_WITH_HALO + dx,
                              dx != 0 && dy != 0);
      capacity = fs_build_capacity (problem, pixel, there, direction, nlink);
    }
    sum += nlink;
    if (direction < 4)
      problem->nlink[direction][pixel] = nlink;
    grid->residual[fs_grid_residual_place (grid, place, arc)] = capacity;
    *bits |= capacity > 0 ? 1u << arc : 0;
  }
  return sum;
}

/* Computes pixel `at` of a tile; returns bits as fs_problem_start(). */
FS_PHASE uint32_t
fs_build_pixel (const FsGridState *grid, int n_arcs, const FsProblem *problem,
                const FsPhotoLinks *links, const FsSentTerms *terms, const FsBuildScratch *scratch,
                int tile, int at)
{
  int x = tile % grid->tiles_x * FS_SIDE + at % FS_SIDE;
  int y = tile / grid->tiles_x * FS_SIDE + at / FS_SIDE;
  size_t pixel = (size_t)y * grid->width + x, place = (size_t)tile * FS_TILE_PIXELS + at;
  uint32_t bits = 0;
  int32_t tlink = 0;
  if (x < grid->width && y < grid->height) {
    int32_t sum = fs_build_arcs (grid, n_arcs, problem, links, scratch, tile, at, &bits);
    tlink = fs_terms_tlink (terms, links->words[pixel], pixel, x, y, sum);
    problem->tlink[pixel] = tlink;
  } else {
    for (int arc = 0; arc < n_arcs; arc++)
      grid->residual[fs_grid_residual_place (grid, place, arc)] = 0;
  }
  grid->excess[place] = tlink;
  return bits | (tlink < 0 ? FS_START_DEFICIT : tlink > 0 ? FS_START_EXCESS : 0);
}

/* --- New terms --- */

/* One more than the sum of a pixel's n-links in the planes. */
FS_PHASE int32_t
fs_remake_sum (const FsGridState *grid, const FsProblem *problem, size_t pixel, int x, int y)
{
  int32_t sum = 1;
  for (int arc = 0; arc < grid->n_arcs; arc++) {
    int direction = fs_arc_direction (grid->n_arcs, arc);
    int to_x = x + fs_arc_dx (8, direction), to_y = y + fs_arc_dy (8, direction);
    if (to_x >= 0 && to_y >= 0 && to_x < grid->width && to_y < grid->height)
      sum += fs_plane_capacity (grid, problem, pixel, direction);
  }
  return sum;
}

/* Sets the t-link of a pixel that becomes fixed; `strength` as in FsTlinkTerms. Several threads may
 * do so for the same pixel. */
FS_PHASE void
fs_fix_pixel (const FsGridState *grid, const FsProblem *problem, int32_t strength, size_t pixel,
              int to_sink)
{
  int x = (int)(pixel % (uint32_t)grid->width), y = (int)(pixel / (uint32_t)grid->width);
  int32_t tlink = strength > 0 ? strength : fs_remake_sum (grid, problem, pixel, x, y);
  fs_problem_change_tlink (grid, problem, (uint32_t)pixel, to_sink ? -tlink : tlink);
}

/* Recomputes the t-link of pixel `at` of a tile from the terms, and adds the difference to its
 * excess. Returns whether there is one. The caller updates the bits of the excess. */
FS_PHASE int
fs_remake_pixel (const FsGridState *grid, const FsProblem *problem, const FsPhotoLinks *links,
                 const FsSentTerms *terms, int tile, int at)
{
  int x = tile % grid->tiles_x * FS_SIDE + at % FS_SIDE;
  int y = tile / grid->tiles_x * FS_SIDE + at / FS_SIDE;
  if (x >= grid->width || y >= grid->height)
    return 0;
  size_t pixel = (size_t)y * grid->width + x;
  int32_t sum = fs_terms_need_sum (terms, pixel) ? fs_remake_sum (grid, problem, pixel, x, y) : 0;
  int32_t old = problem->tlink[pixel];
  int32_t tlink = fs_terms_tlink (terms, links->words[pixel], pixel, x, y, sum);
  if (tlink == old)
    return 0;
  problem->tlink[pixel] = tlink;
  grid->excess[(size_t)tile * FS_TILE_PIXELS + at] += tlink - old;
  return 1;
}

#endif
