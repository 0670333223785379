/* SPDX-License-Identifier: MIT */
/* neighbours.h with AVX2: one gather loads all neighbours, one comparison and a move answer each
 * question about them. (CPU backend, template.) */
#include "solver/cpu/search/search.h"

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

#ifndef FS_BAND
/* Words go from memory into the vector one by one: by way of other registers they would take more
 * than twice as many shuffles. */
static inline __m128i
load_four (const int *words, const int32_t *offset)
{
  __m128i a = _mm_cvtsi32_si128 (words[offset[0]]), b = _mm_cvtsi32_si128 (words[offset[2]]);
  a = _mm_insert_epi32 (a, words[offset[1]], 1);
  b = _mm_insert_epi32 (b, words[offset[3]], 1);
  return _mm_unpacklo_epi64 (a, b);
}
#endif

static inline View
view_load_from (const FsCpuLayout *layout, const uint32_t *word, uint32_t node)
{
#ifdef FS_BAND
  const int *words = (const int *)word;
  const int *up = words + (int32_t)layout->rows[node].up;
  const int *down = words + (int32_t)layout->rows[node].down;
  words += (int32_t)node;
  return (View){ _mm256_setr_epi32 (words[1], down[1], down[2], down[0], words[-1], up[1], up[0],
                                    up[2]) };
#else
  const int32_t *offset = layout->offset[node % FS_CPU_TILE_PIXELS];
  const int *words = (const int *)word + (int32_t)node;
  __m128i forward = load_four (words, offset);
  if (FS_ND == 4)
    return (View){ _mm256_castsi128_si256 (forward) };
  return (View){ _mm256_set_m128i (load_four (words, offset + 4), forward) };
#endif
}

static inline View
view_load (const FsCpuLayout *layout, uint32_t node)
{
  return view_load_from (layout, layout->word, node);
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

/* For each set of lanes, those in it, a byte each, the lowest first. */
#define FS_NEXT(set, d, others) ((set) >> (d)&1 ? 256 : 1) * (others) + ((set) >> (d)&1 ? (d) : 0)
#define FS_PAIR(set, d, others) FS_NEXT (set, d, (FS_NEXT (set, d + 1, (others))))
#define FS_FOUR(set, d, others) FS_PAIR (set, d, (FS_PAIR (set, d + 2, (others))))
#define FS_LANES_IN(set)        FS_FOUR ((set), 0, (FS_FOUR ((set), 4, UINT64_C (0))))
#define FS_SETS_2(set)          FS_LANES_IN (set), FS_LANES_IN ((set) + 1)
#define FS_SETS_8(set)                                                                             \
  FS_SETS_2 (set), FS_SETS_2 (set + 2), FS_SETS_2 (set + 4), FS_SETS_2 (set + 6)
#define FS_SETS_32(set)                                                                            \
  FS_SETS_8 (set), FS_SETS_8 (set + 8), FS_SETS_8 (set + 16), FS_SETS_8 (set + 24)
#define FS_SETS_128(set)                                                                           \
  FS_SETS_32 (set), FS_SETS_32 (set + 32), FS_SETS_32 (set + 64), FS_SETS_32 (set + 96)
static const uint64_t lanes_in[1 << 8] = { FS_SETS_128 (0), FS_SETS_128 (128) };

static inline uint32_t *
list_neighbours (const FsCpuLayout *layout, uint32_t node, uint32_t lanes, uint32_t *list)
{
#ifdef FS_BAND
  FsCpuRows rows = layout->rows[node];
  __m256i there =
      _mm256_setr_epi32 ((int)node + 1, (int)rows.down + 1, (int)rows.down + 2, (int)rows.down,
                         (int)node - 1, (int)rows.up + 1, (int)rows.up, (int)rows.up + 2);
#else
  const void *offset = layout->offset[node % FS_CPU_TILE_PIXELS];
  __m256i there = _mm256_add_epi32 (_mm256_set1_epi32 ((int)node), _mm256_loadu_si256 (offset));
#endif
  __m128i bytes = _mm_loadl_epi64 ((const void *)&lanes_in[lanes]);
  __m256i chosen = _mm256_permutevar8x32_epi32 (there, _mm256_cvtepu8_epi32 (bytes));
  _mm256_storeu_si256 ((void *)list, chosen);
  return list + __builtin_popcount (lanes);
}

static inline uint32_t
min_lane (__m256i keys)
{
  __m128i min = _mm256_castsi256_si128 (keys);
  if (FS_ND == 8)
    min = _mm_min_epu32 (min, _mm256_extracti128_si256 (keys, 1));
  min = _mm_min_epu32 (min, _mm_shuffle_epi32 (min, _MM_SHUFFLE (1, 0, 3, 2)));
  min = _mm_min_epu32 (min, _mm_shuffle_epi32 (min, _MM_SHUFFLE (2, 3, 0, 1)));
  return (uint32_t)_mm_cvtsi128_si32 (min);
}

static inline uint32_t
view_min (const View *view, uint32_t tree, uint32_t lanes)
{
  const __m256i bits = _mm256_setr_epi32 (1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i place = _mm256_xor_si256 (_mm256_setr_epi32 (0, 1, 2, 3, 4, 5, 6, 7),
                                          _mm256_set1_epi32 (FS_SEARCH_LANES));
  __m256i chosen = _mm256_and_si256 (_mm256_set1_epi32 ((int)lanes), bits);
  __m256i others = _mm256_cmpeq_epi32 (chosen, _mm256_setzero_si256 ());
  __m256i keys = _mm256_andnot_si256 (_mm256_set1_epi32 (FS_WORD_PARENT), view->word);
  keys = _mm256_xor_si256 (keys, _mm256_or_si256 (place, _mm256_set1_epi32 ((int)tree)));
  return min_lane (_mm256_or_si256 (keys, others)) ^ FS_SEARCH_LANES;
}

static inline gboolean
view_nearest (const View *view, uint32_t tree, uint32_t lanes, uint32_t *lane, uint32_t *distance)
{
  uint32_t min = view_min (view, tree, lanes);
  *lane = min & FS_WORD_PARENT;
  *distance = fs_word_distance (min);
  return min < FS_WORD_SOURCE;
}

typedef struct {
  __m128i label; /* four directions: the upper half is none */
} NeighbourLabels;

static inline NeighbourLabels
neighbour_labels_load (const uint16_t *label)
{
  __m128i above = _mm_loadl_epi64 ((const void *)(label - FS_LABELS_STRIDE - 1));
  __m128i neighbour = _mm_loadl_epi64 ((const void *)(label - 1));
  __m128i below = _mm_loadl_epi64 ((const void *)(label + FS_LABELS_STRIDE - 1));
  __m128i rows = _mm_unpacklo_epi64 (above, below), of_rows, of_sideways;
  if (FS_ND == 8) {
    of_rows = _mm_setr_epi8 (-1, -1, 10, 11, 12, 13, 8, 9, -1, -1, 2, 3, 0, 1, 4, 5);
    of_sideways = _mm_setr_epi8 (4, 5, -1, -1, -1, -1, -1, -1, 0, 1, -1, -1, -1, -1, -1, -1);
  } else {
    of_rows = _mm_setr_epi8 (-1, -1, 10, 11, -1, -1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1);
    of_sideways = _mm_setr_epi8 (4, 5, -1, -1, 0, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  }
  return (NeighbourLabels){ _mm_or_si128 (_mm_shuffle_epi8 (rows, of_rows),
                                          _mm_shuffle_epi8 (neighbour, of_sideways)) };
}

static inline uint32_t
neighbour_labels_match (const NeighbourLabels *neighbours, uint32_t label)
{
  __m128i match = _mm_cmpeq_epi16 (neighbours->label, _mm_set1_epi16 ((short)label));
  return (uint32_t)_mm_movemask_epi8 (_mm_packs_epi16 (match, match)) & FS_LANES;
}

static inline uint32_t
neighbour_labels_nearest (const NeighbourLabels *neighbours, uint32_t lanes)
{
  const __m128i bits = _mm_setr_epi16 (1, 2, 4, 8, 16, 32, 64, 128);
  __m128i chosen = _mm_and_si128 (_mm_set1_epi16 ((short)lanes), bits);
  __m128i others = _mm_cmpeq_epi16 (chosen, _mm_setzero_si128 ());
  __m128i min = _mm_minpos_epu16 (_mm_or_si128 (neighbours->label, others));
  return (uint32_t)_mm_cvtsi128_si32 (min) & 0xffffu;
}

/* All are read and written, as how many there are cannot be foretold. */
static inline void
labels_set (uint16_t *label, uint64_t nodes, uint16_t value)
{
  const __m256i bits = _mm256_setr_epi16 (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096,
                                          8192, 16384, INT16_MIN);
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i += 16, nodes >>= 16) {
    __m256i *labels = (void *)(label + i);
    __m256i chosen = _mm256_and_si256 (_mm256_set1_epi16 ((short)nodes), bits);
    chosen = _mm256_cmpeq_epi16 (chosen, bits);
    __m256i old = _mm256_loadu_si256 (labels), new = _mm256_set1_epi16 ((short)value);
    _mm256_storeu_si256 (labels, _mm256_blendv_epi8 (old, new, chosen));
  }
}
