/* SPDX-License-Identifier: MIT */
#include "solver/progress.h"

/* G_DEFINE_QUARK keeps it where two threads that fail at once would both write. */
GQuark
fs_solver_error_quark (void)
{
  return g_quark_from_static_string ("fs-solver-error-quark");
}
