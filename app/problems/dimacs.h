/* SPDX-License-Identifier: MIT */
/* Maximum-flow problems from files in the DIMACS format.   Layer: app.
 *
 * Only regular files are opened, and the memory that may be used is that of the machine
 * (app/files/free_memory.h); solver/graph/dimacs_text.h has the format.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_PROBLEMS_DIMACS_H
#define FS_APP_PROBLEMS_DIMACS_H

#include "solver/graph/dimacs_text.h"

G_BEGIN_DECLS

/* Errors: FS_DIMACS_ERROR, "FILE: line N: reason". */
FsDimacs *fs_dimacs_load (const char *path, GError **error);

G_END_DECLS

#endif
