/* SPDX-License-Identifier: MIT */
#include "python/extension/types.h"
#include "python/extension/wrapper.h"

#include <limits.h>
#include <string.h>

typedef struct {
  PyObject head;
  fretsaw_context *context;
  int device; /* of DEVICES */
  int n_threads;
} Context;

static const char *const DEVICES[] = { "cpu", "cuda", "auto" };
#define N_DEVICES ((int)(sizeof DEVICES / sizeof DEVICES[0]))

/* The module has one type of contexts. */
static PyTypeObject *context_type;

fretsaw_context *
fs_python_get_context (PyObject *object)
{
  if (object == Py_None)
    return NULL;
  if (PyObject_TypeCheck (object, context_type))
    return ((Context *)object)->context;
  fs_python_refuse_type ("context must be a fretsaw.Context or None");
  return NULL;
}

static bool
take_device (PyObject *object, int *device)
{
  if (!object)
    return true;
  if (!PyUnicode_Check (object))
    return fs_python_refuse_type ("device: it must be 'cpu', 'cuda' or 'auto'");
  const char *name = PyUnicode_AsUTF8AndSize (object, NULL);
  for (*device = 0; name && *device < N_DEVICES; (*device)++)
    if (strcmp (name, DEVICES[*device]) == 0)
      return true;
  PyErr_Clear ();
  return fs_python_refuse ("device: %R; it must be 'cpu', 'cuda' or 'auto'", object);
}

static bool
take_threads (PyObject *object, int *n_threads)
{
  if (!object)
    return true;
  PyObject *whole = PyNumber_Index (object);
  if (!whole) {
    PyErr_Clear ();
    return fs_python_refuse_type ("threads: an integer is needed");
  }
  int overflow;
  long n = PyLong_AsLongAndOverflow (whole, &overflow);
  Py_DECREF (whole);
  if (overflow != 0 || n < 0 || n > INT_MAX)
    return fs_python_refuse ("threads: it must be 0, for one a processor, to %d", INT_MAX);
  *n_threads = (int)n;
  return true;
}

static PyObject *
context_new (PyTypeObject *type, PyObject *arguments, PyObject *named)
{
  static char *names[] = { "device", "threads", NULL };
  PyObject *given_device = NULL, *given_threads = NULL;
  int device = 0, n_threads = 0;
  if (!PyArg_ParseTupleAndKeywords (arguments, named, "|OO:Context", names, &given_device,
                                    &given_threads)
      || !take_device (given_device, &device) || !take_threads (given_threads, &n_threads))
    return NULL;
  fretsaw_context_options options = FRETSAW_CONTEXT_OPTIONS_INIT;
  options.n_threads = n_threads;
  options.device = DEVICES[device];
  fretsaw_error error;
  fretsaw_context *context = NULL;
  fretsaw_status status = fretsaw_context_new (&options, &context, &error);
  if (status != FRETSAW_OK)
    return fs_python_raise (status, &error);
  allocfunc allocate = (allocfunc)PyType_GetSlot (type, Py_tp_alloc);
  Context *self = (Context *)allocate (type, 0);
  if (!self) {
    fretsaw_context_free (context);
    return NULL;
  }
  self->context = context;
  self->device = device;
  self->n_threads = n_threads;
  return (PyObject *)self;
}

static void
context_dealloc (PyObject *self)
{
  fretsaw_context_free (((Context *)self)->context);
  fs_python_free_object (self);
}

static PyObject *
context_get_device (PyObject *self, void *data)
{
  return PyUnicode_FromString (fretsaw_context_get_device (((Context *)self)->context));
}

/* Copies, and contexts for other processes, are made anew. */
static PyObject *
context_reduce (PyObject *object, PyObject *unused)
{
  const Context *self = (Context *)object;
  return Py_BuildValue ("O(si)", Py_TYPE (object), DEVICES[self->device], self->n_threads);
}

static PyMethodDef methods[] = {
  { "__reduce__", context_reduce, METH_NOARGS, "For copies and pickles." },
  { NULL, NULL, 0, NULL },
};

static PyGetSetDef getters[] = {
  { "device", context_get_device, NULL, "The device in words.", NULL },
  { NULL, NULL, NULL, NULL, NULL },
};

static const char TEXT[] =
    "Context(device='cpu', threads=0)\n--\n\n"
    "The device and the threads of all objects that are made with it.\n\n"
    "device: 'cpu', 'cuda' or 'auto'. threads: how many a call may use at most; 0 means one for\n"
    "each processor. No result depends on either.\n\n"
    "Raises: InvalidError for other names and numbers, DeviceError where there is no such device.";

static PyType_Slot slots[] = {
  { Py_tp_new, context_new }, { Py_tp_dealloc, context_dealloc }, { Py_tp_methods, methods },
  { Py_tp_getset, getters },  { Py_tp_doc, (void *)TEXT },        { 0, NULL },
};

static PyType_Spec spec = {
  .name = "fretsaw.Context",
  .basicsize = sizeof (Context),
  .flags = Py_TPFLAGS_DEFAULT,
  .slots = slots,
};

PyObject *
fs_python_context_type (void)
{
  PyObject *type = PyType_FromSpec (&spec);
  context_type = (PyTypeObject *)type;
  return type;
}
