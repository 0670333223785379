/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/library/calls.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 22, HEIGHT = 17, N = WIDTH * HEIGHT, FEW_CALLS = 12 };

/* Edits as they were made, to be made again on a fresh photo. */
typedef struct {
  enum { SET, CHANGE, PAINT, GUESS } kind;
  uint8_t labels[N]; /* of SET, and GUESS's probability or numbers */
  gboolean is_there; /* SET's labels, GUESS's guess */
  gboolean has_numbers, is_found;
  fretsaw_label_change change;
  double x0, y0, x1, y1, radius;
  int32_t label;
} Edit;

typedef struct {
  fretsaw_photo *photo;
  uint8_t pixels[4 * N];
  fretsaw_image image;
  fretsaw_photo_options options;
  Edit edits[FEW_CALLS];
  int n_edits;
  gboolean has_result;
} Model;

static gboolean
make_photo (Input *input, Model *model)
{
  static const int n_bytes[] = { 3, 3, 4, 4, 1 };
  fretsaw_error error;
  model->image = (fretsaw_image)FRETSAW_IMAGE_INIT;
  model->image.width = WIDTH;
  model->image.height = HEIGHT;
  model->image.pixels = model->pixels;
  model->image.format = take_int (input, FRETSAW_RGB, FRETSAW_GREY);
  int noise = take_int (input, 1, 200), object = take_byte (input),
      n = n_bytes[model->image.format];
  guint32 state = (guint32)take_byte (input) + 1;
  for (int i = 0; i < n * N; i++) {
    int x = i / n % WIDTH - WIDTH / 2, y = i / n / WIDTH - HEIGHT / 2;
    state = state * 1664525 + 1013904223;
    model->pixels[i] =
        (uint8_t)(x * x + y * y < 30 ? object : 70) + (uint8_t)((state >> 24) % (guint32)noise);
  }
  model->options = (fretsaw_photo_options)FRETSAW_PHOTO_OPTIONS_INIT;
  model->options.model = take_chance (input, 2) ? FRETSAW_GEODESIC : take_int (input, 0, 2);
  model->options.neighbours = take_int (input, 0, 2) * 4;
  model->options.smoothness = take_int (input, -1, 4);
  model->options.n_iterations = model->options.model == FRETSAW_GMM ? take_int (input, 0, 2) : 0;
  model->options.no_star = model->options.model == FRETSAW_GEODESIC && take_chance (input, 4);
  model->options.verify = true;
  gboolean is_spoilt = take_chance (input, 15);
  if (is_spoilt && take_chance (input, 2))
    model->options.smoothness = NAN;
  else if (is_spoilt)
    model->image.format = 5;
  fretsaw_status status =
      fretsaw_photo_new (input->context, &model->image, &model->options, &model->photo, &error);
  expect (status, !is_spoilt, &error);
  return !status;
}

/* --- Edits --- */

static void
apply (fretsaw_photo *photo, const Edit *edit)
{
  fretsaw_guess guess = FRETSAW_GUESS_INIT;
  fretsaw_error error;
  fretsaw_status status;
  guess.width = WIDTH;
  guess.height = HEIGHT;
  guess.is_found = edit->is_found;
  if (edit->has_numbers)
    guess.numbers = edit->labels;
  else
    guess.probability = edit->labels;
  if (edit->kind == SET)
    status = fretsaw_photo_set_labels (photo, edit->is_there ? edit->labels : NULL, 0, &error);
  else if (edit->kind == CHANGE)
    status = fretsaw_photo_change_labels (photo, &edit->change, 1, &error);
  else if (edit->kind == PAINT)
    status = fretsaw_photo_paint (photo, edit->x0, edit->y0, edit->x1, edit->y1, edit->radius,
                                  edit->label, &error);
  else
    status = fretsaw_photo_set_guess (photo, edit->is_there ? &guess : NULL, &error);
  expect (status, TRUE, &error);
}

static void
add_edit (Input *input, Model *model)
{
  static const uint8_t few[] = { 0, 0, 0, 0, 0, 1, 2, 2, 3 };
  Edit *edit = &model->edits[model->n_edits++];
  edit->kind = take_chance (input, 3) ? PAINT : take_int (input, SET, GUESS);
  edit->is_there = !take_chance (input, 6);
  edit->has_numbers = take_chance (input, 3);
  edit->is_found = !edit->has_numbers && take_chance (input, 2);
  for (int p = 0; p < N && (edit->kind == SET || edit->kind == GUESS); p++)
    edit->labels[p] = edit->kind == SET   ? few[take_int (input, 0, G_N_ELEMENTS (few) - 1)]
                      : edit->has_numbers ? (uint8_t)take_int (input, 0, 3)
                      : has_more (input)  ? (uint8_t)take_byte (input)
                                          : (uint8_t)(p % WIDTH * 10);
  edit->change =
      (fretsaw_label_change){ (uint32_t)take_int (input, 0, 255), (uint8_t)take_int (input, 0, 3) };
  edit->x0 = take_int (input, -5, 30);
  edit->y0 = take_int (input, -5, 25);
  edit->x1 = take_int (input, -5, 30);
  edit->y1 = take_int (input, -5, 25);
  edit->radius = take_int (input, 0, 4);
  edit->label = take_int (input, 0, take_chance (input, 4) ? 4 : 2);
  apply (model->photo, edit);
}

static void
make_wrong_edit (Input *input, Model *model)
{
  fretsaw_error error;
  const fretsaw_label_change change = { N, 1 };
  fretsaw_guess guess = FRETSAW_GUESS_INIT;
  fretsaw_status status;
  switch (take_int (input, 0, 4)) {
  case 0:
    status = fretsaw_photo_change_labels (model->photo, &change, 1, &error);
    break;
  case 1:
    status = fretsaw_photo_paint (model->photo, 0, 0, NAN, 0, 1, 1, &error);
    break;
  case 2:
    status = fretsaw_photo_paint (model->photo, 0, 0, 1, 0, -1, 1, &error);
    break;
  case 3:
    status = fretsaw_photo_set_labels (model->photo, model->pixels, 1, &error);
    break;
  default:
    status = fretsaw_photo_set_guess (model->photo, &guess, &error);
  }
  expect (status, FALSE, &error);
}

/* --- Cuts and results --- */

static void
update (Input *input, Model *model)
{
  fretsaw_error error;
  uint8_t mask[N];
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  gboolean is_preview = take_chance (input, 4);
  fretsaw_status status = is_preview ? fretsaw_photo_preview (model->photo, NULL, mask, 0, &error)
                                     : fretsaw_photo_update (model->photo, NULL, &solution, &error);
  expect (status, status == FRETSAW_OK, &error);
  if (status || is_preview)
    return;
  model->has_result = TRUE;
  g_assert_true (solution.exact);
}

/* The end is a function of the edits alone. */
static void
finish (Input *input, Model *model)
{
  fretsaw_photo *fresh;
  fretsaw_error error, expected_error;
  uint8_t labels[N], expected[N];
  fretsaw_status status = fretsaw_photo_finish (model->photo, NULL, NULL, &error);
  expect (fretsaw_photo_new (input->context, &model->image, &model->options, &fresh,
                             &expected_error),
          TRUE, &expected_error);
  for (int i = 0; i < model->n_edits; i++)
    apply (fresh, &model->edits[i]);
  g_assert_cmpint (status, ==, fretsaw_photo_finish (fresh, NULL, NULL, &expected_error));
  expect (status, status == FRETSAW_OK, &error);
  if (!status) {
    expect (fretsaw_photo_get_labels (model->photo, labels, 0, &error), TRUE, &error);
    expect (fretsaw_photo_get_labels (fresh, expected, 0, &error), TRUE, &error);
    g_assert_cmpmem (labels, N, expected, N);
    model->has_result = TRUE;
  }
  fretsaw_photo_free (fresh);
}

static void
read_results (Input *input, Model *model)
{
  fretsaw_error error;
  uint8_t labels[N], mask[N], cutout[4 * N];
  fretsaw_edge_options options = FRETSAW_EDGE_OPTIONS_INIT;
  if (take_chance (input, 2))
    expect (fretsaw_photo_separate (model->photo, NULL, &error), model->has_result, &error);
  expect (fretsaw_photo_get_labels (model->photo, labels, 0, &error), model->has_result, &error);
  expect (fretsaw_photo_get_mask (model->photo, mask, 0, &error), model->has_result, &error);
  for (int p = 0; model->has_result && p < N; p++)
    g_assert_true (labels[p] > 0 && mask[p] == (labels[p] > 1));
  options.width = take_int (input, -1, 33);
  options.shift = take_int (input, -101, 100);
  options.contrast = take_int (input, 0, 101);
  options.smooth = take_int (input, 0, 21);
  options.background = take_int (input, -1, 100);
  options.specks = take_int (input, 0, 40);
  options.holes = take_int (input, -1, 40);
  fretsaw_status status =
      fretsaw_photo_render (model->photo, &options, NULL, FRETSAW_BGRA, cutout, 0, &error);
  gboolean is_right = options.width <= 32 && options.shift >= -100 && options.contrast <= 100
                      && options.smooth <= 20 && options.background >= 0 && options.holes >= 0;
  expect (status, is_right && status == FRETSAW_OK, &error);
}

void
fuzz_photo_calls (Input *input)
{
  static void (*const calls[]) (Input * input, Model * model) = {
    add_edit, add_edit, add_edit, make_wrong_edit, update, update, finish, read_results,
  };
  g_autofree Model *model = g_new0 (Model, 1);
  if (!make_photo (input, model))
    return;
  for (int i = 0; i < FEW_CALLS && has_more (input); i++)
    calls[take_int (input, 0, G_N_ELEMENTS (calls) - 1)](input, model);
  finish (input, model);
  read_results (input, model);
  fretsaw_photo_free (model->photo);
}
