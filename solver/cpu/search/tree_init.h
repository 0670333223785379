/* SPDX-License-Identifier: MIT */
/* Initialisation of trees from the excess alone.   Layer: solver (CPU backend).
 *
 * Every node with excess or a deficit becomes a tree of its own. Cold solves, regions (regions.h)
 * and refits, which reuse the flow but not the trees, all start so.
 *
 * Only a node with an arc out of its tree need be active, and most pixels have neighbours of their
 * own sign only. So the signs of a tile's excess are two 64-bit sets; shifted sets give all pixels
 * with a neighbour of another sign at once, and only those are processed one by one.
 */
#ifndef FS_SOLVER_CPU_SEARCH_TREE_INIT_H
#define FS_SOLVER_CPU_SEARCH_TREE_INIT_H

#include "solver/cpu/search/search_state.h"

G_BEGIN_DECLS

/* Sets the signs and, in built tiles, the words of tile rows [first, last). Different threads may
 * do different rows. */
void fs_cpu_tree_init_signs (FsCpuLayout *layout, int first, int last);

/* Sets the words of a search's tiles, whose signs are set; those that are not built have theirs. */
void fs_cpu_tree_init_words (const FsCpuSearch *search);

/* Makes a tile a wall: its words are of no tree, and no search passes them until they are
 * initialised. Where no neighbour is built, they are written only when one is. */
void fs_cpu_tree_init_wall (FsCpuLayout *layout, int tx, int ty);

/* Sets the sentinel words of a tile that is not built and whose signs are set; replaces a wall. A
 * tile with different signs is marked to be built instead. */
void fs_cpu_tree_init_sentinel (FsCpuLayout *layout, size_t tile);

/* Builds the tiles in tile rows [first, last) that have different signs in or around them. All
 * signs must be set. */
void fs_cpu_tree_init_tiles (FsCpuLayout *layout, int first, int last);

/* Builds the tile of a node that a search reaches at a sentinel; its nodes are roots. */
void fs_cpu_tree_init_lazy (FsCpuLayout *layout, uint32_t node);

/* Pushes flow from a node with excess over the arc in direction d to an adjacent deficit. Returns
 * the flow. */
int32_t fs_cpu_tree_init_push_arc (FsCpuLayout *layout, size_t node, size_t there, uint32_t d);

/* [direction]: the pixels of a tile with an arc in that direction, outgoing for the source's tree,
 * incoming for the sink's. */
void fs_cpu_tree_init_arcs (const FsCpuLayout *layout, FsCpuTree tree, size_t tile,
                            uint64_t with_arc[8]);

/* Fills the lists of active nodes from tile rows [first, last), whose words are set. */
void fs_cpu_tree_init_lists (FsCpuSearch *search, int first, int last);

/* Makes a node active, if need be, after a wall next to it was removed. */
void fs_cpu_tree_init_seam (FsCpuSearch *search, uint32_t node);

G_END_DECLS

#endif
