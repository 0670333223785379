/* SPDX-License-Identifier: MIT */
/* The end of a wrapper, and results as tuples.   Layer: python.
 *
 * Threads: those that hold the interpreter's lock.
 */
#ifndef FS_PYTHON_WRAPPER_H
#define FS_PYTHON_WRAPPER_H

#include "python/extension/call.h"

/* Frees a wrapper's memory and its type's reference, at the end of a tp_dealloc. */
void fs_python_free_object (PyObject *self);

/* (energy, bound, exact) */
PyObject *fs_python_give_solution (const fretsaw_solution *solution);
/* (feasible, conserved, canonical, holds, energy, bound) */
PyObject *fs_python_give_certificate (const fretsaw_certificate *certificate);

#endif
