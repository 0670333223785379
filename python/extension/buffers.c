/* SPDX-License-Identifier: MIT */
#include "python/extension/buffers.h"

#include <string.h>

static const struct {
  const char *name, *formats;
  Py_ssize_t bytes;
} ELEMENTS[] = {
  [FS_ELEMENTS_UINT8] = { "uint8", "B?", 1 }, [FS_ELEMENTS_UINT16] = { "uint16", "H", 2 },
  [FS_ELEMENTS_INT32] = { "int32", "il", 4 }, [FS_ELEMENTS_UINT32] = { "uint32", "IL", 4 },
  [FS_ELEMENTS_INT64] = { "int64", "lq", 8 },
};

static bool
take (FsPythonBuffer *buffer, PyObject *object, const char *name, FsElements elements, int flags)
{
  memset (buffer, 0, sizeof *buffer);
  if (PyObject_GetBuffer (object, &buffer->view, flags | PyBUF_FORMAT) != 0)
    return false;
  buffer->is_held = true;
  const char *format = buffer->view.format ? buffer->view.format : "B";
  if (*format == '@' || *format == '=' || *format == '<')
    format++;
  if (strlen (format) == 1 && strchr (ELEMENTS[elements].formats, *format)
      && buffer->view.itemsize == ELEMENTS[elements].bytes)
    return true;
  fs_python_refuse_type ("%s: elements must be %s, and are '%s' in the buffer protocol", name,
                         ELEMENTS[elements].name, format);
  fs_python_release (buffer);
  return false;
}

/* A stride of rows in elements; rows of an empty array, or a single one, have none that matters. */
static bool
take_rows (FsPythonBuffer *buffer, const char *name, Py_ssize_t row_elements)
{
  const Py_buffer *view = &buffer->view;
  buffer->height = view->shape[0];
  buffer->width = view->shape[1];
  if (buffer->height < 1 || buffer->width < 1)
    return fs_python_refuse ("%s: the shape must have no zero", name);
  buffer->stride = buffer->height == 1 ? row_elements : view->strides[0] / view->itemsize;
  Py_ssize_t rest = buffer->height == 1 ? 0 : view->strides[0] % view->itemsize;
  ptrdiff_t size = buffer->stride < 0 ? -buffer->stride : buffer->stride;
  if (rest != 0 || size < row_elements)
    return fs_python_refuse ("%s: rows may not overlap, and must be whole elements apart", name);
  return true;
}

bool
fs_python_take_plane (FsPythonBuffer *buffer, PyObject *object, const char *name,
                      FsElements elements, bool is_writable)
{
  if (!take (buffer, object, name, elements, PyBUF_STRIDES | (is_writable ? PyBUF_WRITABLE : 0)))
    return false;
  const Py_buffer *view = &buffer->view;
  bool is_valid = true;
  if (view->ndim != 2)
    is_valid = fs_python_refuse ("%s: 2 dimensions are needed; there are %d", name, view->ndim);
  else if (view->shape[1] > 1 && view->strides[1] != view->itemsize)
    is_valid = fs_python_refuse ("%s: the elements of a row must be side by side", name);
  else
    is_valid = take_rows (buffer, name, view->shape[1]);
  if (!is_valid)
    fs_python_release (buffer);
  return is_valid;
}

bool
fs_python_take_pixels (FsPythonBuffer *buffer, PyObject *object, const char *name,
                       Py_ssize_t n_channels, bool is_writable)
{
  if (n_channels == 1)
    return fs_python_take_plane (buffer, object, name, FS_ELEMENTS_UINT8, is_writable);
  if (!take (buffer, object, name, FS_ELEMENTS_UINT8,
             PyBUF_STRIDES | (is_writable ? PyBUF_WRITABLE : 0)))
    return false;
  const Py_buffer *view = &buffer->view;
  bool is_valid = true;
  if (view->ndim != 3 || view->shape[2] != n_channels)
    is_valid = fs_python_refuse ("%s: the shape must be (height, width, %zd)", name, n_channels);
  else if (view->strides[2] != 1 || (view->shape[1] > 1 && view->strides[1] != n_channels))
    is_valid = fs_python_refuse ("%s: the bytes of a row must be side by side", name);
  else
    is_valid = take_rows (buffer, name, view->shape[1] * n_channels);
  if (!is_valid)
    fs_python_release (buffer);
  return is_valid;
}

bool
fs_python_take_list (FsPythonBuffer *buffer, PyObject *object, const char *name,
                     FsElements elements, bool is_writable)
{
  if (!take (buffer, object, name, elements, PyBUF_ND | (is_writable ? PyBUF_WRITABLE : 0)))
    return false;
  if (buffer->view.ndim == 1) {
    buffer->n = buffer->view.shape[0];
    return true;
  }
  fs_python_refuse ("%s: 1 dimension is needed; there are %d", name, buffer->view.ndim);
  fs_python_release (buffer);
  return false;
}

bool
fs_python_take_structs (FsPythonBuffer *buffer, PyObject *object, const char *name, size_t bytes)
{
  memset (buffer, 0, sizeof *buffer);
  if (PyObject_GetBuffer (object, &buffer->view, PyBUF_SIMPLE) != 0)
    return false;
  buffer->is_held = true;
  buffer->n = buffer->view.len / (Py_ssize_t)bytes;
  if (buffer->view.len % (Py_ssize_t)bytes == 0)
    return true;
  fs_python_refuse ("%s: elements of %zu bytes are needed", name, bytes);
  fs_python_release (buffer);
  return false;
}

bool
fs_python_check_size (const FsPythonBuffer *buffer, const char *name, Py_ssize_t height,
                      Py_ssize_t width)
{
  if (buffer->height == height && buffer->width == width)
    return true;
  return fs_python_refuse ("%s: the shape is (%zd, %zd); it must be (%zd, %zd)", name,
                           buffer->height, buffer->width, height, width);
}

void
fs_python_release (FsPythonBuffer *buffer)
{
  if (buffer->is_held)
    PyBuffer_Release (&buffer->view);
  buffer->is_held = false;
}
