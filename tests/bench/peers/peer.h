/* SPDX-License-Identifier: MIT */
/* A solver of somebody's beside libfretsaw: one process makes one run on one problem, which
 * peers.py wrote, and prints its times and memory. Each adapter is one function over its library's
 * API. */
#ifndef FS_BENCH_PEER_H
#define FS_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A cut's capacities, or, where there are labels, an energy of them; planes as in fretsaw.h. */
typedef struct {
  int32_t width, height, neighbours;
  int32_t n_labels;   /* 0: a cut                                                        */
  int32_t *data;      /* t-links, or data[(y · W + x) · n_labels + label]                */
  uint16_t *nlink[4]; /* the same in both directions; of labels: the weights of pairs  */
  int32_t *table;     /* of labels: table[a · n_labels + b]                            */
} PeerProblem;

static inline size_t
peer_pixels (const PeerProblem *problem)
{
  return (size_t)problem->width * (size_t)problem->height;
}

/* The pixel that is forward direction d from (x, y), or −1 outside. */
static inline int64_t
peer_neighbour (const PeerProblem *problem, int x, int y, int d)
{
  static const int dx[4] = { 1, 0, 1, -1 }, dy[4] = { 0, 1, 1, 1 };
  int u = x + dx[d], v = y + dy[d];
  return u < 0 || u >= problem->width || v >= problem->height ? -1
                                                              : (int64_t)v * problem->width + u;
}

/* Ends a phase: "build", "solve" or "read". */
void peer_end_phase (const char *phase);

/* Ends the process. */
void peer_fail (const char *message);

/* In a mask: on the one side or on the other, all such pixels together. */
#define PEER_EITHER 2

/* The adapter: writes a mask (1 object) or labels, a byte a pixel, and returns the value of the
 * flow or the labels' energy. */
int64_t peer_run (const PeerProblem *problem, uint8_t *result);

#ifdef __cplusplus
}
#endif

#endif
