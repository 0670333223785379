/* SPDX-License-Identifier: MIT */
#include "solver/expansion/expansion.h"

#include "solver/expansion/expansion_state.h"
#include "solver/expansion/label_move.h"
#include "solver/expansion/shared_fill.h"
#include "solver/expansion/start/dual_start.h"
#include "solver/system/checked_memory.h"

#include <string.h>
#include <time.h>

enum { REPORT_US = 4000 };

FsExpansion *
fs_expansion_new (const FsBackend *backend, const FsLabelProblem *problem,
                  const FsExpansionOptions *options, GError **error)
{
  g_return_val_if_fail (backend != NULL && problem != NULL && options != NULL, NULL);
  if (!fs_label_problem_validate (problem, error))
    return NULL;
  size_t n = fs_label_problem_n_pixels (problem);
  FsExpansion *expansion = g_new0 (FsExpansion, 1);
  expansion->problem = problem;
  expansion->reuses_cycles = !options->no_cycle_reuse;
  expansion->reuses_labels = options->label_reuse;
  expansion->coarse_first = options->coarse_first;
  expansion->max_cycles = options->max_cycles;
  expansion->shuffle = options->shuffle;
  expansion->run = (FsMoveRun){ .backend = backend,
                                .verify = options->verify,
                                .truncation = &expansion->truncation,
                                .maxflow = &expansion->maxflow,
                                .spare = &expansion->spare };
  expansion->duals.problem = problem;
  expansion->left_smoothness = -1;
  fs_label_order_init (&expansion->order, options->order, problem->n_labels);
  expansion->label_cut = g_new0 (FsMove *, problem->n_labels);
  expansion->unfolded = g_new0 (uint8_t, problem->n_labels);
  expansion->was_made = g_new0 (gboolean, problem->n_labels);
  expansion->was_answered = g_new0 (gboolean, problem->n_labels);
  expansion->n_data_known = g_new0 (guint, problem->n_labels);
  expansion->new_data = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  expansion->mask = fs_memory_new (n, 1);
  expansion->left = fs_memory_new (n, 1);
  if (fs_move_update_init (&expansion->update, problem) && expansion->mask != NULL
      && expansion->left != NULL) {
    expansion->device =
        fs_move_device_new (backend, problem, expansion->reuses_cycles, expansion->reuses_labels);
    if (fs_local_maxflow_init (&expansion->maxflow, n, error))
      return expansion;
    fs_expansion_free (expansion);
    return NULL;
  }
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for the labels of %d × %d pixels", problem->width,
               problem->height);
  fs_expansion_free (expansion);
  return NULL;
}

void
fs_expansion_free (FsExpansion *expansion)
{
  if (expansion == NULL)
    return;
  for (int label = 0; label < expansion->problem->n_labels; label++)
    fs_move_free (expansion->label_cut[label]);
  fs_move_free (expansion->scratch);
  fs_solver_free (expansion->spare);
  fs_move_device_free (expansion->device);
  fs_duals_clear (&expansion->duals);
  fs_base_clear (&expansion->base);
  fs_local_maxflow_clear (&expansion->maxflow);
  g_free (expansion->label_cut);
  g_free (expansion->unfolded);
  g_free (expansion->was_made);
  g_free (expansion->was_answered);
  g_free (expansion->n_data_known);
  g_array_unref (expansion->new_data);
  fs_move_update_clear (&expansion->update);
  fs_memory_free (expansion->mask);
  fs_memory_free (expansion->left);
  g_free (expansion);
}

size_t
fs_expansion_size_bytes (FsExpansion *expansion)
{
  size_t n = fs_label_problem_n_pixels (expansion->problem);
  size_t bytes = sizeof *expansion + (3 + fs_local_maxflow_pixel_bytes ()) * n
                 + fs_duals_size_bytes (&expansion->duals)
                 + fs_base_size_bytes (&expansion->base, expansion->problem);
  if (expansion->scratch != NULL)
    bytes += fs_move_size_bytes (expansion->scratch);
  if (expansion->spare != NULL)
    bytes += fs_solver_size_bytes (expansion->spare);
  if (expansion->device != NULL)
    bytes += fs_move_device_size_bytes (expansion->device);
  for (int label = 0; label < expansion->problem->n_labels; label++)
    if (expansion->label_cut[label] != NULL)
      bytes += fs_move_size_bytes (expansion->label_cut[label]);
  return bytes;
}

void
fs_expansion_change_data (FsExpansion *expansion, const uint32_t *pixels, size_t n)
{
  g_return_if_fail (expansion != NULL && (pixels != NULL || n == 0));
  fs_base_clear (&expansion->base);
  g_array_append_vals (expansion->new_data, pixels, (guint)n);
}

/* Goes on without the device, if there was one. */
static void
leave_device (FsExpansion *expansion)
{
  if (expansion->device != NULL)
    expansion->run.backend = &fs_backend_cpu;
  g_clear_pointer (&expansion->device, fs_move_device_free);
}

gboolean
fs_expansion_dual_start (FsExpansion *expansion, uint8_t *labels, int64_t *bound, GError **error)
{
  if (!fs_dual_start_supports (expansion->problem, error))
    return FALSE;
  if (fs_move_device_dual_start (expansion->device, expansion->new_data, labels, bound))
    return TRUE;
  leave_device (expansion);
  FsDuals *duals = expansion->reuses_cycles ? &expansion->duals : NULL;
  gboolean done = fs_dual_start (expansion->problem, labels, duals, bound, error);
  expansion->has_duals = done && duals != NULL;
  return done;
}

/* --- Cycles --- */

/* Whole cycles are made there; else one mask after another comes from there. */
static gboolean
runs_on_device (const FsExpansion *expansion)
{
  return expansion->device != NULL && expansion->device->is_metric && !expansion->run.verify;
}

static int64_t
processor_time_us (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void
count_move (FsExpansionResult *result, FsExpansionCycle *cycle, int64_t n_changed, int *n_idle)
{
  result->n_moves++;
  cycle->n_changed += n_changed;
  *n_idle = n_changed > 0 ? 0 : *n_idle + 1;
}

/* A fraction of one move, as one of the cycle. */
static void
report_cycle (double fraction, gpointer data)
{
  FsExpansion *expansion = data;
  expansion->reported_us = g_get_monotonic_time ();
  expansion->caller->report ((expansion->n_made + fraction) / expansion->order.n,
                             expansion->caller->user_data);
}

/* Short moves report nothing themselves. */
static void
report_move (FsExpansion *expansion, int n_made)
{
  expansion->n_made = n_made;
  if (expansion->caller->report && g_get_monotonic_time () - expansion->reported_us >= REPORT_US)
    report_cycle (0, expansion);
}

/* `n_idle`: how many moves in a row have changed nothing. */
static gboolean
make_moves (FsExpansion *expansion, uint8_t *labels, int *n_idle, FsExpansionResult *result,
            FsExpansionCycle *cycle, GError **error)
{
  for (int i = 0; i < expansion->order.n && *n_idle < expansion->problem->n_labels; i++) {
    int64_t n_changed = 0;
    report_move (expansion, i);
    if (!fs_progress_goes_on (expansion->run.progress, error))
      return FALSE;
    if (!fs_label_move_make (expansion, expansion->order.label[i], labels, &n_changed, error))
      return FALSE;
    count_move (result, cycle, n_changed, n_idle);
  }
  fs_move_update_know_energy (&expansion->update, labels);
  return TRUE;
}

/* The same on a device, where moves after the last one that counts find nothing new. */
static gboolean
make_moves_on_device (FsExpansion *expansion, int *n_idle, FsExpansionResult *result,
                      FsExpansionCycle *cycle, GError **error)
{
  FsMoveDevice *device = expansion->device;
  int n_labels = expansion->problem->n_labels;
  uint32_t n_changed[FS_LABELS_MAX];
  FsMoveOutcome outcome =
      fs_move_device_run (device, expansion->order.label, expansion->order.n,
                          expansion->run.progress, n_changed, &expansion->update.energy);
  for (int i = 0; outcome == FS_MOVE_DONE && i < expansion->order.n && *n_idle < n_labels; i++)
    count_move (result, cycle, n_changed[i], n_idle);
  expansion->update.is_energy_known = outcome == FS_MOVE_DONE;
  return fs_move_outcome_check (&expansion->is_lost, outcome, error);
}

static gboolean
run_cycle (FsExpansion *expansion, uint8_t *labels, int *n_idle, FsExpansionResult *result,
           GError **error)
{
  FsExpansionCycle cycle = { .time_us = -processor_time_us () };
  result->n_cycles++;
  if (expansion->order.is_drawn) /* the last moves were of some of the labels that come first now */
    *n_idle = 0;
  fs_label_order_draw (&expansion->order);
  gboolean done = runs_on_device (expansion)
                      ? make_moves_on_device (expansion, n_idle, result, &cycle, error)
                      : make_moves (expansion, labels, n_idle, result, &cycle, error);
  if (!done)
    return FALSE;
  fs_base_clear (&expansion->base);
  cycle.time_us += processor_time_us ();
  cycle.energy = expansion->update.energy.total;
  g_array_append_val (result->cycles, cycle);
  return TRUE;
}

static gboolean
may_go_on (const FsExpansion *expansion, const FsExpansionResult *result)
{
  return expansion->max_cycles == 0 || result->n_cycles < expansion->max_cycles;
}

/* All cycles over some of the labels, of which nothing is known after it. */
static gboolean
run_coarse_cycles (FsExpansion *expansion, uint8_t *labels, FsExpansionResult *result,
                   GError **error)
{
  int stride = expansion->coarse_first ? fs_label_order_coarsest (&expansion->order) : 1;
  for (; stride > 1 && may_go_on (expansion, result); stride /= 2) {
    int n_idle = 0;
    fs_label_order_begin (&expansion->order, stride);
    if (!run_cycle (expansion, labels, &n_idle, result, error))
      return FALSE;
  }
  return TRUE;
}

/* Only the data costs of the labels that the last run left can differ. */
static void
recall_energy (FsExpansion *expansion, const uint8_t *labels)
{
  FsMoveUpdate *update = &expansion->update;
  update->is_energy_known =
      expansion->left_smoothness >= 0
      && memcmp (expansion->left, labels, fs_label_problem_n_pixels (expansion->problem)) == 0;
  if (!update->is_energy_known)
    return;
  update->energy.data = fs_label_problem_data_energy (expansion->problem, labels);
  update->energy.smoothness = expansion->left_smoothness;
  update->energy.total = update->energy.data + update->energy.smoothness;
}

static gboolean
run_cycles (FsExpansion *expansion, uint8_t *labels, FsExpansionResult *result, GError **error)
{
  int n_idle = 0, n_labels = expansion->problem->n_labels;
  expansion->run.n_solves = 0;
  recall_energy (expansion, labels);
  fs_label_order_shuffle (&expansion->order, expansion->shuffle);
  gboolean done = run_coarse_cycles (expansion, labels, result, error);
  fs_label_order_begin (&expansion->order, 1);
  while (done && n_idle < n_labels && may_go_on (expansion, result))
    done = run_cycle (expansion, labels, &n_idle, result, error);
  result->converged = done && n_idle >= n_labels;
  return done;
}

/* The same with a device. Also of a run that was cancelled the labels are fetched. */
static gboolean
run_cycles_on_device (FsExpansion *expansion, uint8_t *labels, FsExpansionResult *result,
                      GError **error)
{
  FsMoveDevice *device = expansion->device;
  expansion->is_lost = FALSE;
  gboolean done =
      fs_move_outcome_check (&expansion->is_lost,
                             fs_move_device_begin (device, labels, expansion->new_data), error)
      && run_cycles (expansion, labels, result, error);
  if (!expansion->is_lost && runs_on_device (expansion))
    done = fs_move_outcome_check (&expansion->is_lost, fs_move_device_get_labels (device, labels),
                                  NULL)
           && done;
  expansion->run.n_solves = device->taken.n_cuts;
  result->device = device->taken;
  return done;
}

static void
begin_result (FsExpansionResult *result)
{
  *result = (FsExpansionResult){ .cycles = g_array_new (FALSE, FALSE, sizeof (FsExpansionCycle)) };
}

/* Goes on here without the device, as it began: with these labels. */
static gboolean
begin_again (FsExpansion *expansion, uint8_t *labels, FsExpansionResult *result, GError **error)
{
  memmove (labels, fs_move_device_start (expansion->device),
           fs_label_problem_n_pixels (expansion->problem));
  leave_device (expansion);
  fs_expansion_result_clear (result);
  begin_result (result);
  return run_cycles (expansion, labels, result, error);
}

static gboolean
run_anywhere (FsExpansion *expansion, uint8_t *labels, FsExpansionResult *result, GError **error)
{
  if (expansion->device == NULL)
    return run_cycles (expansion, labels, result, error);
  FsTruncation truncation = expansion->truncation;
  gboolean done = run_cycles_on_device (expansion, labels, result, error);
  if (expansion->is_lost) {
    expansion->truncation = truncation;
    done = begin_again (expansion, labels, result, error);
  }
  return done;
}

gboolean
fs_expansion_run (FsExpansion *expansion, uint8_t *labels, const FsProgress *progress,
                  FsExpansionResult *result, GError **error)
{
  g_return_val_if_fail (expansion != NULL && labels != NULL && result != NULL, FALSE);
  static const FsProgress silent;
  begin_result (result);
  expansion->caller = progress != NULL ? progress : &silent;
  expansion->progress = (FsProgress){ .cancel = expansion->caller->cancel,
                                      .report = expansion->caller->report ? report_cycle : NULL,
                                      .user_data = expansion };
  expansion->run.progress = &expansion->progress;
  expansion->reported_us = 0;
  gboolean done = run_anywhere (expansion, labels, result, error);
  result->n_solves = expansion->run.n_solves;
  result->truncation = expansion->truncation;
  if (!done) {
    expansion->left_smoothness = -1;
    return FALSE;
  }
  fs_move_update_know_energy (&expansion->update, labels);
  if (!runs_on_device (expansion)) {
    memcpy (expansion->left, labels, fs_label_problem_n_pixels (expansion->problem));
    expansion->left_smoothness = expansion->update.energy.smoothness;
  }
  result->energy = expansion->update.energy;
  return TRUE;
}

const FsBackend *
fs_expansion_get_backend (const FsExpansion *expansion)
{
  return expansion->run.backend;
}

void
fs_expansion_result_clear (FsExpansionResult *result)
{
  g_clear_pointer (&result->cycles, g_array_unref);
}
