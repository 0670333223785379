/* SPDX-License-Identifier: MIT */
#include "energy/exact_math.h"

#include <math.h>

/* ln 2 in two parts: n·LN2_HIGH is exact for |n| < 2^11. */
static const double LN2_HIGH = 0x1.62e42fefa38p-1, LN2_LOW = 0x1.ef35793c7673p-45;

enum { EXP_TERMS = 14, LOG_TERMS = 11 };

/* e^x = 2^n · e^r with |r| ≤ ½·ln 2, and Taylor's series for r. */
double
fs_exact_exp (double x)
{
  double n = floor (x / (LN2_HIGH + LN2_LOW) + 0.5);
  double r = (x - n * LN2_HIGH) - n * LN2_LOW;
  double sum = 1;
  for (int k = EXP_TERMS; k > 0; k--)
    sum = 1 + r / k * sum;
  return ldexp (sum, (int)n);
}

/* x = 2^n · m with m in [√½, √2): ln m = 2·artanh ((m − 1) / (m + 1)). */
double
fs_exact_log (double x)
{
  int n;
  double m = frexp (x, &n);
  if (m < 0.70710678118654752440) {
    m *= 2;
    n--;
  }
  double s = (m - 1) / (m + 1), s2 = s * s, sum = 0;
  for (int k = LOG_TERMS; k >= 0; k--)
    sum = sum * s2 + 1.0 / (2 * k + 1);
  return n * LN2_HIGH + (2 * s * sum + n * LN2_LOW);
}
