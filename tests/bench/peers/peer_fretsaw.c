/* SPDX-License-Identifier: MIT */
/* libfretsaw: grids, with PEER_BORROW without a copy of their n-links, and expansions. */
#include "peer.h"

#include "library/fretsaw.h"

static void
check (fretsaw_status status, const fretsaw_error *error)
{
  if (status != FRETSAW_OK)
    peer_fail (error->text);
}

static int64_t
cut (fretsaw_context *context, const PeerProblem *problem, uint8_t *mask)
{
  fretsaw_error error;
  fretsaw_grid *grid = NULL;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  options.width = problem->width;
  options.height = problem->height;
  options.neighbours = problem->neighbours;
  options.tlink = problem->data;
  for (int d = 0; d < problem->neighbours / 2; d++)
    options.nlink[d] = problem->nlink[d];
#ifdef PEER_BORROW
  options.borrow = true;
#endif
  check (fretsaw_grid_new (context, &options, &grid, &error), &error);
  peer_end_phase ("build");
  check (fretsaw_grid_solve (grid, NULL, &solution, &error), &error);
  peer_end_phase ("solve");
  check (fretsaw_grid_get_mask (grid, mask, 0, &error), &error);
  peer_end_phase ("read");
  if (!solution.exact)
    peer_fail ("the cut is not exact");
  return solution.bound;
}

static int64_t
label (fretsaw_context *context, const PeerProblem *problem, uint8_t *labels)
{
  fretsaw_error error;
  fretsaw_expansion *expansion = NULL;
  fretsaw_labelling labelling = FRETSAW_LABELLING_INIT;
  fretsaw_expansion_options options = FRETSAW_EXPANSION_OPTIONS_INIT;
  options.width = problem->width;
  options.height = problem->height;
  options.neighbours = problem->neighbours;
  options.n_labels = problem->n_labels;
  options.data = problem->data;
  options.labels_last = true;
  options.pair = FRETSAW_PAIR_TABLE;
  options.table = problem->table;
  for (int d = 0; d < problem->neighbours / 2; d++)
    options.weight[d] = problem->nlink[d];
  check (fretsaw_expansion_new (context, &options, &expansion, &error), &error);
  peer_end_phase ("build");
  check (fretsaw_expansion_run (expansion, labels, NULL, &labelling, &error), &error);
  peer_end_phase ("solve");
  peer_end_phase ("read");
  return labelling.energy;
}

int64_t
peer_run (const PeerProblem *problem, uint8_t *result)
{
  fretsaw_error error;
  fretsaw_context *context = NULL;
  fretsaw_context_options options = FRETSAW_CONTEXT_OPTIONS_INIT;
  options.n_threads = 1;
  check (fretsaw_context_new (&options, &context, &error), &error);
  return problem->n_labels > 0 ? label (context, problem, result) : cut (context, problem, result);
}
