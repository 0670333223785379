/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/queue.h"

#include "energy/geodesic/level.h"

#include <string.h>

#define FIRST_CHUNKS 256

/* Makes the chunks [from, n_chunks) free. */
static void
free_chunks_from (FsGeodesicQueue *queue, uint32_t from)
{
  for (uint32_t i = from; i < queue->n_chunks; i++) {
    queue->chunks[i].next = queue->free;
    queue->free = i;
  }
}

void
fs_geodesic_queue_init (FsGeodesicQueue *queue, const int32_t *distance)
{
  *queue = (FsGeodesicQueue){ .distance = distance };
  queue->n_chunks = FIRST_CHUNKS;
  queue->chunks = g_new0 (FsQueueChunk, FIRST_CHUNKS);
  free_chunks_from (queue, 1);
}

void
fs_geodesic_queue_clear (FsGeodesicQueue *queue)
{
  g_clear_pointer (&queue->chunks, g_free);
}

FsQueueChunk *
fs_geodesic_queue_grow (FsGeodesicQueue *queue, uint32_t *head)
{
  if (queue->free == 0) {
    uint32_t from = queue->n_chunks;
    queue->n_chunks *= 2;
    queue->chunks = g_renew (FsQueueChunk, queue->chunks, queue->n_chunks);
    free_chunks_from (queue, from);
  }
  FsQueueChunk *chunk = &queue->chunks[queue->free];
  uint32_t next = *head;
  *head = queue->free;
  queue->free = chunk->next;
  chunk->n = 0;
  chunk->next = next;
  return chunk;
}

/* Moves the first chunk of a bucket into `cells` and frees it. */
static int
take_chunk (FsGeodesicQueue *queue, uint32_t *head, uint32_t cells[FS_CHUNK_ENTRIES])
{
  uint32_t index = *head;
  FsQueueChunk *chunk = &queue->chunks[index];
  int n = (int)chunk->n;
  memcpy (cells, chunk->cell, (size_t)n * sizeof *cells);
  *head = chunk->next;
  chunk->next = queue->free;
  queue->free = index;
  return n;
}

static inline int32_t
wide_bucket (const FsGeodesicQueue *queue, uint32_t cell)
{
  return queue->distance[cell] >> FS_BUCKET_BITS;
}

/* The nearest distance, in buckets, that waits beyond the window; G_MAXINT32 for none. What has
 * come nearer than that since has been taken out there. */
static int32_t
nearest_beyond (const FsGeodesicQueue *queue)
{
  int32_t nearest = G_MAXINT32;
  for (uint32_t c = queue->head[FS_N_BUCKETS]; c; c = queue->chunks[c].next)
    for (uint32_t i = 0; i < queue->chunks[c].n; i++) {
      int32_t bucket = wide_bucket (queue, queue->chunks[c].cell[i]);
      if (bucket >= queue->window + FS_N_BUCKETS)
        nearest = MIN (nearest, bucket);
    }
  return nearest;
}

/* Opens the window at the nearest cell that waits beyond it. FALSE: there is none. */
static gboolean
move_window (FsGeodesicQueue *queue)
{
  int32_t nearest = nearest_beyond (queue);
  gboolean any = nearest < G_MAXINT32;
  uint32_t waiting = queue->head[FS_N_BUCKETS];
  queue->head[FS_N_BUCKETS] = 0;
  queue->bucket = 0;
  queue->window = any ? nearest : 0;
  uint32_t cells[FS_CHUNK_ENTRIES];
  while (waiting) {
    int n = take_chunk (queue, &waiting, cells);
    for (int i = 0; i < n; i++)
      if (any && wide_bucket (queue, cells[i]) >= nearest)
        fs_geodesic_queue_put (queue, cells[i], queue->distance[cells[i]]);
  }
  return any;
}

static int
drop_stale (const FsGeodesicQueue *queue, uint32_t *cells, int n)
{
  int32_t bucket = queue->window + queue->bucket;
  int n_kept = 0;
  for (int i = 0; i < n; i++) {
    uint32_t cell = cells[i];
    cells[n_kept] = cell;
    n_kept += wide_bucket (queue, cell) == bucket;
  }
  return n_kept;
}

int
fs_geodesic_queue_take (FsGeodesicQueue *queue, uint32_t cells[FS_CHUNK_ENTRIES])
{
  for (;;) {
    while (queue->bucket < FS_N_BUCKETS && queue->head[queue->bucket] == 0)
      queue->bucket++;
    if (queue->bucket == FS_N_BUCKETS) {
      if (!move_window (queue))
        return 0;
      continue;
    }
    int n = take_chunk (queue, &queue->head[queue->bucket], cells);
    n = drop_stale (queue, cells, n);
    if (n > 0)
      return n;
  }
}
