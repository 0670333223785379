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
  if (!reserve (flood, FIRST_TILES))
    return FALSE;
  flood->tile[0] = (FsFloodTile){ 0 };
  flood->n_tiles = 1;
  return TRUE;
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
  for (uint32_t i = 1; i < flood->n_tiles; i++)
    layout->met[flood->tile[i].tile] = 0;
  flood->n_tiles = 1;
  flood->n_rim = flood->flood = 0;
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

/* Which nodes each neighbour has an arc to. */
static void
find_arcs (const FsCpuLayout *layout, size_t tile, uint64_t from[8])
{
  fs_cpu_plant_arcs (layout, FS_SINK, tile, from);
  if (layout->n_directions == 8)
    return;
  from[W] = from[2];
  from[N] = from[3];
  from[SE] = from[SW] = 0;
}

/* A built tile, for which there is room, as it is for this flood. */
static FsFloodTile *
visit (FsCpuFlood *flood, FsCpuLayout *layout, size_t tile)
{
  uint32_t *place = &layout->met[tile];
  if (*place == 0) {
    flood->tile[flood->n_tiles] =
        (FsFloodTile){ .tile = (uint32_t)tile, .open = find_open (layout, tile) };
    *place = flood->n_tiles++;
  }
  FsFloodTile *visited = &flood->tile[*place];
  if (visited->flood == flood->flood)
    return visited;
  visited->flood = flood->flood;
  visited->before = visited->region;
  visited->region = visited->rim = visited->next = 0;
  visited->left = visited->open;
  visited->has_excess = find_excess (layout, tile);
  find_arcs (layout, tile, visited->arc_from);
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
    tile->left &= ~bit;
    tile->region |= bit;
    tile->met |= bit;
    layout->word[node] = fs_word_new (FS_WORD_SINK, 1, FS_WORD_ROOT);
    flood->n_found++;
  }
}

/* The place of the tile beside one with a rim, where nodes have arcs to it; built if need be. 0
 * where these have no excess. */
static uint32_t
find_beside (FsCpuFlood *flood, FsCpuLayout *layout, FsFloodTile *rim, uint64_t nodes, int side)
{
  static const int8_t dx[] = { 1, 0, 1, -1, -1, 0, -1, 1 }, dy[] = { 0, 1, 1, 1, 0, -1, -1, -1 };
  uint32_t tile = rim->tile + (uint32_t)(dy[side] * layout->tile_cols + dx[side]);
  if (!fs_cpu_layout_is_built (layout, tile)) {
    uint32_t first = tile * FS_CPU_TILE_PIXELS + (uint32_t)__builtin_ctzll (nodes);
    if ((layout->word[first] & FS_WORD_SOURCE >> FS_WORD_UNBUILT_SHIFT) == 0)
      return 0;
    fs_cpu_plant_behind (layout, first);
  }
  visit (flood, layout, tile);
  return rim->beside[side] = layout->met[tile];
}

/* Tiles in which nodes were found at the next distance. */
typedef struct {
  FsFloodTile *tile;
  uint32_t *next;
  uint32_t n_next;
  uint32_t flood;
} Spread;

/* Without a branch, which could not be foretold. */
static inline void
find (Spread *to, uint32_t place, uint64_t nodes)
{
  FsFloodTile *tile = &to->tile[place];
  uint64_t before = tile->next, found = nodes & tile->left;
  to->next[to->n_next] = place;
  to->n_next += (before == 0) & (found != 0);
  tile->next = before | found;
}

/* The tile on a side as it is for this flood; 0 where nothing can be found. */
static uint32_t
enter_beside (FsCpuFlood *flood, FsCpuLayout *layout, FsFloodTile *rim, uint64_t nodes, int side)
{
  uint32_t place = rim->beside[side];
  if (place == 0)
    return find_beside (flood, layout, rim, nodes, side);
  visit (flood, layout, flood->tile[place].tile);
  return place;
}

/* Into the tile on a side. */
static inline void
spread_beside (FsCpuSearch *search, Spread *to, FsFloodTile *rim, uint64_t nodes, int side)
{
  uint32_t place = rim->beside[side];
  if (G_UNLIKELY (to->tile[place].flood != to->flood) && nodes != 0)
    place = enter_beside (&search->flood, search->layout, rim, nodes, side);
  find (to, place, nodes);
}

/* To all neighbours that have an arc to the rim. A set moves as one number; what leaves the tile
 * comes to the other side of the next. */
static inline void
spread (FsCpuSearch *search, Spread *to, uint32_t place)
{
  FsFloodTile *tile = &to->tile[place];
  const uint64_t *from = tile->arc_from;
  uint64_t rim = tile->rim;
  uint64_t e = rim & from[E], se = rim & from[SE], s = rim & from[S], sw = rim & from[SW];
  uint64_t w = rim & from[W], nw = rim & from[NW], n = rim & from[N], ne = rim & from[NE];
  uint64_t found = s << 8 | n >> 8 | (e & ~EAST) << 1 | (w & ~WEST) >> 1;
  found |= (se & ~EAST) << 9 | (ne & ~EAST) >> 7 | (sw & ~WEST) << 7 | (nw & ~WEST) >> 9;
  find (to, place, found);
  uint64_t beside = (e & EAST) >> 7 | (se & EAST) << 1 | (ne & EAST) >> 15;
  spread_beside (search, to, tile, beside, E);
  beside = s >> 56 | (se & ~EAST) >> 55 | sw >> 57;
  spread_beside (search, to, tile, beside, S);
  beside = (w & WEST) << 7 | (sw & WEST) << 15 | (nw & WEST) >> 1;
  spread_beside (search, to, tile, beside, W);
  beside = n << 56 | ne << 57 | (nw & ~WEST) << 55;
  spread_beside (search, to, tile, beside, N);
  if (((se & SOUTH & EAST) | (sw & SOUTH & WEST) | (nw & NORTH & WEST) | (ne & NORTH & EAST)) == 0)
    return;
  spread_beside (search, to, tile, se >> 63, SE);
  spread_beside (search, to, tile, (sw & SOUTH & WEST) >> 49, SW);
  spread_beside (search, to, tile, nw << 63, NW);
  spread_beside (search, to, tile, (ne & NORTH & EAST) << 49, NE);
}

/* Eight at a time, the last one more than once: how many there are cannot be foretold. */
static inline void
write_words (uint32_t *word, uint64_t nodes, uint32_t value)
{
  while (nodes != 0)
    for (int i = 0; i < 8; i++) {
      word[__builtin_ctzll (nodes)] = value;
      uint64_t others = nodes & (nodes - 1);
      nodes = others != 0 || i == 7 ? others : nodes;
    }
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
  tile->left &= ~found;
  tile->region |= found;
  tile->met |= found;
  search->flood.n_found += (size_t)__builtin_popcountll (found);
  write_words (word, found, fs_word_new (FS_WORD_SINK, distance, 0));
  for (uint64_t nodes = found & tile->has_excess; nodes != 0; nodes &= nodes - 1)
    fs_orphans_chain (&search->wave[0], &search->pool, distance,
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
  Spread to = { flood->tile, flood->next, 0, flood->flood };
  for (uint32_t i = 0; i < flood->n_rim; i++)
    spread (search, &to, flood->rim[i]);
  flood->n_next = to.n_next;
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
  for (uint32_t i = 1; i < flood->n_tiles; i++)
    lose (search->layout, &flood->tile[i], flood->flood);
  return go_on;
}
