/* SPDX-License-Identifier: MIT */
#include "solver/cpu/state/global_relabel.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { FIRST_TILES = 64 };

gboolean
fs_cpu_global_relabel_reserve (FsCpuGlobalRelabel *relabelling, size_t n)
{
  if (n <= relabelling->capacity)
    return TRUE;
  size_t capacity = MAX (FIRST_TILES, relabelling->capacity);
  while (capacity < n)
    capacity *= 2;
  FsCpuGlobalRelabel grown = *relabelling;
  grown.tile = fs_memory_new (capacity, sizeof *grown.tile);
  grown.frontier = fs_memory_new (capacity, sizeof *grown.frontier);
  grown.next = fs_memory_new (capacity, sizeof *grown.next);
  if (grown.tile == NULL || grown.frontier == NULL || grown.next == NULL) {
    fs_cpu_global_relabel_clear (&grown);
    return FALSE;
  }
  if (relabelling->n_tiles > 0)
    memcpy (grown.tile, relabelling->tile, relabelling->n_tiles * sizeof *relabelling->tile);
  if (relabelling->n_frontier > 0)
    memcpy (grown.frontier, relabelling->frontier,
            relabelling->n_frontier * sizeof *relabelling->frontier);
  grown.capacity = (uint32_t)capacity;
  fs_cpu_global_relabel_clear (relabelling);
  *relabelling = grown;
  return TRUE;
}

gboolean
fs_cpu_global_relabel_init (FsCpuGlobalRelabel *relabelling)
{
  *relabelling = (FsCpuGlobalRelabel){ 0 };
  if (!fs_cpu_global_relabel_reserve (relabelling, FIRST_TILES))
    return FALSE;
  relabelling->tile[0] = (FsRelabelTile){ 0 };
  memset (relabelling->tile[0].label, 0xff, sizeof relabelling->tile[0].label);
  relabelling->n_tiles = 1;
  return TRUE;
}

void
fs_cpu_global_relabel_clear (FsCpuGlobalRelabel *relabelling)
{
  fs_memory_free (relabelling->tile);
  fs_memory_free (relabelling->frontier);
  fs_memory_free (relabelling->next);
  relabelling->tile = NULL;
  relabelling->frontier = relabelling->next = NULL;
  relabelling->capacity = 0;
}

size_t
fs_cpu_global_relabel_bytes (const FsCpuGlobalRelabel *relabelling)
{
  return relabelling->capacity * (sizeof *relabelling->tile + 2 * sizeof *relabelling->frontier);
}

void
fs_cpu_global_relabel_forget (FsCpuGlobalRelabel *relabelling, FsCpuLayout *layout)
{
  for (uint32_t i = 1; i < relabelling->n_tiles; i++)
    layout->met[relabelling->tile[i].tile] = 0;
  relabelling->n_tiles = 1;
  relabelling->n_frontier = relabelling->relabelling = 0;
}
