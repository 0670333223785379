/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/span_cut.h"

#include "app/files/report_numbers.h"
#include "solver/graph/graph_solver.h"
#include "solver/system/checked_memory.h"

/* State read from a solved graph. */
typedef struct {
  uint8_t *labels;
  int64_t *excess;
  uint32_t *residual;
} State;

static void
state_clear (State *state)
{
  fs_memory_free (state->labels);
  fs_memory_free (state->excess);
  fs_memory_free (state->residual);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (State, state_clear)

static gboolean
refuse_span_memory (GError **error)
{
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                       "not enough memory to cut frames together");
  return FALSE;
}

static gboolean
state_init (State *state, const FsGraph *graph)
{
  state->labels = fs_memory_new (graph->n_nodes, sizeof *state->labels);
  state->excess = fs_memory_new (graph->n_nodes, sizeof *state->excess);
  state->residual = fs_memory_new (MAX (graph->n_edges, 1), sizeof *state->residual);
  return state->labels && state->excess && state->residual;
}

static gboolean
solve_span (FsFrameSpan *span, FsGraphSolver *solver, State *state, FsSequenceStep *step,
            GError **error)
{
  if (!fs_graph_solver_solve (solver, NULL, &step->solution, error)
      || !fs_graph_solver_read_state (solver, state->excess, state->residual, error))
    return FALSE;
  fs_graph_solver_read_mask (solver, state->labels);
  step->solution.energy = fs_frame_span_sum (span, state->labels);
  step->solution.bound += fs_frame_span_get_constant (span);
  step->solution.exact = step->solution.energy == step->solution.bound;
  return TRUE;
}

gboolean
fs_span_cut (FsFrameSpan *span, uint8_t *cut, FsSequenceStep *step, GError **error)
{
  g_return_val_if_fail (span && cut && step, FALSE);
  gint64 mark = g_get_monotonic_time ();
  g_auto (State) state = { 0 };
  FsGraph *graph = fs_frame_span_make_graph (span);
  if (!graph)
    return refuse_span_memory (error);
  step->n_initial = fs_frame_span_get_reused_flow (span);
  step->is_reused = step->n_initial > 0;
  step->n_span = graph->n_nodes;
  step->solution.exact = TRUE;
  if (graph->n_nodes == 0)
    return TRUE;
  if (!state_init (&state, graph))
    return refuse_span_memory (error);
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cpu, graph, error);
  step->change_us += fs_report_lap (&mark);
  if (!solver || !solve_span (span, solver, &state, step, error))
    return FALSE;
  fs_frame_span_read (span, state.labels, cut);
  fs_frame_span_reuse_flow (span, state.residual);
  step->solve_us = fs_report_lap (&mark);
  return TRUE;
}
