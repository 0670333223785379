/* SPDX-License-Identifier: MIT */
/* The phases of lock-free push-relabel on any graph.
 *
 * Garrett & Saito 2009, section 3, after Hong 2008: one phase both pushes and relabels, and nothing
 * orders what threads do. Pushes go to any neighbour that is lower. That flow stays a flow needs no
 * lock: what a node takes from its own excess and residuals, others can only have added to.
 *
 * Where we differ: deficits are signed excess, not arcs to a sink, and the end is a sound one. Hong
 * and the paper go on until nothing can be pushed or relabelled, or, as published, until nothing
 * seems to change; with threads that read heights while others write them, a height may be too
 * great by then, and the mask wrong. Here heights are made exact between rounds of sweeps, by
 * searching backwards from the deficits, level by level, and the end is that no excess stands on a
 * node of finite height. Algorithm 2 of the paper relabels after a push; we take that for a slip,
 * and relabel where excess is left and nothing could be pushed.
 *
 * Why this ends: with exact heights, let no flow reach a deficit for as many sweeps as one likes.
 * Then the nodes beside a deficit never get excess, for they would push it there at once; so their
 * height stays 1 and nothing is pushed into them; so nodes of height 2 never get excess, and so on:
 * no node of finite height ever has some, and that is the end. Otherwise some flow arrives, after a
 * number of sweeps that nobody knows: whoever calls doubles it for as long as nothing has arrived.
 */
#ifndef FS_LADDER_GRAPH_LOCK_FREE_H
#define FS_LADDER_GRAPH_LOCK_FREE_H

#include "solver/kernels/graph/graph_state.h"

/* Words that sweeps share beside those of the state. As there, a slot is cleared before its turn.
 */
typedef struct {
  unsigned long long deficit[FS_GRAPH_SLOTS]; /* how much more the sinks can take */
  uint32_t is_left[FS_GRAPH_SLOTS];           /* some excess can reach a deficit  */
  uint32_t is_hurried;                        /* sweeps shall end                 */
} FsSweepWords;

/* They lie where sums were while rows were laid out, and are 0 when a solve begins. */
FS_PHASE FsSweepWords *
fs_graph_sweep_words (const FsGraphState *state)
{
  return (FsSweepWords *)(void *)state->sums;
}

/* A node's arcs: begin, begin + stride, … below end. */
typedef struct {
  uint32_t begin, end, stride;
} FsGraphRange;

/* A regular graph has no rows. */
FS_PHASE FsGraphRange
fs_graph_arcs (const FsGraphState *state, uint32_t v)
{
  FsGraphRange range = { v, state->n_arcs, state->n_nodes };
  if (state->first != NULL) {
    range.begin = state->first[v];
    range.end = state->first[v + 1];
    range.stride = 1;
  }
  return range;
}

/* Pushes through one arc what it can carry of `left`, where the head is lower. Returns the amount.
 */
FS_PHASE uint32_t
fs_graph_push (const FsGraphState *state, uint32_t arc, uint32_t height, int64_t left)
{
  uint32_t capacity = fs_graph_load (&state->residual[arc]);
  uint32_t head = state->head[arc];
  if (capacity == 0 || fs_graph_load (&state->height[head]) >= height)
    return 0;
  uint32_t amount = left < (int64_t)capacity ? (uint32_t)left : capacity;
  /* First taken, then given: the sum of both never exceeds the two capacities. */
  fs_graph_add (&state->residual[arc], 0u - amount);
  fs_graph_add (&state->residual[state->reverse[arc]], amount);
  fs_graph_add_long (&state->excess[head], amount);
  return amount;
}

/* One above the lowest neighbour that an arc can carry to. A way visits a node at most once, so
 * that a greater height than there are nodes means that there is none. */
FS_PHASE uint32_t
fs_graph_relabelled (const FsGraphState *state, uint32_t v)
{
  FsGraphRange range = fs_graph_arcs (state, v);
  uint32_t lowest = FS_GRAPH_FAR;
  for (uint32_t arc = range.begin; arc < range.end; arc += range.stride) {
    uint32_t there = fs_graph_load (&state->height[state->head[arc]]);
    if (there < lowest && fs_graph_load (&state->residual[arc]) > 0)
      lowest = there;
  }
  return lowest >= state->n_nodes ? FS_GRAPH_FAR : lowest + 1;
}

FS_PHASE void
fs_graph_discharge (const FsGraphState *state, uint32_t v)
{
  int64_t excess = fs_graph_load_excess (&state->excess[v]);
  uint32_t height = state->height[v];
  if (excess <= 0 || height == FS_GRAPH_FAR)
    return;
  FsGraphRange range = fs_graph_arcs (state, v);
  int64_t left = excess;
  for (uint32_t arc = range.begin; arc < range.end && left > 0; arc += range.stride)
    left -= fs_graph_push (state, arc, height, left);
  if (left < excess)
    fs_graph_add_long (&state->excess[v], left - excess);
  else
    state->height[v] = fs_graph_relabelled (state, v);
}

/* --- Exact heights, and the end ----------------------------------------------------------------
 */

/* Lists the deficits, which are level 0. */
FS_PHASE void
fs_graph_start_height (const FsGraphState *state, uint32_t v)
{
  int is_deficit = state->excess[v] < 0;
  state->height[v] = is_deficit ? 0 : FS_GRAPH_FAR;
  if (is_deficit)
    state->list[0][fs_graph_add (&state->words->n_listed[0], 1)] = v;
}

/* Lists, behind `base`, the nodes one level above v that nobody listed before. */
FS_PHASE void
fs_graph_raise_neighbours (const FsGraphState *state, uint32_t v, uint32_t level, uint32_t base)
{
  FsGraphRange range = fs_graph_arcs (state, v);
  for (uint32_t arc = range.begin; arc < range.end; arc += range.stride) {
    uint32_t before = state->head[arc];
    if (fs_graph_load (&state->height[before]) != FS_GRAPH_FAR
        || state->residual[state->reverse[arc]] == 0)
      continue;
    if (fs_graph_replace (&state->height[before], FS_GRAPH_FAR, level + 1)) {
      uint32_t slot = (level + 1) % FS_GRAPH_SLOTS;
      state->list[0][base + fs_graph_add (&state->words->n_listed[slot], 1)] = before;
    }
  }
}

/* What a thread has seen of its nodes. */
typedef struct {
  int64_t deficit;
  int is_left;
} FsGraphSeen;

FS_PHASE void
fs_graph_look (const FsGraphState *state, uint32_t v, FsGraphSeen *seen)
{
  int64_t excess = state->excess[v];
  if (excess < 0)
    seen->deficit -= excess;
  if (excess > 0 && state->height[v] != FS_GRAPH_FAR)
    seen->is_left = 1;
}

#endif
