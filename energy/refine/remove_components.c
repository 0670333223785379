/* SPDX-License-Identifier: MIT */
#include "energy/refine/remove_components.h"

#include "energy/image/components.h"
#include "energy/refine/refine_internal.h"

#include <math.h>

/* Limits of a hole: sides on the background by the square root of its cells; the mean of its
 * colours, in nats. Limit of all components: their size. */
#define CONTACT_MAX 2
#define COLOUR_MAX  (-2.5)
enum { CELLS_MIN = 32 };

typedef struct {
  const FsRefinement *refinement;
  FsComponents components;
  uint8_t *is_island;  /* [cells] */
  uint8_t *is_removed; /* [cells] */
} Work;

static void
work_init (Work *work, const FsRefinement *refinement)
{
  size_t n = fs_grid_n_pixels (&refinement->grid);
  *work =
      (Work){ .refinement = refinement, .is_island = g_malloc0 (n), .is_removed = g_malloc0 (n) };
  fs_components_init (&work->components, refinement->grid.width, refinement->grid.height);
}

static void
work_clear (Work *work)
{
  fs_components_clear (&work->components);
  g_free (work->is_island);
  g_free (work->is_removed);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
is_object_seed (uint8_t label)
{
  return label != FS_SEED_NONE && label != FS_SEED_BACKGROUND;
}

/* The cells of the first mask that the rounds leave, or those they leave out. */
static void
mark_cells (Work *work, const uint8_t *cells, gboolean left)
{
  for (size_t i = 0; i < fs_grid_n_pixels (&work->refinement->grid); i++)
    work->components.marks[i] =
        work->refinement->first[i] && cells[i] == left ? FS_CELL_WAITS : FS_CELL_OTHER;
}

static void
take_component (Work *work, uint8_t *into)
{
  for (guint k = 0; k < work->components.cells->len; k++)
    into[fs_components_get (&work->components, k)] = 1;
}

/* --- islands --- */

static gboolean
has_stroke (const Work *work)
{
  for (guint k = 0; k < work->components.cells->len; k++)
    if (is_object_seed (work->refinement->label[fs_components_get (&work->components, k)]))
      return TRUE;
  return FALSE;
}

static gboolean
find_islands (Work *work, const uint8_t *cells)
{
  gboolean any = FALSE;
  mark_cells (work, cells, TRUE);
  for (uint32_t i = 0; i < fs_grid_n_pixels (&work->refinement->grid); i++) {
    if (!fs_components_collect (&work->components, i) || work->components.cells->len < CELLS_MIN
        || has_stroke (work))
      continue;
    take_component (work, work->is_island);
    take_component (work, work->is_removed);
    any = TRUE;
  }
  return any;
}

/* --- holes, and what islands hung by --- */

typedef struct {
  int64_t colour;
  int n_contacts; /* with the background */
  gboolean is_by_island;
} Component;

static void
add_sides (const Work *work, uint32_t cell, Component *component)
{
  const FsRefinement *refinement = work->refinement;
  int x = (int)(cell % (uint32_t)refinement->grid.width),
      y = (int)(cell / (uint32_t)refinement->grid.width);
  for (int arc = 0; arc < FS_N_ARCS; arc++) {
    if (arc % FS_N_DIRECTIONS >= FS_DIRECTION_SE || !fs_grid_has_arc (&refinement->grid, x, y, arc))
      continue;
    size_t to = (size_t)((ptrdiff_t)cell + fs_grid_step (&refinement->grid, arc));
    component->n_contacts += !refinement->first[to];
    component->is_by_island |= work->is_island[to];
  }
}

static gboolean
is_removable (const Work *work)
{
  const FsRefinement *refinement = work->refinement;
  double n = work->components.cells->len;
  Component component = { 0 };
  for (guint k = 0; k < work->components.cells->len; k++) {
    uint32_t cell = fs_components_get (&work->components, k);
    add_sides (work, cell, &component);
    component.colour +=
        refinement->by_colour[fs_colour_bin (refinement->terms->image->pixels[cell])];
  }
  return component.is_by_island
         || (n >= CELLS_MIN && component.n_contacts <= CONTACT_MAX * sqrt (n)
             && (double)component.colour <= COLOUR_MAX * FS_NAT_SCALE * n);
}

static gboolean
find_holes (Work *work, const uint8_t *cells)
{
  gboolean any = FALSE;
  mark_cells (work, cells, FALSE);
  for (uint32_t i = 0; i < fs_grid_n_pixels (&work->refinement->grid); i++)
    if (fs_components_collect (&work->components, i) && is_removable (work)) {
      take_component (work, work->is_removed);
      any = TRUE;
    }
  return any;
}

/* --- what is left --- */

/* Finds the cells that are no longer connected to any object stroke. */
static void
find_cut_off (Work *work)
{
  const FsRefinement *refinement = work->refinement;
  FsComponents *components = &work->components;
  uint32_t n = (uint32_t)fs_grid_n_pixels (&refinement->grid);
  for (uint32_t i = 0; i < n; i++)
    components->marks[i] =
        refinement->first[i] && !work->is_removed[i] ? FS_CELL_WAITS : FS_CELL_OTHER;
  for (uint32_t i = 0; i < n; i++)
    if (is_object_seed (refinement->label[i]))
      fs_components_collect (components, i);
  for (uint32_t i = 0; i < n; i++)
    work->is_removed[i] |= components->marks[i] == FS_CELL_WAITS;
}

/* TRUE for removed cells, and for adjacent ones mostly outside the mask: their splinters. */
static gboolean
must_clear (const Work *work, int x, int y)
{
  const FsGrid *grid = &work->refinement->grid;
  size_t cell = (size_t)y * (size_t)grid->width + (size_t)x;
  if (work->is_removed[cell] || work->refinement->first[cell])
    return work->is_removed[cell];
  for (int arc = 0; arc < FS_N_ARCS; arc++)
    if (fs_grid_has_arc (grid, x, y, arc)
        && work->is_removed[(size_t)((ptrdiff_t)cell + fs_grid_step (grid, arc))])
      return TRUE;
  return FALSE;
}

static void
clear_cell (const FsRefinement *refinement, int cell_x, int cell_y, uint8_t *mask)
{
  const FsSeedMap *seeds = refinement->seeds;
  FsRect cell = { cell_x << refinement->shift, cell_y << refinement->shift,
                  (cell_x + 1) << refinement->shift, (cell_y + 1) << refinement->shift };
  cell = fs_rect_intersect (cell, (FsRect){ 0, 0, seeds->width, seeds->height });
  for (int y = cell.y0; y < cell.y1; y++)
    for (int x = cell.x0; x < cell.x1; x++) {
      size_t p = (size_t)y * (size_t)seeds->width + (size_t)x;
      mask[p] &= is_object_seed (seeds->label[p]);
    }
}

gboolean
fs_refinement_remove_components (const FsRefinement *refinement, const uint8_t *cells,
                                 uint8_t *mask, GError **error)
{
  g_auto (Work) work;
  work_init (&work, refinement);
  gboolean is_cut_off = find_islands (&work, cells);
  if (!find_holes (&work, cells) && !is_cut_off)
    return TRUE;
  if (is_cut_off)
    find_cut_off (&work);
  for (int y = 0; y < refinement->grid.height; y++)
    for (int x = 0; x < refinement->grid.width; x++)
      if (must_clear (&work, x, y))
        clear_cell (refinement, x, y, mask);
  return !fs_energy_has_mask_prior (refinement->energy)
         || fs_mask_prior_restore (fs_energy_get_mask_prior (refinement->energy), mask)
         || fs_photo_terms_refuse_size (refinement->model->terms->image, error);
}
