/* SPDX-License-Identifier: MIT */
#include "python/extension/buffers.h"
#include "python/extension/types.h"

static bool
add (PyObject *module, const char *name, PyObject *value)
{
  bool is_added = value && PyModule_AddObjectRef (module, name, value) == 0;
  Py_XDECREF (value);
  return is_added;
}

/* Every layout of a grid asks this of its nodes. */
static PyObject *
is_range (PyObject *module, PyObject *array)
{
  FsPythonBuffer list;
  if (!fs_python_take_list (&list, array, "array", FS_ELEMENTS_INT64, false))
    return NULL;
  const int64_t *numbers = list.view.buf;
  Py_ssize_t i = 0;
  while (i < list.n && numbers[i] == i)
    i++;
  bool is_whole = i == list.n;
  fs_python_release (&list);
  return PyBool_FromLong (is_whole);
}

static PyObject *
note_exit (PyObject *module, PyObject *unused)
{
  fs_python_note_exit ();
  return Py_NewRef (Py_None);
}

static PyMethodDef functions[] = {
  { "is_range", is_range, METH_O, "is_range(array) -> whether it is 0, 1, 2, ..." },
  { "_note_exit", note_exit, METH_NOARGS, "_note_exit(), when the interpreter begins to exit" },
  { NULL, NULL, 0, NULL },
};

static bool
register_exit (PyObject *module)
{
  PyObject *func = PyObject_GetAttrString (module, "_note_exit");
  PyObject *exits = PyImport_ImportModule ("atexit");
  PyObject *result = func && exits ? PyObject_CallMethod (exits, "register", "O", func) : NULL;
  bool is_registered = result != NULL;
  Py_XDECREF (result);
  Py_XDECREF (exits);
  Py_XDECREF (func);
  return is_registered;
}

/* Types and exceptions are those of one interpreter. */
static int
fill (PyObject *module)
{
  if (PyInterpreterState_GetID (PyInterpreterState_Get ()) != 0) {
    PyErr_SetString (PyExc_ImportError, "fretsaw can be imported by the main interpreter alone");
    return -1;
  }
  bool is_filled = fs_python_errors_init () && add (module, "Context", fs_python_context_type ())
                   && add (module, "Grid", fs_python_grid_type ())
                   && add (module, "Photo", fs_python_photo_type ())
                   && add (module, "Graph", fs_python_graph_type ())
                   && add (module, "Expansion", fs_python_expansion_type ())
                   && PyModule_AddStringConstant (module, "version", fretsaw_version_text ()) == 0
                   && register_exit (module);
  return is_filled ? 0 : -1;
}

static PyModuleDef_Slot slots[] = {
  { Py_mod_exec, fill },
  { 0, NULL },
};

static struct PyModuleDef definition = {
  PyModuleDef_HEAD_INIT,
  .m_name = "fretsaw._fretsaw",
  .m_doc = "The library's objects, without checks of NumPy's types. Use the package fretsaw.",
  .m_methods = functions,
  .m_slots = slots,
};

/* Found by its name. */
PyMODINIT_FUNC PyInit__fretsaw (void);

PyMODINIT_FUNC
PyInit__fretsaw (void)
{
  return PyModuleDef_Init (&definition);
}
