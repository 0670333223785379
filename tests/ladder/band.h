/* SPDX-License-Identifier: MIT */
/* Phases that make levels, and the list of a band.
 *
 * Lattari 2010, section 5.4. A level keeps every other pixel in either direction. The thesis takes
 * its n-links from the smaller image; there is no image here, and the weaker of the two links on
 * the way from one kept pixel to the next stands for them. The band: the blocks of the coarse
 * pixels on either side of the coarse cut, grown by the dilation. Outside it the coarse labels
 * stay; what a pixel outside costs or saves a neighbour in the band is added to the neighbour's
 * t-link, which is the same as a hard seed there.
 */
#ifndef FS_LADDER_BAND_H
#define FS_LADDER_BAND_H

#include "tests/ladder/state.h"

/* A thread per coarse pixel. */
FS_PHASE void
fs_ladder_coarsen (const FsLadderCoarsening *level, int32_t i)
{
  if (i >= level->coarse_width * level->coarse_height)
    return;
  int x = i % level->coarse_width * 2;
  int y = i / level->coarse_width * 2;
  level->coarse_tlink[i] = level->tlink[y * level->width + x];
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_FORWARD; d++) {
    int dx = fs_ladder_dx (d);
    int dy = fs_ladder_dy (d);
    if (level->nlink[d] == NULL)
      continue;
    int32_t weaker = 0;
    if (fs_ladder_inside (level->width, level->height, x + 2 * dx, y + 2 * dy))
      weaker = fs_min_i32 (level->nlink[d][y * level->width + x],
                           level->nlink[d][(y + dy) * level->width + x + dx]);
    level->coarse_nlink[d][i] = (uint16_t)weaker;
  }
}

/* A thread per coarse pixel: does the cut run beside it? */
FS_PHASE void
fs_ladder_find_edge (const FsLadderList *list, int32_t i)
{
  int width = list->coarse_width;
  if (i >= width * list->coarse_height)
    return;
  int edge = 0;
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++) {
    int x = i % width + fs_ladder_dx (d);
    int y = i / width + fs_ladder_dy (d);
    if (fs_ladder_has (&list->nodes, d) && fs_ladder_inside (width, list->coarse_height, x, y))
      edge |= list->coarse_mask[y * width + x] != list->coarse_mask[i];
  }
  list->edge[i] = (uint8_t)edge;
}

/* A thread per pixel: the coarse label, and whether it is in the band (0) or not (-1). */
FS_PHASE void
fs_ladder_mark_band (const FsLadderList *list, int32_t p)
{
  if (p >= list->width * list->height)
    return;
  int x = p % list->width;
  int y = p / list->width;
  int found = list->coarse_mask == NULL;
  if (!found) {
    list->mask[p] = list->coarse_mask[y / 2 * list->coarse_width + x / 2];
    int x0 = fs_max_i32 (x - list->dilation, 0) / 2;
    int x1 = fs_min_i32 (x + list->dilation, list->width - 1) / 2;
    int y0 = fs_max_i32 (y - list->dilation, 0) / 2;
    int y1 = fs_min_i32 (y + list->dilation, list->height - 1) / 2;
    for (int v = y0; v <= y1 && !found; v++)
      for (int u = x0; u <= x1; u++)
        found |= list->edge[v * list->coarse_width + u];
  }
  list->index[p] = found ? 0 : -1;
}

/* A thread per chunk of pixels: numbers those in the band. Chunks take their numbers in any order;
 * the pixels of one follow each other. */
FS_PHASE void
fs_ladder_number (const FsLadderList *list, int32_t chunk)
{
  int32_t n_pixels = list->width * list->height;
  int32_t begin = chunk * FS_LADDER_CHUNK;
  int32_t end = fs_min_i32 (begin + FS_LADDER_CHUNK, n_pixels);
  int32_t count = 0;
  for (int32_t p = begin; p < end; p++)
    count += list->index[p] >= 0;
  if (count == 0)
    return;
  int32_t next = fs_add (&list->nodes.word[FS_LADDER_WORD_NODES], count);
  for (int32_t p = begin; p < end; p++)
    if (list->index[p] >= 0)
      list->index[p] = next++;
}

/* Arc d of node i: to its neighbour in the list; otherwise it counts as part of the t-link, which
 * is returned. */
FS_PHASE int32_t
fs_ladder_link_arc (const FsLadderList *list, int32_t p, int32_t i, int d, int32_t tlink)
{
  int x = p % list->width + fs_ladder_dx (d);
  int y = p / list->width + fs_ladder_dy (d);
  list->neighbour[d][i] = list->regular ? i : -1;
  list->nodes.residual[d][i] = 0;
  if (!fs_ladder_inside (list->width, list->height, x, y))
    return tlink;
  int32_t q = y * list->width + x;
  int32_t capacity = list->nlink[d % 4][d < 4 ? p : q];
  if (list->index[q] < 0)
    return list->mask[q] ? tlink + capacity : tlink - capacity;
  list->neighbour[d][i] = list->index[q];
  list->nodes.residual[d][i] = capacity;
  return tlink;
}

/* A thread per pixel: its node, if it has one. */
FS_PHASE void
fs_ladder_link (const FsLadderList *list, int32_t p)
{
  const FsLadderNodes *nodes = &list->nodes;
  if (p >= list->width * list->height || list->index[p] < 0)
    return;
  int32_t i = list->index[p];
  int32_t tlink = list->tlink[p];
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++)
    if (fs_ladder_has (nodes, d))
      tlink = fs_ladder_link_arc (list, p, i, d, tlink);
  list->pixel[i] = p;
  nodes->excess[i] = nodes->previous[i] = fs_max_i32 (tlink, 0);
  nodes->sink[i] = fs_max_i32 (-tlink, 0);
  nodes->height[i] = 0;
}

#endif
