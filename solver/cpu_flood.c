/* SPDX-License-Identifier: MIT */
#include "solver/cpu_flood.h"
#include "solver/checked_memory.h"
#include "solver/cpu_plant.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { FIRST_TILES = 64 };

/* Directions with 8 neighbours, and the borders of a tile on those sides. */
enum { E, S, SE, SW, W, N, NW, NE };

#define WEST  UINT64_C (0x0101010101010101)
#define EAST  UINT64_C (0x8080808080808080)
#define NORTH UINT64_C (0x00000000000000ff)
#define SOUTH UINT64_C (0xff00000000000000)

/* Room for so many tiles. */
static gboolean
reserve (FsCpuFlood *flood, size_t n)
{
  if (n <= flood->capacity)
    return TRUE;
  size_t capacity = MAX (FIRST_TILES, flood->capacity);
  while (capacity < n)
    capacity *= 2;
  FsCpuFlood grown = *flood;
  grown.tile = fs_memory_new (capacity, sizeof *grown.tile);
  grown.rim = fs_memory_new (capacity, sizeof *grown.rim);
  grown.next = fs_memory_new (capacity, sizeof *grown.next);
  if (grown.tile == NULL || grown.rim == NULL || grown.next == NULL) {
    fs_cpu_flood_clear (&grown);
    return FALSE;
  }
  if (flood->n_tiles > 0)
    memcpy (grown.tile, flood->tile, flood->n_tiles * sizeof *flood->tile);
  if (flood->n_rim > 0)
    memcpy (grown.rim, flood->rim, flood->n_rim * sizeof *flood->rim);
  grown.capacity = (uint32_t)capacity;
  fs_cpu_flood_clear (flood);
  *flood = grown;
  return TRUE;
}

gboolean
fs_cpu_flood_init (FsCpuFlood *flood)
{
  *flood = (FsCpuFlood){ 0 };
  return reserve (flood, FIRST_TILES);
}

void
fs_cpu_flood_clear (FsCpuFlood *flood)
{
  fs_memory_free (flood->tile);
  fs_memory_free (flood->rim);
  fs_memory_free (flood->next);
  flood->tile = NULL;
  flood->rim = flood->next = NULL;
  flood->capacity = 0;
}

size_t
fs_cpu_flood_bytes (const FsCpuFlood *flood)
{
  return flood->capacity * (sizeof *flood->tile + 2 * sizeof *flood->rim);
}

void
fs_cpu_flood_forget (FsCpuFlood *flood, FsCpuLayout *layout)
{
  for (uint32_t i = 0; i < flood->n_tiles; i++)
    layout->met[flood->tile[i].tile] = 0;
  flood->n_tiles = flood->n_rim = flood->flood = 0;
}

/* Nodes of a tile in no tree of the sink's. */
static uint64_t
find_open (const FsCpuLayout *layout, size_t tile)
{
  const uint32_t *word = layout->word + tile * FS_CPU_TILE_PIXELS;
  uint64_t sink = 0;
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i++)
    sink |= (uint64_t)((word[i] & FS_WORD_SINK) != 0) << i;
  return ~sink;
}

static uint64_t
find_excess (const FsCpuLayout *layout, size_t tile)
{
  const int32_t *excess = layout->excess + tile * FS_CPU_TILE_PIXELS;
  uint64_t set = 0;
#ifdef __SSE2__
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i += 4) {
    __m128i e = _mm_loadu_si128 ((const void *)(excess + i));
    __m128i more = _mm_cmpgt_epi32 (e, _mm_setzero_si128 ());
    set |= (uint64_t)(unsigned)_mm_movemask_ps (_mm_castsi128_ps (more)) << i;
  }
#else
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i++)
    set |= (uint64_t)(excess[i] > 0) << i;
#endif
  return set;
}

/* Which nodes have an arc in each direction. */
static void
find_arcs (const FsCpuLayout *layout, size_t tile, uint64_t has_arc[8])
{
  fs_cpu_plant_arcs (layout, FS_SOURCE, tile, has_arc);
  if (layout->n_directions == 8)
    return;
  has_arc[W] = has_arc[2];
  has_arc[N] = has_arc[3];
  has_arc[SE] = has_arc[SW] = 0;
}

/* A built tile, for which there is room, as it is for this flood. */
static FsFloodTile *
visit (FsCpuFlood *flood, FsCpuLayout *layout, size_t tile)
{
  uint32_t *place = &layout->met[tile];
  if (*place == 0) {
    flood->tile[flood->n_tiles] =
        (FsFloodTile){ .tile = (uint32_t)tile, .open = find_open (layout, tile) };
    *place = ++flood->n_tiles;
  }
  FsFloodTile *visited = &flood->tile[*place - 1];
  if (visited->flood == flood->flood)
    return visited;
  visited->flood = flood->flood;
  visited->before = visited->region;
  visited->region = visited->rim = visited->next = 0;
  visited->has_excess = find_excess (layout, tile);
  find_arcs (layout, tile, visited->has_arc);
  return visited;
}

static void
put_on_rim (FsCpuFlood *flood, const FsFloodTile *tile)
{
  flood->rim[flood->n_rim++] = (uint32_t)(tile - flood->tile);
}

void
fs_cpu_flood_begin (FsCpuSearch *search, const FsNodes *roots)
{
  FsCpuLayout *layout = search->layout;
  FsCpuFlood *flood = &search->flood;
  flood->flood++;
  flood->n_rim = 0;
  flood->n_found = 0;
  flood->distance = 1;
  for (size_t i = 0; i < roots->n; i++) {
    uint32_t node = roots->node[i];
    if (layout->excess[node] >= 0)
      continue;
    if (!reserve (flood, (size_t)flood->n_tiles + 1)) {
      search->pool.failed = TRUE;
      return;
    }
    FsFloodTile *tile = visit (flood, layout, node / FS_CPU_TILE_PIXELS);
    uint64_t bit = UINT64_C (1) << node % FS_CPU_TILE_PIXELS;
    if (tile->rim == 0)
      put_on_rim (flood, tile);
    tile->rim |= bit;
    tile->region |= bit;
    tile->met |= bit;
    layout->word[node] = fs_word_new (FS_WORD_SINK, 1, FS_WORD_ROOT);
    flood->n_found++;
  }
}

/* Whether excess behind the fence reaches nodes of a rim. */
static gboolean
is_reached (const FsCpuLayout *layout, const FsFloodTile *rim, uint64_t nodes, size_t behind)
{
  for (; nodes != 0; nodes &= nodes - 1) {
    uint32_t node = rim->tile * FS_CPU_TILE_PIXELS + (uint32_t)__builtin_ctzll (nodes);
    for (uint32_t arcs = layout->arcs[node] >> 8; arcs != 0; arcs &= arcs - 1) {
      uint32_t d = (uint32_t)__builtin_ctz (arcs);
      uint32_t there = node + (uint32_t)layout->offset[node % FS_CPU_TILE_PIXELS][d];
      if (there / FS_CPU_TILE_PIXELS == behind)
        return (layout->word[there] & FS_WORD_SOURCE >> FS_WORD_UNBUILT_SHIFT) != 0;
    }
  }
  return FALSE;
}

/* The place of the tile beside one with a rim, of which `border` touches it; built if need be. 0
 * where nothing can be found. */
static uint32_t
find_beside (FsCpuFlood *flood, FsCpuLayout *layout, FsFloodTile *rim, uint64_t border, int side)
{
  static const int8_t dx[] = { 1, 0, 1, -1, -1, 0, -1, 1 }, dy[] = { 0, 1, 1, 1, 0, -1, -1, -1 };
  int x = (int)(rim->tile % (uint32_t)layout->tile_cols) + dx[side];
  int y = (int)(rim->tile / (uint32_t)layout->tile_cols) + dy[side];
  if (x < 0 || y < 0 || x >= layout->tile_cols || y >= layout->tile_rows)
    return 0;
  size_t tile = (size_t)y * (size_t)layout->tile_cols + (size_t)x;
  if (!fs_cpu_layout_is_built (layout, tile)) {
    if (!is_reached (layout, rim, border, tile))
      return 0;
    fs_cpu_plant_behind (layout, (uint32_t)(tile * FS_CPU_TILE_PIXELS));
  }
  visit (flood, layout, tile);
  return rim->beside[side] = layout->met[tile];
}

/* Those at the next distance. */
static inline void
find (FsCpuFlood *flood, FsFloodTile *tile, uint64_t nodes)
{
  nodes &= tile->open & ~tile->region;
  if (nodes == 0)
    return;
  if (tile->next == 0)
    flood->next[flood->n_next++] = (uint32_t)(tile - flood->tile);
  tile->next |= nodes;
}

static inline void
spread_here (FsCpuFlood *flood, FsFloodTile *tile)
{
  const uint64_t *has_arc = tile->has_arc;
  uint64_t rim = tile->rim, east = rim & ~WEST, west = rim & ~EAST;
  uint64_t found = (rim >> 8 & has_arc[S]) | (rim << 8 & has_arc[N]);
  found |= (east >> 1 & has_arc[E]) | (east >> 9 & has_arc[SE]) | (east << 7 & has_arc[NE]);
  found |= (west << 1 & has_arc[W]) | (west << 9 & has_arc[NW]) | (west >> 7 & has_arc[SW]);
  find (flood, tile, found);
}

/* How nodes of a rim reach those on a side that have an arc to them. */
typedef struct {
  uint64_t border;
  uint64_t from[3];
  uint32_t turn[3]; /* of the bits, to the left */
  uint32_t d[3];
} Side;

static const Side sides[] = {
  [E] = { EAST, { EAST, EAST & ~NORTH, EAST & ~SOUTH }, { 57, 49, 1 }, { W, SW, NW } },
  [S] = { SOUTH, { SOUTH, SOUTH & ~WEST, SOUTH & ~EAST }, { 8, 7, 9 }, { N, NE, NW } },
  [SE] = { SOUTH & EAST, { SOUTH & EAST }, { 1 }, { NW } },
  [SW] = { SOUTH & WEST, { SOUTH & WEST }, { 15 }, { NE } },
  [W] = { WEST, { WEST, WEST & ~NORTH, WEST & ~SOUTH }, { 7, 63, 15 }, { E, SE, NE } },
  [N] = { NORTH, { NORTH, NORTH & ~WEST, NORTH & ~EAST }, { 56, 55, 57 }, { S, SE, SW } },
  [NW] = { NORTH & WEST, { NORTH & WEST }, { 63 }, { SE } },
  [NE] = { NORTH & EAST, { NORTH & EAST }, { 49 }, { SW } },
};

/* Into the tile on a side, over the border between. */
static inline void
spread_beside (FsCpuFlood *flood, FsCpuLayout *layout, FsFloodTile *rim, int d)
{
  const Side *side = &sides[d];
  uint32_t place = rim->beside[d];
  if (G_UNLIKELY (place == 0)
      && (place = find_beside (flood, layout, rim, rim->rim & side->border, d)) == 0)
    return;
  FsFloodTile *to = &flood->tile[place - 1];
  if (to->flood != flood->flood)
    visit (flood, layout, to->tile);
  uint64_t found = 0;
  for (int i = 0; i < 3; i++) {
    uint64_t from = rim->rim & side->from[i];
    uint32_t turn = side->turn[i];
    found |= (from << turn | from >> (-turn % 64)) & to->has_arc[side->d[i]];
  }
  find (flood, to, found);
}

static void
spread (FsCpuFlood *flood, FsCpuLayout *layout, FsFloodTile *rim)
{
  spread_here (flood, rim);
  uint32_t reached = 0;
  for (int d = 0; d < 8; d++)
    reached |= (uint32_t)((rim->rim & sides[d].border) != 0) << d;
  if (layout->n_directions == 4)
    reached &= 1u << E | 1u << S | 1u << W | 1u << N;
  for (; reached != 0; reached &= reached - 1)
    spread_beside (flood, layout, rim, __builtin_ctz (reached));
}

/* Those found at the next distance are the rim. */
static void
advance (FsCpuSearch *search, FsFloodTile *tile, uint32_t distance)
{
  FsCpuLayout *layout = search->layout;
  uint32_t first = tile->tile * FS_CPU_TILE_PIXELS;
  uint32_t *word = layout->word + first;
  uint64_t found = tile->next;
  tile->next = 0;
  tile->rim = found;
  tile->region |= found;
  tile->met |= found;
  search->flood.n_found += (size_t)__builtin_popcountll (found);
  for (uint64_t nodes = found; nodes != 0; nodes &= nodes - 1)
    word[__builtin_ctzll (nodes)] = fs_word_new (FS_WORD_SINK, distance, 0);
  for (uint64_t nodes = found & tile->has_excess; nodes != 0; nodes &= nodes - 1)
    fs_orphans_push (&search->wave[0], layout->next, distance,
                     first + (uint32_t)__builtin_ctzll (nodes));
}

/* One distance more. FALSE when asked to stop or out of memory. */
static gboolean
step_out (FsCpuSearch *search)
{
  FsCpuFlood *flood = &search->flood;
  size_t before = flood->n_found;
  if (!reserve (flood, flood->n_tiles + (size_t)flood->n_rim * 8)) {
    search->pool.failed = TRUE;
    return FALSE;
  }
  flood->n_next = 0;
  for (uint32_t i = 0; i < flood->n_rim; i++)
    spread (flood, search->layout, &flood->tile[flood->rim[i]]);
  for (uint32_t i = 0; i < flood->n_rim; i++)
    flood->tile[flood->rim[i]].rim = 0;
  flood->distance++;
  for (uint32_t i = 0; i < flood->n_next; i++)
    advance (search, &flood->tile[flood->next[i]], flood->distance);
  uint32_t *done = flood->rim;
  flood->rim = flood->next;
  flood->n_rim = flood->n_next;
  flood->next = done;
  size_t n = flood->n_found - before;
  if (G_LIKELY (n < search->until_poll)) {
    search->until_poll -= (uint32_t)n;
    return TRUE;
  }
  return !fs_cpu_search_poll (search);
}

/* Those that were in the region before and are not now. */
static void
lose (FsCpuLayout *layout, FsFloodTile *tile, uint32_t flood)
{
  uint64_t lost = tile->flood == flood ? tile->before & ~tile->region : tile->region;
  tile->before = 0;
  if (tile->flood != flood)
    tile->region = 0;
  for (; lost != 0; lost &= lost - 1)
    layout->word[tile->tile * FS_CPU_TILE_PIXELS + (uint32_t)__builtin_ctzll (lost)] = FS_WORD_MET;
}

gboolean
fs_cpu_flood_run (FsCpuSearch *search, uint32_t depth)
{
  FsCpuFlood *flood = &search->flood;
  gboolean go_on = !search->pool.failed;
  while (go_on && flood->n_rim > 0 && flood->distance < depth)
    go_on = step_out (search);
  for (uint32_t i = 0; i < flood->n_tiles; i++)
    lose (search->layout, &flood->tile[i], flood->flood);
  return go_on;
}
