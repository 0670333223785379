/* SPDX-License-Identifier: MIT */
#include "tests/bench/ladder_problem.h"

#include <stdlib.h>

#define FAR  INT32_MAX
#define ARCS 8

/* A margin of a pixel all around has no arcs, so that nothing asks for the grid's edge. */
typedef struct {
  int64_t n;
  int32_t *excess, *sink, *height, *queue, *residual[ARCS];
  uint8_t *queued;
  int64_t step[ARCS];
  int64_t head, n_queued; /* of the ring `queue` */
} Cut;

static void
clear (Cut *cut)
{
  for (int d = 0; d < ARCS; d++)
    free (cut->residual[d]);
  free (cut->excess);
  free (cut->sink);
  free (cut->height);
  free (cut->queue);
  free (cut->queued);
}

static int
init (Cut *cut, const FsLadderProblem *problem)
{
  int64_t row = problem->width + 2;
  const int64_t step[4] = { 1, row, row + 1, row - 1 };
  *cut = (Cut){ .n = row * (problem->height + 2) };
  size_t n = (size_t)cut->n;
  cut->excess = calloc (n, sizeof (int32_t));
  cut->sink = calloc (n, sizeof (int32_t));
  cut->height = calloc (n, sizeof (int32_t));
  cut->queue = calloc (n, sizeof (int32_t));
  cut->queued = calloc (n, 1);
  int complete = cut->excess && cut->sink && cut->height && cut->queue && cut->queued;
  for (int d = 0; d < ARCS; d++) {
    cut->residual[d] = calloc (n, sizeof (int32_t));
    cut->step[d] = d < 4 ? step[d] : -step[d - 4];
    complete = complete && cut->residual[d];
  }
  for (int64_t i = 0; complete && i < (int64_t)problem->width * problem->height; i++) {
    int64_t p = (i / problem->width + 1) * row + i % problem->width + 1;
    int32_t tlink = problem->tlink[i];
    *(tlink > 0 ? &cut->excess[p] : &cut->sink[p]) = abs (tlink);
    for (int d = 0; d < problem->neighbours / 2; d++)
      cut->residual[d][p] = cut->residual[d + 4][p + step[d]] = problem->nlink[d][i];
  }
  return complete;
}

static void
enqueue (Cut *cut, int64_t p)
{
  if (cut->queued[p])
    return;
  cut->queued[p] = 1;
  cut->queue[(cut->head + cut->n_queued++) % cut->n] = (int32_t)p;
}

static int64_t
dequeue (Cut *cut)
{
  int64_t p = cut->queue[cut->head];
  cut->head = (cut->head + 1) % cut->n;
  cut->n_queued--;
  cut->queued[p] = 0;
  return p;
}

/* Exact heights from the sink; the queue holds what has excess and can reach it afterwards. */
static void
relabel_all (Cut *cut)
{
  while (cut->n_queued > 0)
    dequeue (cut);
  for (int64_t p = 0; p < cut->n; p++) {
    cut->height[p] = cut->sink[p] > 0 ? 1 : FAR;
    if (cut->sink[p] > 0)
      enqueue (cut, p);
  }
  while (cut->n_queued > 0) {
    int64_t p = dequeue (cut);
    for (int d = 0; d < ARCS; d++) {
      int64_t q = p - cut->step[d];
      if (q < 0 || q >= cut->n || cut->residual[d][q] == 0 || cut->height[q] != FAR)
        continue;
      cut->height[q] = cut->height[p] + 1;
      enqueue (cut, q);
    }
  }
  for (int64_t p = 0; p < cut->n; p++)
    if (cut->excess[p] > 0 && cut->height[p] != FAR)
      enqueue (cut, p);
}

static void
push (Cut *cut, int64_t p)
{
  if (cut->sink[p] > 0 && cut->height[p] == 1) {
    int32_t amount = cut->excess[p] < cut->sink[p] ? cut->excess[p] : cut->sink[p];
    cut->sink[p] -= amount;
    cut->excess[p] -= amount;
  }
  for (int d = 0; d < ARCS && cut->excess[p] > 0; d++) {
    int64_t q = p + cut->step[d];
    int32_t capacity = cut->residual[d][p];
    if (capacity == 0 || cut->height[q] != cut->height[p] - 1)
      continue;
    int32_t amount = cut->excess[p] < capacity ? cut->excess[p] : capacity;
    cut->residual[d][p] -= amount;
    cut->residual[d ^ 4][q] += amount;
    cut->excess[p] -= amount;
    cut->excess[q] += amount;
    enqueue (cut, q);
  }
}

/* One above the lowest neighbour. */
static void
relabel (Cut *cut, int64_t p)
{
  int32_t lowest = cut->sink[p] > 0 ? 0 : FAR - 1;
  for (int d = 0; d < ARCS; d++)
    if (cut->residual[d][p] > 0 && cut->height[p + cut->step[d]] < lowest)
      lowest = cut->height[p + cut->step[d]];
  cut->height[p] = lowest + 1;
}

int
plain_cut (const FsLadderProblem *problem, uint8_t *mask)
{
  Cut cut;
  int complete = init (&cut, problem);
  int64_t work = 0;
  if (complete)
    relabel_all (&cut);
  while (complete && cut.n_queued > 0) {
    int64_t p = dequeue (&cut);
    push (&cut, p);
    if (cut.excess[p] > 0) {
      relabel (&cut, p);
      if (cut.height[p] < cut.n)
        enqueue (&cut, p);
    }
    if (++work % cut.n == 0)
      relabel_all (&cut);
  }
  if (complete)
    relabel_all (&cut);
  for (int64_t i = 0; complete && i < (int64_t)problem->width * problem->height; i++)
    mask[i] =
        cut.height[(i / problem->width + 1) * (problem->width + 2) + i % problem->width + 1] == FAR;
  clear (&cut);
  return complete;
}
