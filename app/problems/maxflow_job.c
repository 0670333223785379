/* SPDX-License-Identifier: MIT */
#include "app/problems/maxflow_job.h"

#include "app/backend/backend_choice.h"
#include "app/export/export.h"
#include "app/files/atomic_file.h"
#include "app/files/display_name.h"
#include "app/files/report_numbers.h"
#include "app/problems/dimacs.h"
#include "solver/graph/graph_solver.h"
#include "solver/system/checked_memory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 16, LINE_BYTES = 64 };

typedef struct {
  FsDimacs *dimacs;
  FsGraphSolver *solver;
  uint8_t *mask;
  int64_t constant; /* what flows in every case */
} Work;

static void
maxflow_work_clear (Work *work)
{
  fs_graph_solver_free (work->solver);
  fs_dimacs_free (work->dimacs);
  fs_memory_free (work->mask);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, maxflow_work_clear)

static gboolean
set_problem_error (GError **error, const char *reason)
{
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID, reason);
  return FALSE;
}

static gboolean
build_solver (Work *work, FsMaxflowResult *result, GError **error)
{
  FsDimacs *dimacs = work->dimacs;
  result->n_bytes = dimacs->graph.n_nodes * sizeof *dimacs->graph.tlink
                    + dimacs->n_arcs * sizeof *dimacs->graph.edges;
  if (!fs_graph_fold_terminals (&dimacs->graph, dimacs->source, dimacs->sink, &work->constant,
                                error))
    return FALSE;
  const FsGraphBackend *backend = fs_backend_choice_pick_graph (&dimacs->graph);
  work->solver = fs_graph_solver_new (backend, &dimacs->graph, error);
  work->mask = work->solver != NULL ? fs_memory_new (dimacs->graph.n_nodes, 1) : NULL;
  if (work->solver != NULL && work->mask == NULL)
    set_problem_error (error, "not enough memory for the cut");
  return work->mask != NULL;
}

static gboolean
cut_graph (Work *work, FsMaxflowResult *result, GError **error)
{
  if (!fs_graph_solver_solve (work->solver, NULL, &result->solution, error))
    return FALSE;
  if (!result->solution.exact)
    return set_problem_error (error, "the cut could not be proven minimal; nothing was written");
  fs_graph_solver_read_mask (work->solver, work->mask);
  result->flow = result->solution.bound + work->constant;
  result->n_bytes += fs_graph_solver_size_bytes (work->solver);
  /* The one that has done the work: not the one that was asked for where that has failed. */
  const FsGraphBackend *backend = fs_graph_solver_get_backend (work->solver);
  result->backend = fs_graph_backend_get_name (backend);
  result->device = fs_graph_backend_get_device (backend);
  uint32_t n_nodes = work->dimacs->graph.n_nodes;
  result->n_source_nodes = result->n_nodes - n_nodes; /* those without arcs */
  for (uint32_t v = 0; v < n_nodes; v++)
    result->n_source_nodes += work->mask[v];
  return TRUE;
}

static gboolean
verify (Work *work, FsMaxflowResult *result, GError **error)
{
  if (!fs_graph_solver_certify (work->solver, &result->certificate, error))
    return FALSE;
  return result->certificate.holds
         || set_problem_error (error, "the certificate does not hold; nothing was written");
}

/* The engine knows nothing of files: say which one its failure is about. */
static gboolean
solve_graph (Work *work, const FsMaxflowJob *job, FsMaxflowResult *result, GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  gboolean done = build_solver (work, result, error);
  result->build_us = fs_report_lap (&mark);
  done = done && cut_graph (work, result, error);
  result->cut_us = fs_report_lap (&mark);
  done = done && (!job->verify || verify (work, result, error));
  result->verify_us = fs_report_lap (&mark);
  if (done)
    return TRUE;
  g_autofree char *name = fs_display_name (job->problem);
  g_prefix_error (error, "%s: ", name);
  return FALSE;
}

/* The side of the file's node v; `at` runs along the graph's. Without arcs it reaches no deficit.
 */
static int
side_of (const Work *work, uint32_t v, uint32_t *at)
{
  const FsDimacs *dimacs = work->dimacs;
  if (dimacs->node == NULL)
    return work->mask[v];
  gboolean is_there = *at < dimacs->graph.n_nodes && dimacs->node[*at] == v;
  return is_there ? work->mask[(*at)++] : 1;
}

static gboolean
write_nodes (FsAtomicFile *file, const Work *work, uint32_t n_nodes, GError **error)
{
  g_autofree char *chunk = g_malloc (CHUNK_BYTES);
  gsize used = 0;
  uint32_t at = 0;
  for (uint32_t v = 0; v < n_nodes; v++) {
    used +=
        (gsize)g_snprintf (chunk + used, LINE_BYTES, "n %u %d\n", v + 1, side_of (work, v, &at));
    if (used + LINE_BYTES > CHUNK_BYTES || v + 1 == n_nodes) {
      if (!fs_atomic_file_write (file, chunk, used, error))
        return FALSE;
      used = 0;
    }
  }
  return TRUE;
}

static gboolean
write_cut (const Work *work, const FsMaxflowJob *job, const FsMaxflowResult *result, GError **error)
{
  g_autoptr (FsAtomicFile) file = fs_atomic_file_new (job->cut, error);
  if (file == NULL)
    return FALSE;
  g_autofree char *name = fs_display_name (job->problem);
  g_autofree char *head =
      g_strdup_printf ("c minimum cut of %s\ns %" G_GINT64_FORMAT "\n", name, result->flow);
  return fs_atomic_file_write (file, head, strlen (head), error)
         && write_nodes (file, work, result->n_nodes, error) && fs_atomic_file_commit (file, error);
}

static gboolean
write_maxflow_report (const FsMaxflowJob *job, const FsMaxflowResult *r, GError **error)
{
  json_t *report =
      json_pack ("{s:{s:I, s:I}, s:s, s:s, s:I, s:I, s:I, s:b, s:I, s:I}", "problem", "nodes",
                 (json_int_t)r->n_nodes, "arcs", (json_int_t)r->n_arcs, "backend", r->backend,
                 "device", r->device, "flow", (json_int_t)r->flow, "energy",
                 (json_int_t)r->solution.energy, "bound", (json_int_t)r->solution.bound, "exact",
                 r->solution.exact, "source_nodes", (json_int_t)r->n_source_nodes, "bytes",
                 (json_int_t)r->n_bytes);
  if (job->verify)
    json_object_set_new (report, "certificate",
                         json_pack ("{s:b, s:b, s:b, s:b}", "feasible", r->certificate.feasible,
                                    "conserved", r->certificate.conserved, "canonical",
                                    r->certificate.canonical, "holds", r->certificate.holds));
  json_object_set_new (report, "time_us",
                       json_pack ("{s:I, s:I, s:I, s:I, s:I, s:I}", "read", (json_int_t)r->read_us,
                                  "build", (json_int_t)r->build_us, "cut", (json_int_t)r->cut_us,
                                  "verify", (json_int_t)r->verify_us, "write",
                                  (json_int_t)r->write_us, "total", (json_int_t)r->total_us));
  char *text = json_dumps (report, JSON_INDENT (2));
  json_decref (report);
  g_autofree char *line = g_strconcat (text, "\n", NULL);
  free (text);
  return fs_export_write_text (job->report, line, -1, error);
}

gboolean
fs_maxflow_job_run (const FsMaxflowJob *job, FsMaxflowResult *result, GError **error)
{
  g_return_val_if_fail (job != NULL && job->problem != NULL && result != NULL, FALSE);
  *result = (FsMaxflowResult){ 0 };
  g_auto (Work) work = { 0 };
  gint64 start = g_get_monotonic_time (), mark = start;
  if (!fs_backend_choice_want (job->backend))
    return set_problem_error (error, "there is no such backend; nothing was written");
  const char *outputs[] = { job->cut, job->report };
  if (!fs_export_can_write (outputs, G_N_ELEMENTS (outputs), error))
    return FALSE;
  work.dimacs = fs_dimacs_load (job->problem, error);
  if (work.dimacs == NULL)
    return FALSE;
  result->n_nodes = work.dimacs->n_nodes;
  result->n_arcs = work.dimacs->n_arcs;
  result->read_us = fs_report_lap (&mark);
  if (!solve_graph (&work, job, result, error))
    return FALSE;
  fs_report_lap (&mark);
  if (job->cut != NULL && !write_cut (&work, job, result, error))
    return FALSE;
  result->write_us = fs_report_lap (&mark);
  result->total_us = g_get_monotonic_time () - start;
  return job->report == NULL || write_maxflow_report (job, result, error);
}
