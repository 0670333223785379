/* SPDX-License-Identifier: MIT */
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/graph/graph_backend.h"
#include "solver/graph/graph_cuda.h"
#include "solver/graph/graph_solver.h"
#include "solver/solver.h"

static gconstpointer
fail_unknown (const char *name, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND,
               "there is no backend named “%s”: use auto, cpu or cuda", name);
  return NULL;
}

const FsBackend *
fs_backend_find (const char *name, GError **error)
{
  g_return_val_if_fail (name != NULL, NULL);
  if (g_str_equal (name, "auto") || g_str_equal (name, fs_backend_cpu.name))
    return &fs_backend_cpu;
  if (g_str_equal (name, fs_backend_cuda.name))
    return fs_cuda_is_available (error) ? &fs_backend_cuda : NULL;
  return fail_unknown (name, error);
}

const char *
fs_backend_get_name (const FsBackend *backend)
{
  return backend->name;
}

const char *
fs_backend_get_device (const FsBackend *backend)
{
  return backend->device ();
}

const FsGraphBackend *
fs_graph_backend_find (const char *name, uint32_t n_nodes, uint32_t n_edges, GError **error)
{
  g_return_val_if_fail (name != NULL, NULL);
  if (g_str_equal (name, fs_graph_backend_cpu.name))
    return &fs_graph_backend_cpu;
  if (g_str_equal (name, "auto"))
    return fs_graph_cuda_is_worth (n_nodes, n_edges) && fs_graph_cuda_is_available (NULL)
               ? &fs_graph_backend_cuda
               : &fs_graph_backend_cpu;
  if (g_str_equal (name, fs_graph_backend_cuda.name))
    return fs_graph_cuda_is_available (error) ? &fs_graph_backend_cuda : NULL;
  return fail_unknown (name, error);
}

const char *
fs_graph_backend_get_name (const FsGraphBackend *backend)
{
  return backend->name;
}

const char *
fs_graph_backend_get_device (const FsGraphBackend *backend)
{
  return backend->device ();
}
