/* SPDX-License-Identifier: MIT */
/* The module with the kernels, and what became of its device.   Layer: solver (CUDA backend).
 *
 * The file is looked for once, when it is first asked for: FRETSAW_CUDA_MODULE names another than
 * the installed one.
 *
 * Threads: safe.
 */
#ifndef FS_SOLVER_CUDA_CUDA_MODULE_H
#define FS_SOLVER_CUDA_CUDA_MODULE_H

#include "solver/kernels/engine.h"
#include "solver/kernels/graph/graph_engine.h"
#include "solver/kernels/moves_engine.h"

#include <glib.h>

G_BEGIN_DECLS

/* The module's table with its device open; NULL where there is none. */
const FsEngineTable *fs_cuda_module_get (void);

/* The same of any graph's engine, with the reason. Errors: BACKEND. */
const FsGraphEngineTable *fs_cuda_module_get_graph (GError **error);

/* Test switch: takes this for any graph's engine from now on, its device open. NULL: the module's
 * again. Forgets the notice. */
void fs_cuda_module_use_graph (const FsGraphEngineTable *table);

/* The same of expansion moves; NULL where there are none. */
const FsMovesTable *fs_cuda_module_get_moves (void);

/* Test switch: takes this for expansion moves from now on, its device open, beside a table that
 * fs_cuda_use_table() set. */
void fs_cuda_module_use_moves (const FsMovesTable *table);

/* The device in words, static storage. */
const char *fs_cuda_module_device (void);

/* Keeps what fs_cuda_notice() tells. The first failure is the one that is told. */
void fs_cuda_module_keep_notice (const FsEngineError *failure);

G_END_DECLS

#endif
