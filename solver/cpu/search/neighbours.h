/* SPDX-License-Identifier: MIT */
/* The words and labels of all neighbours of a node at once.   Layer: solver (CPU backend,
 * template).
 *
 * Included once per instance of the search, after FS_ND (4 or 8 directions) is defined, and FS_BAND
 * where nodes are those of a band (band_cut.h) instead of tiles. Lane d of a view is the neighbour
 * in direction d; in a band, where there is none, it is some other node, without an arc. Sets of
 * lanes are bit masks.
 *
 * Plain loops: the reference for the vector instructions in neighbours_avx2.h.
 */
#include "solver/cpu/search/search.h"

typedef struct {
  uint32_t word[FS_ND];
} View;

static inline uint32_t
opposite (uint32_t d)
{
  return d ^ (FS_ND / 2);
}

static inline uint32_t
step (const FsCpuLayout *layout, uint32_t node, uint32_t d)
{
#ifdef FS_BAND
  return fs_cpu_rows_step (layout, node, d);
#else
  return node + layout->offset[node % FS_CPU_TILE_PIXELS][d];
#endif
}

/* `word` is the layout's, for callers that have it in a register. */
static inline View
view_load_from (const FsCpuLayout *layout, const uint32_t *word, uint32_t node)
{
  View view;
  /* Signed: beyond the first node lies a guard that may be read. */
  for (uint32_t d = 0; d < FS_ND; d++)
    view.word[d] = word[(int32_t)step (layout, node, d)];
  return view;
}

static inline View
view_load (const FsCpuLayout *layout, uint32_t node)
{
  return view_load_from (layout, layout->word, node);
}

/* Lanes whose word, seen through `mask`, is `value`. */
static inline uint32_t
view_match (const View *view, uint32_t mask, uint32_t value)
{
  uint32_t lanes = 0;
  for (int d = 0; d < FS_ND; d++)
    lanes |= (uint32_t)((view->word[d] & mask) == value) << d;
  return lanes;
}

/* Lanes that hold a child of the node, which is in `tree`. */
static inline uint32_t
view_children (const View *view, uint32_t tree)
{
  uint32_t lanes = 0;
  for (uint32_t d = 0; d < FS_ND; d++)
    lanes |= (uint32_t)((view->word[d] & (FS_WORD_TREE | FS_WORD_ROOT | FS_WORD_PARENT))
                        == (tree | opposite (d)))
             << d;
  return lanes;
}

/* Appends the neighbours in some lanes to a list. Always writes eight numbers. Returns the list's
 * end. */
static inline uint32_t *
list_neighbours (const FsCpuLayout *layout, uint32_t node, uint32_t lanes, uint32_t *list)
{
  for (; lanes != 0; lanes &= lanes - 1)
    *list++ = step (layout, node, (uint32_t)__builtin_ctz (lanes));
  return list;
}

/* The least distance in `tree` among `lanes`, where a word has its distance, and its lane in place
 * of the parent; FS_WORD_SOURCE or more when there is none. */
static inline uint32_t
view_min (const View *view, uint32_t tree, uint32_t lanes)
{
  uint32_t min = UINT32_MAX;
  for (uint32_t d = 0; d < FS_ND; d++) {
    uint32_t key = ((view->word[d] ^ tree) & ~FS_WORD_PARENT) | (d ^ FS_SEARCH_LANES);
    if (lanes >> d & 1)
      min = MIN (min, key);
  }
  return min ^ FS_SEARCH_LANES;
}

/* The lane of least distance in `tree` among `lanes`, and that distance; FALSE when there is none.
 */
static inline gboolean
view_nearest (const View *view, uint32_t tree, uint32_t lanes, uint32_t *lane, uint32_t *distance)
{
  uint32_t min = view_min (view, tree, lanes);
  *lane = min & FS_WORD_PARENT;
  *distance = fs_word_distance (min);
  return min < FS_WORD_SOURCE;
}

/* The labels of a node's neighbours (global_relabel.h), by direction. */
typedef struct {
  uint16_t label[FS_ND];
} NeighbourLabels;

static inline NeighbourLabels
neighbour_labels_load (const uint16_t *label)
{
  static const int8_t place_4[] = { 1, FS_LABELS_STRIDE, -1, -FS_LABELS_STRIDE };
  static const int8_t place_8[] = {
    1,  FS_LABELS_STRIDE,  FS_LABELS_STRIDE + 1,  FS_LABELS_STRIDE - 1,
    -1, -FS_LABELS_STRIDE, -FS_LABELS_STRIDE - 1, -FS_LABELS_STRIDE + 1
  };
  const int8_t *place = FS_ND == 4 ? place_4 : place_8;
  NeighbourLabels neighbours;
  for (int d = 0; d < FS_ND; d++)
    neighbours.label[d] = label[place[d]];
  return neighbours;
}

/* Lanes with a given label. */
static inline uint32_t
neighbour_labels_match (const NeighbourLabels *neighbours, uint32_t label)
{
  uint32_t lanes = 0;
  for (int d = 0; d < FS_ND; d++)
    lanes |= (uint32_t)(neighbours->label[d] == label) << d;
  return lanes;
}

/* The least label among `lanes`; FS_NO_LABEL when there is none. */
static inline uint32_t
neighbour_labels_nearest (const NeighbourLabels *neighbours, uint32_t lanes)
{
  uint32_t nearest = FS_NO_LABEL;
  for (int d = 0; d < FS_ND; d++)
    if (lanes >> d & 1)
      nearest = MIN (nearest, neighbours->label[d]);
  return nearest;
}

/* Gives some nodes of a tile a label. */
static inline void
labels_set (uint16_t *label, uint64_t nodes, uint16_t value)
{
  for (; nodes != 0; nodes &= nodes - 1)
    label[__builtin_ctzll (nodes)] = value;
}
