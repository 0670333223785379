/* SPDX-License-Identifier: MIT */
/* Independent code that cuts our graphs. Each writes the canonical mask (what can still reach the
 * sink is 0) and returns the value of the flow. Boykov & Kolmogorov's own is licensed under the
 * GPL: only tests and benchmarks may link it, never the product. */
#ifndef FS_TESTS_GRAPH_OTHERS_H
#define FS_TESTS_GRAPH_OTHERS_H

#include "solver/graph/graph.h"

G_BEGIN_DECLS

/* libmaxflow-dev. Exact while the sum of all capacities stays below 2⁵³. */
int64_t graph_cut_by_bk (const FsGraph *graph, uint8_t *mask);

/* Goldberg & Tarjan's push-relabel from the Boost Graph Library. */
int64_t graph_cut_by_boost (const FsGraph *graph, uint8_t *mask);

G_END_DECLS

#endif
