/* SPDX-License-Identifier: MIT */
/* cpu_view.h with AVX2: one gather loads all neighbours, one comparison and a move answer each
 * question about them. (CPU backend, template.) */
#include "solver/cpu_search.h"

#include <immintrin.h>

#define FS_LANES ((1u << FS_ND) - 1)

typedef struct {
  __m256i word; /* four directions: the upper half repeats lane 0's neighbours and is masked out */
} View;

static inline uint32_t
opposite (uint32_t d)
{
  return d ^ (FS_ND / 2);
}

static inline uint32_t
step (const FsCpuLayout *layout, uint32_t node, uint32_t d)
{
#ifdef FS_BAND
  return fs_cpu_rows_step (layout, node, d);
#else
  return node + layout->offset[node % FS_CPU_TILE_PIXELS][d];
#endif
}

static inline View
view_load (const FsCpuLayout *layout, uint32_t node)
{
#ifdef FS_BAND
  const int *words = (const int *)layout->word;
  const int *up = words + (int32_t)layout->rows[node].up;
  const int *down = words + (int32_t)layout->rows[node].down;
  words += (int32_t)node;
  return (View){ _mm256_setr_epi32 (words[1], down[1], down[2], down[0], words[-1], up[1], up[0],
                                    up[2]) };
#else
  const int32_t *offset = layout->offset[node % FS_CPU_TILE_PIXELS];
  const int *words = (const int *)layout->word + (int32_t)node;
  if (FS_ND == 4) {
    __m128i four =
        _mm_setr_epi32 (words[offset[0]], words[offset[1]], words[offset[2]], words[offset[3]]);
    return (View){ _mm256_castsi128_si256 (four) };
  }
  return (View){ _mm256_setr_epi32 (words[offset[0]], words[offset[1]], words[offset[2]],
                                    words[offset[3]], words[offset[4]], words[offset[5]],
                                    words[offset[6]], words[offset[7]]) };
#endif
}

static inline uint32_t
lanes_of (__m256i comparison)
{
  return (uint32_t)_mm256_movemask_ps (_mm256_castsi256_ps (comparison)) & FS_LANES;
}

static inline uint32_t
view_match (const View *view, uint32_t mask, uint32_t value)
{
  __m256i seen = _mm256_and_si256 (view->word, _mm256_set1_epi32 ((int)mask));
  return lanes_of (_mm256_cmpeq_epi32 (seen, _mm256_set1_epi32 ((int)value)));
}

static inline uint32_t
view_children (const View *view, uint32_t tree)
{
  const uint32_t mask = FS_WORD_TREE | FS_WORD_ROOT | FS_WORD_PARENT;
  __m256i lane = _mm256_setr_epi32 (0, 1, 2, 3, 4, 5, 6, 7);
  __m256i back = _mm256_xor_si256 (lane, _mm256_set1_epi32 (FS_ND / 2));
  __m256i child = _mm256_or_si256 (back, _mm256_set1_epi32 ((int)tree));
  __m256i seen = _mm256_and_si256 (view->word, _mm256_set1_epi32 ((int)mask));
  return lanes_of (_mm256_cmpeq_epi32 (seen, child));
}

/* Four numbers, those in some lanes first. */
static inline uint32_t *
list_four (__m128i four, uint32_t lanes, uint32_t *list)
{
  static const uint32_t order[] = { 0x000000, 0x000000, 0x000001, 0x000100,  0x000002, 0x000200,
                                    0x000201, 0x020100, 0x000003, 0x000300,  0x000301, 0x030100,
                                    0x000302, 0x030200, 0x030201, 0x03020100 };
  __m128i places = _mm_cvtepu8_epi32 (_mm_cvtsi32_si128 ((int)order[lanes]));
  __m128 chosen = _mm_permutevar_ps (_mm_castsi128_ps (four), places);
  _mm_storeu_si128 ((void *)list, _mm_castps_si128 (chosen));
  return list + __builtin_popcount (lanes);
}

static inline uint32_t *
list_neighbours (const FsCpuLayout *layout, uint32_t node, uint32_t lanes, uint32_t *list)
{
#ifdef FS_BAND
  FsCpuRows rows = layout->rows[node];
  __m128i forward =
      _mm_setr_epi32 ((int)node + 1, (int)rows.down + 1, (int)rows.down + 2, (int)rows.down);
  __m128i back = _mm_setr_epi32 ((int)node - 1, (int)rows.up + 1, (int)rows.up, (int)rows.up + 2);
#else
  const __m128i *offset = (const void *)layout->offset[node % FS_CPU_TILE_PIXELS];
  __m128i here = _mm_set1_epi32 ((int)node);
  __m128i forward = _mm_add_epi32 (here, _mm_loadu_si128 (offset));
  __m128i back = _mm_add_epi32 (here, _mm_loadu_si128 (offset + 1));
#endif
  list = list_four (forward, lanes & 15, list);
  return FS_ND == 4 ? list : list_four (back, lanes >> 4, list);
}

static inline uint32_t
least_lane (__m256i keys)
{
  __m128i least = _mm256_castsi256_si128 (keys);
  if (FS_ND == 8)
    least = _mm_min_epu32 (least, _mm256_extracti128_si256 (keys, 1));
  least = _mm_min_epu32 (least, _mm_shuffle_epi32 (least, _MM_SHUFFLE (1, 0, 3, 2)));
  least = _mm_min_epu32 (least, _mm_shuffle_epi32 (least, _MM_SHUFFLE (2, 3, 0, 1)));
  return (uint32_t)_mm_cvtsi128_si32 (least);
}

static inline gboolean
view_nearest (const View *view, uint32_t tree, uint32_t lanes, uint32_t *lane, uint32_t *distance)
{
  const __m256i bits = _mm256_setr_epi32 (1, 2, 4, 8, 16, 32, 64, 128);
  __m256i chosen = _mm256_and_si256 (_mm256_set1_epi32 ((int)lanes), bits);
  __m256i others = _mm256_cmpeq_epi32 (chosen, _mm256_setzero_si256 ());
  __m256i keys = _mm256_xor_si256 (view->word, _mm256_set1_epi32 ((int)tree));
  keys = _mm256_or_si256 (keys, others);
  uint32_t least = least_lane (keys);
  if (least >= FS_WORD_SOURCE)
    return FALSE;
  *lane = (uint32_t)__builtin_ctz (
      lanes_of (_mm256_cmpeq_epi32 (keys, _mm256_set1_epi32 ((int)least))));
  *distance = fs_word_distance (least);
  return TRUE;
}
