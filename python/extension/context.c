/* SPDX-License-Identifier: MIT */
#include "python/extension/types.h"
#include "python/extension/wrapper.h"

typedef struct {
  PyObject head;
  fretsaw_context *context;
} Context;

/* The module has one type of contexts. */
static PyTypeObject *context_type;

fretsaw_context *
fs_python_get_context (PyObject *object)
{
  if (object == Py_None)
    return NULL;
  if (PyObject_TypeCheck (object, context_type))
    return ((Context *)object)->context;
  PyErr_SetString (PyExc_TypeError, "context must be a fretsaw.Context or None");
  return NULL;
}

static PyObject *
context_new (PyTypeObject *type, PyObject *arguments, PyObject *named)
{
  static char *names[] = { "device", "threads", NULL };
  const char *device = "cpu";
  int n_threads = 0;
  if (!PyArg_ParseTupleAndKeywords (arguments, named, "|si:Context", names, &device, &n_threads))
    return NULL;
  fretsaw_context_options options = FRETSAW_CONTEXT_OPTIONS_INIT;
  options.n_threads = n_threads;
  options.device = device;
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
  { Py_tp_new, context_new },
  { Py_tp_dealloc, context_dealloc },
  { Py_tp_getset, getters },
  { Py_tp_doc, (void *)TEXT },
  { 0, NULL },
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
