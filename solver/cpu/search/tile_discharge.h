/* SPDX-License-Identifier: MIT */
/* Discharge of a tile in a push-relabel pass.   Layer: solver (CPU backend, template; see
 * neighbours.h).
 *
 * The nodes of a tile push their excess along labels until it has left the tile or they have been
 * relabelled a few times (Delong & Boykov, "A scalable graph-cut algorithm for N-D grids", CVPR
 * 2008, discharge regions to the end). The tile's words stay in the cache for a dozen discharges of
 * nodes, and a list of nodes is a set of bits.
 *
 * The labels of the tile and of the nodes around it are copied into rows that a vector loads, since
 * a node reads all eight of its neighbours' labels. Active nodes are kept in sets by label, and the
 * set of the greatest label is discharged first, so that excess that meets in the tile is pushed on
 * at once. The names of a tile's sides are those of global_relabel_steps.h.
 */
#include <string.h>

/* Labels that one discharge of a tile covers, a bit each in `levels`, and how many of them are
 * greater than the one that it begins with. */
enum { DISCHARGE_LABELS = 64, DISCHARGE_LABELS_ABOVE = 16 };

/* Rounds over all active nodes in one discharge of a tile; relabelled nodes push in the next one.
 */
enum { DISCHARGE_ROUNDS = 4 };

typedef struct {
  FsCpuSearch *search;
  FsCpuLayout *layout;
  uint32_t first; /* the tile's first node      */
  uint32_t low;   /* the least label covered    */
  uint32_t depth; /* the greatest that may push */
  uint32_t later_greatest;
  uint64_t later;                /* nodes relabelled beyond the labels covered */
  uint64_t levels;               /* bit l % 64: at[l % 64] is not empty */
  uint64_t at[DISCHARGE_LABELS]; /* [l % 64]: the nodes of label l with excess */
  uint16_t label[FS_LABELS_ROWS * FS_LABELS_STRIDE];
} TileDischarge;

static inline uint16_t *
label_of (TileDischarge *discharge, uint32_t i)
{
  return &discharge->label[FS_LABELS_STRIDE + 1 + i + (i & 56)];
}

static inline void
read_labels (const FsCpuGlobalRelabel *relabelling, const FsRelabelTile *tile, uint16_t *label)
{
  const uint16_t *neighbour[8];
  for (int side = 0; side < 8; side++)
    neighbour[side] = relabelling->tile[tile->neighbour[side]].label;
  uint16_t *row = label;
  row[0] = neighbour[NW][63];
  memcpy (row + 1, neighbour[N] + 56, FS_CPU_TILE * sizeof *row);
  row[9] = neighbour[NE][56];
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i += FS_CPU_TILE) {
    row += FS_LABELS_STRIDE;
    row[0] = neighbour[W][i + 7];
    memcpy (row + 1, tile->label + i, FS_CPU_TILE * sizeof *row);
    row[9] = neighbour[E][i];
  }
  row += FS_LABELS_STRIDE;
  row[0] = neighbour[SW][7];
  memcpy (row + 1, neighbour[S], FS_CPU_TILE * sizeof *row);
  row[9] = neighbour[SE][0];
}

static inline void
write_labels (const uint16_t *label, FsRelabelTile *tile)
{
  for (int y = 0; y < FS_CPU_TILE; y++)
    memcpy (tile->label + y * FS_CPU_TILE, label + (y + 1) * FS_LABELS_STRIDE + 1,
            FS_CPU_TILE * sizeof *label);
}

/* Queues a node of another tile in this pass. */
static inline void
wake (FsCpuSearch *search, uint32_t node, uint32_t label)
{
  uint32_t place = search->layout->met[node / FS_CPU_TILE_PIXELS];
  FsRelabelTile *tile = &search->relabelling.tile[place];
  tile->waits |= UINT64_C (1) << node % FS_CPU_TILE_PIXELS;
  if (tile->waits_max >= label)
    return;
  tile->waits_max = (uint16_t)label;
  fs_orphans_push_link (&search->pass[0], &search->pool, label, place);
}

static inline void
add_to_level (TileDischarge *discharge, uint32_t label, uint64_t nodes)
{
  discharge->at[label % DISCHARGE_LABELS] |= nodes;
  discharge->levels |= UINT64_C (1) << label % DISCHARGE_LABELS;
}

/* The greatest label below `end` whose nodes have excess; 0 where there is none. */
static inline uint32_t
top_label (const TileDischarge *discharge, uint32_t end)
{
  uint32_t shift = end % DISCHARGE_LABELS, n = end - discharge->low;
  uint64_t levels = discharge->levels >> shift;
  if (shift != 0)
    levels |= discharge->levels << (DISCHARGE_LABELS - shift);
  if (n < DISCHARGE_LABELS)
    levels &= ~(UINT64_MAX >> n);
  return levels == 0 ? 0 : end - 1 - (uint32_t)__builtin_clzll (levels);
}

/* Pushes flow along an arc, to a node of that label. Returns the node's bit if it is in the tile
 * and has excess now. */
static inline uint64_t
send_along (TileDischarge *discharge, uint32_t node, uint32_t d, int32_t flow, uint32_t label)
{
  FsCpuLayout *layout = discharge->layout;
  uint32_t there = step (layout, node, d), back = opposite (d);
  uint16_t *forth = residual_of (layout, node, d);
  *forth -= (uint16_t)flow;
  *residual_of (layout, there, back) += (uint16_t)flow;
  uint32_t is_full = *forth == 0;
  layout->arcs[node] = (uint16_t)((layout->arcs[node] | 0x100u << d) & ~(is_full << d));
  layout->arcs[there] = (uint16_t)((layout->arcs[there] | 1u << back) & ~(is_full << (back + 8)));
  int32_t before = layout->excess[there];
  layout->excess[there] = before + flow;
  if (G_UNLIKELY (before < 0)) {
    discharge->search->flow += MIN (flow, -before);
    if (before + flow <= 0)
      return 0;
  }
  if (there - discharge->first < FS_CPU_TILE_PIXELS)
    return UINT64_C (1) << there % FS_CPU_TILE_PIXELS;
  wake (discharge->search, there, label);
  return 0;
}

/* Relabels a node that has excess left: to one more than the least label around it. */
static inline void
move_away (TileDischarge *discharge, uint32_t i, uint32_t nearest)
{
  uint32_t label = MIN (nearest, discharge->depth) + 1;
  *label_of (discharge, i) = (uint16_t)label;
  if (label > discharge->depth)
    return;
  if (label - discharge->low < DISCHARGE_LABELS) {
    add_to_level (discharge, label, UINT64_C (1) << i);
    return;
  }
  discharge->later |= UINT64_C (1) << i;
  discharge->later_greatest = MAX (discharge->later_greatest, label);
}

/* Pushes a node's excess one step nearer and relabels it if some is left. A node that was
 * relabelled before it had pushed is in two sets, and has nothing left the second time. Returns the
 * nodes of the tile that got excess from it. */
static inline uint64_t
discharge_node (TileDischarge *discharge, uint32_t i, uint32_t label)
{
  FsCpuLayout *layout = discharge->layout;
  uint32_t node = discharge->first + i;
  NeighbourLabels neighbours = neighbour_labels_load (label_of (discharge, i));
  uint32_t lanes = neighbour_labels_match (&neighbours, label - 1) & layout->arcs[node];
  int32_t excess = layout->excess[node];
  uint64_t got = 0;
  if (G_UNLIKELY (excess == 0))
    return got;
  for (; lanes != 0; lanes &= lanes - 1) {
    uint32_t d = (uint32_t)__builtin_ctz (lanes);
    int32_t flow = MIN (excess, *residual_of (layout, node, d));
    got |= send_along (discharge, node, d, flow, label - 1);
    excess -= flow;
    if (excess == 0) {
      layout->excess[node] = 0;
      return got;
    }
  }
  layout->excess[node] = excess;
  move_away (discharge, i, neighbour_labels_nearest (&neighbours, layout->arcs[node] & 0xffu));
  return got;
}

/* Discharges all active nodes, the greatest label first; relabelled ones wait. Returns the nodes
 * that have excess and a label below those covered. */
static inline uint64_t
send_all (TileDischarge *discharge, uint32_t *n_sent)
{
  uint32_t label = discharge->low + DISCHARGE_LABELS;
  uint64_t got = 0;
  while ((label = got != 0 ? label - 1 : top_label (discharge, label)) != 0) {
    if (G_UNLIKELY (label < discharge->low))
      return got;
    uint64_t nodes = got | discharge->at[label % DISCHARGE_LABELS];
    discharge->at[label % DISCHARGE_LABELS] = 0;
    discharge->levels &= ~(UINT64_C (1) << label % DISCHARGE_LABELS);
    *n_sent += (uint32_t)__builtin_popcountll (nodes);
    for (got = 0; nodes != 0; nodes &= nodes - 1)
      got |= discharge_node (discharge, (uint32_t)__builtin_ctzll (nodes), label);
  }
  return 0;
}

/* Sorts the waiting nodes by label. Returns those with labels that are not covered. */
static inline uint64_t
begin_discharge (TileDischarge *discharge, uint64_t waits)
{
  uint64_t below = 0;
  for (; waits != 0; waits &= waits - 1) {
    uint32_t label = *label_of (discharge, (uint32_t)__builtin_ctzll (waits));
    if (G_LIKELY (label - discharge->low < DISCHARGE_LABELS))
      add_to_level (discharge, label, waits & -waits);
    else
      below |= waits & -waits;
  }
  return below;
}

/* Queues nodes that this discharge did not cover for another one in this pass. */
static inline void
wait_again (FsCpuSearch *search, uint32_t place, uint64_t nodes)
{
  FsRelabelTile *tile = &search->relabelling.tile[place];
  tile->waits = nodes;
  tile->waits_max = 0;
  for (; nodes != 0; nodes &= nodes - 1)
    tile->waits_max = MAX (tile->waits_max, tile->label[__builtin_ctzll (nodes)]);
  if (tile->waits_max != 0)
    fs_orphans_push_link (&search->pass[0], &search->pool, tile->waits_max, place);
}

/* Queues relabelled nodes for the next pass. */
static inline void
wait_for_next (TileDischarge *discharge, uint32_t place)
{
  FsRelabelTile *tile = &discharge->search->relabelling.tile[place];
  if (discharge->levels != 0)
    discharge->later_greatest =
        MAX (discharge->later_greatest, top_label (discharge, discharge->low + DISCHARGE_LABELS));
  for (; discharge->levels != 0; discharge->levels &= discharge->levels - 1)
    discharge->later |= discharge->at[__builtin_ctzll (discharge->levels)];
  tile->moved |= discharge->later;
  if (discharge->later_greatest <= tile->moved_max)
    return;
  tile->moved_max = (uint16_t)discharge->later_greatest;
  fs_orphans_push_link (&discharge->search->pass[1], &discharge->search->pool, tile->moved_max,
                        place);
}

/* Discharges the waiting nodes of a tile; `label` is the greatest of their labels. Returns how many
 * nodes were discharged. */
static inline uint32_t
discharge_tile (FsCpuSearch *search, uint32_t place, uint32_t label, uint32_t depth)
{
  FsRelabelTile *tile = &search->relabelling.tile[place];
  uint32_t end = MAX (label + DISCHARGE_LABELS_ABOVE + 1, DISCHARGE_LABELS + 1), n_sent = 0;
  TileDischarge discharge;
  discharge.search = search;
  discharge.layout = search->layout;
  discharge.first = tile->tile * FS_CPU_TILE_PIXELS;
  discharge.low = end - DISCHARGE_LABELS;
  discharge.depth = depth;
  discharge.later_greatest = 0;
  discharge.later = discharge.levels = 0;
  memset (discharge.at, 0, sizeof discharge.at);
  read_labels (&search->relabelling, tile, discharge.label);
  uint64_t below = begin_discharge (&discharge, tile->waits);
  for (int round = 0; round < DISCHARGE_ROUNDS && discharge.levels != 0; round++)
    below |= send_all (&discharge, &n_sent);
  write_labels (discharge.label, tile);
  wait_again (search, place, below);
  wait_for_next (&discharge, place);
  return n_sent;
}
