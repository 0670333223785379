/* SPDX-License-Identifier: MIT */
/* Push-relabel from lists of nodes, as one cooperative kernel.   Layer: solver/kernels.
 *
 * Sources: Hong 2008 and Garrett & Saito 2009, section 3: pushes go to any neighbour that is lower,
 * without locks, in any order; what a node takes from its own excess and residuals, others can only
 * have added to. Deficits are signed excess, not arcs to a sink. Ours:
 *
 *  - In each step only the nodes of a list are visited: those that have something to push. A node
 *    comes into the next list once: by whoever turns its excess positive, or by its own visitor,
 *    who still finds excess in the end.
 *  - A team of lanes shares a node. Each takes an arc; a sum over the lanes divides the excess, so
 *    that one pass pushes through all arcs and finds the lowest neighbour. A node with very many
 *    arcs gets the whole warp.
 *  - A visit goes on for some passes, raised in between.
 *  - Between rounds heights are made exact, by a search backwards from the deficits, level by
 * level. The end is that no excess stands on a node of finite height: threads read heights while
 * others write them, so that a height may be too great when nothing seems to change any more.
 *  - A round lasts some steps for every level that heights had, since flow advances a level a step.
 *    It ends early where no list is left.
 *
 * Why some flow arrives in every round: heights are exact at first. The lowest node that has excess
 * pushes some of it down in the first step, to a node that had none, whose arcs are therefore as
 * the heights found them; so that one pushes some of it down too, in the next step at the latest,
 * and so on, and a round has more steps than there are levels.
 */
#ifndef FS_KERNELS_GRAPH_LISTS_CUH
#define FS_KERNELS_GRAPH_LISTS_CUH

#include <cooperative_groups.h>

#include "solver/kernels/graph/graph_state.h"

#define FS_GRAPH_ALL_LANES       0xffffffffu
#define FS_GRAPH_STEPS_A_CANCEL  16 /* asking the host takes as long as half a step */
#define FS_GRAPH_LEVELS_A_CANCEL 256
#define FS_GRAPH_FEWEST_STEPS    16

/* Where the kernel is: lists and words take turns by it. */
struct FsGraphStep {
  uint32_t number;
};

static __device__ __forceinline__ uint32_t
fs_graph_thread ()
{
  return blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ uint32_t
fs_graph_n_threads ()
{
  return gridDim.x * blockDim.x;
}

static __device__ __forceinline__ uint32_t
fs_graph_lane ()
{
  return threadIdx.x % FS_WARP;
}

/* --- Lists -------------------------------------------------------------------------------------
 */

/* Puts the nodes of those lanes that have one at a list's end. All lanes of the warp come here. */
static __device__ __forceinline__ void
fs_graph_append (uint32_t *list, uint32_t *n_listed, bool has, uint32_t v)
{
  uint32_t all = __ballot_sync (FS_GRAPH_ALL_LANES, has);
  if (all == 0)
    return;
  uint32_t base = 0;
  if (fs_graph_lane () == 0)
    base = fs_graph_add (n_listed, (uint32_t)__popc (all));
  base = __shfl_sync (FS_GRAPH_ALL_LANES, base, 0);
  if (has)
    list[base + (uint32_t)__popc (all & ((1u << fs_graph_lane ()) - 1))] = v;
}

/* The list that the next step will read. */
static __device__ __forceinline__ void
fs_graph_activate (const FsGraphState &state, FsGraphStep step, bool has, uint32_t v)
{
  fs_graph_append (state.list[(step.number + 1) % 2],
                   &state.words->n_active[(step.number + 1) % FS_GRAPH_SLOTS], has, v);
}

/* --- Teams of W lanes --------------------------------------------------------------------------
 */

/* The sum over the team's lanes up to this one. */
template <int W>
static __device__ __forceinline__ int64_t
fs_graph_team_sum (int64_t value)
{
#pragma unroll
  for (int step = 1; step < W; step *= 2) {
    int64_t other = __shfl_up_sync (FS_GRAPH_ALL_LANES, value, step);
    if ((int)(fs_graph_lane () % W) >= step)
      value += other;
  }
  return value;
}

template <int W>
static __device__ __forceinline__ uint32_t
fs_graph_team_min (uint32_t value)
{
#pragma unroll
  for (int step = W / 2; step > 0; step /= 2) {
    uint32_t other = __shfl_xor_sync (FS_GRAPH_ALL_LANES, value, step);
    value = other < value ? other : value;
  }
  return value;
}

/* The value of the team's first or last lane. */
template <int W, typename T>
static __device__ __forceinline__ T
fs_graph_team_first (T value)
{
  return __shfl_sync (FS_GRAPH_ALL_LANES, value, (int)(fs_graph_lane () & ~(W - 1u)));
}

template <int W, typename T>
static __device__ __forceinline__ T
fs_graph_team_last (T value)
{
  return __shfl_sync (FS_GRAPH_ALL_LANES, value, (int)(fs_graph_lane () | (W - 1u)));
}

/* --- Visits ------------------------------------------------------------------------------------
 */

/* The state of a team's node, in all its lanes. */
struct FsGraphVisit {
  uint32_t v; /* FS_GRAPH_NOBODY: no node, or no more */
  uint32_t begin, end;
  uint32_t height;
  int64_t left;    /* of the excess */
  uint32_t lowest; /* neighbour through an arc that is not full, as far as this lane knows */
};

/* Each lane pushes through one arc its share of what is left. */
template <int W>
static __device__ __forceinline__ void
fs_graph_push_shares (const FsGraphState &state, FsGraphStep step, uint32_t arc,
                      FsGraphVisit *visit)
{
  bool is_arc = arc < visit->end && visit->left > 0;
  uint32_t capacity = is_arc ? fs_graph_load (&state.residual[arc]) : 0;
  uint32_t head = capacity > 0 ? state.head[arc] : 0;
  uint32_t there = capacity > 0 ? fs_graph_load (&state.height[head]) : FS_GRAPH_FAR;
  int64_t wanted = there < visit->height ? (int64_t)capacity : 0;
  int64_t sum = fs_graph_team_sum<W> (wanted), amount = visit->left - (sum - wanted);
  amount = amount < 0 ? 0 : amount > wanted ? wanted : amount;
  bool is_woken = false;
  if (amount > 0) {
    fs_graph_add (&state.residual[arc], 0u - (uint32_t)amount);
    fs_graph_add (&state.residual[state.reverse[arc]], (uint32_t)amount);
    int64_t old = fs_graph_add_long (&state.excess[head], amount);
    is_woken = old <= 0 && old + amount > 0;
  }
  if (capacity > (uint32_t)amount && there < visit->lowest)
    visit->lowest = there;
  sum = fs_graph_team_last<W> (sum);
  visit->left -= sum < visit->left ? sum : visit->left;
  fs_graph_activate (state, step, is_woken, head);
}

/* Pushes through all arcs, and raises the node where excess is left. Afterwards there is no node
 * where all excess is gone, for then it may be on the next list already, or where it cannot reach a
 * deficit. */
template <int W>
static __device__ __forceinline__ void
fs_graph_pass (const FsGraphState &state, FsGraphStep step, FsGraphVisit *visit)
{
  bool has_node = visit->v != FS_GRAPH_NOBODY, is_first = fs_graph_lane () % W == 0;
  int64_t excess = has_node && is_first ? fs_graph_load_excess (&state.excess[visit->v]) : 0;
  visit->left = excess = fs_graph_team_first<W> (excess);
  visit->lowest = FS_GRAPH_FAR;
  uint32_t arc = visit->begin + fs_graph_lane () % W;
  for (uint32_t base = visit->begin;
       __any_sync (FS_GRAPH_ALL_LANES, base < visit->end && visit->left > 0); base += W, arc += W)
    fs_graph_push_shares<W> (state, step, arc, visit);
  visit->lowest = fs_graph_team_min<W> (visit->lowest);
  int64_t now = 0;
  if (has_node && is_first)
    now = fs_graph_add_long (&state.excess[visit->v], visit->left - excess) + visit->left - excess;
  now = fs_graph_team_first<W> (now);
  if (has_node && now > 0 && visit->left > 0) {
    visit->height = visit->lowest >= state.n_nodes ? FS_GRAPH_FAR : visit->lowest + 1;
    if (is_first)
      state.height[visit->v] = visit->height;
  }
  if (now <= 0 || visit->height == FS_GRAPH_FAR) {
    visit->v = FS_GRAPH_NOBODY;
    visit->end = visit->begin;
  }
}

/* Visits a node a team. Who has not done with it lists it again. */
template <int W>
static __device__ void
fs_graph_visit (const FsGraphState &state, FsGraphStep step, uint32_t v)
{
  FsGraphVisit visit = { v, 0, 0, FS_GRAPH_FAR, 0, 0 };
  if (v != FS_GRAPH_NOBODY) {
    visit.begin = state.first[v];
    visit.end = state.first[v + 1];
    visit.height = fs_graph_load (&state.height[v]);
  }
  for (int i = 0; i < state.tuning.visits; i++) {
    if (!__any_sync (FS_GRAPH_ALL_LANES, visit.v != FS_GRAPH_NOBODY))
      return;
    fs_graph_pass<W> (state, step, &visit);
  }
  bool is_mine = visit.v != FS_GRAPH_NOBODY && fs_graph_lane () % W == 0;
  fs_graph_activate (state, step, is_mine, visit.v);
}

/* --- Levels ------------------------------------------------------------------------------------
 */

/* Lists, behind `base`, the nodes one level above the team's node that nobody listed before. */
template <int W>
static __device__ void
fs_graph_raise_neighbours (const FsGraphState &state, uint32_t v, uint32_t level, uint32_t base)
{
  uint32_t begin = 0, end = 0;
  if (v != FS_GRAPH_NOBODY) {
    begin = state.first[v];
    end = state.first[v + 1];
  }
  uint32_t arc = begin + fs_graph_lane () % W;
  for (; __any_sync (FS_GRAPH_ALL_LANES, begin < end); begin += W, arc += W) {
    uint32_t before = arc < end ? state.head[arc] : 0;
    bool is_new = arc < end && fs_graph_load (&state.height[before]) == FS_GRAPH_FAR
                  && fs_graph_load (&state.residual[state.reverse[arc]]) > 0
                  && fs_graph_replace (&state.height[before], FS_GRAPH_FAR, level + 1);
    fs_graph_append (state.list[0] + base, &state.words->n_listed[(level + 1) % FS_GRAPH_SLOTS],
                     is_new, before);
  }
}

/* --- A warp's share of a list ------------------------------------------------------------------
 */

#define FS_GRAPH_HUB 16 /* so many times more arcs than a team has lanes */

struct FsGraphVisiting {
  FsGraphStep step;

  template <int W>
  __device__ void
  run (const FsGraphState &state, uint32_t v) const
  {
    fs_graph_visit<W> (state, step, v);
  }
};

struct FsGraphRaising {
  uint32_t level, base;

  template <int W>
  __device__ void
  run (const FsGraphState &state, uint32_t v) const
  {
    fs_graph_raise_neighbours<W> (state, v, level, base);
  }
};

/* Works on the nodes of a list, a node a team, and on those with very many arcs one after another,
 * with all lanes. */
template <int W, typename Work>
static __device__ __forceinline__ void
fs_graph_share (const FsGraphState &state, const uint32_t *list, uint32_t n, const Work &work)
{
  const uint32_t n_teams = FS_WARP / W, lane = fs_graph_lane ();
  uint32_t n_warps = fs_graph_n_threads () / FS_WARP;
  for (uint32_t i = fs_graph_thread () / FS_WARP * n_teams; i < n; i += n_warps * n_teams) {
    uint32_t v = i + lane / W < n ? fs_graph_load (&list[i + lane / W]) : FS_GRAPH_NOBODY;
    bool is_hub = W < FS_WARP && v != FS_GRAPH_NOBODY
                  && state.first[v + 1] - state.first[v] > FS_GRAPH_HUB * W;
    work.template run<W> (state, is_hub ? FS_GRAPH_NOBODY : v);
    uint32_t hubs = __ballot_sync (FS_GRAPH_ALL_LANES, is_hub && lane % W == 0);
    for (; hubs != 0; hubs &= hubs - 1)
      work.template run<FS_WARP> (state, __shfl_sync (FS_GRAPH_ALL_LANES, v, fs_lowest_bit (hubs)));
  }
}

/* --- Rounds ------------------------------------------------------------------------------------
 */

/* Between one level and the next. Thread 0 asks the host now and then, for long ways have many
 * levels; everybody hears of it after the next barrier. */
static __device__ void
fs_graph_end_level (const FsGraphState &state, uint32_t level)
{
  if (fs_graph_thread () != 0)
    return;
  state.words->n_listed[(level + 2) % FS_GRAPH_SLOTS] = 0;
  bool shall_ask = level % FS_GRAPH_LEVELS_A_CANCEL == FS_GRAPH_LEVELS_A_CANCEL - 1;
  state.words->is_stopped[(level + 1) % FS_GRAPH_SLOTS] = shall_ask && *state.cancel != 0;
}

/* Makes heights exact. Returns whether to stop; counts the levels. */
template <int W>
static __device__ bool
fs_graph_list_levels (const FsGraphState &state, uint32_t *n_levels)
{
  uint32_t n_threads = fs_graph_n_threads (), first_lane = fs_graph_thread () - fs_graph_lane ();
  for (uint32_t i = first_lane; i < state.n_nodes; i += n_threads) {
    uint32_t v = i + fs_graph_lane ();
    bool is_deficit = v < state.n_nodes && fs_graph_load_excess (&state.excess[v]) < 0;
    if (v < state.n_nodes)
      state.height[v] = is_deficit ? 0 : FS_GRAPH_FAR;
    fs_graph_append (state.list[0], &state.words->n_listed[0], is_deficit, v);
  }
  *n_levels = 0;
  for (uint32_t base = 0, n;; base += n, ++*n_levels) {
    uint32_t level = *n_levels;
    cooperative_groups::this_grid ().sync ();
    n = fs_graph_load (&state.words->n_listed[level % FS_GRAPH_SLOTS]);
    bool shall_stop = fs_graph_load (&state.words->is_stopped[level % FS_GRAPH_SLOTS]) != 0;
    fs_graph_end_level (state, level);
    if (n == 0 || shall_stop)
      return shall_stop;
    fs_graph_share<W> (state, state.list[0] + base, n, FsGraphRaising{ level, base + n });
  }
}

/* Lists the nodes that have something to push. */
static __device__ void
fs_graph_gather (const FsGraphState &state, FsGraphStep step)
{
  uint32_t n_threads = fs_graph_n_threads (), first_lane = fs_graph_thread () - fs_graph_lane ();
  for (uint32_t i = first_lane; i < state.n_nodes; i += n_threads) {
    uint32_t v = i + fs_graph_lane ();
    bool is_active = v < state.n_nodes && fs_graph_load_excess (&state.excess[v]) > 0
                     && fs_graph_load (&state.height[v]) != FS_GRAPH_FAR;
    fs_graph_activate (state, step, is_active, v);
  }
}

/* A barrier of the whole grid, between one step and the next. Returns whether to stop. */
static __device__ bool
fs_graph_end_step (const FsGraphState &state, FsGraphStep *step)
{
  FsGraphWords *words = state.words;
  uint32_t next = (step->number + 1) % FS_GRAPH_SLOTS;
  if (fs_graph_thread () == 0) {
    bool shall_ask = step->number % FS_GRAPH_STEPS_A_CANCEL == FS_GRAPH_STEPS_A_CANCEL - 1;
    words->n_active[(step->number + 2) % FS_GRAPH_SLOTS] = 0;
    words->is_cancelled[next] =
        words->is_cancelled[step->number % FS_GRAPH_SLOTS] || (shall_ask && *state.cancel != 0);
  }
  cooperative_groups::this_grid ().sync ();
  step->number++;
  return fs_graph_load (&words->is_cancelled[next]) != 0;
}

/* Lets flow advance, some steps at most. Returns whether to stop. */
template <int W>
static __device__ bool
fs_graph_advance (const FsGraphState &state, FsGraphStep *step, uint32_t n_steps)
{
  FsGraphWords *words = state.words;
  for (uint32_t i = 0; i < n_steps; i++) {
    const uint32_t *list = state.list[step->number % 2];
    uint32_t n = fs_graph_load (&words->n_active[step->number % FS_GRAPH_SLOTS]);
    if (n == 0)
      return false;
    if (fs_graph_thread () == 0) {
      words->n_steps++;
      words->n_visits += n;
    }
    fs_graph_share<W> (state, list, n, FsGraphVisiting{ *step });
    if (fs_graph_end_step (state, step))
      return true;
  }
  return false;
}

/* The number of steps in a round, at most: more than there are levels. */
static __device__ uint32_t
fs_graph_count_steps (const FsGraphState &state, uint32_t n_levels)
{
  uint32_t fewest = n_levels + FS_GRAPH_FEWEST_STEPS;
  uint64_t n = (uint64_t)n_levels * state.tuning.steps / FS_GRAPH_STEP_UNIT;
  return n < fewest ? fewest : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* Makes heights exact and lists who has something to push. Returns whether to stop. */
template <int W>
static __device__ bool
fs_graph_begin_round (const FsGraphState &state, FsGraphStep *step, uint32_t *n_levels)
{
  bool is_stopped = fs_graph_list_levels<W> (state, n_levels);
  if (fs_graph_thread () == 0) {
    state.words->n_rounds++;
    state.words->n_levels += *n_levels;
  }
  if (is_stopped)
    return true;
  fs_graph_gather (state, *step);
  return fs_graph_end_step (state, step);
}

template <int W>
__global__ void
__launch_bounds__ (FS_GRAPH_THREADS) fs_graph_lists_kernel (const FsGraphState state)
{
  FsGraphStep step = { 0 };
  for (;;) {
    uint32_t n_levels;
    bool shall_stop = fs_graph_begin_round<W> (state, &step, &n_levels);
    if (!shall_stop && fs_graph_load (&state.words->n_active[step.number % FS_GRAPH_SLOTS]) == 0)
      return;
    if (shall_stop || fs_graph_advance<W> (state, &step, fs_graph_count_steps (state, n_levels))) {
      if (fs_graph_thread () == 0)
        state.words->outcome = FS_ENGINE_CANCELLED;
      return;
    }
  }
}

#endif
