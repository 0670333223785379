/* SPDX-License-Identifier: MIT */
#include <stdint.h>

typedef int16_t Value;
enum { N_LANES = 16, FAR = 20000 };
#include "solver/expansion/start/scanlines_impl.h"

const FsLinesWork fs_lines_16 = { N_LANES, sizeof (Value), begin, bound, sweep, mend, read_duals };
