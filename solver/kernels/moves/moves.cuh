/* SPDX-License-Identifier: MIT */
/* Expansion moves on a device: filling the cut from labels and duals, storing its flow in duals,
 * and applying the mask; the solve is solve.cuh's.   Layer: solver/kernels.
 *
 * The arithmetic is that of solver/expansion/move/move.h and pairs.h. Moves are queued one after
 * another without the host: each begins by checking whether anything has changed since the label's
 * last one.
 *
 * Few pixels have deficits, and nearly all have excess. So deficits are pushed instead of excess:
 * the solve is that of the cut's mirror image, with all arcs and signs reversed, whose flow is the
 * cut's. One labelling of the cut itself then finds the pixels that can still reach a deficit.
 *
 * Without deficits nothing is solved, and if the solve leaves no deficit nothing is labelled.
 *
 * From a label's second move on there can be deficits only where labels or data costs have changed
 * since its last one: elsewhere the duals restore a flow that satisfies them all. Duals changed by
 * other labels' moves do not matter: a label's duals change only where neither end of a pair has
 * that label, and are used only where one has. Tiles around such places are the move's *region*;
 * arcs that leave it are closed. The result is that of the whole cut unless a pixel that would take
 * the label lies at the region's boundary: then nothing is applied, the call halts, and the move is
 * made again without a region.
 */
#ifndef FS_KERNELS_MOVES_CUH
#define FS_KERNELS_MOVES_CUH

#include "solver/kernels/moves_engine.h"
#include "solver/kernels/solve/solve.cuh"

/* FS_LAUNCH (kernel, blocks, threads, stream) (arguments); tests launch on the host. */
#ifndef FS_LAUNCH
/* clang-format off */
#define FS_LAUNCH(kernel, blocks, threads, stream) kernel<<<(blocks), (threads), 0, (stream)>>>
/* clang-format on */
#endif

#define FS_DUAL_MAX (1 << 28)

/* Words shared by the moves of a call, and with the host. */
struct FsMovesWords {
  int version;                   /* of labels and data costs      */
  int stamp;                     /* of the last move or change of any kind */
  int stamp_of[FS_MOVES_LABELS]; /* [label]: of its last move; −1: none */
  int halted;                    /* number + 1 of a move that met its region's boundary; 0: none */
  int is_clamped;                /* a dual was too large: no more regions */
  int energy_stamp;              /* when tiles' energies were last summed: −1: never */
  int skips;                     /* nothing has changed, or the call is over */
  int is_pulled;                 /* there are deficits                       */
  int is_left;                   /* the solve left deficits                  */
  int seen[FS_MOVES_LABELS];     /* [label]: the version that its last move left */
  uint32_t n_changed[FS_MOVES_LABELS]; /* [move] of a call */
  unsigned long long n_truncated, n_cuts, epochs, discharges, ns[3];
  int changed_from, changed_to; /* of rows of tiles: where labels were taken in a call, counted
                                   from the last row up and from the first down; 0: nowhere */
  int64_t energy[2];            /* Σ D and Σ V */
  unsigned long long bound;     /* of the last start */
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
  uint32_t *reversed;  /* [n_tiles][n_arcs][32]: open arcs of the cut, not of its mirror image */
  int32_t *tile_stamp; /* [tile]: of what last changed something there */
  uint8_t *region;     /* [tile]: whether it is in this move's region  */
  int64_t *energy;     /* [tile][2]: Σ D and Σ V of its pixels and their forward pairs */
  FsMovesWords *words;
  FsRounds *rounds;
  const volatile int *cancel;
};

/* One move of a call, as its kernels get it. */
struct FsMoveArgs {
  int alpha, number; /* −1 and the number of moves, at the call's end */
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

/* The table's costs for a move's label, in a block's shared memory: of a pixel that keeps its label
 * next to one that takes this one, less that of both taking it. */
struct FsMoveCosts {
  int32_t both_take;
  int32_t p_keeps[FS_MOVES_LABELS], q_keeps[FS_MOVES_LABELS]; /* [label] */
};

/* By a block, which needs a barrier before it reads them. */
static __device__ void
fs_moves_load_costs (const FsMovesState &state, int alpha, FsMoveCosts *costs)
{
  const int n = state.n_labels;
  int32_t both_take = state.table[alpha * n + alpha];
  if (threadIdx.x == 0)
    costs->both_take = both_take;
  for (int label = threadIdx.x; label < n; label += FS_BLOCK) {
    costs->p_keeps[label] = state.table[label * n + alpha] - both_take;
    costs->q_keeps[label] = state.table[alpha * n + label] - both_take;
  }
}

/* The data of a pair. Loads for all arcs of a pixel overlap, so there are no branches. */
struct FsMoveReads {
  int32_t weight; /* 0 of no pair, and with it all that follows; but only once all is read */
  int32_t both_keep;
  int32_t of_a, of_b, of_alpha; /* duals */
};

static __device__ FsMoveTerms
fs_move_terms (const FsMoveReads &reads, const FsMoveCosts &costs, int a, int b)
{
  FsMoveTerms terms = { 0, reads.weight * costs.p_keeps[a], reads.weight * costs.q_keeps[b],
                        false };
  int32_t sum = terms.p_keeps + terms.q_keeps - reads.weight * (reads.both_keep - costs.both_take);
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

/* Loads the data of a pair, or of some other one where there is no pair. */
static __device__ FsMoveReads
fs_move_read (const FsMovesState &state, const FsMoveArgs &move, FsMovePair pair, bool is_pair)
{
  const uint16_t *weights = state.weight[pair.direction];
  pair.p = is_pair ? pair.p : 0;
  FsMoveReads reads = { 1, state.table[pair.a * state.n_labels + pair.b], 0, 0, 0 };
  if (weights != NULL)
    reads.weight = weights[pair.p];
  if (move.uses_duals) {
    reads.of_a = *fs_move_dual (state, pair, pair.a);
    reads.of_b = *fs_move_dual (state, pair, pair.b);
    reads.of_alpha = *fs_move_dual (state, pair, move.alpha);
  }
  return reads;
}

/* The capacity of the arc p → q when the label's own dual is 0. Pairs' costs fit in arcs, so no sum
 * with duals exceeds 32 bits. */
static __device__ int32_t
fs_move_even_share (const FsMoveReads &reads, const FsMoveTerms &terms)
{
  int32_t both_keep = terms.p_keeps + terms.q_keeps - terms.sum + reads.of_a - reads.of_b;
  return terms.p_keeps + reads.of_a - (both_keep >> 1);
}

/* The capacity of the arc p → q. */
static __device__ int32_t
fs_move_share (const FsMoveReads &reads, const FsMoveTerms &terms)
{
  int32_t forth = fs_move_even_share (reads, terms) - reads.of_alpha;
  return fs_max_i32 (0, fs_min_i32 (forth, terms.sum));
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

/* By a block, which waits for its threads. All of a thread's reads are made before it waits for any
 * of them. */
static __device__ void
fs_moves_load_labels (const FsMovesState &state, int tile, FsMoveLabels *labels)
{
  const int side = FS_SIDE + 2, n = (side * side + FS_BLOCK - 1) / FS_BLOCK;
  const FsGridState &grid = state.grid;
  int x0 = tile % grid.tiles_x * FS_SIDE - 1, y0 = tile / grid.tiles_x * FS_SIDE - 1;
  uint8_t label[n], is_in[n];
#pragma unroll
  for (int k = 0; k < n; k++) {
    int i = threadIdx.x + k * FS_BLOCK;
    int x = fs_max_i32 (0, fs_min_i32 (x0 + i % side, grid.width - 1));
    int y = fs_max_i32 (0, fs_min_i32 (y0 + i / side, grid.height - 1));
    label[k] = state.labels[(size_t)y * grid.width + x];
    is_in[k] = state.region[y / FS_SIDE * grid.tiles_x + x / FS_SIDE];
  }
#pragma unroll
  for (int k = 0; k < n; k++) {
    int i = threadIdx.x + k * FS_BLOCK;
    int closed = is_in[k] ? 0 : FS_MOVE_CLOSED;
    if (i < side * side)
      labels->at[i / side][i % side] =
          fs_move_has (state, x0 + i % side, y0 + i / side) ? label[k] | closed : FS_MOVE_NONE;
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
fs_move_start (const FsMovesState &state, const FsMoveArgs &move, const FsMoveLabels &labels,
               const FsMoveCosts &costs, int tile, int at, int64_t *n_truncated)
{
  const FsGridState &grid = state.grid;
  int in_x = at % FS_SIDE, in_y = at / FS_SIDE;
  int x = tile % grid.tiles_x * FS_SIDE + in_x, y = tile / grid.tiles_x * FS_SIDE + in_y;
  size_t place = (size_t)tile * FS_TILE_PIXELS + at, n = (size_t)grid.width * grid.height;
  int label = labels.at[in_y + 1][in_x + 1], here = label != FS_MOVE_NONE ? label : 0;
  size_t p = (size_t)y * grid.width + x;
  int32_t update = state.data[move.alpha * n + (label != FS_MOVE_NONE ? p : 0)];
  int32_t keeping = state.data[here * n + (label != FS_MOVE_NONE ? p : 0)];
  uint32_t bits = 0;
  FsMoveReads reads[N_ARCS];
#pragma unroll
  for (int arc = 0; arc < N_ARCS; arc++) {
    const int dx = fs_arc_dx (N_ARCS, arc), dy = fs_arc_dy (N_ARCS, arc);
    int there = labels.at[in_y + 1 + dy][in_x + 1 + dx];
    bool is_pair = label != FS_MOVE_NONE && there != FS_MOVE_NONE;
    FsMovePair pair = fs_move_pair (state, x, y, dx, dy, fs_arc_direction (N_ARCS, arc), here,
                                    is_pair ? there & ~FS_MOVE_CLOSED : 0);
    reads[arc] = fs_move_read (state, move, pair, is_pair);
  }
  int32_t excess = label != FS_MOVE_NONE ? update - keeping : 0;
#pragma unroll
  for (int arc = 0; arc < N_ARCS; arc++) {
    const int direction = fs_arc_direction (N_ARCS, arc);
    const int dx = fs_arc_dx (N_ARCS, arc), dy = fs_arc_dy (N_ARCS, arc);
    int there = labels.at[in_y + 1 + dy][in_x + 1 + dx];
    int neighbour = there != FS_MOVE_NONE ? there & ~FS_MOVE_CLOSED : 0;
    if (label == FS_MOVE_NONE || there == FS_MOVE_NONE)
      reads[arc].weight = 0;
    FsMoveTerms terms = fs_move_terms (reads[arc], costs, direction < 4 ? here : neighbour,
                                       direction < 4 ? neighbour : here);
    int32_t forth = fs_move_share (reads[arc], terms);
    int32_t out = direction < 4 ? forth : terms.sum - forth;
    excess -= (direction < 4 ? terms.p_keeps : terms.q_keeps) - out;
    int32_t residual = there & FS_MOVE_CLOSED ? 0 : terms.sum - out;
    *n_truncated += direction < 4 && terms.truncated;
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
    grid.deficit[row] = grid.excess_bits[row] = grid.found[row] = 0;
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
    grid.excess_bits[row] = word;
  else if (lane == N_ARCS + 2)
    grid.found[row] = 0;
  return __any_sync (FS_ALL_LANES, bits >> N_ARCS & 1u);
}

/* --- Between moves --- */

/* Records the outcome of the last move; returns whether the call is over. */
static __device__ bool
fs_moves_record_last (const FsMovesState &state, const FsMoveArgs &move)
{
  FsMovesWords *words = state.words;
  const FsRounds *rounds = state.rounds;
  bool is_over = rounds->outcome != FS_ENGINE_DONE || words->halted;
  if (move.before < 0 || words->skips)
    return is_over;
  if (!is_over) {
    words->stamp_of[move.before] = words->stamp;
    words->version += words->n_changed[move.number - 1] > 0;
    words->seen[move.before] = words->version;
    words->n_cuts++;
  }
  words->epochs += rounds->epochs;
  words->discharges += rounds->discharges;
  for (int i = 0; i < 3; i++)
    words->ns[i] += rounds->ns[i];
  return is_over;
}

/* By one thread, while others look for the region: says whether the move is made. */
static __device__ void
fs_moves_begin (const FsMovesState &state, const FsMoveArgs &move)
{
  FsMovesWords *words = state.words;
  FsRounds *rounds = state.rounds;
  bool is_over = fs_moves_record_last (state, move);
  int outcome = rounds->outcome;
  *rounds = FsRounds ();
  rounds->outcome = outcome;
  words->n_changed[move.number] = 0;
  words->n_truncated = 0;
  words->is_pulled = words->is_left = 0;
  words->stamp++;
  words->skips = is_over || *state.cancel || words->seen[move.alpha] == words->version;
}

/* Begins a move. A thread a tile: whether something has changed so near since the label's last move
 * that the tile may have deficits, or is beside one that may. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_region_kernel (FsMovesState state, FsMoveArgs move)
{
  int tile = blockIdx.x * FS_BLOCK + threadIdx.x;
  if (tile == 0)
    fs_moves_begin (state, move);
  if (tile >= state.grid.n_tiles)
    return;
  int stamp = move.is_whole || state.words->is_clamped ? -1 : state.words->stamp_of[move.alpha];
  bool is_in = stamp < 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      int neighbour = fs_tile_neighbour (&state.grid, tile, dx, dy);
      is_in = is_in || (neighbour >= 0 && state.tile_stamp[neighbour] > stamp);
    }
  state.region[tile] = is_in;
}

/* A block a tile. No label of the solver is left from the last cut, so that nothing has to be
 * raised: lowering begins where there are deficits. */
template <int N_ARCS>
__global__ void
__launch_bounds__ (FS_BLOCK, 3) fs_moves_fill_kernel (FsMovesState state, FsMoveArgs move)
{
  const FsGridState &grid = state.grid;
  __shared__ FsMoveLabels labels;
  __shared__ FsMoveCosts costs;
  int tile = blockIdx.x;
  int64_t n_truncated = 0;
  bool has_deficit = false, has_excess = false, is_in = state.region[tile];
  if (state.words->skips)
    return;
  if (is_in) {
    fs_moves_load_costs (state, move.alpha, &costs);
    fs_moves_load_labels (state, tile, &labels);
  } else {
    fs_move_close (grid, tile);
  }
  for (int at = threadIdx.x; at < FS_TILE_PIXELS && is_in; at += FS_BLOCK) {
    uint32_t bits = fs_move_start<N_ARCS> (state, move, labels, costs, tile, at, &n_truncated);
    has_excess |= (bits >> N_ARCS & 2u) != 0;
    has_deficit |= fs_move_write_bits<N_ARCS> (grid, tile, at / FS_SIDE, bits);
  }
  for (int i = threadIdx.x; i < 4 * FS_SIDE; i += FS_BLOCK)
    grid.border[(size_t)tile * 4 * FS_SIDE + i] = FS_FAR;
  fs_warp_add (&state.words->n_truncated, n_truncated);
  has_excess = __syncthreads_or (has_excess);
  has_deficit = __syncthreads_or (has_deficit);
  if (threadIdx.x == 0) {
    grid.highest[tile] = 0;
    grid.flags[tile] = has_deficit ? FS_TILE_VISITED : 0;
    if (has_excess)
      atomicOr (&state.words->is_pulled, 1);
  }
}

/* --- After the solve --- */

static __device__ bool
fs_moves_is_over (const FsMovesState &state)
{
  return state.words->skips || state.words->halted || state.rounds->outcome != FS_ENGINE_DONE;
}

/* Returns whether two pixels are a pair inside the region. */
static __device__ bool
fs_move_is_open (int here, int there)
{
  return here != FS_MOVE_NONE && there != FS_MOVE_NONE && !(there & FS_MOVE_CLOSED);
}

/* The pair of a pixel and its neighbour; with labels 0 where there is no pair. */
template <int N_ARCS>
static __device__ FsMovePair
fs_move_forward_pair (const FsMovesState &state, int x, int y, int arc, int here, int there)
{
  bool is_pair = fs_move_is_open (here, there);
  return { (size_t)y * state.grid.width + x, arc, is_pair ? here : 0, is_pair ? there : 0 };
}

/* Sets the duals of a pixel's forward pairs. `move` uses duals. */
template <int N_ARCS>
static __device__ void
fs_move_fold (const FsMovesState &state, const FsMoveArgs &move, const FsMoveLabels &labels,
              const FsMoveCosts &costs, int tile, int at)
{
  const FsGridState &grid = state.grid;
  int in_x = at % FS_SIDE, in_y = at / FS_SIDE;
  int x = tile % grid.tiles_x * FS_SIDE + in_x, y = tile / grid.tiles_x * FS_SIDE + in_y;
  int here = labels.at[in_y + 1][in_x + 1];
  size_t place = (size_t)tile * FS_TILE_PIXELS + at;
  FsMoveReads reads[N_ARCS / 2];
  int32_t left[N_ARCS / 2];
#pragma unroll
  for (int arc = 0; arc < N_ARCS / 2; arc++) {
    int there = labels.at[in_y + 1 + fs_arc_dy (N_ARCS, arc)][in_x + 1 + fs_arc_dx (N_ARCS, arc)];
    bool is_pair = fs_move_is_open (here, there);
    reads[arc] =
        fs_move_read (state, move, fs_move_forward_pair<N_ARCS> (state, x, y, arc, here, there),
                      is_pair);
    left[arc] = is_pair ? grid.residual[fs_grid_residual_place (&grid, place, arc)] : 0;
  }
#pragma unroll
  for (int arc = 0; arc < N_ARCS / 2; arc++) {
    int there = labels.at[in_y + 1 + fs_arc_dy (N_ARCS, arc)][in_x + 1 + fs_arc_dx (N_ARCS, arc)];
    if (!fs_move_is_open (here, there))
      continue;
    FsMovePair pair = fs_move_forward_pair<N_ARCS> (state, x, y, arc, here, there);
    FsMoveTerms terms = fs_move_terms (reads[arc], costs, here, there);
    if (terms.sum == 0)
      continue;
    int32_t dual = fs_move_even_share (reads[arc], terms) - (terms.sum - left[arc]);
    if (dual < -FS_DUAL_MAX || dual > FS_DUAL_MAX)
      atomicOr (&state.words->is_clamped, 1);
    *fs_move_dual (state, pair, move.alpha) =
        fs_max_i32 (-FS_DUAL_MAX, fs_min_i32 (dual, FS_DUAL_MAX));
  }
}

/* A block a tile: where flow has moved, the label's duals are set so that sharing out gives what is
 * left. Labels are those that the cut was made for. Also looks whether anything is left to pull. */
template <int N_ARCS>
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_fold_kernel (FsMovesState state, FsMoveArgs move)
{
  const FsGridState &grid = state.grid;
  __shared__ FsMoveLabels labels;
  __shared__ FsMoveCosts costs;
  int tile = blockIdx.x;
  if (fs_moves_is_over (state) || !state.region[tile])
    return;
  if (threadIdx.x < FS_WARP && grid.excess_bits[(size_t)tile * FS_SIDE + threadIdx.x] != 0)
    atomicOr (&state.words->is_left, 1);
  if (state.duals == NULL || (move.uses_duals && !(grid.flags[tile] & FS_TILE_SUMS)))
    return;
  fs_moves_load_costs (state, move.alpha, &costs);
  fs_moves_load_labels (state, tile, &labels);
  move.uses_duals = 1;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK)
    fs_move_fold<N_ARCS> (state, move, labels, costs, tile, at);
}

/* Row y of a tile's arcs in the cut itself, after the solve of its mirror image: the bits of the
 * opposite arc at the pixels that it leads to. */
template <int N_ARCS>
static __device__ uint32_t
fs_move_reversed_row (const FsGridState &grid, int tile, int arc, int y)
{
  int dx = fs_arc_dx (N_ARCS, arc), to_y = y + fs_arc_dy (N_ARCS, arc);
  int back = fs_arc_opposite (N_ARCS, arc);
  int tile_dy = to_y < 0 ? -1 : to_y >= FS_SIDE;
  int here = fs_tile_neighbour (&grid, tile, 0, tile_dy);
  int neighbour = dx != 0 ? fs_tile_neighbour (&grid, tile, dx, tile_dy) : -1;
  to_y &= FS_SIDE - 1;
  uint32_t row = here >= 0 ? *fs_open_word (&grid, N_ARCS, here, back, to_y) : 0;
  uint32_t next = neighbour >= 0 ? *fs_open_word (&grid, N_ARCS, neighbour, back, to_y) : 0;
  if (dx == 0)
    return row;
  return dx > 0 ? row >> 1 | next << (FS_SIDE - 1) : row << 1 | next >> (FS_SIDE - 1);
}

/* A block a tile: reverses the mirror image, so that one more labelling finds the pixels that reach
 * a deficit, where one is left. Without excess nothing is discharged any more. Neighbours read the
 * arcs of the mirror image, so those of the cut have a plane of their own. */
template <int N_ARCS>
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_reverse_kernel (FsMovesState state)
{
  const FsGridState &grid = state.grid;
  int tile = blockIdx.x, y = threadIdx.x % FS_SIDE;
  size_t row = (size_t)tile * FS_SIDE + y;
  bool is_in = state.region[tile];
  if (fs_moves_is_over (state) || !state.words->is_left)
    return;
  if (tile == 0 && threadIdx.x < FS_N_QUEUES)
    state.rounds->queue[threadIdx.x] = { 0, 0, 0 };
  if (tile == 0 && threadIdx.x == 0)
    state.rounds->cut = 0;
  for (int arc = threadIdx.x / FS_SIDE; arc < N_ARCS; arc += FS_BLOCK / FS_SIDE)
    state.reversed[((size_t)tile * N_ARCS + arc) * FS_SIDE + y] =
        is_in ? fs_move_reversed_row<N_ARCS> (grid, tile, arc, y) : 0;
  for (int i = threadIdx.x; i < 4 * FS_SIDE; i += FS_BLOCK)
    grid.border[(size_t)tile * 4 * FS_SIDE + i] = FS_FAR;
  if (threadIdx.x >= FS_WARP)
    return;
  uint32_t deficit = is_in ? grid.excess_bits[row] : 0;
  grid.deficit[row] = deficit;
  grid.excess_bits[row] = grid.found[row] = 0;
  bool has_deficit = __any_sync (FS_ALL_LANES, deficit != 0);
  if (threadIdx.x == 0)
    grid.flags[tile] = has_deficit ? FS_TILE_VISITED : 0;
}

/* A warp a tile: whether a pixel that would take the label lies at the region's boundary. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_boundary_kernel (FsMovesState state, FsMoveArgs move)
{
  const FsGridState &grid = state.grid;
  int tile = blockIdx.x * FS_BLOCK_WARPS + threadIdx.x / FS_WARP, lane = threadIdx.x % FS_WARP;
  if (tile >= grid.n_tiles || fs_moves_is_over (state) || !state.words->is_left
      || !state.region[tile])
    return;
  uint32_t boundary = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int neighbour = fs_tile_neighbour (&grid, tile, dx, dy);
      bool concerns = dy == 0 || lane == (dy < 0 ? 0 : FS_SIDE - 1);
      if (neighbour >= 0 && !state.region[neighbour] && concerns)
        boundary |= dx < 0 ? 1u : dx > 0 ? 1u << (FS_SIDE - 1) : FS_ALL_LANES;
    }
  if (grid.found[(size_t)tile * FS_SIDE + lane] & boundary)
    atomicOr (&state.words->halted, move.number + 1);
}

/* A block a tile: who can still reach a deficit takes the label. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_take_kernel (FsMovesState state, FsMoveArgs move)
{
  const FsGridState &grid = state.grid;
  int tile = blockIdx.x;
  uint32_t n_changed = 0;
  if (fs_moves_is_over (state) || !state.words->is_left || !state.region[tile])
    return;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    int x = tile % grid.tiles_x * FS_SIDE + at % FS_SIDE;
    int y = tile / grid.tiles_x * FS_SIDE + at / FS_SIDE;
    if (!(grid.found[(size_t)tile * FS_SIDE + at / FS_SIDE] >> at % FS_SIDE & 1u)
        || !fs_move_has (state, x, y))
      continue;
    state.labels[(size_t)y * grid.width + x] = (uint8_t)move.alpha;
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
    atomicAdd (&state.words->n_changed[move.number], n_changed);
}

/* The mask for the host. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_mask_kernel (FsMovesState state, uint32_t *mirror)
{
  int row = blockIdx.x * FS_BLOCK + threadIdx.x;
  if (row < state.grid.n_tiles * FS_SIDE)
    mirror[row] = state.words->is_left ? ~state.grid.found[row] : FS_ALL_LANES;
}

/* --- After the last move --- */

/* One warp. */
__global__ void
fs_moves_end_kernel (FsMovesState state, FsMoveArgs move)
{
  if (threadIdx.x == 0)
    fs_moves_record_last (state, move);
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

#endif
