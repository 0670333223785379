/* SPDX-License-Identifier: MIT */
#include "energy/image/exact_math.h"

#include "energy/image/target_clones.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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

/* Four at once: the same steps in each lane. */
typedef double Four __attribute__ ((vector_size (32)));
typedef int64_t FourBits __attribute__ ((vector_size (32)));

#define ALL(x)                                                                                     \
  {                                                                                                \
    (x), (x), (x), (x)                                                                             \
  }

/* 2^52 + i as a double has i in its last bits. */
#define WHOLE_BITS INT64_C (0x4330000000000000)
/* The exponent's bits of a number in [½, 1), and the fraction's. */
#define HALF_BITS     INT64_C (0x3fe0000000000000)
#define FRACTION_BITS INT64_C (0x000fffffffffffff)

FS_TARGET_CLONES static void
log_fours (double *x, int n)
{
  const Four root_half = ALL (0.70710678118654752440), one = ALL (1);
  const Four high = ALL (LN2_HIGH), low = ALL (LN2_LOW), no_exponent = ALL (0x1p52 + 1022);
  const FourBits whole = ALL (WHOLE_BITS), half = ALL (HALF_BITS), fraction = ALL (FRACTION_BITS);
  for (int i = 0; i < n; i += 4) {
    FourBits bits;
    memcpy (&bits, x + i, sizeof bits);
    Four exponent = (Four)(bits >> 52 | whole) - no_exponent;
    Four m = (Four)((bits & fraction) | half);
    FourBits is_small = m < root_half;
    m += (Four)((FourBits)m & is_small);
    exponent -= (Four)((FourBits)one & is_small);
    Four s = (m - one) / (m + one), s2 = s * s, sum = ALL (0);
    for (int k = LOG_TERMS; k >= 0; k--)
      sum = sum * s2 + (Four)ALL (1.0 / (2 * k + 1));
    Four log = exponent * high + ((s + s) * sum + exponent * low);
    memcpy (x + i, &log, sizeof log);
  }
}

void
fs_exact_logs (double *x, int n)
{
  int n_fours = n / 4 * 4;
  log_fours (x, n_fours);
  for (int i = n_fours; i < n; i++)
    x[i] = fs_exact_log (x[i]);
}
