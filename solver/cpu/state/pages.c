/* SPDX-License-Identifier: MIT */
#include "solver/cpu/state/pages.h"
#include "solver/system/checked_memory.h"

/* Bits of a group: what will be written, and what was asked for. */
enum { WANT_WORDS = 1, WANT_REST = 2, HAS_WORDS = 4, HAS_REST = 8, HAS_ALL = HAS_WORDS | HAS_REST };

static unsigned
bits_of (const FsCpuLayout *layout, size_t group)
{
  return atomic_load_explicit (&layout->pages[group], memory_order_relaxed);
}

static void
set_bits (FsCpuLayout *layout, size_t group, unsigned bits)
{
  if ((bits_of (layout, group) & bits) != bits)
    atomic_fetch_or_explicit (&layout->pages[group], (unsigned char)bits, memory_order_relaxed);
}

void
fs_cpu_pages_want (FsCpuLayout *layout, int tx, int ty)
{
  size_t cols = (size_t)layout->tile_cols;
  set_bits (layout, ((size_t)ty * cols + (size_t)tx) / FS_CPU_GROUP_TILES, WANT_WORDS | WANT_REST);
  size_t x0 = (size_t)MAX (tx - 1, 0), x1 = (size_t)MIN (tx + 1, layout->tile_cols - 1);
  int y1 = MIN (ty + 1, layout->tile_rows - 1);
  for (int y = MAX (ty - 1, 0); y <= y1; y++) {
    set_bits (layout, ((size_t)y * cols + x0) / FS_CPU_GROUP_TILES, WANT_WORDS);
    set_bits (layout, ((size_t)y * cols + x1) / FS_CPU_GROUP_TILES, WANT_WORDS);
  }
}

static gboolean
lacks (unsigned bits, unsigned want)
{
  return (bits & want) != 0 && (bits & want << 2) == 0;
}

/* Groups [group, end): those of them, from the first on, that all lack what is wanted. */
static size_t
end_of_run (const FsCpuLayout *layout, size_t group, size_t end, unsigned want)
{
  while (group < end && lacks (bits_of (layout, group), want))
    group++;
  return group;
}

/* The nodes of groups [group, end), of which the last may be less than whole. */
static size_t
n_nodes_in (const FsCpuLayout *layout, size_t group, size_t end)
{
  size_t n_group = FS_CPU_GROUP_TILES * FS_CPU_TILE_PIXELS;
  return MIN (end * n_group, layout->n_nodes) - group * n_group;
}

static void
add_words (FsCpuLayout *layout, FsMemoryRanges *ranges, size_t group, size_t end)
{
  uint32_t *word = layout->word + group * FS_CPU_GROUP_TILES * FS_CPU_TILE_PIXELS;
  fs_memory_ranges_add (ranges, word, n_nodes_in (layout, group, end) * sizeof *word);
  for (; group < end; group++)
    set_bits (layout, group, HAS_WORDS);
}

static void
add_rest (FsCpuLayout *layout, FsMemoryRanges *ranges, size_t group, size_t end)
{
  size_t node = group * FS_CPU_GROUP_TILES * FS_CPU_TILE_PIXELS;
  size_t n = n_nodes_in (layout, group, end), n_arcs = (size_t)layout->n_directions;
  fs_memory_ranges_add (ranges, layout->residual + node * n_arcs,
                        n * n_arcs * sizeof *layout->residual);
  fs_memory_ranges_add (ranges, layout->excess + node, n * sizeof *layout->excess);
  fs_memory_ranges_add (ranges, layout->arcs + node, n * sizeof *layout->arcs);
  for (; group < end; group++)
    set_bits (layout, group, HAS_REST);
}

static void
take_groups (FsCpuLayout *layout, size_t begin, size_t end)
{
  FsMemoryRanges ranges = { .n = 0 };
  for (size_t group = begin, after; group < end; group = MAX (after, group + 1)) {
    after = end_of_run (layout, group, end, WANT_WORDS);
    if (after > group)
      add_words (layout, &ranges, group, after);
  }
  for (size_t group = begin, after; group < end; group = MAX (after, group + 1)) {
    after = end_of_run (layout, group, end, WANT_REST);
    if (after > group)
      add_rest (layout, &ranges, group, after);
  }
  fs_memory_ranges_need (&ranges);
}

void
fs_cpu_pages_take (FsCpuLayout *layout, int first, int last)
{
  size_t cols = (size_t)layout->tile_cols;
  size_t begin = (size_t)MAX (first - 1, 0) * cols;
  size_t end = (size_t)MIN (last + 1, layout->tile_rows) * cols;
  take_groups (layout, begin / FS_CPU_GROUP_TILES, (end - 1) / FS_CPU_GROUP_TILES + 1);
}

void
fs_cpu_pages_need (FsCpuLayout *layout, size_t tile)
{
  size_t group = tile / FS_CPU_GROUP_TILES;
  if ((bits_of (layout, group) & HAS_ALL) == HAS_ALL)
    return;
  set_bits (layout, group, WANT_WORDS | WANT_REST);
  take_groups (layout, group, group + 1);
}
