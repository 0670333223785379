/* SPDX-License-Identifier: MIT */
/* Stacks of orphans by distance.   Layer: solver (CPU backend).
 *
 * One linked stack per distance: an adoption phase has a handful of orphans at about as many
 * distances, so a push must be cheap. On a grid links come from a pool, one an orphan;
 * in a graph they are a plane indexed by node, so that a node is in one stack at most.
 */
#ifndef FS_SOLVER_CPU_STATE_ORPHANS_H
#define FS_SOLVER_CPU_STATE_ORPHANS_H

#include "solver/cpu/state/lists.h"

G_BEGIN_DECLS

#define FS_NO_NODE UINT32_MAX

typedef struct {
  uint32_t *head; /* per distance: a link, or a graph's node */
  uint32_t capacity;
  uint32_t low; /* no orphans below this distance */
  uint32_t end; /* nor from this distance on      */
} FsOrphans;

/* Reserves the stacks up to `distance`; FALSE when memory ends, and nothing has changed. */
gboolean fs_orphans_reserve (FsOrphans *orphans, uint32_t distance);
void fs_orphans_clear (FsOrphans *orphans);
/* Empties all stacks: of a graph; of a grid, giving the links back to the pool. */
void fs_orphans_empty (FsOrphans *orphans);
void fs_orphans_drop (FsOrphans *orphans, FsChunkPool *pool);

/* Pushes an orphan of a grid. Where memory ends, the pool has failed and the orphan is dropped. */
static inline void
fs_orphans_push_link (FsOrphans *orphans, FsChunkPool *pool, uint32_t distance, uint32_t node)
{
  uint32_t link = fs_chunk_pool_take_link (pool);
  if (G_UNLIKELY (link == FS_NO_LINK))
    return;
  pool->link[link] = (FsLink){ orphans->head[distance], node };
  orphans->head[distance] = link;
  orphans->low = MIN (orphans->low, distance);
  orphans->end = MAX (orphans->end, distance + 1);
}

/* Pops an orphan of a grid from a stack that is not empty. */
static inline uint32_t
fs_orphans_take (uint32_t *head, FsChunkPool *pool)
{
  uint32_t link = *head;
  *head = pool->link[link].next;
  fs_chunk_pool_give_link (pool, link);
  return pool->link[link].node;
}

static inline void
fs_orphans_push (FsOrphans *orphans, uint32_t *next, uint32_t distance, uint32_t node)
{
  next[node] = orphans->head[distance];
  orphans->head[distance] = node;
  orphans->low = MIN (orphans->low, distance);
  orphans->end = MAX (orphans->end, distance + 1);
}

G_END_DECLS

#endif
