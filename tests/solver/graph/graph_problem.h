/* SPDX-License-Identifier: MIT */
/* Graphs for tests: of many forms at random, and checked after every solve. */
#ifndef FS_TESTS_GRAPH_PROBLEM_H
#define FS_TESTS_GRAPH_PROBLEM_H

#include "solver/graph/graph_solver.h"

G_BEGIN_DECLS

typedef enum {
  GRAPH_SPARSE,       /* edges between any two nodes, loops and parallel ones among them */
  GRAPH_DENSE,        /* every pair, many times over                                     */
  GRAPH_GRID,         /* neighbours of a square                                          */
  GRAPH_LAYERED,      /* one way, from each layer to the next                            */
  GRAPH_HUBS,         /* few nodes that hold most edges                                  */
  GRAPH_DISCONNECTED, /* small islands                                                   */
  GRAPH_PATH,         /* one long way                                                    */
  N_GRAPH_FORMS
} GraphForm;

typedef enum {
  GRAPH_UNIFORM, /* t-links and capacities of the same order                     */
  GRAPH_TIES,    /* 0 to 2: many minimum cuts                                    */
  GRAPH_ZEROES,  /* most capacities are none                                     */
  GRAPH_ONE_WAY, /* no capacity back                                             */
  GRAPH_LIMITS,  /* the largest that are allowed                                 */
  GRAPH_SEEDS,   /* few t-links, large ones                                      */
  N_GRAPH_SORTS
} GraphSort;

FsGraph *graph_new (uint32_t n_nodes, uint32_t n_edges);
void graph_free (FsGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsGraph, graph_free)

FsGraph *graph_copy (const FsGraph *graph);

/* Of random form and sort, with 1 to `most` nodes. */
FsGraph *graph_new_random (GRand *rand, uint32_t most);
FsGraph *graph_new_form (GRand *rand, GraphForm form, GraphSort sort, uint32_t n_nodes);

int64_t random_graph_tlink (GRand *rand, GraphSort sort);
FsGraphEdgeChange random_edge_change (GRand *rand, const FsGraph *graph, GraphSort sort);
/* Changes about n t-links or edges, or both, or nothing; some of them twice: the last one wins. */
void change_random_parts (GRand *rand, FsGraph *graph, FsGraphSolver *solver, uint32_t n);

/* The backend that FRETSAW_TEST_BACKEND names. "kernels" means grids: here it is the CPU. */
const FsGraphBackend *test_graph_backend (void);

/* Solves, and demands that the certificate holds and all the sums agree. The mask: g_free. */
uint8_t *graph_solve_and_check (const FsGraph *graph, FsGraphSolver *solver, FsSolution *solution);

G_END_DECLS

#endif
