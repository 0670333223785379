/* SPDX-License-Identifier: MIT */
/* Modules for test_cuda.c, one for each macro: without the symbol, of another version, without a
 * driver, and one whose device is found. */
#include "solver/kernels/engine.h"

#include <stdio.h>

#ifdef FS_MODULE_OLD
enum { VERSION = FS_ENGINE_VERSION - 1 };
#else
enum { VERSION = FS_ENGINE_VERSION };
#endif

static int
open_device (char *name, size_t name_bytes, FsEngineError *error)
{
#ifdef FS_MODULE_DRIVERLESS
  snprintf (error->text, sizeof error->text, "there is no driver");
  return FS_ENGINE_NO_DEVICE;
#else
  snprintf (name, name_bytes, "a device of the test");
  return FS_ENGINE_DONE;
#endif
}

#ifdef FS_MODULE_NAMELESS
#define fs_engine_cuda fs_engine_of_another_program
#endif

__attribute__ ((visibility ("default"))) FsEngineEntry fs_engine_cuda;

const FsEngineTable *
fs_engine_cuda (void)
{
  static const FsEngineTable table = { .version = VERSION, .open = open_device };
  return &table;
}
