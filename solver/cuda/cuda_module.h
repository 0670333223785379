/* SPDX-License-Identifier: MIT */
/* The module with the kernels, and the state of its device.   Layer: solver (CUDA backend).
 *
 * The file is looked up once, at first use: FRETSAW_CUDA_MODULE names another than the installed
 * one.
 *
 * Threads: safe, but for the test switches.
 */
#ifndef FS_SOLVER_CUDA_CUDA_MODULE_H
#define FS_SOLVER_CUDA_CUDA_MODULE_H

#include "solver/kernels/engine.h"
#include "solver/kernels/graph/graph_engine.h"
#include "solver/kernels/moves_engine.h"

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether the module and a device are there. Errors: BACKEND, with the reason. The first
 * call opens the module and the driver, which takes a moment. */
gboolean fs_cuda_is_available (GError **error);

/* FALSE where the module or every driver is missing. Cheap: opens neither. */
gboolean fs_cuda_may_be_there (void);

/* The driver's own line; "" where there is none, or on other systems. g_free. */
char *fs_cuda_driver_version (void);

/* The reason why a solver went on with the CPU; NULL: none had to. Static storage. */
const char *fs_cuda_notice (void);

/* The module's table with its device open; NULL where there is none. */
const FsEngineTable *fs_cuda_module_get (void);

/* The same for the engine of graphs. Errors: BACKEND, with the reason. */
const FsGraphEngineTable *fs_cuda_module_get_graph (GError **error);

/* Test switch: takes this for any graph's engine from now on, its device open. NULL: the module's
 * again. Forgets the notice. */
void fs_cuda_module_use_graph (const FsGraphEngineTable *table);

/* The same for expansion moves; NULL where there are none. */
const FsMovesTable *fs_cuda_module_get_moves (void);

/* Test switch: takes this for expansion moves from now on, its device open, beside a table that
 * fs_cuda_use_table() set. */
void fs_cuda_module_use_moves (const FsMovesTable *table);

/* The device in words, static storage. */
const char *fs_cuda_module_device (void);

/* Sets what fs_cuda_notice() returns. Only the first failure is recorded. */
void fs_cuda_module_set_notice (const FsEngineError *failure);

/* Test switch: solvers that are made from now on use this table, with `name` as their device. NULL:
 * the module's again. Forgets the notice. */
void fs_cuda_use_table (const FsEngineTable *table);

G_END_DECLS

#endif
