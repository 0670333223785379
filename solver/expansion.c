/* SPDX-License-Identifier: MIT */
#include "solver/expansion.h"

#include "solver/checked_memory.h"

#include <string.h>
#include <time.h>

struct _FsExpansion {
  const FsLabelProblem *problem;
  FsExpansionOptions options;
  FsMoveRun run;
  FsTruncation truncation;
  FsMove **moves;      /* [n_labels]: each label's cut, or all the same one, or NULL yet   */
  FsMove *last;        /* the one that was solved last                                     */
  GArray *new_data;    /* of uint32_t: pixels with other data costs, ever                  */
  guint *n_data_known; /* [n_labels]: how many of them the label's cut knows               */
  uint8_t *mask;
  uint8_t *changed; /* [n]: 1 while a pixel is in `pixels` */
  GArray *pixels;   /* of uint32_t */
  int64_t energy;
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
                                .truncation = &expansion->truncation };
  expansion->moves = g_new0 (FsMove *, problem->n_labels);
  expansion->n_data_known = g_new0 (guint, problem->n_labels);
  expansion->new_data = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  expansion->pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  expansion->mask = fs_memory_new (n_pixels (expansion), 1);
  expansion->changed = fs_memory_new (n_pixels (expansion), 1);
  if (expansion->mask != NULL && expansion->changed != NULL) {
    memset (expansion->changed, 0, n_pixels (expansion));
    return expansion;
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
  if (expansion->options.no_cycle_reuse)
    fs_move_free (expansion->last);
  else
    for (int label = 0; label < expansion->problem->n_labels; label++)
      fs_move_free (expansion->moves[label]);
  g_free (expansion->moves);
  g_free (expansion->n_data_known);
  g_array_unref (expansion->new_data);
  g_array_unref (expansion->pixels);
  fs_memory_free (expansion->mask);
  fs_memory_free (expansion->changed);
  g_free (expansion);
}

size_t
fs_expansion_size_bytes (FsExpansion *expansion)
{
  size_t bytes = sizeof *expansion + 2 * n_pixels (expansion);
  if (expansion->options.no_cycle_reuse)
    return bytes + (expansion->last != NULL ? fs_move_size_bytes (expansion->last) : 0);
  for (int label = 0; label < expansion->problem->n_labels; label++)
    if (expansion->moves[label] != NULL)
      bytes += fs_move_size_bytes (expansion->moves[label]);
  return bytes;
}

void
fs_expansion_change_data (FsExpansion *expansion, const uint32_t *pixels, size_t n)
{
  g_return_if_fail (expansion != NULL && (pixels != NULL || n == 0));
  g_array_append_vals (expansion->new_data, pixels, (guint)n);
}

void
fs_expansion_start_cheapest (const FsLabelProblem *problem, uint8_t *labels)
{
  size_t n = fs_label_problem_n_pixels (problem);
  memset (labels, 0, n);
  for (int label = 1; label < problem->n_labels; label++)
    for (size_t p = 0; p < n; p++)
      if (problem->data[(size_t)label * n + p] < problem->data[labels[p] * n + p])
        labels[p] = (uint8_t)label;
}

/* --- One move --- */

static void
add_pixel (FsExpansion *expansion, uint32_t p)
{
  if (expansion->changed[p])
    return;
  expansion->changed[p] = 1;
  g_array_append_val (expansion->pixels, p);
}

static void
forget_pixels (FsExpansion *expansion)
{
  const uint32_t *pixels = (const uint32_t *)(void *)expansion->pixels->data;
  for (guint i = 0; i < expansion->pixels->len; i++)
    expansion->changed[pixels[i]] = 0;
  g_array_set_size (expansion->pixels, 0);
}

/* Lists what is new to a label's cut. */
static void
list_news (FsExpansion *expansion, int label, const uint8_t *labels)
{
  const FsMove *move = expansion->moves[label];
  const uint32_t *data = (const uint32_t *)(void *)expansion->new_data->data;
  size_t n = n_pixels (expansion);
  for (size_t begin = 0; begin < n; begin += 4096)
    if (memcmp (labels + begin, move->seen + begin, MIN (4096, n - begin)) != 0)
      for (size_t p = begin; p < MIN (begin + 4096, n); p++)
        if (labels[p] != move->seen[p])
          add_pixel (expansion, (uint32_t)p);
  for (guint i = expansion->n_data_known[label]; i < expansion->new_data->len; i++)
    add_pixel (expansion, data[i]);
}

static gboolean
update_move (FsExpansion *expansion, int label, const uint8_t *labels, GError **error)
{
  list_news (expansion, label, labels);
  gboolean done = fs_move_update (expansion->moves[label], labels,
                                  (const uint32_t *)(void *)expansion->pixels->data,
                                  expansion->pixels->len, &expansion->run, error);
  forget_pixels (expansion);
  return done;
}

/* Makes a label's cut where it has none: its own, or with nothing kept the one that there is. */
static gboolean
make_move (FsExpansion *expansion, int label, const uint8_t *labels, GError **error)
{
  FsMove *from = expansion->last, *move = from;
  if (from == NULL || !expansion->options.no_cycle_reuse)
    move = fs_move_new (expansion->problem, error);
  if (move == NULL)
    return FALSE;
  if (from == NULL || expansion->options.no_label_reuse)
    fs_move_fill (move, label, labels, &expansion->run);
  else
    fs_move_refill (move, from, label, labels, &expansion->run);
  if (!expansion->options.no_cycle_reuse)
    expansion->moves[label] = move;
  expansion->last = move;
  return TRUE;
}

static gboolean
prepare_move (FsExpansion *expansion, int label, const uint8_t *labels, GError **error)
{
  if (expansion->moves[label] == NULL) {
    if (!make_move (expansion, label, labels, error))
      return FALSE;
  } else if (!update_move (expansion, label, labels, error))
    return FALSE;
  else
    expansion->last = expansion->moves[label];
  expansion->n_data_known[label] = expansion->new_data->len;
  return TRUE;
}

/* What the changed pixels cost, with the pairs that they are part of. */
static int64_t
local_energy (const FsExpansion *expansion, const uint8_t *labels)
{
  const FsLabelProblem *problem = expansion->problem;
  const uint32_t *pixels = (const uint32_t *)(void *)expansion->pixels->data;
  const FsGrid grid = { .width = problem->width,
                        .height = problem->height,
                        .neighbours = problem->neighbours };
  int64_t energy = 0;
  for (guint i = 0; i < expansion->pixels->len; i++) {
    size_t p = pixels[i];
    int x = (int)(p % (size_t)grid.width), y = (int)(p / (size_t)grid.width);
    energy += problem->data[labels[p] * n_pixels (expansion) + p];
    for (int arc = 0; arc < FS_N_ARCS; arc++) {
      if (!fs_grid_has_arc (&grid, x, y, arc))
        continue;
      size_t q = (size_t)((ptrdiff_t)p + fs_grid_step (&grid, arc));
      gboolean is_forward = arc < FS_DIRECTION_OPPOSITE;
      if (!fs_label_problem_has (problem, q) || (!is_forward && expansion->changed[q]))
        continue;
      size_t first = is_forward ? p : q, second = is_forward ? q : p;
      energy += fs_label_problem_pair (problem, first, arc % FS_N_DIRECTIONS, labels[first],
                                       labels[second]);
    }
  }
  return energy;
}

/* Gives the label to whom the mask says. Returns how many pixels that were. */
static int64_t
take_over (FsExpansion *expansion, int label, uint8_t *labels)
{
  size_t n = n_pixels (expansion);
  for (size_t p = 0; p < n; p++)
    if (!expansion->mask[p])
      add_pixel (expansion, (uint32_t)p);
  int64_t n_changed = expansion->pixels->len;
  const uint32_t *pixels = (const uint32_t *)(void *)expansion->pixels->data;
  expansion->energy -= local_energy (expansion, labels);
  for (guint i = 0; i < expansion->pixels->len; i++)
    labels[pixels[i]] = (uint8_t)label;
  expansion->energy += local_energy (expansion, labels);
  forget_pixels (expansion);
  return n_changed;
}

static gboolean
expand (FsExpansion *expansion, int label, uint8_t *labels, int64_t *n_changed, GError **error)
{
  if (!prepare_move (expansion, label, labels, error))
    return FALSE;
  gboolean done = fs_move_solve (expansion->last, expansion->mask, &expansion->run, error);
  if (done)
    *n_changed = take_over (expansion, label, labels);
  if (expansion->options.no_cycle_reuse && expansion->options.no_label_reuse)
    g_clear_pointer (&expansion->last->solver, fs_solver_free);
  return done;
}

/* --- Cycles --- */

static int64_t
processor_time_us (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* `n_idle`: how many moves in a row have changed nothing. */
static gboolean
run_cycle (FsExpansion *expansion, uint8_t *labels, int *n_idle, FsExpansionResult *result,
           GError **error)
{
  FsExpansionCycle cycle = { .time_us = -processor_time_us () };
  int n_labels = expansion->problem->n_labels;
  result->n_cycles++;
  for (int label = 0; label < n_labels && *n_idle < n_labels; label++) {
    int64_t n_changed = 0;
    if (!expand (expansion, label, labels, &n_changed, error))
      return FALSE;
    result->n_moves++;
    cycle.n_changed += n_changed;
    *n_idle = n_changed > 0 ? 0 : *n_idle + 1;
  }
  cycle.time_us += processor_time_us ();
  cycle.energy = expansion->energy;
  g_array_append_val (result->cycles, cycle);
  return TRUE;
}

gboolean
fs_expansion_run (FsExpansion *expansion, uint8_t *labels, const FsProgress *progress,
                  FsExpansionResult *result, GError **error)
{
  g_return_val_if_fail (expansion != NULL && labels != NULL && result != NULL, FALSE);
  static const FsProgress silent;
  const FsExpansionOptions *options = &expansion->options;
  *result = (FsExpansionResult){ .cycles = g_array_new (FALSE, FALSE, sizeof (FsExpansionCycle)) };
  expansion->run.progress = progress != NULL ? progress : &silent;
  expansion->run.n_solves = 0;
  expansion->truncation = (FsTruncation){ 0 };
  expansion->energy = fs_label_problem_energy (expansion->problem, labels).total;
  int n_idle = 0;
  gboolean done = TRUE;
  while (done && n_idle < expansion->problem->n_labels
         && (options->max_cycles == 0 || result->n_cycles < options->max_cycles))
    done = run_cycle (expansion, labels, &n_idle, result, error);
  result->converged = n_idle >= expansion->problem->n_labels;
  result->energy = fs_label_problem_energy (expansion->problem, labels);
  g_assert (!done || result->energy.total == expansion->energy);
  result->n_solves = expansion->run.n_solves;
  result->truncation = expansion->truncation;
  return done;
}

void
fs_expansion_result_clear (FsExpansionResult *result)
{
  g_clear_pointer (&result->cycles, g_array_unref);
}
