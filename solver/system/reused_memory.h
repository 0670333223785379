/* SPDX-License-Identifier: MIT */
/* Reuse of freed scratch memory.   Layer: solver (value header).
 *
 * The system clears new pages, which takes as long as filling them. A pool takes over blocks that
 * are no longer needed, and new planes are allocated from them until they are used up.
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_SYSTEM_REUSED_MEMORY_H
#define FS_SOLVER_SYSTEM_REUSED_MEMORY_H

#include <glib.h>

G_BEGIN_DECLS

enum { FS_REUSED_BLOCKS = 4 };

/* All 0: empty. */
typedef struct {
  struct {
    char *memory;
    size_t bytes, used;
  } block[FS_REUSED_BLOCKS];
} FsReusedMemory;

/* Takes a block of fs_memory_new over, at most FS_REUSED_BLOCKS of them. */
void fs_reused_memory_add (FsReusedMemory *reused, void *memory, size_t bytes);

/* n·size bytes aligned to 64, not cleared, from the pool or else from fs_memory_new_whole; `reused`
 * may be NULL. NULL when memory ends. */
void *fs_reused_memory_new (FsReusedMemory *reused, size_t n, size_t size);

/* Frees a block of fs_reused_memory_new. One inside the pool is not freed, nor allocated again. */
void fs_reused_memory_free (const FsReusedMemory *reused, void *memory);

/* Bytes of the pool that are not allocated. */
size_t fs_reused_memory_left_bytes (const FsReusedMemory *reused);

/* Frees all blocks of the pool, with everything allocated from them. */
void fs_reused_memory_clear (FsReusedMemory *reused);

G_END_DECLS

#endif
