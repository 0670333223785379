/* SPDX-License-Identifier: MIT */
#include "python/extension/buffers.h"
#include "python/extension/types.h"
#include "python/extension/wrapper.h"

#define N_DIRECTIONS 4

typedef struct {
  PyObject head;
  fretsaw_expansion *expansion;
  bool is_busy;
  int width, height, n_labels;
} Expansion;

/* The arrays of a new expansion. */
typedef struct {
  FsPythonBuffer data, table, weights[N_DIRECTIONS], order, present;
} Arrays;

static bool
take_weights (Arrays *arrays, fretsaw_expansion_options *options, PyObject *weights)
{
  for (int i = 0; i < N_DIRECTIONS && i < PyTuple_Size (weights); i++) {
    FsPythonBuffer *buffer = &arrays->weights[i];
    if (!fs_python_take_plane (buffer, PyTuple_GetItem (weights, i), "weights", FS_ELEMENTS_UINT16,
                               false)
        || !fs_python_check_size (buffer, "weights", options->height, options->width))
      return false;
    if (buffer->stride != options->width)
      return fs_python_refuse ("weights: rows must have no gaps between them");
    options->weight[i] = buffer->view.buf;
  }
  return true;
}

/* Lists of bytes, which may be None. */
static bool
take_bytes (FsPythonBuffer *buffer, PyObject *object, const char *name, long long n,
            const uint8_t **bytes)
{
  if (object == Py_None)
    return true;
  if (!fs_python_take_list (buffer, object, name, FS_ELEMENTS_UINT8, false))
    return false;
  if (buffer->n != n)
    return fs_python_refuse ("%s: there are %zd; %lld are needed", name, buffer->n, n);
  *bytes = buffer->view.buf;
  return true;
}

static bool
take_arrays (Arrays *arrays, fretsaw_expansion_options *options, PyObject *data, PyObject *table,
             PyObject *weights, PyObject *order, PyObject *present)
{
  long long n_pixels = (long long)options->width * options->height, n_labels = options->n_labels;
  if (options->width < 1 || options->height < 1 || n_pixels > INT32_MAX || n_labels < 1
      || n_labels > FRETSAW_LABELS_MAX)
    return fs_python_refuse ("%d by %d pixels and %d labels cannot be had", options->width,
                             options->height, options->n_labels);
  if (!fs_python_take_list (&arrays->data, data, "data", FS_ELEMENTS_INT32, false)
      || !fs_python_take_list (&arrays->table, table, "table", FS_ELEMENTS_INT32, false))
    return false;
  if (arrays->data.n != n_pixels * n_labels || arrays->table.n != n_labels * n_labels)
    return fs_python_refuse (
        "there are %zd data costs and %zd pair costs; %lld and %lld are needed", arrays->data.n,
        arrays->table.n, n_pixels * n_labels, n_labels * n_labels);
  options->data = arrays->data.view.buf;
  options->table = arrays->table.view.buf;
  options->pair = FRETSAW_PAIR_TABLE;
  options->labels_last = true;
  return take_bytes (&arrays->order, order, "order", n_labels, &options->order)
         && take_bytes (&arrays->present, present, "present", n_pixels, &options->present)
         && take_weights (arrays, options, weights);
}

static bool
make_expansion (Expansion *self, PyObject *context, const fretsaw_expansion_options *options)
{
  fretsaw_context *given = fs_python_get_context (context);
  FsPythonCall call;
  if (PyErr_Occurred () || !fs_python_begin (&call, &self->is_busy))
    return false;
  self->width = options->width;
  self->height = options->height;
  self->n_labels = options->n_labels;
  return fs_python_end (&call,
                        fretsaw_expansion_new (given, options, &self->expansion, &call.error));
}

static PyObject *
expansion_new (PyTypeObject *type, PyObject *arguments, PyObject *named)
{
  PyObject *context, *data, *table, *weights, *order, *present;
  int coarse_first, low_memory, verify;
  unsigned int shuffle;
  fretsaw_expansion_options options = FRETSAW_EXPANSION_OPTIONS_INIT;
  if (!PyArg_ParseTuple (arguments, "OiiiiOOO!ipppOIO:Expansion", &context, &options.width,
                         &options.height, &options.neighbours, &options.n_labels, &data, &table,
                         &PyTuple_Type, &weights, &options.max_cycles, &coarse_first, &low_memory,
                         &verify, &order, &shuffle, &present))
    return NULL;
  options.shuffle = shuffle;
  options.coarse_first = coarse_first;
  options.low_memory = low_memory;
  options.verify = verify;
  allocfunc allocate = (allocfunc)PyType_GetSlot (type, Py_tp_alloc);
  Expansion *self = (Expansion *)allocate (type, 0);
  if (!self)
    return NULL;
  Arrays arrays = { 0 };
  bool is_made = take_arrays (&arrays, &options, data, table, weights, order, present)
                 && make_expansion (self, context, &options);
  for (int i = 0; i < N_DIRECTIONS; i++)
    fs_python_release (&arrays.weights[i]);
  fs_python_release (&arrays.present);
  fs_python_release (&arrays.order);
  fs_python_release (&arrays.table);
  fs_python_release (&arrays.data);
  if (!is_made) {
    Py_DECREF (self);
    return NULL;
  }
  return (PyObject *)self;
}

static void
expansion_dealloc (PyObject *self)
{
  fretsaw_expansion_free (((Expansion *)self)->expansion);
  fs_python_free_object (self);
}

/* A label for each pixel, without gaps. */
static bool
take_labels (Expansion *self, FsPythonBuffer *buffer, PyObject *labels, bool is_writable)
{
  if (!fs_python_take_list (buffer, labels, "labels", FS_ELEMENTS_UINT8, is_writable))
    return false;
  if (buffer->n == (Py_ssize_t)self->width * self->height)
    return true;
  fs_python_refuse ("labels: there are %zd for %d by %d pixels", buffer->n, self->width,
                    self->height);
  fs_python_release (buffer);
  return false;
}

static PyObject *
expansion_start (PyObject *object, PyObject *labels)
{
  Expansion *self = (Expansion *)object;
  FsPythonBuffer buffer;
  FsPythonCall call;
  if (!take_labels (self, &buffer, labels, true))
    return NULL;
  int64_t bound = 0;
  bool is_done = fs_python_begin (&call, &self->is_busy)
                 && fs_python_end (&call, fretsaw_expansion_start (self->expansion, buffer.view.buf,
                                                                   &bound, &call.error));
  fs_python_release (&buffer);
  return is_done ? PyLong_FromLongLong (bound) : NULL;
}

static PyObject *
expansion_get_energy (PyObject *object, PyObject *labels)
{
  Expansion *self = (Expansion *)object;
  FsPythonBuffer buffer;
  FsPythonCall call;
  if (!take_labels (self, &buffer, labels, false))
    return NULL;
  int64_t data = 0, smoothness = 0;
  bool is_done =
      fs_python_begin (&call, &self->is_busy)
      && fs_python_end (&call, fretsaw_expansion_get_energy (self->expansion, buffer.view.buf,
                                                             &data, &smoothness, &call.error));
  fs_python_release (&buffer);
  return is_done ? Py_BuildValue ("LL", (long long)data, (long long)smoothness) : NULL;
}

static PyObject *
expansion_run (PyObject *object, PyObject *arguments)
{
  Expansion *self = (Expansion *)object;
  PyObject *labels, *report;
  FsPythonBuffer buffer;
  FsPythonCall call;
  if (!PyArg_ParseTuple (arguments, "OO:run", &labels, &report)
      || !take_labels (self, &buffer, labels, true))
    return NULL;
  fretsaw_labelling result = FRETSAW_LABELLING_INIT;
  bool is_done =
      fs_python_begin_long (&call, &self->is_busy, report)
      && fs_python_end (&call, fretsaw_expansion_run (self->expansion, buffer.view.buf,
                                                      &call.progress, &result, &call.error));
  fs_python_release (&buffer);
  if (!is_done)
    return NULL;
  return Py_BuildValue ("LLLNiLN", (long long)result.energy, (long long)result.data,
                        (long long)result.smoothness, PyBool_FromLong (result.converged),
                        (int)result.n_cycles, (long long)result.n_moves,
                        PyBool_FromLong (result.truncated));
}

static PyObject *
expansion_change_data (PyObject *object, PyObject *arguments)
{
  Expansion *self = (Expansion *)object;
  PyObject *pixels, *costs;
  FsPythonBuffer list = { 0 }, data = { 0 };
  FsPythonCall call;
  if (!PyArg_ParseTuple (arguments, "OO:change_data", &pixels, &costs))
    return NULL;
  bool is_done = fs_python_take_list (&list, pixels, "pixels", FS_ELEMENTS_UINT32, false)
                 && fs_python_take_list (&data, costs, "costs", FS_ELEMENTS_INT32, false);
  if (is_done && data.n != list.n * self->n_labels)
    is_done = fs_python_refuse ("costs: there are %zd for %zd pixels and %d labels", data.n, list.n,
                                self->n_labels);
  is_done = is_done && fs_python_begin (&call, &self->is_busy)
            && fs_python_end (&call, fretsaw_expansion_change_data (self->expansion, list.view.buf,
                                                                    (size_t)list.n, data.view.buf,
                                                                    &call.error));
  fs_python_release (&data);
  fs_python_release (&list);
  return is_done ? Py_NewRef (Py_None) : NULL;
}

/* Weights are not read, only whether they are there. */
static PyObject *
expansion_forecast (PyObject *unused, PyObject *arguments)
{
  static const uint16_t plane;
  fretsaw_expansion_options options = FRETSAW_EXPANSION_OPTIONS_INIT;
  int has_weights, low_memory;
  if (!PyArg_ParseTuple (arguments, "iiiipp:forecast", &options.width, &options.height,
                         &options.neighbours, &options.n_labels, &has_weights, &low_memory))
    return NULL;
  options.weight[0] = has_weights ? &plane : NULL;
  options.low_memory = low_memory;
  options.labels_last = true;
  return PyLong_FromSize_t (fretsaw_expansion_forecast_bytes (&options));
}

static PyMethodDef methods[] = {
  { "start", expansion_start, METH_O, "start(labels) -> bound" },
  { "get_energy", expansion_get_energy, METH_O, "get_energy(labels) -> (data, smoothness)" },
  { "run", expansion_run, METH_VARARGS,
    "run(labels, progress) -> (energy, data, smoothness, converged, cycles, moves, truncated)" },
  { "change_data", expansion_change_data, METH_VARARGS, "change_data(pixels, costs)" },
  { "forecast", expansion_forecast, METH_VARARGS | METH_STATIC,
    "forecast(width, height, neighbours, n_labels, has_weights, low_memory) -> bytes" },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
  { Py_tp_new, expansion_new },
  { Py_tp_dealloc, expansion_dealloc },
  { Py_tp_methods, methods },
  { 0, NULL },
};

static PyType_Spec spec = {
  .name = "fretsaw._fretsaw.Expansion",
  .basicsize = sizeof (Expansion),
  .flags = Py_TPFLAGS_DEFAULT,
  .slots = slots,
};

PyObject *
fs_python_expansion_type (void)
{
  return PyType_FromSpec (&spec);
}
