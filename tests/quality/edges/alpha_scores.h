/* SPDX-License-Identifier: MIT */
/* Errors of alpha against the truth, as alphamatting.com defines them.   Layer: tests.
 *
 * Rhemann et al., "A Perceptually Motivated Online Benchmark for Image Matting", 2009. */
#ifndef FS_TESTS_QUALITY_EDGES_ALPHA_SCORES_H
#define FS_TESTS_QUALITY_EDGES_ALPHA_SCORES_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  double sad;      /* sum of absolute differences / 1000                                      */
  double mse;      /* mean squared difference · 1000                                          */
  double gradient; /* sum of squared differences of the gradient's magnitude, σ = 1.4 / 1000  */
  double connectivity; /* sum of differences of connectivity / 1000                               */
} AlphaScores;

/* Planes of width · height bytes, alpha 0 to 255; sums are over pixels where `unknown` is not 0. */
AlphaScores alpha_scores (const uint8_t *alpha, const uint8_t *truth, const uint8_t *unknown,
                          int width, int height);

G_END_DECLS

#endif
