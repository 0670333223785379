/* SPDX-License-Identifier: MIT */
/* Contexts, errors, options and planes, for all that the library exports.   Layer: library.
 *
 * Threads: as fretsaw.h says.
 */
#ifndef FS_LIBRARY_LIBRARY_H
#define FS_LIBRARY_LIBRARY_H

#include "library/fretsaw.h"
#include "solver/graph/graph_solver.h"
#include "solver/progress.h"
#include "solver/solver.h"

G_BEGIN_DECLS

/* --- Errors --- */

/* Fills `error`, which may be NULL, and returns `status`. */
fretsaw_status fs_library_fail (fretsaw_error *error, fretsaw_status status, const char *format,
                                ...) G_GNUC_PRINTF (3, 4);

/* Fills `error` from an error of the engine, which is freed. */
fretsaw_status fs_library_take_error (fretsaw_error *error, GError *taken);

/* --- Options --- */

/* Copies a struct that begins with its size into `own`, of own_size bytes; NULL is a struct of
 * zeros. Errors: INVALID, UNSUPPORTED. */
fretsaw_status fs_library_take_struct (void *own, size_t own_size, const void *given,
                                       const char *name, fretsaw_error *error);

/* Checks the size of a struct for results, which may be NULL. Errors: INVALID. */
fretsaw_status fs_library_check_result (const void *given, size_t own_size, const char *name,
                                        fretsaw_error *error);

void fs_library_give_solution (fretsaw_solution *given, const FsSolution *solution,
                               int64_t constant);
void fs_library_give_certificate (fretsaw_certificate *given, const FsCertificate *certificate,
                                  int64_t constant);

/* Checks width, height and their product. Errors: INVALID. */
fretsaw_status fs_library_check_pixels (int32_t width, int32_t height, fretsaw_error *error);

/* Checks a plane's pointer and stride, and sets a stride of 0 to `row`, the elements of a row.
 * Errors: INVALID. */
fretsaw_status fs_library_check_plane (const void *plane, ptrdiff_t *stride, size_t row,
                                       const char *name, fretsaw_error *error);

/* --- Contexts and calls --- */

struct fretsaw_context {
  gint n_refs; /* atomic */
  int n_threads;
  gboolean is_auto;
  const FsBackend *backend;
  const char *device; /* its name; static storage */
};

/* One more owner. A new context with all defaults for NULL. */
fretsaw_context *fs_library_ref_context (fretsaw_context *context);

/* The limit of threads while a call runs: the context's, then the previous one again. */
typedef struct {
  int previous;
  gboolean is_set;
} FsLibraryCall;

FsLibraryCall fs_library_begin (const fretsaw_context *context);
void fs_library_end (FsLibraryCall *call);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsLibraryCall, fs_library_end)

/* Errors: INVALID, UNSUPPORTED; CANCELLED where that has happened before. */
fretsaw_status fs_library_take_progress (FsProgress *progress, const fretsaw_progress *given,
                                         fretsaw_error *error);

G_END_DECLS

#endif
