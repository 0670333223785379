/* SPDX-License-Identifier: MIT */
/* Trees from nothing but the excess.   Layer: solver (CPU backend).
 *
 * Every node with excess or a deficit becomes a tree of its own. That one start serves cold solves,
 * regions (regions.h), and refits, where the flow is kept and the trees are not.
 *
 * Only a node that has an arc out of its tree need be scanned, and most pixels of a photo lie among
 * their like. So the signs of a tile's excess are two 64-bit sets, and shifted sets tell for all 64
 * pixels at once which of them have an unlike neighbour; only those are looked at one by one.
 */
#ifndef FS_SOLVER_CPU_SEARCH_TREE_INIT_H
#define FS_SOLVER_CPU_SEARCH_TREE_INIT_H

#include "solver/cpu/search/search_state.h"

G_BEGIN_DECLS

/* Signs, and words, of tile rows [first, last). Rows may be done by different threads. Of tiles
 * that are not built, the signs alone. */
void fs_cpu_tree_init_signs (FsCpuLayout *layout, int first, int last);

/* Words of a search's tiles, whose signs were found: tiles that are not built still have them. */
void fs_cpu_tree_init_words (const FsCpuSearch *search);

/* Words of no tree, which no search passes, until words are initialised there. Of a tile that
 * nothing built lies beside none are written before it does. */
void fs_cpu_tree_init_wall (FsCpuLayout *layout, int tx, int ty);

/* Words of a tile that is not built, whose signs were found, also in place of a wall. Where they
 * are not of one sign it will be built. */
void fs_cpu_tree_init_sentinel (FsCpuLayout *layout, size_t tile);

/* Builds what is not but has to be, in tile rows [first, last): where not all pixels in and around
 * a tile have one sign. All signs come first. */
void fs_cpu_tree_init_tiles (FsCpuLayout *layout, int first, int last);

/* Builds a tile whose nodes are roots: that of a node which a search meets beyond a sentinel. */
void fs_cpu_tree_init_lazy (FsCpuLayout *layout, uint32_t node);

/* Sends from excess to a deficit what the arc between them, in direction d, lets through. Returns
 * the flow. */
int32_t fs_cpu_tree_init_push_arc (FsCpuLayout *layout, size_t node, size_t there, uint32_t d);

/* Per direction, the pixels of a tile that have an arc there: outgoing ones, for the sink's tree
 * incoming ones. */
void fs_cpu_tree_init_arcs (const FsCpuLayout *layout, FsCpuTree tree, size_t tile,
                            uint64_t with_arc[8]);

/* The lists of a search over tile rows [first, last), whose words are initialised. */
void fs_cpu_tree_init_lists (FsCpuSearch *search, int first, int last);

/* Lists a node beside which a wall has stood while trees were searched, if need be. */
void fs_cpu_tree_init_seam (FsCpuSearch *search, uint32_t node);

G_END_DECLS

#endif
