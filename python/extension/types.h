/* SPDX-License-Identifier: MIT */
/* The types of fretsaw._fretsaw.   Layer: python.
 *
 * Each wraps one object of the library and checks sizes; fretsaw's Python code gives them their
 * public faces. Functions return NULL with an exception set.
 *
 * Threads: those that hold the interpreter's lock.
 */
#ifndef FS_PYTHON_TYPES_H
#define FS_PYTHON_TYPES_H

#include "python/extension/call.h"

/* Returns the library's context; NULL for None. An exception is set where the object is neither. */
fretsaw_context *fs_python_get_context (PyObject *object);

/* Make the types; new references. */
PyObject *fs_python_context_type (void);
PyObject *fs_python_grid_type (void);
PyObject *fs_python_photo_type (void);
PyObject *fs_python_graph_type (void);
PyObject *fs_python_expansion_type (void);

#endif
