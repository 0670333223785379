/* SPDX-License-Identifier: MIT */
#include "solver/cpu/state/lists.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { FIRST_CHUNKS = 64, FIRST_DISTANCES = 256, FIRST_NODES = 1024, FIRST_LINKS = 1024 };

gboolean
fs_chunk_pool_init (FsChunkPool *pool)
{
  *pool = (FsChunkPool){ .unused_link = FS_NO_LINK };
  pool->chunk = fs_memory_new (FIRST_CHUNKS, sizeof *pool->chunk);
  if (pool->chunk == NULL)
    return FALSE;
  pool->capacity = FIRST_CHUNKS;
  pool->n_chunks = 1;
  pool->chunk[0].next = 0;
  pool->chunk[0].n = FS_CHUNK_NODES;
  return TRUE;
}

void
fs_chunk_pool_clear (FsChunkPool *pool)
{
  fs_memory_free (pool->chunk);
  fs_memory_free (pool->link);
  *pool = (FsChunkPool){ 0 };
}

size_t
fs_chunk_pool_bytes (const FsChunkPool *pool)
{
  return pool->capacity * sizeof *pool->chunk + pool->n_links * sizeof *pool->link;
}

/* A block of `n` items that begins with the `n_used` of `old`, which is freed; NULL keeps `old`. */
static void *
grown (void *old, size_t n_used, size_t n, size_t size)
{
  void *fresh = fs_memory_new (n, size);
  if (fresh == NULL)
    return NULL;
  if (n_used > 0)
    memcpy (fresh, old, n_used * size);
  fs_memory_free (old);
  return fresh;
}

/* An unused chunk, or 0 when memory ends. */
static uint32_t
take_chunk (FsChunkPool *pool)
{
  uint32_t taken = pool->first_unused;
  if (taken != 0) {
    pool->first_unused = pool->chunk[taken].next;
    return taken;
  }
  if (pool->n_chunks == pool->capacity) {
    size_t capacity = (size_t)pool->capacity * 2;
    FsChunk *fresh = grown (pool->chunk, pool->n_chunks, capacity, sizeof *fresh);
    if (fresh == NULL)
      return 0;
    pool->chunk = fresh;
    pool->capacity = (uint32_t)capacity;
  }
  return pool->n_chunks++;
}

uint32_t
fs_chunk_pool_new_link (FsChunkPool *pool)
{
  uint32_t n = MAX (FIRST_LINKS, 2 * pool->n_links);
  FsLink *fresh = grown (pool->link, pool->n_links, n, sizeof *fresh);
  if (fresh == NULL) {
    pool->failed = TRUE;
    return FS_NO_LINK;
  }
  pool->link = fresh;
  for (uint32_t i = n; i-- > pool->n_links;)
    fs_chunk_pool_give_link (pool, i);
  pool->n_links = n;
  return fs_chunk_pool_take_link (pool);
}

gboolean
fs_lists_reserve (FsLists *lists, uint32_t distance)
{
  if (distance < lists->capacity)
    return TRUE;
  size_t capacity = MAX (FIRST_DISTANCES, lists->capacity);
  while (capacity <= distance)
    capacity *= 2;
  uint32_t *fresh = grown (lists->head, lists->capacity, capacity, sizeof *fresh);
  if (fresh == NULL)
    return FALSE;
  memset (fresh + lists->capacity, 0, (capacity - lists->capacity) * sizeof *fresh);
  lists->head = fresh;
  lists->capacity = (uint32_t)capacity;
  return TRUE;
}

void
fs_lists_push_slowly (FsLists *lists, FsChunkPool *pool, uint32_t distance, uint32_t node)
{
  if (!fs_lists_reserve (lists, distance)) {
    pool->failed = TRUE;
    return;
  }
  uint32_t head = lists->head[distance];
  if (pool->chunk[head].n == FS_CHUNK_NODES) {
    uint32_t fresh = take_chunk (pool);
    if (fresh == 0) {
      pool->failed = TRUE;
      return;
    }
    pool->chunk[fresh].next = head;
    pool->chunk[fresh].n = 0;
    lists->head[distance] = head = fresh;
  }
  FsChunk *chunk = &pool->chunk[head];
  chunk->node[chunk->n++] = node;
  lists->low = MIN (lists->low, distance);
  lists->end = MAX (lists->end, distance + 1);
}

void
fs_lists_drop_head (FsLists *lists, FsChunkPool *pool, uint32_t distance)
{
  uint32_t head = lists->head[distance];
  lists->head[distance] = pool->chunk[head].next;
  pool->chunk[head].next = pool->first_unused;
  pool->first_unused = head;
}

void
fs_lists_empty (FsLists *lists, FsChunkPool *pool)
{
  for (uint32_t distance = lists->low; distance < lists->end; distance++)
    while (lists->head[distance] != 0)
      fs_lists_drop_head (lists, pool, distance);
  lists->low = lists->end = 0;
}

void
fs_lists_clear (FsLists *lists)
{
  fs_memory_free (lists->head);
  *lists = (FsLists){ 0 };
}

gboolean
fs_nodes_grow (FsNodes *nodes)
{
  size_t capacity = MAX (FIRST_NODES, 2 * nodes->capacity);
  uint32_t *fresh = grown (nodes->node, nodes->n, capacity, sizeof *fresh);
  if (fresh == NULL)
    return FALSE;
  nodes->node = fresh;
  nodes->capacity = capacity;
  return TRUE;
}

void
fs_nodes_push_slowly (FsNodes *nodes, FsChunkPool *pool, uint32_t node)
{
  if (fs_nodes_grow (nodes))
    nodes->node[nodes->n++] = node;
  else
    pool->failed = TRUE;
}

void
fs_nodes_clear (FsNodes *nodes)
{
  fs_memory_free (nodes->node);
  *nodes = (FsNodes){ 0 };
}
