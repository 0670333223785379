/* SPDX-License-Identifier: MIT */
#include "solver/expansion/apply_move.h"

#include "solver/system/checked_memory.h"

#include <string.h>

enum { CHANGED = 1, IN_PART = 2 };

/* Above this share of taken pixels the energy is better summed anew. */
enum { PIXELS_PER_SUM = 8 };

static size_t
n_pixels (const FsTaking *taking)
{
  return fs_label_problem_n_pixels (taking->problem);
}

gboolean
fs_taking_init (FsTaking *taking, const FsLabelProblem *problem)
{
  *taking = (FsTaking){ .problem = problem,
                        .pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                        .part = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                        .former = g_array_new (FALSE, FALSE, sizeof (uint8_t)) };
  taking->changed = fs_memory_new (n_pixels (taking), 1);
  if (taking->changed == NULL)
    return FALSE;
  memset (taking->changed, 0, n_pixels (taking));
  return TRUE;
}

void
fs_taking_clear (FsTaking *taking)
{
  g_clear_pointer (&taking->pixels, g_array_unref);
  g_clear_pointer (&taking->part, g_array_unref);
  g_clear_pointer (&taking->former, g_array_unref);
  g_clear_pointer (&taking->changed, fs_memory_free);
}

void
fs_taking_know_energy (FsTaking *taking, const uint8_t *labels)
{
  if (!taking->is_energy_known)
    taking->energy = fs_label_problem_energy (taking->problem, labels);
  taking->is_energy_known = TRUE;
}

static gboolean
neighbour (const FsTaking *taking, size_t p, int arc, size_t *there)
{
  const FsGrid grid = { .width = taking->problem->width,
                        .height = taking->problem->height,
                        .neighbours = taking->problem->neighbours };
  if (!fs_grid_has_arc (&grid, (int)(p % (size_t)grid.width), (int)(p / (size_t)grid.width), arc))
    return FALSE;
  *there = (size_t)((ptrdiff_t)p + fs_grid_step (&grid, arc));
  return TRUE;
}

void
fs_taking_add (FsTaking *taking, uint32_t p)
{
  if (taking->changed[p])
    return;
  taking->changed[p] = CHANGED;
  g_array_append_val (taking->pixels, p);
}

void
fs_taking_forget (FsTaking *taking)
{
  const uint32_t *pixels = (const uint32_t *)(void *)taking->pixels->data;
  for (guint i = 0; i < taking->pixels->len; i++)
    taking->changed[pixels[i]] = 0;
  g_array_set_size (taking->pixels, 0);
}

/* What these pixels cost, with the pairs that they are part of. Other changed pixels are not among
 * their neighbours. */
static FsLabelEnergy
local_energy (const FsTaking *taking, const GArray *pixels, const uint8_t *labels)
{
  const FsLabelProblem *problem = taking->problem;
  FsLabelEnergy energy = { 0 };
  for (guint i = 0; i < pixels->len; i++) {
    size_t p = g_array_index (pixels, uint32_t, i);
    energy.data += problem->data[labels[p] * n_pixels (taking) + p];
    size_t there[FS_N_ARCS];
    for (int arc = 0; arc < FS_N_ARCS; arc++) {
      gboolean is_forward = arc < FS_DIRECTION_OPPOSITE;
      if (!neighbour (taking, p, arc, &there[arc]) || !fs_label_problem_has (problem, there[arc])
          || (!is_forward && taking->changed[there[arc]]))
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
take_part (FsTaking *taking, const GArray *pixels, int label, uint8_t *labels)
{
  FsLabelEnergy before = local_energy (taking, pixels, labels);
  g_array_set_size (taking->former, pixels->len);
  for (guint i = 0; i < pixels->len; i++) {
    uint8_t *at = &labels[g_array_index (pixels, uint32_t, i)];
    g_array_index (taking->former, uint8_t, i) = *at;
    *at = (uint8_t)label;
  }
  FsLabelEnergy after = local_energy (taking, pixels, labels);
  if (after.total < before.total) {
    taking->energy.data += after.data - before.data;
    taking->energy.smoothness += after.smoothness - before.smoothness;
    taking->energy.total += after.total - before.total;
    return TRUE;
  }
  for (guint i = 0; i < pixels->len; i++)
    labels[g_array_index (pixels, uint32_t, i)] = g_array_index (taking->former, uint8_t, i);
  return FALSE;
}

/* Lists the changed pixels that hang together with `seed` and are not in a part yet. */
static void
list_part (FsTaking *taking, uint32_t seed)
{
  GArray *part = taking->part;
  g_array_set_size (part, 0);
  g_array_append_val (part, seed);
  taking->changed[seed] = IN_PART;
  for (guint i = 0; i < part->len; i++)
    for (int arc = 0; arc < FS_N_ARCS; arc++) {
      size_t there;
      if (!neighbour (taking, g_array_index (part, uint32_t, i), arc, &there)
          || taking->changed[there] != CHANGED)
        continue;
      uint32_t q = (uint32_t)there;
      taking->changed[there] = IN_PART;
      g_array_append_val (part, q);
    }
}

/* Each part of the changed pixels, for itself, has to be worth it. Returns how many pixels were. */
static int64_t
take_parts (FsTaking *taking, int label, uint8_t *labels)
{
  const GArray *pixels = taking->pixels;
  int64_t n_changed = 0;
  for (guint i = 0; i < pixels->len; i++)
    if (taking->changed[g_array_index (pixels, uint32_t, i)] == CHANGED) {
      list_part (taking, g_array_index (pixels, uint32_t, i));
      n_changed += take_part (taking, taking->part, label, labels) ? taking->part->len : 0;
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
list_takers (FsTaking *taking, const uint8_t *mask)
{
  const uint64_t all_keep = UINT64_C (0x0101010101010101);
  size_t n = n_pixels (taking);
  for (size_t p = 0; p < n; p++) {
    uint64_t eight = 0;
    if (p + sizeof eight <= n)
      memcpy (&eight, mask + p, sizeof eight);
    if (eight == all_keep)
      p += sizeof eight - 1;
    else if (!mask[p])
      fs_taking_add (taking, (uint32_t)p);
  }
}

int64_t
fs_taking_take_over (FsTaking *taking, const uint8_t *mask, int label, uint8_t *labels,
                     gboolean by_parts)
{
  size_t n = n_pixels (taking);
  int64_t n_changed = 0;
  if (!by_parts && (n_changed = count_takers (mask, n)) > (int64_t)(n / PIXELS_PER_SUM)) {
    taking->is_energy_known = FALSE;
    for (size_t p = 0; p < n; p++)
      labels[p] = mask[p] ? labels[p] : (uint8_t)label;
    return n_changed;
  }
  list_takers (taking, mask);
  if (by_parts)
    n_changed = take_parts (taking, label, labels);
  else if (taking->is_energy_known && taking->pixels->len <= n / PIXELS_PER_SUM)
    n_changed = take_part (taking, taking->pixels, label, labels) ? taking->pixels->len : 0;
  else {
    n_changed = taking->pixels->len;
    taking->is_energy_known = FALSE;
    for (guint i = 0; i < taking->pixels->len; i++)
      labels[g_array_index (taking->pixels, uint32_t, i)] = (uint8_t)label;
  }
  fs_taking_forget (taking);
  return n_changed;
}
