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

/* --- Structs that begin with their size --- */

/* Programs may have been compiled with the header of any version, so a caller's struct has at least
 * the first version's size. Fields are added behind that, not into its padding. */
typedef struct {
  const char *name;
  size_t size, first_size;
} FsStructSize;

/* `last`: the last field in the first version of the library that had the struct. */
#define FS_LIBRARY_STRUCT(type, last)                                                              \
  (&(const FsStructSize){ #type, sizeof (type), FS_LIBRARY_FIRST_SIZE (type, last) })
#define FS_LIBRARY_FIRST_SIZE(type, last)                                                          \
  ((offsetof (type, last) + sizeof (((type *)NULL)->last) + _Alignof(type) - 1) / _Alignof(type)   \
   * _Alignof(type))

/* Copies a struct into `own`; fields that it does not have are 0, and so are all of NULL. Errors:
 * INVALID; UNSUPPORTED where it has others, and they are not 0. */
fretsaw_status fs_library_take_struct (void *own, const FsStructSize *size, const void *given,
                                       fretsaw_error *error);

/* Checks the size of a struct for results, which may be NULL. Errors: INVALID. */
fretsaw_status fs_library_check_result (const void *given, const FsStructSize *size,
                                        fretsaw_error *error);

/* Copies the fields of `own`, of own_size bytes, that a checked struct for results has. */
void fs_library_give_struct (void *given, const void *own, size_t own_size);

void fs_library_give_solution (fretsaw_solution *given, const FsSolution *solution,
                               int64_t constant);
void fs_library_give_certificate (fretsaw_certificate *given, const FsCertificate *certificate,
                                  int64_t constant);

/* Checks width, height and their product. Errors: INVALID. */
fretsaw_status fs_library_check_pixels (int32_t width, int32_t height, fretsaw_error *error);

/* Checks a grid's width and height, and its neighbours, of which 0 becomes 4. Errors: INVALID. */
fretsaw_status fs_library_check_grid (int32_t width, int32_t height, int32_t *neighbours,
                                      fretsaw_error *error);

/* Checks the pixel of a list's i-th change to a `name` of n_pixels. Errors: INVALID. */
fretsaw_status fs_library_check_pixel (uint32_t pixel, size_t i, const char *name, size_t n_pixels,
                                       fretsaw_error *error);

/* Checks a plane's pointer and stride, and sets a stride of 0 to `row`, the elements of a row.
 * Errors: INVALID. */
fretsaw_status fs_library_check_plane (const void *plane, ptrdiff_t *stride, size_t row,
                                       const char *name, fretsaw_error *error);

/* --- Contexts and calls --- */

struct fretsaw_context {
  gint n_refs; /* atomic */
  int n_threads;
  const FsBackend *backend;
  const char *device; /* its name; static storage */
};

/* One more owner. A new context with all defaults for NULL. */
fretsaw_context *fs_library_ref_context (fretsaw_context *context);

/* The first field of every object's struct. */
typedef struct {
  fretsaw_context *context;
  gint is_busy; /* atomic: a call is under way */
} FsLibraryObject;

/* A call with an object, until it leaves its scope: the object is busy, and the limit of threads is
 * that of its context. */
typedef struct {
  FsLibraryObject *object; /* NULL: not begun */
  int previous_limit;
} FsLibraryCall;

/* `object` is a pointer to a struct that begins with FsLibraryObject, `name` its name in messages.
 * Errors: INVALID for NULL, BUSY. */
fretsaw_status fs_library_begin (FsLibraryCall *call, void *object, const char *name,
                                 fretsaw_error *error);
void fs_library_end (FsLibraryCall *call);
/* The same for a call with a list of n elements. */
fretsaw_status fs_library_begin_with_list (FsLibraryCall *call, void *object, const char *name,
                                           const void *list, size_t n, const char *list_name,
                                           fretsaw_error *error);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsLibraryCall, fs_library_end)

/* Errors: INVALID, UNSUPPORTED; CANCELLED where that has happened before. */
fretsaw_status fs_library_take_progress (FsProgress *progress, const fretsaw_progress *given,
                                         fretsaw_error *error);

/* Begins a solve: with progress, and `solution`, which may be NULL. Errors: those of
 * fs_library_begin and fs_library_take_progress. */
fretsaw_status fs_library_begin_solve (FsLibraryCall *call, void *object, const char *name,
                                       FsProgress *progress, const fretsaw_progress *given,
                                       const fretsaw_solution *solution, fretsaw_error *error);

/* Checks that there is a cut to certify, and a struct to certify it in. Errors: INVALID. */
fretsaw_status fs_library_check_certify (gboolean is_solved, const char *name,
                                         const fretsaw_certificate *certificate,
                                         fretsaw_error *error);

G_END_DECLS

#endif
