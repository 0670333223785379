/* SPDX-License-Identifier: MIT */
/* Components that a refinement of the whole photo removes from a mask. */
#include "energy/refine/remove_components.h"

#include <string.h>

enum { W = 120, H = 90 };

/* A body of the object's colour, painted, on a ground with a stroke of its own. */
typedef struct {
  int scale, w, h;
  FsImage *image;
  FsSeedMap *seeds;
  FsEnergy *energy;
  uint8_t *first, *mask, *cells; /* cells: as many as units */
} Case;

static const FsRect body = { 15, 15, 70, 80 };
#define OBJECT_COLOUR 0xffc28262u
#define GROUND_COLOUR 0xff324262u

static gboolean
is_in (FsRect rect, int x, int y)
{
  return x >= rect.x0 && x < rect.x1 && y >= rect.y0 && y < rect.y1;
}

static void
fill (const Case *c, uint8_t *plane, FsRect rect, uint8_t value)
{
  for (int p = 0; p < c->w * c->h; p++)
    if (is_in (rect, p % c->w / c->scale, p / c->w / c->scale))
      plane[p] = value;
}

static void
colour (const Case *c, FsRect rect, uint32_t pixel)
{
  for (int p = 0; p < c->w * c->h; p++)
    if (is_in (rect, p % c->w / c->scale, p / c->w / c->scale))
      c->image->pixels[p] = pixel;
}

static void
paint (const Case *c, FsCapsule at, uint8_t label)
{
  FsCapsule scaled = { at.x0 * c->scale, at.y0 * c->scale, at.x1 * c->scale, at.y1 * c->scale,
                       at.radius_px * c->scale };
  fs_seed_map_paint (c->seeds, &scaled, label, NULL, NULL);
}

static void
case_init (Case *c, int scale)
{
  *c = (Case){ .scale = scale, .w = W * scale, .h = H * scale };
  size_t n = (size_t)c->w * (size_t)c->h;
  c->image = fs_image_new (c->w, c->h);
  c->seeds = fs_seed_map_new (c->w, c->h);
  c->first = g_malloc0 (n);
  colour (c, (FsRect){ 0, 0, W, H }, GROUND_COLOUR);
  colour (c, body, OBJECT_COLOUR);
  fill (c, c->first, body, 1);
  paint (c, (FsCapsule){ 25, 20, 25, 70, 2 }, FS_SEED_OBJECT);
  paint (c, (FsCapsule){ 20, 5, 110, 5, 2 }, FS_SEED_BACKGROUND);
}

static void
case_clear (Case *c)
{
  fs_energy_free (c->energy);
  fs_seed_map_free (c->seeds);
  fs_image_unref (c->image);
  g_free (c->first);
  g_free (c->mask);
  g_free (c->cells);
}

/* `left_out` is what the rounds leave out of the first mask. Sets c->mask. */
static void
refine_cells (Case *c, const FsRect *left_out, int n_left_out, const uint32_t *painted)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
  fs_energy_fit (c->energy, c->seeds);
  if (painted)
    g_assert_true (fs_energy_set_mask_prior (c->energy, c->first, painted, 1, NULL));
  c->mask = g_memdup2 (c->first, (gsize)c->w * (gsize)c->h);
  g_autoptr (FsRefinement) refinement =
      fs_refinement_new_of_cells (c->energy, c->seeds, c->mask, NULL);
  const FsGrid *grid = fs_refinement_get_grid (refinement);
  int shrink = c->w / grid->width, units = c->scale / shrink;
  g_assert_cmpint (shrink * grid->width, ==, c->w);
  c->cells = g_malloc (fs_grid_n_pixels (grid));
  for (int i = 0; i < grid->width * grid->height; i++) {
    int x = i % grid->width, y = i / grid->width;
    c->cells[i] = c->first[y * shrink * c->w + x * shrink];
    for (int k = 0; k < n_left_out; k++)
      c->cells[i] &= !is_in (left_out[k], x / units, y / units);
  }
  g_assert_true (fs_refinement_remove_components (refinement, c->cells, c->mask, NULL));
}

/* What is background in the mask now, and was not: exactly the pixels of these rectangles. */
static void
assert_removed (const Case *c, const FsRect *removed, int n)
{
  for (int p = 0; p < c->w * c->h; p++) {
    int x = p % c->w / c->scale, y = p / c->w / c->scale;
    gboolean goes = FALSE;
    for (int k = 0; k < n; k++)
      goes |= is_in (removed[k], x, y);
    goes = goes && c->seeds->label[p] != FS_SEED_OBJECT;
    g_assert_cmpint (c->mask[p], ==, c->first[p] && !goes);
  }
}

static void
check_hole (FsRect hole, uint32_t pixel, gboolean is_removed)
{
  Case c;
  case_init (&c, 1);
  colour (&c, hole, pixel);
  refine_cells (&c, &hole, 1, NULL);
  assert_removed (&c, &hole, is_removed);
  case_clear (&c);
}

static void
test_holes (void)
{
  check_hole ((FsRect){ 40, 30, 52, 42 }, GROUND_COLOUR, TRUE);
  check_hole ((FsRect){ 40, 30, 52, 42 }, OBJECT_COLOUR, FALSE);
  check_hole ((FsRect){ 40, 30, 48, 34 }, GROUND_COLOUR, TRUE);  /* 32 cells */
  check_hole ((FsRect){ 40, 30, 41, 61 }, GROUND_COLOUR, FALSE); /* 31 */
}

/* Along the right side of the body: as many of its sides as it is long are the background's. */
static void
test_what_borders_the_background_stays (void)
{
  check_hole ((FsRect){ 66, 30, 70, 45 }, GROUND_COLOUR, TRUE);  /* 15 sides, 60 cells: 1.94 */
  check_hole ((FsRect){ 66, 30, 70, 47 }, GROUND_COLOUR, FALSE); /* 17, 68: 2.06 */
}

/* Another body, which only a strip joins to the painted one. */
static const FsRect other = { 85, 40, 105, 60 }, strip = { 70, 48, 85, 52 };

static void
add_other (Case *c, FsRect island)
{
  colour (c, island, OBJECT_COLOUR);
  fill (c, c->first, island, 1);
  fill (c, c->first, strip, 1);
}

static void
test_islands (void)
{
  const FsRect goes[] = { other, strip };
  for (int is_painted = 0; is_painted < 2; is_painted++) {
    Case c;
    case_init (&c, 1);
    add_other (&c, other);
    if (is_painted)
      paint (&c, (FsCapsule){ 90, 50, 92, 50, 1 }, FS_SEED_OBJECT);
    refine_cells (&c, &strip, 1, NULL);
    assert_removed (&c, goes, is_painted ? 0 : 2);
    case_clear (&c);
  }
}

static void
test_small_islands_stay (void)
{
  static const FsRect small[] = { { 85, 46, 90, 52 }, { 85, 46, 90, 53 } }; /* 30 and 35 cells */
  for (int i = 0; i < 2; i++) {
    const FsRect goes[] = { small[i], strip };
    Case c;
    case_init (&c, 1);
    add_other (&c, small[i]);
    refine_cells (&c, &strip, 1, NULL);
    assert_removed (&c, goes, i ? 2 : 0);
    case_clear (&c);
  }
}

/* The rounds leave a splinter in the midst of the strip, too small for an island. */
static void
test_what_hung_by_it_goes_too (void)
{
  const FsRect goes[] = { other, strip };
  const FsRect out[] = {
    { 70, 48, 85, 49 }, { 70, 51, 85, 52 }, { 70, 49, 77, 51 }, { 79, 49, 85, 51 }
  };
  Case c;
  case_init (&c, 1);
  add_other (&c, other);
  refine_cells (&c, out, G_N_ELEMENTS (out), NULL);
  assert_removed (&c, goes, 2);
  case_clear (&c);
}

static void
test_cells_of_several_pixels (void)
{
  static const FsRect hole = { 40, 30, 52, 42 };
  const FsRect goes[] = { other, strip, hole, { other.x1, 50, other.x1 + 1, 51 } };
  Case c;
  case_init (&c, 4);
  add_other (&c, other);
  colour (&c, hole, GROUND_COLOUR);
  /* A stroke of the object's in a cell that goes. */
  fs_seed_map_set_run (c.seeds, 35 * 4, 45 * 4 + 1, 45 * 4 + 2, FS_SEED_OBJECT);
  /* A pixel of the mask in a cell that is not, beside one that goes. */
  c.first[50 * 4 * c.w + other.x1 * 4] = 1;
  refine_cells (&c, (const FsRect[]){ strip, hole }, 2, NULL);
  assert_removed (&c, goes, G_N_ELEMENTS (goes));
  g_assert_cmpint (c.mask[35 * 4 * c.w + 45 * 4 + 1], ==, 1);
  case_clear (&c);
}

/* What the stroke did not come near stays as it was. */
static void
test_keeps_the_previous_mask (void)
{
  static const FsRect hole = { 40, 30, 52, 42 };
  for (int near = 0; near < 2; near++) {
    Case c;
    case_init (&c, 1);
    colour (&c, hole, GROUND_COLOUR);
    uint32_t painted = near ? 36 * W + 53 : 85 * W + 5;
    refine_cells (&c, &hole, 1, &painted);
    assert_removed (&c, &hole, near);
    case_clear (&c);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/remove-components/holes", test_holes);
  g_test_add_func ("/remove-components/what-borders-the-background-stays",
                   test_what_borders_the_background_stays);
  g_test_add_func ("/remove-components/islands", test_islands);
  g_test_add_func ("/remove-components/small-islands-stay", test_small_islands_stay);
  g_test_add_func ("/remove-components/what-hung-by-it-goes-too", test_what_hung_by_it_goes_too);
  g_test_add_func ("/remove-components/cells-of-several-pixels", test_cells_of_several_pixels);
  g_test_add_func ("/remove-components/keeps-the-previous-mask", test_keeps_the_previous_mask);
  return g_test_run ();
}
