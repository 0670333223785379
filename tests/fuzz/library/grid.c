/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/library/calls.h"

#include <string.h>

enum { MAX_SIDE = 12, MAX_PIXELS = MAX_SIDE * MAX_SIDE, PADDING = 3, TRIED = 10 };

static const int steps[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { -1, 1 } };

/* A grid, and the capacities that it should have. */
typedef struct {
  fretsaw_grid *grid;
  int width, height, n_pixels, n_directions;
  gboolean changes_nlinks, has_mask, is_solved;
  int32_t tlink[MAX_PIXELS];
  uint16_t forth[4][MAX_PIXELS], back[4][MAX_PIXELS];
} Model;

/* The neighbour's number, or −1. */
static int
find_neighbour (const Model *model, int p, int d)
{
  int x = p % model->width + steps[d][0], y = p / model->width + steps[d][1];
  return x >= 0 && x < model->width && y < model->height ? y * model->width + x : -1;
}

static int64_t
sum_energy (const Model *model, const uint8_t *mask)
{
  int64_t energy = 0;
  for (int p = 0; p < model->n_pixels; p++) {
    int32_t t = model->tlink[p];
    energy += mask[p] ? MAX (-(int64_t)t, 0) : MAX (t, 0);
    for (int d = 0; d < model->n_directions; d++) {
      int q = find_neighbour (model, p, d);
      if (q >= 0 && mask[p] != mask[q])
        energy += mask[p] ? model->forth[d][p] : model->back[d][p];
    }
  }
  return energy;
}

/* --- Creation --- */

typedef struct {
  int32_t tlink[MAX_PIXELS + PADDING * MAX_SIDE];
  uint16_t nlink[8][MAX_PIXELS + PADDING * MAX_SIDE];
} Planes;

/* Returns whether the model's capacities may be. */
static gboolean
fill_planes (Input *input, Model *model, const fretsaw_grid_options *options, Planes *planes)
{
  gboolean is_right = TRUE;
  ptrdiff_t stride = options->stride ? options->stride : model->width;
  for (int p = 0; p < model->n_pixels; p++) {
    ptrdiff_t at = p / model->width * stride + p % model->width;
    planes->tlink[at] = (int32_t)take_number (input, FRETSAW_TLINK_MAX);
    model->tlink[p] = options->tlink ? planes->tlink[at] : 0;
    is_right &= ABS ((int64_t)model->tlink[p]) <= FRETSAW_TLINK_MAX;
    for (int d = 0; d < model->n_directions; d++) {
      gboolean leaves = find_neighbour (model, p, d) < 0;
      uint16_t forth = take_capacity (input), back = take_capacity (input);
      gboolean is_directed = options->nlink_back[d] != NULL;
      if (leaves && options->borrow && (input->is_tame || !take_chance (input, 50)))
        forth = back = 0;
      planes->nlink[d][at] = forth;
      planes->nlink[4 + d][at] = back;
      if (!is_directed)
        back = forth;
      if (leaves) {
        is_right &= !options->borrow || (forth == 0 && back == 0);
        forth = back = 0;
      }
      is_right &= is_directed ? forth + back <= FRETSAW_NLINK_PAIR_MAX : forth <= FRETSAW_NLINK_MAX;
      model->forth[d][p] = forth;
      model->back[d][p] = back;
    }
  }
  return is_right;
}

/* Spoils one of the options, none of which may be so. */
static void
spoil (Input *input, fretsaw_grid_options *options)
{
  switch (take_int (input, 0, 7)) {
  case 0:
    options->size = (size_t)take_byte (input) % sizeof *options;
    break;
  case 1:
    options->width = -options->width;
    break;
  case 2:
    options->height = G_MAXINT32;
    options->width = MAX (options->width, 2);
    break;
  case 3:
    options->neighbours = 5;
    break;
  case 4:
    options->nlink[1] = NULL;
    break;
  case 5:
    options->stride = options->width > 1 ? options->width - 1 : G_MAXINT64;
    break;
  case 6:
    options->borrow = options->changes_nlinks = true;
    break;
  default:
    options->nlink_back[0] = options->nlink_back[0] ? NULL : options->nlink[0];
  }
}

static gboolean
make_grid (Input *input, Model *model)
{
  g_autofree Planes *planes = g_new0 (Planes, 1);
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  fretsaw_error error;
  options.width = model->width = take_int (input, 1, MAX_SIDE);
  options.height = model->height = take_int (input, 1, take_chance (input, 3) ? 2 : MAX_SIDE);
  options.neighbours = take_int (input, 0, 2) * 4;
  model->n_pixels = model->width * model->height;
  model->n_directions = options.neighbours == 8 ? 4 : 2;
  options.borrow = take_chance (input, 4);
  model->changes_nlinks = !options.borrow && take_chance (input, 2);
  options.changes_nlinks = model->changes_nlinks;
  options.stride = options.borrow || take_chance (input, 2) ? 0 : model->width + PADDING;
  options.tlink = take_chance (input, 9) ? NULL : planes->tlink;
  gboolean is_directed = take_chance (input, 2);
  for (int d = 0; d < model->n_directions; d++) {
    options.nlink[d] = planes->nlink[d];
    options.nlink_back[d] = is_directed ? planes->nlink[4 + d] : NULL;
  }
  input->is_tame = !take_chance (input, 8);
  gboolean is_right = fill_planes (input, model, &options, planes);
  input->is_tame = FALSE;
  if (take_chance (input, 12)) {
    spoil (input, &options);
    is_right = FALSE;
  }
  fretsaw_status status = fretsaw_grid_new (input->context, &options, &model->grid, &error);
  expect (status, is_right, &error);
  g_assert_cmpint (fretsaw_grid_forecast_bytes (&options) > 0, >=, is_right);
  if (!status && options.borrow) { /* planes go before the grid: they are copied after all */
    fretsaw_grid_free (model->grid);
    options.borrow = false;
    expect (fretsaw_grid_new (input->context, &options, &model->grid, &error), TRUE, &error);
  }
  return !status;
}

/* --- Calls --- */

static void
change_tlinks (Input *input, Model *model)
{
  fretsaw_tlink_change changes[4] = { { 0 } };
  fretsaw_error error;
  int n = take_int (input, 0, 4);
  gboolean is_right = TRUE, has_list = !take_chance (input, 20);
  for (int i = 0; i < n; i++) {
    int pixel = take_int (input, 0, model->n_pixels - (take_chance (input, 15) ? 0 : 1));
    changes[i] =
        (fretsaw_tlink_change){ (uint32_t)pixel, (int32_t)take_number (input, FRETSAW_TLINK_MAX) };
    is_right &= pixel < model->n_pixels && ABS ((int64_t)changes[i].tlink) <= FRETSAW_TLINK_MAX;
  }
  is_right = n == 0 || (is_right && has_list);
  expect (fretsaw_grid_change_tlinks (model->grid, has_list ? changes : NULL, (size_t)n, &error),
          is_right, &error);
  for (int i = 0; is_right && i < n; i++)
    model->tlink[changes[i].pixel] = changes[i].tlink;
  model->is_solved &= !is_right || n == 0;
}

static void
set_tlinks (Input *input, Model *model)
{
  int32_t planes[MAX_PIXELS];
  fretsaw_error error;
  gboolean is_right = TRUE;
  input->is_tame = !take_chance (input, 8);
  for (int p = 0; p < model->n_pixels; p++) {
    planes[p] = (int32_t)take_number (input, FRETSAW_TLINK_MAX);
    is_right &= ABS ((int64_t)planes[p]) <= FRETSAW_TLINK_MAX;
  }
  input->is_tame = FALSE;
  gboolean is_narrow = take_chance (input, 15) && model->width > 1;
  expect (fretsaw_grid_set_tlinks (model->grid, planes, is_narrow ? 1 : 0, &error),
          is_right && !is_narrow, &error);
  if (!is_right || is_narrow)
    return;
  memcpy (model->tlink, planes, sizeof planes);
  model->is_solved = FALSE;
}

static void
change_nlinks (Input *input, Model *model)
{
  fretsaw_nlink_change changes[3];
  fretsaw_error error;
  int n = take_int (input, 1, 3);
  gboolean is_right = model->changes_nlinks;
  for (int i = 0; i < n; i++) {
    int p = take_int (input, 0, model->n_pixels - 1),
        d = take_int (input, take_chance (input, 20) ? -1 : 0, 4);
    changes[i] =
        (fretsaw_nlink_change){ (uint32_t)p, d, take_capacity (input), take_capacity (input) };
    is_right &= d >= 0 && d < model->n_directions && find_neighbour (model, p, MAX (0, d) % 4) >= 0
                && changes[i].forth + changes[i].back <= FRETSAW_NLINK_PAIR_MAX;
  }
  expect (fretsaw_grid_change_nlinks (model->grid, changes, (size_t)n, &error), is_right, &error);
  for (int i = 0; is_right && i < n; i++) {
    model->forth[changes[i].direction][changes[i].pixel] = changes[i].forth;
    model->back[changes[i].direction][changes[i].pixel] = changes[i].back;
  }
  model->is_solved &= !is_right;
}

/* The cut of a new grid, and of all masks where they are few. */
static void
check_cut (const Input *input, const Model *model, const uint8_t *mask, int64_t energy)
{
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  fretsaw_grid *fresh;
  fretsaw_error error;
  uint8_t expected[MAX_PIXELS];
  options.width = model->width;
  options.height = model->height;
  options.neighbours = 2 * model->n_directions;
  options.tlink = model->tlink;
  for (int d = 0; d < model->n_directions; d++) {
    options.nlink[d] = model->forth[d];
    options.nlink_back[d] = model->back[d];
  }
  expect (fretsaw_grid_new (input->context, &options, &fresh, &error), TRUE, &error);
  expect (fretsaw_grid_solve (fresh, NULL, NULL, &error), TRUE, &error);
  expect (fretsaw_grid_get_mask (fresh, expected, 0, &error), TRUE, &error);
  fretsaw_grid_free (fresh);
  g_assert_cmpmem (mask, model->n_pixels, expected, model->n_pixels);
  g_assert_cmpint (sum_energy (model, mask), ==, energy);
  for (unsigned bits = 0; model->n_pixels <= TRIED && bits < 1U << model->n_pixels; bits++) {
    for (int p = 0; p < model->n_pixels; p++)
      expected[p] = bits >> p & 1;
    g_assert_cmpint (sum_energy (model, expected), >=, energy);
  }
}

static void
solve (Input *input, Model *model)
{
  uint8_t mask[MAX_PIXELS];
  fretsaw_progress progress = FRETSAW_PROGRESS_INIT;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_error error;
  gboolean is_spoilt = take_chance (input, 20);
  if (is_spoilt && take_chance (input, 2))
    progress.size = 3;
  else if (is_spoilt)
    solution.size = sizeof solution - 9;
  expect (fretsaw_grid_solve (model->grid, &progress, &solution, &error), !is_spoilt, &error);
  if (is_spoilt)
    return;
  model->has_mask = model->is_solved = TRUE;
  g_assert_true (solution.exact && solution.energy == solution.bound);
  expect (fretsaw_grid_get_mask (model->grid, mask, 0, &error), TRUE, &error);
  check_cut (input, model, mask, solution.energy);
}

/* Rows from below, above, apart, or too narrow. */
static void
get_mask (Input *input, Model *model)
{
  uint8_t mask[MAX_PIXELS + PADDING * MAX_SIDE];
  fretsaw_error error;
  int64_t energy;
  int width = model->width, wide = width + take_int (input, 0, PADDING);
  gboolean is_upwards = take_chance (input, 2), is_narrow = take_chance (input, 15);
  ptrdiff_t stride = is_narrow ? (width > 1 ? width - 1 : G_MAXINT64) : is_upwards ? -wide : wide;
  uint8_t *top = is_upwards ? mask + (model->height - 1) * wide : mask;
  memset (mask, 7, sizeof mask);
  expect (fretsaw_grid_get_mask (model->grid, top, stride, &error), model->has_mask && !is_narrow,
          &error);
  if (is_narrow)
    return;
  uint8_t rows[MAX_PIXELS];
  for (int p = 0; p < model->n_pixels; p++)
    rows[p] = top[p / width * stride + p % width] != 0;
  expect (fretsaw_grid_get_energy (model->grid, top, stride, &energy, &error), TRUE, &error);
  g_assert_cmpint (energy, ==, sum_energy (model, rows));
}

static void
certify (Input *input, Model *model)
{
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_error error;
  gboolean is_there = !take_chance (input, 20);
  expect (fretsaw_grid_certify (model->grid, is_there ? &certificate : NULL, &error),
          model->is_solved && is_there, &error);
  g_assert_true (certificate.holds == (model->is_solved && is_there));
}

void
fuzz_grid (Input *input)
{
  static void (*const calls[]) (Input * input, Model * model) = {
    change_tlinks, set_tlinks, change_nlinks, solve, solve, get_mask, certify,
  };
  g_autofree Model *model = g_new0 (Model, 1);
  if (!make_grid (input, model))
    return;
  for (int i = 0; i < MAX_CALLS && has_more (input); i++)
    calls[take_int (input, 0, G_N_ELEMENTS (calls) - 1)](input, model);
  solve (input, model);
  fretsaw_grid_free (model->grid);
}
