/* SPDX-License-Identifier: MIT */
#include "cut/object_division.h"

#include "energy/labels/labels_objects.h"
#include "solver/expansion/expansion.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* The box as a photo of its own. */
typedef struct {
  FsRect box;
  FsImage *image;
  FsSeedMap *seeds;
  uint8_t *numbers; /* in: allowed labels, out: labels */
} Subproblem;

static void
subproblem_clear (Subproblem *sub)
{
  fs_image_unref (sub->image);
  fs_seed_map_free (sub->seeds);
  fs_memory_free (sub->numbers);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Subproblem, subproblem_clear)

static void
copy_box (const uint8_t *from, int width, const uint8_t *takes_part, FsRect box, uint8_t *to)
{
  size_t w = (size_t)(box.x1 - box.x0);
  for (int y = box.y0; y < box.y1; y++, to += w)
    memcpy (to, from + (size_t)y * (size_t)width + (size_t)box.x0, w);
  to -= w * (size_t)(box.y1 - box.y0);
  for (size_t p = 0; takes_part && p < w * (size_t)(box.y1 - box.y0); p++)
    if (to[p] >= FS_SEED_OBJECT && !takes_part[to[p]])
      to[p] = FS_SEED_BACKGROUND;
}

static void
copy_pixels (const FsImage *from, FsRect box, FsImage *to)
{
  size_t w = (size_t)to->width;
  for (int y = 0; y < to->height; y++)
    memcpy (to->pixels + (size_t)y * w,
            from->pixels + (size_t)(box.y0 + y) * (size_t)from->width + (size_t)box.x0,
            w * sizeof *to->pixels);
}

static gboolean
subproblem_init (Subproblem *sub, const FsImage *image, const FsSeedMap *seeds,
                 const uint8_t *takes_part, const uint8_t *numbers)
{
  int w = sub->box.x1 - sub->box.x0, h = sub->box.y1 - sub->box.y0;
  sub->image = fs_image_new_whole (w, h);
  sub->seeds = fs_seed_map_new (w, h);
  sub->numbers = fs_memory_new ((size_t)w * (size_t)h, 1);
  if (sub->image == NULL || sub->seeds == NULL || sub->numbers == NULL)
    return FALSE;
  copy_pixels (image, sub->box, sub->image);
  copy_box (seeds->label, image->width, takes_part, sub->box, sub->numbers);
  fs_seed_map_set (sub->seeds, sub->numbers);
  copy_box (numbers, image->width, takes_part, sub->box, sub->numbers);
  return TRUE;
}

static gboolean
cut_subproblem (Subproblem *sub, const FsSettings *settings, const FsProgress *progress,
                GError **error)
{
  g_autoptr (FsObjects) objects =
      fs_objects_new_within (sub->image, settings, sub->seeds, sub->numbers, progress, error);
  if (objects == NULL)
    return FALSE;
  const FsLabelProblem *problem = fs_objects_get_problem (objects);
  uint8_t order[FS_LABELS_MAX];
  const FsExpansionOptions options = { .order = order, .no_cycle_reuse = TRUE };
  fs_objects_start (objects, sub->numbers, order);
  g_autoptr (FsExpansion) expansion = fs_expansion_new (&fs_backend_cpu, problem, &options, error);
  g_auto (FsExpansionResult) result = { 0 };
  if (expansion == NULL || !fs_expansion_run (expansion, sub->numbers, progress, &result, error))
    return FALSE;
  for (size_t p = 0; p < fs_label_problem_n_pixels (problem); p++)
    sub->numbers[p] = fs_objects_get_number (objects, sub->numbers[p]);
  return TRUE;
}

gboolean
fs_object_division_run (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds,
                        const uint8_t *takes_part, FsRect box, const FsProgress *progress,
                        uint8_t *numbers, GError **error)
{
  g_auto (Subproblem) sub = { .box = box };
  if (!subproblem_init (&sub, image, seeds, takes_part, numbers)) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to separate the objects of %d × %d pixels", box.x1 - box.x0,
                 box.y1 - box.y0);
    return FALSE;
  }
  if (!cut_subproblem (&sub, settings, progress, error))
    return FALSE;
  const uint8_t *from = sub.numbers;
  for (int y = box.y0; y < box.y1; y++) {
    uint8_t *row = numbers + (size_t)y * (size_t)image->width;
    for (int x = box.x0; x < box.x1; x++, from++)
      if (row[x] == FS_SEED_NONE)
        row[x] = *from;
  }
  return TRUE;
}
