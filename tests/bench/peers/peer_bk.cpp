/* SPDX-License-Identifier: MIT */
/* Boykov & Kolmogorov's maxflow 3, as Debian's libmaxflow-dev has it. */
#include "peer.h"

#include <maxflow.h>

#include <algorithm>

int64_t
peer_run (const PeerProblem *problem, uint8_t *mask)
{
  using Graph = maxflow::Graph<int, int, int>;
  const int n = static_cast<int> (peer_pixels (problem));
  Graph graph (n, n * (problem->neighbours / 2));
  graph.add_node (n);
  for (int y = 0, p = 0; y < problem->height; y++)
    for (int x = 0; x < problem->width; x++, p++) {
      graph.add_tweights (p, std::max (problem->data[p], 0), std::max (-problem->data[p], 0));
      for (int d = 0; d < problem->neighbours / 2; d++) {
        const int64_t q = peer_neighbour (problem, x, y, d);
        const int capacity = problem->nlink[d][p];
        if (q >= 0)
          graph.add_edge (p, static_cast<int> (q), capacity, capacity);
      }
    }
  peer_end_phase ("build");
  const int flow = graph.maxflow ();
  peer_end_phase ("solve");
  for (int p = 0; p < n; p++)
    mask[p] = graph.what_segment (p) == Graph::SOURCE;
  peer_end_phase ("read");
  return flow;
}
