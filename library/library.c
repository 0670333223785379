/* SPDX-License-Identifier: MIT */
#include "library/library.h"

#include "solver/cuda/cuda_backend.h"
#include "solver/system/thread_limit.h"

#include <string.h>

/* --- Version --- */

G_STATIC_ASSERT (FRETSAW_VERSION == FS_PROJECT_VERSION);

int32_t
fretsaw_version (void)
{
  return FRETSAW_VERSION;
}

const char *
fretsaw_version_text (void)
{
  return G_STRINGIFY (FRETSAW_VERSION_MAJOR) "." G_STRINGIFY (
      FRETSAW_VERSION_MINOR) "." G_STRINGIFY (FRETSAW_VERSION_MICRO);
}

/* --- Errors --- */

const char *
fretsaw_status_text (fretsaw_status status)
{
  static const char *const texts[] = {
    [FRETSAW_OK] = "success",
    [FRETSAW_INVALID] = "invalid argument",
    [FRETSAW_UNSUPPORTED] = "not supported",
    [FRETSAW_MEMORY] = "not enough memory",
    [FRETSAW_CANCELLED] = "cancelled",
    [FRETSAW_DEVICE] = "device failed",
    [FRETSAW_FORMAT] = "wrong format",
    [FRETSAW_READ] = "cannot be read",
    [FRETSAW_UNPROVEN] = "certificate does not hold",
    [FRETSAW_BUSY] = "another call has not ended",
  };
  return (unsigned)status < G_N_ELEMENTS (texts) ? texts[status] : "unknown status";
}

static void
set_error (fretsaw_error *error, fretsaw_status status, const char *text)
{
  if (!error)
    return;
  error->status = status;
  g_strlcpy (error->text, text, sizeof error->text);
  const char *end;
  if (!g_utf8_validate (error->text, -1, &end)) /* cut within a character */
    error->text[end - error->text] = '\0';
}

fretsaw_status
fs_library_fail (fretsaw_error *error, fretsaw_status status, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  set_error (error, status, text);
  return status;
}

fretsaw_status
fs_library_take_error (fretsaw_error *error, GError *taken)
{
  fretsaw_status status =
      g_error_matches (taken, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY)      ? FRETSAW_MEMORY
      : g_error_matches (taken, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED) ? FRETSAW_CANCELLED
      : g_error_matches (taken, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND)   ? FRETSAW_DEVICE
      : g_error_matches (taken, FS_SOLVER_ERROR, FS_SOLVER_ERROR_UNPROVEN)  ? FRETSAW_UNPROVEN
                                                                            : FRETSAW_INVALID;
  set_error (error, status, taken->message);
  g_error_free (taken);
  return status;
}

/* --- Structs that begin with their size --- */

static size_t
read_size (const void *given)
{
  size_t size;
  memcpy (&size, given, sizeof size);
  return size;
}

static fretsaw_status
check_size (const void *given, const FsStructSize *size, fretsaw_error *error)
{
  size_t given_size = read_size (given);
  return given_size >= size->first_size
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_INVALID,
                                "%s.size is %zu; it must be sizeof of the struct, which is %zu",
                                size->name, given_size, size->size);
}

fretsaw_status
fs_library_take_struct (void *own, const FsStructSize *size, const void *given,
                        fretsaw_error *error)
{
  memset (own, 0, size->size);
  if (!given)
    return FRETSAW_OK;
  fretsaw_status status = check_size (given, size, error);
  if (status)
    return status;
  const uint8_t *bytes = given;
  size_t given_size = read_size (given);
  for (size_t i = size->size; i < given_size; i++)
    if (bytes[i] != 0)
      return fs_library_fail (error, FRETSAW_UNSUPPORTED,
                              "%s has a field that this version of the library, %s, does not know",
                              size->name, fretsaw_version_text ());
  memcpy (own, given, MIN (given_size, size->size));
  return FRETSAW_OK;
}

fretsaw_status
fs_library_check_result (const void *given, const FsStructSize *size, fretsaw_error *error)
{
  return given ? check_size (given, size, error) : FRETSAW_OK;
}

void
fs_library_give_struct (void *given, const void *own, size_t own_size)
{
  size_t given_size = read_size (given);
  memcpy ((uint8_t *)given + sizeof given_size, (const uint8_t *)own + sizeof given_size,
          MIN (given_size, own_size) - sizeof given_size);
}

void
fs_library_give_solution (fretsaw_solution *given, const FsSolution *solution, int64_t constant)
{
  if (!given)
    return;
  const fretsaw_solution own = { .energy = solution->energy + constant,
                                 .bound = solution->bound + constant,
                                 .exact = solution->exact };
  fs_library_give_struct (given, &own, sizeof own);
}

void
fs_library_give_certificate (fretsaw_certificate *given, const FsCertificate *certificate,
                             int64_t constant)
{
  const fretsaw_certificate own = { .feasible = certificate->feasible,
                                    .conserved = certificate->conserved,
                                    .canonical = certificate->canonical,
                                    .holds = certificate->holds,
                                    .energy = certificate->energy + constant,
                                    .bound = certificate->bound + constant };
  fs_library_give_struct (given, &own, sizeof own);
}

fretsaw_status
fs_library_check_pixels (int32_t width, int32_t height, fretsaw_error *error)
{
  if (width < 1 || height < 1)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "width and height are %d and %d; both must be 1 or more", width,
                            height);
  if ((uint64_t)width * (uint64_t)height > G_MAXINT32)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "%d × %d are more than %d pixels, the most there can be", width, height,
                            G_MAXINT32);
  return FRETSAW_OK;
}

fretsaw_status
fs_library_check_grid (int32_t width, int32_t height, int32_t *neighbours, fretsaw_error *error)
{
  fretsaw_status status = fs_library_check_pixels (width, height, error);
  if (status)
    return status;
  if (*neighbours == 0)
    *neighbours = FS_NEIGHBOURS_4;
  if (*neighbours != FS_NEIGHBOURS_4 && *neighbours != FS_NEIGHBOURS_8)
    return fs_library_fail (error, FRETSAW_INVALID, "neighbours is %d; it must be 4 or 8",
                            *neighbours);
  return FRETSAW_OK;
}

fretsaw_status
fs_library_check_pixel (uint32_t pixel, size_t i, const char *name, size_t n_pixels,
                        fretsaw_error *error)
{
  return pixel < n_pixels ? FRETSAW_OK
                          : fs_library_fail (error, FRETSAW_INVALID,
                                             "change %zu is of pixel %u; the %s has %zu pixels", i,
                                             pixel, name, n_pixels);
}

/* With more no product of a stride and a row's number fits into ptrdiff_t for sure. */
#define STRIDE_MAX ((ptrdiff_t)1 << 30)

fretsaw_status
fs_library_check_plane (const void *plane, ptrdiff_t *stride, size_t row, const char *name,
                        fretsaw_error *error)
{
  if (!plane)
    return fs_library_fail (error, FRETSAW_INVALID, "%s is NULL", name);
  if (*stride == 0)
    *stride = (ptrdiff_t)row;
  ptrdiff_t max = MAX (STRIDE_MAX, (ptrdiff_t)row);
  if (*stride < -max || *stride > max)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "the stride of %s is %td; it must be within ±%td elements", name,
                            *stride, max);
  if (ABS (*stride) < (ptrdiff_t)row)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "the stride of %s is %td; a row has %zu elements", name, *stride, row);
  return FRETSAW_OK;
}

/* --- Contexts --- */

static fretsaw_context *
new_context (void)
{
  fretsaw_context *context = g_new0 (fretsaw_context, 1);
  context->n_refs = 1;
  context->backend = &fs_backend_cpu;
  context->device = "cpu";
  return context;
}

fretsaw_context *
fs_library_ref_context (fretsaw_context *context)
{
  if (!context)
    return new_context ();
  g_atomic_int_inc (&context->n_refs);
  return context;
}

fretsaw_status
fretsaw_context_new (const fretsaw_context_options *options, fretsaw_context **context,
                     fretsaw_error *error)
{
  fretsaw_context_options own;
  fretsaw_status status =
      fs_library_take_struct (&own, FS_LIBRARY_STRUCT (fretsaw_context_options, device), options,
                              error);
  if (status)
    return status;
  if (!context)
    return fs_library_fail (error, FRETSAW_INVALID, "context is NULL");
  if (own.n_threads < 0)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "n_threads is %d; it must be 0, for one a processor, or more",
                            own.n_threads);
  const char *name = own.device ? own.device : "cpu";
  if (strcmp (name, "cpu") != 0 && strcmp (name, "cuda") != 0 && strcmp (name, "auto") != 0)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "device is “%.40s”; it must be cpu, cuda or auto", name);
  GError *failure = NULL;
  const FsBackend *backend = fs_backend_find (name, &failure);
  if (!backend)
    return fs_library_take_error (error, failure);
  *context = new_context ();
  (*context)->n_threads = own.n_threads;
  (*context)->backend = backend;
  (*context)->device = g_intern_string (name);
  return FRETSAW_OK;
}

void
fretsaw_context_free (fretsaw_context *context)
{
  if (context && g_atomic_int_dec_and_test (&context->n_refs))
    g_free (context);
}

const char *
fretsaw_context_get_device (const fretsaw_context *context)
{
  const FsBackend *backend = context ? context->backend : &fs_backend_cpu;
  const char *failure = backend == &fs_backend_cuda ? fs_cuda_notice () : NULL;
  return failure ? failure : fs_backend_get_device (backend);
}

/* --- Calls --- */

fretsaw_status
fs_library_begin (FsLibraryCall *call, void *object, const char *name, fretsaw_error *error)
{
  FsLibraryObject *own = object;
  if (!own)
    return fs_library_fail (error, FRETSAW_INVALID, "%s is NULL", name);
  if (!g_atomic_int_compare_and_exchange (&own->is_busy, FALSE, TRUE))
    return fs_library_fail (error, FRETSAW_BUSY, "another call with this %s has not ended", name);
  *call = (FsLibraryCall){ own, fs_thread_limit_set (own->context->n_threads) };
  return FRETSAW_OK;
}

void
fs_library_end (FsLibraryCall *call)
{
  if (!call->object)
    return;
  fs_thread_limit_set (call->previous_limit);
  g_atomic_int_set (&call->object->is_busy, FALSE);
}

fretsaw_status
fs_library_begin_with_list (FsLibraryCall *call, void *object, const char *name, const void *list,
                            size_t n, const char *list_name, fretsaw_error *error)
{
  fretsaw_status status = fs_library_begin (call, object, name, error);
  if (!status && n > 0 && !list)
    status = fs_library_fail (error, FRETSAW_INVALID, "%s is NULL", list_name);
  return status;
}

struct fretsaw_cancellation {
  FsCancelFlag is_cancelled;
};

fretsaw_cancellation *
fretsaw_cancellation_new (void)
{
  return g_try_new0 (fretsaw_cancellation, 1);
}

void
fretsaw_cancellation_free (fretsaw_cancellation *cancellation)
{
  g_free (cancellation);
}

void
fretsaw_cancellation_cancel (fretsaw_cancellation *cancellation)
{
  if (cancellation)
    atomic_store (&cancellation->is_cancelled, true);
}

void
fretsaw_cancellation_reset (fretsaw_cancellation *cancellation)
{
  if (cancellation)
    atomic_store (&cancellation->is_cancelled, false);
}

fretsaw_status
fs_library_take_progress (FsProgress *progress, const fretsaw_progress *given, fretsaw_error *error)
{
  fretsaw_progress own;
  fretsaw_status status =
      fs_library_take_struct (&own, FS_LIBRARY_STRUCT (fretsaw_progress, data), given, error);
  if (status)
    return status;
  *progress = (FsProgress){ .cancel = own.cancellation ? &own.cancellation->is_cancelled : NULL,
                            .report = own.report,
                            .user_data = own.data };
  if (fs_progress_is_cancelled (progress))
    return fs_library_fail (error, FRETSAW_CANCELLED, "cancelled before the call began");
  return FRETSAW_OK;
}

fretsaw_status
fs_library_begin_solve (FsLibraryCall *call, void *object, const char *name, FsProgress *progress,
                        const fretsaw_progress *given, const fretsaw_solution *solution,
                        fretsaw_error *error)
{
  fretsaw_status status = fs_library_begin (call, object, name, error);
  if (!status)
    status = fs_library_take_progress (progress, given, error);
  if (!status)
    status = fs_library_check_result (solution, FS_LIBRARY_STRUCT (fretsaw_solution, exact), error);
  return status;
}

fretsaw_status
fs_library_check_certify (gboolean is_solved, const char *name,
                          const fretsaw_certificate *certificate, fretsaw_error *error)
{
  if (!certificate)
    return fs_library_fail (error, FRETSAW_INVALID, "certificate is NULL");
  fretsaw_status status =
      fs_library_check_result (certificate, FS_LIBRARY_STRUCT (fretsaw_certificate, bound), error);
  if (!status && !is_solved)
    status = fs_library_fail (error, FRETSAW_INVALID,
                              "there is no cut to certify: solve the %s as it is now first", name);
  return status;
}
