/* SPDX-License-Identifier: MIT */
/* Memory layout of a grid problem.   Layer: solver (CPU backend: read this first).
 *
 * The backend, in the order in which it is best read:
 *   layout             the planes and their tiles (this file)
 *   tile_build         the planes' values of one tile, when it is first needed
 *   pages              memory for the tiles that are built
 *   tile_nlinks        the links of a tile where the grid has no planes of them
 *   search             the algorithm, and its invariant; search_state: its state
 *   neighbours         a node's eight neighbours at once, in plain C and with AVX2
 *   grow, augment, adopt   the three steps of the search
 *   push_relabel       push-relabel passes after a stroke, before the search
 *   tile_discharge     the discharge of one tile
 *   global_relabel     distances of the region from the stroke's deficits
 *   lists, orphans     active nodes and orphans, by distance
 *   tree_init          where every search begins: trees from the excess alone
 *   prepare            the steps before trees are initialised
 *   scanline_preflow   flow along rows and columns, before any search
 *   regions            region by region first: for the cache's sake, and with several threads
 *   tlinks, star       replacement of all t-links, of all parents
 *   mask               the mask and its energy
 *   cpu_backend        the function table
 *   band_cut           the same search where a preview cuts a band
 *
 * The grid's arcs are implicit: no arc objects, only planes indexed by node. Nodes are numbered in
 * 8×8 tiles (tile row by tile row, rows within a tile), so that the neighbours of a pixel are
 * nearly always on cache lines that are there already:
 *
 *   node = ((y/8)·tile_cols + x/8)·64 + (y%8)·8 + x%8
 *
 * A photo's last column and row of tiles may extend beyond its edge. The nodes there have no arcs
 * and no excess, so no search visits them. The offset from a node to its neighbour depends only on
 * its place in the tile and comes from a small table.
 *
 * Per node:
 *   word      the search's state: tree, distance, parent (see below)
 *   excess    e = t-link + inflow − outflow
 *   residual  the capacity left of each outgoing arc, n_directions together
 *   arcs      which arcs have capacity left: bits 0–7 outgoing, bits 8–15 incoming
 * `arcs` is redundant, but gives a node's possible parents without loading the residuals of eight
 * neighbours.
 *
 * Directions: forward ones first, in grid.h's order, then their opposites; the opposite of d is
 * d ^ (n_directions / 2).
 *
 * Tiles are initialised ("built") lazily, when a search first reaches them. As long as all pixels
 * of a tile and around it have t-links of one sign, its nodes are roots without any arc to another
 * tree: no flow has passed, the grid has their capacities, and the tile's memory stays untouched.
 * Around the initialised tiles, FS_WORD_LAZY words are the sentinels at which a search stops to
 * initialise the next tile.
 */
#ifndef FS_SOLVER_CPU_STATE_LAYOUT_H
#define FS_SOLVER_CPU_STATE_LAYOUT_H

#include "solver/grid.h"

#include <stdatomic.h>

G_BEGIN_DECLS

#define FS_CPU_TILE        8
#define FS_CPU_TILE_PIXELS 64

/* Tiles whose pages are populated together (pages.h). */
#define FS_CPU_GROUP_TILES 16
/* Alignment of planes, so that groups of tiles share no pages. */
#define FS_CPU_PAGE_BYTES ((size_t)4096)

/* A word: tree in the two highest bits, then the distance, then flags, then the parent.
 *
 * Comparing words compares distances, and XOR with a tree's bits makes that tree's words the
 * smallest of all: one vector instruction then finds the nearest neighbour within a tree. */
#define FS_WORD_SOURCE         (1u << 30)
#define FS_WORD_SINK           (2u << 30)
#define FS_WORD_TREE           (3u << 30)
#define FS_WORD_DISTANCE_SHIFT 5
#define FS_WORD_DISTANCE       (FS_WORD_SOURCE - (1u << FS_WORD_DISTANCE_SHIFT))
#define FS_WORD_QUEUED         (1u << 4) /* waits in its tree's list to be scanned        */
#define FS_WORD_ROOT           (1u << 3) /* no parent                                     */
#define FS_WORD_PARENT         7u        /* direction of the parent; 0 for a true root    */
#define FS_WORD_ORPHAN         15u       /* with ROOT: an orphan in a stack              */
#define FS_WORD_UNSETTLED      14u       /* the same, and its excess was changed          */
#define FS_WORD_TRAPPED_EXCESS 13u       /* the same, of the sink's trees, and has excess */
#define FS_WORD_KIND           15u       /* what tells a root, an orphan and a child apart */
#define FS_WORD_FREE           0u
#define FS_WORD_LAZY           (3u << 30) /* beyond a sentinel: a root of some tree, … */
#define FS_WORD_LAZY_SHIFT     2          /* … whose bits are here, that much lower   */
#define FS_CPU_DISTANCE_MAX    ((1u << 25) - 2)

typedef enum { FS_SOURCE, FS_SINK, FS_N_TREES } FsCpuTree;

/* The neighbours of a band's node (band_cut.h): the left one of the three in the row above, and of
 * the three in the row below. */
typedef struct {
  uint32_t up, down;
} FsCpuRows;

/* States of a tile: no memory touched; no memory touched, and its words become a wall once a
 * neighbouring tile is built; only its words are written, as sentinels; to be built at once;
 * built. */
enum { FS_TILE_UNTOUCHED, FS_TILE_WALLED, FS_TILE_FENCED, FS_TILE_WANTED, FS_TILE_BUILT };

typedef struct {
  const FsGrid *grid; /* from which tiles are built; NULL: a band */
  int width;
  int height;
  int n_directions; /* 4 or 8 */
  int tile_cols;
  int tile_rows;
  size_t n_nodes; /* 64 · tiles */
  uint32_t *word; /* readable for one tile row and one tile beyond both ends */
  int32_t *excess;
  uint16_t *residual; /* [node · n_directions + direction] */
  uint16_t *arcs;
  uint8_t *touched;            /* per tile: a node joined or left the sink, or has another t-link */
  uint64_t *roots[FS_N_TREES]; /* per tile, when last initialised: bit (y%8)·8 + x%8 */
  uint8_t *state;              /* per tile: FS_TILE_… */
  uint32_t *met; /* per tile: its place in a relabelling (global_relabel.h), from 1 on, or 0 */
  atomic_uchar *pages; /* per group of tiles: the pages that were populated (pages.h) */
  int32_t offset[FS_CPU_TILE_PIXELS][8];
  FsCpuRows *rows; /* for a band, which has no tiles and no offsets; else NULL */
  void *block;
  size_t block_bytes;
} FsCpuLayout;

/* Allocates everything; contents undefined. FALSE when memory ends. */
gboolean fs_cpu_layout_init (FsCpuLayout *layout, const FsGrid *grid);
void fs_cpu_layout_clear (FsCpuLayout *layout);

/* Makes all tiles untouched again, and binds the layout to this grid. */
void fs_cpu_layout_forget (FsCpuLayout *layout, const FsGrid *grid);

static inline size_t
fs_cpu_pages_n_groups (const FsCpuLayout *layout)
{
  return (layout->n_nodes / FS_CPU_TILE_PIXELS - 1) / FS_CPU_GROUP_TILES + 1;
}

static inline gboolean
fs_cpu_layout_is_built (const FsCpuLayout *layout, size_t tile)
{
  return layout->state[tile] == FS_TILE_BUILT;
}

/* As fs_solver_read_state. */
void fs_cpu_layout_read (const FsCpuLayout *layout, int y, int n_rows, int32_t *excess,
                         uint16_t *residual[FS_N_DIRECTIONS]);

static inline size_t
fs_cpu_layout_node (const FsCpuLayout *layout, int x, int y)
{
  size_t tile = (size_t)(y / FS_CPU_TILE) * layout->tile_cols + x / FS_CPU_TILE;
  return tile * FS_CPU_TILE_PIXELS + (size_t)(y % FS_CPU_TILE) * FS_CPU_TILE + x % FS_CPU_TILE;
}

/* Between directions here and grid.h's, 0 … 7. They differ with 4 neighbours. */
static inline int
fs_cpu_layout_arc (const FsCpuLayout *layout, int direction)
{
  int half = layout->n_directions / 2;
  return direction < half ? direction : direction - half + FS_DIRECTION_OPPOSITE;
}

static inline int
fs_cpu_layout_direction (const FsCpuLayout *layout, int arc)
{
  int half = layout->n_directions / 2;
  return arc < FS_DIRECTION_OPPOSITE ? arc : arc - FS_DIRECTION_OPPOSITE + half;
}

/* A neighbour in a band, where 8 directions are those of grid.h. */
static inline uint32_t
fs_cpu_rows_step (const FsCpuLayout *layout, uint32_t node, uint32_t d)
{
  static const int8_t place[] = { 1, 1, 2, 0, -1, 1, 0, 2 };
  const FsCpuRows *rows = &layout->rows[node];
  uint32_t first = d % 4 == 0 ? node : d < 4 ? rows->down : rows->up;
  return first + (uint32_t)place[d];
}

static inline uint32_t
fs_word_distance (uint32_t word)
{
  return (word & FS_WORD_DISTANCE) >> FS_WORD_DISTANCE_SHIFT;
}

static inline gboolean
fs_word_is_orphan (uint32_t word)
{
  return (word & FS_WORD_KIND) >= FS_WORD_TRAPPED_EXCESS;
}

static inline uint32_t
fs_word_new (uint32_t tree, uint32_t distance, uint32_t rest)
{
  return tree | distance << FS_WORD_DISTANCE_SHIFT | rest;
}

G_END_DECLS

#endif
