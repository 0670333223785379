/* SPDX-License-Identifier: MIT */
#include "energy/refine/add_components.h"

#include "energy/image/components.h"
#include "energy/image/distance.h"
#include "energy/refine/refine_internal.h"

#include <math.h>

/* The fraction of the photo that strokes must cover. */
#define PAINTED_MIN 0.008
/* Limits of a component (add_components.h); those marked √n are multiples of the square root of its
 * number of cells. */
#define GAIN_MIN       0.3  /* √n · λ: the border becomes cheaper by at least this           */
#define GAIN_A_NAT     0.15 /* less for each nat of its mean colour above 1                  */
#define GAIN_A_CONTACT 0.15 /* less for each √n of sides on the mask above CONTACT_MUCH      */
#define CONTACT_MUCH   2    /* √n                                                            */
#define CONTACT_MIN    0.5  /* √n: the smallest number of sides on the mask                  */
#define COLOUR_MIN     0.5  /* nats: the smallest mean of its colours towards object         */
#define FRACTION_MAX   0.6  /* it has fewer cells than this fraction of the mask's           */
enum { CELLS_MIN = 32 };

typedef struct {
  const FsRefinement *refinement;
  FsComponents components;
  double n_mask; /* cells of the mask */
} Work;

typedef struct {
  int64_t mask_links, other_links; /* towards the mask, towards the rest */
  int64_t colour;
  int n_contacts; /* straight links towards the mask */
} Component;

gboolean
fs_energy_may_add_components (FsEnergy *energy, const FsSeedMap *seeds)
{
  const FsModel *model = fs_energy_get_model (energy);
  double n = (double)seeds->width * seeds->height;
  return fs_energy_wants_refinement (energy) && model->known[0] && model->known[1]
         && n - (double)seeds->n_seeds[FS_SEED_NONE] >= PAINTED_MIN * n;
}

/* Squared distances to the nearest cell with such seeds. */
static int64_t *
distance2_to (const FsRefinement *refinement, gboolean background)
{
  int width = refinement->grid.width, height = refinement->grid.height;
  size_t n = fs_grid_n_pixels (&refinement->grid);
  g_autofree uint8_t *is_seed = g_malloc (n);
  for (size_t i = 0; i < n; i++)
    is_seed[i] = refinement->label[i] != FS_SEED_NONE
                 && (refinement->label[i] == FS_SEED_BACKGROUND) == background;
  return fs_distance2 (is_seed, width, height);
}

void
fs_refinement_guess_cells (const FsRefinement *refinement, uint8_t *cells)
{
  g_autofree int64_t *to_object = distance2_to (refinement, FALSE);
  g_autofree int64_t *to_background = distance2_to (refinement, TRUE);
  for (size_t i = 0; i < fs_grid_n_pixels (&refinement->grid); i++)
    cells[i] = to_object[i] < to_background[i];
}

/* --- one component --- */

static void
add_links (const Work *work, uint32_t cell, Component *component)
{
  const FsRefinement *refinement = work->refinement;
  const FsGrid *grid = &refinement->grid;
  int x = (int)(cell % (uint32_t)grid->width), y = (int)(cell / (uint32_t)grid->width);
  for (int arc = 0; arc < FS_N_ARCS; arc++) {
    int d = arc % FS_N_DIRECTIONS;
    if (d >= fs_grid_n_directions (grid) || !fs_grid_has_arc (grid, x, y, arc))
      continue;
    size_t to = (size_t)((ptrdiff_t)cell + fs_grid_step (grid, arc));
    if (work->components.marks[to] == FS_CELL_IN_COMPONENT)
      continue;
    uint16_t link = grid->nlink[d][arc >= FS_DIRECTION_OPPOSITE ? to : cell];
    *(refinement->first[to] ? &component->mask_links : &component->other_links) += link;
    component->n_contacts += refinement->first[to] && d < FS_DIRECTION_SE;
  }
}

static gboolean
is_acceptable (const Work *work)
{
  const FsRefinement *refinement = work->refinement;
  Component component = { 0 };
  double n = work->components.cells->len, root = sqrt (n);
  if (n < CELLS_MIN || n >= FRACTION_MAX * work->n_mask)
    return FALSE;
  for (guint k = 0; k < work->components.cells->len; k++) {
    uint32_t cell = fs_components_get (&work->components, k);
    add_links (work, cell, &component);
    component.colour +=
        refinement->by_colour[fs_colour_bin (refinement->terms->image->pixels[cell])];
  }
  double colour = (double)component.colour / (FS_NAT_SCALE * n);
  double gain = GAIN_MIN - GAIN_A_NAT * MAX (0, colour - 1)
                - GAIN_A_CONTACT * MAX (0, component.n_contacts / root - CONTACT_MUCH);
  return (double)(component.mask_links - component.other_links)
             >= MAX (0, gain) * refinement->photo->nlink_max * root
         && component.n_contacts >= CONTACT_MIN * root && colour >= COLOUR_MIN;
}

/* --- all of them --- */

/* Seeds of the background stay. */
static void
take_cell (const FsRefinement *refinement, uint32_t cell, uint8_t *mask)
{
  int width = refinement->seeds->width, height = refinement->seeds->height;
  int x0 = (int)(cell % (uint32_t)refinement->grid.width) << refinement->shift;
  int y0 = (int)(cell / (uint32_t)refinement->grid.width) << refinement->shift;
  for (int y = y0; y < MIN (y0 + (1 << refinement->shift), height); y++)
    for (int x = x0; x < MIN (x0 + (1 << refinement->shift), width); x++) {
      size_t p = (size_t)y * (size_t)width + (size_t)x;
      mask[p] |= refinement->seeds->label[p] != FS_SEED_BACKGROUND;
    }
}

static gboolean
take_component (Work *work, uint32_t cell, uint8_t *mask)
{
  if (!fs_components_collect (&work->components, cell))
    return FALSE;
  gboolean is_taken = is_acceptable (work);
  for (guint k = 0; is_taken && k < work->components.cells->len; k++)
    take_cell (work->refinement, fs_components_get (&work->components, k), mask);
  fs_components_mark (&work->components, FS_CELL_OTHER);
  return is_taken;
}

static void
work_clear (Work *work)
{
  fs_components_clear (&work->components);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

gboolean
fs_refinement_add_components (const FsRefinement *refinement, const uint8_t *cells, uint8_t *mask,
                              GError **error)
{
  uint32_t n = (uint32_t)fs_grid_n_pixels (&refinement->grid);
  g_auto (Work) work = { .refinement = refinement };
  fs_components_init (&work.components, refinement->grid.width, refinement->grid.height);
  for (uint32_t i = 0; i < n; i++) {
    work.components.marks[i] = cells[i] && !refinement->first[i] ? FS_CELL_WAITS : FS_CELL_OTHER;
    work.n_mask += refinement->first[i];
  }
  gboolean any = FALSE;
  for (uint32_t i = 0; i < n; i++)
    any |= take_component (&work, i, mask);
  return !any || !fs_energy_has_mask_prior (refinement->energy)
         || fs_mask_prior_restore (fs_energy_get_mask_prior (refinement->energy), mask)
         || fs_photo_terms_refuse_size (refinement->model->terms->image, error);
}
