/* SPDX-License-Identifier: MIT */
#include "solver/system/reused_memory.h"

#include "solver/system/checked_memory.h"

#include <stdint.h>

enum { LINE_BYTES = 64 };

void
fs_reused_memory_add (FsReusedMemory *reused, void *memory, size_t bytes)
{
  for (int i = 0; i < FS_REUSED_BLOCKS; i++)
    if (reused->block[i].memory == NULL) {
      reused->block[i].memory = memory;
      reused->block[i].bytes = bytes;
      return;
    }
  g_return_if_reached ();
}

void *
fs_reused_memory_new (FsReusedMemory *reused, size_t n, size_t size)
{
  size_t bytes;
  for (int i = 0; reused != NULL && i < FS_REUSED_BLOCKS && g_size_checked_mul (&bytes, n, size);
       i++) {
    size_t at = reused->block[i].used;
    if (reused->block[i].memory == NULL || bytes > reused->block[i].bytes - at)
      continue;
    size_t end = at + (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    reused->block[i].used = MIN (end, reused->block[i].bytes);
    return reused->block[i].memory + at;
  }
  return fs_memory_new_whole (n, size);
}

void
fs_reused_memory_free (const FsReusedMemory *reused, void *memory)
{
  for (int i = 0; reused != NULL && i < FS_REUSED_BLOCKS; i++) {
    size_t at = (size_t)((uintptr_t)memory - (uintptr_t)reused->block[i].memory);
    if (reused->block[i].memory != NULL && at < reused->block[i].bytes)
      return;
  }
  fs_memory_free (memory);
}

size_t
fs_reused_memory_left_bytes (const FsReusedMemory *reused)
{
  size_t bytes = 0;
  for (int i = 0; i < FS_REUSED_BLOCKS; i++)
    bytes += reused->block[i].bytes - reused->block[i].used;
  return bytes;
}

void
fs_reused_memory_clear (FsReusedMemory *reused)
{
  for (int i = 0; i < FS_REUSED_BLOCKS; i++)
    fs_memory_free (reused->block[i].memory);
  *reused = (FsReusedMemory){ 0 };
}
