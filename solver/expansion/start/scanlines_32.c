/* SPDX-License-Identifier: MIT */
#include <stdint.h>

typedef int32_t Value;
enum { N_LANES = 8, FAR = 1 << 29 };
#include "solver/expansion/start/scanlines_impl.h"

const FsLinesWork fs_lines_32 = { N_LANES, sizeof (Value), begin, bound, sweep, mend, read_duals };
