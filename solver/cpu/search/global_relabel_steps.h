/* SPDX-License-Identifier: MIT */
/* The steps of a global relabelling (global_relabel.h).   Layer: solver (CPU backend, template; see
 * neighbours.h). */
#include "solver/cpu/search/tree_init.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The sides of a tile, as directions with 8 neighbours; the offsets of the neighbouring tiles, and
 * the tile's pixels along each side. */
enum { E, S, SE, SW, W, N, NW, NE };
static const int8_t side_dx[] = { 1, 0, 1, -1, -1, 0, -1, 1 };
static const int8_t side_dy[] = { 0, 1, 1, 1, 0, -1, -1, -1 };

#define WEST  UINT64_C (0x0101010101010101)
#define EAST  UINT64_C (0x8080808080808080)
#define NORTH UINT64_C (0x00000000000000ff)
#define SOUTH UINT64_C (0xff00000000000000)

/* Nodes of a tile in no tree of the sink's. */
static inline uint64_t
find_open (const FsCpuLayout *layout, size_t tile)
{
  const uint32_t *word = layout->word + tile * FS_CPU_TILE_PIXELS;
  uint64_t sink = 0;
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i++)
    sink |= (uint64_t)((word[i] & FS_WORD_SINK) != 0) << i;
  return ~sink;
}

static inline uint64_t
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

/* The nodes that each neighbour has an arc to. */
static inline void
find_arcs (const FsCpuLayout *layout, size_t tile, uint64_t from[8])
{
  fs_cpu_tree_init_arcs (layout, FS_SINK, tile, from);
  if (FS_ND == 8)
    return;
  from[W] = from[2];
  from[N] = from[3];
  from[SE] = from[SW] = 0;
}

/* Links a new tile and its neighbours to each other. */
static inline void
introduce (FsCpuGlobalRelabel *relabelling, const FsCpuLayout *layout, FsRelabelTile *tile)
{
  int tx = (int)(tile->tile % (uint32_t)layout->tile_cols);
  int ty = (int)(tile->tile / (uint32_t)layout->tile_cols);
  for (int side = 0; side < 8; side++) {
    int x = tx + side_dx[side], y = ty + side_dy[side];
    if (x < 0 || y < 0 || x >= layout->tile_cols || y >= layout->tile_rows)
      continue;
    uint32_t place = layout->met[(size_t)y * (size_t)layout->tile_cols + (size_t)x];
    tile->neighbour[side] = place;
    if (place != 0)
      relabelling->tile[place].neighbour[side ^ 4] = (uint32_t)(tile - relabelling->tile);
  }
}

/* A built tile, reset for this relabelling on its first visit. Its memory is reserved. */
static inline FsRelabelTile *
visit (FsCpuGlobalRelabel *relabelling, FsCpuLayout *layout, size_t tile)
{
  uint32_t *place = &layout->met[tile];
  FsRelabelTile *visited = &relabelling->tile[*place];
  if (*place == 0) {
    *place = relabelling->n_tiles++;
    visited = &relabelling->tile[*place];
    *visited = (FsRelabelTile){ .tile = (uint32_t)tile, .open = find_open (layout, tile) };
    memset (visited->label, 0xff, sizeof visited->label);
    introduce (relabelling, layout, visited);
  }
  if (visited->relabelling == relabelling->relabelling)
    return visited;
  visited->relabelling = relabelling->relabelling;
  visited->before = visited->region;
  visited->region = visited->frontier = visited->next = 0;
  visited->waits = visited->moved = 0;
  visited->waits_max = visited->moved_max = 0;
  visited->left = visited->open;
  visited->has_excess = find_excess (layout, tile);
  find_arcs (layout, tile, visited->arc_from);
  return visited;
}

static inline void
add_to_frontier (FsCpuGlobalRelabel *relabelling, const FsRelabelTile *tile)
{
  relabelling->frontier[relabelling->n_frontier++] = (uint32_t)(tile - relabelling->tile);
}

/* Begins a relabelling from the listed nodes that have deficits. Where memory ends, the search's
 * pool has failed. */
static inline void
begin_bfs (FsCpuSearch *search, const FsNodes *roots)
{
  FsCpuLayout *layout = search->layout;
  FsCpuGlobalRelabel *relabelling = &search->relabelling;
  relabelling->relabelling++;
  relabelling->n_frontier = 0;
  relabelling->n_found = 0;
  relabelling->distance = 1;
  for (size_t i = 0; i < roots->n; i++) {
    uint32_t node = roots->node[i];
    if (layout->excess[node] >= 0)
      continue;
    if (!fs_cpu_global_relabel_reserve (relabelling, (size_t)relabelling->n_tiles + 1)) {
      search->pool.failed = TRUE;
      return;
    }
    FsRelabelTile *tile = visit (relabelling, layout, node / FS_CPU_TILE_PIXELS);
    uint64_t bit = UINT64_C (1) << node % FS_CPU_TILE_PIXELS;
    if (tile->frontier == 0)
      add_to_frontier (relabelling, tile);
    tile->frontier |= bit;
    tile->left &= ~bit;
    tile->region |= bit;
    tile->met |= bit;
    tile->label[node % FS_CPU_TILE_PIXELS] = 1;
    relabelling->n_found++;
  }
}

/* The place of the tile next to `from` whose `nodes` have arcs to its frontier; initialised if need
 * be. 0 where these have no excess. */
static inline uint32_t
find_neighbour (FsCpuGlobalRelabel *relabelling, FsCpuLayout *layout, FsRelabelTile *from,
                uint64_t nodes, int side)
{
  int offset = side_dy[side] * layout->tile_cols + side_dx[side];
  uint32_t tile = from->tile + (uint32_t)offset;
  if (!fs_cpu_layout_is_built (layout, tile)) {
    uint32_t first = tile * FS_CPU_TILE_PIXELS + (uint32_t)__builtin_ctzll (nodes);
    if ((layout->word[first] & FS_WORD_SOURCE >> FS_WORD_LAZY_SHIFT) == 0)
      return 0;
    fs_cpu_tree_init_lazy (layout, first);
  }
  visit (relabelling, layout, tile);
  return layout->met[tile];
}

/* Tiles in which nodes were found at the next distance. */
typedef struct {
  FsRelabelTile *tile;
  uint32_t *next;
  uint32_t n_next;
  uint32_t relabelling;
} RelabelStep;

/* Without a branch, which would be unpredictable. */
static inline void
find (RelabelStep *to, uint32_t place, uint64_t nodes)
{
  FsRelabelTile *tile = &to->tile[place];
  uint64_t before = tile->next, found = nodes & tile->left;
  to->next[to->n_next] = place;
  to->n_next += (before == 0) & (found != 0);
  tile->next = before | found;
}

/* The index of the tile on a side, reset for this relabelling; 0 where nothing can be found. */
static inline uint32_t
enter_neighbour (FsCpuGlobalRelabel *relabelling, FsCpuLayout *layout, FsRelabelTile *from,
                 uint64_t nodes, int side)
{
  uint32_t place = from->neighbour[side];
  if (place == 0)
    return find_neighbour (relabelling, layout, from, nodes, side);
  visit (relabelling, layout, relabelling->tile[place].tile);
  return place;
}

/* Expands into the neighbouring tiles on some sides. A branch on whether any of them is new to this
 * relabelling is predictable; one for each is not. */
static inline void
expand_to_neighbour (FsCpuSearch *search, RelabelStep *to, FsRelabelTile *from,
                     const uint8_t side[4], const uint64_t nodes[4])
{
  uint32_t place[4];
  gboolean is_new = FALSE;
  for (int i = 0; i < 4; i++) {
    place[i] = from->neighbour[side[i]];
    is_new |= (to->tile[place[i]].relabelling != to->relabelling) & (nodes[i] != 0);
  }
  for (int i = 0; is_new && i < 4; i++)
    if (to->tile[place[i]].relabelling != to->relabelling && nodes[i] != 0)
      place[i] = enter_neighbour (&search->relabelling, search->layout, from, nodes[i], side[i]);
  for (int i = 0; i < 4; i++)
    find (to, place[i], nodes[i]);
}

/* Expands a tile's frontier to all neighbours with an arc to it. A set of nodes is shifted as one
 * word; the bits that leave the tile appear at the opposite side of the next one. */
static inline void
expand_tile (FsCpuSearch *search, RelabelStep *to, uint32_t place)
{
  FsRelabelTile *tile = &to->tile[place];
  const uint64_t *from = tile->arc_from;
  uint64_t frontier = tile->frontier;
  uint64_t e = frontier & from[E], se = frontier & from[SE], s = frontier & from[S],
           sw = frontier & from[SW];
  uint64_t w = frontier & from[W], nw = frontier & from[NW], n = frontier & from[N],
           ne = frontier & from[NE];
  uint64_t found = s << 8 | n >> 8 | (e & ~EAST) << 1 | (w & ~WEST) >> 1;
  found |= (se & ~EAST) << 9 | (ne & ~EAST) >> 7 | (sw & ~WEST) << 7 | (nw & ~WEST) >> 9;
  find (to, place, found);
  static const uint8_t sides[] = { E, S, W, N }, corners[] = { SE, SW, NW, NE };
  uint64_t neighbour[] = { (e & EAST) >> 7 | (se & EAST) << 1 | (ne & EAST) >> 15,
                           s >> 56 | (se & ~EAST) >> 55 | sw >> 57,
                           (w & WEST) << 7 | (sw & WEST) << 15 | (nw & WEST) >> 1,
                           n << 56 | ne << 57 | (nw & ~WEST) << 55 };
  expand_to_neighbour (search, to, tile, sides, neighbour);
  uint64_t across[] = { se >> 63, (sw & SOUTH & WEST) >> 49, nw << 63, (ne & NORTH & EAST) << 49 };
  if ((across[0] | across[1] | across[2] | across[3]) != 0)
    expand_to_neighbour (search, to, tile, corners, across);
}

/* The nodes found at the next distance become the frontier. */
static inline void
advance (FsCpuGlobalRelabel *relabelling, FsRelabelTile *tile, uint32_t distance)
{
  uint64_t found = tile->next, waits = found & tile->has_excess;
  tile->next = 0;
  tile->frontier = found;
  tile->left &= ~found;
  tile->region |= found;
  tile->met |= found;
  tile->waits |= waits;
  tile->waits_max = waits != 0 ? (uint16_t)distance : tile->waits_max;
  relabelling->n_found += (size_t)__builtin_popcountll (found);
  labels_set (tile->label, found, (uint16_t)distance);
}

/* One distance more. FALSE when asked to stop or out of memory. */
static inline gboolean
step_out (FsCpuSearch *search)
{
  FsCpuGlobalRelabel *relabelling = &search->relabelling;
  size_t before = relabelling->n_found;
  if (!fs_cpu_global_relabel_reserve (relabelling,
                                      relabelling->n_tiles + (size_t)relabelling->n_frontier * 8)) {
    search->pool.failed = TRUE;
    return FALSE;
  }
  RelabelStep to = { relabelling->tile, relabelling->next, 0, relabelling->relabelling };
  for (uint32_t i = 0; i < relabelling->n_frontier; i++)
    expand_tile (search, &to, relabelling->frontier[i]);
  relabelling->n_next = to.n_next;
  for (uint32_t i = 0; i < relabelling->n_frontier; i++)
    relabelling->tile[relabelling->frontier[i]].frontier = 0;
  relabelling->distance++;
  for (uint32_t i = 0; i < relabelling->n_next; i++)
    advance (relabelling, &relabelling->tile[relabelling->next[i]], relabelling->distance);
  uint32_t *done = relabelling->frontier;
  relabelling->frontier = relabelling->next;
  relabelling->n_frontier = relabelling->n_next;
  relabelling->next = done;
  size_t n = relabelling->n_found - before;
  if (G_LIKELY (n < search->until_poll)) {
    search->until_poll -= (uint32_t)n;
    return TRUE;
  }
  return !fs_cpu_search_poll (search);
}

/* Resets the labels of nodes that were in the last region and are not in this one. */
static inline void
lose (FsRelabelTile *tile, uint32_t relabelling)
{
  uint64_t lost = tile->relabelling == relabelling ? tile->before & ~tile->region : tile->region;
  tile->before = 0;
  if (tile->relabelling != relabelling)
    tile->region = tile->waits = 0;
  if (lost != 0)
    labels_set (tile->label, lost, FS_NO_LABEL);
}

/* Expands the region up to a depth. Nodes with excess wait for the first pass, and so do their
 * tiles. FALSE when asked to stop or out of memory. */
static inline gboolean
expand_to_depth (FsCpuSearch *search, uint32_t depth)
{
  FsCpuGlobalRelabel *relabelling = &search->relabelling;
  gboolean go_on = !search->pool.failed;
  while (go_on && relabelling->n_frontier > 0 && relabelling->distance < depth)
    go_on = step_out (search);
  for (uint32_t i = 1; i < relabelling->n_tiles; i++) {
    FsRelabelTile *tile = &relabelling->tile[i];
    lose (tile, relabelling->relabelling);
    if (tile->waits != 0)
      fs_orphans_push_link (&search->pass[0], &search->pool, tile->waits_max, i);
  }
  return go_on && !search->pool.failed;
}
