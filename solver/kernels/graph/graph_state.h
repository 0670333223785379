/* SPDX-License-Identifier: MIT */
/* A graph on the device.   Layer: solver/kernels.
 *
 * The arcs of node v are those from first[v] on, below first[v + 1].
 *
 * Only one thread, or the lanes that share a node, pushes out of it and writes its height; others
 * may add to its excess and to its arcs' residuals at any time.
 */
#ifndef FS_SOLVER_KERNELS_GRAPH_GRAPH_STATE_H
#define FS_SOLVER_KERNELS_GRAPH_GRAPH_STATE_H

#include "solver/kernels/graph/graph_engine.h"
#include "solver/kernels/portable.h"

#define FS_GRAPH_FAR     UINT32_MAX /* a height: no deficit can be reached */
#define FS_GRAPH_NOBODY  UINT32_MAX /* no node, and the arc of a loop      */
#define FS_GRAPH_THREADS 128        /* a block                             */
#define FS_GRAPH_SLOTS   3

/* Words shared by all threads. A word with slots for three steps is written in one, read in the
 * next and cleared in the third, so that one barrier a step is enough. */
typedef struct {
  uint32_t n_listed[FS_GRAPH_SLOTS];     /* nodes of a level                            */
  uint32_t n_active[FS_GRAPH_SLOTS];     /* nodes with excess to push                   */
  uint32_t is_cancelled[FS_GRAPH_SLOTS]; /* between steps                               */
  uint32_t is_stopped[FS_GRAPH_SLOTS];   /* the same between levels                     */
  uint32_t n_rounds, n_levels;
  uint32_t outcome; /* FS_ENGINE_DONE or FS_ENGINE_CANCELLED */
  unsigned long long n_steps, n_visits;
  int64_t energy, bound; /* of the mask given by the heights */
} FsGraphWords;

typedef struct {
  uint32_t n_nodes, n_edges;
  uint32_t n_arcs;
  uint32_t *first;            /* [n_nodes + 1] where rows begin                   */
  uint32_t *head;             /* [n_arcs] */
  uint32_t *reverse;          /* [n_arcs] the arc from the head back */
  uint32_t *residual;         /* [n_arcs] */
  uint32_t *edge_arc;         /* [n_edges] the arc from → to; FS_GRAPH_NOBODY for a loop */
  FsGraphEngineEdge *edges;   /* [n_edges] */
  int64_t *tlink, *excess;    /* [n_nodes] */
  uint32_t *height;           /* [n_nodes] */
  uint32_t *list[2];          /* [n_nodes] of nodes                        */
  uint8_t *mask;              /* [n_nodes] */
  uint32_t *sums;             /* [FS_GRAPH_CHUNKS] while rows are laid out */
  const volatile int *cancel; /* memory of the host                        */
  FsGraphWords *words;
  FsGraphTuning tuning;
} FsGraphState;

#define FS_GRAPH_CHUNKS (FS_GRAPH_THREADS * 128)

/* --- Words that other threads may be writing ---------------------------------------------------
 */

FS_PHASE uint32_t
fs_graph_load (const uint32_t *word)
{
#ifdef __CUDA_ARCH__
  return __ldcg (word);
#else
  return *word;
#endif
}

FS_PHASE int64_t
fs_graph_load_excess (const int64_t *word)
{
#ifdef __CUDA_ARCH__
  return (int64_t)__ldcg ((const long long *)word);
#else
  return *word;
#endif
}

FS_PHASE uint32_t
fs_graph_add (uint32_t *word, uint32_t added)
{
#ifdef __CUDA_ARCH__
  return atomicAdd ((unsigned int *)word, added);
#else
  uint32_t old = *word;
  *word = old + added;
  return old;
#endif
}

/* Atomically adds modulo 2⁶⁴, also negative numbers; returns the old value. */
FS_PHASE int64_t
fs_graph_add_long (void *word, int64_t added)
{
#ifdef __CUDA_ARCH__
  return (int64_t)atomicAdd ((unsigned long long *)word, (unsigned long long)added);
#else
  uint64_t old = *(uint64_t *)word;
  *(uint64_t *)word = old + (uint64_t)added;
  return (int64_t)old;
#endif
}

/* Atomically replaces a value; returns the old one. */
FS_PHASE int64_t
fs_graph_exchange_long (void *word, int64_t value)
{
#ifdef __CUDA_ARCH__
  return (int64_t)atomicExch ((unsigned long long *)word, (unsigned long long)value);
#else
  int64_t old = *(int64_t *)word;
  *(int64_t *)word = value;
  return old;
#endif
}

/* Compare and swap: replaces `old` by `value`; returns whether it did. */
FS_PHASE int
fs_graph_replace (uint32_t *word, uint32_t old, uint32_t value)
{
#ifdef __CUDA_ARCH__
  return atomicCAS ((unsigned int *)word, old, value) == old;
#else
  int is_there = *word == old;
  if (is_there)
    *word = value;
  return is_there;
#endif
}

#endif
