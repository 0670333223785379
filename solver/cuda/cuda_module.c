/* SPDX-License-Identifier: MIT */
#include "solver/cuda/cuda_module.h"

#include "solver/progress.h"

#include <dlfcn.h>
#include <string.h>

#define DRIVER_VERSION "/proc/driver/nvidia/version"

static struct {
  GMutex mutex;
  const FsEngineTable *table; /* NULL: not there */
  const FsEngineTable *test_table;
  const FsGraphEngineTable *graph, *test_graph; /* the former is opened with the table */
  const FsMovesTable *moves, *test_moves;
  gboolean is_tried;
  char device[128];
  char reason[512];
  const char *notice; /* atomic: who reads it must not wait for a driver that is being opened */
} module;

static const FsGraphEngineTable *
load_graph (void *handle)
{
  FsGraphEngineEntry *entry = NULL;
  *(void **)&entry = dlsym (handle, FS_GRAPH_ENGINE_SYMBOL);
  const FsGraphEngineTable *table = entry != NULL ? entry () : NULL;
  return table != NULL && table->version == FS_GRAPH_ENGINE_VERSION ? table : NULL;
}

static const FsMovesTable *
load_moves (void *handle)
{
  FsMovesEntry *entry = NULL;
  *(void **)&entry = dlsym (handle, FS_MOVES_SYMBOL);
  const FsMovesTable *table = entry != NULL ? entry () : NULL;
  return table != NULL && table->version == FS_MOVES_VERSION ? table : NULL;
}

/* A file that is there may still be cut short, or want a library that is not. */
static void
note_why_not_loaded (const char *path)
{
  const char *text = dlerror ();
  if (g_file_test (path, G_FILE_TEST_EXISTS) && text != NULL)
    g_snprintf (module.reason, sizeof module.reason, "its module cannot be loaded: %s", text);
  else
    g_strlcpy (module.reason, "its module is not installed", sizeof module.reason);
  /* Gives up the text, which a thread that ends while the process does would leave behind. */
  dlerror ();
}

/* The installed module, or the one that the environment names. */
static const char *
module_path (void)
{
  const char *named = g_getenv ("FRETSAW_CUDA_MODULE");
  return named != NULL ? named : FS_MODULE_DIR "/fretsaw-cuda.so";
}

static const FsEngineTable *
load_table (void)
{
  const char *path = module_path ();
  void *handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    note_why_not_loaded (path);
    return NULL;
  }
  FsEngineEntry *entry = NULL;
  *(void **)&entry = dlsym (handle, FS_ENGINE_SYMBOL);
  const FsEngineTable *table = entry != NULL ? entry () : NULL;
  if (table == NULL || table->version != FS_ENGINE_VERSION) {
    g_strlcpy (module.reason, "its module is of another version", sizeof module.reason);
    return NULL;
  }
  module.graph = load_graph (handle);
  module.moves = load_moves (handle);
  return table;
}

static const FsEngineTable *
open_table (const FsEngineTable *table)
{
  FsEngineError failure = { "" };
  if (table == NULL)
    return NULL;
  if (table->open (module.device, sizeof module.device, &failure) == FS_ENGINE_DONE)
    return table;
  g_strlcpy (module.reason, failure.text, sizeof module.reason);
  return NULL;
}

const FsEngineTable *
fs_cuda_module_get (void)
{
  g_mutex_lock (&module.mutex);
  if (!module.is_tried) {
    module.is_tried = TRUE;
    module.graph = NULL;
    module.table = open_table (module.test_table != NULL ? module.test_table : load_table ());
  }
  const FsEngineTable *table = module.table;
  g_mutex_unlock (&module.mutex);
  return table;
}

/* Nobody sets the test's while others ask. */
const FsGraphEngineTable *
fs_cuda_module_get_graph (GError **error)
{
  if (module.test_graph != NULL)
    return module.test_graph;
  if (!fs_cuda_is_available (error))
    return NULL;
  if (module.graph == NULL)
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND,
                 "the CUDA backend cannot be used: its module is of another version");
  return module.graph;
}

void
fs_cuda_module_use_graph (const FsGraphEngineTable *table)
{
  module.test_graph = table;
  g_atomic_pointer_set (&module.notice, NULL);
}

const FsMovesTable *
fs_cuda_module_get_moves (void)
{
  if (fs_cuda_module_get () == NULL)
    return NULL;
  return module.test_table != NULL ? module.test_moves : module.moves;
}

void
fs_cuda_module_use_moves (const FsMovesTable *table)
{
  module.test_moves = table;
  g_atomic_pointer_set (&module.notice, NULL);
}

gboolean
fs_cuda_is_available (GError **error)
{
  if (fs_cuda_module_get () != NULL)
    return TRUE;
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND,
               "the CUDA backend cannot be used: %s", module.reason);
  return FALSE;
}

/* The kernel's part of a driver: a PC's, Windows' for Linux, and that of boards. */
gboolean
fs_cuda_may_be_there (void)
{
  static const char *const drivers[] = { DRIVER_VERSION, "/dev/dxg", "/dev/nvhost-gpu" };
  g_mutex_lock (&module.mutex);
  gboolean is_there = module.test_table != NULL;
  g_mutex_unlock (&module.mutex);
  if (is_there || !g_file_test (module_path (), G_FILE_TEST_EXISTS))
    return is_there;
  for (guint i = 0; i < G_N_ELEMENTS (drivers) && !is_there; i++)
    is_there = g_file_test (drivers[i], G_FILE_TEST_EXISTS);
  return is_there;
}

char *
fs_cuda_driver_version (void)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents (DRIVER_VERSION, &text, NULL, NULL))
    return g_strdup ("");
  text[strcspn (text, "\n")] = '\0';
  return g_steal_pointer (&text);
}

const char *
fs_cuda_notice (void)
{
  return g_atomic_pointer_get (&module.notice);
}

void
fs_cuda_use_table (const FsEngineTable *table)
{
  g_mutex_lock (&module.mutex);
  module.test_table = table;
  module.is_tried = FALSE;
  g_atomic_pointer_set (&module.notice, NULL);
  g_mutex_unlock (&module.mutex);
}

const char *
fs_cuda_module_device (void)
{
  return fs_cuda_module_get () != NULL ? module.device : "no CUDA device";
}

void
fs_cuda_module_set_notice (const FsEngineError *failure)
{
  g_autofree char *text =
      g_strdup_printf ("the graphics processor failed (%s); the cut goes on with the processor",
                       failure->text);
  g_atomic_pointer_compare_and_exchange (&module.notice, NULL, g_intern_string (text));
}
