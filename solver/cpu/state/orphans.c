/* SPDX-License-Identifier: MIT */
#include "solver/cpu/state/orphans.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { FIRST_DISTANCES = 256 };

gboolean
fs_orphans_reserve (FsOrphans *orphans, uint32_t distance)
{
  if (distance < orphans->capacity)
    return TRUE;
  size_t capacity = MAX (FIRST_DISTANCES, orphans->capacity);
  while (capacity <= distance)
    capacity *= 2;
  uint32_t *fresh = fs_memory_new (capacity, sizeof *fresh);
  if (fresh == NULL)
    return FALSE;
  memset (fresh, 0xff, capacity * sizeof *fresh);
  if (orphans->capacity > 0)
    memcpy (fresh, orphans->head, orphans->capacity * sizeof *fresh);
  fs_memory_free (orphans->head);
  orphans->head = fresh;
  orphans->capacity = (uint32_t)capacity;
  return TRUE;
}

void
fs_orphans_clear (FsOrphans *orphans)
{
  fs_memory_free (orphans->head);
  *orphans = (FsOrphans){ 0 };
}

void
fs_orphans_drop (FsOrphans *orphans, FsChunkPool *pool)
{
  for (uint32_t distance = orphans->low; distance < orphans->end; distance++)
    while (orphans->head[distance] != FS_NO_LINK)
      fs_orphans_take (&orphans->head[distance], pool);
  orphans->low = UINT32_MAX;
  orphans->end = 0;
}

void
fs_orphans_empty (FsOrphans *orphans)
{
  if (orphans->capacity > 0)
    memset (orphans->head, 0xff, orphans->capacity * sizeof *orphans->head);
  orphans->low = UINT32_MAX;
  orphans->end = 0;
}
