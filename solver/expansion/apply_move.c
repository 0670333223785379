/* SPDX-License-Identifier: MIT */
#include "solver/expansion/apply_move.h"

#include "solver/system/checked_memory.h"

#include <string.h>

enum { CHANGED = 1, IN_COMPONENT = 2 };

/* Above this share of taken pixels the energy is better summed anew. */
enum { PIXELS_PER_SUM = 8 };

static size_t
count_problem_pixels (const FsMoveUpdate *update)
{
  return fs_label_problem_n_pixels (update->problem);
}

gboolean
fs_move_update_init (FsMoveUpdate *update, const FsLabelProblem *problem)
{
  *update = (FsMoveUpdate){ .problem = problem,
                            .pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                            .component = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                            .previous = g_array_new (FALSE, FALSE, sizeof (uint8_t)) };
  update->changed = fs_memory_new (count_problem_pixels (update), 1);
  if (update->changed == NULL)
    return FALSE;
  memset (update->changed, 0, count_problem_pixels (update));
  return TRUE;
}

void
fs_move_update_clear (FsMoveUpdate *update)
{
  g_clear_pointer (&update->pixels, g_array_unref);
  g_clear_pointer (&update->component, g_array_unref);
  g_clear_pointer (&update->previous, g_array_unref);
  g_clear_pointer (&update->changed, fs_memory_free);
}

void
fs_move_update_know_energy (FsMoveUpdate *update, const uint8_t *labels)
{
  if (!update->is_energy_known)
    update->energy = fs_label_problem_energy (update->problem, labels);
  update->is_energy_known = TRUE;
}

static gboolean
neighbour (const FsMoveUpdate *update, size_t p, int arc, size_t *there)
{
  const FsGrid grid = { .width = update->problem->width,
                        .height = update->problem->height,
                        .neighbours = update->problem->neighbours };
  if (!fs_grid_has_arc (&grid, (int)(p % (size_t)grid.width), (int)(p / (size_t)grid.width), arc))
    return FALSE;
  *there = (size_t)((ptrdiff_t)p + fs_grid_step (&grid, arc));
  return TRUE;
}

void
fs_move_update_add (FsMoveUpdate *update, uint32_t p)
{
  if (update->changed[p])
    return;
  update->changed[p] = CHANGED;
  g_array_append_val (update->pixels, p);
}

void
fs_move_update_forget (FsMoveUpdate *update)
{
  const uint32_t *pixels = (const uint32_t *)(void *)update->pixels->data;
  for (guint i = 0; i < update->pixels->len; i++)
    update->changed[pixels[i]] = 0;
  g_array_set_size (update->pixels, 0);
}

/* The energy of these pixels, with the pairs that they are in. Other changed pixels are not
 * among their neighbours. */
static FsLabelEnergy
local_energy (const FsMoveUpdate *update, const GArray *pixels, const uint8_t *labels)
{
  const FsLabelProblem *problem = update->problem;
  FsLabelEnergy energy = { 0 };
  for (guint i = 0; i < pixels->len; i++) {
    size_t p = g_array_index (pixels, uint32_t, i);
    energy.data += problem->data[labels[p] * count_problem_pixels (update) + p];
    size_t there[FS_N_ARCS];
    for (int arc = 0; arc < FS_N_ARCS; arc++) {
      gboolean is_forward = arc < FS_DIRECTION_OPPOSITE;
      if (!neighbour (update, p, arc, &there[arc]) || !fs_label_problem_has (problem, there[arc])
          || (!is_forward && update->changed[there[arc]]))
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
apply_pixels (FsMoveUpdate *update, const GArray *pixels, int label, uint8_t *labels)
{
  FsLabelEnergy before = local_energy (update, pixels, labels);
  g_array_set_size (update->previous, pixels->len);
  for (guint i = 0; i < pixels->len; i++) {
    uint8_t *at = &labels[g_array_index (pixels, uint32_t, i)];
    g_array_index (update->previous, uint8_t, i) = *at;
    *at = (uint8_t)label;
  }
  FsLabelEnergy after = local_energy (update, pixels, labels);
  if (after.total < before.total) {
    update->energy.data += after.data - before.data;
    update->energy.smoothness += after.smoothness - before.smoothness;
    update->energy.total += after.total - before.total;
    return TRUE;
  }
  for (guint i = 0; i < pixels->len; i++)
    labels[g_array_index (pixels, uint32_t, i)] = g_array_index (update->previous, uint8_t, i);
  return FALSE;
}

/* Lists the connected component of changed pixels around `seed`. */
static void
list_component (FsMoveUpdate *update, uint32_t seed)
{
  GArray *component = update->component;
  g_array_set_size (component, 0);
  g_array_append_val (component, seed);
  update->changed[seed] = IN_COMPONENT;
  for (guint i = 0; i < component->len; i++)
    for (int arc = 0; arc < FS_N_ARCS; arc++) {
      size_t there;
      if (!neighbour (update, g_array_index (component, uint32_t, i), arc, &there)
          || update->changed[there] != CHANGED)
        continue;
      uint32_t q = (uint32_t)there;
      update->changed[there] = IN_COMPONENT;
      g_array_append_val (component, q);
    }
}

/* Applies each component of the changed pixels that lowers the energy. Returns how many pixels they
 * have. */
static int64_t
apply_components (FsMoveUpdate *update, int label, uint8_t *labels)
{
  const GArray *pixels = update->pixels;
  int64_t n_changed = 0;
  for (guint i = 0; i < pixels->len; i++)
    if (update->changed[g_array_index (pixels, uint32_t, i)] == CHANGED) {
      list_component (update, g_array_index (pixels, uint32_t, i));
      n_changed +=
          apply_pixels (update, update->component, label, labels) ? update->component->len : 0;
    }
  return n_changed;
}

static int64_t
count_takers (const uint8_t *mask, size_t n)
{
  int64_t n_keepers = 0;
  for (size_t begin = 0; begin < n; begin += 128) {
    uint8_t sum = 0;
    for (size_t p = begin; p < MIN (begin + 128, n); p++)
      sum = (uint8_t)(sum + mask[p]);
    n_keepers += sum;
  }
  return (int64_t)n - n_keepers;
}

/* Most pixels keep: eight at a time. */
static void
list_takers (FsMoveUpdate *update, const uint8_t *mask)
{
  const uint64_t all_keep = UINT64_C (0x0101010101010101);
  size_t n = count_problem_pixels (update);
  for (size_t p = 0; p < n; p++) {
    uint64_t eight = 0;
    if (p + sizeof eight <= n)
      memcpy (&eight, mask + p, sizeof eight);
    if (eight == all_keep)
      p += sizeof eight - 1;
    else if (!mask[p])
      fs_move_update_add (update, (uint32_t)p);
  }
}

int64_t
fs_move_update_apply (FsMoveUpdate *update, const uint8_t *mask, int label, uint8_t *labels,
                      gboolean by_components)
{
  size_t n = count_problem_pixels (update);
  int64_t n_changed = 0;
  if (!by_components && (n_changed = count_takers (mask, n)) > (int64_t)(n / PIXELS_PER_SUM)) {
    update->is_energy_known = FALSE;
    for (size_t p = 0; p < n; p++)
      labels[p] = mask[p] ? labels[p] : (uint8_t)label;
    return n_changed;
  }
  list_takers (update, mask);
  if (by_components)
    n_changed = apply_components (update, label, labels);
  else if (update->is_energy_known && update->pixels->len <= n / PIXELS_PER_SUM)
    n_changed = apply_pixels (update, update->pixels, label, labels) ? update->pixels->len : 0;
  else {
    n_changed = update->pixels->len;
    update->is_energy_known = FALSE;
    for (guint i = 0; i < update->pixels->len; i++)
      labels[g_array_index (update->pixels, uint32_t, i)] = (uint8_t)label;
  }
  fs_move_update_forget (update);
  return n_changed;
}
