/* SPDX-License-Identifier: MIT */
/* GridCut (Jamriška, Sýkora & Hornung 2012), one thread, its smallest types that hold a photo's
 * capacities. */
#include "peer.h"

#include <GridGraph_2D_4C.h>
#include <GridGraph_2D_8C.h>

#include <algorithm>
#include <memory>

template <typename Grid>
static int64_t
cut (const PeerProblem *problem, uint8_t *mask)
{
  static const int dx[4] = { 1, 0, 1, -1 }, dy[4] = { 0, 1, 1, 1 };
  auto grid = std::make_unique<Grid> (problem->width, problem->height);
  for (int y = 0, p = 0; y < problem->height; y++)
    for (int x = 0; x < problem->width; x++, p++) {
      const int node = grid->node_id (x, y);
      grid->set_terminal_cap (node, std::max (problem->data[p], 0),
                              std::max (-problem->data[p], 0));
      for (int d = 0; d < problem->neighbours / 2; d++) {
        if (peer_neighbour (problem, x, y, d) < 0)
          continue;
        const uint16_t capacity = problem->nlink[d][p];
        if (capacity > INT16_MAX / 2)
          peer_fail ("the capacities are too large");
        grid->set_neighbor_cap (node, dx[d], dy[d], static_cast<short> (capacity));
        grid->set_neighbor_cap (grid->node_id (x + dx[d], y + dy[d]), -dx[d], -dy[d],
                                static_cast<short> (capacity));
      }
    }
  peer_end_phase ("build");
  grid->compute_maxflow ();
  peer_end_phase ("solve");
  for (int y = 0, p = 0; y < problem->height; y++)
    for (int x = 0; x < problem->width; x++, p++)
      mask[p] = grid->get_segment (grid->node_id (x, y)) == 0;
  peer_end_phase ("read");
  return grid->get_flow ();
}

int64_t
peer_run (const PeerProblem *problem, uint8_t *mask)
{
  return problem->neighbours == 4 ? cut<GridGraph_2D_4C<int, short, int> > (problem, mask)
                                  : cut<GridGraph_2D_8C<int, short, int> > (problem, mask);
}
