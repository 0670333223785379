/* SPDX-License-Identifier: MIT */
/* An expansion move around its solve: the cut made from labels and duals, what is left of its flow
 * put into duals, the labels taken over.   Layer: solver/kernels.
 *
 * The arithmetic is that of solver/expansion_move.h and expansion_pairs.h. Moves are queued one
 * after another without asking the host: each begins by looking whether anything has changed since
 * the label's last one.
 *
 * Few pixels pull at a label, and nearly all can give. So it is the deficits that are pushed about:
 * the solve is that of the cut's mirror image, all arcs and signs turned round, whose flow is the
 * cut's. Who can still reach a deficit is then found by one labelling of the cut itself.
 *
 * Where nobody pulls at the label nothing is solved, and where the solve leaves nobody who pulls
 * nothing is labelled.
 *
 * From a label's second move on there can be deficits only where labels or data costs have changed
 * since its last one: elsewhere the duals give back the flow that met them all. Those that other
 * labels' moves have changed there do not count: a label's duals change only where neither end of a
 * pair has it, and are asked for where one has. Tiles around such places are the move's *region*;
 * arcs that leave it are closed. What is found is the whole cut's unless somebody who would take
 * the label lies at the region's rim: then nothing is taken, the call halts, and the move is made
 * again everywhere.
 */
#ifndef FS_KERNELS_MOVES_CUH
#define FS_KERNELS_MOVES_CUH

#include "solver/kernels/moves_engine.h"
#include "solver/kernels/solve.cuh"

/* FS_LAUNCH (kernel, blocks, threads, stream) (arguments); tests launch on the host. */
#ifndef FS_LAUNCH
/* clang-format off */
#define FS_LAUNCH(kernel, blocks, threads, stream) kernel<<<(blocks), (threads), 0, (stream)>>>
/* clang-format on */
#endif

#define FS_DUAL_MAX (1 << 28)

/* What the moves tell one another, and the host. */
struct FsMovesWords {
  int version;                         /* of labels and data costs      */
  int stamp;                           /* of the last move or change of any kind */
  int stamp_of[FS_MOVES_LABELS];       /* [label]: of its last move; −1: none */
  int halted;                          /* number + 1 of a move that met its region's rim; 0: none */
  int is_clamped;                      /* a dual was too large: no regions any more */
  int energy_stamp;                    /* when tiles' energies were last summed: −1: never */
  int skips;                           /* whether nothing is new, or the call is over */
  int is_pulled;                       /* whether anybody pulls at the label          */
  int is_left;                         /* whether the solve left something to pull    */
  int seen[FS_MOVES_LABELS];           /* [label]: the version that its last move left */
  uint32_t n_changed[FS_MOVES_LABELS]; /* [move] of a call */
  unsigned long long n_truncated, n_cuts, epochs, discharges, ns[3];
  int changed_from, changed_to; /* of rows of tiles: where labels were taken in a call, counted
                                   from the last row up and from the first down; 0: nowhere */
  int64_t energy[2];            /* Σ D and Σ V */
};

struct FsMovesState {
  FsGridState grid;
  int n_labels, n_directions;
  const int32_t *table;
  const uint16_t *weight[4]; /* NULL: 1 */
  const uint8_t *present;    /* NULL: all */
  int32_t *data;
  uint8_t *labels;
  int32_t *duals;      /* [label][direction][p]; NULL: none */
  uint32_t *turned;    /* [n_tiles][n_arcs][32]: open arcs of the cut, not of its mirror image */
  int32_t *tile_stamp; /* [tile]: of what last changed something there */
  uint8_t *region;     /* [tile]: whether it is in this move's region  */
  int64_t *energy;     /* [tile][2]: Σ D and Σ V of its pixels and their forward pairs */
  FsMovesWords *words;
  FsRounds *rounds;
  const volatile int *cancel;
};

/* A move of a call. */
struct FsMoveTurn {
  int alpha, number; /* −1 and how many there were, at the call's end */
  int before;        /* the label of the move before; −1: none */
  int uses_duals;
  int is_whole; /* the region is everything */
};

/* --- A pair --- */

struct FsMovePair {
  size_t p;
  int direction, a, b; /* labels of p and of its neighbour in that direction */
};

struct FsMoveTerms {
  int32_t sum, p_keeps, q_keeps;
  bool truncated;
};

static __device__ FsMoveTerms
fs_move_terms (const FsMovesState &state, const FsMovePair &pair, int alpha)
{
  const uint16_t *weights = state.weight[pair.direction];
  int32_t weight = weights != NULL ? weights[pair.p] : 1;
  const int32_t *of_a = state.table + pair.a * state.n_labels;
  const int32_t *of_alpha = state.table + alpha * state.n_labels;
  int32_t both_keep = weight * of_a[pair.b], both_take = weight * of_alpha[alpha];
  FsMoveTerms terms = { 0, weight * of_a[alpha] - both_take, weight * of_alpha[pair.b] - both_take,
                        false };
  int32_t sum = terms.p_keeps + terms.q_keeps + both_take - both_keep;
  if (sum >= 0) {
    terms.sum = sum;
    return terms;
  }
  return { 0, terms.p_keeps - sum, terms.q_keeps - sum, true };
}

static __device__ int32_t *
fs_move_dual (const FsMovesState &state, const FsMovePair &pair, int label)
{
  size_t n = (size_t)state.grid.width * state.grid.height;
  return &state.duals[((size_t)label * state.n_directions + pair.direction) * n + pair.p];
}

/* What goes to the arc p → q when the label's own dual is 0. */
static __device__ int64_t
fs_move_even_share (const FsMovesState &state, const FsMovePair &pair, const FsMoveTerms &terms,
                    bool uses_duals)
{
  int64_t of_a = uses_duals ? *fs_move_dual (state, pair, pair.a) : 0;
  int64_t of_b = uses_duals ? *fs_move_dual (state, pair, pair.b) : 0;
  int64_t both_keep = (int64_t)terms.p_keeps + terms.q_keeps - terms.sum + of_a - of_b;
  return terms.p_keeps + of_a - (both_keep >> 1);
}

/* What the arc p → q gets of the sum. */
static __device__ int32_t
fs_move_share (const FsMovesState &state, const FsMovePair &pair, const FsMoveTerms &terms,
               const FsMoveTurn &turn)
{
  if (terms.sum == 0)
    return 0;
  int64_t forth = fs_move_even_share (state, pair, terms, turn.uses_duals);
  if (turn.uses_duals)
    forth -= *fs_move_dual (state, pair, turn.alpha);
  return forth < 0 ? 0 : forth > terms.sum ? terms.sum : (int32_t)forth;
}

/* The pair of a pixel (x, y) and the one that an arc leads to; `here` and `there` are their labels.
 */
static __device__ FsMovePair
fs_move_pair (const FsMovesState &state, int x, int y, int dx, int dy, int direction, int here,
              int there)
{
  size_t p = (size_t)y * state.grid.width + x;
  if (direction < 4)
    return { p, direction, here, there };
  return { p + dy * state.grid.width + dx, direction - 4, there, here };
}

/* --- A tile's labels, with those of the pixels around it --- */

#define FS_MOVE_NONE   -1    /* no pixel is there                     */
#define FS_MOVE_CLOSED 0x100 /* beside the label: not in the region */

struct FsMoveLabels {
  int16_t at[FS_SIDE + 2][FS_SIDE + 2]; /* [y + 1][x + 1] */
};

static __device__ bool
fs_move_has (const FsMovesState &state, int x, int y)
{
  return x >= 0 && y >= 0 && x < state.grid.width && y < state.grid.height
         && (state.present == NULL || state.present[(size_t)y * state.grid.width + x] != 0);
}

static __device__ int16_t
fs_move_label (const FsMovesState &state, int x, int y)
{
  if (!fs_move_has (state, x, y))
    return FS_MOVE_NONE;
  bool is_in = state.region[y / FS_SIDE * state.grid.tiles_x + x / FS_SIDE] != 0;
  return (int16_t)(state.labels[(size_t)y * state.grid.width + x] | (is_in ? 0 : FS_MOVE_CLOSED));
}

/* By a block, which waits for its threads. */
static __device__ void
fs_moves_load_labels (const FsMovesState &state, int tile, FsMoveLabels *labels)
{
  int x0 = tile % state.grid.tiles_x * FS_SIDE - 1, y0 = tile / state.grid.tiles_x * FS_SIDE - 1;
  for (int i = threadIdx.x; i < (FS_SIDE + 2) * (FS_SIDE + 2); i += FS_BLOCK) {
    int x = i % (FS_SIDE + 2), y = i / (FS_SIDE + 2);
    labels->at[y][x] = fs_move_label (state, x0 + x, y0 + y);
  }
  __syncthreads ();
}

/* --- Making the cut --- */

/* The sum over the warp is added to a word. */
static __device__ void
fs_warp_add (unsigned long long *word, int64_t value)
{
  for (int step = FS_WARP / 2; step > 0; step /= 2)
    value += __shfl_down_sync (FS_ALL_LANES, value, step);
  if (threadIdx.x % FS_WARP == 0 && value != 0)
    atomicAdd (word, (unsigned long long)value);
}

/* Makes the state of a pixel, of the mirror image; returns its bits as fs_problem_start() does. */
template <int N_ARCS>
static __device__ uint32_t
fs_move_start (const FsMovesState &state, const FsMoveTurn &turn, const FsMoveLabels &labels,
               int tile, int at, int64_t *n_truncated)
{
  const FsGridState &grid = state.grid;
  int in_x = at % FS_SIDE, in_y = at / FS_SIDE;
  int x = tile % grid.tiles_x * FS_SIDE + in_x, y = tile / grid.tiles_x * FS_SIDE + in_y;
  size_t place = (size_t)tile * FS_TILE_PIXELS + at, n = (size_t)grid.width * grid.height;
  int here = labels.at[in_y + 1][in_x + 1];
  int32_t excess = 0;
  uint32_t bits = 0;
  if (here != FS_MOVE_NONE) {
    size_t p = (size_t)y * grid.width + x;
    excess = state.data[turn.alpha * n + p] - state.data[here * n + p];
  }
#pragma unroll
  for (int arc = 0; arc < N_ARCS; arc++) {
    const int direction = fs_arc_direction (N_ARCS, arc);
    const int dx = fs_arc_dx (N_ARCS, arc), dy = fs_arc_dy (N_ARCS, arc);
    int there = labels.at[in_y + 1 + dy][in_x + 1 + dx];
    int32_t residual = 0;
    if (here != FS_MOVE_NONE && there != FS_MOVE_NONE) {
      FsMovePair pair =
          fs_move_pair (state, x, y, dx, dy, direction, here, there & ~FS_MOVE_CLOSED);
      FsMoveTerms terms = fs_move_terms (state, pair, turn.alpha);
      int32_t forth = fs_move_share (state, pair, terms, turn);
      int32_t out = direction < 4 ? forth : terms.sum - forth;
      excess -= (direction < 4 ? terms.p_keeps : terms.q_keeps) - out;
      residual = there & FS_MOVE_CLOSED ? 0 : terms.sum - out;
      *n_truncated += direction < 4 && terms.truncated;
    }
    grid.residual[fs_grid_residual_place (&grid, place, arc)] = (uint16_t)residual;
    bits |= residual > 0 ? 1u << arc : 0;
  }
  grid.excess[place] = -excess;
  return bits | (excess > 0 ? 1u << N_ARCS : 0) | (excess < 0 ? 2u << N_ARCS : 0);
}

/* A tile outside the region has no arcs, so that no label spreads there. */
static __device__ void
fs_move_close (const FsGridState &grid, int tile)
{
  for (int i = threadIdx.x; i < grid.n_arcs * FS_SIDE; i += FS_BLOCK)
    grid.open[(size_t)tile * grid.n_arcs * FS_SIDE + i] = 0;
  if (threadIdx.x < FS_SIDE) {
    size_t row = (size_t)tile * FS_SIDE + threadIdx.x;
    grid.deficit[row] = grid.surplus[row] = grid.found[row] = 0;
  }
}

/* Writes the bits of a row, by a warp. Returns whether it has a deficit. */
template <int N_ARCS>
static __device__ bool
fs_move_write_bits (const FsGridState &grid, int tile, int y, uint32_t bits)
{
  int lane = threadIdx.x % FS_WARP;
  uint32_t word = 0;
#pragma unroll
  for (int i = 0; i < N_ARCS + 2; i++) {
    uint32_t all = __ballot_sync (FS_ALL_LANES, bits >> i & 1u);
    word = lane == i ? all : word;
  }
  size_t row = (size_t)tile * FS_SIDE + y;
  if (lane < N_ARCS)
    grid.open[((size_t)tile * N_ARCS + lane) * FS_SIDE + y] = word;
  else if (lane == N_ARCS)
    grid.deficit[row] = word;
  else if (lane == N_ARCS + 1)
    grid.surplus[row] = word;
  else if (lane == N_ARCS + 2)
    grid.found[row] = 0;
  return __any_sync (FS_ALL_LANES, bits >> N_ARCS & 1u);
}

/* A thread a tile: whether something has changed so near since the label's last move that the tile
 * may have deficits, or is beside one that may. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_region_kernel (FsMovesState state, FsMoveTurn turn)
{
  int tile = blockIdx.x * FS_BLOCK + threadIdx.x;
  if (tile >= state.grid.n_tiles)
    return;
  int stamp = turn.is_whole || state.words->is_clamped ? -1 : state.words->stamp_of[turn.alpha];
  bool is_in = stamp < 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      int beside = fs_tile_beside (&state.grid, tile, dx, dy);
      is_in = is_in || (beside >= 0 && state.tile_stamp[beside] > stamp);
    }
  state.region[tile] = is_in;
}

/* A block a tile. No label of the solver is left from the last cut, so that nothing has to be
 * raised: lowering begins where there are deficits. */
template <int N_ARCS>
__global__ void
__launch_bounds__ (FS_BLOCK, 4) fs_moves_fill_kernel (FsMovesState state, FsMoveTurn turn)
{
  const FsGridState &grid = state.grid;
  __shared__ FsMoveLabels labels;
  int tile = blockIdx.x;
  int64_t n_truncated = 0;
  bool has_deficit = false, has_surplus = false;
  bool is_in = !state.words->skips && state.region[tile];
  if (is_in)
    fs_moves_load_labels (state, tile, &labels);
  else
    fs_move_close (grid, tile);
  for (int at = threadIdx.x; at < FS_TILE_PIXELS && is_in; at += FS_BLOCK) {
    uint32_t bits = fs_move_start<N_ARCS> (state, turn, labels, tile, at, &n_truncated);
    has_surplus |= (bits >> N_ARCS & 2u) != 0;
    has_deficit |= fs_move_write_bits<N_ARCS> (grid, tile, at / FS_SIDE, bits);
  }
  for (int i = threadIdx.x; i < 4 * FS_SIDE; i += FS_BLOCK)
    grid.border[(size_t)tile * 4 * FS_SIDE + i] = FS_FAR;
  fs_warp_add (&state.words->n_truncated, n_truncated);
  has_surplus = __syncthreads_or (has_surplus);
  has_deficit = __syncthreads_or (has_deficit);
  if (threadIdx.x == 0) {
    grid.highest[tile] = 0;
    grid.flags[tile] = has_deficit ? FS_TILE_VISITED : 0;
    if (has_surplus)
      atomicOr (&state.words->is_pulled, 1);
  }
}

/* --- After the solve --- */

static __device__ bool
fs_moves_is_over (const FsMovesState &state)
{
  return state.words->skips || state.words->halted || state.rounds->outcome != FS_ENGINE_DONE;
}

/* Sets the duals of a pixel's forward pairs. */
template <int N_ARCS>
static __device__ void
fs_move_fold (const FsMovesState &state, const FsMoveTurn &turn, const FsMoveLabels &labels,
              int tile, int at)
{
  const FsGridState &grid = state.grid;
  int in_x = at % FS_SIDE, in_y = at / FS_SIDE;
  int x = tile % grid.tiles_x * FS_SIDE + in_x, y = tile / grid.tiles_x * FS_SIDE + in_y;
  int here = labels.at[in_y + 1][in_x + 1];
#pragma unroll
  for (int arc = 0; arc < N_ARCS / 2; arc++) {
    const int dx = fs_arc_dx (N_ARCS, arc), dy = fs_arc_dy (N_ARCS, arc);
    int there = labels.at[in_y + 1 + dy][in_x + 1 + dx];
    if (here == FS_MOVE_NONE || there == FS_MOVE_NONE || there & FS_MOVE_CLOSED)
      continue;
    FsMovePair pair = fs_move_pair (state, x, y, dx, dy, arc, here, there);
    FsMoveTerms terms = fs_move_terms (state, pair, turn.alpha);
    if (terms.sum == 0)
      continue;
    size_t place = (size_t)tile * FS_TILE_PIXELS + at;
    int32_t left = grid.residual[fs_grid_residual_place (&grid, place, arc)];
    int64_t dual = fs_move_even_share (state, pair, terms, true) - (terms.sum - left);
    if (dual < -FS_DUAL_MAX || dual > FS_DUAL_MAX)
      atomicOr (&state.words->is_clamped, 1);
    dual = dual < -FS_DUAL_MAX ? -FS_DUAL_MAX : dual > FS_DUAL_MAX ? FS_DUAL_MAX : dual;
    *fs_move_dual (state, pair, turn.alpha) = (int32_t)dual;
  }
}

/* A block a tile: where flow has moved, the label's duals are set so that sharing out gives what is
 * left. Labels are those that the cut was made for. Also looks whether anything is left to pull. */
template <int N_ARCS>
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_fold_kernel (FsMovesState state, FsMoveTurn turn)
{
  const FsGridState &grid = state.grid;
  __shared__ FsMoveLabels labels;
  int tile = blockIdx.x;
  if (fs_moves_is_over (state) || !state.region[tile])
    return;
  if (threadIdx.x < FS_WARP && grid.surplus[(size_t)tile * FS_SIDE + threadIdx.x] != 0)
    atomicOr (&state.words->is_left, 1);
  if (state.duals == NULL || (turn.uses_duals && !(grid.flags[tile] & FS_TILE_SUMS)))
    return;
  fs_moves_load_labels (state, tile, &labels);
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK)
    fs_move_fold<N_ARCS> (state, turn, labels, tile, at);
}

/* Row y of a tile's arcs in the cut itself, after the solve of its mirror image: the bits of the
 * opposite arc at the pixels that it leads to. */
template <int N_ARCS>
static __device__ uint32_t
fs_move_turned_row (const FsGridState &grid, int tile, int arc, int y)
{
  int dx = fs_arc_dx (N_ARCS, arc), to_y = y + fs_arc_dy (N_ARCS, arc);
  int back = fs_arc_opposite (N_ARCS, arc);
  int tile_dy = to_y < 0 ? -1 : to_y >= FS_SIDE;
  int here = fs_tile_beside (&grid, tile, 0, tile_dy);
  int beside = dx != 0 ? fs_tile_beside (&grid, tile, dx, tile_dy) : -1;
  to_y &= FS_SIDE - 1;
  uint32_t row = here >= 0 ? *fs_open_word (&grid, N_ARCS, here, back, to_y) : 0;
  uint32_t next = beside >= 0 ? *fs_open_word (&grid, N_ARCS, beside, back, to_y) : 0;
  if (dx == 0)
    return row;
  return dx > 0 ? row >> 1 | next << (FS_SIDE - 1) : row << 1 | next >> (FS_SIDE - 1);
}

/* A block a tile: turns the mirror image round, so that one more labelling finds who can reach a
 * deficit. Without surplus nothing is discharged any more. Neighbours read the arcs of the mirror
 * image, so those of the cut have a plane of their own. */
template <int N_ARCS>
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_turn_kernel (FsMovesState state)
{
  const FsGridState &grid = state.grid;
  int tile = blockIdx.x, y = threadIdx.x % FS_SIDE;
  size_t row = (size_t)tile * FS_SIDE + y;
  bool is_left = !fs_moves_is_over (state) && state.words->is_left, is_in = state.region[tile];
  if (tile == 0 && threadIdx.x < FS_N_QUEUES)
    state.rounds->queue[threadIdx.x] = { 0, 0, 0 };
  if (tile == 0 && threadIdx.x == 0)
    state.rounds->cut = 0;
  for (int arc = threadIdx.x / FS_SIDE; arc < N_ARCS && is_left; arc += FS_BLOCK / FS_SIDE)
    state.turned[((size_t)tile * N_ARCS + arc) * FS_SIDE + y] =
        is_in ? fs_move_turned_row<N_ARCS> (grid, tile, arc, y) : 0;
  for (int i = threadIdx.x; i < 4 * FS_SIDE; i += FS_BLOCK)
    grid.border[(size_t)tile * 4 * FS_SIDE + i] = FS_FAR;
  if (threadIdx.x >= FS_WARP)
    return;
  uint32_t deficit = is_left && is_in ? grid.surplus[row] : 0;
  grid.deficit[row] = deficit;
  grid.surplus[row] = grid.found[row] = 0;
  bool has_deficit = __any_sync (FS_ALL_LANES, deficit != 0);
  if (threadIdx.x == 0)
    grid.flags[tile] = has_deficit ? FS_TILE_VISITED : 0;
}

/* A warp a tile: whether somebody who would take the label lies at the region's rim. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_rim_kernel (FsMovesState state, FsMoveTurn turn)
{
  const FsGridState &grid = state.grid;
  int tile = blockIdx.x * FS_BLOCK_WARPS + threadIdx.x / FS_WARP, lane = threadIdx.x % FS_WARP;
  if (tile >= grid.n_tiles || fs_moves_is_over (state) || !state.region[tile])
    return;
  uint32_t rim = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int beside = fs_tile_beside (&grid, tile, dx, dy);
      bool concerns = dy == 0 || lane == (dy < 0 ? 0 : FS_SIDE - 1);
      if (beside >= 0 && !state.region[beside] && concerns)
        rim |= dx < 0 ? 1u : dx > 0 ? 1u << (FS_SIDE - 1) : FS_ALL_LANES;
    }
  if (grid.found[(size_t)tile * FS_SIDE + lane] & rim)
    atomicOr (&state.words->halted, turn.number + 1);
}

/* A block a tile: who can still reach a deficit takes the label. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_take_kernel (FsMovesState state, FsMoveTurn turn)
{
  const FsGridState &grid = state.grid;
  int tile = blockIdx.x;
  uint32_t n_changed = 0;
  if (fs_moves_is_over (state))
    return;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    int x = tile % grid.tiles_x * FS_SIDE + at % FS_SIDE;
    int y = tile / grid.tiles_x * FS_SIDE + at / FS_SIDE;
    if (!(grid.found[(size_t)tile * FS_SIDE + at / FS_SIDE] >> at % FS_SIDE & 1u)
        || !fs_move_has (state, x, y))
      continue;
    state.labels[(size_t)y * grid.width + x] = (uint8_t)turn.alpha;
    n_changed++;
  }
  if (n_changed != 0) {
    int row = tile / grid.tiles_x;
    state.tile_stamp[tile] = state.words->stamp;
    atomicMax (&state.words->changed_from, grid.tiles_y - row);
    atomicMax (&state.words->changed_to, row + 1);
  }
  for (int step = FS_WARP / 2; step > 0; step /= 2)
    n_changed += __shfl_down_sync (FS_ALL_LANES, n_changed, step);
  if (threadIdx.x % FS_WARP == 0 && n_changed != 0)
    atomicAdd (&state.words->n_changed[turn.number], n_changed);
}

/* The mask for the host. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_mask_kernel (FsGridState grid, uint32_t *mirror)
{
  int row = blockIdx.x * FS_BLOCK + threadIdx.x;
  if (row < grid.n_tiles * FS_SIDE)
    mirror[row] = ~grid.found[row];
}

/* --- Between moves --- */

/* One warp. Keeps what the last move left, and says whether the next one is made. */
__global__ void
fs_moves_begin_kernel (FsMovesState state, FsMoveTurn turn)
{
  FsMovesWords *words = state.words;
  FsRounds *rounds = state.rounds;
  if (threadIdx.x != 0)
    return;
  bool is_over = rounds->outcome != FS_ENGINE_DONE || words->halted;
  if (turn.before >= 0 && !words->skips && !is_over) {
    words->stamp_of[turn.before] = words->stamp;
    words->version += words->n_changed[turn.number - 1] > 0;
    words->seen[turn.before] = words->version;
    words->n_cuts++;
  }
  if (turn.before >= 0 && !words->skips) {
    words->epochs += rounds->epochs;
    words->discharges += rounds->discharges;
    for (int i = 0; i < 3; i++)
      words->ns[i] += rounds->ns[i];
  }
  if (turn.alpha < 0)
    return;
  int outcome = rounds->outcome;
  *rounds = FsRounds ();
  rounds->outcome = outcome;
  words->n_changed[turn.number] = 0;
  words->n_truncated = 0;
  words->is_pulled = words->is_left = 0;
  words->stamp++;
  words->skips = is_over || *state.cancel || words->seen[turn.alpha] == words->version;
}

/* Labels or data costs are others now, in tiles that have the next stamp. */
__global__ void
fs_moves_renew_kernel (FsMovesWords *words)
{
  if (threadIdx.x != 0)
    return;
  words->version++;
  words->stamp++;
}

/* … which are all tiles. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_stamp_kernel (FsMovesState state)
{
  int tile = blockIdx.x * FS_BLOCK + threadIdx.x;
  if (tile < state.grid.n_tiles)
    state.tile_stamp[tile] = state.words->stamp + 1;
}

static __device__ void
fs_moves_stamp_pixel (const FsMovesState &state, uint32_t pixel)
{
  int x = (int)(pixel % (uint32_t)state.grid.width), y = (int)(pixel / (uint32_t)state.grid.width);
  state.tile_stamp[y / FS_SIDE * state.grid.tiles_x + x / FS_SIDE] = state.words->stamp + 1;
}

__global__ void
fs_moves_label_kernel (FsMovesState state, const uint32_t *pixels, size_t n, int label)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  state.labels[pixels[i]] = (uint8_t)label;
  fs_moves_stamp_pixel (state, pixels[i]);
}

__global__ void
fs_moves_data_kernel (FsMovesState state, const FsMovesDatum *changes, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t n_pixels = (size_t)state.grid.width * state.grid.height;
  if (i >= n)
    return;
  state.data[changes[i].label * n_pixels + changes[i].pixel] = changes[i].cost;
  fs_moves_stamp_pixel (state, changes[i].pixel);
}

/* --- The energy --- */

/* Whether labels or data costs have changed in the tile or around it since energies were summed. */
static __device__ bool
fs_moves_has_other_energy (const FsMovesState &state, int tile)
{
  bool is_other = false;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int beside = fs_tile_beside (&state.grid, tile, dx, dy);
      is_other |= beside >= 0 && state.tile_stamp[beside] > state.words->energy_stamp;
    }
  return is_other;
}

static __device__ int64_t
fs_warp_sum (int64_t value)
{
  for (int step = FS_WARP / 2; step > 0; step /= 2)
    value += __shfl_down_sync (FS_ALL_LANES, value, step);
  return value;
}

/* A block a tile. */
template <int N_ARCS>
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_energy_kernel (FsMovesState state)
{
  const FsGridState &grid = state.grid;
  __shared__ FsMoveLabels labels;
  __shared__ int64_t sums[2][FS_BLOCK_WARPS];
  int tile = blockIdx.x, warp = threadIdx.x / FS_WARP;
  size_t n = (size_t)grid.width * grid.height;
  int64_t data = 0, smoothness = 0;
  if (state.words->halted || !fs_moves_has_other_energy (state, tile))
    return;
  fs_moves_load_labels (state, tile, &labels);
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    int in_x = at % FS_SIDE, in_y = at / FS_SIDE;
    int x = tile % grid.tiles_x * FS_SIDE + in_x, y = tile / grid.tiles_x * FS_SIDE + in_y;
    int here = labels.at[in_y + 1][in_x + 1];
    if (here == FS_MOVE_NONE)
      continue;
    here &= ~FS_MOVE_CLOSED;
    size_t p = (size_t)y * grid.width + x;
    data += state.data[here * n + p];
    for (int arc = 0; arc < N_ARCS / 2; arc++) {
      int there = labels.at[in_y + 1 + fs_arc_dy (N_ARCS, arc)][in_x + 1 + fs_arc_dx (N_ARCS, arc)];
      if (there == FS_MOVE_NONE)
        continue;
      const uint16_t *weights = state.weight[arc];
      smoothness += (int64_t)(weights != NULL ? weights[p] : 1)
                    * state.table[here * state.n_labels + (there & ~FS_MOVE_CLOSED)];
    }
  }
  data = fs_warp_sum (data);
  smoothness = fs_warp_sum (smoothness);
  if (threadIdx.x % FS_WARP == 0) {
    sums[0][warp] = data;
    sums[1][warp] = smoothness;
  }
  __syncthreads ();
  if (threadIdx.x < 2) {
    int64_t sum = 0;
    for (int i = 0; i < FS_BLOCK_WARPS; i++)
      sum += sums[threadIdx.x][i];
    state.energy[(size_t)tile * 2 + threadIdx.x] = sum;
  }
}

/* One block. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_sum_kernel (FsMovesState state)
{
  __shared__ int64_t sums[2][FS_BLOCK_WARPS];
  int64_t sum[2] = { 0, 0 };
  FsMovesWords *words = state.words;
  if (words->halted)
    return;
  for (int tile = threadIdx.x; tile < state.grid.n_tiles; tile += FS_BLOCK)
    for (int i = 0; i < 2; i++)
      sum[i] += state.energy[(size_t)tile * 2 + i];
  for (int i = 0; i < 2; i++) {
    sum[i] = fs_warp_sum (sum[i]);
    if (threadIdx.x % FS_WARP == 0)
      sums[i][threadIdx.x / FS_WARP] = sum[i];
  }
  __syncthreads ();
  if (threadIdx.x < 2) {
    words->energy[threadIdx.x] = 0;
    for (int i = 0; i < FS_BLOCK_WARPS; i++)
      words->energy[threadIdx.x] += sums[threadIdx.x][i];
  }
  if (threadIdx.x == 0)
    words->energy_stamp = words->stamp;
}

#endif
