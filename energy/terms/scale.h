/* SPDX-License-Identifier: MIT */
/* Scales of the energy: capacities of its terms.   Layer: energy (value header). */
#ifndef FS_ENERGY_TERMS_SCALE_H
#define FS_ENERGY_TERMS_SCALE_H

#include <glib.h>

G_BEGIN_DECLS

/* The capacity that a data term of 1 becomes. */
#define FS_DATA_SCALE 64
/* The capacity of a nat in the models that weigh probabilities. */
#define FS_NAT_SCALE 64
/* λ at smoothness 1, for a data term in [−1, 1] and colours 0 … 255. */
#define FS_LAMBDA 1000.0

G_END_DECLS

#endif
