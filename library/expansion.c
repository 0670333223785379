/* SPDX-License-Identifier: MIT */
#include "solver/expansion/expansion.h"

#include "energy/labels/labels_costs.h"
#include "library/library.h"
#include "solver/expansion/start/dual_start.h"
#include "solver/system/checked_memory.h"

#include <string.h>

G_STATIC_ASSERT (FRETSAW_LABELS_MAX == FS_LABELS_MAX);
G_STATIC_ASSERT (FRETSAW_DATA_COST_MAX == FS_LABEL_COST_MAX);
G_STATIC_ASSERT (FRETSAW_PAIR_COST_MAX == FS_PAIR_COST_MAX);

/* Bytes of the cut of one label, and of the flow that is kept for each label; a pixel each. */
enum { CUT_BYTES = 60, FLOW_BYTES = 50, SMALL_BYTES = 4 << 20 };

/* A caller's function of pairs, and whether it has kept within its range. */
typedef struct {
  fretsaw_pair_function cost;
  void *data;
  int32_t max;
  gboolean is_wrong; /* then the first call with another cost: */
  uint32_t pixel;
  int32_t direction, a, b, given;
} PairFunction;

struct fretsaw_expansion {
  FsLibraryObject object;
  FsLabelProblem problem;
  int32_t *data; /* copied, or NULL */
  int32_t *table;
  uint16_t *weight[FS_N_DIRECTIONS];
  uint8_t *present;
  PairFunction function;
  FsExpansion *expansion;
  gboolean has_run;
};

/* --- Options --- */

static fretsaw_status
check_pairs (const fretsaw_expansion_options *own, fretsaw_error *error)
{
  if (own->pair < FRETSAW_POTTS || own->pair > FRETSAW_PAIR_FUNCTION)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "pair is %d; it must be one of fretsaw_pair_kind, 0 to %d", own->pair,
                            FRETSAW_PAIR_FUNCTION);
  if ((own->pair == FRETSAW_PAIR_TABLE) != (own->table != NULL))
    return fs_library_fail (error, FRETSAW_INVALID,
                            own->table ? "table is there, but pair is not FRETSAW_PAIR_TABLE"
                                       : "table is NULL");
  if ((own->pair == FRETSAW_PAIR_FUNCTION) != (own->pair_cost != NULL))
    return fs_library_fail (error, FRETSAW_INVALID,
                            own->pair_cost ? "pair_cost is there, but pair is not "
                                             "FRETSAW_PAIR_FUNCTION"
                                           : "pair_cost is NULL");
  if (own->pair_cost && own->weight[0])
    return fs_library_fail (error, FRETSAW_INVALID,
                            "weight and pair_cost exclude each other: the function has all of w·V");
  if (own->pair_cost_max < 0 || own->pair_cost_max > FRETSAW_PAIR_COST_MAX)
    return fs_library_fail (error, FRETSAW_INVALID, "pair_cost_max is %d; it must be 0 to %d",
                            own->pair_cost_max, FRETSAW_PAIR_COST_MAX);
  if (own->scale < 0 || own->truncation < 0)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "scale and truncation are %d and %d; none may be negative", own->scale,
                            own->truncation);
  return FRETSAW_OK;
}

static fretsaw_status
check_order (const fretsaw_expansion_options *own, fretsaw_error *error)
{
  gboolean is_there[FS_LABELS_MAX] = { FALSE };
  for (int i = 0; own->order && i < own->n_labels; i++) {
    if (own->order[i] >= own->n_labels || is_there[own->order[i]])
      return fs_library_fail (error, FRETSAW_INVALID,
                              "order[%d] is %d; each label, 0 to %d, must be there once", i,
                              own->order[i], own->n_labels - 1);
    is_there[own->order[i]] = TRUE;
  }
  return FRETSAW_OK;
}

static fretsaw_status
take_options (fretsaw_expansion_options *own, const fretsaw_expansion_options *given,
              fretsaw_error *error)
{
  if (!given)
    return fs_library_fail (error, FRETSAW_INVALID, "options is NULL; an expansion needs costs");
  fretsaw_status status =
      fs_library_take_struct (own, FS_LIBRARY_STRUCT (fretsaw_expansion_options, verify), given,
                              error);
  if (!status)
    status = fs_library_check_grid (own->width, own->height, &own->neighbours, error);
  if (status)
    return status;
  if (own->n_labels < 1 || own->n_labels > FS_LABELS_MAX)
    return fs_library_fail (error, FRETSAW_INVALID, "n_labels is %d; it must be 1 to %d",
                            own->n_labels, FS_LABELS_MAX);
  if (own->borrow && own->labels_last)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "borrow and labels_last exclude each other: such data is rearranged");
  if (own->max_cycles < 0)
    return fs_library_fail (error, FRETSAW_INVALID, "max_cycles is %d; it must not be negative",
                            own->max_cycles);
  status = check_pairs (own, error);
  return status ? status : check_order (own, error);
}

/* --- Costs --- */

static fretsaw_status
refuse_memory (const FsLabelProblem *problem, fretsaw_error *error)
{
  return fs_library_fail (error, FRETSAW_MEMORY,
                          "not enough memory for %d labels of %d × %d pixels", problem->n_labels,
                          problem->width, problem->height);
}

static fretsaw_status
take_data (fretsaw_expansion *self, const fretsaw_expansion_options *own, fretsaw_error *error)
{
  FsLabelProblem *problem = &self->problem;
  size_t n = fs_label_problem_n_pixels (problem), n_labels = (size_t)problem->n_labels;
  if (!own->data)
    return fs_library_fail (error, FRETSAW_INVALID, "data is NULL");
  problem->data = own->data;
  if (own->borrow)
    return FRETSAW_OK;
  problem->data = self->data = fs_memory_new (n * n_labels, sizeof *self->data);
  if (!self->data)
    return refuse_memory (problem, error);
  if (!own->labels_last)
    memcpy (self->data, own->data, n * n_labels * sizeof *self->data);
  for (size_t p = 0; own->labels_last && p < n; p++)
    for (size_t label = 0; label < n_labels; label++)
      self->data[label * n + p] = own->data[p * n_labels + label];
  return FRETSAW_OK;
}

static int32_t
call_pair_function (const void *data, size_t p, FsDirection d, int a, int b)
{
  PairFunction *function = (PairFunction *)data;
  int32_t cost = function->cost ((uint32_t)p, (int32_t)d, a, b, function->data);
  if (G_LIKELY (cost >= 0 && cost <= function->max))
    return cost;
  if (!function->is_wrong) {
    function->is_wrong = TRUE;
    function->pixel = (uint32_t)p;
    function->direction = (int32_t)d;
    function->a = a;
    function->b = b;
    function->given = cost;
  }
  return CLAMP (cost, 0, function->max);
}

static fretsaw_status
check_pair_function (const PairFunction *function, fretsaw_error *error)
{
  return !function->is_wrong
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_INVALID,
                                "pair_cost of pixel %u, direction %d and labels %d and %d is %d; "
                                "it must be 0 to pair_cost_max, %d",
                                function->pixel, function->direction, function->a, function->b,
                                function->given, function->max);
}

static fretsaw_status
take_pairs (fretsaw_expansion *self, const fretsaw_expansion_options *own, fretsaw_error *error)
{
  static const int powers[] = {
    [FRETSAW_POTTS] = 0, [FRETSAW_TRUNCATED_LINEAR] = 1, [FRETSAW_TRUNCATED_QUADRATIC] = 2
  };
  FsLabelProblem *problem = &self->problem;
  size_t n = (size_t)own->n_labels * (size_t)own->n_labels;
  if (own->pair == FRETSAW_PAIR_FUNCTION) {
    self->function = (PairFunction){ own->pair_cost, own->pair_data, own->pair_cost_max };
    problem->pair_cost = call_pair_function;
    problem->pair_data = &self->function;
    problem->pair_cost_max = own->pair_cost_max;
    return FRETSAW_OK;
  }
  problem->table = self->table = g_new (int32_t, n);
  if (own->pair == FRETSAW_PAIR_TABLE) {
    memcpy (self->table, own->table, n * sizeof *self->table);
    return FRETSAW_OK;
  }
  int32_t max = own->truncation > 0 ? own->truncation : G_MAXINT32;
  return fs_labels_fill_table (powers[own->pair], own->scale > 0 ? own->scale : 1, max,
                               own->n_labels, self->table)
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_INVALID,
                                "scale and truncation make a pair cost beyond %d",
                                FS_PAIR_COST_MAX);
}

static fretsaw_status
take_weights (fretsaw_expansion *self, const fretsaw_expansion_options *own, fretsaw_error *error)
{
  FsLabelProblem *problem = &self->problem;
  size_t n = fs_label_problem_n_pixels (problem);
  for (int d = 0; d < fs_label_problem_n_directions (problem); d++) {
    if ((own->weight[d] == NULL) != (own->weight[0] == NULL))
      return fs_library_fail (error, FRETSAW_INVALID,
                              "weight[%d] is %sNULL, unlike weight[0]: all directions have a "
                              "plane, or none",
                              d, own->weight[d] ? "not " : "");
    if (!own->weight[d])
      continue;
    problem->weight[d] = self->weight[d] = fs_memory_new (n, sizeof *self->weight[d]);
    if (!self->weight[d])
      return refuse_memory (problem, error);
    memcpy (self->weight[d], own->weight[d], n * sizeof *self->weight[d]);
  }
  return FRETSAW_OK;
}

static fretsaw_status
take_present (fretsaw_expansion *self, const fretsaw_expansion_options *own, fretsaw_error *error)
{
  size_t n = fs_label_problem_n_pixels (&self->problem);
  if (!own->present)
    return FRETSAW_OK;
  self->problem.present = self->present = fs_memory_new (n, 1);
  if (!self->present)
    return refuse_memory (&self->problem, error);
  memcpy (self->present, own->present, n);
  return FRETSAW_OK;
}

static fretsaw_status
build (fretsaw_expansion *self, const fretsaw_expansion_options *own, fretsaw_error *error)
{
  self->problem = (FsLabelProblem){ .width = own->width,
                                    .height = own->height,
                                    .neighbours = (FsNeighbours)own->neighbours,
                                    .n_labels = own->n_labels };
  fretsaw_status status = take_data (self, own, error);
  if (!status)
    status = take_pairs (self, own, error);
  if (!status)
    status = take_weights (self, own, error);
  if (!status)
    status = take_present (self, own, error);
  if (status)
    return status;
  const FsExpansionOptions options = { .no_cycle_reuse = own->low_memory,
                                       .verify = own->verify,
                                       .max_cycles = own->max_cycles,
                                       .shuffle = own->shuffle,
                                       .order = own->order,
                                       .coarse_first = own->coarse_first };
  GError *failure = NULL;
  g_auto (FsLibraryCall) call = { 0 };
  status = fs_library_begin (&call, self, "expansion", error);
  if (status)
    return status;
  self->expansion =
      fs_expansion_new (self->object.context->backend, &self->problem, &options, &failure);
  return self->expansion ? FRETSAW_OK : fs_library_take_error (error, failure);
}

fretsaw_status
fretsaw_expansion_new (fretsaw_context *context, const fretsaw_expansion_options *options,
                       fretsaw_expansion **expansion, fretsaw_error *error)
{
  fretsaw_expansion_options own;
  fretsaw_status status = take_options (&own, options, error);
  if (!status && !expansion)
    status = fs_library_fail (error, FRETSAW_INVALID, "expansion is NULL");
  if (status)
    return status;
  fretsaw_expansion *self = g_new0 (fretsaw_expansion, 1);
  self->object.context = fs_library_ref_context (context);
  status = build (self, &own, error);
  if (status)
    fretsaw_expansion_free (self);
  else
    *expansion = self;
  return status;
}

void
fretsaw_expansion_free (fretsaw_expansion *expansion)
{
  if (!expansion)
    return;
  fs_expansion_free (expansion->expansion);
  fs_memory_free (expansion->data);
  g_free (expansion->table);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    fs_memory_free (expansion->weight[d]);
  fs_memory_free (expansion->present);
  fretsaw_context_free (expansion->object.context);
  g_free (expansion);
}

size_t
fretsaw_expansion_forecast_bytes (const fretsaw_expansion_options *options)
{
  fretsaw_expansion_options own;
  if (take_options (&own, options, NULL))
    return 0;
  size_t n_labels = (size_t)own.n_labels, n_weights = own.neighbours == 8 ? 4 : 2;
  size_t a_pixel = CUT_BYTES + (own.borrow ? 0 : n_labels * sizeof (int32_t))
                   + (own.weight[0] ? n_weights * sizeof (uint16_t) : 0) + (own.present != NULL)
                   + (own.low_memory ? 0 : n_labels * FLOW_BYTES);
  return a_pixel * (size_t)own.width * (size_t)own.height + SMALL_BYTES;
}

/* --- Changes --- */

/* Begins a call with a list of n pixels. */
static fretsaw_status
begin_with_pixels (FsLibraryCall *call, fretsaw_expansion *expansion, const uint32_t *pixels,
                   size_t n, fretsaw_error *error)
{
  fretsaw_status status =
      fs_library_begin_with_list (call, expansion, "expansion", pixels, n, "pixels", error);
  size_t n_pixels = status ? 0 : fs_label_problem_n_pixels (&expansion->problem);
  for (size_t i = 0; i < n && !status; i++)
    status = fs_library_check_pixel (pixels[i], i, "grid", n_pixels, error);
  return status;
}

static fretsaw_status
check_cost (int32_t cost, uint32_t pixel, size_t label, fretsaw_error *error)
{
  return cost >= 0 && cost <= FS_LABEL_COST_MAX
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_INVALID,
                                "the data cost of label %zu at pixel %u is %d; it must be 0 to %d",
                                label, pixel, cost, FS_LABEL_COST_MAX);
}

fretsaw_status
fretsaw_expansion_change_data (fretsaw_expansion *expansion, const uint32_t *pixels, size_t n,
                               const int32_t *costs, fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = begin_with_pixels (&call, expansion, pixels, n, error);
  if (status || n == 0)
    return status;
  if (!expansion->data)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "data is borrowed: change it, and call fretsaw_expansion_note_data");
  if (!costs)
    return fs_library_fail (error, FRETSAW_INVALID, "costs is NULL");
  size_t n_labels = (size_t)expansion->problem.n_labels,
         n_pixels = fs_label_problem_n_pixels (&expansion->problem);
  for (size_t i = 0; i < n * n_labels && !status; i++)
    status = check_cost (costs[i], pixels[i / n_labels], i % n_labels, error);
  if (status)
    return status;
  for (size_t i = 0; i < n; i++)
    for (size_t label = 0; label < n_labels; label++)
      expansion->data[label * n_pixels + pixels[i]] = costs[i * n_labels + label];
  fs_expansion_change_data (expansion->expansion, pixels, n);
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_expansion_note_data (fretsaw_expansion *expansion, const uint32_t *pixels, size_t n,
                             fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = begin_with_pixels (&call, expansion, pixels, n, error);
  if (status || n == 0)
    return status;
  const FsLabelProblem *problem = &expansion->problem;
  size_t n_pixels = fs_label_problem_n_pixels (problem);
  for (size_t i = 0; i < n && !status; i++)
    for (size_t label = 0; label < (size_t)problem->n_labels && !status; label++)
      status = check_cost (problem->data[label * n_pixels + pixels[i]], pixels[i], label, error);
  if (!status)
    fs_expansion_change_data (expansion->expansion, pixels, n);
  return status;
}

/* --- Runs --- */

fretsaw_status
fretsaw_expansion_start (fretsaw_expansion *expansion, uint8_t *labels, int64_t *bound,
                         fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, expansion, "expansion", error);
  if (status)
    return status;
  if (!labels)
    return fs_library_fail (error, FRETSAW_INVALID, "labels is NULL");
  if (expansion->has_run)
    return fs_library_fail (error, FRETSAW_INVALID, "start must come before the first run");
  if (fs_label_problem_n_directions (&expansion->problem) != 2)
    return fs_library_fail (error, FRETSAW_INVALID, "neighbours is 8; start is for 4 alone");
  GError *failure = NULL;
  int64_t own;
  if (!fs_dual_start_supports (&expansion->problem, &failure)
      || !fs_expansion_dual_start (expansion->expansion, labels, &own, &failure))
    return fs_library_take_error (error, failure);
  if (bound)
    *bound = own;
  return FRETSAW_OK;
}

static fretsaw_status
check_labels (const fretsaw_expansion *expansion, const uint8_t *labels, fretsaw_error *error)
{
  const FsLabelProblem *problem = &expansion->problem;
  if (!labels)
    return fs_library_fail (error, FRETSAW_INVALID, "labels is NULL");
  for (size_t p = 0; p < fs_label_problem_n_pixels (problem); p++)
    if (labels[p] >= problem->n_labels)
      return fs_library_fail (error, FRETSAW_INVALID,
                              "pixel %zu has the label %d; there are labels 0 to %d", p, labels[p],
                              problem->n_labels - 1);
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_expansion_get_energy (fretsaw_expansion *expansion, const uint8_t *labels, int64_t *data,
                              int64_t *smoothness, fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, expansion, "expansion", error);
  if (!status)
    status = check_labels (expansion, labels, error);
  if (!status && (!data || !smoothness))
    status = fs_library_fail (error, FRETSAW_INVALID, "%s is NULL", data ? "smoothness" : "data");
  if (status)
    return status;
  FsLabelEnergy energy = fs_label_problem_energy (&expansion->problem, labels);
  status = check_pair_function (&expansion->function, error);
  if (status)
    return status;
  *data = energy.data;
  *smoothness = energy.smoothness;
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_expansion_run (fretsaw_expansion *expansion, uint8_t *labels,
                       const fretsaw_progress *progress, fretsaw_labelling *labelling,
                       fretsaw_error *error)
{
  FsProgress own;
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, expansion, "expansion", error);
  if (!status)
    status = check_labels (expansion, labels, error);
  if (!status)
    status = fs_library_take_progress (&own, progress, error);
  if (!status)
    status = fs_library_check_result (labelling, FS_LIBRARY_STRUCT (fretsaw_labelling, truncated),
                                      error);
  if (status)
    return status;
  g_auto (FsExpansionResult) result = { 0 };
  GError *failure = NULL;
  expansion->has_run = TRUE;
  if (!fs_expansion_run (expansion->expansion, labels, &own, &result, &failure))
    return fs_library_take_error (error, failure);
  status = check_pair_function (&expansion->function, error);
  if (status || !labelling)
    return status;
  const fretsaw_labelling found = { .energy = result.energy.total,
                                    .data = result.energy.data,
                                    .smoothness = result.energy.smoothness,
                                    .converged = result.converged,
                                    .n_cycles = result.n_cycles,
                                    .n_moves = result.n_moves,
                                    .truncated = result.truncation.n > 0 };
  fs_library_give_struct (labelling, &found, sizeof found);
  return FRETSAW_OK;
}
