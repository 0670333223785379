/* SPDX-License-Identifier: MIT */
/* A graph on the device, in either form.   Layer: solver/kernels.
 *
 * The arcs of node v are begin, begin + stride, … below end (fs_graph_arcs): in rows the stride is
 * 1, in the regular form it is the number of nodes. An arc that carries nothing for want of a real
 * one has its own node for head and itself for reverse.
 *
 * Only one thread pushes out of a node and writes its height; others may add to its excess and to
 * what its arcs can carry at any moment.
 */
#ifndef FS_KERNELS_GRAPH_STATE_H
#define FS_KERNELS_GRAPH_STATE_H

#include "solver/kernels/portable.h"

#define FS_GRAPH_FAR     UINT32_MAX /* a height: no deficit can be reached */
#define FS_GRAPH_THREADS 128        /* a block                             */
#define FS_GRAPH_SLOTS   3

/* Words that all threads share. What has a slot for each of three rounds or levels is written in
 * one, read in the next and cleared after that, so that one barrier a step is enough. */
typedef struct {
  uint32_t n_listed[FS_GRAPH_SLOTS];          /* nodes of a level                         */
  uint32_t is_left[FS_GRAPH_SLOTS];           /* some excess can reach a deficit          */
  unsigned long long deficit[FS_GRAPH_SLOTS]; /* how much more the sinks can take         */
  uint32_t n_rounds, n_levels;
  unsigned long long n_sweeps;
} FsGraphWords;

typedef struct {
  uint32_t n_nodes;
  uint32_t n_arcs;       /* with those that carry nothing */
  const uint32_t *first; /* NULL: the regular form        */
  const uint32_t *head;
  const uint32_t *reverse;
  uint32_t *residual;
  int64_t *excess;
  uint32_t *height;
  uint32_t *list; /* [n_nodes] in the order of their heights */
  FsGraphWords *words;
} FsGraphState;

typedef struct {
  uint32_t begin, end, stride;
} FsGraphRange;

FS_PHASE FsGraphRange
fs_graph_arcs (const FsGraphState *state, uint32_t v)
{
  FsGraphRange range = { v, state->n_arcs, state->n_nodes };
  if (state->first != NULL) {
    range.begin = state->first[v];
    range.end = state->first[v + 1];
    range.stride = 1;
  }
  return range;
}

/* --- What others may be writing ----------------------------------------------------------------
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

/* Adds modulo 2⁶⁴, so that less can be added too. */
FS_PHASE void
fs_graph_add_long (void *word, int64_t added)
{
#ifdef __CUDA_ARCH__
  atomicAdd ((unsigned long long *)word, (unsigned long long)added);
#else
  *(uint64_t *)word += (uint64_t)added;
#endif
}

/* Puts `value` in place of `old`; returns whether that was there. */
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
