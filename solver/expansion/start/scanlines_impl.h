/* SPDX-License-Identifier: MIT */
/* The code of scanlines.h, for numbers of one size.   Layer: solver (expansion moves).
 *
 * Whoever includes it says before what a Value is, its N_LANES and what is FAR, too large for any
 * minimum, and puts the functions into a table. Plain loops, which compilers turn into vectors, but
 * for the three that scanlines_avx2.h writes out. */
#include "solver/expansion/start/scanlines.h"

#include <string.h>

enum { STEPS_AHEAD = 4, CACHE_LINE = 64 };

/* As many values as a vector has. Left to themselves compilers unroll loops of so few. */
typedef Value Lot __attribute__ ((vector_size (32), aligned (sizeof (Value)), may_alias));
#define LOT(values)    (*(const Lot *)(const void *)(values))
#define LOT_AT(values) (*(Lot *)(void *)(values))
#define EACH_LOT(l)    for (int l = 0; l < n; l += N_LANES)

/* The numbers of a pixel's labels, with room for what is too far away on either side. */
typedef struct {
  Value all[3 * FS_LABELS_MAX];
} __attribute__ ((aligned (CACHE_LINE))) Padded;

typedef struct {
  Value of[FS_LABELS_MAX];
} __attribute__ ((aligned (CACHE_LINE))) Labels;

static inline Value *
middle (Padded *padded)
{
  return padded->all + FS_LABELS_MAX;
}

static inline void
set_padding (Padded *padded)
{
  for (size_t l = 0; l < G_N_ELEMENTS (padded->all); l++)
    padded->all[l] = FAR;
}

#ifdef LINES_WITH_AVX2
#include "solver/expansion/start/scanlines_avx2.h"
#else
static inline Value
min_of (const Value *values, int n)
{
  Value min[N_LANES];
  memcpy (min, values, sizeof min);
  for (int from = N_LANES; from < n; from += N_LANES)
    for (int l = 0; l < N_LANES; l++)
      min[l] = MIN (min[l], values[from + l]);
  for (int half = N_LANES / 2; half > 0; half /= 2)
    for (int l = 0; l < half; l++)
      min[l] = MIN (min[l], min[half + l]);
  return min[0];
}

/* The first label with the least number. */
static inline int
cheapest (const Value *values, int n)
{
  Value min = min_of (values, n);
  int label = 0;
  while (values[label] != min)
    label++;
  return label;
}

/* to(b) = the least of from(a) + weight · V(a, b) over all a, less the least from(a). A ladder is
 * for k · V(0, 1): steps of 1, 2, 4, … lead to all the others. */
static inline void
pass_on (const FsLineCosts *costs, Padded *from, int32_t weight, gboolean by_ladder, int n,
         Value *restrict to)
{
  Value *f = middle (from);
  Value min = min_of (f, n), max = (Value)(min + weight * costs->max);
  for (int l = 0; l < n; l++)
    to[l] = MIN (f[l], max);
  for (int k = 1; k <= costs->truncation; k = by_ladder ? 2 * k : k + 1) {
    Value cost = (Value)(weight * costs->cost[k]);
    for (int l = 0; l < n; l++) {
      Value other = (Value)(MIN (f[l - k], f[l + k]) + cost);
      to[l] = MIN (to[l], other);
    }
    if (by_ladder)
      memcpy (f, to, (size_t)n * sizeof *f);
  }
  for (int l = 0; l < n; l++)
    to[l] = (Value)(to[l] - min);
}
#endif

/* --- Where things are --- */

/* A step of a line: pixels and planes. */
typedef struct {
  size_t pixel, at;         /* of the first line's first pixel            */
  size_t step, step_at;     /* along the lines: pixels; values of a plane */
  size_t across, across_at; /* to the next line                           */
  int length;
} Way;

static inline Way
way_of (const FsLinesProblem *problem, const FsLines *lines, int n)
{
  size_t width = (size_t)problem->problem->width, pitch = problem->pitch * (size_t)n;
  size_t first = (size_t)lines->first, apart = (size_t)lines->apart;
  if (lines->direction == FS_DIRECTION_E)
    return (Way){ .pixel = first * width,
                  .at = first * pitch,
                  .step = 1,
                  .step_at = (size_t)n,
                  .across = apart * width,
                  .across_at = apart * pitch,
                  .length = problem->problem->width };
  return (Way){ .pixel = first,
                .at = first * (size_t)n,
                .step = width,
                .step_at = pitch,
                .across = apart,
                .across_at = apart * (size_t)n,
                .length = problem->problem->height };
}

static inline int32_t
weight_between (const FsLabelProblem *problem, size_t p, size_t q, int d)
{
  if (!fs_label_problem_has (problem, p) || !fs_label_problem_has (problem, q))
    return 0;
  return fs_label_problem_weight (problem, p, d);
}

static inline void
fetch (const Value *values, int n)
{
  for (int l = 0; l < n; l += CACHE_LINE / (int)sizeof *values)
    __builtin_prefetch (values + l, 1);
}

/* --- Sweeps --- */

static inline void
go_forth (FsLinesProblem *problem, const FsLines *lines, int n)
{
  const Way way = way_of (problem, lines, n);
  Padded from[FS_LINES_AT_ONCE];
  Labels news[FS_LINES_AT_ONCE];
  memset (news, 0, sizeof news);
  for (int j = 0; j < lines->n; j++)
    set_padding (&from[j]);
  for (int i = 0; i < way.length; i++)
    for (int j = 0; j < lines->n; j++) {
      size_t p = way.pixel + (size_t)i * way.step + (size_t)j * way.across;
      size_t at = way.at + (size_t)i * way.step_at + (size_t)j * way.across_at;
      Value *restrict rest = (Value *)problem->rest + at;
      Value *restrict dual = (Value *)problem->dual[lines->direction] + at;
      Value *restrict new_here = news[j].of, *restrict f = middle (&from[j]);
      if (i + 1 == way.length) {
        EACH_LOT (l)
        LOT_AT (rest + l) += LOT (new_here + l);
        continue;
      }
      if (i + STEPS_AHEAD < way.length) {
        fetch (rest + STEPS_AHEAD * way.step_at, n);
        fetch (dual + STEPS_AHEAD * way.step_at, n);
      }
      if (lines->is_fresh)
        memset (dual, 0, (size_t)n * sizeof *dual);
      EACH_LOT (l)
      LOT_AT (f + l) = LOT (rest + l) + LOT (dual + l) + LOT (new_here + l);
      Labels message;
      pass_on (&problem->metric, &from[j],
               weight_between (problem->problem, p, p + way.step, lines->direction), TRUE, n,
               message.of);
      EACH_LOT (l)
      {
        LOT_AT (rest + l) += LOT (dual + l) + LOT (new_here + l) - LOT (message.of + l);
        LOT_AT (new_here + l) = LOT (message.of + l) - LOT (dual + l);
        LOT_AT (dual + l) = LOT (message.of + l);
      }
    }
}

/* The label of a pixel for that of the next one, which has been chosen. */
static inline uint8_t
choose (const FsLinesProblem *problem, const Value *cost, size_t p, size_t next, int d, int n)
{
  const Value *pair = (const Value *)problem->table + problem->labels[next] * (size_t)n;
  Value weight = (Value)weight_between (problem->problem, p, next, d);
  Labels sums;
  if (n < N_LANES)
    __builtin_unreachable ();
  EACH_LOT (l)
  LOT_AT (sums.of + l) = LOT (cost + l) + weight * LOT (pair + l);
  return (uint8_t)cheapest (sums.of, n);
}

static inline void
take_label (FsLinesProblem *problem, const Way *way, const Value *rest, const Value *dual, size_t p,
            gboolean is_last, int d, int n)
{
  Labels whole;
  if (n < N_LANES)
    __builtin_unreachable ();
  if (is_last) {
    problem->labels[p] = (uint8_t)cheapest (rest, n);
    return;
  }
  EACH_LOT (l)
  LOT_AT (whole.of + l) = LOT (rest + l) + LOT (dual + l);
  problem->labels[p] = choose (problem, whole.of, p, p + way->step, d, n);
}

static inline void
go_back (FsLinesProblem *problem, const FsLines *lines, int n)
{
  const Way way = way_of (problem, lines, n);
  Padded from[FS_LINES_AT_ONCE];
  Labels news[FS_LINES_AT_ONCE];
  memset (news, 0, sizeof news);
  for (int j = 0; j < lines->n; j++)
    set_padding (&from[j]);
  for (int i = way.length - 1; i >= 0; i--)
    for (int j = 0; j < lines->n; j++) {
      size_t p = way.pixel + (size_t)i * way.step + (size_t)j * way.across;
      size_t at = way.at + (size_t)i * way.step_at + (size_t)j * way.across_at;
      Value *restrict rest = (Value *)problem->rest + at;
      Value *restrict new_here = news[j].of, *restrict f = middle (&from[j]);
      EACH_LOT (l)
      LOT_AT (rest + l) -= LOT (new_here + l);
      if (lines->takes)
        take_label (problem, &way, rest, (const Value *)problem->dual[lines->direction] + at, p,
                    i + 1 == way.length, lines->direction, n);
      if (i == 0)
        continue;
      Value *restrict dual = (Value *)problem->dual[lines->direction] + at - way.step_at;
      if (i > STEPS_AHEAD) {
        fetch (rest - STEPS_AHEAD * way.step_at, n);
        fetch (dual - STEPS_AHEAD * way.step_at, n);
      }
      Value min = min_of (rest, n);
      EACH_LOT (l)
      {
        Lot here = LOT (rest + l);
        LOT_AT (f + l) = here - ((here - min) >> FS_LINES_RETAINED_SHIFT) - LOT (dual + l);
      }
      Labels message;
      pass_on (&problem->metric, &from[j],
               weight_between (problem->problem, p - way.step, p, lines->direction), TRUE, n,
               message.of);
      EACH_LOT (l)
      {
        LOT_AT (new_here + l) = -LOT (message.of + l) - LOT (dual + l);
        LOT_AT (rest + l) += LOT (new_here + l);
        LOT_AT (dual + l) = -LOT (message.of + l);
      }
    }
}

/* --- Mending --- */

/* The costs of a pixel's labels next to the fixed labels of the adjacent lines. */
static inline void
neighbour_cost (const FsLinesProblem *problem, const FsLines *lines, int line, size_t p, size_t at,
                int n, Value *restrict cost)
{
  const FsLabelProblem *shape = problem->problem;
  int across = lines->direction == FS_DIRECTION_E ? FS_DIRECTION_S : FS_DIRECTION_E;
  int n_lines = across == FS_DIRECTION_S ? shape->height : shape->width;
  size_t step = (size_t)fs_label_problem_step (shape, across);
  memcpy (cost, (const Value *)problem->data + at, (size_t)n * sizeof *cost);
  for (int side = -1; side <= 1; side += 2) {
    if (line + side < 0 || line + side >= n_lines)
      continue;
    size_t other = side < 0 ? p - step : p + step;
    const Value *pair = (const Value *)problem->table + problem->labels[other] * (size_t)n;
    Value weight = (Value)weight_between (shape, MIN (p, other), MAX (p, other), across);
    EACH_LOT (l)
    LOT_AT (cost + l) += weight * LOT (pair + l);
  }
}

static inline void
mend_n (FsLinesProblem *problem, const FsLines *lines, int n)
{
  const Way way = way_of (problem, lines, n);
  Padded from[FS_LINES_AT_ONCE];
  Labels message[FS_LINES_AT_ONCE];
  memset (message, 0, sizeof message);
  for (int j = 0; j < lines->n; j++)
    set_padding (&from[j]);
  for (int i = 0; i < way.length; i++)
    for (int j = 0; j < lines->n; j++) {
      size_t p = way.pixel + (size_t)i * way.step + (size_t)j * way.across;
      size_t at = way.at + (size_t)i * way.step_at + (size_t)j * way.across_at;
      Value *restrict sum = (Value *)problem->rest + at, *restrict f = middle (&from[j]);
      neighbour_cost (problem, lines, lines->first + j * lines->apart, p, at, n, f);
      EACH_LOT (l)
      LOT_AT (sum + l) = LOT_AT (f + l) += LOT (message[j].of + l);
      if (i + 1 < way.length)
        pass_on (&problem->real, &from[j],
                 weight_between (problem->problem, p, p + way.step, lines->direction), FALSE, n,
                 message[j].of);
    }
  for (int i = way.length - 1; i >= 0; i--)
    for (int j = 0; j < lines->n; j++) {
      size_t p = way.pixel + (size_t)i * way.step + (size_t)j * way.across;
      const Value *sum = (const Value *)problem->rest + way.at + (size_t)i * way.step_at
                         + (size_t)j * way.across_at;
      problem->labels[p] = i + 1 == way.length
                               ? (uint8_t)cheapest (sum, n)
                               : choose (problem, sum, p, p + way.step, lines->direction, n);
    }
}

/* --- The functions of a table --- */

static void
begin (FsLinesProblem *problem, int y)
{
  const FsLabelProblem *shape = problem->problem;
  size_t n_pixels = fs_label_problem_n_pixels (shape), width = (size_t)shape->width;
  size_t n = (size_t)problem->n_padded, row = (size_t)y * width;
  for (size_t begin = 0; begin < width; begin += CACHE_LINE / sizeof (int32_t))
    for (size_t l = 0; l < n; l++)
      for (size_t x = begin; x < MIN (begin + CACHE_LINE / sizeof (int32_t), width); x++) {
        size_t at = ((size_t)y * problem->pitch + x) * n + l;
        int32_t cost = l >= (size_t)shape->n_labels            ? FAR
                       : fs_label_problem_has (shape, row + x) ? shape->data[l * n_pixels + row + x]
                                                               : 0;
        ((Value *)problem->data)[at] = ((Value *)problem->rest)[at] = (Value)cost;
      }
}

static int64_t
bound (const FsLinesProblem *problem, int y)
{
  int64_t sum = 0;
  for (int x = 0; x < problem->problem->width; x++)
    sum += min_of ((const Value *)problem->rest
                       + ((size_t)y * problem->pitch + (size_t)x) * (size_t)problem->n_padded,
                   problem->n_padded);
  return sum;
}

/* For usual numbers of labels the loops over them are unrolled. */
static void
sweep (FsLinesProblem *problem, const FsLines *lines)
{
  if (problem->n_padded == 16) {
    go_forth (problem, lines, 16);
    go_back (problem, lines, 16);
  } else if (problem->n_padded == 32) {
    go_forth (problem, lines, 32);
    go_back (problem, lines, 32);
  } else {
    go_forth (problem, lines, problem->n_padded);
    go_back (problem, lines, problem->n_padded);
  }
}

static void
mend (FsLinesProblem *problem, const FsLines *lines)
{
  if (problem->n_padded == 16)
    mend_n (problem, lines, 16);
  else if (problem->n_padded == 32)
    mend_n (problem, lines, 32);
  else
    mend_n (problem, lines, problem->n_padded);
}

static void
read_duals (const FsLinesProblem *problem, int y, int d, int32_t *const *duals)
{
  const FsLabelProblem *shape = problem->problem;
  size_t width = (size_t)shape->width, n = (size_t)problem->n_padded;
  size_t row = (size_t)d * fs_label_problem_n_pixels (shape) + (size_t)y * width;
  const Value *dual = (const Value *)problem->dual[d] + (size_t)y * problem->pitch * n;
  for (size_t begin = 0; begin < width; begin += CACHE_LINE / sizeof (int32_t))
    for (int l = 0; l < shape->n_labels; l++)
      for (size_t x = begin; x < MIN (begin + CACHE_LINE / sizeof (int32_t), width); x++)
        duals[l][row + x] = dual[x * n + (size_t)l];
}
