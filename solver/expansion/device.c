/* SPDX-License-Identifier: MIT */
#include "solver/expansion/device.h"

#include "solver/cuda/cuda_backend.h"
#include "solver/cuda/cuda_module.h"
#include "solver/expansion/start/dual_start.h"
#include "solver/mask_words.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { TILE = 32 };

G_STATIC_ASSERT (FS_MOVES_LABELS == FS_LABELS_MAX);

static size_t
n_pixels (const FsMoveDevice *device)
{
  return fs_label_problem_n_pixels (device->problem);
}

/* The labels that the device has, but for what its own moves have changed since the run began. */
static uint8_t *
labels_there (const FsMoveDevice *device)
{
  return device->table->labels (device->moves);
}

/* The meaning of a call's status; sets the notice where the device failed. */
static FsMoveOutcome
outcome_of (int status, const FsEngineError *failure)
{
  if (status == FS_ENGINE_DONE)
    return FS_MOVE_DONE;
  if (status == FS_ENGINE_CANCELLED)
    return FS_MOVE_CANCELLED;
  fs_cuda_module_set_notice (failure);
  return FS_MOVE_LOST;
}

/* --- Making one --- */

/* Returns whether V(a, b) + V(α, α) ≤ V(a, α) + V(α, b) for all labels, whatever the weight. */
static gboolean
never_truncates (const FsLabelProblem *problem)
{
  int n = problem->n_labels;
  const int32_t *table = problem->table;
  for (int alpha = 0; alpha < n; alpha++)
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++)
        if (table[a * n + b] + table[alpha * n + alpha]
            > table[a * n + alpha] + table[alpha * n + b])
          return FALSE;
  return TRUE;
}

static gboolean
fits_the_device (const FsLabelProblem *problem)
{
  return problem->table != NULL && 2 * fs_label_problem_largest_pair (problem) <= FS_NLINK_PAIR_MAX;
}

static FsMovesProblem
problem_of (const FsLabelProblem *problem)
{
  FsMovesProblem there = { .width = problem->width,
                           .height = problem->height,
                           .neighbours = (int)problem->neighbours,
                           .n_labels = problem->n_labels,
                           .data = problem->data,
                           .table = problem->table,
                           .present = problem->present };
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    there.weight[d] = problem->weight[d];
  return there;
}

FsMoveDevice *
fs_move_device_new (const FsBackend *backend, const FsLabelProblem *problem, gboolean reuses_flow,
                    gboolean shares_flow)
{
  const FsMovesTable *table = backend == &fs_backend_cuda ? fs_cuda_module_get_moves () : NULL;
  if (table == NULL || !fits_the_device (problem))
    return NULL;
  FsMoveDevice *device = g_new0 (FsMoveDevice, 1);
  *device = (FsMoveDevice){ .problem = problem, .table = table, .version = 1 };
  device->start = fs_memory_new (n_pixels (device), 1);
  FsEngineError failure = { "not enough memory" };
  FsMovesProblem there = problem_of (problem);
  there.reuses_flow = reuses_flow;
  there.shares_flow = shares_flow;
  int status = FS_ENGINE_NO_MEMORY;
  if (device->start != NULL)
    status = table->create (&there, &device->moves, &failure);
  if (outcome_of (status, &failure) != FS_MOVE_DONE) {
    fs_move_device_free (device);
    return NULL;
  }
  device->is_metric = never_truncates (problem);
  return device;
}

void
fs_move_device_free (FsMoveDevice *device)
{
  if (device == NULL)
    return;
  if (device->moves != NULL)
    device->table->destroy (device->moves);
  fs_memory_free (device->start);
  g_free (device);
}

size_t
fs_move_device_size_bytes (const FsMoveDevice *device)
{
  return sizeof *device + n_pixels (device) + device->table->size_bytes (device->moves);
}

/* --- Labels and data costs --- */

static FsMoveOutcome
send_data (FsMoveDevice *device, const GArray *new_data)
{
  const FsLabelProblem *problem = device->problem;
  guint n = new_data->len - device->n_data_known;
  FsEngineError failure = { "not enough memory for the changes" };
  FsMovesDatum *changes = fs_memory_new ((size_t)n * (size_t)problem->n_labels, sizeof *changes);
  int status = FS_ENGINE_NO_MEMORY;
  if (changes != NULL) {
    size_t k = 0;
    for (guint i = device->n_data_known; i < new_data->len; i++)
      for (int label = 0; label < problem->n_labels; label++) {
        uint32_t pixel = g_array_index (new_data, uint32_t, i);
        changes[k++] = (FsMovesDatum){ pixel, label,
                                       problem->data[(size_t)label * n_pixels (device) + pixel] };
      }
    status = device->table->change_data (device->moves, changes, k, &failure);
  }
  fs_memory_free (changes);
  device->n_data_known = new_data->len;
  device->version++;
  return outcome_of (status, &failure);
}

gboolean
fs_move_device_dual_start (FsMoveDevice *device, const GArray *new_data, uint8_t *labels,
                           int64_t *bound)
{
  FsEngineError failure = { "" };
  if (device == NULL)
    return FALSE;
  if (new_data->len > device->n_data_known && send_data (device, new_data) != FS_MOVE_DONE)
    return FALSE;
  const FsMovesDualStart start = fs_dual_start_describe (device->problem);
  device->version++;
  int status = device->table->start (device->moves, &start, labels, bound, &failure);
  return outcome_of (status, &failure) == FS_MOVE_DONE;
}

FsMoveOutcome
fs_move_device_begin (FsMoveDevice *device, const uint8_t *labels, const GArray *new_data)
{
  FsEngineError failure = { "" };
  FsMoveOutcome outcome = FS_MOVE_DONE;
  gboolean are_others = memcmp (labels_there (device), labels, n_pixels (device)) != 0;
  device->taken = (FsMovesResult){ 0 };
  device->begun = labels;
  device->has_run = FALSE;
  device->version += are_others;
  if (new_data->len > device->n_data_known)
    outcome = send_data (device, new_data);
  if (outcome != FS_MOVE_DONE || !are_others)
    return outcome;
  return outcome_of (device->table->set_labels (device->moves, labels, &failure), &failure);
}

const uint8_t *
fs_move_device_start (const FsMoveDevice *device)
{
  return device->begun != NULL ? device->begun : device->start;
}

FsMoveOutcome
fs_move_device_get_labels (FsMoveDevice *device, uint8_t *labels)
{
  FsEngineError failure = { "" };
  size_t first = 0, n = 0;
  if (!device->has_run)
    return FS_MOVE_DONE;
  return outcome_of (device->table->get_labels (device->moves, labels, &first, &n, &failure),
                     &failure);
}

/* --- Moves --- */

/* Asked while the device works. */
static int
is_cancelled (void *data)
{
  const FsProgress *const *progress = data;
  return fs_progress_is_cancelled (*progress);
}

static void
add_taken (FsMoveDevice *device, const FsMovesResult *result)
{
  device->taken.n_cuts += result->n_cuts;
  device->taken.epochs += result->epochs;
  device->taken.discharges += result->discharges;
  for (int i = 0; i < 3; i++)
    device->taken.ms[i] += result->ms[i];
}

FsMoveOutcome
fs_move_device_run (FsMoveDevice *device, const uint8_t *order, int n, const FsProgress *progress,
                    uint32_t *n_changed, FsLabelEnergy *energy)
{
  FsEngineError failure = { "" };
  FsMovesResult result = { 0 };
  const FsMovesWatch watch = { is_cancelled, &progress };
  int status = device->table->run (device->moves, order, n, &watch, n_changed, &result, &failure);
  add_taken (device, &result);
  *energy = (FsLabelEnergy){ .total = result.energy[0] + result.energy[1],
                             .data = result.energy[0],
                             .smoothness = result.energy[1] };
  for (int i = 0; i < n; i++)
    device->has_run |= n_changed[i] > 0;
  return outcome_of (status, &failure);
}

/* Turns words of 32 pixels, a row of a tile each, into bytes. */
static void
unpack_mask (const FsMoveDevice *device, const uint32_t *words, uint8_t *mask)
{
  int width = device->problem->width, height = device->problem->height;
  size_t tiles_x = (size_t)(width - 1) / TILE + 1;
  for (int y = 0; y < height; y++)
    fs_mask_unpack_row (words + (size_t)(y / TILE) * tiles_x * TILE + y % TILE, 0, width,
                        mask + (size_t)y * (size_t)width);
}

FsMoveOutcome
fs_move_device_propose (FsMoveDevice *device, int label, const FsProgress *progress, uint8_t *mask,
                        int64_t *n_truncated, gboolean *is_new)
{
  FsEngineError failure = { "" };
  FsMovesResult result = { 0 };
  const FsMovesWatch watch = { is_cancelled, &progress };
  *n_truncated = 0;
  *is_new = device->seen[label] != device->version;
  if (!*is_new)
    return FS_MOVE_DONE;
  int status = device->table->propose (device->moves, label, &watch, &result, &failure);
  if (status == FS_ENGINE_DONE) {
    result.n_cuts = 1;
    add_taken (device, &result);
    device->seen[label] = device->version;
    *n_truncated = result.n_truncated;
    unpack_mask (device, device->table->mask (device->moves), mask);
  }
  return outcome_of (status, &failure);
}

FsMoveOutcome
fs_move_device_take (FsMoveDevice *device, int label, const uint8_t *labels, const uint8_t *mask)
{
  FsEngineError failure = { "" };
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  uint8_t *there = labels_there (device);
  if (device->begun != NULL)
    memcpy (device->start, there, n_pixels (device));
  device->begun = NULL;
  for (size_t p = 0; p < n_pixels (device); p++)
    if (!mask[p] && labels[p] != there[p]) {
      uint32_t pixel = (uint32_t)p;
      there[p] = labels[p];
      g_array_append_val (pixels, pixel);
    }
  if (pixels->len == 0)
    return FS_MOVE_DONE;
  device->version++;
  int status = device->table->change_labels (device->moves, (const void *)pixels->data, pixels->len,
                                             label, &failure);
  return outcome_of (status, &failure);
}

gboolean
fs_move_outcome_check (gboolean *is_lost, FsMoveOutcome outcome, GError **error)
{
  *is_lost |= outcome == FS_MOVE_LOST;
  if (outcome == FS_MOVE_CANCELLED)
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the cut was cancelled");
  return outcome == FS_MOVE_DONE;
}
