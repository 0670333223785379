/* SPDX-License-Identifier: MIT */
#include "solver/cpu/search/search.h"

#include "solver/cpu/search/prepare.h"
#include "solver/cpu/search/tree_init.h"

/* The lists depend on what was pushed. */
static gboolean
init_in_bands (FsCpuSearch *search)
{
  int first = search->first_row, last = search->last_row, n = fs_cpu_prepare_rows (search->layout);
  if (!fs_cpu_prepare_run (search, 1))
    return FALSE;
  for (int row = last; row > first; row -= n) {
    fs_cpu_tree_init_lists (search, MAX (row - n, first), row);
    if (fs_cpu_search_poll (search))
      return FALSE;
  }
  return TRUE;
}

gboolean
fs_cpu_search_init_trees (FsCpuSearch *search)
{
  fs_cpu_search_reset (search);
  search->has_trees = init_in_bands (search);
  if (!search->has_trees)
    fs_cpu_search_reset (search);
  return search->has_trees;
}

static void
make_orphan (FsCpuSearch *search, FsCpuTree tree, uint32_t node, uint32_t kind)
{
  uint32_t *word = &search->layout->word[node];
  *word = (*word & ~FS_WORD_KIND) | kind;
  fs_orphans_push_link (&search->orphans[tree], &search->pool, fs_word_distance (*word), node);
}

/* A node that leaves the sink's trees breaks the invariant for the sink nodes it has arcs to. */
static void
enqueue_sink_neighbours (FsCpuSearch *search, uint32_t node)
{
  FsCpuLayout *layout = search->layout;
  for (int d = 0; d < layout->n_directions; d++) {
    int32_t there = (int32_t)node + layout->offset[node % FS_CPU_TILE_PIXELS][d];
    if (!(layout->arcs[node] >> d & 1))
      continue;
    if ((layout->word[there] & FS_WORD_TREE) == FS_WORD_LAZY)
      fs_cpu_tree_init_lazy (layout, (uint32_t)there);
    if ((layout->word[there] & FS_WORD_TREE) == FS_WORD_SINK)
      fs_cpu_search_enqueue (search, FS_SINK, (uint32_t)there);
  }
}

static void
orphan_children (FsCpuSearch *search, FsCpuTree tree, uint32_t node)
{
  FsCpuLayout *layout = search->layout;
  uint32_t bits = layout->word[node] & FS_WORD_TREE;
  for (int d = 0; d < layout->n_directions; d++) {
    /* Signed: beyond the first node lies a guard that may be read. */
    int32_t child = (int32_t)node + layout->offset[node % FS_CPU_TILE_PIXELS][d];
    uint32_t word = layout->word[child];
    uint32_t back = d ^ (layout->n_directions / 2);
    if ((word & (FS_WORD_TREE | FS_WORD_ROOT | FS_WORD_PARENT)) == (bits | back))
      make_orphan (search, tree, (uint32_t)child, FS_WORD_ORPHAN);
  }
}

/* The root of a new tree, on whichever side its excess says. */
static void
init_root (FsCpuSearch *search, uint32_t node)
{
  FsCpuLayout *layout = search->layout;
  FsCpuTree tree = layout->excess[node] > 0 ? FS_SOURCE : FS_SINK;
  uint32_t bits = tree == FS_SOURCE ? FS_WORD_SOURCE : FS_WORD_SINK;
  layout->word[node] = fs_word_new (bits, 1, FS_WORD_ROOT);
  if (tree == FS_SINK || search->source_grows)
    fs_cpu_search_enqueue (search, tree, node);
}

gboolean
fs_cpu_search_make_root (FsCpuSearch *search, FsCpuTree tree, uint32_t node)
{
  FsCpuLayout *layout = search->layout;
  int32_t excess = layout->excess[node];
  uint32_t *word = &layout->word[node];
  if (excess == 0) {
    *word |= FS_WORD_ORPHAN;
    return FALSE;
  }
  if ((excess > 0) == (tree == FS_SOURCE)) {
    *word = (*word & ~FS_WORD_KIND) | FS_WORD_ROOT;
    return TRUE;
  }
  orphan_children (search, tree, node);
  init_root (search, node);
  if (tree == FS_SINK)
    enqueue_sink_neighbours (search, node);
  return TRUE;
}

void
fs_cpu_search_stop_source (FsCpuSearch *search)
{
  search->source_grows = FALSE;
  fs_lists_empty (&search->waiting[FS_SOURCE], &search->pool);
}

/* Lists the source nodes of a tile, and those around it that its free nodes could join. */
static void
enqueue_source (FsCpuSearch *search, size_t tile)
{
  const FsCpuLayout *layout = search->layout;
  for (uint32_t i = 0; i < FS_CPU_TILE_PIXELS; i++) {
    uint32_t node = (uint32_t)tile * FS_CPU_TILE_PIXELS + i;
    uint32_t tree = layout->word[node] & FS_WORD_TREE;
    if (tree == FS_WORD_SOURCE)
      fs_cpu_search_enqueue (search, FS_SOURCE, node);
    if (tree != FS_WORD_FREE)
      continue;
    for (uint32_t arcs = layout->arcs[node] >> 8; arcs != 0; arcs &= arcs - 1) {
      uint32_t there = node + (uint32_t)layout->offset[i][__builtin_ctz (arcs)];
      if ((layout->word[there] & FS_WORD_TREE) == FS_WORD_SOURCE)
        fs_cpu_search_enqueue (search, FS_SOURCE, there);
    }
  }
}

void
fs_cpu_search_start_source (FsCpuSearch *search)
{
  const FsCpuLayout *layout = search->layout;
  search->source_grows = TRUE;
  /* Once more only when as many have been set free again, so that looking around stays cheap. */
  search->regrow_at = 2 * search->n_freed;
  for (int tree = 0; tree < FS_N_TREES; tree++)
    search->n_adopted_apart[tree] = search->n_adopted[tree];
  for (size_t tile = 0; tile < layout->n_nodes / FS_CPU_TILE_PIXELS; tile++)
    if (layout->touched[tile] && fs_cpu_layout_is_built (layout, tile))
      enqueue_source (search, tile);
}

void
fs_cpu_search_change_excess (FsCpuSearch *search, uint32_t node, int32_t excess)
{
  FsCpuLayout *layout = search->layout;
  layout->excess[node] = excess;
  layout->touched[node / FS_CPU_TILE_PIXELS] = 1;
  if (!search->has_trees)
    return;
  if (search->source_grows)
    fs_cpu_search_stop_source (search);
  uint32_t *word = &layout->word[node];
  uint32_t kind = *word & FS_WORD_KIND;
  FsCpuTree tree = (*word & FS_WORD_TREE) == FS_WORD_SOURCE ? FS_SOURCE : FS_SINK;
  if ((*word & FS_WORD_TREE) == FS_WORD_FREE) {
    if (excess != 0)
      init_root (search, node);
  } else if (fs_word_is_orphan (*word))
    *word = (*word & ~FS_WORD_KIND) | FS_WORD_UNSETTLED;
  else if (excess != 0 || (kind & FS_WORD_ROOT))
    make_orphan (search, tree, node, FS_WORD_UNSETTLED);
}

/* The arc `from` → `to` in direction d is no more: whoever hung on it in a tree is an orphan. */
static void
cut_tree_arc (FsCpuSearch *search, uint32_t from, uint32_t to, uint32_t d)
{
  const uint32_t link = FS_WORD_TREE | FS_WORD_ROOT | FS_WORD_PARENT;
  const uint32_t *word = search->layout->word;
  uint32_t back = d ^ (uint32_t)(search->layout->n_directions / 2);
  if ((word[to] & link) == (FS_WORD_SOURCE | back))
    make_orphan (search, FS_SOURCE, to, FS_WORD_ORPHAN);
  if ((word[from] & link) == (FS_WORD_SINK | d))
    make_orphan (search, FS_SINK, from, FS_WORD_ORPHAN);
}

static void
set_residual (FsCpuSearch *search, uint32_t from, uint32_t to, uint32_t d, uint16_t left)
{
  FsCpuLayout *layout = search->layout;
  uint32_t back = d ^ (uint32_t)(layout->n_directions / 2);
  uint16_t *residual = &layout->residual[(size_t)from * layout->n_directions + d];
  gboolean changed = (*residual > 0) != (left > 0);
  *residual = left;
  if (!changed)
    return;
  layout->arcs[from] ^= (uint16_t)(1u << d);
  layout->arcs[to] ^= (uint16_t)(1u << (back + 8));
  if (!search->has_trees)
    return;
  if (left == 0)
    cut_tree_arc (search, from, to, d);
  else if ((layout->word[to] & FS_WORD_TREE) == FS_WORD_SINK
           && (layout->word[from] & FS_WORD_TREE) != FS_WORD_SINK)
    fs_cpu_search_enqueue (search, FS_SINK, to);
}

void
fs_cpu_search_change_arcs (FsCpuSearch *search, uint32_t node, int d, uint16_t forth, uint16_t back)
{
  FsCpuLayout *layout = search->layout;
  uint32_t there = node + (uint32_t)layout->offset[node % FS_CPU_TILE_PIXELS][d];
  layout->touched[node / FS_CPU_TILE_PIXELS] = 1;
  layout->touched[there / FS_CPU_TILE_PIXELS] = 1;
  set_residual (search, node, there, (uint32_t)d, forth);
  set_residual (search, there, node, (uint32_t)(d ^ (layout->n_directions / 2)), back);
}

gboolean
fs_cpu_search_uses_avx2 (void)
{
#ifdef FS_WITH_AVX2
  return g_strcmp0 (g_getenv ("FRETSAW_CPU"), "scalar") != 0 && __builtin_cpu_supports ("avx2")
         && __builtin_cpu_supports ("bmi");
#else
  return FALSE;
#endif
}
