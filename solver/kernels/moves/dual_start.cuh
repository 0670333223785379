/* SPDX-License-Identifier: MIT */
/* A start for expansion moves: sweeps of dual ascent along rows and columns, labels along the last
 * one, and every second line mended exactly between its neighbours.   Layer: solver/kernels.
 *
 * The arithmetic is that of solver/expansion/start/dual_start.h, to the bit. A line is a warp, its
 * labels are in lanes, and its pixels follow one another: what takes time is how long a step is. So
 * planes have a pixel's labels side by side, and are read some steps ahead.
 */
#ifndef FS_KERNELS_DUAL_START_CUH
#define FS_KERNELS_DUAL_START_CUH

#include "solver/kernels/moves/moves.cuh"

#define FS_DUAL_START_FAR    (1 << 29) /* costs more than any label that there is */
#define FS_DUAL_START_AHEAD  8         /* steps, with a label a lane              */
#define FS_DUAL_START_DIRECT 8         /* up to this truncation distances are tried one by one */

struct FsDualStart {
  int width, height, n_labels;
  const int32_t *data;       /* [label · n + p] */
  const uint16_t *weight[2]; /* NULL: 1         */
  const uint8_t *present;    /* NULL: all       */
  uint8_t *labels;
  int32_t *duals; /* [(label · 2 + direction) · n + p]; NULL: not wanted */
  unsigned long long *bound;
  /* Its own. */
  int32_t *rest, *dual[2]; /* [p · n_labels + label] */
  uint16_t *along[2];      /* [p]: the weight of its pair, 0 of none */
};

struct FsDualStartCosts {
  FsMovesDistances of;
  int is_linear; /* up to the truncation; beyond it costs are no greater than linear ones */
};

/* --- Lines --- */

struct FsScanline {
  size_t first, step, across; /* pixels: of it, and to the line beside it */
  int length, n_lines;
  int32_t *dual; /* in its direction */
  const uint16_t *weight, *weight_across;
};

static __device__ FsScanline
fs_scanline_of (const FsDualStart &start, int direction, int number)
{
  size_t width = (size_t)start.width;
  if (direction == 0)
    return { number * width, 1, width, start.width, start.height, start.dual[0], start.along[0],
             start.along[1] };
  return { (size_t)number, width,         1, start.height, start.width, start.dual[1],
           start.along[1], start.along[0] };
}

static __device__ size_t
fs_scanline_pixel (const FsScanline &line, int i)
{
  return line.first + line.step * i;
}

/* --- A pixel's labels, K of them a lane: label = lane + 32 · k --- */

static __device__ int
fs_scanline_label (int k)
{
  return threadIdx.x + k * FS_WARP;
}

template <int K>
static __device__ void
fs_scanline_load (const FsDualStart &start, const int32_t *plane, size_t p, int32_t beyond,
                  int32_t *to)
{
#pragma unroll
  for (int k = 0; k < K; k++) {
    int label = fs_scanline_label (k);
    to[k] = label < start.n_labels ? plane[p * start.n_labels + label] : beyond;
  }
}

template <int K>
static __device__ void
fs_scanline_store (const FsDualStart &start, int32_t *plane, size_t p, const int32_t *from)
{
#pragma unroll
  for (int k = 0; k < K; k++) {
    int label = fs_scanline_label (k);
    if (label < start.n_labels)
      plane[p * start.n_labels + label] = from[k];
  }
}

template <int K>
static __device__ int32_t
fs_scanline_min (const int32_t *value)
{
  int32_t min = value[0];
#pragma unroll
  for (int k = 1; k < K; k++)
    min = fs_min_i32 (min, value[k]);
  return fs_warp_min (min);
}

/* The cheapest label, the lowest of equals. */
template <int K>
static __device__ int
fs_scanline_cheapest (const int32_t *value)
{
  int32_t min = fs_scanline_min<K> (value);
  int label = 0;
#pragma unroll
  for (int k = K - 1; k >= 0; k--) {
    uint32_t lanes = __ballot_sync (FS_ALL_LANES, value[k] == min);
    label = lanes != 0 ? k * FS_WARP + __ffs ((int)lanes) - 1 : label;
  }
  return label;
}

/* --- Messages --- */

/* Takes over what labels a distance away cost, and the way from there. Where there is none the
 * label itself is asked, which takes nothing over. */
template <int K>
static __device__ void
fs_scanline_lower_envelope (int n_labels, const int32_t *from, int distance, int32_t cost,
                            int32_t *row, bool is_in_row, int32_t *to)
{
  if (K == 1) {
    int32_t below = __shfl_up_sync (FS_ALL_LANES, from[0], distance);
    int32_t above = __shfl_down_sync (FS_ALL_LANES, from[0], distance);
    to[0] = fs_min_i32 (to[0], fs_min_i32 (below, above) + cost);
    return;
  }
  if (!is_in_row) {
    __syncwarp ();
#pragma unroll
    for (int k = 0; k < K; k++)
      row[fs_scanline_label (k)] = from[k];
    __syncwarp ();
  }
#pragma unroll
  for (int k = 0; k < K; k++) {
    int label = fs_scanline_label (k);
    int32_t below = row[label >= distance ? label - distance : label];
    int32_t above = row[label + distance < n_labels ? label + distance : label];
    to[k] = fs_min_i32 (to[k], fs_min_i32 (below, above) + cost);
  }
}

/* m(b) = min over a of f(a) + weight · cost(|a − b|), less the least of f. Of linear costs what has
 * come from near goes on, twice as far each time. `row`: memory of the warp's own. */
template <int K>
static __device__ void
fs_scanline_message (const FsDualStartCosts &costs, int n_labels, const int32_t *f, int32_t weight,
                     int32_t *row, int32_t *m)
{
  int32_t min = fs_scanline_min<K> (f), top = min + weight * costs.of.max;
#pragma unroll
  for (int k = 0; k < K; k++)
    m[k] = f[k];
  if (costs.is_linear)
    for (int distance = 1; distance <= costs.of.truncation; distance *= 2)
      fs_scanline_lower_envelope<K> (n_labels, m, distance, weight * costs.of.cost[distance], row,
                                     false, m);
  else
    for (int distance = 1; distance <= costs.of.truncation; distance++)
      fs_scanline_lower_envelope<K> (n_labels, f, distance, weight * costs.of.cost[distance], row,
                                     distance > 1, m);
#pragma unroll
  for (int k = 0; k < K; k++)
    m[k] = fs_min_i32 (m[k], top) - min;
}

/* --- Sweeps --- */

/* The data of one step, loaded ahead. */
template <int K> struct FsScanlineStep {
  int32_t rest[K], dual[K];
  int32_t weight;
};

/* Each pixel gives the next one all that it can: i = 0 … */
template <int K>
static __device__ FsScanlineStep<K>
fs_scanline_read_forth (const FsDualStart &start, const FsScanline &line, int i, bool is_fresh)
{
  FsScanlineStep<K> step;
  size_t p = fs_scanline_pixel (line, fs_min_i32 (i, line.length - 1));
  fs_scanline_load<K> (start, start.rest, p, FS_DUAL_START_FAR, step.rest);
#pragma unroll
  for (int k = 0; k < K; k++)
    step.dual[k] = 0;
  if (!is_fresh)
    fs_scanline_load<K> (start, line.dual, p, 0, step.dual);
  step.weight = line.weight[p];
  return step;
}

template <int K>
static __device__ void
fs_scanline_go_forth (const FsDualStart &start, const FsScanline &line,
                      const FsDualStartCosts &costs, bool is_fresh, int32_t *row)
{
  constexpr int AHEAD = FS_DUAL_START_AHEAD / K;
  FsScanlineStep<K> steps[AHEAD];
  int32_t carry[K] = {}, f[K], m[K];
#pragma unroll
  for (int j = 0; j < AHEAD; j++)
    steps[j] = fs_scanline_read_forth<K> (start, line, j, is_fresh);
  for (int i = 0; i < line.length; i += AHEAD)
#pragma unroll
    for (int j = 0; j < AHEAD; j++) {
      if (i + j >= line.length)
        break;
      const FsScanlineStep<K> step = steps[j];
      size_t p = fs_scanline_pixel (line, i + j);
      steps[j] = fs_scanline_read_forth<K> (start, line, i + j + AHEAD, is_fresh);
#pragma unroll
      for (int k = 0; k < K; k++)
        f[k] = step.rest[k] + step.dual[k] + carry[k];
      fs_scanline_message<K> (costs, start.n_labels, f, step.weight, row, m);
#pragma unroll
      for (int k = 0; k < K; k++) {
        carry[k] = m[k] - step.dual[k];
        f[k] -= m[k];
      }
      fs_scanline_store<K> (start, start.rest, p, f);
      fs_scanline_store<K> (start, line.dual, p, m);
    }
}

/* The sweep back, up to a remainder: i = length − 1 … 0. The dual and weight are those of the pair
 * to the pixel before, 0 of the first one. */
template <int K>
static __device__ FsScanlineStep<K>
fs_scanline_read_back (const FsDualStart &start, const FsScanline &line, int i)
{
  FsScanlineStep<K> step;
  i = fs_max_i32 (i, 0);
  size_t before = fs_scanline_pixel (line, fs_max_i32 (i - 1, 0));
  fs_scanline_load<K> (start, start.rest, fs_scanline_pixel (line, i), FS_DUAL_START_FAR,
                       step.rest);
  fs_scanline_load<K> (start, line.dual, before, 0, step.dual);
  step.weight = line.weight[before];
#pragma unroll
  for (int k = 0; k < K; k++)
    step.dual[k] = i > 0 ? step.dual[k] : 0;
  step.weight = i > 0 ? step.weight : 0;
  return step;
}

/* State passed back to the previous pixel: dual and weight of the pair, and the label chosen. */
template <int K> struct FsScanlineAfter {
  int32_t dual[K];
  int32_t weight;
  int label;
};

/* Gives a pixel its label. `distances`: the true costs. */
template <int K>
static __device__ int
fs_scanline_pick (const int32_t *rest, const FsScanlineAfter<K> &after, const int32_t *distances)
{
  int32_t value[K];
#pragma unroll
  for (int k = 0; k < K; k++)
    value[k] = rest[k] + after.dual[k]
               + after.weight * distances[abs (fs_scanline_label (k) - after.label)];
  return fs_scanline_cheapest<K> (value);
}

/* Returns the sum of the least rests that stay, where labels are picked. */
template <int K, bool PICKS>
static __device__ int64_t
fs_scanline_go_back (const FsDualStart &start, const FsScanline &line,
                     const FsDualStartCosts &costs, int retained_shift, const int32_t *distances,
                     int32_t *row)
{
  constexpr int AHEAD = FS_DUAL_START_AHEAD / K;
  FsScanlineStep<K> steps[AHEAD];
  FsScanlineAfter<K> after = {};
  int32_t carry[K] = {}, rest[K], f[K], m[K];
  int64_t bound = 0;
#pragma unroll
  for (int j = 0; j < AHEAD; j++)
    steps[j] = fs_scanline_read_back<K> (start, line, line.length - 1 - j);
  for (int i = line.length - 1; i >= 0; i -= AHEAD)
#pragma unroll
    for (int j = 0; j < AHEAD; j++) {
      if (i - j < 0)
        break;
      const FsScanlineStep<K> step = steps[j];
      size_t p = fs_scanline_pixel (line, i - j);
      steps[j] = fs_scanline_read_back<K> (start, line, i - j - AHEAD);
#pragma unroll
      for (int k = 0; k < K; k++)
        rest[k] = step.rest[k] + carry[k];
      if (PICKS) {
        after.label = fs_scanline_pick<K> (rest, after, distances);
        if (threadIdx.x == 0)
          start.labels[p] = (uint8_t)after.label;
      }
      int32_t min = fs_scanline_min<K> (rest);
#pragma unroll
      for (int k = 0; k < K; k++)
        f[k] = rest[k] - ((rest[k] - min) >> retained_shift) - step.dual[k];
      fs_scanline_message<K> (costs, start.n_labels, f, step.weight, row, m);
#pragma unroll
      for (int k = 0; k < K; k++) {
        carry[k] = m[k] + step.dual[k];
        rest[k] -= carry[k];
        after.dual[k] = -m[k];
      }
      after.weight = step.weight;
      fs_scanline_store<K> (start, start.rest, p, rest);
      if (i - j > 0)
        fs_scanline_store<K> (start, line.dual, p - line.step, after.dual);
      if (PICKS)
        bound += fs_scanline_min<K> (rest);
    }
  return bound;
}

static __device__ void
fs_scanline_load_distances (const FsDualStartCosts &costs, int32_t *distances)
{
  for (int i = threadIdx.x; i < FS_MOVES_LABELS; i += FS_WARP)
    distances[i] = costs.of.cost[i];
  __syncwarp ();
}

/* A warp a line: a sweep. */
template <int K>
__global__ void
__launch_bounds__ (FS_WARP)
    fs_dual_start_sweep_kernel (FsDualStart start, FsDualStartCosts metric, int direction,
                                int retained_shift, bool is_fresh)
{
  __shared__ int32_t row[K * FS_WARP];
  FsScanline line = fs_scanline_of (start, direction, blockIdx.x);
  fs_scanline_go_forth<K> (start, line, metric, is_fresh, row);
  fs_scanline_go_back<K, false> (start, line, metric, retained_shift, NULL, row);
}

/* The last one, which also gives labels. */
template <int K>
__global__ void
__launch_bounds__ (FS_WARP)
    fs_dual_start_pick_kernel (FsDualStart start, FsDualStartCosts metric, FsDualStartCosts real,
                               int direction, int retained_shift, bool is_fresh)
{
  __shared__ int32_t row[K * FS_WARP], distances[FS_MOVES_LABELS];
  FsScanline line = fs_scanline_of (start, direction, blockIdx.x);
  fs_scanline_load_distances (real, distances);
  fs_scanline_go_forth<K> (start, line, metric, is_fresh, row);
  int64_t bound =
      fs_scanline_go_back<K, true> (start, line, metric, retained_shift, distances, row);
  if (threadIdx.x == 0)
    atomicAdd (start.bound, (unsigned long long)bound);
}

/* --- Mending --- */

template <int K> struct FsMendStep {
  int32_t data[K];
  int32_t weight, weight_before, weight_after; /* along the line, and to the lines beside it */
  int before, after;                           /* labels there */
};

/* Data costs are where duals were, a pixel's side by side. */
template <int K>
static __device__ FsMendStep<K>
fs_mend_read (const FsDualStart &start, const FsScanline &line, int number, int i)
{
  FsMendStep<K> step;
  size_t p = fs_scanline_pixel (line, fs_min_i32 (i, line.length - 1));
  size_t before = number > 0 ? p - line.across : p,
         after = number + 1 < line.n_lines ? p + line.across : p;
  fs_scanline_load<K> (start, start.dual[0], p, FS_DUAL_START_FAR, step.data);
  step.weight = line.weight[p];
  step.weight_before = line.weight_across[before];
  step.weight_after = line.weight_across[p];
  step.before = start.labels[before];
  step.after = start.labels[after];
  step.weight_before = number > 0 ? step.weight_before : 0;
  return step;
}

/* The pass forwards: the cost of each label with the best labels before it. */
template <int K>
static __device__ void
fs_mend_forth (const FsDualStart &start, const FsScanline &line, int number,
               const FsDualStartCosts &real, const int32_t *distances, int32_t *row)
{
  constexpr int AHEAD = FS_DUAL_START_AHEAD / K;
  FsMendStep<K> steps[AHEAD];
  int32_t f[K], m[K] = {};
#pragma unroll
  for (int j = 0; j < AHEAD; j++)
    steps[j] = fs_mend_read<K> (start, line, number, j);
  for (int i = 0; i < line.length; i += AHEAD)
#pragma unroll
    for (int j = 0; j < AHEAD; j++) {
      if (i + j >= line.length)
        break;
      const FsMendStep<K> step = steps[j];
      steps[j] = fs_mend_read<K> (start, line, number, i + j + AHEAD);
#pragma unroll
      for (int k = 0; k < K; k++) {
        int label = fs_scanline_label (k);
        f[k] = step.data[k] + step.weight_before * distances[abs (label - step.before)]
               + step.weight_after * distances[abs (label - step.after)] + m[k];
      }
      fs_scanline_store<K> (start, start.rest, fs_scanline_pixel (line, i + j), f);
      fs_scanline_message<K> (real, start.n_labels, f, step.weight, row, m);
    }
}

/* Labels, from the last pixel on. */
template <int K>
static __device__ void
fs_mend_back (const FsDualStart &start, const FsScanline &line, const int32_t *distances)
{
  constexpr int AHEAD = FS_DUAL_START_AHEAD / K;
  FsScanlineStep<K> steps[AHEAD];
  FsScanlineAfter<K> after = {};
#pragma unroll
  for (int j = 0; j < AHEAD; j++)
    steps[j] = fs_scanline_read_forth<K> (start, line, fs_max_i32 (line.length - 1 - j, 0), true);
  for (int i = line.length - 1; i >= 0; i -= AHEAD)
#pragma unroll
    for (int j = 0; j < AHEAD; j++) {
      if (i - j < 0)
        break;
      const FsScanlineStep<K> step = steps[j];
      steps[j] = fs_scanline_read_forth<K> (start, line, fs_max_i32 (i - j - AHEAD, 0), true);
      after.weight = step.weight;
      after.label = fs_scanline_pick<K> (step.rest, after, distances);
      if (threadIdx.x == 0)
        start.labels[fs_scanline_pixel (line, i - j)] = (uint8_t)after.label;
    }
}

/* A warp a line, of every second one from `first` on. */
template <int K>
__global__ void
__launch_bounds__ (FS_WARP)
    fs_dual_start_mend_kernel (FsDualStart start, FsDualStartCosts real, int direction, int first)
{
  __shared__ int32_t row[K * FS_WARP], distances[FS_MOVES_LABELS];
  int number = first + 2 * blockIdx.x;
  FsScanline line = fs_scanline_of (start, direction, number);
  fs_scanline_load_distances (real, distances);
  fs_mend_forth<K> (start, line, number, real, distances, row);
  fs_mend_back<K> (start, line, distances);
}

/* --- Planes --- */

/* A thread a pixel: the weights of its pairs. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_dual_start_weigh_kernel (FsDualStart start)
{
  size_t n = (size_t)start.width * start.height;
  size_t p = (size_t)blockIdx.x * FS_BLOCK + threadIdx.x;
  if (p >= n)
    return;
  size_t x = p % start.width;
  for (int d = 0; d < 2; d++) {
    size_t q = d == 0 ? p + 1 : p + start.width;
    bool is_pair = d == 0 ? x + 1 < (size_t)start.width : q < n;
    if (is_pair && start.present != NULL)
      is_pair = start.present[p] != 0 && start.present[q] != 0;
    const uint16_t *weights = start.weight[d];
    start.along[d][p] = !is_pair ? 0 : weights != NULL ? weights[p] : 1;
  }
}

#define FS_DUAL_START_TILE FS_WARP /* pixels, and labels at a time */

struct FsDualStartTile {
  int32_t at[FS_DUAL_START_TILE][FS_DUAL_START_TILE + 1]; /* [label][pixel] */
};

/* A block some pixels: puts the labels' data costs side by side. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_dual_start_data_kernel (FsDualStart start, int32_t *to)
{
  __shared__ FsDualStartTile tile;
  size_t n = (size_t)start.width * start.height, first = (size_t)blockIdx.x * FS_DUAL_START_TILE;
  for (int begin = 0; begin < start.n_labels; begin += FS_DUAL_START_TILE) {
    int n_labels = fs_min_i32 (start.n_labels - begin, FS_DUAL_START_TILE);
    for (int i = threadIdx.x; i < n_labels * FS_DUAL_START_TILE; i += FS_BLOCK) {
      size_t p = first + i % FS_DUAL_START_TILE;
      bool is_there = p < n && (start.present == NULL || start.present[p] != 0);
      tile.at[i / FS_DUAL_START_TILE][i % FS_DUAL_START_TILE] =
          is_there ? start.data[(begin + i / FS_DUAL_START_TILE) * n + p] : 0;
    }
    __syncthreads ();
    for (int i = threadIdx.x; i < n_labels * FS_DUAL_START_TILE; i += FS_BLOCK) {
      int at = i / n_labels, label = i % n_labels;
      if (first + at < n)
        to[(first + at) * start.n_labels + begin + label] = tile.at[label][at];
    }
    __syncthreads ();
  }
}

/* The way back, for duals. */
__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_dual_start_duals_kernel (FsDualStart start, const int32_t *from, int direction)
{
  __shared__ FsDualStartTile tile;
  size_t n = (size_t)start.width * start.height, first = (size_t)blockIdx.x * FS_DUAL_START_TILE;
  for (int begin = 0; begin < start.n_labels; begin += FS_DUAL_START_TILE) {
    int n_labels = fs_min_i32 (start.n_labels - begin, FS_DUAL_START_TILE);
    for (int i = threadIdx.x; i < n_labels * FS_DUAL_START_TILE; i += FS_BLOCK) {
      int at = i / n_labels, label = i % n_labels;
      if (first + at < n)
        tile.at[label][at] = from[(first + at) * start.n_labels + begin + label];
    }
    __syncthreads ();
    for (int i = threadIdx.x; i < n_labels * FS_DUAL_START_TILE; i += FS_BLOCK) {
      size_t p = first + i % FS_DUAL_START_TILE;
      size_t plane = (size_t)(begin + i / FS_DUAL_START_TILE) * 2 + direction;
      if (p < n)
        start.duals[plane * n + p] = tile.at[i / FS_DUAL_START_TILE][i % FS_DUAL_START_TILE];
    }
    __syncthreads ();
  }
}

#endif
