/* SPDX-License-Identifier: MIT */
/* The pairs of a row with AVX2. */
#include "solver/expansion/shared_fill_pairs.h"

void
fs_base_pairs_avx2 (const FsSweep *sweep, int y, int d, FsTruncation *truncation)
{
  fill_pairs (sweep, y, d, truncation);
}
