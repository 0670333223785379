/* SPDX-License-Identifier: MIT */
#include "python/extension/buffers.h"
#include "python/extension/types.h"
#include "python/extension/wrapper.h"

#define N_LINKS 8

typedef struct {
  PyObject head;
  fretsaw_grid *grid;
  bool is_busy;
  int width, height;
  FsPythonBuffer links[N_LINKS]; /* while they are borrowed */
} Grid;

/* --- Making --- */

static PyObject *
get_item (PyObject *tuple, int i)
{
  return i < PyTuple_Size (tuple) ? PyTuple_GetItem (tuple, i) : NULL;
}

/* Planes of one shape and stride, from direction 0 on. */
static bool
take_links (Grid *self, fretsaw_grid_options *options, PyObject *links, PyObject *back)
{
  for (int i = 0; i < N_LINKS; i++) {
    PyObject *object = get_item (i < 4 ? links : back, i % 4);
    FsPythonBuffer *buffer = &self->links[i];
    if (!object)
      continue;
    if (!fs_python_take_plane (buffer, object, "links", FS_ELEMENTS_UINT16, false)
        || !fs_python_check_size (buffer, "links", options->height, options->width))
      return false;
    if (options->stride != 0 && buffer->stride != options->stride)
      return fs_python_refuse ("all planes must have the same distance of rows");
    options->stride = buffer->stride;
    (i < 4 ? options->nlink : options->nlink_back)[i % 4] = buffer->view.buf;
  }
  return true;
}

static bool
make_grid (Grid *self, fretsaw_context *context, const fretsaw_grid_options *options)
{
  FsPythonCall call;
  if (!fs_python_begin (&call, &self->is_busy))
    return false;
  return fs_python_end (&call, fretsaw_grid_new (context, options, &self->grid, &call.error));
}

static void
release_links (Grid *self)
{
  for (int i = 0; i < N_LINKS; i++)
    fs_python_release (&self->links[i]);
}

static bool
take_grid (Grid *self, PyObject *context, PyObject *tlink, PyObject *links, PyObject *back,
           fretsaw_grid_options *options)
{
  fretsaw_context *given = fs_python_get_context (context);
  FsPythonBuffer plane = { 0 };
  if (PyErr_Occurred () || !fs_python_take_plane (&plane, tlink, "tlink", FS_ELEMENTS_INT32, false))
    return false;
  bool is_made = false;
  if (plane.height > INT32_MAX || plane.width > INT32_MAX) {
    fs_python_refuse ("tlink: the shape is too large");
  } else {
    options->width = self->width = (int)plane.width;
    options->height = self->height = (int)plane.height;
    options->tlink = plane.view.buf;
    options->stride = plane.stride;
    is_made = take_links (self, options, links, back) && make_grid (self, given, options);
  }
  fs_python_release (&plane);
  if (!options->borrow)
    release_links (self);
  return is_made;
}

static PyObject *
grid_new (PyTypeObject *type, PyObject *arguments, PyObject *named)
{
  PyObject *context, *tlink, *links, *back;
  int neighbours, borrow, changes;
  if (!PyArg_ParseTuple (arguments, "OiOO!O!pp:Grid", &context, &neighbours, &tlink, &PyTuple_Type,
                         &links, &PyTuple_Type, &back, &borrow, &changes))
    return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot (type, Py_tp_alloc);
  Grid *self = (Grid *)allocate (type, 0);
  if (!self)
    return NULL;
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  options.neighbours = neighbours;
  options.borrow = borrow;
  options.changes_nlinks = changes;
  if (!take_grid (self, context, tlink, links, back, &options)) {
    Py_DECREF (self);
    return NULL;
  }
  return (PyObject *)self;
}

static void
grid_dealloc (PyObject *object)
{
  Grid *self = (Grid *)object;
  fretsaw_grid_free (self->grid);
  release_links (self);
  fs_python_free_object (object);
}

/* --- Solving --- */

static PyObject *
grid_solve (PyObject *object, PyObject *report)
{
  Grid *self = (Grid *)object;
  FsPythonCall call;
  if (!fs_python_begin_long (&call, &self->is_busy, report))
    return NULL;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_status status = fretsaw_grid_solve (self->grid, &call.progress, &solution, &call.error);
  return fs_python_end (&call, status) ? fs_python_give_solution (&solution) : NULL;
}

/* A plane of the grid's size, and the beginning of a call. */
static bool
begin_with_plane (Grid *self, FsPythonCall *call, FsPythonBuffer *plane, PyObject *object,
                  const char *name, FsElements elements, bool is_writable)
{
  if (!fs_python_take_plane (plane, object, name, elements, is_writable))
    return false;
  if (fs_python_check_size (plane, name, self->height, self->width)
      && fs_python_begin (call, &self->is_busy))
    return true;
  fs_python_release (plane);
  return false;
}

static PyObject *
end_with_buffer (FsPythonCall *call, fretsaw_status status, FsPythonBuffer *buffer)
{
  bool is_done = fs_python_end (call, status);
  fs_python_release (buffer);
  return is_done ? Py_NewRef (Py_None) : NULL;
}

static PyObject *
grid_read_mask (PyObject *object, PyObject *mask)
{
  Grid *self = (Grid *)object;
  FsPythonCall call;
  FsPythonBuffer plane;
  if (!begin_with_plane (self, &call, &plane, mask, "mask", FS_ELEMENTS_UINT8, true))
    return NULL;
  return end_with_buffer (
      &call, fretsaw_grid_get_mask (self->grid, plane.view.buf, plane.stride, &call.error), &plane);
}

static PyObject *
grid_get_energy (PyObject *object, PyObject *mask)
{
  Grid *self = (Grid *)object;
  FsPythonCall call;
  FsPythonBuffer plane;
  if (!begin_with_plane (self, &call, &plane, mask, "mask", FS_ELEMENTS_UINT8, false))
    return NULL;
  int64_t energy = 0;
  fretsaw_status status =
      fretsaw_grid_get_energy (self->grid, plane.view.buf, plane.stride, &energy, &call.error);
  bool is_done = fs_python_end (&call, status);
  fs_python_release (&plane);
  return is_done ? PyLong_FromLongLong (energy) : NULL;
}

static PyObject *
grid_certify (PyObject *object, PyObject *unused)
{
  Grid *self = (Grid *)object;
  FsPythonCall call;
  if (!fs_python_begin (&call, &self->is_busy))
    return NULL;
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_status status = fretsaw_grid_certify (self->grid, &certificate, &call.error);
  return fs_python_end (&call, status) ? fs_python_give_certificate (&certificate) : NULL;
}

/* --- Changes --- */

static PyObject *
grid_set_tlinks (PyObject *object, PyObject *tlink)
{
  Grid *self = (Grid *)object;
  FsPythonCall call;
  FsPythonBuffer plane;
  if (!begin_with_plane (self, &call, &plane, tlink, "tlink", FS_ELEMENTS_INT32, false))
    return NULL;
  return end_with_buffer (&call,
                          fretsaw_grid_set_tlinks (self->grid, plane.view.buf, plane.stride,
                                                   &call.error),
                          &plane);
}

/* Structs, and the beginning of a call. */
static bool
begin_with_structs (Grid *self, FsPythonCall *call, FsPythonBuffer *structs, PyObject *changes,
                    size_t bytes)
{
  if (!fs_python_take_structs (structs, changes, "changes", bytes))
    return false;
  if (fs_python_begin (call, &self->is_busy))
    return true;
  fs_python_release (structs);
  return false;
}

static PyObject *
grid_change_tlinks (PyObject *object, PyObject *changes)
{
  Grid *self = (Grid *)object;
  FsPythonCall call;
  FsPythonBuffer structs;
  if (!begin_with_structs (self, &call, &structs, changes, sizeof (fretsaw_tlink_change)))
    return NULL;
  fretsaw_status status =
      fretsaw_grid_change_tlinks (self->grid, structs.view.buf, (size_t)structs.n, &call.error);
  return end_with_buffer (&call, status, &structs);
}

static PyObject *
grid_change_nlinks (PyObject *object, PyObject *changes)
{
  Grid *self = (Grid *)object;
  FsPythonCall call;
  FsPythonBuffer structs;
  if (!begin_with_structs (self, &call, &structs, changes, sizeof (fretsaw_nlink_change)))
    return NULL;
  fretsaw_status status =
      fretsaw_grid_change_nlinks (self->grid, structs.view.buf, (size_t)structs.n, &call.error);
  return end_with_buffer (&call, status, &structs);
}

/* Planes are not read, only whether they are there. */
static PyObject *
grid_forecast (PyObject *unused, PyObject *arguments)
{
  static const uint16_t plane;
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  int has_back, borrow, changes;
  if (!PyArg_ParseTuple (arguments, "iiippp:forecast", &options.width, &options.height,
                         &options.neighbours, &has_back, &borrow, &changes))
    return NULL;
  options.nlink_back[0] = has_back ? &plane : NULL;
  options.borrow = borrow;
  options.changes_nlinks = changes;
  return PyLong_FromSize_t (fretsaw_grid_forecast_bytes (&options));
}

static PyMethodDef methods[] = {
  { "solve", grid_solve, METH_O, "solve(progress) -> (energy, bound, exact)" },
  { "read_mask", grid_read_mask, METH_O, "read_mask(out)" },
  { "get_energy", grid_get_energy, METH_O, "get_energy(mask) -> int" },
  { "certify", grid_certify, METH_NOARGS,
    "certify() -> (feasible, conserved, canonical, holds, energy, bound)" },
  { "set_tlinks", grid_set_tlinks, METH_O, "set_tlinks(tlink)" },
  { "change_tlinks", grid_change_tlinks, METH_O, "change_tlinks(structs)" },
  { "change_nlinks", grid_change_nlinks, METH_O, "change_nlinks(structs)" },
  { "forecast", grid_forecast, METH_VARARGS | METH_STATIC,
    "forecast(width, height, neighbours, has_back, borrow, changes) -> bytes" },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
  { Py_tp_new, grid_new },
  { Py_tp_dealloc, grid_dealloc },
  { Py_tp_methods, methods },
  { 0, NULL },
};

static PyType_Spec spec = {
  .name = "fretsaw._fretsaw.Grid",
  .basicsize = sizeof (Grid),
  .flags = Py_TPFLAGS_DEFAULT,
  .slots = slots,
};

PyObject *
fs_python_grid_type (void)
{
  return PyType_FromSpec (&spec);
}
