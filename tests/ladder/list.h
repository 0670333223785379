/* SPDX-License-Identifier: MIT */
/* Phases of push-relabel on a list of nodes.
 *
 * Lattari 2010, sections 5.3 and 5.4: algorithms 11 to 13 (push, pull and relabel, global relabel)
 * with an array of neighbours per direction, -1 where there is none. A thread per node. As without
 * atomics on the grid, every order gives the same state, but for exact heights, of which only the
 * end is the same.
 */
#ifndef FS_LADDER_LIST_H
#define FS_LADDER_LIST_H

#include "tests/ladder/state.h"

FS_PHASE void
fs_ladder_list_push (const FsLadderList *list, int32_t i)
{
  const FsLadderNodes *nodes = &list->nodes;
  if (i >= nodes->n)
    return;
  int32_t excess = nodes->excess[i];
  int32_t height = nodes->height[i];
  if (excess > 0 && height == 1) {
    int32_t amount = fs_min_i32 (excess, nodes->sink[i]);
    nodes->sink[i] -= amount;
    excess -= amount;
  }
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++) {
    if (!fs_ladder_has (nodes, d))
      continue;
    int32_t amount = 0;
    if (excess > 0 && nodes->residual[d][i] > 0
        && nodes->height[list->neighbour[d][i]] == height - 1) {
      amount = fs_min_i32 (excess, nodes->residual[d][i]);
      nodes->residual[d][i] -= amount;
      excess -= amount;
    }
    nodes->flow[d][i] = amount;
  }
  nodes->excess[i] = excess;
}

FS_PHASE void
fs_ladder_list_pull (const FsLadderList *list, int32_t i)
{
  const FsLadderNodes *nodes = &list->nodes;
  if (i >= nodes->n)
    return;
  int32_t fetched = 0;
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++) {
    if (!fs_ladder_has (nodes, d) || list->neighbour[d][i] < 0)
      continue;
    int32_t amount = nodes->flow[d ^ 4][list->neighbour[d][i]];
    if (amount > 0)
      nodes->residual[d][i] += amount;
    fetched += amount;
  }
  if (fetched > 0)
    nodes->excess[i] += fetched;
}

/* The lowest height that more can be sent to: 0 the sink's. */
FS_PHASE int32_t
fs_ladder_list_lowest (const FsLadderList *list, int32_t i)
{
  const FsLadderNodes *nodes = &list->nodes;
  int32_t lowest = nodes->sink[i] > 0 ? 0 : FS_LADDER_FAR;
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++)
    if (fs_ladder_has (nodes, d) && nodes->residual[d][i] > 0)
      lowest = fs_min_i32 (lowest, nodes->height[list->neighbour[d][i]]);
  return lowest;
}

FS_PHASE void
fs_ladder_list_pull_relabel (const FsLadderList *list, int32_t i)
{
  fs_ladder_list_pull (list, i);
  if (i < list->nodes.n)
    list->nodes.raised[i] = fs_ladder_above (&list->nodes, fs_ladder_list_lowest (list, i));
}

FS_PHASE void
fs_ladder_list_start_heights (const FsLadderList *list, int32_t i)
{
  if (i < list->nodes.n)
    list->nodes.height[i] = list->nodes.sink[i] > 0 ? 1 : FS_LADDER_FAR;
}

/* One round of exact heights. */
FS_PHASE void
fs_ladder_list_lower (const FsLadderList *list, int32_t i)
{
  const FsLadderNodes *nodes = &list->nodes;
  if (i >= nodes->n)
    return;
  int32_t height = fs_ladder_above (nodes, fs_ladder_list_lowest (list, i));
  if (height >= nodes->height[i])
    return;
  nodes->height[i] = height;
  nodes->word[FS_LADDER_WORD_LOWERED] = nodes->now;
}

FS_PHASE void
fs_ladder_list_draw (const FsLadderList *list, int32_t i)
{
  if (i < list->nodes.n)
    list->mask[list->pixel[i]] = list->nodes.height[i] >= FS_LADDER_FAR;
}

#endif
