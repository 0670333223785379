/* SPDX-License-Identifier: MIT */
/* Changes of a problem that solvers follow.   Layer: solver (value header).
 *
 * Plain C, for engines of devices include it too. Each says what a value is from now on.
 *
 * Threads: plain data.
 */
#ifndef FS_SOLVER_CHANGES_H
#define FS_SOLVER_CHANGES_H

#include <stdint.h>

/* --- Of a grid (grid.h) --- */

typedef struct {
  uint32_t pixel; /* y·W + x               */
  int32_t tlink;  /* its new t-link (total) */
} FsTlinkChange;

typedef struct {
  uint32_t pixel;    /* y·W + x                                      */
  uint16_t forth;    /* the new capacity to its neighbour there, …   */
  uint16_t back;     /* … and the one back                           */
  uint8_t direction; /* FsDirection                                  */
} FsNlinkChange;

typedef struct {
  uint32_t pixel; /* y·W + x                                    */
  uint8_t star;   /* its new parent's direction, or FS_STAR_NONE */
} FsStarChange;

/* --- Of any graph (graph.h) --- */

typedef struct {
  uint32_t node;
  int64_t tlink; /* its new t-link (total) */
} FsGraphTlinkChange;

typedef struct {
  uint32_t edge; /* its place in the list */
  int32_t capacity;
  int32_t back;
} FsGraphEdgeChange;

#endif
