/* SPDX-License-Identifier: MIT */
#include "python/extension/buffers.h"
#include "python/extension/types.h"
#include "python/extension/wrapper.h"

typedef struct {
  PyObject head;
  fretsaw_photo *photo;
  bool is_busy;
  int width, height;
} Photo;

/* --- Making --- */

static Py_ssize_t
count_channels (int format)
{
  if (format == FRETSAW_GREY)
    return 1;
  return format == FRETSAW_RGB || format == FRETSAW_BGR ? 3 : 4;
}

static bool
make_photo (Photo *self, PyObject *context, PyObject *pixels, int format,
            const fretsaw_photo_options *options)
{
  fretsaw_context *given = fs_python_get_context (context);
  FsPythonBuffer buffer;
  if (PyErr_Occurred ()
      || !fs_python_take_pixels (&buffer, pixels, "image", count_channels (format), false))
    return false;
  FsPythonCall call;
  bool is_made = false;
  if (buffer.height > INT32_MAX || buffer.width > INT32_MAX) {
    fs_python_refuse ("image: the shape is too large");
  } else if (fs_python_begin (&call, &self->is_busy)) {
    fretsaw_image image = FRETSAW_IMAGE_INIT;
    image.width = self->width = (int)buffer.width;
    image.height = self->height = (int)buffer.height;
    image.pixels = buffer.view.buf;
    image.stride = buffer.stride;
    image.format = format;
    fretsaw_status status = fretsaw_photo_new (given, &image, options, &self->photo, &call.error);
    is_made = fs_python_end (&call, status);
  }
  fs_python_release (&buffer);
  return is_made;
}

static PyObject *
photo_new (PyTypeObject *type, PyObject *arguments, PyObject *named)
{
  PyObject *context, *pixels;
  int format, no_star, verify;
  fretsaw_photo_options options = FRETSAW_PHOTO_OPTIONS_INIT;
  if (!PyArg_ParseTuple (arguments, "OOiiidipp:Photo", &context, &pixels, &format, &options.model,
                         &options.neighbours, &options.smoothness, &options.n_iterations, &no_star,
                         &verify))
    return NULL;
  options.no_star = no_star;
  options.verify = verify;
  allocfunc allocate = (allocfunc)PyType_GetSlot (type, Py_tp_alloc);
  Photo *self = (Photo *)allocate (type, 0);
  if (!self)
    return NULL;
  if (!make_photo (self, context, pixels, format, &options)) {
    Py_DECREF (self);
    return NULL;
  }
  return (PyObject *)self;
}

static void
photo_dealloc (PyObject *self)
{
  fretsaw_photo_free (((Photo *)self)->photo);
  fs_python_free_object (self);
}

/* --- Calls with planes --- */

typedef fretsaw_status (*PlaneCall) (Photo *self, FsPythonCall *call, FsPythonBuffer *plane);

static PyObject *
call_with_plane (PyObject *object, PyObject *array, const char *name, bool is_writable,
                 PlaneCall work)
{
  Photo *self = (Photo *)object;
  FsPythonBuffer plane;
  FsPythonCall call;
  if (!fs_python_take_plane (&plane, array, name, FS_ELEMENTS_UINT8, is_writable))
    return NULL;
  bool is_done = fs_python_check_size (&plane, name, self->height, self->width)
                 && fs_python_begin (&call, &self->is_busy)
                 && fs_python_end (&call, work (self, &call, &plane));
  fs_python_release (&plane);
  return is_done ? Py_NewRef (Py_None) : NULL;
}

static fretsaw_status
set_labels (Photo *self, FsPythonCall *call, FsPythonBuffer *plane)
{
  return fretsaw_photo_set_labels (self->photo, plane->view.buf, plane->stride, &call->error);
}

static fretsaw_status
get_labels (Photo *self, FsPythonCall *call, FsPythonBuffer *plane)
{
  return fretsaw_photo_get_labels (self->photo, plane->view.buf, plane->stride, &call->error);
}

static fretsaw_status
get_mask (Photo *self, FsPythonCall *call, FsPythonBuffer *plane)
{
  return fretsaw_photo_get_mask (self->photo, plane->view.buf, plane->stride, &call->error);
}

static PyObject *
photo_set_labels (PyObject *self, PyObject *labels)
{
  return call_with_plane (self, labels, "labels", false, set_labels);
}

static PyObject *
photo_read_labels (PyObject *self, PyObject *labels)
{
  return call_with_plane (self, labels, "labels", true, get_labels);
}

static PyObject *
photo_read_mask (PyObject *self, PyObject *mask)
{
  return call_with_plane (self, mask, "mask", true, get_mask);
}

/* --- Strokes and guesses --- */

static PyObject *
photo_change_labels (PyObject *object, PyObject *changes)
{
  Photo *self = (Photo *)object;
  FsPythonBuffer structs;
  FsPythonCall call;
  if (!fs_python_take_structs (&structs, changes, "changes", sizeof (fretsaw_label_change)))
    return NULL;
  bool is_done =
      fs_python_begin (&call, &self->is_busy)
      && fs_python_end (&call, fretsaw_photo_change_labels (self->photo, structs.view.buf,
                                                            (size_t)structs.n, &call.error));
  fs_python_release (&structs);
  return is_done ? Py_NewRef (Py_None) : NULL;
}

static PyObject *
photo_paint (PyObject *object, PyObject *arguments)
{
  Photo *self = (Photo *)object;
  double x0, y0, x1, y1, radius;
  int label;
  FsPythonCall call;
  if (!PyArg_ParseTuple (arguments, "dddddi:paint", &x0, &y0, &x1, &y1, &radius, &label)
      || !fs_python_begin (&call, &self->is_busy))
    return NULL;
  fretsaw_status status =
      fretsaw_photo_paint (self->photo, x0, y0, x1, y1, radius, label, &call.error);
  return fs_python_end (&call, status) ? Py_NewRef (Py_None) : NULL;
}

static PyObject *
set_guess (Photo *self, const fretsaw_guess *guess)
{
  FsPythonCall call;
  if (!fs_python_begin (&call, &self->is_busy))
    return NULL;
  return fs_python_end (&call, fretsaw_photo_set_guess (self->photo, guess, &call.error))
             ? Py_NewRef (Py_None)
             : NULL;
}

static PyObject *
photo_set_guess (PyObject *object, PyObject *arguments)
{
  Photo *self = (Photo *)object;
  PyObject *array;
  int bits, is_found;
  if (!PyArg_ParseTuple (arguments, "Oip:set_guess", &array, &bits, &is_found))
    return NULL;
  if (array == Py_None)
    return set_guess (self, NULL);
  FsPythonBuffer plane;
  if (!fs_python_take_plane (&plane, array, "guess",
                             bits == 16 ? FS_ELEMENTS_UINT16 : FS_ELEMENTS_UINT8, false))
    return NULL;
  PyObject *result = NULL;
  if (plane.height > INT32_MAX || plane.width > INT32_MAX) {
    fs_python_refuse ("guess: the shape is too large");
  } else {
    fretsaw_guess guess = FRETSAW_GUESS_INIT;
    guess.width = (int)plane.width;
    guess.height = (int)plane.height;
    if (bits > 0)
      guess.probability = plane.view.buf;
    else
      guess.numbers = plane.view.buf;
    guess.stride = plane.stride;
    guess.bits = bits;
    guess.is_found = is_found;
    result = set_guess (self, &guess);
  }
  fs_python_release (&plane);
  return result;
}

/* --- Cuts --- */

typedef fretsaw_status (*CutFunc) (fretsaw_photo *photo, const fretsaw_progress *progress,
                                   fretsaw_solution *solution, fretsaw_error *error);

static PyObject *
cut (PyObject *object, PyObject *report, CutFunc func)
{
  Photo *self = (Photo *)object;
  FsPythonCall call;
  if (!fs_python_begin_long (&call, &self->is_busy, report))
    return NULL;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_status status = func (self->photo, &call.progress, &solution, &call.error);
  return fs_python_end (&call, status) ? fs_python_give_solution (&solution) : NULL;
}

static PyObject *
photo_update (PyObject *object, PyObject *report)
{
  return cut (object, report, fretsaw_photo_update);
}

static PyObject *
photo_finish (PyObject *object, PyObject *report)
{
  return cut (object, report, fretsaw_photo_finish);
}

static PyObject *
photo_separate (PyObject *object, PyObject *report)
{
  Photo *self = (Photo *)object;
  FsPythonCall call;
  return fs_python_begin_long (&call, &self->is_busy, report)
                 && fs_python_end (&call, fretsaw_photo_separate (self->photo, &call.progress,
                                                                  &call.error))
             ? Py_NewRef (Py_None)
             : NULL;
}

static PyObject *
photo_preview (PyObject *object, PyObject *arguments)
{
  Photo *self = (Photo *)object;
  PyObject *report, *mask;
  FsPythonBuffer plane;
  FsPythonCall call;
  if (!PyArg_ParseTuple (arguments, "OO:preview", &report, &mask)
      || !fs_python_take_plane (&plane, mask, "mask", FS_ELEMENTS_UINT8, true))
    return NULL;
  bool is_done =
      fs_python_check_size (&plane, "mask", self->height, self->width)
      && fs_python_begin_long (&call, &self->is_busy, report)
      && fs_python_end (&call, fretsaw_photo_preview (self->photo, &call.progress, plane.view.buf,
                                                      plane.stride, &call.error));
  fs_python_release (&plane);
  return is_done ? Py_NewRef (Py_None) : NULL;
}

/* --- The edge --- */

static bool
render (Photo *self, fretsaw_edge_options *options, int format, PyObject *out, PyObject *zones,
        PyObject *report)
{
  FsPythonBuffer pixels = { 0 }, plane = { 0 };
  FsPythonCall call;
  bool is_done = fs_python_take_pixels (&pixels, out, "out", count_channels (format), true)
                 && fs_python_check_size (&pixels, "out", self->height, self->width)
                 && (zones == Py_None
                     || (fs_python_take_plane (&plane, zones, "zones", FS_ELEMENTS_UINT8, false)
                         && fs_python_check_size (&plane, "zones", self->height, self->width)))
                 && fs_python_begin_long (&call, &self->is_busy, report);
  if (is_done) {
    options->zones = plane.is_held ? plane.view.buf : NULL;
    options->zones_stride = plane.stride;
    is_done = fs_python_end (&call, fretsaw_photo_render (self->photo, options, &call.progress,
                                                          (fretsaw_format)format, pixels.view.buf,
                                                          pixels.stride, &call.error));
  }
  fs_python_release (&plane);
  fs_python_release (&pixels);
  return is_done;
}

static PyObject *
photo_render (PyObject *self, PyObject *arguments)
{
  PyObject *report, *out, *zones;
  int format, keep_hidden;
  fretsaw_edge_options options = FRETSAW_EDGE_OPTIONS_INIT;
  if (!PyArg_ParseTuple (arguments, "OOiiiiiiiiOp:render", &report, &out, &format, &options.width,
                         &options.shift, &options.contrast, &options.smooth, &options.background,
                         &options.specks, &options.holes, &zones, &keep_hidden))
    return NULL;
  options.keep_hidden = keep_hidden;
  return render ((Photo *)self, &options, format, out, zones, report) ? Py_NewRef (Py_None) : NULL;
}

static PyObject *
photo_forecast (PyObject *unused, PyObject *arguments)
{
  int width, height, n_objects, with_updates;
  if (!PyArg_ParseTuple (arguments, "iiip:forecast", &width, &height, &n_objects, &with_updates))
    return NULL;
  return PyLong_FromSize_t (fretsaw_photo_forecast_bytes (width, height, n_objects, with_updates));
}

static PyMethodDef methods[] = {
  { "set_labels", photo_set_labels, METH_O, "set_labels(labels)" },
  { "change_labels", photo_change_labels, METH_O, "change_labels(structs)" },
  { "paint", photo_paint, METH_VARARGS, "paint(x0, y0, x1, y1, radius, label)" },
  { "set_guess", photo_set_guess, METH_VARARGS,
    "set_guess(plane, bits, is_found); 0 bits: numbers" },
  { "update", photo_update, METH_O, "update(progress) -> (energy, bound, exact)" },
  { "finish", photo_finish, METH_O, "finish(progress) -> (energy, bound, exact)" },
  { "separate", photo_separate, METH_O, "separate(progress)" },
  { "preview", photo_preview, METH_VARARGS, "preview(progress, out)" },
  { "read_labels", photo_read_labels, METH_O, "read_labels(out)" },
  { "read_mask", photo_read_mask, METH_O, "read_mask(out)" },
  { "render", photo_render, METH_VARARGS,
    "render(progress, out, format, width, shift, contrast, smooth, background, specks, holes, "
    "zones, "
    "keep_hidden)" },
  { "forecast", photo_forecast, METH_VARARGS | METH_STATIC,
    "forecast(width, height, n_objects, with_updates) -> bytes" },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
  { Py_tp_new, photo_new },
  { Py_tp_dealloc, photo_dealloc },
  { Py_tp_methods, methods },
  { 0, NULL },
};

static PyType_Spec spec = {
  .name = "fretsaw._fretsaw.Photo",
  .basicsize = sizeof (Photo),
  .flags = Py_TPFLAGS_DEFAULT,
  .slots = slots,
};

PyObject *
fs_python_photo_type (void)
{
  return PyType_FromSpec (&spec);
}
