/* SPDX-License-Identifier: MIT */
#include "solver/solver.h"

G_DEFINE_QUARK (fs - solver - error - quark, fs_solver_error)
