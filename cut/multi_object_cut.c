/* SPDX-License-Identifier: MIT */
#include "cut/multi_object_cut.h"

#include "cut/label_specks.h"
#include "energy/labels/labels_objects.h"
#include "solver/system/checked_memory.h"

/* The limit of pixels times labels up to which flow is reused from cycle to cycle. Above it the
 * labels are the same and take longer, but memory is that of one cut, without about 50 bytes for
 * each of these. */
enum { MAX_REUSED_FLOWS = 24000000 };

/* Bytes a pixel at most, and of each object, as measured with 2 to 6 objects at 2.5 and 12
 * megapixels, with a tenth more. */
enum { FLOWS_BYTES = 60, A_FLOW_BYTES = 40, FLOWLESS_BYTES = 72, AN_OBJECT_BYTES = 10 };

static gboolean
reuses_flows (size_t n_pixels, int n_labels)
{
  return n_pixels * (size_t)n_labels <= MAX_REUSED_FLOWS;
}

size_t
fs_cut_objects_forecast_bytes (size_t n_pixels, int n_objects)
{
  size_t n = (size_t)n_objects;
  return n_pixels
         * (reuses_flows (n_pixels, n_objects + 1) ? FLOWS_BYTES + A_FLOW_BYTES * n
                                                   : FLOWLESS_BYTES + AN_OBJECT_BYTES * n);
}

int
fs_cut_count_objects (const FsSeedMap *seeds)
{
  int n = 0;
  for (int number = FS_SEED_OBJECT; number <= FS_SEED_MAX; number++)
    n += seeds->n_seeds[number] > 0;
  return n;
}

/* Replaces labels by the seeds' numbers and gives specks away; the energy is that of the result. */
static gboolean
number_labels (const FsObjects *objects, const FsSeedMap *seeds, FsSpecksTo specks_to,
               FsObjectsCut *cut, uint8_t *numbers, GError **error)
{
  const FsLabelProblem *problem = fs_objects_get_problem (objects);
  size_t n = fs_label_problem_n_pixels (problem), n_given;
  uint8_t label_of[FS_SEED_MAX + 1] = { 0 };
  for (int label = 0; label < problem->n_labels; label++)
    label_of[fs_objects_get_number (objects, label)] = (uint8_t)label;
  for (size_t p = 0; p < n; p++)
    numbers[p] = fs_objects_get_number (objects, numbers[p]);
  if (problem->n_labels <= 2)
    return TRUE;
  if (!fs_label_specks_give_away (seeds, specks_to, numbers, &n_given, cut->progress, error))
    return FALSE;
  if (n_given == 0)
    return TRUE;
  uint8_t *labels = fs_memory_new (n, 1);
  if (labels == NULL) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY, "not enough memory for labels");
    return FALSE;
  }
  for (size_t p = 0; p < n; p++)
    labels[p] = label_of[numbers[p]];
  cut->energy = fs_label_problem_energy (problem, labels).total;
  fs_memory_free (labels);
  return TRUE;
}

gboolean
fs_cut_objects (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds, FsGuess *guess,
                FsObjectsCut *cut, uint8_t *numbers, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (FsObjects) objects =
      fs_objects_new_guessed (image, settings, seeds, guess, cut->progress, error);
  if (!objects)
    return FALSE;
  gint64 fitted = g_get_monotonic_time ();
  cut->model_us = fitted - start;
  const FsLabelProblem *problem = fs_objects_get_problem (objects);
  size_t n = fs_label_problem_n_pixels (problem);
  uint8_t order[FS_LABELS_MAX];
  const FsExpansionOptions options = { .order = order,
                                       .no_cycle_reuse = !reuses_flows (n, problem->n_labels),
                                       .verify = cut->verify };
  fs_objects_start (objects, numbers, order);
  g_autoptr (FsExpansion) expansion = fs_expansion_new (cut->backend, problem, &options, error);
  if (!expansion)
    return FALSE;
  g_auto (FsExpansionResult) result = { 0 };
  if (!fs_expansion_run (expansion, numbers, cut->progress, &result, error))
    return FALSE;
  cut->backend = fs_expansion_get_backend (expansion);
  cut->n_cycles = result.n_cycles;
  cut->energy = result.energy.total;
  cut->bound = fs_label_problem_bound (problem);
  /* Small components of a finished mask are not specks. */
  gboolean is_mask = guess && fs_guess_is_mask (guess);
  if (!number_labels (objects, seeds, is_mask ? FS_SPECKS_TO_OBJECTS : FS_SPECKS_TO_ANY, cut,
                      numbers, error))
    return FALSE;
  cut->cut_us = g_get_monotonic_time () - fitted;
  return TRUE;
}
