/* SPDX-License-Identifier: MIT */
/* EIBFS (Goldberg, Hed, Kaplan, Kohli, Tarjan & Werneck 2015): its authors' code, or, with
 * PEER_INDICES, that of Jensen et al. with indices in place of pointers. */
#include "peer.h"

/* Theirs rely on these. */
#include <algorithm>
#include <cstdlib>
#include <cstring>

#ifdef PEER_INDICES
#include "reimpls/eibfs_i.h"
using Graph = reimpls::IBFSGraph<int, int, int, uint32_t, uint32_t>;
#else
#include "ibfs/ibfs.h"
using Graph = ibfs::IBFSGraph<int, int, int>;
#endif

int64_t
peer_run (const PeerProblem *problem, uint8_t *mask)
{
  const uint32_t n = static_cast<uint32_t> (peer_pixels (problem));
#ifdef PEER_INDICES
  Graph graph;
#else
  Graph graph (Graph::IB_INIT_FAST);
#endif
  graph.initSize (n, int64_t (n) * (problem->neighbours / 2));
  uint32_t p = 0;
  for (int y = 0; y < problem->height; y++)
    for (int x = 0; x < problem->width; x++, p++) {
      graph.addNode (p, std::max (problem->data[p], 0), std::max (-problem->data[p], 0));
      for (int d = 0; d < problem->neighbours / 2; d++) {
        const int64_t q = peer_neighbour (problem, x, y, d);
        const int capacity = problem->nlink[d][p];
        if (q >= 0)
          graph.addEdge (p, static_cast<uint32_t> (q), capacity, capacity);
      }
    }
  graph.initGraph ();
  peer_end_phase ("build");
  graph.computeMaxFlow ();
  peer_end_phase ("solve");
  for (p = 0; p < n; p++)
    mask[p] = static_cast<uint8_t> (graph.isNodeOnSrcSide (p, PEER_EITHER));
  peer_end_phase ("read");
  return graph.getFlow ();
}
