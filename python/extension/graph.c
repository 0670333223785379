/* SPDX-License-Identifier: MIT */
#include "python/extension/buffers.h"
#include "python/extension/types.h"
#include "python/extension/wrapper.h"

typedef struct {
  PyObject head;
  fretsaw_graph *graph;
  bool is_busy;
  uint32_t n_nodes, n_edges; /* read while another thread's call adds some */
} Graph;

/* --- Making --- */

static Graph *
allocate_graph (PyTypeObject *type)
{
  allocfunc allocate = (allocfunc)PyType_GetSlot (type, Py_tp_alloc);
  return (Graph *)allocate (type, 0);
}

static void
count (Graph *self)
{
  self->n_nodes = fretsaw_graph_count_nodes (self->graph);
  self->n_edges = fretsaw_graph_count_edges (self->graph);
}

static bool
make_graph (Graph *self, PyObject *context, uint32_t n_nodes)
{
  fretsaw_context *given = fs_python_get_context (context);
  FsPythonCall call;
  if (PyErr_Occurred () || !fs_python_begin (&call, &self->is_busy))
    return false;
  if (!fs_python_end (&call, fretsaw_graph_new (given, n_nodes, &self->graph, &call.error)))
    return false;
  count (self);
  return true;
}

static PyObject *
graph_new (PyTypeObject *type, PyObject *arguments, PyObject *named)
{
  PyObject *context;
  unsigned int n_nodes;
  if (!PyArg_ParseTuple (arguments, "OI:Graph", &context, &n_nodes))
    return NULL;
  Graph *self = allocate_graph (type);
  if (self && !make_graph (self, context, n_nodes)) {
    Py_DECREF (self);
    return NULL;
  }
  return (PyObject *)self;
}

static bool
read_dimacs (Graph *self, PyObject *context, PyObject *text, Py_ssize_t max_bytes)
{
  fretsaw_context *given = fs_python_get_context (context);
  FsPythonBuffer bytes;
  FsPythonCall call;
  if (PyErr_Occurred () || !fs_python_take_structs (&bytes, text, "text", 1))
    return false;
  bool is_made =
      fs_python_begin (&call, &self->is_busy)
      && fs_python_end (&call,
                        fretsaw_graph_read_dimacs (given, bytes.view.buf, (size_t)bytes.n,
                                                   (size_t)max_bytes, &self->graph, &call.error));
  fs_python_release (&bytes);
  if (is_made)
    count (self);
  return is_made;
}

static PyObject *
graph_read_dimacs (PyObject *type, PyObject *arguments)
{
  PyObject *context, *text;
  Py_ssize_t max_bytes;
  if (!PyArg_ParseTuple (arguments, "OOn:read_dimacs", &context, &text, &max_bytes))
    return NULL;
  if (max_bytes < 0) {
    fs_python_refuse ("max_bytes must not be negative");
    return NULL;
  }
  Graph *self = allocate_graph ((PyTypeObject *)type);
  if (self && !read_dimacs (self, context, text, max_bytes)) {
    Py_DECREF (self);
    return NULL;
  }
  return (PyObject *)self;
}

static void
graph_dealloc (PyObject *self)
{
  fretsaw_graph_free (((Graph *)self)->graph);
  fs_python_free_object (self);
}

/* --- Building and changing --- */

static PyObject *
graph_add_nodes (PyObject *object, PyObject *number)
{
  Graph *self = (Graph *)object;
  FsPythonCall call;
  unsigned long n = PyLong_AsUnsignedLong (number);
  if (PyErr_Occurred ())
    return NULL;
  if (n > FRETSAW_GRAPH_NODES_MAX) {
    fs_python_refuse ("%lu nodes are more than %d, the most there can be", n,
                      FRETSAW_GRAPH_NODES_MAX);
    return NULL;
  }
  if (!fs_python_begin (&call, &self->is_busy))
    return NULL;
  fretsaw_status status = fretsaw_graph_add_nodes (self->graph, (uint32_t)n, &call.error);
  bool is_done = fs_python_end (&call, status);
  if (is_done)
    count (self);
  return is_done ? Py_NewRef (Py_None) : NULL;
}

typedef fretsaw_status (*StructsCall) (fretsaw_graph *graph, const void *structs, size_t n,
                                       fretsaw_error *error);

static PyObject *
call_with_structs (PyObject *object, PyObject *array, size_t bytes, StructsCall work)
{
  Graph *self = (Graph *)object;
  FsPythonBuffer structs;
  FsPythonCall call;
  if (!fs_python_take_structs (&structs, array, "structs", bytes))
    return NULL;
  bool is_done = fs_python_begin (&call, &self->is_busy)
                 && fs_python_end (&call, work (self->graph, structs.view.buf, (size_t)structs.n,
                                                &call.error));
  fs_python_release (&structs);
  if (is_done)
    count (self);
  return is_done ? Py_NewRef (Py_None) : NULL;
}

static fretsaw_status
add_edges (fretsaw_graph *graph, const void *structs, size_t n, fretsaw_error *error)
{
  return fretsaw_graph_add_edges (graph, structs, n, error);
}

static fretsaw_status
change_tlinks (fretsaw_graph *graph, const void *structs, size_t n, fretsaw_error *error)
{
  return fretsaw_graph_change_tlinks (graph, structs, n, error);
}

static fretsaw_status
change_edges (fretsaw_graph *graph, const void *structs, size_t n, fretsaw_error *error)
{
  return fretsaw_graph_change_edges (graph, structs, n, error);
}

static PyObject *
graph_add_edges (PyObject *self, PyObject *structs)
{
  return call_with_structs (self, structs, sizeof (fretsaw_graph_edge), add_edges);
}

static PyObject *
graph_change_tlinks (PyObject *self, PyObject *structs)
{
  return call_with_structs (self, structs, sizeof (fretsaw_node_change), change_tlinks);
}

static PyObject *
graph_change_edges (PyObject *self, PyObject *structs)
{
  return call_with_structs (self, structs, sizeof (fretsaw_edge_change), change_edges);
}

static PyObject *
graph_count (PyObject *object, PyObject *unused)
{
  const Graph *self = (Graph *)object;
  return Py_BuildValue ("II", (unsigned int)self->n_nodes, (unsigned int)self->n_edges);
}

/* --- Solving --- */

static PyObject *
graph_solve (PyObject *object, PyObject *report)
{
  Graph *self = (Graph *)object;
  FsPythonCall call;
  if (!fs_python_begin_long (&call, &self->is_busy, report))
    return NULL;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_status status = fretsaw_graph_solve (self->graph, &call.progress, &solution, &call.error);
  return fs_python_end (&call, status) ? fs_python_give_solution (&solution) : NULL;
}

static PyObject *
graph_read_mask (PyObject *object, PyObject *mask)
{
  Graph *self = (Graph *)object;
  FsPythonBuffer list;
  FsPythonCall call;
  if (!fs_python_take_list (&list, mask, "mask", FS_ELEMENTS_UINT8, true))
    return NULL;
  bool is_done = false;
  if (list.n != (Py_ssize_t)self->n_nodes)
    fs_python_refuse ("mask: there are %zd for %u nodes", list.n, (unsigned int)self->n_nodes);
  else
    is_done =
        fs_python_begin (&call, &self->is_busy)
        && fs_python_end (&call, fretsaw_graph_get_mask (self->graph, list.view.buf, &call.error));
  fs_python_release (&list);
  return is_done ? Py_NewRef (Py_None) : NULL;
}

static PyObject *
graph_certify (PyObject *object, PyObject *unused)
{
  Graph *self = (Graph *)object;
  FsPythonCall call;
  if (!fs_python_begin (&call, &self->is_busy))
    return NULL;
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_status status = fretsaw_graph_certify (self->graph, &certificate, &call.error);
  return fs_python_end (&call, status) ? fs_python_give_certificate (&certificate) : NULL;
}

static PyObject *
graph_forecast (PyObject *unused, PyObject *arguments)
{
  unsigned int n_nodes, n_edges;
  if (!PyArg_ParseTuple (arguments, "II:forecast", &n_nodes, &n_edges))
    return NULL;
  return PyLong_FromSize_t (fretsaw_graph_forecast_bytes (n_nodes, n_edges));
}

static PyMethodDef methods[] = {
  { "read_dimacs", graph_read_dimacs, METH_VARARGS | METH_CLASS,
    "read_dimacs(context, bytes, max_bytes) -> Graph" },
  { "add_nodes", graph_add_nodes, METH_O, "add_nodes(n)" },
  { "add_edges", graph_add_edges, METH_O, "add_edges(structs)" },
  { "change_tlinks", graph_change_tlinks, METH_O, "change_tlinks(structs)" },
  { "change_edges", graph_change_edges, METH_O, "change_edges(structs)" },
  { "count", graph_count, METH_NOARGS, "count() -> (nodes, edges)" },
  { "solve", graph_solve, METH_O, "solve(progress) -> (energy, bound, exact)" },
  { "read_mask", graph_read_mask, METH_O, "read_mask(out)" },
  { "certify", graph_certify, METH_NOARGS,
    "certify() -> (feasible, conserved, canonical, holds, energy, bound)" },
  { "forecast", graph_forecast, METH_VARARGS | METH_STATIC, "forecast(n_nodes, n_edges) -> bytes" },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
  { Py_tp_new, graph_new },
  { Py_tp_dealloc, graph_dealloc },
  { Py_tp_methods, methods },
  { 0, NULL },
};

static PyType_Spec spec = {
  .name = "fretsaw._fretsaw.Graph",
  .basicsize = sizeof (Graph),
  .flags = Py_TPFLAGS_DEFAULT,
  .slots = slots,
};

PyObject *
fs_python_graph_type (void)
{
  return PyType_FromSpec (&spec);
}
