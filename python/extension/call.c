/* SPDX-License-Identifier: MIT */
#include "python/extension/call.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOOK_US 20000

/* --- Errors --- */

static const char *const CLASSES[] = {
  [FRETSAW_OK] = "Error",
  [FRETSAW_INVALID] = "InvalidError",
  [FRETSAW_UNSUPPORTED] = "UnsupportedError",
  [FRETSAW_MEMORY] = "OutOfMemoryError",
  [FRETSAW_CANCELLED] = "CancelledError",
  [FRETSAW_DEVICE] = "DeviceError",
  [FRETSAW_FORMAT] = "FormatError",
  [FRETSAW_READ] = "ReadError",
  [FRETSAW_UNPROVEN] = "UnprovenError",
  [FRETSAW_BUSY] = "BusyError",
};
#define N_CLASSES ((int)(sizeof CLASSES / sizeof CLASSES[0]))

static PyObject *classes[N_CLASSES];
static PyObject *type_class;

static bool
take_class (PyObject *module, const char *name, PyObject **kept)
{
  PyObject *found = PyObject_GetAttrString (module, name);
  if (!found)
    return false;
  PyObject *former = *kept;
  *kept = found;
  Py_XDECREF (former);
  return true;
}

bool
fs_python_errors_init (void)
{
  PyObject *module = PyImport_ImportModule ("fretsaw.errors");
  if (!module)
    return false;
  bool are_taken = take_class (module, "ElementsError", &type_class);
  for (int i = 0; i < N_CLASSES && are_taken; i++)
    are_taken = take_class (module, CLASSES[i], &classes[i]);
  Py_DECREF (module);
  return are_taken;
}

PyObject *
fs_python_raise (fretsaw_status status, const fretsaw_error *error)
{
  int i = (int)status < N_CLASSES ? (int)status : 0;
  const char *text = error && error->text[0] ? error->text : fretsaw_status_text (status);
  PyErr_SetString (classes[i], text);
  return NULL;
}

bool
fs_python_refuse (const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  PyErr_FormatV (classes[FRETSAW_INVALID], format, arguments);
  va_end (arguments);
  return false;
}

bool
fs_python_refuse_type (const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  PyErr_FormatV (type_class, format, arguments);
  va_end (arguments);
  return false;
}

/* --- Calls --- */

static long long
now_us (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static bool
call_report (PyObject *report, double fraction)
{
  PyObject *result = PyObject_CallFunction (report, "d", fraction);
  Py_XDECREF (result);
  return result != NULL;
}

static atomic_bool is_exiting;
static pthread_t exiting_thread; /* set before is_exiting */

void
fs_python_note_exit (void)
{
  exiting_thread = pthread_self ();
  atomic_store (&is_exiting, true);
}

static bool
must_stay_outside (void)
{
  return atomic_load (&is_exiting) && !pthread_equal (pthread_self (), exiting_thread);
}

/* Signals are handled on the main thread; on others PyErr_CheckSignals does nothing. */
static void
look (double fraction, void *data)
{
  FsPythonCall *call = data;
  if (call->is_raised || now_us () < call->next_look_us)
    return;
  if (must_stay_outside ()) {
    fretsaw_cancellation_cancel (call->cancellation);
    return;
  }
  PyEval_RestoreThread (call->thread);
  if (PyErr_CheckSignals () != 0 || (call->report && !call_report (call->report, fraction))) {
    call->is_raised = true;
    fretsaw_cancellation_cancel (call->cancellation);
  }
  call->thread = PyEval_SaveThread ();
  call->next_look_us = now_us () + LOOK_US;
}

bool
fs_python_begin (FsPythonCall *call, bool *is_busy)
{
  if (*is_busy) {
    PyErr_SetString (classes[FRETSAW_BUSY], "another call of this object has not ended yet");
    return false;
  }
  memset (call, 0, sizeof *call);
  call->is_busy = is_busy;
  *is_busy = true;
  call->thread = PyEval_SaveThread ();
  return true;
}

bool
fs_python_begin_long (FsPythonCall *call, bool *is_busy, PyObject *report)
{
  if (report != Py_None && !PyCallable_Check (report))
    return fs_python_refuse_type ("progress must be callable with a fraction, or None");
  fretsaw_cancellation *cancellation = fretsaw_cancellation_new ();
  if (!cancellation) {
    PyErr_NoMemory ();
    return false;
  }
  if (!fs_python_begin (call, is_busy)) {
    fretsaw_cancellation_free (cancellation);
    return false;
  }
  call->cancellation = cancellation;
  call->report = report == Py_None ? NULL : report;
  call->progress = (fretsaw_progress)FRETSAW_PROGRESS_INIT;
  call->progress.cancellation = cancellation;
  call->progress.report = look;
  call->progress.data = call;
  call->next_look_us = now_us () + LOOK_US;
  return true;
}

bool
fs_python_end (FsPythonCall *call, fretsaw_status status)
{
  while (must_stay_outside ())
    pause ();
  PyEval_RestoreThread (call->thread);
  *call->is_busy = false;
  fretsaw_cancellation_free (call->cancellation);
  if (call->is_raised)
    return false;
  if (status != FRETSAW_OK)
    fs_python_raise (status, &call->error);
  return status == FRETSAW_OK;
}
