/* SPDX-License-Identifier: MIT */
/* Weights of a locally linear embedding in colour.   Layer: energy.
 *
 * Roweis & Saul, "Nonlinear Dimensionality Reduction by Locally Linear Embedding", 2000.
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_MATTING_EMBEDDING_H
#define FS_ENERGY_MATTING_EMBEDDING_H

#include <glib.h>

G_BEGIN_DECLS

/* For n ≥ 1 differences z of neighbours' colours, from 0 to 255, to a colour: the weights w of sum
 * 1 that minimise |Σ w z|² + ridge · Σ w², the ridge being 10⁻³ where channels go to 1. */
void fs_embedding_weights (double z[][3], int n, double *weight);

G_END_DECLS

#endif
