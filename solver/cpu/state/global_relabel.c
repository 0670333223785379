/* SPDX-License-Identifier: MIT */
#include "solver/cpu/state/global_relabel.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { FIRST_TILES = 64 };

gboolean
fs_cpu_flood_reserve (FsCpuFlood *flood, size_t n)
{
  if (n <= flood->capacity)
    return TRUE;
  size_t capacity = MAX (FIRST_TILES, flood->capacity);
  while (capacity < n)
    capacity *= 2;
  FsCpuFlood grown = *flood;
  grown.tile = fs_memory_new (capacity, sizeof *grown.tile);
  grown.rim = fs_memory_new (capacity, sizeof *grown.rim);
  grown.next = fs_memory_new (capacity, sizeof *grown.next);
  if (grown.tile == NULL || grown.rim == NULL || grown.next == NULL) {
    fs_cpu_flood_clear (&grown);
    return FALSE;
  }
  if (flood->n_tiles > 0)
    memcpy (grown.tile, flood->tile, flood->n_tiles * sizeof *flood->tile);
  if (flood->n_rim > 0)
    memcpy (grown.rim, flood->rim, flood->n_rim * sizeof *flood->rim);
  grown.capacity = (uint32_t)capacity;
  fs_cpu_flood_clear (flood);
  *flood = grown;
  return TRUE;
}

gboolean
fs_cpu_flood_init (FsCpuFlood *flood)
{
  *flood = (FsCpuFlood){ 0 };
  if (!fs_cpu_flood_reserve (flood, FIRST_TILES))
    return FALSE;
  flood->tile[0] = (FsFloodTile){ 0 };
  memset (flood->tile[0].label, 0xff, sizeof flood->tile[0].label);
  flood->n_tiles = 1;
  return TRUE;
}

void
fs_cpu_flood_clear (FsCpuFlood *flood)
{
  fs_memory_free (flood->tile);
  fs_memory_free (flood->rim);
  fs_memory_free (flood->next);
  flood->tile = NULL;
  flood->rim = flood->next = NULL;
  flood->capacity = 0;
}

size_t
fs_cpu_flood_bytes (const FsCpuFlood *flood)
{
  return flood->capacity * (sizeof *flood->tile + 2 * sizeof *flood->rim);
}

void
fs_cpu_flood_forget (FsCpuFlood *flood, FsCpuLayout *layout)
{
  for (uint32_t i = 1; i < flood->n_tiles; i++)
    layout->met[flood->tile[i].tile] = 0;
  flood->n_tiles = 1;
  flood->n_rim = flood->flood = 0;
}
