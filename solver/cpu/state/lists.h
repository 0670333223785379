/* SPDX-License-Identifier: MIT */
/* Lists of nodes by distance.   Layer: solver (CPU backend).
 *
 * A search has two such families: the active nodes of either side's trees. A list is a linked list
 * of chunks from one pool, so that memory follows the length of the frontier and not the size of
 * the photo, and consecutive nodes are read together.
 *
 * Entries may be stale: whoever takes a node checks its word. When memory ends, `failed` is set and
 * the node is dropped; the search then gives up its trees, which are made anew from the excess.
 */
#ifndef FS_SOLVER_CPU_STATE_LISTS_H
#define FS_SOLVER_CPU_STATE_LISTS_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define FS_CHUNK_NODES 62

typedef struct {
  uint32_t next; /* index in the pool; 0 ends the list */
  uint32_t n;
  uint32_t node[FS_CHUNK_NODES];
} FsChunk;

/* A node by itself, where lists are many and short (orphans.h). */
typedef struct {
  uint32_t next; /* index in the pool; FS_NO_LINK ends the list */
  uint32_t node;
} FsLink;

#define FS_NO_LINK UINT32_MAX

/* Chunk 0 is always full: an empty list can be pushed to without a special case. */
typedef struct {
  FsChunk *chunk;
  uint32_t n_chunks;
  uint32_t capacity;
  uint32_t first_unused; /* list of free chunks */
  FsLink *link;
  uint32_t n_links;
  uint32_t unused_link; /* list of free links */
  gboolean failed;
} FsChunkPool;

typedef struct {
  uint32_t *head; /* per distance: the chunk that is filled now */
  uint32_t capacity;
  uint32_t low; /* no list below this distance has nodes */
  uint32_t end; /* nor from this distance on             */
} FsLists;

/* An array of nodes; where memory ends, the pool has failed. */
typedef struct {
  uint32_t *node;
  size_t n;
  size_t capacity;
} FsNodes;

gboolean fs_chunk_pool_init (FsChunkPool *pool);
void fs_chunk_pool_clear (FsChunkPool *pool);
size_t fs_chunk_pool_bytes (const FsChunkPool *pool);

/* The slow path of fs_chunk_pool_take_link, which allocates; FS_NO_LINK where memory ends, and the
 * pool has failed. */
uint32_t fs_chunk_pool_new_link (FsChunkPool *pool);

static inline uint32_t
fs_chunk_pool_take_link (FsChunkPool *pool)
{
  uint32_t taken = pool->unused_link;
  if (G_UNLIKELY (taken == FS_NO_LINK))
    return fs_chunk_pool_new_link (pool);
  pool->unused_link = pool->link[taken].next;
  return taken;
}

static inline void
fs_chunk_pool_give_link (FsChunkPool *pool, uint32_t link)
{
  pool->link[link].next = pool->unused_link;
  pool->unused_link = link;
}

/* Reserves the lists up to a distance; FALSE where memory ends. */
gboolean fs_lists_reserve (FsLists *lists, uint32_t distance);

void fs_lists_clear (FsLists *lists);
/* Drops every node of a family. */
void fs_lists_empty (FsLists *lists, FsChunkPool *pool);
/* The slow path of fs_lists_push, with a fresh chunk or a longer table. */
void fs_lists_push_slowly (FsLists *lists, FsChunkPool *pool, uint32_t distance, uint32_t node);
/* Gives back the empty chunk that heads a list. */
void fs_lists_drop_head (FsLists *lists, FsChunkPool *pool, uint32_t distance);

static inline void
fs_lists_push (FsLists *lists, FsChunkPool *pool, uint32_t distance, uint32_t node)
{
  if (G_LIKELY (distance < lists->end && distance >= lists->low)) {
    FsChunk *chunk = &pool->chunk[lists->head[distance]];
    if (G_LIKELY (chunk->n < FS_CHUNK_NODES)) {
      chunk->node[chunk->n++] = node;
      return;
    }
  }
  fs_lists_push_slowly (lists, pool, distance, node);
}

/* Enlarges the array; FALSE where memory ends. */
gboolean fs_nodes_grow (FsNodes *nodes);
void fs_nodes_clear (FsNodes *nodes);
/* The slow path of fs_nodes_push, which allocates. */
void fs_nodes_push_slowly (FsNodes *nodes, FsChunkPool *pool, uint32_t node);

static inline void
fs_nodes_push (FsNodes *nodes, FsChunkPool *pool, uint32_t node)
{
  if (G_LIKELY (nodes->n < nodes->capacity))
    nodes->node[nodes->n++] = node;
  else
    fs_nodes_push_slowly (nodes, pool, node);
}

/* Moves `low` to the nearest list that has nodes; FALSE when there is none. */
static inline gboolean
fs_lists_seek (FsLists *lists)
{
  while (lists->low < lists->end && lists->head[lists->low] == 0)
    lists->low++;
  return lists->low < lists->end;
}

/* Takes a node of the nearest list; call fs_lists_seek first. */
static inline uint32_t
fs_lists_pop (FsLists *lists, FsChunkPool *pool)
{
  FsChunk *chunk = &pool->chunk[lists->head[lists->low]];
  uint32_t node = chunk->node[--chunk->n];
  if (chunk->n == 0)
    fs_lists_drop_head (lists, pool, lists->low);
  return node;
}

G_END_DECLS

#endif
