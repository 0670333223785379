/* SPDX-License-Identifier: MIT */
#include "solver/cpu_flood.h"
#include "solver/checked_memory.h"
#include "solver/cpu_plant.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { FIRST_TILES = 64, HERE = 4 };

/* Places k of a row of a tile whose neighbour at k + step lies in the tile `over` beside. */
static uint32_t
places (int step, int over)
{
  uint32_t set = 0;
  for (int k = 0; k < FS_CPU_TILE; k++) {
    int there = k - step - over * FS_CPU_TILE;
    set |= (uint32_t)(there >= 0 && there < FS_CPU_TILE) << k;
  }
  return set;
}

static uint64_t
place_set (uint32_t columns, uint32_t rows)
{
  uint64_t set = 0;
  for (int y = 0; y < FS_CPU_TILE; y++)
    if (rows >> y & 1)
      set |= (uint64_t)columns << (FS_CPU_TILE * y);
  return set;
}

static void
find_ways (FsCpuFlood *flood, const FsCpuLayout *layout, int around)
{
  int tx = around % 3 - 1, ty = around / 3 - 1, half = layout->n_directions / 2;
  for (int d = 0; d < layout->n_directions; d++) {
    int sign = d < half ? 1 : -1;
    int dx = sign * fs_direction_dx (d % half), dy = sign * fs_direction_dy (d % half);
    uint64_t from = place_set (places (dx, tx), places (dy, ty));
    if (from == 0)
      continue;
    uint32_t turn = (uint32_t)(-dx - FS_CPU_TILE * (dy + tx)) % FS_CPU_TILE_PIXELS;
    flood->way[around][flood->n_ways[around]++] = (FsFloodWay){ from, turn, (uint32_t)d };
    flood->side[around] |= from;
  }
}

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
fs_cpu_flood_init (FsCpuFlood *flood, const FsCpuLayout *layout)
{
  *flood = (FsCpuFlood){ 0 };
  for (int around = 0; around < 9; around++)
    find_ways (flood, layout, around);
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
  fs_cpu_plant_arcs (layout, FS_SOURCE, tile, visited->has_arc);
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

/* The tile around one with a rim, built if need be; NULL where nothing can be found. */
static FsFloodTile *
tile_around (FsCpuFlood *flood, FsCpuLayout *layout, const FsFloodTile *rim, int around)
{
  int x = (int)(rim->tile % (uint32_t)layout->tile_cols) + around % 3 - 1;
  int y = (int)(rim->tile / (uint32_t)layout->tile_cols) + around / 3 - 1;
  if (x < 0 || y < 0 || x >= layout->tile_cols || y >= layout->tile_rows)
    return NULL;
  size_t tile = (size_t)y * (size_t)layout->tile_cols + (size_t)x;
  if (!fs_cpu_layout_is_built (layout, tile)) {
    if (!is_reached (layout, rim, rim->rim & flood->side[around], tile))
      return NULL;
    fs_cpu_plant_behind (layout, (uint32_t)(tile * FS_CPU_TILE_PIXELS));
  }
  return visit (flood, layout, tile);
}

static void
spread (FsCpuFlood *flood, FsCpuLayout *layout, FsFloodTile *rim)
{
  for (int around = 0; around < 9; around++) {
    if ((rim->rim & flood->side[around]) == 0)
      continue;
    FsFloodTile *to = around == HERE ? rim : tile_around (flood, layout, rim, around);
    if (to == NULL)
      continue;
    uint64_t found = 0;
    for (int i = 0; i < flood->n_ways[around]; i++) {
      const FsFloodWay *way = &flood->way[around][i];
      uint64_t from = rim->rim & way->from;
      found |= (from << way->turn | from >> (-way->turn % 64)) & to->has_arc[way->d];
    }
    found &= to->open & ~to->region;
    if (found == 0)
      continue;
    if (to->next == 0)
      flood->next[flood->n_next++] = (uint32_t)(to - flood->tile);
    to->next |= found;
  }
}

/* Those found at the next distance are the rim. */
static void
advance (FsCpuSearch *search, FsFloodTile *tile, uint32_t distance)
{
  FsCpuLayout *layout = search->layout;
  uint32_t first = tile->tile * FS_CPU_TILE_PIXELS;
  uint64_t found = tile->next;
  tile->next = 0;
  tile->rim = found;
  tile->region |= found;
  tile->met |= found;
  for (uint64_t nodes = found; nodes != 0; nodes &= nodes - 1) {
    layout->word[first + (uint32_t)__builtin_ctzll (nodes)] =
        fs_word_new (FS_WORD_SINK, distance, 0);
    search->flood.n_found++;
  }
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
