/* SPDX-License-Identifier: MIT */
/* Bucket queue of cells by their distances.   Layer: energy (for field.c).
 *
 * A bucket is 2^FS_BUCKET_BITS units of distance wide, less than the cheapest edge: the distance of
 * a cell that is taken out is final, and its neighbours fall into later buckets (Denardo & Fox
 * 1979). There are FS_N_BUCKETS buckets, the *window*. Cells farther away wait in one more bucket,
 * which is distributed when the window is empty; so distances may differ by more than the costliest
 * edge, in contrast to Dial's circular buckets.
 *
 * A cell whose distance falls is added again. The older entry is stale and is dropped when it is
 * taken out. FS_CELL_QUEUED in the cell's state says that there is an entry in the bucket of its
 * distance.
 *
 * Entries lie in chunks of one pool, which grows when needed.
 */
#ifndef FS_ENERGY_GEODESIC_QUEUE_H
#define FS_ENERGY_GEODESIC_QUEUE_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define FS_BUCKET_BITS   6
#define FS_N_BUCKETS     1024
#define FS_CHUNK_ENTRIES 30

typedef struct {
  uint32_t n;
  uint32_t next; /* chunk of the same bucket, 0 for none */
  uint32_t cell[FS_CHUNK_ENTRIES];
} FsQueueChunk;

typedef struct {
  FsQueueChunk *chunks; /* [n_chunks], the first is never used */
  uint32_t n_chunks;
  uint32_t free;                   /* first chunk of the free ones, 0 for none */
  uint32_t head[FS_N_BUCKETS + 1]; /* of each bucket, the last one beyond the window */
  int32_t window;                  /* distance / 2^FS_BUCKET_BITS of bucket 0 */
  int bucket;                      /* all before it are empty */
  const int32_t *distance;         /* of cells, borrowed */
} FsGeodesicQueue;

/* The distances are borrowed for the queue's whole life. They may change while the queue holds
 * their cells, downwards only, and the cell is then put in again. */
void fs_geodesic_queue_init (FsGeodesicQueue *queue, const int32_t *distance);
void fs_geodesic_queue_clear (FsGeodesicQueue *queue);

/* Another chunk at the head of a bucket. */
FsQueueChunk *fs_geodesic_queue_grow (FsGeodesicQueue *queue, uint32_t *head);

/* Takes out cells of the nearest bucket that holds any, at most FS_CHUNK_ENTRIES. Returns how many;
 * 0 when the queue is empty. */
int fs_geodesic_queue_take (FsGeodesicQueue *queue, uint32_t cells[FS_CHUNK_ENTRIES]);

static inline int
fs_geodesic_queue_bucket (const FsGeodesicQueue *queue, int32_t distance)
{
  return MIN ((distance >> FS_BUCKET_BITS) - queue->window, FS_N_BUCKETS);
}

/* Puts in a cell at its present distance, which is in a later bucket than what was taken out last.
 */
static inline void
fs_geodesic_queue_put (FsGeodesicQueue *queue, uint32_t cell, int32_t distance)
{
  uint32_t *head = &queue->head[fs_geodesic_queue_bucket (queue, distance)];
  FsQueueChunk *chunk = &queue->chunks[*head];
  if (*head == 0 || chunk->n == FS_CHUNK_ENTRIES)
    chunk = fs_geodesic_queue_grow (queue, head);
  chunk->cell[chunk->n++] = cell;
}

G_END_DECLS

#endif
