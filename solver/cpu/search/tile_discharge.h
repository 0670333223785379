/* SPDX-License-Identifier: MIT */
/* Discharge of a tile in a push-relabel pass.   Layer: solver (CPU backend, template; see
 * neighbours.h).
 *
 * A tile's nodes send what they have by labels, as in push-relabel, until it has left the tile or
 * they have moved away a few times (Delong & Boykov, "A scalable graph-cut algorithm for N-D
 * grids", CVPR 2008, discharge regions so, to the end). So what a node needs stays at hand for a
 * dozen discharges, and a list of nodes is a set of bits.
 *
 * Labels lie once more around the tile's own, in rows that a vector reads, since a discharge asks
 * for all eight around a node. Sets by labels say whose turn it is: what comes together in the tile
 * is sent on together. The sides of a tile are global_relabel_steps.h's.
 */
#include <string.h>

/* Labels that a turn comes to: so many as a set has bits, of which so many are greater than that of
 * the turn. */
enum { TURN_LABELS = 64, TURN_LABELS_ABOVE = 16 };

/* How often all nodes send in a turn, those that moved away once more each time. */
enum { TURN_ROUNDS = 4 };

typedef struct {
  FsCpuSearch *search;
  FsCpuLayout *layout;
  uint32_t first; /* of the tile's nodes        */
  uint32_t low;   /* the least label, and …     */
  uint32_t depth; /* the greatest that may send */
  uint32_t later_greatest;
  uint64_t later;  /* moved away, and farther than the turn comes: up to `later_greatest` */
  uint64_t levels; /* bit l % 64: some node of label l has excess, namely … */
  uint64_t at[TURN_LABELS]; /* … these */
  uint16_t label[FS_LABELS_ROWS * FS_LABELS_STRIDE];
} Turn;

static inline uint16_t *
label_of (Turn *turn, uint32_t i)
{
  return &turn->label[FS_LABELS_STRIDE + 1 + i + (i & 56)];
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

/* A node of another tile waits for its discharge in this pass. */
static inline void
wake (FsCpuSearch *search, uint32_t node, uint32_t label)
{
  uint32_t place = search->layout->met[node / FS_CPU_TILE_PIXELS];
  FsRelabelTile *tile = &search->relabelling.tile[place];
  tile->waits |= UINT64_C (1) << node % FS_CPU_TILE_PIXELS;
  if (tile->turn >= label)
    return;
  tile->turn = (uint16_t)label;
  fs_orphans_chain (&search->pass[0], &search->pool, label, place);
}

static inline void
add_to_level (Turn *turn, uint32_t label, uint64_t nodes)
{
  turn->at[label % TURN_LABELS] |= nodes;
  turn->levels |= UINT64_C (1) << label % TURN_LABELS;
}

/* The greatest label below `end` whose nodes have excess; 0 where there is none. */
static inline uint32_t
top_label (const Turn *turn, uint32_t end)
{
  uint32_t shift = end % TURN_LABELS, n = end - turn->low;
  uint64_t levels = turn->levels >> shift;
  if (shift != 0)
    levels |= turn->levels << (TURN_LABELS - shift);
  if (n < TURN_LABELS)
    levels &= ~(UINT64_MAX >> n);
  return levels == 0 ? 0 : end - 1 - (uint32_t)__builtin_clzll (levels);
}

/* Sends along an arc to a node of that label. Returns its bit where it is in the tile and has
 * excess. */
static inline uint64_t
send_along (Turn *turn, uint32_t node, uint32_t d, int32_t flow, uint32_t label)
{
  FsCpuLayout *layout = turn->layout;
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
    turn->search->flow += MIN (flow, -before);
    if (before + flow <= 0)
      return 0;
  }
  if (there - turn->first < FS_CPU_TILE_PIXELS)
    return UINT64_C (1) << there % FS_CPU_TILE_PIXELS;
  wake (turn->search, there, label);
  return 0;
}

/* A node that cannot send on all it has: to one more than the least label around it. */
static inline void
move_away (Turn *turn, uint32_t i, uint32_t nearest)
{
  uint32_t label = MIN (nearest, turn->depth) + 1;
  *label_of (turn, i) = (uint16_t)label;
  if (label > turn->depth)
    return;
  if (label - turn->low < TURN_LABELS) {
    add_to_level (turn, label, UINT64_C (1) << i);
    return;
  }
  turn->later |= UINT64_C (1) << i;
  turn->later_greatest = MAX (turn->later_greatest, label);
}

/* A node sends what it can one step nearer; one that moved away before it sent is met twice, and
 * has nothing the second time. Returns who in the tile has excess from it. */
static inline uint64_t
discharge (Turn *turn, uint32_t i, uint32_t label)
{
  FsCpuLayout *layout = turn->layout;
  uint32_t node = turn->first + i;
  NeighbourLabels neighbours = neighbour_labels_load (label_of (turn, i));
  uint32_t lanes = neighbour_labels_match (&neighbours, label - 1) & layout->arcs[node];
  int32_t excess = layout->excess[node];
  uint64_t got = 0;
  if (G_UNLIKELY (excess == 0))
    return got;
  for (; lanes != 0; lanes &= lanes - 1) {
    uint32_t d = (uint32_t)__builtin_ctz (lanes);
    int32_t flow = MIN (excess, *residual_of (layout, node, d));
    got |= send_along (turn, node, d, flow, label - 1);
    excess -= flow;
    if (excess == 0) {
      layout->excess[node] = 0;
      return got;
    }
  }
  layout->excess[node] = excess;
  move_away (turn, i, neighbour_labels_nearest (&neighbours, layout->arcs[node] & 0xffu));
  return got;
}

/* All send, those of the greatest label first; those that move away wait. Returns who has excess
 * and a label that the turn does not come to. */
static inline uint64_t
send_all (Turn *turn, uint32_t *n_sent)
{
  uint32_t label = turn->low + TURN_LABELS;
  uint64_t got = 0;
  while ((label = got != 0 ? label - 1 : top_label (turn, label)) != 0) {
    if (G_UNLIKELY (label < turn->low))
      return got;
    uint64_t nodes = got | turn->at[label % TURN_LABELS];
    turn->at[label % TURN_LABELS] = 0;
    turn->levels &= ~(UINT64_C (1) << label % TURN_LABELS);
    *n_sent += (uint32_t)__builtin_popcountll (nodes);
    for (got = 0; nodes != 0; nodes &= nodes - 1)
      got |= discharge (turn, (uint32_t)__builtin_ctzll (nodes), label);
  }
  return 0;
}

/* Nodes that wait, by their labels. Returns those that the turn does not come to. */
static inline uint64_t
begin_turn (Turn *turn, uint64_t waits)
{
  uint64_t below = 0;
  for (; waits != 0; waits &= waits - 1) {
    uint32_t label = *label_of (turn, (uint32_t)__builtin_ctzll (waits));
    if (G_LIKELY (label - turn->low < TURN_LABELS))
      add_to_level (turn, label, waits & -waits);
    else
      below |= waits & -waits;
  }
  return below;
}

/* Nodes that this discharge did not reach wait for another one in this pass. */
static inline void
wait_again (FsCpuSearch *search, uint32_t place, uint64_t nodes)
{
  FsRelabelTile *tile = &search->relabelling.tile[place];
  tile->waits = nodes;
  tile->turn = 0;
  for (; nodes != 0; nodes &= nodes - 1)
    tile->turn = MAX (tile->turn, tile->label[__builtin_ctzll (nodes)]);
  if (tile->turn != 0)
    fs_orphans_chain (&search->pass[0], &search->pool, tile->turn, place);
}

/* Those that moved away wait for the next pass. */
static inline void
wait_for_next (Turn *turn, uint32_t place)
{
  FsRelabelTile *tile = &turn->search->relabelling.tile[place];
  if (turn->levels != 0)
    turn->later_greatest = MAX (turn->later_greatest, top_label (turn, turn->low + TURN_LABELS));
  for (; turn->levels != 0; turn->levels &= turn->levels - 1)
    turn->later |= turn->at[__builtin_ctzll (turn->levels)];
  tile->moved |= turn->later;
  if (turn->later_greatest <= tile->next_turn)
    return;
  tile->next_turn = (uint16_t)turn->later_greatest;
  fs_orphans_chain (&turn->search->pass[1], &turn->search->pool, tile->next_turn, place);
}

/* The nodes of a tile that wait send, the greatest of their labels being `label`. Returns how many
 * have sent. */
static inline uint32_t
take_turn (FsCpuSearch *search, uint32_t place, uint32_t label, uint32_t depth)
{
  FsRelabelTile *tile = &search->relabelling.tile[place];
  uint32_t end = MAX (label + TURN_LABELS_ABOVE + 1, TURN_LABELS + 1), n_sent = 0;
  Turn turn;
  turn.search = search;
  turn.layout = search->layout;
  turn.first = tile->tile * FS_CPU_TILE_PIXELS;
  turn.low = end - TURN_LABELS;
  turn.depth = depth;
  turn.later_greatest = 0;
  turn.later = turn.levels = 0;
  memset (turn.at, 0, sizeof turn.at);
  read_labels (&search->relabelling, tile, turn.label);
  uint64_t below = begin_turn (&turn, tile->waits);
  for (int round = 0; round < TURN_ROUNDS && turn.levels != 0; round++)
    below |= send_all (&turn, &n_sent);
  write_labels (turn.label, tile);
  wait_again (search, place, below);
  wait_for_next (&turn, place);
  return n_sent;
}
