/* SPDX-License-Identifier: MIT */
/* Exponential and logarithm with the same bits everywhere.   Layer: energy.
 *
 * C libraries differ in the last bit of these, and a last bit may turn a rounding, hence a
 * capacity, hence a mask. Ours use nothing but additions, multiplications and divisions of doubles,
 * which IEEE 754 rounds correctly, in a fixed order. Relative error below 10⁻¹⁴. For tables, not
 * for pixels: about 20 ns a call.
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_IMAGE_EXACT_MATH_H
#define FS_ENERGY_IMAGE_EXACT_MATH_H

/* For |x| ≤ 700. */
double fs_exact_exp (double x);
/* For normal x > 0. */
double fs_exact_log (double x);
/* The same of n numbers, each in its place: four at a time. */
void fs_exact_logs (double *x, int n);

#endif
