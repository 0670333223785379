/* SPDX-License-Identifier: MIT */
/* Small grids, a thousand set into one sheet without a link between them: one cut of the kernels,
 * or with FRETSAW_TEST_BACKEND=cuda of the device, against a cut of each by the CPU. A grid lies
 * anywhere on the tiles, and keeps a size, a shape and a history of its own. */
#include "solver/cuda/cuda_backend.h"
#include "tests/gates/crew.h"

enum { N_GRIDS = 1000, MAX_CUTS = 3, MAX_CHANGES = 8 };

/* A small grid, with its place in the sheet. */
typedef struct {
  Problem *problem;
  Shape shape;
  int x, y;
} Piece;

typedef struct {
  Problem *problem; /* of the sheet */
  Piece piece[N_GRIDS];
} Sheet;

/* The changes that the sheet's solver gets. */
typedef struct {
  GArray *tlinks, *nlinks, *star; /* of FsTlinkChange, FsNlinkChange, FsStarChange */
} Changes;

/* --- A sheet --- */

/* Up to nine tiles, up to four, or a part of one, as gate K has them; some are one pixel wide. */
static int
random_side (GRand *rand, int max)
{
  return g_rand_int_range (rand, 0, 20) == 0 ? 1 : g_rand_int_range (rand, 1, max + 1);
}

static int
random_max_side (GRand *rand)
{
  int draw = g_rand_int_range (rand, 0, 100);
  return draw < 4 ? 70 : draw < 20 ? 40 : 12;
}

/* One in ten sheets is a single row or column itself. */
typedef enum { SHEET_WIDE, SHEET_ROW, SHEET_COLUMN } SheetForm;

static SheetForm
random_form (GRand *rand)
{
  int draw = g_rand_int_range (rand, 0, 20);
  return draw == 0 ? SHEET_ROW : draw == 1 ? SHEET_COLUMN : SHEET_WIDE;
}

/* What all grids of a sheet have in common with it. */
typedef struct {
  SheetForm form;
  FsNeighbours neighbours;
  gboolean directed, star;
} Kind;

static Kind
random_kind (GRand *rand)
{
  return (Kind){ .form = random_form (rand),
                 .neighbours = g_rand_boolean (rand) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4,
                 .directed = g_rand_boolean (rand),
                 .star = g_rand_int_range (rand, 0, 3) == 0 };
}

static Problem *
new_problem (const Kind *kind, int width, int height)
{
  Problem *problem = problem_new (width, height, kind->neighbours, kind->directed);
  if (kind->star)
    problem_add_star (problem);
  return problem;
}

static void
piece_init (Piece *piece, GRand *rand, const Kind *kind)
{
  int max = random_max_side (rand);
  int width = kind->form == SHEET_COLUMN ? 1 : random_side (rand, max);
  int height = kind->form == SHEET_ROW ? 1 : random_side (rand, max);
  piece->shape = (Shape)g_rand_int_range (rand, 0, N_SHAPES);
  piece->problem = new_problem (kind, width, height);
  problem_fill (piece->problem, rand, piece->shape);
}

/* Row by row from the left, each row as high as its highest grid. Returns the height of all. */
static int
place_pieces (Sheet *sheet, int width)
{
  int x = 0, y = 0, row = 0;
  for (int i = 0; i < N_GRIDS; i++) {
    const FsGrid *grid = &sheet->piece[i].problem->grid;
    if (x + grid->width > width) {
      x = 0;
      y += row;
      row = 0;
    }
    sheet->piece[i].x = x;
    sheet->piece[i].y = y;
    x += grid->width;
    row = MAX (row, grid->height);
  }
  return y + row;
}

static uint32_t
pixel_in_sheet (const Sheet *sheet, const Piece *piece, uint32_t pixel)
{
  uint32_t width = (uint32_t)piece->problem->grid.width;
  uint32_t x = (uint32_t)piece->x + pixel % width, y = (uint32_t)piece->y + pixel / width;
  return y * (uint32_t)sheet->problem->grid.width + x;
}

/* A grid's links end at its edges, so none leads to the one beside it. */
static void
copy_piece (const Sheet *sheet, const Piece *piece)
{
  const Problem *from = piece->problem, *to = sheet->problem;
  for (uint32_t p = 0; p < fs_grid_n_pixels (&from->grid); p++) {
    uint32_t there = pixel_in_sheet (sheet, piece, p);
    to->grid.tlink[there] = from->grid.tlink[p];
    for (int i = 0; i < 2 * FS_N_DIRECTIONS; i++)
      if (from->plane[i] != NULL)
        to->plane[i][there] = from->plane[i][p];
    if (from->grid.star != NULL)
      to->grid.star[there] = from->grid.star[p];
  }
}

static Sheet *
sheet_new_random (GRand *rand)
{
  Kind kind = random_kind (rand);
  Sheet *sheet = g_new0 (Sheet, 1);
  for (int i = 0; i < N_GRIDS; i++)
    piece_init (&sheet->piece[i], rand, &kind);
  int width = kind.form == SHEET_COLUMN ? 1 : g_rand_int_range (rand, 70, 700);
  if (kind.form == SHEET_ROW)
    width = N_GRIDS * 70;
  int height = place_pieces (sheet, width);
  sheet->problem = new_problem (&kind, width, height);
  for (int i = 0; i < N_GRIDS; i++)
    copy_piece (sheet, &sheet->piece[i]);
  return sheet;
}

static void
sheet_free (Sheet *sheet)
{
  for (int i = 0; i < N_GRIDS; i++)
    problem_free (sheet->piece[i].problem);
  problem_free (sheet->problem);
  g_free (sheet);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sheet, sheet_free)

/* --- Changes --- */

static void
change_tlinks (GRand *rand, const Sheet *sheet, const Piece *piece, GArray *changes)
{
  FsGrid *grid = &piece->problem->grid;
  for (int n = g_rand_int_range (rand, 1, MAX_CHANGES); n > 0; n--) {
    uint32_t pixel = (uint32_t)g_rand_int_range (rand, 0, (gint32)fs_grid_n_pixels (grid));
    grid->tlink[pixel] = random_tlink (rand, piece->shape);
    FsTlinkChange change = { pixel_in_sheet (sheet, piece, pixel), grid->tlink[pixel] };
    g_array_append_val (changes, change);
  }
}

static void
change_nlinks (GRand *rand, const Sheet *sheet, const Piece *piece, GArray *changes)
{
  g_autoptr (GArray) own = random_nlink_changes (rand, &piece->problem->grid, MAX_CHANGES);
  for (guint i = 0; i < own->len; i++) {
    FsNlinkChange change = g_array_index (own, FsNlinkChange, i);
    piece->problem->plane[change.direction][change.pixel] = change.forth;
    piece->problem->plane[FS_N_DIRECTIONS + change.direction][change.pixel] = change.back;
    change.pixel = pixel_in_sheet (sheet, piece, change.pixel);
    g_array_append_val (changes, change);
  }
}

static void
change_star (GRand *rand, const Sheet *sheet, const Piece *piece, GArray *changes)
{
  FsGrid *grid = &piece->problem->grid;
  random_star (rand, grid, grid->star);
  for (uint32_t p = 0; p < fs_grid_n_pixels (grid); p++) {
    FsStarChange change = { pixel_in_sheet (sheet, piece, p), grid->star[p] };
    g_array_append_val (changes, change);
  }
}

static Changes
changes_new (void)
{
  return (Changes){ .tlinks = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange)),
                    .nlinks = g_array_new (FALSE, FALSE, sizeof (FsNlinkChange)),
                    .star = g_array_new (FALSE, FALSE, sizeof (FsStarChange)) };
}

static void
changes_clear (Changes *changes)
{
  g_array_unref (changes->tlinks);
  g_array_unref (changes->nlinks);
  g_array_unref (changes->star);
}

static void
apply_changes (FsSolver *solver, const Changes *changes)
{
  fs_solver_change_tlinks (solver, (const FsTlinkChange *)(const void *)changes->tlinks->data,
                           changes->tlinks->len, NULL);
  if (changes->nlinks->len > 0)
    fs_solver_change_nlinks (solver, (const FsNlinkChange *)(const void *)changes->nlinks->data,
                             changes->nlinks->len, NULL);
  if (changes->star->len > 0)
    fs_solver_change_star (solver, (const FsStarChange *)(const void *)changes->star->data,
                           changes->star->len, NULL);
}

/* Half of the grids get other links. */
static void
change (GRand *rand, const Sheet *sheet, FsSolver *solver)
{
  Changes changes = changes_new ();
  const FsGrid *grid = &sheet->problem->grid;
  gboolean nlinks =
      grid->nlink_back[0] != NULL && grid->star == NULL && fs_solver_changes_nlinks (solver);
  for (int i = 0; i < N_GRIDS; i++) {
    if (g_rand_boolean (rand))
      continue;
    change_tlinks (rand, sheet, &sheet->piece[i], changes.tlinks);
    if (nlinks && g_rand_boolean (rand))
      change_nlinks (rand, sheet, &sheet->piece[i], changes.nlinks);
    if (grid->star != NULL && g_rand_boolean (rand))
      change_star (rand, sheet, &sheet->piece[i], changes.star);
  }
  apply_changes (solver, &changes);
  changes_clear (&changes);
}

/* --- Comparing --- */

static gboolean
is_piece_of (const Sheet *sheet, const Piece *piece, const uint8_t *mask, const uint8_t *own)
{
  size_t width = (size_t)piece->problem->grid.width;
  size_t stride = (size_t)sheet->problem->grid.width;
  for (int y = 0; y < piece->problem->grid.height; y++)
    if (memcmp (mask + (size_t)(piece->y + y) * stride + piece->x, own + (size_t)y * width, width)
        != 0)
      return FALSE;
  return TRUE;
}

/* Whether the CPU, which knows a grid only as it is now, cuts it as the sheet says; adds its cost.
 */
static gboolean
piece_agrees (const Sheet *sheet, const Piece *piece, const uint8_t *mask, int64_t *energy)
{
  FsSolution solution;
  g_autoptr (FsSolver) cpu = fs_solver_new (&fs_backend_cpu, &piece->problem->grid, NULL);
  if (cpu == NULL || !fs_solver_solve (cpu, NULL, &solution, NULL))
    g_error ("a grid was not cut");
  *energy += solution.energy;
  g_autofree uint8_t *own = read_whole_mask (cpu);
  return is_piece_of (sheet, piece, mask, own);
}

static gboolean
agrees (const Sheet *sheet, FsSolver *solver)
{
  FsSolution solution;
  int64_t energy = 0;
  if (!crew_solve (solver, &solution) || fs_cuda_notice () != NULL)
    return FALSE;
  g_autofree uint8_t *mask = read_whole_mask (solver);
  for (int i = 0; i < N_GRIDS; i++)
    if (!piece_agrees (sheet, &sheet->piece[i], mask, &energy)) {
      g_printerr ("grid %d of the sheet differs\n", i);
      return FALSE;
    }
  return energy == solution.energy;
}

static GateResult
check (GRand *rand, const GateWork *work, int64_t number)
{
  g_autoptr (Sheet) sheet = sheet_new_random (rand);
  g_autoptr (FsSolver) solver = fs_solver_new (gate_backend (rand), &sheet->problem->grid, NULL);
  gboolean right = agrees (sheet, solver);
  for (int n = g_rand_int_range (rand, 0, MAX_CUTS); n > 0 && right; n--) {
    change (rand, sheet, solver);
    right = agrees (sheet, solver);
  }
  return gate_result (right);
}

static const GateWork WORKS[] = {
  { .name = "a thousand grids side by side", .check = check, .n = 5, .holds = N_GRIDS },
};

const Gate gate_side_by_side = { .id = "M", .works = WORKS, .n_works = G_N_ELEMENTS (WORKS) };
