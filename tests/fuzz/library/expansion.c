/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/library/calls.h"

#include <string.h>

enum { MAX_SIDE = 6, MAX_PIXELS = MAX_SIDE * MAX_SIDE, MAX_LABELS = 5, TRIED = 9, FEW_CALLS = 12 };

static const int steps[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { -1, 1 } };

/* An expansion, and the costs that it should have. */
typedef struct {
  fretsaw_expansion *expansion;
  fretsaw_expansion_options options; /* with the planes below */
  int n_pixels, n_directions;
  gboolean has_run;
  int32_t data[MAX_LABELS * MAX_PIXELS], given[MAX_LABELS * MAX_PIXELS]; /* given to the library */
  int32_t table[MAX_LABELS * MAX_LABELS]; /* of V, also where there is a formula or a function */
  uint16_t weight[4][MAX_PIXELS];
  uint8_t order[MAX_LABELS], present[MAX_PIXELS], labels[MAX_PIXELS];
} Model;

static int64_t
sum_energy (const Model *model, const uint8_t *labels)
{
  int width = model->options.width, height = model->options.height;
  int n_labels = model->options.n_labels;
  int64_t energy = 0;
  for (int p = 0; p < model->n_pixels; p++) {
    if (model->options.present && !model->present[p])
      continue;
    energy += model->data[labels[p] * model->n_pixels + p];
    for (int d = 0; d < model->n_directions; d++) {
      int x = p % width + steps[d][0], y = p / width + steps[d][1], q = y * width + x;
      if (x < 0 || x >= width || y >= height || (model->options.present && !model->present[q]))
        continue;
      int64_t weight = model->options.weight[0] ? model->weight[d][p] : 1;
      energy += weight * model->table[labels[p] * n_labels + labels[q]];
    }
  }
  return energy;
}

static int32_t
pair_cost (uint32_t pixel, int32_t direction, int32_t a, int32_t b, void *data)
{
  const Model *model = data;
  g_assert_true ((int)pixel < model->n_pixels && direction < model->n_directions);
  return model->table[a * model->options.n_labels + b];
}

/* --- Creation --- */

static void
fill_pairs (Input *input, Model *model)
{
  fretsaw_expansion_options *options = &model->options;
  int n = options->n_labels;
  options->pair = take_int (input, FRETSAW_POTTS, FRETSAW_PAIR_FUNCTION);
  options->scale = take_int (input, 0, 9);
  options->truncation = take_int (input, 0, 3);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      int distance = options->pair == FRETSAW_POTTS              ? a != b
                     : options->pair == FRETSAW_TRUNCATED_LINEAR ? ABS (a - b)
                                                                 : (a - b) * (a - b);
      int formula = options->truncation ? MIN (distance, options->truncation) : distance;
      model->table[a * n + b] = options->pair >= FRETSAW_PAIR_TABLE
                                    ? take_int (input, 0, 40)
                                    : MAX (options->scale, 1) * formula;
    }
  options->table = options->pair == FRETSAW_PAIR_TABLE ? model->table : NULL;
  if (options->pair == FRETSAW_PAIR_FUNCTION) {
    options->pair_cost = pair_cost;
    options->pair_data = model;
    options->pair_cost_max = 40;
  }
  gboolean has_weights = options->pair != FRETSAW_PAIR_FUNCTION && take_chance (input, 2);
  for (int d = 0; has_weights && d < model->n_directions; d++) {
    for (int p = 0; p < model->n_pixels; p++)
      model->weight[d][p] = take_chance (input, 20) ? 10000 : (uint16_t)take_int (input, 0, 5);
    options->weight[d] = model->weight[d];
  }
}

static void
fill_order (Input *input, Model *model)
{
  int n = model->options.n_labels;
  for (int i = 0; i < n; i++)
    model->order[i] = (uint8_t)i;
  for (int i = n - 1; i > 0; i--) {
    int k = take_int (input, 0, i);
    uint8_t label = model->order[i];
    model->order[i] = model->order[k];
    model->order[k] = label;
  }
  model->options.order = model->order;
}

static gboolean
fill_data (Input *input, Model *model)
{
  int n = model->options.n_labels;
  gboolean is_right = TRUE, is_wild = take_chance (input, 8);
  for (int p = 0; p < model->n_pixels; p++)
    for (int label = 0; label < n; label++) {
      int32_t cost = is_wild && take_chance (input, 40)
                         ? (int32_t)take_number (input, FRETSAW_DATA_COST_MAX)
                         : take_int (input, 0, 99);
      is_right &= cost >= 0 && cost <= FRETSAW_DATA_COST_MAX;
      model->data[label * model->n_pixels + p] = cost;
      model->given[model->options.labels_last ? p * n + label : label * model->n_pixels + p] = cost;
    }
  model->options.data = model->given;
  return is_right;
}

/* Spoils one of the options, none of which may be so. */
static void
spoil (Input *input, Model *model)
{
  static const uint8_t twice[MAX_LABELS + 1] = { 0, 0, 0, 0, 0, 0 };
  fretsaw_expansion_options *options = &model->options;
  switch (take_int (input, 0, 7)) {
  case 0:
    options->size = 20;
    break;
  case 1:
    options->n_labels = take_chance (input, 2) ? 0 : 257;
    break;
  case 2:
    options->pair = 5;
    break;
  case 3:
    options->scale = -1;
    break;
  case 4:
    options->max_cycles = -1;
    break;
  case 5:
    options->n_labels = MAX (2, options->n_labels);
    options->order = twice;
    break;
  case 6:
    options->borrow = options->labels_last = true;
    break;
  default:
    options->pair_cost_max = -1;
  }
}

static gboolean
make_expansion (Input *input, Model *model)
{
  fretsaw_expansion_options *options = &model->options;
  fretsaw_error error;
  *options = (fretsaw_expansion_options)FRETSAW_EXPANSION_OPTIONS_INIT;
  options->width = take_int (input, 1, take_chance (input, 2) ? 3 : MAX_SIDE);
  options->height = take_int (input, 1, take_chance (input, 2) ? 3 : MAX_SIDE);
  options->neighbours = take_int (input, 0, 2) * 4;
  options->n_labels = take_int (input, 1, MAX_LABELS);
  options->labels_last = take_chance (input, 3);
  options->borrow = !options->labels_last && take_chance (input, 3);
  options->coarse_first = take_chance (input, 4);
  options->low_memory = take_chance (input, 4);
  options->verify = take_chance (input, 2);
  options->shuffle = take_chance (input, 4) ? 9 : 0;
  model->n_pixels = options->width * options->height;
  model->n_directions = options->neighbours == 8 ? 4 : 2;
  gboolean is_right = fill_data (input, model);
  fill_pairs (input, model);
  if (take_chance (input, 3))
    fill_order (input, model);
  for (int p = 0; p < model->n_pixels; p++)
    model->present[p] = (uint8_t)!take_chance (input, 5);
  options->present = take_chance (input, 3) ? model->present : NULL;
  gboolean is_spoilt = take_chance (input, 12);
  if (is_spoilt)
    spoil (input, model);
  fretsaw_status status =
      fretsaw_expansion_new (input->context, options, &model->expansion, &error);
  expect (status, is_right && !is_spoilt, &error);
  g_assert_cmpint (fretsaw_expansion_forecast_bytes (options) > 0, >=, !status);
  return !status;
}

/* --- Calls --- */

static void
change_data (Input *input, Model *model)
{
  fretsaw_error error;
  int n = model->options.n_labels, p = take_int (input, 0, model->n_pixels - 1);
  gboolean is_right = TRUE, is_outside = take_chance (input, 20);
  int32_t costs[MAX_LABELS];
  uint32_t pixel = is_outside ? (uint32_t)model->n_pixels : (uint32_t)p;
  for (int label = 0; label < n; label++) {
    costs[label] = take_chance (input, 60) ? (int32_t)take_number (input, FRETSAW_DATA_COST_MAX)
                                           : take_int (input, 0, 255);
    is_right &= costs[label] >= 0 && costs[label] <= FRETSAW_DATA_COST_MAX;
  }
  is_right &= !is_outside;
  expect (fretsaw_expansion_change_data (model->expansion, &pixel, 1, costs, &error),
          is_right && !model->options.borrow, &error);
  if (!is_right)
    return;
  for (int label = 0; label < n; label++)
    model->data[label * model->n_pixels + p] = costs[label];
  if (!model->options.borrow)
    return;
  for (int label = 0; label < n; label++)
    model->given[label * model->n_pixels + p] = costs[label];
  expect (fretsaw_expansion_note_data (model->expansion, &pixel, 1, &error), TRUE, &error);
}

/* No expansion of any label has less energy. */
static void
check_minimum (const Model *model, int64_t energy)
{
  uint8_t moved[MAX_PIXELS];
  for (int label = 0; label < model->options.n_labels; label++)
    for (unsigned bits = 0; bits < 1U << model->n_pixels; bits++) {
      for (int p = 0; p < model->n_pixels; p++)
        moved[p] = bits >> p & 1 ? (uint8_t)label : model->labels[p];
      g_assert_cmpint (sum_energy (model, moved), >=, energy);
    }
}

/* The labels of a new expansion from the same start. */
static void
check_fresh (const Input *input, const Model *model, uint8_t *labels)
{
  fretsaw_expansion_options options = model->options;
  fretsaw_expansion *fresh;
  fretsaw_error error;
  options.data = model->data;
  options.labels_last = options.borrow = false;
  options.low_memory = !options.low_memory;
  expect (fretsaw_expansion_new (input->context, &options, &fresh, &error), TRUE, &error);
  expect (fretsaw_expansion_run (fresh, labels, NULL, NULL, &error), TRUE, &error);
  fretsaw_expansion_free (fresh);
  g_assert_cmpmem (labels, model->n_pixels, model->labels, model->n_pixels);
}

static void
run (Input *input, Model *model)
{
  fretsaw_labelling found = FRETSAW_LABELLING_INIT;
  fretsaw_error error;
  uint8_t from[MAX_PIXELS];
  int64_t data, smoothness;
  for (int p = 0; take_chance (input, 3) && p < model->n_pixels; p++)
    model->labels[p] = (uint8_t)take_int (input, 0, model->options.n_labels - 1);
  memcpy (from, model->labels, sizeof from);
  if (take_chance (input, 20)) {
    from[model->n_pixels - 1] = (uint8_t)model->options.n_labels;
    expect (fretsaw_expansion_run (model->expansion, from, NULL, &found, &error), FALSE, &error);
    return;
  }
  expect (fretsaw_expansion_run (model->expansion, model->labels, NULL, &found, &error), TRUE,
          &error);
  model->has_run = TRUE;
  g_assert_cmpint (found.energy, ==, sum_energy (model, model->labels));
  g_assert_cmpint (found.energy, <=, sum_energy (model, from));
  g_assert_cmpint (found.energy, ==, found.data + found.smoothness);
  expect (fretsaw_expansion_get_energy (model->expansion, model->labels, &data, &smoothness,
                                        &error),
          TRUE, &error);
  g_assert_true (data == found.data && smoothness == found.smoothness);
  if (found.converged && !found.truncated && model->n_pixels <= TRIED)
    check_minimum (model, found.energy);
  check_fresh (input, model, from);
}

/* With V as fill_pairs makes it a start may be refused, but not without a reason. */
static void
start (Input *input, Model *model)
{
  fretsaw_error error;
  uint8_t labels[MAX_PIXELS];
  int64_t bound;
  fretsaw_status status = fretsaw_expansion_start (model->expansion, labels, &bound, &error);
  expect (status, status == FRETSAW_OK, &error);
  g_assert_true (status || (!model->has_run && model->n_directions == 2));
  if (status)
    return;
  g_assert_cmpint (bound, <=, sum_energy (model, labels));
  memcpy (model->labels, labels, sizeof labels);
}

void
fuzz_expansion (Input *input)
{
  static void (*const calls[]) (Input * input, Model * model) = {
    change_data, change_data, run, run, start,
  };
  g_autofree Model *model = g_new0 (Model, 1);
  if (!make_expansion (input, model))
    return;
  for (int i = 0; i < FEW_CALLS && has_more (input); i++)
    calls[take_int (input, 0, G_N_ELEMENTS (calls) - 1)](input, model);
  run (input, model);
  fretsaw_expansion_free (model->expansion);
}
