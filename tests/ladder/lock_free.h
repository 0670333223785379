/* SPDX-License-Identifier: MIT */
/* The phase of lock-free push-relabel on a regular list.
 *
 * Garrett & Saito 2009, section 3, after Hong 2008: one kernel both pushes and relabels, no barrier
 * parts the two, and arcs that a node lacks lead back to it with no capacity, so that all nodes
 * have as many. Nodes push to any neighbour that is lower, not only to one step lower. Heights
 * change while others read them: flow stays a flow (what a node takes from its own excess and
 * residuals, others can only have added to), but heights may be too high for a time, which the
 * sound stop rule's exact heights put right. Algorithm 2 of the paper relabels after a push; we
 * take that for a slip, and relabel where excess is left and nothing could be pushed.
 */
#ifndef FS_LADDER_LOCK_FREE_H
#define FS_LADDER_LOCK_FREE_H

#include "tests/ladder/list.h"

/* Returns how much it pushed to neighbours. */
FS_PHASE int32_t
fs_ladder_push_lower (const FsLadderList *list, int32_t i, int32_t excess)
{
  const FsLadderNodes *nodes = &list->nodes;
  int32_t height = nodes->height[i];
  int32_t left = excess;
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++) {
    if (!fs_ladder_has (nodes, d) || left <= 0)
      continue;
    int32_t j = list->neighbour[d][i];
    int32_t amount = nodes->height[j] < height ? fs_min_i32 (left, nodes->residual[d][i]) : 0;
    if (amount <= 0)
      continue;
    fs_add (&nodes->residual[d][i], -amount);
    fs_add (&nodes->residual[d ^ 4][j], amount);
    fs_add (&nodes->excess[j], amount);
    left -= amount;
  }
  return excess - left;
}

FS_PHASE void
fs_ladder_list_discharge (const FsLadderList *list, int32_t i)
{
  const FsLadderNodes *nodes = &list->nodes;
  int32_t excess = i < nodes->n ? nodes->excess[i] : 0;
  if (excess <= 0)
    return;
  int32_t drained = nodes->height[i] > 0 ? fs_min_i32 (excess, nodes->sink[i]) : 0;
  nodes->sink[i] -= drained;
  int32_t sent = drained + fs_ladder_push_lower (list, i, excess - drained);
  if (sent > 0)
    fs_add (&nodes->excess[i], -sent);
  else
    nodes->height[i] = fs_ladder_above (nodes, fs_ladder_list_lowest (list, i));
}

#endif
