/* SPDX-License-Identifier: MIT */
/* Input of the edge's functions.   Layer: energy.
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_EDGE_EDGE_INPUT_H
#define FS_ENERGY_EDGE_EDGE_INPUT_H

#include "energy/edge/edge_settings.h"
#include "energy/image/image.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

/* Borrowed for the life of all that is made of it. Planes have width · height bytes. */
typedef struct {
  const FsImage *image;
  const uint8_t *mask;  /* 0 or not                                              */
  const uint8_t *marks; /* labels of a seed map that the mask agrees with; or NULL */
  const uint8_t *zones; /* FsEdgeZone; or NULL                                   */
  FsEdgeSettings settings;
} FsEdgeInput;

G_END_DECLS

#endif
