/* SPDX-License-Identifier: MIT */
/* The loops of scanlines_impl.h with AVX2, for numbers of 16 bits.
 * Layer: solver (expansion moves). */
#include <immintrin.h>

enum { LOTS_MAX = FS_LABELS_MAX / N_LANES };

static inline __m256i
lot (const Value *values)
{
  return _mm256_loadu_si256 ((const __m256i *)(const void *)values);
}

static inline void
put_lot (Value *values, __m256i lanes)
{
  _mm256_storeu_si256 ((__m256i *)(void *)values, lanes);
}

static inline __m256i
level (__m256i lanes)
{
  __m128i min = _mm_min_epi16 (_mm256_castsi256_si128 (lanes), _mm256_extracti128_si256 (lanes, 1));
  min = _mm_min_epi16 (min, _mm_shuffle_epi32 (min, 0x4E));
  min = _mm_min_epi16 (min, _mm_shuffle_epi32 (min, 0xB1));
  min = _mm_min_epi16 (min, _mm_srli_epi32 (min, 16));
  return _mm256_broadcastw_epi16 (min);
}

static inline __m256i
level_of (const Value *values, int n)
{
  __m256i min = lot (values);
  for (int from = N_LANES; from < n; from += N_LANES)
    min = _mm256_min_epi16 (min, lot (values + from));
  return level (min);
}

static inline Value
min_of (const Value *values, int n)
{
  return (Value)_mm256_extract_epi16 (level_of (values, n), 0);
}

static inline int
cheapest (const Value *values, int n)
{
  __m256i min = level_of (values, n);
  for (int from = 0;; from += N_LANES) {
    int is_min = _mm256_movemask_epi8 (_mm256_cmpeq_epi16 (lot (values + from), min));
    if (is_min != 0 || from + N_LANES >= n)
      return from + __builtin_ctz ((unsigned)is_min) / (int)sizeof (Value);
  }
}

/* The lots `from` lowered to what lies k labels, fewer than a lot, before and after, and `cost`. */
#define LOWER_BY(k)                                                                                \
  for (int i = 0; i < n_lots; i++) {                                                               \
    __m256i before = _mm256_permute2x128_si256 (f[i], f[i + 1], 0x21);                             \
    __m256i after = _mm256_permute2x128_si256 (f[i + 1], f[i + 2], 0x21);                          \
    __m256i low = _mm256_alignr_epi8 (f[i + 1], before, 16 - 2 * (k));                             \
    __m256i high = _mm256_alignr_epi8 (after, f[i + 1], 2 * (k));                                  \
    __m256i other = _mm256_add_epi16 (_mm256_min_epi16 (low, high), cost);                         \
    m[i] = _mm256_min_epi16 (m[i], other);                                                         \
  }

static inline void
pass_on (const FsLineCosts *costs, Padded *from, int32_t weight, gboolean by_ladder, int n,
         Value *restrict to)
{
  const __m256i far = _mm256_set1_epi16 (FAR);
  const int n_lots = n / N_LANES;
  const Value *values = middle (from);
  __m256i f[LOTS_MAX + 2], m[LOTS_MAX];
  __m256i min = level_of (values, n);
  __m256i max = _mm256_add_epi16 (min, _mm256_set1_epi16 ((Value)(weight * costs->max)));
  f[0] = f[n_lots + 1] = far;
  for (int i = 0; i < n_lots; i++) {
    f[i + 1] = lot (values + i * N_LANES);
    m[i] = _mm256_min_epi16 (f[i + 1], max);
  }
  for (int k = 1; k <= costs->truncation; k = by_ladder ? 2 * k : k + 1) {
    const __m256i cost = _mm256_set1_epi16 ((Value)(weight * costs->cost[k]));
    switch (k) {
    case 1:
      LOWER_BY (1) break;
    case 2:
      LOWER_BY (2) break;
    case 3:
      LOWER_BY (3) break;
    case 4:
      LOWER_BY (4) break;
    case 8:
      LOWER_BY (8) break;
    default:
      for (int i = 0; by_ladder && i < n_lots; i++)
        put_lot (middle (from) + i * N_LANES, f[i + 1]);
      for (int i = 0; i < n_lots; i++) {
        __m256i other =
            _mm256_min_epi16 (lot (values + i * N_LANES - k), lot (values + i * N_LANES + k));
        m[i] = _mm256_min_epi16 (m[i], _mm256_add_epi16 (other, cost));
      }
    }
    for (int i = 0; by_ladder && i < n_lots; i++)
      f[i + 1] = m[i];
  }
  for (int i = 0; i < n_lots; i++)
    put_lot (to + i * N_LANES, _mm256_sub_epi16 (m[i], min));
}

#undef LOWER_BY
