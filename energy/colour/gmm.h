/* SPDX-License-Identifier: MIT */
/* Colour model of one side: a mixture of Gaussians with full covariances in RGB.   Layer: energy.
 *
 * Source: Rother, Kolmogorov & Blake 2004 (GrabCut), section 3.1: five components a side, each
 * pixel assigned to one of them. Differing from them: the density of a colour is the whole mixture,
 * not that of its best component; the start is a deterministic k-means; a component's covariance
 * gets that of a bin of colours (colour_histogram.h) on top, hence it is never singular.
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_COLOUR_GMM_H
#define FS_ENERGY_COLOUR_GMM_H

#include "energy/colour/colour_histogram.h"

G_BEGIN_DECLS

#define FS_GMM_COMPONENTS 5

/* In grey levels. */
typedef struct {
  double mean[3];
  double inverse[3][3]; /* of the covariance                             */
  double log_scale;     /* ln (weight / √((2π)³·|covariance|))           */
} FsGaussian;

typedef struct {
  int n_components; /* 0: no colours known */
  FsGaussian component[FS_GMM_COMPONENTS];
} FsGmm;

/* Fits the mixture: k-means, then n_rounds of hard EM (each bin belongs to its likeliest
 * component). Deterministic. */
void fs_gmm_fit (FsGmm *gmm, const FsColourHistogram *histogram, int n_rounds);

/* ln of the density at the middle of a bin. Only where n_components > 0. */
double fs_gmm_log_density (const FsGmm *gmm, uint32_t bin);

G_END_DECLS

#endif
