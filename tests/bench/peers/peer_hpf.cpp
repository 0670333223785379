/* SPDX-License-Identifier: MIT */
/* The pseudoflow algorithm (Hochbaum 2008), highest label and first in, first out, as Jensen et al.
 * have it. */
#include "peer.h"

#include "reimpls/hpf.h"

#include <algorithm>

int64_t
peer_run (const PeerProblem *problem, uint8_t *mask)
{
  const uint32_t n = static_cast<uint32_t> (peer_pixels (problem));
  reimpls::Hpf<int64_t> graph (n + 2, size_t (n) * static_cast<size_t> (problem->neighbours + 1));
  graph.add_node (n + 2);
  graph.set_source (n);
  graph.set_sink (n + 1);
  uint32_t p = 0;
  for (int y = 0; y < problem->height; y++)
    for (int x = 0; x < problem->width; x++, p++) {
      if (problem->data[p] > 0)
        graph.add_edge (n, p, problem->data[p]);
      else
        graph.add_edge (p, n + 1, -int64_t (problem->data[p]));
      for (int d = 0; d < problem->neighbours / 2; d++) {
        const int64_t q = peer_neighbour (problem, x, y, d);
        const int64_t capacity = problem->nlink[d][p];
        if (q < 0 || capacity == 0)
          continue;
        graph.add_edge (p, static_cast<uint32_t> (q), capacity);
        graph.add_edge (static_cast<uint32_t> (q), p, capacity);
      }
    }
  peer_end_phase ("build");
  graph.mincut ();
  peer_end_phase ("solve");
  const int64_t flow = graph.compute_maxflow ();
  for (p = 0; p < n; p++)
    mask[p] = graph.what_label (p) == reimpls::Hpf<int64_t>::SOURCE;
  peer_end_phase ("read");
  return flow;
}
