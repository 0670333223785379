/* SPDX-License-Identifier: MIT */
/* Who can reach new deficits, and how far they are.   Layer: solver (CPU backend).
 *
 * Breadth first, a tile's nodes at once: sets of 64 bits say which of them were found at the last
 * distance, which of them an arc comes to from a direction, and which may be found yet, so that a
 * step is a few shifts for all nodes of a tile and not a look at eight neighbours for each. Nodes
 * of the sink's trees, which other deficits have, are not found.
 *
 * Words say how far a node is; which of them were found this time, and which ever since the
 * deficits came, sets say.
 */
#ifndef FS_SOLVER_CPU_FLOOD_H
#define FS_SOLVER_CPU_FLOOD_H

#include "solver/cpu_layout.h"
#include "solver/cpu_lists.h"

G_BEGIN_DECLS

/* The word of a node that was met and is not in the region: of no tree. */
#define FS_WORD_MET FS_WORD_ROOT

typedef struct FsCpuSearch FsCpuSearch;

typedef struct {
  _Alignas(64) uint32_t tile; /* lines of the cache: what is asked of all tiles around, first */
  uint32_t flood;  /* that came here last; but for `met` all as far as `arc_from` is of it */
  uint64_t left;   /* may be found yet */
  uint64_t rim;    /* found at the last distance */
  uint64_t next;   /* … at the one after it      */
  uint64_t region; /* found */
  uint64_t before; /* … by the flood before it */
  uint64_t has_excess;
  uint64_t met;         /* ever found */
  uint64_t arc_from[8]; /* an arc comes from that side, by direction, as with 8 neighbours */
  uint64_t open;        /* in no tree of other deficits */
  uint32_t beside[8];   /* places of the tiles in those directions, as in `met` of the layout */
} FsFloodTile;

typedef struct {
  FsFloodTile *tile; /* the first is none, where nothing can be found */
  uint32_t *rim;     /* tiles that have one */
  uint32_t *next;
  uint32_t n_tiles;
  uint32_t n_rim;
  uint32_t n_next;
  uint32_t capacity; /* of all three */
  uint32_t flood;
  uint32_t distance; /* of the rim */
  size_t n_found;    /* nodes of the region */
} FsCpuFlood;

gboolean fs_cpu_flood_init (FsCpuFlood *flood);
void fs_cpu_flood_clear (FsCpuFlood *flood);
size_t fs_cpu_flood_bytes (const FsCpuFlood *flood);

/* Forgets what was met. */
void fs_cpu_flood_forget (FsCpuFlood *flood, FsCpuLayout *layout);

/* Begins anew from the nodes listed that have deficits. Where memory ends, the search's pool has
 * failed. */
void fs_cpu_flood_begin (FsCpuSearch *search, const FsNodes *roots);

/* Finds all as far as a depth, which had no excess so far, and lists those that have excess for the
 * first wave. FALSE when asked to stop or out of memory. */
gboolean fs_cpu_flood_run (FsCpuSearch *search, uint32_t depth);

static inline gboolean
fs_cpu_flood_is_closed (const FsCpuFlood *flood)
{
  return flood->n_rim == 0;
}

G_END_DECLS

#endif
