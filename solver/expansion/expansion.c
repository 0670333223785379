/* SPDX-License-Identifier: MIT */
#include "solver/expansion/expansion.h"

#include "solver/expansion/apply_move.h"
#include "solver/expansion/device.h"
#include "solver/expansion/order.h"
#include "solver/expansion/planes.h"
#include "solver/expansion/shared_fill.h"
#include "solver/expansion/start/dual_start.h"
#include "solver/system/checked_memory.h"

#include <string.h>
#include <time.h>

/* Above this share of changed pixels a cut is better made anew, and above this one looked through,
 * or made anew where duals know more than what other labels' cuts have left. */
enum { PIXELS_PER_UPDATE = 8, PIXELS_PER_FEW = 64 };

struct _FsExpansion {
  const FsLabelProblem *problem;
  FsExpansionOptions options;
  FsMoveRun run;
  FsTruncation truncation;
  FsLocalMaxflow maxflow;
  FsSolver *spare; /* that no label's cut needs now */
  FsDuals duals;
  gboolean has_duals;   /* of all labels, from before any move */
  FsBase base;          /* of the first cuts with them */
  FsMoveDevice *device; /* NULL: moves are made here */
  gboolean is_lost;     /* the device failed in this run */
  FsMove *scratch;      /* the cut of labels that have none of their own; NULL yet     */
  uint8_t *unfolded;    /* labels whose first cut's flow is in no duals yet, in order  */
  int n_unfolded;
  FsMove **kept;          /* [n_labels]: each label's own cut, or NULL                   */
  gboolean *was_made;     /* [n_labels]: the label's first move                          */
  gboolean *was_answered; /* [n_labels]: its cut was solved as it stands */
  GArray *new_data;       /* of uint32_t: pixels with other data costs, ever             */
  guint *n_data_known;    /* [n_labels]: how many of them the label's cut knows          */
  uint8_t *mask;
  uint8_t *left;           /* the labels that the last run left */
  int64_t left_smoothness; /* of them; −1: there was none       */
  FsMoveUpdate update;
  FsLabelOrder order;
};

static size_t
n_pixels (const FsExpansion *expansion)
{
  return fs_label_problem_n_pixels (expansion->problem);
}

FsExpansion *
fs_expansion_new (const FsBackend *backend, const FsLabelProblem *problem,
                  const FsExpansionOptions *options, GError **error)
{
  g_return_val_if_fail (backend != NULL && problem != NULL && options != NULL, NULL);
  if (!fs_label_problem_validate (problem, error))
    return NULL;
  FsExpansion *expansion = g_new0 (FsExpansion, 1);
  expansion->problem = problem;
  expansion->options = *options;
  expansion->run = (FsMoveRun){ .backend = backend,
                                .verify = options->verify,
                                .truncation = &expansion->truncation,
                                .maxflow = &expansion->maxflow,
                                .spare = &expansion->spare };
  expansion->duals.problem = problem;
  expansion->left_smoothness = -1;
  fs_label_order_init (&expansion->order, options->order, problem->n_labels);
  expansion->kept = g_new0 (FsMove *, problem->n_labels);
  expansion->unfolded = g_new0 (uint8_t, problem->n_labels);
  expansion->was_made = g_new0 (gboolean, problem->n_labels);
  expansion->was_answered = g_new0 (gboolean, problem->n_labels);
  expansion->n_data_known = g_new0 (guint, problem->n_labels);
  expansion->new_data = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  expansion->mask = fs_memory_new (n_pixels (expansion), 1);
  expansion->left = fs_memory_new (n_pixels (expansion), 1);
  if (fs_move_update_init (&expansion->update, problem) && expansion->mask != NULL
      && expansion->left != NULL) {
    expansion->device =
        fs_move_device_new (backend, problem, !options->no_cycle_reuse, options->label_reuse);
    if (fs_local_maxflow_init (&expansion->maxflow, n_pixels (expansion), error))
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
    fs_move_free (expansion->kept[label]);
  fs_move_free (expansion->scratch);
  fs_solver_free (expansion->spare);
  fs_move_device_free (expansion->device);
  fs_duals_clear (&expansion->duals);
  fs_base_clear (&expansion->base);
  fs_local_maxflow_clear (&expansion->maxflow);
  g_free (expansion->kept);
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
  size_t bytes = sizeof *expansion + (3 + fs_local_maxflow_pixel_bytes ()) * n_pixels (expansion)
                 + fs_duals_size_bytes (&expansion->duals)
                 + fs_base_size_bytes (&expansion->base, expansion->problem);
  if (expansion->scratch != NULL)
    bytes += fs_move_size_bytes (expansion->scratch);
  if (expansion->spare != NULL)
    bytes += fs_solver_size_bytes (expansion->spare);
  if (expansion->device != NULL)
    bytes += fs_move_device_size_bytes (expansion->device);
  for (int label = 0; label < expansion->problem->n_labels; label++)
    if (expansion->kept[label] != NULL)
      bytes += fs_move_size_bytes (expansion->kept[label]);
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
fs_expansion_start_chains (FsExpansion *expansion, uint8_t *labels, int64_t *bound, GError **error)
{
  const FsExpansionOptions *options = &expansion->options;
  if (!fs_chains_are_for (expansion->problem, error))
    return FALSE;
  if (fs_move_device_start_chains (expansion->device, expansion->new_data, labels, bound))
    return TRUE;
  leave_device (expansion);
  gboolean wants_duals = !options->no_cycle_reuse;
  FsDuals *duals = wants_duals ? &expansion->duals : NULL;
  gboolean done = fs_chains_start (expansion->problem, labels, duals, bound, error);
  expansion->has_duals = done && wants_duals;
  return done;
}

/* --- One move --- */

/* How many labels are new to a label's own cut. Those that are the label itself pull at nothing. */
typedef struct {
  size_t all, others;
} News;

static News
count_news (const FsExpansion *expansion, int label, const uint8_t *labels)
{
  const uint8_t *seen = expansion->kept[label]->seen;
  size_t n = n_pixels (expansion);
  News news = { 0 };
  for (size_t begin = 0; begin < n; begin += 4096)
    if (memcmp (labels + begin, seen + begin, MIN (4096, n - begin)) != 0)
      for (size_t p = begin; p < MIN (begin + 4096, n); p++) {
        news.all += labels[p] != seen[p];
        news.others += labels[p] != seen[p] && labels[p] != label;
      }
  return news;
}

/* Lists what is new to a label's own cut. */
static void
list_news (FsExpansion *expansion, int label, const uint8_t *labels)
{
  const uint8_t *seen = expansion->kept[label]->seen;
  size_t n = n_pixels (expansion);
  for (size_t begin = 0; begin < n; begin += 4096)
    if (memcmp (labels + begin, seen + begin, MIN (4096, n - begin)) != 0)
      for (size_t p = begin; p < MIN (begin + 4096, n); p++)
        if (labels[p] != seen[p])
          fs_move_update_add (&expansion->update, (uint32_t)p);
  for (guint i = expansion->n_data_known[label]; i < expansion->new_data->len; i++)
    fs_move_update_add (&expansion->update, g_array_index (expansion->new_data, uint32_t, i));
}

static gboolean
fold (FsExpansion *expansion, FsMove *move, GError **error)
{
  fs_base_clear (&expansion->base);
  fs_move_settle (move, &expansion->run);
  return fs_move_fold (move, &expansion->duals, error);
}

/* Many cycles end without a cut that is made anew, and duals are the largest of all planes: first
 * cuts wait until they are asked for. Who took a label then, the next cut has seen. */
static gboolean
fold_waiting (FsExpansion *expansion, const uint8_t *labels, GError **error)
{
  for (int i = 0; i < expansion->n_unfolded; i++) {
    FsMove *move = expansion->kept[expansion->unfolded[i]];
    const uint8_t *after =
        i + 1 < expansion->n_unfolded ? expansion->kept[expansion->unfolded[i + 1]]->seen : labels;
    fs_move_settle (move, &expansion->run);
    if (!fs_move_fold_taken (move, after, &expansion->duals, error))
      return FALSE;
  }
  expansion->n_unfolded = 0;
  return TRUE;
}

/* `pixels` are those whose data costs have changed. */
static gboolean
renew_own (FsExpansion *expansion, int label, const uint8_t *labels, const uint32_t *pixels,
           size_t n, GError **error)
{
  FsMove *move = expansion->kept[label];
  fs_base_clear (&expansion->base);
  if (!fold_waiting (expansion, labels, error))
    return FALSE;
  fs_move_settle (move, &expansion->run);
  return fs_move_renew (move, labels, &expansion->duals, pixels, n, &expansion->run, error);
}

static gboolean
update_with_solver (FsExpansion *expansion, int label, const uint8_t *labels, GError **error)
{
  const GArray *pixels = expansion->update.pixels;
  list_news (expansion, label, labels);
  gboolean done =
      fs_move_update (expansion->kept[label], labels, (const uint32_t *)(const void *)pixels->data,
                      pixels->len, &expansion->run, error);
  fs_move_update_forget (&expansion->update);
  return done;
}

static void
follow_few (FsExpansion *expansion, int label, const uint8_t *labels)
{
  const GArray *pixels = expansion->update.pixels;
  list_news (expansion, label, labels);
  fs_move_follow_few (expansion->kept[label], labels, (const uint32_t *)(const void *)pixels->data,
                      pixels->len, &expansion->run);
  fs_move_update_forget (&expansion->update);
}

static gboolean
update_own (FsExpansion *expansion, int label, const uint8_t *labels, gboolean *has_news,
            GError **error)
{
  FsMove *move = expansion->kept[label];
  News news = count_news (expansion, label, labels);
  guint n_known = expansion->n_data_known[label], n_new = expansion->new_data->len - n_known;
  const uint32_t *pixels = n_new ? &g_array_index (expansion->new_data, uint32_t, n_known) : NULL;
  size_t max = n_pixels (expansion) / (expansion->has_duals ? PIXELS_PER_FEW : PIXELS_PER_UPDATE);
  *has_news = news.all + n_new > 0;
  if (!*has_news)
    return TRUE;
  if (move->is_wide)
    fs_move_settle (move, &expansion->run);
  if (move->solver != NULL && news.all + n_new <= max)
    return update_with_solver (expansion, label, labels, error);
  if (news.others + n_new > max)
    return renew_own (expansion, label, labels, pixels, n_new, error);
  if (move->solver == NULL && news.all + n_new <= n_pixels (expansion) / PIXELS_PER_FEW) {
    follow_few (expansion, label, labels);
    return TRUE;
  }
  fs_move_settle (move, &expansion->run);
  fs_move_follow (move, labels, pixels, n_new, &expansion->run);
  return TRUE;
}

/* A label has a cut of its own where that can follow the labels. */
static FsMove *
make_move (FsExpansion *expansion, int label, const uint8_t *labels, GError **error)
{
  const FsExpansionOptions *options = &expansion->options;
  gboolean is_own = !options->no_cycle_reuse && fs_move_can_update (expansion->run.backend);
  FsMove **move = is_own ? &expansion->kept[label] : &expansion->scratch;
  FsDuals *duals = &expansion->duals;
  if (*move == NULL && (*move = fs_move_new (expansion->problem, &duals->reused, error)) == NULL)
    return NULL;
  FsMoveRun *run = &expansion->run;
  if (expansion->has_duals && fs_base_is_for (*move))
    return fs_base_fill (&expansion->base, *move, label, labels, duals, run, error) ? *move : NULL;
  gboolean reuses =
      expansion->has_duals
      || (expansion->was_made[label] ? !options->no_cycle_reuse : options->label_reuse);
  fs_move_fill (*move, label, labels, reuses ? duals : NULL, run);
  return *move;
}

/* Without news a cut would be what it was, which changed nothing: what it takes is news itself. */
static FsMove *
prepare_move (FsExpansion *expansion, int label, const uint8_t *labels, gboolean *has_news,
              GError **error)
{
  FsMove *move = expansion->kept[label];
  *has_news = TRUE;
  if (move == NULL)
    move = make_move (expansion, label, labels, error);
  else if (!update_own (expansion, label, labels, has_news, error))
    return NULL;
  expansion->n_data_known[label] = expansion->new_data->len;
  return move;
}

/* Keeps the flow of a cut that others come after. */
static gboolean
keep_flow (FsExpansion *expansion, int label, FsMove *move, GError **error)
{
  const FsExpansionOptions *options = &expansion->options;
  gboolean is_first = !expansion->was_made[label], is_own = move == expansion->kept[label];
  gboolean is_wanted = !options->no_cycle_reuse || (is_first && options->label_reuse);
  expansion->was_made[label] = TRUE;
  if (move->is_wide)
    fs_move_settle (move, &expansion->run);
  if (is_first && is_own && !options->label_reuse) {
    fs_move_settle (move, &expansion->run);
    expansion->unfolded[expansion->n_unfolded++] = (uint8_t)label;
    return TRUE;
  }
  return (is_own && !is_first) || !is_wanted || fold (expansion, move, error);
}

static int64_t
take_over (FsExpansion *expansion, int label, uint8_t *labels)
{
  return fs_move_update_apply (&expansion->update, expansion->mask, label, labels,
                               expansion->truncation.n > 0);
}

/* --- On a device --- */

static gboolean
refuse_cancelled (GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the cut was cancelled");
  return FALSE;
}

/* TRUE where a call on the device went well. */
static gboolean
heed (FsExpansion *expansion, FsMoveOutcome outcome, GError **error)
{
  expansion->is_lost |= outcome == FS_MOVE_LOST;
  return outcome == FS_MOVE_DONE || (outcome == FS_MOVE_CANCELLED && refuse_cancelled (error));
}

/* Whole cycles are made there; else one mask after another comes from there. */
static gboolean
runs_on_device (const FsExpansion *expansion)
{
  return expansion->device != NULL && expansion->device->is_metric && !expansion->options.verify;
}

/* The scratch cut, made here for what the device was asked. */
static gboolean
fill_scratch (FsExpansion *expansion, int label, const uint8_t *labels, FsMoveRun *run,
              GError **error)
{
  FsMove **move = &expansion->scratch;
  if (*move == NULL && (*move = fs_move_new (expansion->problem, NULL, error)) == NULL)
    return FALSE;
  fs_move_fill (*move, label, labels, NULL, run);
  return TRUE;
}

/* The first terms that were truncated are looked up here. */
static gboolean
note_truncated (FsExpansion *expansion, int label, const uint8_t *labels, int64_t n, GError **error)
{
  if (n > 0 && expansion->truncation.n == 0)
    return fill_scratch (expansion, label, labels, &expansion->run, error);
  expansion->truncation.n += n;
  return TRUE;
}

static gboolean
check_proposal (FsExpansion *expansion, int label, const uint8_t *labels, GError **error)
{
  FsTruncation unheard = { 0 };
  FsMoveRun run = expansion->run;
  run.backend = &fs_backend_cpu;
  run.truncation = &unheard;
  run.spare = NULL;
  return !run.verify
         || (fill_scratch (expansion, label, labels, &run, error)
             && fs_move_check (expansion->scratch, expansion->mask, &run, error));
}

static gboolean
expand_by_device (FsExpansion *expansion, int label, uint8_t *labels, int64_t *n_changed,
                  GError **error)
{
  gboolean is_new;
  int64_t n_truncated;
  FsMoveDevice *device = expansion->device;
  FsMoveOutcome outcome = fs_move_device_propose (device, label, expansion->run.progress,
                                                  expansion->mask, &n_truncated, &is_new);
  if (!heed (expansion, outcome, error) || !is_new)
    return !expansion->is_lost && outcome == FS_MOVE_DONE;
  if (!note_truncated (expansion, label, labels, n_truncated, error)
      || !check_proposal (expansion, label, labels, error))
    return FALSE;
  *n_changed = take_over (expansion, label, labels);
  return heed (expansion, fs_move_device_take (device, label, labels, expansion->mask), error);
}

/* --- One move of any kind --- */

static gboolean
expand_label (FsExpansion *expansion, int label, uint8_t *labels, int64_t *n_changed,
              GError **error)
{
  gboolean has_news, takes_any;
  if (expansion->device != NULL)
    return expand_by_device (expansion, label, labels, n_changed, error);
  FsMove *move = prepare_move (expansion, label, labels, &has_news, error);
  if (move == NULL)
    return FALSE;
  if (!has_news && expansion->was_answered[label])
    return TRUE;
  expansion->was_answered[label] = FALSE;
  if (!fs_move_solve (move, expansion->mask, &takes_any, &expansion->run, error)
      || !keep_flow (expansion, label, move, error))
    return FALSE;
  expansion->was_answered[label] = TRUE;
  *n_changed = takes_any ? take_over (expansion, label, labels) : 0;
  return TRUE;
}

/* --- Cycles --- */

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

/* `n_idle`: how many moves in a row have changed nothing. */
static gboolean
make_moves (FsExpansion *expansion, uint8_t *labels, int *n_idle, FsExpansionResult *result,
            FsExpansionCycle *cycle, GError **error)
{
  for (int i = 0; i < expansion->order.n && *n_idle < expansion->problem->n_labels; i++) {
    int64_t n_changed = 0;
    if (!expand_label (expansion, expansion->order.label[i], labels, &n_changed, error))
      return FALSE;
    count_move (result, cycle, n_changed, n_idle);
  }
  fs_move_update_know_energy (&expansion->update, labels);
  return TRUE;
}

/* The same on a device, where moves after the last one that counts find nothing new. */
static gboolean
make_moves_there (FsExpansion *expansion, int *n_idle, FsExpansionResult *result,
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
  return heed (expansion, outcome, error);
}

static gboolean
run_cycle (FsExpansion *expansion, uint8_t *labels, int *n_idle, FsExpansionResult *result,
           GError **error)
{
  FsExpansionCycle cycle = { .time_us = -processor_time_us () };
  result->n_cycles++;
  fs_label_order_draw (&expansion->order);
  gboolean done = runs_on_device (expansion)
                      ? make_moves_there (expansion, n_idle, result, &cycle, error)
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
  return expansion->options.max_cycles == 0 || result->n_cycles < expansion->options.max_cycles;
}

/* All cycles over some of the labels, of which nothing is known after it. */
static gboolean
run_coarse_cycles (FsExpansion *expansion, uint8_t *labels, FsExpansionResult *result,
                   GError **error)
{
  int stride = expansion->options.coarse_first ? fs_label_order_coarsest (&expansion->order) : 1;
  for (; stride > 1 && may_go_on (expansion, result); stride /= 2) {
    int n_idle = 0;
    fs_label_order_begin (&expansion->order, stride);
    if (!run_cycle (expansion, labels, &n_idle, result, error))
      return FALSE;
  }
  return TRUE;
}

/* Of the labels that the last run left here only data costs can be others. */
static void
recall_energy (FsExpansion *expansion, const uint8_t *labels)
{
  FsMoveUpdate *update = &expansion->update;
  update->is_energy_known = expansion->left_smoothness >= 0
                            && memcmp (expansion->left, labels, n_pixels (expansion)) == 0;
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
  fs_label_order_shuffle (&expansion->order, expansion->options.shuffle);
  gboolean done = run_coarse_cycles (expansion, labels, result, error);
  fs_label_order_begin (&expansion->order, 1);
  while (done && n_idle < n_labels && may_go_on (expansion, result))
    done = run_cycle (expansion, labels, &n_idle, result, error);
  result->converged = done && n_idle >= n_labels;
  return done;
}

/* The same with a device. Also of a run that was cancelled the labels are fetched. */
static gboolean
run_cycles_there (FsExpansion *expansion, uint8_t *labels, FsExpansionResult *result,
                  GError **error)
{
  FsMoveDevice *device = expansion->device;
  expansion->is_lost = FALSE;
  gboolean done =
      heed (expansion, fs_move_device_begin (device, labels, expansion->new_data), error)
      && run_cycles (expansion, labels, result, error);
  if (!expansion->is_lost && runs_on_device (expansion))
    done = heed (expansion, fs_move_device_get_labels (device, labels), NULL) && done;
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
  memmove (labels, fs_move_device_start (expansion->device), n_pixels (expansion));
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
  gboolean done = run_cycles_there (expansion, labels, result, error);
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
  expansion->run.progress = progress != NULL ? progress : &silent;
  gboolean done = run_anywhere (expansion, labels, result, error);
  fs_move_update_know_energy (&expansion->update, labels);
  if (!runs_on_device (expansion)) {
    memcpy (expansion->left, labels, n_pixels (expansion));
    expansion->left_smoothness = expansion->update.energy.smoothness;
  }
  result->energy = expansion->update.energy;
  result->n_solves = expansion->run.n_solves;
  result->truncation = expansion->truncation;
  return done;
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
