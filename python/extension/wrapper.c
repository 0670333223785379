/* SPDX-License-Identifier: MIT */
#include "python/extension/wrapper.h"

void
fs_python_free_object (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc)PyType_GetSlot (type, Py_tp_free);
  release (self);
  Py_DECREF (type);
}

PyObject *
fs_python_give_solution (const fretsaw_solution *solution)
{
  return Py_BuildValue ("LLN", (long long)solution->energy, (long long)solution->bound,
                        PyBool_FromLong (solution->exact));
}

PyObject *
fs_python_give_certificate (const fretsaw_certificate *certificate)
{
  return Py_BuildValue ("NNNNLL", PyBool_FromLong (certificate->feasible),
                        PyBool_FromLong (certificate->conserved),
                        PyBool_FromLong (certificate->canonical),
                        PyBool_FromLong (certificate->holds), (long long)certificate->energy,
                        (long long)certificate->bound);
}
