/* SPDX-License-Identifier: MIT */
/* What a person may set about the energy.   Layer: energy (value header). */
#ifndef FS_ENERGY_SETTINGS_H
#define FS_ENERGY_SETTINGS_H

#include "solver/grid.h"

G_BEGIN_DECLS

#pragma GCC visibility push(default)

typedef struct {
  FsNeighbours neighbours; /* 4 or 8; default 8                                              */
  double smoothness;       /* λ as a multiple of the default, in [0, FS_SMOOTHNESS_MAX]; 1   */
} FsSettings;

#define FS_SMOOTHNESS_MAX 100.0

#define FS_SETTINGS_DEFAULT ((FsSettings){ .neighbours = FS_NEIGHBOURS_8, .smoothness = 1.0 })

#pragma GCC visibility pop

G_END_DECLS

#endif
