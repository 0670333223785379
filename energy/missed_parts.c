/* SPDX-License-Identifier: MIT */
#include "energy/missed_parts.h"

#include "energy/distance.h"
#include "energy/second_look_parts.h"

#include <math.h>

/* Of the photo, in strokes. */
#define PAINTED_LEAST 0.008
/* Of a piece, the first two by the square root of its cells: how much cheaper the border becomes,
 * in links between equal neighbours, and how much less of that is enough for each nat that its
 * colours say beyond 1; how many sides of cells lean against the mask. What its colours say in the
 * mean, in nats. And its size, beside that of the mask. */
#define GAIN_LEAST    0.3
#define GAIN_A_NAT    0.15
#define CONTACT_LEAST 0.5
#define COLOUR_LEAST  0.5
#define SHARE_MOST    0.6
enum { CELLS_LEAST = 32 };

/* Marks of cells: added by the rounds, and in the piece at hand. */
enum { OTHER, ADDED, IN_PIECE };

typedef struct {
  const FsSecondLook *look;
  uint8_t *marks; /* [cells]                                      */
  GArray *piece;  /* of uint32_t: the cells of the piece at hand  */
  double n_mask;  /* cells of the mask                            */
} Work;

typedef struct {
  int64_t mask_links, other_links; /* towards the mask, towards the rest */
  int64_t colour;
  int n_contacts; /* straight links towards the mask */
} Piece;

gboolean
fs_missed_parts_are_looked_for (FsEnergy *energy, const FsSeedMap *seeds)
{
  const FsModel *model = fs_energy_get_model (energy);
  double n = (double)seeds->width * seeds->height;
  return fs_energy_looks_twice (energy) && model->known[0] && model->known[1]
         && n - (double)seeds->n_seeds[FS_SEED_NONE] >= PAINTED_LEAST * n;
}

/* Squared distances to the nearest cell with such seeds. */
static int64_t *
distance2_to (const FsSecondLook *look, gboolean background)
{
  int width = look->grid.width, height = look->grid.height;
  size_t n = fs_grid_n_pixels (&look->grid);
  g_autofree uint8_t *is_seed = g_malloc (n);
  for (size_t i = 0; i < n; i++)
    is_seed[i] =
        look->label[i] != FS_SEED_NONE && (look->label[i] == FS_SEED_BACKGROUND) == background;
  return fs_distance2 (is_seed, width, height);
}

void
fs_missed_parts_guess (const FsSecondLook *look, uint8_t *cells)
{
  g_autofree int64_t *to_object = distance2_to (look, FALSE);
  g_autofree int64_t *to_background = distance2_to (look, TRUE);
  for (size_t i = 0; i < fs_grid_n_pixels (&look->grid); i++)
    cells[i] = to_object[i] < to_background[i];
}

/* --- one piece --- */

static void
visit (Work *work, int x, int y)
{
  const FsGrid *grid = &work->look->grid;
  if (x < 0 || y < 0 || x >= grid->width || y >= grid->height)
    return;
  uint32_t cell = (uint32_t)y * (uint32_t)grid->width + (uint32_t)x;
  if (work->marks[cell] != ADDED)
    return;
  work->marks[cell] = IN_PIECE;
  g_array_append_val (work->piece, cell);
}

static uint32_t
cell_at (const Work *work, guint k)
{
  return g_array_index (work->piece, uint32_t, k);
}

/* The piece that (x, y) is in; empty where there is none. */
static void
collect (Work *work, int x, int y)
{
  uint32_t width = (uint32_t)work->look->grid.width;
  g_array_set_size (work->piece, 0);
  visit (work, x, y);
  for (guint k = 0; k < work->piece->len; k++) {
    int i = (int)(cell_at (work, k) % width), j = (int)(cell_at (work, k) / width);
    visit (work, i - 1, j);
    visit (work, i + 1, j);
    visit (work, i, j - 1);
    visit (work, i, j + 1);
  }
}

static void
add_links (const Work *work, uint32_t cell, Piece *piece)
{
  const FsSecondLook *look = work->look;
  const FsGrid *grid = &look->grid;
  int x = (int)(cell % (uint32_t)grid->width), y = (int)(cell / (uint32_t)grid->width);
  for (int arc = 0; arc < FS_N_ARCS; arc++) {
    int d = arc % FS_N_DIRECTIONS;
    if (d >= fs_grid_n_directions (grid) || !fs_grid_has_arc (grid, x, y, arc))
      continue;
    size_t to = (size_t)((ptrdiff_t)cell + fs_grid_step (grid, arc));
    if (work->marks[to] == IN_PIECE)
      continue;
    uint16_t link = grid->nlink[d][arc >= FS_DIRECTION_OPPOSITE ? to : cell];
    *(look->first[to] ? &piece->mask_links : &piece->other_links) += link;
    piece->n_contacts += look->first[to] && d < FS_DIRECTION_SE;
  }
}

static gboolean
is_missed (const Work *work)
{
  const FsSecondLook *look = work->look;
  Piece piece = { 0 };
  double n = work->piece->len, root = sqrt (n);
  if (n < CELLS_LEAST || n >= SHARE_MOST * work->n_mask)
    return FALSE;
  for (guint k = 0; k < work->piece->len; k++) {
    add_links (work, cell_at (work, k), &piece);
    piece.colour += look->by_colour[fs_colour_bin (look->scene->image->pixels[cell_at (work, k)])];
  }
  double colour = (double)piece.colour / (FS_NAT_SCALE * n);
  double gain = MAX (0, GAIN_LEAST - GAIN_A_NAT * MAX (0, colour - 1));
  return (double)(piece.mask_links - piece.other_links) >= gain * look->photo->nlink_most * root
         && piece.n_contacts >= CONTACT_LEAST * root && colour >= COLOUR_LEAST;
}

/* --- all of them --- */

/* Seeds of the background stay. */
static void
take_cell (const FsSecondLook *look, uint32_t cell, uint8_t *mask)
{
  int width = look->seeds->width, height = look->seeds->height;
  int x0 = (int)(cell % (uint32_t)look->grid.width) << look->shift;
  int y0 = (int)(cell / (uint32_t)look->grid.width) << look->shift;
  for (int y = y0; y < MIN (y0 + (1 << look->shift), height); y++)
    for (int x = x0; x < MIN (x0 + (1 << look->shift), width); x++) {
      size_t p = (size_t)y * (size_t)width + (size_t)x;
      mask[p] |= look->seeds->label[p] != FS_SEED_BACKGROUND;
    }
}

static gboolean
take_piece (Work *work, int x, int y, uint8_t *mask)
{
  collect (work, x, y);
  gboolean is_taken = is_missed (work);
  for (guint k = 0; k < work->piece->len; k++) {
    work->marks[cell_at (work, k)] = OTHER;
    if (is_taken)
      take_cell (work->look, cell_at (work, k), mask);
  }
  return is_taken;
}

static gboolean
take_pieces (Work *work, uint8_t *mask)
{
  gboolean any = FALSE;
  for (int y = 0; y < work->look->grid.height; y++)
    for (int x = 0; x < work->look->grid.width; x++)
      any |= take_piece (work, x, y, mask);
  return any;
}

gboolean
fs_missed_parts_add (const FsSecondLook *look, const uint8_t *cells, uint8_t *mask, GError **error)
{
  size_t n = fs_grid_n_pixels (&look->grid);
  g_autofree uint8_t *marks = g_malloc (n);
  g_autoptr (GArray) piece = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  Work work = { look, marks, piece, 0 };
  for (size_t i = 0; i < n; i++) {
    marks[i] = cells[i] && !look->first[i] ? ADDED : OTHER;
    work.n_mask += look->first[i];
  }
  return !take_pieces (&work, mask) || !fs_energy_keeps (look->energy)
         || fs_stability_restore (fs_energy_get_stability (look->energy), mask)
         || fs_scene_refuse_size (look->model->scene->image, error);
}
