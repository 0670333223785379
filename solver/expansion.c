/* SPDX-License-Identifier: MIT */
#include "solver/expansion.h"

#include "solver/checked_memory.h"

#include <string.h>
#include <time.h>

enum { CHANGED = 1, IN_PART = 2 };

/* Above this share of changed pixels a cut is better made anew. */
enum { PIXELS_PER_UPDATE = 8 };

struct _FsExpansion {
  const FsLabelProblem *problem;
  FsExpansionOptions options;
  FsMoveRun run;
  FsTruncation truncation;
  FsPull pull;
  FsDuals duals;
  FsMove *scratch;        /* the cut of labels that have none of their own; NULL yet     */
  FsMove **kept;          /* [n_labels]: each label's own cut, or NULL                   */
  gboolean *was_made;     /* [n_labels]: the label's first move                          */
  gboolean *was_answered; /* [n_labels]: its cut was solved as it stands */
  GArray *new_data;       /* of uint32_t: pixels with other data costs, ever             */
  guint *n_data_known;    /* [n_labels]: how many of them the label's cut knows          */
  uint8_t *mask;
  uint8_t *changed;      /* [n]: whether a pixel is in `pixels`, and in a part */
  GArray *pixels, *part; /* of uint32_t */
  GArray *former;        /* of uint8_t  */
  FsLabelEnergy energy;  /* of the labels, where it is known */
  gboolean is_energy_known;
  guint32 random;               /* the state of the shuffling */
  uint8_t order[FS_LABELS_MAX]; /* of a cycle */
  int n_order;
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
                                .pull = &expansion->pull };
  expansion->duals.problem = problem;
  expansion->kept = g_new0 (FsMove *, problem->n_labels);
  expansion->was_made = g_new0 (gboolean, problem->n_labels);
  expansion->was_answered = g_new0 (gboolean, problem->n_labels);
  expansion->n_data_known = g_new0 (guint, problem->n_labels);
  expansion->new_data = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  expansion->pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  expansion->part = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  expansion->former = g_array_new (FALSE, FALSE, sizeof (uint8_t));
  expansion->mask = fs_memory_new (n_pixels (expansion), 1);
  expansion->changed = fs_memory_new (n_pixels (expansion), 1);
  if (expansion->mask != NULL && expansion->changed != NULL) {
    memset (expansion->changed, 0, n_pixels (expansion));
    if (fs_pull_init (&expansion->pull, n_pixels (expansion), error))
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
  fs_duals_clear (&expansion->duals);
  fs_pull_clear (&expansion->pull);
  g_free (expansion->kept);
  g_free (expansion->was_made);
  g_free (expansion->was_answered);
  g_free (expansion->n_data_known);
  g_array_unref (expansion->new_data);
  g_array_unref (expansion->pixels);
  g_array_unref (expansion->part);
  g_array_unref (expansion->former);
  fs_memory_free (expansion->mask);
  fs_memory_free (expansion->changed);
  g_free (expansion);
}

size_t
fs_expansion_size_bytes (FsExpansion *expansion)
{
  size_t bytes =
      sizeof *expansion + 11 * n_pixels (expansion) + fs_duals_size_bytes (&expansion->duals);
  if (expansion->scratch != NULL)
    bytes += fs_move_size_bytes (expansion->scratch);
  for (int label = 0; label < expansion->problem->n_labels; label++)
    if (expansion->kept[label] != NULL)
      bytes += fs_move_size_bytes (expansion->kept[label]);
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

static gboolean
neighbour (const FsExpansion *expansion, size_t p, int arc, size_t *there)
{
  const FsGrid grid = { .width = expansion->problem->width,
                        .height = expansion->problem->height,
                        .neighbours = expansion->problem->neighbours };
  if (!fs_grid_has_arc (&grid, (int)(p % (size_t)grid.width), (int)(p / (size_t)grid.width), arc))
    return FALSE;
  *there = (size_t)((ptrdiff_t)p + fs_grid_step (&grid, arc));
  return TRUE;
}

static void
add_pixel (FsExpansion *expansion, uint32_t p)
{
  if (expansion->changed[p])
    return;
  expansion->changed[p] = CHANGED;
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
          add_pixel (expansion, (uint32_t)p);
  for (guint i = expansion->n_data_known[label]; i < expansion->new_data->len; i++)
    add_pixel (expansion, g_array_index (expansion->new_data, uint32_t, i));
}

static gboolean
update_own (FsExpansion *expansion, int label, const uint8_t *labels, gboolean *has_news,
            GError **error)
{
  FsMove *move = expansion->kept[label];
  const GArray *pixels = expansion->pixels;
  list_news (expansion, label, labels);
  *has_news = pixels->len > 0;
  gboolean done = TRUE;
  if (pixels->len <= n_pixels (expansion) / PIXELS_PER_UPDATE)
    done = fs_move_update (move, labels, (const uint32_t *)(const void *)pixels->data, pixels->len,
                           &expansion->run, error);
  else if ((done = fs_move_fold (move, &expansion->duals, error)))
    fs_move_fill (move, label, labels, &expansion->duals, &expansion->run);
  forget_pixels (expansion);
  return done;
}

/* A label's first move tells what its flow is like; from the second on it is worth a cut of its
 * own. */
static FsMove *
make_move (FsExpansion *expansion, int label, const uint8_t *labels, GError **error)
{
  const FsExpansionOptions *options = &expansion->options;
  gboolean is_first = !expansion->was_made[label];
  FsMove **move = &expansion->scratch;
  if (*move == NULL && (*move = fs_move_new (expansion->problem, error)) == NULL)
    return NULL;
  if (!is_first && !options->no_cycle_reuse && fs_move_can_update (*move, expansion->run.backend)) {
    move = &expansion->kept[label];
    if ((*move = fs_move_new (expansion->problem, error)) == NULL)
      return NULL;
  }
  gboolean reuses = is_first ? options->label_reuse : !options->no_cycle_reuse;
  fs_move_fill (*move, label, labels, reuses ? &expansion->duals : NULL, &expansion->run);
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
  gboolean is_wanted = expansion->was_made[label]
                           ? !options->no_cycle_reuse
                           : !options->no_cycle_reuse || options->label_reuse;
  expansion->was_made[label] = TRUE;
  return move == expansion->kept[label] || !is_wanted
         || fs_move_fold (move, &expansion->duals, error);
}

/* What these pixels cost, with the pairs that they are part of. Other changed pixels are not among
 * their neighbours. */
static FsLabelEnergy
local_energy (const FsExpansion *expansion, const GArray *pixels, const uint8_t *labels)
{
  const FsLabelProblem *problem = expansion->problem;
  FsLabelEnergy energy = { 0 };
  for (guint i = 0; i < pixels->len; i++) {
    size_t p = g_array_index (pixels, uint32_t, i);
    energy.data += problem->data[labels[p] * n_pixels (expansion) + p];
    size_t there[FS_N_ARCS];
    for (int arc = 0; arc < FS_N_ARCS; arc++) {
      gboolean is_forward = arc < FS_DIRECTION_OPPOSITE;
      if (!neighbour (expansion, p, arc, &there[arc]) || !fs_label_problem_has (problem, there[arc])
          || (!is_forward && expansion->changed[there[arc]]))
        continue;
      size_t first = is_forward ? p : there[arc], second = is_forward ? there[arc] : p;
      energy.smoothness += fs_label_problem_pair (problem, first, arc % FS_N_DIRECTIONS,
                                                  labels[first], labels[second]);
    }
  }
  energy.total = energy.data + energy.smoothness;
  return energy;
}

/* Gives the label to these pixels if that lowers the energy. */
static gboolean
take_part (FsExpansion *expansion, const GArray *pixels, int label, uint8_t *labels)
{
  FsLabelEnergy before = local_energy (expansion, pixels, labels);
  g_array_set_size (expansion->former, pixels->len);
  for (guint i = 0; i < pixels->len; i++) {
    uint8_t *at = &labels[g_array_index (pixels, uint32_t, i)];
    g_array_index (expansion->former, uint8_t, i) = *at;
    *at = (uint8_t)label;
  }
  FsLabelEnergy after = local_energy (expansion, pixels, labels);
  if (after.total < before.total) {
    expansion->energy.data += after.data - before.data;
    expansion->energy.smoothness += after.smoothness - before.smoothness;
    expansion->energy.total += after.total - before.total;
    return TRUE;
  }
  for (guint i = 0; i < pixels->len; i++)
    labels[g_array_index (pixels, uint32_t, i)] = g_array_index (expansion->former, uint8_t, i);
  return FALSE;
}

/* Lists the changed pixels that hang together with `seed` and are not in a part yet. */
static void
list_part (FsExpansion *expansion, uint32_t seed)
{
  GArray *part = expansion->part;
  g_array_set_size (part, 0);
  g_array_append_val (part, seed);
  expansion->changed[seed] = IN_PART;
  for (guint i = 0; i < part->len; i++)
    for (int arc = 0; arc < FS_N_ARCS; arc++) {
      size_t there;
      if (!neighbour (expansion, g_array_index (part, uint32_t, i), arc, &there)
          || expansion->changed[there] != CHANGED)
        continue;
      uint32_t q = (uint32_t)there;
      expansion->changed[there] = IN_PART;
      g_array_append_val (part, q);
    }
}

/* Where terms were truncated each part of the mask, for itself, has to be worth it. Returns how
 * many pixels were. */
static int64_t
take_parts (FsExpansion *expansion, int label, uint8_t *labels)
{
  const GArray *pixels = expansion->pixels;
  int64_t n_changed = 0;
  for (guint i = 0; i < pixels->len; i++)
    if (expansion->changed[g_array_index (pixels, uint32_t, i)] == CHANGED) {
      list_part (expansion, g_array_index (pixels, uint32_t, i));
      n_changed += take_part (expansion, expansion->part, label, labels) ? expansion->part->len : 0;
    }
  return n_changed;
}

/* Gives the label to whom the mask says, which lowers the energy if that is anybody. Of many pixels
 * the energy is summed later. */
static int64_t
take_over (FsExpansion *expansion, int label, uint8_t *labels)
{
  size_t n = n_pixels (expansion);
  int64_t n_changed = 0;
  for (size_t p = 0; p < n; p++)
    if (!expansion->mask[p])
      add_pixel (expansion, (uint32_t)p);
  if (expansion->truncation.n > 0)
    n_changed = take_parts (expansion, label, labels);
  else if (expansion->is_energy_known && expansion->pixels->len <= n / PIXELS_PER_UPDATE)
    n_changed =
        take_part (expansion, expansion->pixels, label, labels) ? expansion->pixels->len : 0;
  else {
    n_changed = expansion->pixels->len;
    expansion->is_energy_known = FALSE;
    for (guint i = 0; i < expansion->pixels->len; i++)
      labels[g_array_index (expansion->pixels, uint32_t, i)] = (uint8_t)label;
  }
  forget_pixels (expansion);
  return n_changed;
}

static gboolean
expand (FsExpansion *expansion, int label, uint8_t *labels, int64_t *n_changed, GError **error)
{
  gboolean has_news, takes_any;
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

/* The next of a sequence that is the same everywhere and always: a counter, its bits mixed (Steele,
 * Lea & Flood 2014). */
static guint32
draw (FsExpansion *expansion)
{
  expansion->random += 0x9e3779b9;
  guint32 z = expansion->random;
  z = (z ^ z >> 16) * 0x21f0aaad;
  z = (z ^ z >> 15) * 0x735a2d97;
  return z ^ z >> 15;
}

/* Draws the cycle's order, where it is not the labels' own. */
static void
shuffle (FsExpansion *expansion)
{
  for (int i = expansion->n_order - 1; expansion->options.shuffle != 0 && i > 0; i--) {
    int k = (int)(draw (expansion) % (guint32)(i + 1));
    uint8_t label = expansion->order[i];
    expansion->order[i] = expansion->order[k];
    expansion->order[k] = label;
  }
}

/* Makes the order that of every `stride`-th label. */
static void
begin_order (FsExpansion *expansion, int stride)
{
  expansion->n_order = 0;
  for (int label = 0; label < expansion->problem->n_labels; label += stride)
    expansion->order[expansion->n_order++] = (uint8_t)label;
}

static int
coarsest_stride (const FsExpansion *expansion)
{
  int stride = 1;
  while (expansion->options.coarse_first && 8 * stride <= expansion->problem->n_labels)
    stride *= 2;
  return stride;
}

static void
know_energy (FsExpansion *expansion, const uint8_t *labels)
{
  if (!expansion->is_energy_known)
    expansion->energy = fs_label_problem_energy (expansion->problem, labels);
  expansion->is_energy_known = TRUE;
}

/* `n_idle`: how many moves in a row have changed nothing. */
static gboolean
run_cycle (FsExpansion *expansion, uint8_t *labels, int *n_idle, FsExpansionResult *result,
           GError **error)
{
  FsExpansionCycle cycle = { .time_us = -processor_time_us () };
  int n_labels = expansion->problem->n_labels;
  result->n_cycles++;
  shuffle (expansion);
  for (int i = 0; i < expansion->n_order && *n_idle < n_labels; i++) {
    int64_t n_changed = 0;
    if (!expand (expansion, expansion->order[i], labels, &n_changed, error))
      return FALSE;
    result->n_moves++;
    cycle.n_changed += n_changed;
    *n_idle = n_changed > 0 ? 0 : *n_idle + 1;
  }
  cycle.time_us += processor_time_us ();
  know_energy (expansion, labels);
  cycle.energy = expansion->energy.total;
  g_array_append_val (result->cycles, cycle);
  return TRUE;
}

static gboolean
may_go_on (const FsExpansion *expansion, const FsExpansionResult *result)
{
  int max_cycles = expansion->options.max_cycles;
  return max_cycles == 0 || result->n_cycles < max_cycles;
}

/* All cycles over some of the labels, of which nothing is known after it. */
static gboolean
run_coarse_cycles (FsExpansion *expansion, uint8_t *labels, FsExpansionResult *result,
                   GError **error)
{
  for (int stride = coarsest_stride (expansion); stride > 1 && may_go_on (expansion, result);
       stride /= 2) {
    int n_idle = 0;
    begin_order (expansion, stride);
    if (!run_cycle (expansion, labels, &n_idle, result, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
fs_expansion_run (FsExpansion *expansion, uint8_t *labels, const FsProgress *progress,
                  FsExpansionResult *result, GError **error)
{
  g_return_val_if_fail (expansion != NULL && labels != NULL && result != NULL, FALSE);
  static const FsProgress silent;
  *result = (FsExpansionResult){ .cycles = g_array_new (FALSE, FALSE, sizeof (FsExpansionCycle)) };
  expansion->run.progress = progress != NULL ? progress : &silent;
  expansion->run.n_solves = 0;
  expansion->is_energy_known = FALSE;
  expansion->random = expansion->options.shuffle;
  int n_idle = 0;
  gboolean done = run_coarse_cycles (expansion, labels, result, error);
  begin_order (expansion, 1);
  while (done && n_idle < expansion->problem->n_labels && may_go_on (expansion, result))
    done = run_cycle (expansion, labels, &n_idle, result, error);
  result->converged = n_idle >= expansion->problem->n_labels;
  know_energy (expansion, labels);
  result->energy = expansion->energy;
  result->n_solves = expansion->run.n_solves;
  result->truncation = expansion->truncation;
  return done;
}

void
fs_expansion_result_clear (FsExpansionResult *result)
{
  g_clear_pointer (&result->cycles, g_array_unref);
}
