/* SPDX-License-Identifier: MIT */
#include "library/library.h"
#include "solver/certificate.h"
#include "solver/system/checked_memory.h"

#include <string.h>

G_STATIC_ASSERT ((int)FRETSAW_DIRECTIONS == (int)FS_N_DIRECTIONS);
G_STATIC_ASSERT (FRETSAW_TLINK_MAX == FS_TLINK_MAX);
G_STATIC_ASSERT (FRETSAW_NLINK_MAX == FS_NLINK_MAX);
G_STATIC_ASSERT (FRETSAW_NLINK_PAIR_MAX == FS_NLINK_PAIR_MAX);
G_STATIC_ASSERT (sizeof (fretsaw_tlink_change) == sizeof (FsTlinkChange));

/* Bytes a pixel of the CPU's state: excess, residuals, labels, trees; and what a solve adds. */
enum { STATE_BYTES = 32, SMALL_BYTES = 1 << 20 };

struct fretsaw_grid {
  FsLibraryObject object;
  FsGrid grid;
  int32_t *tlink;
  uint16_t *own[2 * FS_N_DIRECTIONS]; /* copied n-links, forth and back */
  FsSolver *solver;
  gboolean changes_nlinks;
  gboolean has_mask, is_solved; /* is_solved: nothing has changed since */
};

static fretsaw_status
take_options (fretsaw_grid_options *own, const fretsaw_grid_options *given, fretsaw_error *error)
{
  if (!given)
    return fs_library_fail (error, FRETSAW_INVALID, "options is NULL; a grid needs its size");
  fretsaw_status status =
      fs_library_take_struct (own, FS_LIBRARY_STRUCT (fretsaw_grid_options, changes_nlinks), given,
                              error);
  if (!status)
    status = fs_library_check_grid (own->width, own->height, &own->neighbours, error);
  if (status)
    return status;
  if (own->borrow && own->changes_nlinks)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "borrow and changes_nlinks exclude each other: borrowed n-links do "
                            "not change");
  return FRETSAW_OK;
}

static fretsaw_status
check_planes (fretsaw_grid_options *own, fretsaw_error *error)
{
  static const char *const names[] = { "nlink[0]", "nlink[1]", "nlink[2]", "nlink[3]" };
  int n_back = 0, n = own->neighbours == FS_NEIGHBOURS_8 ? 4 : 2;
  for (int d = 0; d < n; d++) {
    fretsaw_status status =
        fs_library_check_plane (own->nlink[d], &own->stride, (size_t)own->width, names[d], error);
    if (status)
      return status;
    n_back += own->nlink_back[d] != NULL;
  }
  if (n_back > 0 && n_back < n)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "%d planes of nlink_back are there; it takes all %d or none", n_back,
                            n);
  if (own->borrow && own->stride != own->width)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "stride is %td; borrowed planes have rows of %d elements, without "
                            "padding",
                            own->stride, own->width);
  return FRETSAW_OK;
}

static fretsaw_status
refuse_memory (const FsGrid *grid, fretsaw_error *error)
{
  return fs_library_fail (error, FRETSAW_MEMORY, "not enough memory for a grid of %d × %d pixels",
                          grid->width, grid->height);
}

static void
copy_tlinks (const FsGrid *grid, int32_t *to, const int32_t *from, ptrdiff_t stride)
{
  size_t width = (size_t)grid->width;
  for (int y = 0; y < grid->height; y++)
    if (from)
      memcpy (to + (size_t)y * width, from + y * stride, width * sizeof *to);
    else
      memset (to + (size_t)y * width, 0, width * sizeof *to);
}

/* Links that leave the grid become 0. */
static gboolean
copy_nlinks (fretsaw_grid *self, int d, gboolean is_back, const uint16_t *from, ptrdiff_t stride)
{
  const FsGrid *grid = &self->grid;
  uint16_t *to = fs_memory_new (fs_grid_n_pixels (grid), sizeof *to);
  if (!to)
    return FALSE;
  self->own[2 * d + is_back] = to;
  size_t width = (size_t)grid->width, row_bytes = width * sizeof *to;
  for (int y = 0; y < grid->height; y++, to += width) {
    if (y == grid->height - 1 && d != FS_DIRECTION_E) {
      memset (to, 0, row_bytes);
      continue;
    }
    memcpy (to, from + y * stride, row_bytes);
    if (fs_direction_dx ((FsDirection)d) > 0)
      to[width - 1] = 0;
    if (fs_direction_dx ((FsDirection)d) < 0)
      to[0] = 0;
  }
  return TRUE;
}

static fretsaw_status
take_planes (fretsaw_grid *self, const fretsaw_grid_options *own, fretsaw_error *error)
{
  FsGrid *grid = &self->grid;
  gboolean is_directed = own->nlink_back[0] != NULL;
  self->tlink = grid->tlink = fs_memory_new (fs_grid_n_pixels (grid), sizeof *self->tlink);
  if (!self->tlink)
    return refuse_memory (grid, error);
  copy_tlinks (grid, self->tlink, own->tlink, own->stride);
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    if (own->borrow) {
      grid->nlink[d] = own->nlink[d];
      grid->nlink_back[d] = own->nlink_back[d];
      continue;
    }
    const uint16_t *back = is_directed ? own->nlink_back[d] : own->nlink[d];
    if (!copy_nlinks (self, d, FALSE, own->nlink[d], own->stride)
        || ((is_directed || own->changes_nlinks)
            && !copy_nlinks (self, d, TRUE, back, own->stride)))
      return refuse_memory (grid, error);
    grid->nlink[d] = self->own[2 * d];
    grid->nlink_back[d] = self->own[2 * d + 1];
  }
  return FRETSAW_OK;
}

static fretsaw_status
build_grid (fretsaw_grid *self, const fretsaw_grid_options *own, fretsaw_error *error)
{
  self->grid = (FsGrid){ .width = own->width,
                         .height = own->height,
                         .neighbours = (FsNeighbours)own->neighbours };
  self->changes_nlinks = own->changes_nlinks;
  fretsaw_status status = take_planes (self, own, error);
  if (status)
    return status;
  g_auto (FsLibraryCall) call = { 0 };
  status = fs_library_begin (&call, self, "grid", error);
  if (status)
    return status;
  GError *failure = NULL;
  if (!fs_grid_validate (&self->grid, &failure)
      || !(self->solver = fs_solver_new (self->object.context->backend, &self->grid, &failure)))
    return fs_library_take_error (error, failure);
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_grid_new (fretsaw_context *context, const fretsaw_grid_options *options,
                  fretsaw_grid **grid, fretsaw_error *error)
{
  fretsaw_grid_options own;
  fretsaw_status status = take_options (&own, options, error);
  if (!status)
    status = check_planes (&own, error);
  if (status)
    return status;
  if (!grid)
    return fs_library_fail (error, FRETSAW_INVALID, "grid is NULL");
  fretsaw_grid *self = g_new0 (fretsaw_grid, 1);
  self->object.context = fs_library_ref_context (context);
  status = build_grid (self, &own, error);
  if (status)
    fretsaw_grid_free (self);
  else
    *grid = self;
  return status;
}

void
fretsaw_grid_free (fretsaw_grid *grid)
{
  if (!grid)
    return;
  fs_solver_free (grid->solver);
  for (int i = 0; i < 2 * FS_N_DIRECTIONS; i++)
    fs_memory_free (grid->own[i]);
  fs_memory_free (grid->tlink);
  fretsaw_context_free (grid->object.context);
  g_free (grid);
}

size_t
fretsaw_grid_forecast_bytes (const fretsaw_grid_options *options)
{
  fretsaw_grid_options own;
  if (take_options (&own, options, NULL))
    return 0;
  size_t n_planes = own.borrow ? 0 : own.neighbours == FS_NEIGHBOURS_8 ? 4 : 2;
  n_planes *= own.nlink_back[0] || own.changes_nlinks ? 2 : 1;
  size_t a_pixel = sizeof (int32_t) + n_planes * sizeof (uint16_t) + STATE_BYTES;
  return a_pixel * (size_t)own.width * (size_t)own.height + SMALL_BYTES;
}

/* --- Changes --- */

static fretsaw_status
check_tlink (int32_t tlink, size_t i, const char *what, fretsaw_error *error)
{
  return tlink >= -FS_TLINK_MAX && tlink <= FS_TLINK_MAX
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_INVALID, "%s %zu has the t-link %d, beyond ±%d",
                                what, i, tlink, FS_TLINK_MAX);
}

fretsaw_status
fretsaw_grid_change_tlinks (fretsaw_grid *grid, const fretsaw_tlink_change *changes, size_t n,
                            fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status =
      fs_library_begin_with_list (&call, grid, "grid", changes, n, "changes", error);
  if (status || n == 0)
    return status;
  for (size_t i = 0; i < n; i++) {
    status =
        fs_library_check_pixel (changes[i].pixel, i, "grid", fs_grid_n_pixels (&grid->grid), error);
    if (!status)
      status = check_tlink (changes[i].tlink, i, "change", error);
    if (status)
      return status;
  }
  GError *failure = NULL;
  grid->is_solved = FALSE;
  return fs_solver_change_tlinks (grid->solver, (const FsTlinkChange *)changes, n, &failure)
             ? FRETSAW_OK
             : fs_library_take_error (error, failure);
}

fretsaw_status
fretsaw_grid_set_tlinks (fretsaw_grid *grid, const int32_t *tlink, ptrdiff_t stride,
                         fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, grid, "grid", error);
  if (!status)
    status = fs_library_check_plane (tlink, &stride, (size_t)grid->grid.width, "tlink", error);
  if (status)
    return status;
  size_t n = fs_grid_n_pixels (&grid->grid);
  int32_t *copy = fs_memory_new (n, sizeof *copy);
  if (!copy)
    return refuse_memory (&grid->grid, error);
  copy_tlinks (&grid->grid, copy, tlink, stride);
  for (size_t p = 0; p < n && !status; p++)
    status = check_tlink (copy[p], p, "pixel", error);
  GError *failure = NULL;
  if (!status) {
    grid->is_solved = FALSE;
    if (!fs_solver_replace_tlinks (grid->solver, copy, &failure))
      status = fs_library_take_error (error, failure);
  }
  fs_memory_free (copy);
  return status;
}

static fretsaw_status
check_nlink (const FsGrid *grid, const fretsaw_nlink_change *change, size_t i, fretsaw_error *error)
{
  fretsaw_status status =
      fs_library_check_pixel (change->pixel, i, "grid", fs_grid_n_pixels (grid), error);
  if (status)
    return status;
  int x = (int)(change->pixel % (uint32_t)grid->width),
      y = (int)(change->pixel / (uint32_t)grid->width), n = fs_grid_n_directions (grid);
  if (change->direction < 0 || change->direction >= n
      || !fs_grid_has_neighbour (grid, x, y, (FsDirection)change->direction))
    return fs_library_fail (error, FRETSAW_INVALID,
                            "change %zu: pixel (%d, %d) has no neighbour in direction %d", i, x, y,
                            change->direction);
  if (change->forth + change->back > FS_NLINK_PAIR_MAX)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "change %zu: forth and back sum to %d, beyond %d", i,
                            change->forth + change->back, FS_NLINK_PAIR_MAX);
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_grid_change_nlinks (fretsaw_grid *grid, const fretsaw_nlink_change *changes, size_t n,
                            fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status =
      fs_library_begin_with_list (&call, grid, "grid", changes, n, "changes", error);
  if (status || n == 0)
    return status;
  if (!grid->changes_nlinks)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "the grid was made without changes_nlinks in its options");
  if (!fs_solver_changes_nlinks (grid->solver))
    return fs_library_fail (error, FRETSAW_UNSUPPORTED,
                            "this device does not change n-links; use the CPU");
  for (size_t i = 0; i < n && !status; i++)
    status = check_nlink (&grid->grid, &changes[i], i, error);
  if (status)
    return status;
  g_autofree FsNlinkChange *own = g_try_new (FsNlinkChange, n);
  if (!own)
    return refuse_memory (&grid->grid, error);
  for (size_t i = 0; i < n; i++)
    own[i] = (FsNlinkChange){ changes[i].pixel, changes[i].forth, changes[i].back,
                              (uint8_t)changes[i].direction };
  GError *failure = NULL;
  grid->is_solved = FALSE;
  return fs_solver_change_nlinks (grid->solver, own, n, &failure)
             ? FRETSAW_OK
             : fs_library_take_error (error, failure);
}

/* --- Solves --- */

fretsaw_status
fretsaw_grid_solve (fretsaw_grid *grid, const fretsaw_progress *progress,
                    fretsaw_solution *solution, fretsaw_error *error)
{
  FsProgress own;
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status =
      fs_library_begin_solve (&call, grid, "grid", &own, progress, solution, error);
  if (status)
    return status;
  FsSolution found;
  GError *failure = NULL;
  grid->is_solved = FALSE;
  if (!fs_solver_solve (grid->solver, &own, &found, &failure))
    return fs_library_take_error (error, failure);
  grid->has_mask = grid->is_solved = TRUE;
  fs_library_give_solution (solution, &found, 0);
  return FRETSAW_OK;
}

/* fs_solver_read_mask takes strides of rows from above to below alone. */
fretsaw_status
fretsaw_grid_get_mask (fretsaw_grid *grid, uint8_t *mask, ptrdiff_t stride, fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, grid, "grid", error);
  if (!status)
    status = fs_library_check_plane (mask, &stride, (size_t)grid->grid.width, "mask", error);
  if (status)
    return status;
  if (!grid->has_mask)
    return fs_library_fail (error, FRETSAW_INVALID, "there is no mask before the first solve");
  int width = grid->grid.width, height = grid->grid.height;
  if (stride > 0)
    fs_solver_read_mask (grid->solver, 0, 0, width, height, mask, (size_t)stride);
  for (int y = 0; stride < 0 && y < height; y++)
    fs_solver_read_mask (grid->solver, 0, y, width, 1, mask + y * stride, (size_t)width);
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_grid_get_energy (fretsaw_grid *grid, const uint8_t *mask, ptrdiff_t stride, int64_t *energy,
                         fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, grid, "grid", error);
  if (!status)
    status = fs_library_check_plane (mask, &stride, (size_t)grid->grid.width, "mask", error);
  if (status)
    return status;
  if (!energy)
    return fs_library_fail (error, FRETSAW_INVALID, "energy is NULL");
  size_t width = (size_t)grid->grid.width;
  uint8_t *copy = fs_memory_new (fs_grid_n_pixels (&grid->grid), 1);
  if (!copy)
    return refuse_memory (&grid->grid, error);
  for (int y = 0; y < grid->grid.height; y++)
    memcpy (copy + (size_t)y * width, mask + y * stride, width);
  *energy = fs_grid_energy (&grid->grid, copy);
  fs_memory_free (copy);
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_grid_certify (fretsaw_grid *grid, fretsaw_certificate *certificate, fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, grid, "grid", error);
  if (!status)
    status = fs_library_check_certify (grid->is_solved, "grid", certificate, error);
  if (status)
    return status;
  FsCertificate found;
  GError *failure = NULL;
  if (!fs_solver_certify (grid->solver, &found, &failure))
    return fs_library_take_error (error, failure);
  fs_library_give_certificate (certificate, &found, 0);
  return FRETSAW_OK;
}
