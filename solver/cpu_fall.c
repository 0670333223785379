/* SPDX-License-Identifier: MIT */
#include "solver/cpu_fall.h"
#include "solver/checked_memory.h"
#include "solver/cpu_plant.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
  TOP = 4094,      /* what is farther from a deficit is not looked at               */
  THROUGH = 10,    /* no way leads on through excess that is farther away than that */
  MOST_RAISED = 4, /* in one wave                                                   */
  MOST_WAVES = 16,
  PIXELS_LEFT = 1000, /* the waves end where so few pixels hold what one would move    */
};

/* A label: how far the pixel is from a deficit, which has 1; 0 where nobody knows. */
#define DISTANCE     0xfffu
#define RAISED_SHIFT 12 /* how often it was raised in this wave */
#define DEFICIT      1u

/* What lies in place of a built tile's words. Of one that is not built, the labels alone. */
typedef struct {
  uint16_t label[FS_CPU_TILE_PIXELS];
  uint64_t from[8]; /* per direction, as grid.h has them: pixels that have an arc from there */
  uint64_t has_excess;
  uint64_t reached;
  uint64_t front[2]; /* reached at an even and at an odd distance, last */
  uint32_t around;   /* see tiles_around */
} WaveTile;

G_STATIC_ASSERT (sizeof (WaveTile) <= FS_CPU_TILE_PIXELS * sizeof (uint32_t));

typedef struct {
  uint32_t *tile;
  size_t n;
} TileList;

typedef struct {
  FsCpuSearch *search;
  FsCpuLayout *layout;
  TileList list[2];       /* tiles with a front                                      */
  uint32_t head[TOP + 1]; /* pixels that wait to give, by label; chained by the layout's next */
  uint32_t top;           /* greatest label of them       */
  size_t n_found;         /* pixels with excess in reach  */
  size_t n_reached;
  size_t n_given; /* times that a pixel gave */
} Wave;

static inline WaveTile *
wave_tile (const FsCpuLayout *layout, size_t tile)
{
  return (WaveTile *)(void *)(layout->word + tile * FS_CPU_TILE_PIXELS);
}

static inline uint16_t *
label_of (const FsCpuLayout *layout, uint32_t node)
{
  return &wave_tile (layout, node / FS_CPU_TILE_PIXELS)->label[node % FS_CPU_TILE_PIXELS];
}

/* Whether a tile that is not built is full of deficits. */
static gboolean
is_sink (const FsCpuLayout *layout, size_t tile)
{
  return layout->roots[FS_SINK][tile] == UINT64_MAX;
}

/* --- tiles --- */

/* What is not built shows that it is, or is not, a deficit. */
static void
mark_unbuilt (FsCpuLayout *layout, size_t tile)
{
  uint16_t *label = wave_tile (layout, tile)->label;
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i++)
    label[i] = is_sink (layout, tile) ? DEFICIT : 0;
}

/* Of a tile that is built: nobody is reached but its deficits, which are returned. */
static uint64_t
reset (FsCpuLayout *layout, size_t tile)
{
  WaveTile *at = wave_tile (layout, tile);
  const int32_t *excess = layout->excess + tile * FS_CPU_TILE_PIXELS;
  uint64_t more = 0, less = 0;
#ifdef __SSE2__
  const __m128i none = _mm_setzero_si128 ();
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i += 4) {
    __m128i e = _mm_loadu_si128 ((const void *)(excess + i));
    more |= (uint64_t)_mm_movemask_ps (_mm_castsi128_ps (_mm_cmpgt_epi32 (e, none))) << i;
    less |= (uint64_t)_mm_movemask_ps (_mm_castsi128_ps (e)) << i;
  }
#else
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i++) {
    more |= (uint64_t)(excess[i] > 0) << i;
    less |= (uint64_t)(excess[i] < 0) << i;
  }
#endif
  memset (at->label, 0, sizeof at->label);
  uint64_t from[8];
  fs_cpu_plant_arc_sets (layout, FS_SINK, tile, from);
  memset (at->from, 0, sizeof at->from);
  for (int d = 0; d < layout->n_directions; d++)
    at->from[fs_cpu_layout_arc (layout, d)] = from[d];
  at->has_excess = more;
  at->reached = less;
  at->front[0] = at->front[1] = 0;
  for (uint64_t left = less; left != 0; left &= left - 1)
    at->label[__builtin_ctzll (left)] = DEFICIT;
  return less;
}

/* A bit for each of the 3 × 3 tiles around one, row by row, that the photo has. */
static uint32_t
tiles_around (const FsCpuLayout *layout, int tx, int ty)
{
  uint32_t columns = 2u | (tx > 0) | (uint32_t)(tx + 1 < layout->tile_cols) << 2;
  return (ty > 0 ? columns : 0) | columns << 3 | (ty + 1 < layout->tile_rows ? columns << 6 : 0);
}

static inline size_t
tile_beside (const FsCpuLayout *layout, size_t tile, uint32_t i)
{
  ptrdiff_t step = ((ptrdiff_t)(i / 3) - 1) * layout->tile_cols + (ptrdiff_t)(i % 3) - 1;
  return (size_t)((ptrdiff_t)tile + step);
}

static void
build (FsCpuLayout *layout, size_t tile)
{
  uint32_t columns = (uint32_t)layout->tile_cols;
  fs_cpu_plant_behind (layout, (uint32_t)tile * FS_CPU_TILE_PIXELS);
  reset (layout, tile);
  uint32_t around =
      tiles_around (layout, (int)((uint32_t)tile % columns), (int)((uint32_t)tile / columns));
  wave_tile (layout, tile)->around = around;
  for (; around != 0; around &= around - 1) {
    size_t beside = tile_beside (layout, tile, (uint32_t)__builtin_ctz (around));
    if (!fs_cpu_layout_is_built (layout, beside))
      mark_unbuilt (layout, beside);
  }
}

/* --- labels --- */

static void
list_tile (TileList *list, size_t tile)
{
  list->tile[list->n++] = (uint32_t)tile;
}

/* Pixels of a tile whose neighbour there is, tile by tile around it: 3 × 3 of them. */
typedef struct {
  uint64_t tile[9];
} Around;

static inline void
spread_column (Around *to, int x, uint64_t here, uint64_t up, uint64_t down)
{
  to->tile[3 + x] = here | up >> 8 | down << 8;
  to->tile[x] = up << 56;
  to->tile[6 + x] = down >> 56;
}

/* From where arcs lead into a set of the tile's pixels. */
static inline Around
sources_of (const WaveTile *at, uint64_t set)
{
  const uint64_t first = UINT64_C (0x0101010101010101), last = first << 7;
  const int s = FS_DIRECTION_OPPOSITE;
  Around to;
  uint64_t e = set & at->from[FS_DIRECTION_E], w = set & at->from[s + FS_DIRECTION_E];
  uint64_t se = set & at->from[FS_DIRECTION_SE], nw = set & at->from[s + FS_DIRECTION_SE];
  uint64_t sw = set & at->from[FS_DIRECTION_SW], ne = set & at->from[s + FS_DIRECTION_SW];
  uint64_t right = (e & ~last) << 1, right_up = (ne & ~last) << 1, right_down = (se & ~last) << 1;
  uint64_t left = (w & ~first) >> 1, left_up = (nw & ~first) >> 1, left_down = (sw & ~first) >> 1;
  spread_column (&to, 1, right | left, right_up | left_up | (set & at->from[s + FS_DIRECTION_S]),
                 right_down | left_down | (set & at->from[FS_DIRECTION_S]));
  spread_column (&to, 2, (e & last) >> 7, (ne & last) >> 7, (se & last) >> 7);
  spread_column (&to, 0, (w & first) << 7, (nw & first) << 7, (sw & first) << 7);
  return to;
}

/* Pixels from which a tile that was reached can be reached. */
static inline void
reach_tile (Wave *wave, size_t tile, uint64_t set, int turn)
{
  FsCpuLayout *layout = wave->layout;
  if (!fs_cpu_layout_is_built (layout, tile)) {
    if (is_sink (layout, tile))
      return;
    build (layout, tile);
  }
  WaveTile *at = wave_tile (layout, tile);
  set &= ~at->reached;
  if (set == 0)
    return;
  at->reached |= set;
  if (at->front[turn] == 0)
    list_tile (&wave->list[turn], tile);
  at->front[turn] |= set;
}

static inline void
wait_to_give (Wave *wave, uint32_t node, uint32_t label)
{
  wave->layout->next[node] = wave->head[label];
  wave->head[label] = node;
}

static inline void
list_giving (Wave *wave, size_t tile, uint64_t set, uint32_t label)
{
  uint32_t first = (uint32_t)tile * FS_CPU_TILE_PIXELS;
  wave->top = label;
  wave->n_found += (size_t)__builtin_popcountll (set);
  for (; set != 0; set &= set - 1)
    wait_to_give (wave, first + (uint32_t)__builtin_ctzll (set), label);
}

/* Labels a tile's front, and finds what lies behind it. */
static inline void
reach_from (Wave *wave, size_t tile, uint32_t label, int turn)
{
  FsCpuLayout *layout = wave->layout;
  WaveTile *at = wave_tile (layout, tile);
  uint64_t set = at->front[turn];
  at->front[turn] = 0;
  wave->n_reached += (size_t)__builtin_popcountll (set);
  for (uint64_t left = set; left != 0; left &= left - 1)
    at->label[__builtin_ctzll (left)] = (uint16_t)label;
  uint64_t giving = set & at->has_excess;
  if (giving != 0)
    list_giving (wave, tile, giving, label);
  if (label > THROUGH)
    set &= ~giving;
  Around to = sources_of (at, set);
  uint32_t around = 0;
  for (uint32_t i = 0; i < 9; i++)
    around |= (uint32_t)(to.tile[i] != 0) << i;
  for (around &= at->around; around != 0; around &= around - 1) {
    uint32_t i = (uint32_t)__builtin_ctz (around);
    reach_tile (wave, tile_beside (layout, tile, i), to.tile[i], turn ^ 1);
  }
}

/* Whether an arc leads from a pixel to a deficit that is not built. */
static gboolean
gives_to_unbuilt (const FsCpuLayout *layout, uint32_t node)
{
  for (uint32_t lanes = layout->arcs[node] & 0xffu; lanes != 0; lanes &= lanes - 1) {
    int32_t offset = layout->offset[node % FS_CPU_TILE_PIXELS][__builtin_ctz (lanes)];
    size_t there = (node + (uint32_t)offset) / FS_CPU_TILE_PIXELS;
    if (!fs_cpu_layout_is_built (layout, there) && is_sink (layout, there))
      return TRUE;
  }
  return FALSE;
}

/* Pixels of a built tile that are no deficits and give to some that are not built. */
static uint64_t
beside_unbuilt (const FsCpuLayout *layout, size_t tile)
{
  const WaveTile *at = wave_tile (layout, tile);
  gboolean is_beside = FALSE;
  for (uint32_t around = at->around; around != 0; around &= around - 1) {
    size_t beside = tile_beside (layout, tile, (uint32_t)__builtin_ctz (around));
    is_beside |= !fs_cpu_layout_is_built (layout, beside) && is_sink (layout, beside);
  }
  uint64_t set = 0;
  if (is_beside)
    for (uint64_t left = ~at->reached; left != 0; left &= left - 1) {
      uint32_t i = (uint32_t)__builtin_ctzll (left);
      if (gives_to_unbuilt (layout, (uint32_t)tile * FS_CPU_TILE_PIXELS + i))
        set |= UINT64_C (1) << i;
    }
  return set;
}

static void
put_front (Wave *wave, size_t tile, uint64_t set, uint32_t label)
{
  WaveTile *at = wave_tile (wave->layout, tile);
  at->front[label & 1] = set;
  at->reached |= set;
  if (set != 0)
    list_tile (&wave->list[label & 1], tile);
}

static void
begin_tile (Wave *wave, int tx, int ty)
{
  FsCpuLayout *layout = wave->layout;
  size_t tile = (size_t)ty * (size_t)layout->tile_cols + (size_t)tx;
  if (fs_cpu_layout_is_built (layout, tile)) {
    uint64_t deficits = reset (layout, tile);
    wave_tile (layout, tile)->around = tiles_around (layout, tx, ty);
    put_front (wave, tile, deficits, DEFICIT);
    put_front (wave, tile, beside_unbuilt (layout, tile), DEFICIT + 1);
  } else if (layout->state[tile] == FS_TILE_FENCED)
    mark_unbuilt (layout, tile);
}

static gboolean
shall_stop (Wave *wave)
{
  return G_UNLIKELY (--wave->search->until_poll == 0) && fs_cpu_search_poll (wave->search);
}

static gboolean
begin (Wave *wave)
{
  memset (wave->head, 0xff, sizeof wave->head);
  wave->top = 0;
  wave->n_found = wave->n_reached = 0;
  wave->list[0].n = wave->list[1].n = 0;
  for (int ty = 0; ty < wave->layout->tile_rows; ty++)
    for (int tx = 0; tx < wave->layout->tile_cols; tx++) {
      begin_tile (wave, tx, ty);
      if (shall_stop (wave))
        return FALSE;
    }
  return TRUE;
}

/* FALSE when asked to stop, as below. */
static gboolean
find_labels (Wave *wave)
{
  if (!begin (wave))
    return FALSE;
  for (uint32_t label = DEFICIT; label < TOP && wave->list[label & 1].n > 0; label++) {
    int turn = label & 1;
    TileList *list = &wave->list[turn];
    for (size_t i = 0; i < list->n; i++) {
      reach_from (wave, list->tile[i], label, turn);
      if (shall_stop (wave))
        return FALSE;
    }
    list->n = 0;
  }
  return TRUE;
}

/* --- flow --- */

static inline int32_t
push (Wave *wave, uint32_t from, uint32_t to, uint32_t d, int32_t most)
{
  FsCpuLayout *layout = wave->layout;
  uint32_t nd = (uint32_t)layout->n_directions, back = d ^ nd / 2;
  uint16_t *forth = &layout->residual[(size_t)from * nd + d];
  int32_t flow = MIN (most, *forth), before = layout->excess[to];
  if (before < 0)
    wave->search->flow += MIN (flow, -before);
  layout->residual[(size_t)to * nd + back] += (uint16_t)flow;
  *forth -= (uint16_t)flow;
  layout->arcs[to] |= 1u << back;
  layout->arcs[from] |= 1u << (d + 8);
  if (*forth == 0) {
    layout->arcs[from] &= ~(1u << d);
    layout->arcs[to] &= ~(1u << (back + 8));
  }
  layout->excess[to] = before + flow;
  return flow;
}

/* A pixel that has been given something: that had no excess, now waits to give. */
static inline void
receive (Wave *wave, uint32_t node, uint16_t *label, int32_t before)
{
  int32_t excess = wave->layout->excess[node];
  if (excess < 0)
    return;
  if ((*label & DISTANCE) == DEFICIT)
    ++*label; /* at least */
  if (excess > 0 && before <= 0)
    wait_to_give (wave, node, *label & DISTANCE);
}

/* Gives to neighbours one step nearer; returns the least label of others that would take more. */
static inline uint32_t
give (Wave *wave, uint32_t node, uint32_t label)
{
  FsCpuLayout *layout = wave->layout;
  const int32_t *offset = layout->offset[node % FS_CPU_TILE_PIXELS];
  int32_t excess = layout->excess[node];
  uint32_t nearest = TOP;
  for (uint32_t lanes = layout->arcs[node] & 0xffu; lanes != 0 && excess > 0; lanes &= lanes - 1) {
    uint32_t d = (uint32_t)__builtin_ctz (lanes);
    uint32_t there = node + (uint32_t)offset[d];
    uint16_t *its = label_of (layout, there);
    uint32_t distance = *its & DISTANCE;
    if (distance != label - 1) {
      nearest = distance >= label ? MIN (nearest, distance) : nearest;
      continue;
    }
    if (distance == DEFICIT && !fs_cpu_layout_is_built (layout, there / FS_CPU_TILE_PIXELS))
      build (layout, there / FS_CPU_TILE_PIXELS);
    int32_t before = layout->excess[there];
    excess -= push (wave, node, there, d, excess);
    receive (wave, there, its, before);
  }
  layout->excess[node] = excess;
  return excess > 0 ? nearest : TOP;
}

/* Returns the label that it has then. */
static inline uint32_t
discharge (Wave *wave, uint32_t node, uint32_t label)
{
  uint32_t nearest = give (wave, node, label);
  uint16_t *its = label_of (wave->layout, node);
  uint32_t raised = *its >> RAISED_SHIFT;
  if (nearest + 1 >= TOP || raised >= MOST_RAISED)
    return label;
  *its = (uint16_t)((raised + 1) << RAISED_SHIFT | (nearest + 1));
  wait_to_give (wave, node, nearest + 1);
  return nearest + 1;
}

/* The next one that waits lies anywhere in the photo. */
static inline void
prefetch (const FsCpuLayout *layout, uint32_t node)
{
  if (node == FS_NO_NODE)
    return;
  __builtin_prefetch (&layout->residual[(size_t)node * (size_t)layout->n_directions]);
  __builtin_prefetch (&layout->arcs[node]);
  __builtin_prefetch (&layout->excess[node]);
  __builtin_prefetch (&layout->next[node]);
}

/* Whether excess only goes to and fro before what holds it back. */
static gboolean
is_vain (const Wave *wave)
{
  return 2 * wave->n_given > wave->n_reached;
}

static gboolean
fall (Wave *wave)
{
  wave->n_given = 0;
  for (uint32_t label = wave->top; label > DEFICIT && !is_vain (wave);) {
    uint32_t node = wave->head[label];
    if (node == FS_NO_NODE) {
      label--;
      continue;
    }
    wave->head[label] = wave->layout->next[node];
    prefetch (wave->layout, wave->head[label]);
    uint32_t raised = discharge (wave, node, label);
    label = MAX (label, raised);
    wave->n_given++;
    if (shall_stop (wave))
      return FALSE;
  }
  return TRUE;
}

static gboolean
run_waves (Wave *wave)
{
  for (int i = 0; i < MOST_WAVES; i++) {
    if (!find_labels (wave))
      return FALSE;
    if (wave->n_found * PIXELS_LEFT <= wave->n_reached)
      return TRUE;
    if (!fall (wave))
      return FALSE;
    if (is_vain (wave))
      return TRUE;
  }
  return TRUE;
}

FsSearchOutcome
fs_cpu_fall_run (FsCpuSearch *search, const FsProgress *progress)
{
  size_t n_tiles = search->layout->n_nodes / FS_CPU_TILE_PIXELS;
  Wave *wave = fs_memory_new (1, sizeof *wave);
  uint32_t *tiles = fs_memory_new (2 * n_tiles, sizeof *tiles);
  gboolean complete = wave != NULL && tiles != NULL;
  FsSearchOutcome outcome = FS_SEARCH_NO_MEMORY;
  fs_cpu_search_reset (search);
  if (complete) {
    *wave = (Wave){ .search = search,
                    .layout = search->layout,
                    .list = { { .tile = tiles }, { .tile = tiles + n_tiles } } };
    fs_cpu_search_begin (search, progress);
    outcome = fs_cpu_search_end (search, run_waves (wave));
  }
  if (outcome == FS_SEARCH_DONE)
    fs_cpu_plant_words (search);
  fs_memory_free (tiles);
  fs_memory_free (wave);
  return outcome;
}
