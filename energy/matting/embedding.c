/* SPDX-License-Identifier: MIT */
#include "energy/matting/embedding.h"

#define RIDGE (1e-3 * 255 * 255)

/* x of a symmetric, positive definite a · x = b, by Cramer's rule. */
static void
solve_three (const double a[6], const double b[3], double x[3])
{
  const double c0 = a[3] * a[5] - a[4] * a[4], c1 = a[2] * a[4] - a[1] * a[5],
               c2 = a[1] * a[4] - a[2] * a[3], c3 = a[0] * a[5] - a[2] * a[2],
               c4 = a[1] * a[2] - a[0] * a[4], c5 = a[0] * a[3] - a[1] * a[1];
  const double determinant = a[0] * c0 + a[1] * c1 + a[2] * c2;
  x[0] = (c0 * b[0] + c1 * b[1] + c2 * b[2]) / determinant;
  x[1] = (c1 * b[0] + c3 * b[1] + c4 * b[2]) / determinant;
  x[2] = (c2 * b[0] + c4 * b[1] + c5 * b[2]) / determinant;
}

/* By the matrix inversion lemma they are proportional to 1 − zᵀ (Σ z zᵀ + ridge)⁻¹ Σ z. */
void
fs_embedding_weights (double z[][3], int n, double *weight)
{
  double a[6] = { RIDGE, 0, 0, RIDGE, 0, RIDGE }, b[3] = { 0 }, x[3], sum = 0;
  for (int k = 0; k < n; k++) {
    a[0] += z[k][0] * z[k][0];
    a[1] += z[k][0] * z[k][1];
    a[2] += z[k][0] * z[k][2];
    a[3] += z[k][1] * z[k][1];
    a[4] += z[k][1] * z[k][2];
    a[5] += z[k][2] * z[k][2];
    for (int c = 0; c < 3; c++)
      b[c] += z[k][c];
  }
  solve_three (a, b, x);
  for (int k = 0; k < n; k++) {
    weight[k] = 1 - z[k][0] * x[0] - z[k][1] * x[1] - z[k][2] * x[2];
    sum += weight[k];
  }
  for (int k = 0; k < n; k++)
    weight[k] /= sum;
}
