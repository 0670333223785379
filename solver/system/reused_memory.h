/* SPDX-License-Identifier: MIT */
/* Memory that was needed for something else before.   Layer: solver (value header).
 *
 * To have the system clear new pages takes as long as to fill them. A room takes over blocks that
 * are done with, and planes that are made next lie in them as long as there is some left.
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_SYSTEM_REUSED_MEMORY_H
#define FS_SOLVER_SYSTEM_REUSED_MEMORY_H

#include <glib.h>

G_BEGIN_DECLS

enum { FS_ROOM_BLOCKS = 4 };

/* All 0: empty. */
typedef struct {
  struct {
    char *memory;
    size_t bytes, used;
  } block[FS_ROOM_BLOCKS];
} FsRoom;

/* Takes a block of fs_memory_new over, at most FS_ROOM_BLOCKS of them. */
void fs_room_add (FsRoom *room, void *memory, size_t bytes);

/* n·size bytes aligned to 64, not cleared, from the room or else from fs_memory_new_whole; `room`
 * may be NULL. NULL when memory ends. */
void *fs_room_new (FsRoom *room, size_t n, size_t size);

/* Frees what fs_room_new gave; what lies in the room stays there, and is not given again. */
void fs_room_free (const FsRoom *room, void *memory);

/* Bytes that nobody has asked for. */
size_t fs_room_left_bytes (const FsRoom *room);

/* Frees all blocks, and with them what lies there. */
void fs_room_clear (FsRoom *room);

G_END_DECLS

#endif
