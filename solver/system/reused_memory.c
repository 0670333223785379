/* SPDX-License-Identifier: MIT */
#include "solver/system/reused_memory.h"

#include "solver/system/checked_memory.h"

#include <stdint.h>

enum { LINE_BYTES = 64 };

void
fs_room_add (FsRoom *room, void *memory, size_t bytes)
{
  for (int i = 0; i < FS_ROOM_BLOCKS; i++)
    if (room->block[i].memory == NULL) {
      room->block[i].memory = memory;
      room->block[i].bytes = bytes;
      return;
    }
  g_return_if_reached ();
}

void *
fs_room_new (FsRoom *room, size_t n, size_t size)
{
  size_t bytes;
  for (int i = 0; room != NULL && i < FS_ROOM_BLOCKS && g_size_checked_mul (&bytes, n, size); i++) {
    size_t at = room->block[i].used;
    if (room->block[i].memory == NULL || bytes > room->block[i].bytes - at)
      continue;
    size_t end = at + (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    room->block[i].used = MIN (end, room->block[i].bytes);
    return room->block[i].memory + at;
  }
  return fs_memory_new_whole (n, size);
}

void
fs_room_free (const FsRoom *room, void *memory)
{
  for (int i = 0; room != NULL && i < FS_ROOM_BLOCKS; i++) {
    size_t at = (size_t)((uintptr_t)memory - (uintptr_t)room->block[i].memory);
    if (room->block[i].memory != NULL && at < room->block[i].bytes)
      return;
  }
  fs_memory_free (memory);
}

size_t
fs_room_left_bytes (const FsRoom *room)
{
  size_t bytes = 0;
  for (int i = 0; i < FS_ROOM_BLOCKS; i++)
    bytes += room->block[i].bytes - room->block[i].used;
  return bytes;
}

void
fs_room_clear (FsRoom *room)
{
  for (int i = 0; i < FS_ROOM_BLOCKS; i++)
    fs_memory_free (room->block[i].memory);
  *room = (FsRoom){ 0 };
}
