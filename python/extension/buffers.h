/* SPDX-License-Identifier: MIT */
/* Arrays of Python as planes and lists, without copies.   Layer: python.
 *
 * Any object with a buffer serves; fretsaw's Python code hands over NumPy arrays that it has
 * checked, and what is checked here keeps memory safe. A buffer is held from taking to release.
 *
 * Threads: those that hold the interpreter's lock.
 */
#ifndef FS_PYTHON_BUFFERS_H
#define FS_PYTHON_BUFFERS_H

#include "python/extension/call.h"

typedef struct {
  Py_buffer view;
  bool is_held;
  Py_ssize_t height, width; /* of a plane                     */
  ptrdiff_t stride;         /* of rows, in elements           */
  Py_ssize_t n;             /* of a list                      */
} FsPythonBuffer;

/* Elements, as the buffer protocol writes them; long and long long are one type. */
typedef enum {
  FS_ELEMENTS_UINT8, /* bool, too */
  FS_ELEMENTS_UINT16,
  FS_ELEMENTS_INT32,
  FS_ELEMENTS_UINT32,
  FS_ELEMENTS_INT64
} FsElements;

/* A plane: two dimensions, elements of a row side by side. Returns false with an exception set. */
bool fs_python_take_plane (FsPythonBuffer *buffer, PyObject *object, const char *name,
                           FsElements elements, bool is_writable);

/* Pixels of n channels a byte each: three dimensions, or two for one channel. */
bool fs_python_take_pixels (FsPythonBuffer *buffer, PyObject *object, const char *name,
                            Py_ssize_t n_channels, bool is_writable);

/* A list: one dimension without gaps. */
bool fs_python_take_list (FsPythonBuffer *buffer, PyObject *object, const char *name,
                          FsElements elements, bool is_writable);

/* Any memory without gaps, as a list of structs of `bytes` each. */
bool fs_python_take_structs (FsPythonBuffer *buffer, PyObject *object, const char *name,
                             size_t bytes);

/* Checks a plane's size. Returns false with an exception set. */
bool fs_python_check_size (const FsPythonBuffer *buffer, const char *name, Py_ssize_t height,
                           Py_ssize_t width);

/* Releases what is held; a zeroed one holds nothing. */
void fs_python_release (FsPythonBuffer *buffer);

#endif
