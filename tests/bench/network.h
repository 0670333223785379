/* SPDX-License-Identifier: MIT */
/* Networks for benchmarks, from a form, a size and a seed; they depend on nothing else.
 *
 *   grid     a square with 8 neighbours, terminals tied to every node, capacities like a photo's
 *   random   each node to eight others, terminals tied to one in a hundred
 *   dense    the same to twenty others
 *   layered  square layers, each node to four of the next layer, as in a supply chain
 *   cube     a cube with 6 neighbours, terminals tied to two opposite faces
 */
#ifndef FS_TESTS_NETWORK_H
#define FS_TESTS_NETWORK_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  uint32_t from, to, capacity;
} NetworkArc;

typedef struct {
  NetworkArc *arc;
  size_t n, n_allocated;
  uint32_t n_nodes; /* the source is n_nodes + 1, the sink n_nodes + 2; nodes are from 1 */
  uint64_t random;
} Network;

/* FALSE for a form that there is not. */
gboolean network_make (Network *net, const char *form, uint32_t n_nodes, uint64_t seed);
void network_clear (Network *net);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Network, network_clear)

G_END_DECLS

#endif
