/* SPDX-License-Identifier: MIT */
/* gco 3 (Delong, Osokin, Isack & Boykov 2012; Boykov, Veksler & Zabih 2001): expansions. */
#include "peer.h"

#include <GCoptimization.h>

#include <vector>

int64_t
peer_run (const PeerProblem *problem, uint8_t *labels)
{
  const int n = static_cast<int> (peer_pixels (problem));
  if (problem->neighbours != 4)
    peer_fail ("4 neighbours alone");
  try {
    GCoptimizationGridGraph grid (problem->width, problem->height, problem->n_labels);
    std::vector<int> down (problem->nlink[1], problem->nlink[1] + n);
    std::vector<int> right (problem->nlink[0], problem->nlink[0] + n);
    grid.setDataCost (problem->data);
    grid.setSmoothCostVH (problem->table, down.data (), right.data ());
    peer_end_phase ("build");
    grid.expansion ();
    peer_end_phase ("solve");
    for (int p = 0; p < n; p++)
      labels[p] = static_cast<uint8_t> (grid.whatLabel (p));
    peer_end_phase ("read");
    return grid.compute_energy ();
  } catch (const GCException &error) {
    peer_fail (error.message);
  }
  return 0;
}
