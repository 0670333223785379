/* SPDX-License-Identifier: MIT */
/* Python's C interface, and calls of the library without the interpreter's lock.   Layer: python.
 *
 * The limited interface of Python 3.11: one binary is for this version and all later ones. Arrays
 * come as buffers (buffers.h), so that no version of NumPy is compiled in.
 *
 * Threads: those of Python that hold the interpreter's lock.
 */
#ifndef FS_PYTHON_CALL_H
#define FS_PYTHON_CALL_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#include "library/fretsaw.h"

/* Looks up the classes of fretsaw.errors. Returns false with an exception set. */
bool fs_python_errors_init (void);

/* Sets the exception for a status. Returns NULL. */
PyObject *fs_python_raise (fretsaw_status status, const fretsaw_error *error);

/* Set fretsaw.InvalidError, or ElementsError for wrong types, with PyErr_Format's formats. Return
 * false. */
bool fs_python_refuse (const char *format, ...);
bool fs_python_refuse_type (const char *format, ...);

/* A call under way. While it lasts the object is busy: other threads' calls are refused. */
typedef struct {
  fretsaw_progress progress;
  fretsaw_error error;
  fretsaw_cancellation *cancellation; /* set by a signal's exception, or one of the report */
  PyObject *report;                   /* called with a fraction; or NULL                  */
  PyThreadState *thread;              /* while the lock is released                       */
  bool *is_busy;                      /* the object's                                     */
  long long next_look_us;             /* when signals are looked at again                 */
  bool is_raised;
} FsPythonCall;

/* Begins a call without progress, or with it: then signals and `report`, which may be None, are
 * looked at every 20 ms. Releases the lock. Returns false with an exception set. */
bool fs_python_begin (FsPythonCall *call, bool *is_busy);
bool fs_python_begin_long (FsPythonCall *call, bool *is_busy, PyObject *report);

/* The interpreter begins to exit, on this thread. Calls of other threads are cancelled, and never
 * return: Python before 3.14 would end their threads from within. */
void fs_python_note_exit (void);

/* Takes the lock again. Returns false with an exception set where the call failed. */
bool fs_python_end (FsPythonCall *call, fretsaw_status status);

#endif
