/* SPDX-License-Identifier: MIT */
/* Reuse of freed scratch memory.   Layer: solver (value header).
 *
 * To have the system clear new pages takes as long as to fill them. A pool takes over blocks that
 * are done with, and gives them to the planes made next until they are used up.
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

/* Frees what fs_reused_memory_new gave; what lies in the pool stays there, and is not given again.
 */
void fs_reused_memory_free (const FsReusedMemory *reused, void *memory);

/* Bytes that nobody has asked for. */
size_t fs_reused_memory_left_bytes (const FsReusedMemory *reused);

/* Frees all blocks, and with them what lies there. */
void fs_reused_memory_clear (FsReusedMemory *reused);

G_END_DECLS

#endif
