/* SPDX-License-Identifier: MIT */
/* A finished mask as a guess: without strokes the cut is the mask, whatever the photo shows and
 * however small its parts are; strokes correct it where they are and leave the rest. */
#include "cut/multi_object_cut.h"
#include "cut/refine_cut.h"
#include "energy/energy_extras.h"
#include "energy/guess/guess_internal.h"
#include "energy/guess/mask_seeds.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

typedef struct {
  int width, height;
  FsImage *image;
  uint8_t *mask; /* what is imported, 0 or 1 */
  FsSeedMap *seeds;
  FsEnergy *energy;
  uint8_t *cut;
} Case;

static void
case_clear (Case *c)
{
  fs_image_unref (c->image);
  fs_seed_map_free (c->seeds);
  fs_energy_free (c->energy);
  g_free (c->mask);
  g_free (c->cut);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

enum { FLAT, NOISE, STRIPES, N_TEXTURES };

static uint32_t
texture_pixel (int texture, int x, int y, GRand *rand)
{
  if (texture == NOISE)
    return 0xff000000u | (g_rand_int (rand) & 0xffffffu);
  return texture == STRIPES && (x / 7 + y / 3) % 2 ? 0xffe0e020u : 0xff405060u;
}

static void
case_init (Case *c, int width, int height, int texture)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  *c = (Case){ .width = width, .height = height, .image = fs_image_new (width, height) };
  c->mask = g_malloc0 ((gsize)width * (gsize)height);
  c->cut = g_malloc0 ((gsize)width * (gsize)height);
  c->seeds = fs_seed_map_new (width, height);
  for (int i = 0; i < width * height; i++)
    c->image->pixels[i] = texture_pixel (texture, i % width, i / width, rand);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
}

/* The plane of a guess: the mask, or smoothed where pixels of both sides meet. */
static uint16_t *
plane_of (const Case *c, gboolean smooth)
{
  int w = c->width, h = c->height;
  uint16_t *plane = g_new (uint16_t, (gsize)w * (gsize)h);
  for (int i = 0; i < w * h; i++) {
    gboolean differs = i % w + 1 < w && c->mask[i] != c->mask[i + 1];
    plane[i] = smooth && differs ? 30000 : c->mask[i] ? UINT16_MAX : 0;
  }
  return plane;
}

static void
import (Case *c, const uint16_t *plane)
{
  g_autoptr (FsGuess) guess = fs_guess_new (plane, c->width, c->height, c->width, c->height);
  g_assert_true (fs_guess_is_mask (guess));
  g_assert_true (fs_energy_set_guess (c->energy, guess, NULL));
}

static void
cut_again (Case *c)
{
  fs_energy_fit (c->energy, c->seeds);
  fs_energy_fill_grid (c->energy, c->seeds);
  g_autoptr (FsSolver) solver =
      fs_solver_new (&fs_backend_cpu, fs_energy_get_grid (c->energy), NULL);
  FsSolution solution;
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  g_assert_true (solution.exact);
  fs_solver_read_mask (solver, 0, 0, c->width, c->height, c->cut, (size_t)c->width);
  g_auto (FsRefineCut) refined = { 0 };
  g_assert_true (
      fs_refine_cut_run (&refined, c->energy, c->seeds, &fs_backend_cpu, c->cut, NULL, NULL));
}

enum { BLOBS, FENCE, LINES, CHESS, FRAME, ALL, N_SHAPES };

static gboolean
is_of_shape (int shape, int x, int y, int w, int h)
{
  switch (shape) {
  case BLOBS: /* of nine pixels */
    return x % 30 < 3 && y % 40 < 3;
  case FENCE:
    return x % 9 < 3 && y > h / 4 && y < 3 * h / 4;
  case LINES:
    return x % 16 == 5 || y % 21 == 3;
  case CHESS:
    return (x + y) % 2 == 0;
  case FRAME:
    return MIN (MIN (x, y), MIN (w - 1 - x, h - 1 - y)) < 2;
  default:
    return TRUE;
  }
}

static void
shape_mask (Case *c, int shape)
{
  for (int i = 0; i < c->width * c->height; i++)
    c->mask[i] = is_of_shape (shape, i % c->width, i / c->width, c->width, c->height);
}

/* Also on a photo that is large enough to be reduced for refinement. */
static void
test_every_part (void)
{
  static const int sizes[][2] = { { 220, 150 }, { 900, 700 } };
  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int texture = 0; texture < N_TEXTURES; texture++)
      for (int shape = 0; shape < N_SHAPES; shape++) {
        if (s == 1 && (shape + texture) % 3 != 0) /* those take longer */
          continue;
        g_auto (Case) c = { 0 };
        case_init (&c, sizes[s][0], sizes[s][1], texture);
        shape_mask (&c, shape);
        gsize n = (gsize)c.width * (gsize)c.height;
        g_autofree uint16_t *plane = plane_of (&c, FALSE);
        import (&c, plane);
        cut_again (&c);
        g_assert_cmpmem (c.cut, n, c.mask, n);
      }
}

/* Of a smoothed edge only the grey pixels are the cut's to decide. */
static void
test_smooth_edge (void)
{
  g_auto (Case) c = { 0 };
  case_init (&c, 220, 150, NOISE);
  shape_mask (&c, FENCE);
  g_autofree uint16_t *plane = plane_of (&c, TRUE);
  import (&c, plane);
  cut_again (&c);
  for (int i = 0; i < c.width * c.height; i++)
    if (plane[i] != 30000)
      g_assert_cmpint (c.cut[i], ==, c.mask[i]);
}

/* --- what is a finished mask --- */

static gboolean
is_mask (const uint16_t *plane, int width, int height, int photo_width)
{
  g_autoptr (FsGuess) guess = fs_guess_new (plane, width, height, photo_width, height);
  return fs_guess_is_mask (guess);
}

static void
test_what_is_a_mask (void)
{
  enum { W = 40, H = 30 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  uint16_t plane[W * H], other[W * H];
  for (int i = 0; i < W * H; i++)
    plane[i] = i % W < 20 ? UINT16_MAX : 0;
  g_assert_true (is_mask (plane, W, H, W));
  g_assert_false (is_mask (plane, W, H, 2 * W)); /* stretched: a network's */
  g_assert_true (is_mask (plane, W, H, W / 2));  /* reduced */
  for (int i = 0; i < W * H; i++)                /* an old JPEG of it */
    other[i] = (uint16_t)CLAMP (plane[i] + g_rand_int_range (rand, -20, 20) * 257, 0, UINT16_MAX);
  g_assert_true (is_mask (other, W, H, W));
  for (int i = 0; i < W * H; i++) /* a trimap */
    other[i] = ABS (i % W - 20) < 6 ? 128 * 257 : plane[i];
  g_assert_true (is_mask (other, W, H, W));
  for (int i = 0; i < W * H; i++) /* a wide soft edge */
    other[i] = (uint16_t)(CLAMP (i % W - 10, 0, 20) * UINT16_MAX / 20);
  g_assert_false (is_mask (other, W, H, W));
  for (int i = 0; i < W * H; i++) /* no pixel wholly certain: a subject finder's */
    other[i] = plane[i] ? 254 * 257 : 257;
  g_assert_false (is_mask (other, W, H, W));
  for (int i = 0; i < W * H; i++) /* nothing said */
    other[i] = 128 * 257;
  g_assert_false (is_mask (other, W, H, W));
}

/* As a session does: the same guess is made of what the first one says. */
static void
test_made_again (void)
{
  enum { W = 40, H = 30 };
  uint16_t plane[4 * W * H];
  for (int i = 0; i < 4 * W * H; i++)
    plane[i] = i % 23 < 9 ? UINT16_MAX : 0;
  for (int larger = 1; larger <= 2; larger++) {
    g_autoptr (FsGuess) guess = fs_guess_new (plane, larger * W, larger * H, W, H);
    g_assert_true (fs_guess_is_mask (guess));
    g_autoptr (FsGuess) again = fs_guess_new (fs_guess_get_probability (guess), W, H, W, H);
    g_assert_true (fs_guess_is_mask (again));
  }
}

/* --- strokes --- */

/* A red disc on blue of which the mask lacks the right half, above a row of blobs on green. */
static void
disc_init (Case *c)
{
  case_init (c, 300, 200, FLAT);
  for (int i = 0; i < c->width * c->height; i++) {
    int x = i % c->width, y = i / c->width;
    gboolean in_disc = hypot (x - 150.0, y - 100.0) < 50;
    uint32_t ground = y < 180 ? 0xff2040a0u : 0xff70a040u;
    c->image->pixels[i] = (in_disc ? 0xffc03020u : ground) + (uint32_t)(i % 5);
    c->mask[i] = (in_disc && x < 150) || (y > 185 && y < 189 && x % 20 < 3);
  }
  fs_energy_free (c->energy);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
}

static int
count_wrong (const Case *c, gboolean disc)
{
  int n = 0;
  for (int i = 0; i < c->width * c->height; i++) {
    int x = i % c->width, y = i / c->width;
    gboolean in_disc = hypot (x - 150.0, y - 100.0) < 50;
    if (y < 180 ? disc && c->cut[i] != in_disc : !disc && c->cut[i] != c->mask[i])
      n++;
  }
  return n;
}

static void
dab (Case *c, double x, double y, uint8_t label)
{
  FsCapsule capsule = { x, y, x, y, 6 };
  fs_seed_map_paint (c->seeds, &capsule, label, NULL, NULL);
}

/* One dab of object brings the half that lacks, one of background takes a half that is too much,
 * and without them the mask is what it was. The blobs stand, all the while. */
static void
test_strokes_correct (void)
{
  for (int inverted = 0; inverted < 2; inverted++) {
    g_auto (Case) c = { 0 };
    disc_init (&c);
    gsize n = (gsize)c.width * (gsize)c.height;
    for (gsize i = 0; inverted && i < n; i++)
      if (i / (gsize)c.width < 180) /* the disc is background now, and half of it is not */
        c.mask[i] = !c.mask[i];
    g_autofree uint16_t *plane = plane_of (&c, FALSE);
    import (&c, plane);
    cut_again (&c);
    g_assert_cmpmem (c.cut, n, c.mask, n);
    dab (&c, 175, 100, inverted ? FS_SEED_BACKGROUND : FS_SEED_OBJECT);
    cut_again (&c);
    for (gsize i = 0; inverted && i < n; i++)
      if (i / (gsize)c.width < 180)
        c.cut[i] = !c.cut[i];
    g_assert_cmpint (count_wrong (&c, TRUE), <, 20);
    g_assert_cmpint (count_wrong (&c, FALSE), ==, 0);
    dab (&c, 175, 100, FS_SEED_NONE);
    cut_again (&c);
    g_assert_cmpmem (c.cut, n, c.mask, n);
  }
}

/* A stroke that is followed leaves the t-links that the next look at all of them finds. */
static void
test_follows_strokes (void)
{
  g_auto (Case) c = { 0 };
  disc_init (&c);
  g_autofree uint16_t *plane = plane_of (&c, FALSE);
  import (&c, plane);
  fs_energy_fit (c.energy, c.seeds);
  fs_energy_fill_grid (c.energy, c.seeds);
  FsGrid *grid = fs_energy_get_grid (c.energy);
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  g_autoptr (GArray) tlinks = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  g_autoptr (GArray) star = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  static const uint8_t labels[] = { FS_SEED_OBJECT, FS_SEED_BACKGROUND, FS_SEED_NONE };
  gsize n = (gsize)c.width * (gsize)c.height;
  for (gsize k = 0; k < G_N_ELEMENTS (labels); k++) {
    g_array_set_size (pixels, 0);
    FsCapsule capsule = { 120, 100, 180, 110, 9 - (double)k };
    fs_seed_map_paint (c.seeds, &capsule, labels[k], NULL, pixels);
    fs_energy_extend (c.energy, c.seeds, (const uint32_t *)(gpointer)pixels->data, pixels->len,
                      tlinks, star);
    for (guint i = 0; i < tlinks->len; i++) {
      FsTlinkChange change = g_array_index (tlinks, FsTlinkChange, i);
      grid->tlink[change.pixel] = change.tlink;
    }
    g_autofree int32_t *all = g_new (int32_t, n);
    fs_energy_fill_tlinks (c.energy, c.seeds, all);
    g_assert_cmpmem (all, n * sizeof *all, grid->tlink, n * sizeof *all);
    for (uint32_t i = 0; i < n; i++)
      g_assert_cmpint (all[i], ==, fs_energy_tlink (c.energy, i, c.seeds->label[i]));
  }
}

/* Strokes over the mask, and as many of each label as there are. */
static void
test_all_seeds (void)
{
  g_auto (Case) c = { 0 };
  disc_init (&c);
  g_autofree uint16_t *plane = plane_of (&c, FALSE);
  dab (&c, 120, 100, FS_SEED_BACKGROUND); /* of the disc's half */
  g_assert_true (fs_energy_get_all_seeds (c.energy, c.seeds) == c.seeds);
  import (&c, plane);
  fs_energy_fit (c.energy, c.seeds);
  const FsSeedMap *all = fs_energy_get_all_seeds (c.energy, c.seeds);
  int64_t n[FS_SEED_OBJECT + 1] = { 0 };
  for (int i = 0; i < c.width * c.height; i++) {
    uint8_t label = all->label[i];
    n[label]++;
    if (c.seeds->label[i] != FS_SEED_NONE)
      g_assert_cmpint (label, ==, c.seeds->label[i]);
    else if (label != FS_SEED_NONE)
      g_assert_cmpint (label == FS_SEED_OBJECT, ==, c.mask[i]);
    else /* near the stroke, of the part that it contradicts */
      g_assert_true (c.mask[i] && i / c.width < 180);
  }
  for (int label = 0; label <= FS_SEED_OBJECT; label++) {
    g_assert_cmpint (n[label], ==, all->n_seeds[label]);
    g_assert_cmpint (n[label], >, 0);
  }
}

/* Several objects share the mask, and none of it becomes background. */
static void
test_objects (void)
{
  g_auto (Case) c = { 0 };
  disc_init (&c);
  gsize n = (gsize)c.width * (gsize)c.height;
  g_autofree uint16_t *plane = plane_of (&c, FALSE);
  g_autoptr (FsGuess) guess = fs_guess_new (plane, c.width, c.height, c.width, c.height);
  dab (&c, 120, 75, FS_SEED_OBJECT);
  dab (&c, 120, 125, FS_SEED_OBJECT + 1);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  FsObjectsCut cut = { .backend = &fs_backend_cpu };
  g_autofree uint8_t *numbers = g_malloc0 (n);
  g_assert_true (fs_cut_objects (c.image, &settings, c.seeds, guess, &cut, numbers, NULL));
  gboolean has[FS_SEED_OBJECT + 2] = { FALSE };
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpint (numbers[i] != FS_SEED_BACKGROUND, ==, c.mask[i]);
    has[numbers[i]] = TRUE;
  }
  g_assert_true (has[FS_SEED_OBJECT] && has[FS_SEED_OBJECT + 1]);
}

/* Two objects side by side are two components; what is unknown is neither side's. */
static void
test_numbers (void)
{
  enum { W = 12, H = 4 };
  uint8_t numbers[W * H];
  for (int p = 0; p < W * H; p++)
    numbers[p] = p % W < 4 ? 2 : p % W < 8 ? 5 : p % W < 9 ? FS_SEED_NONE : FS_SEED_BACKGROUND;
  g_autoptr (FsGuess) guess = fs_guess_new_objects (numbers, W, H);
  g_assert_true (fs_guess_is_mask (guess));
  g_assert_cmpmem (fs_guess_get_numbers (guess), W * H, numbers, W * H);
  g_assert_cmpuint (guess->n_components, ==, 4);
  g_assert_cmpint (fs_guess_count_object (guess, 2), ==, 16);
  g_assert_cmpint (fs_guess_count_object (guess, 3), ==, 0);
  g_assert_cmpint (fs_guess_get_last_object (guess), ==, 5);
  for (int p = 0; p < W * H; p++) {
    int side = numbers[p] == FS_SEED_NONE ? 0 : numbers[p] >= FS_SEED_OBJECT ? 1 : -1;
    int16_t odds = fs_guess_odds (guess, (size_t)p);
    g_assert_cmpint (side, ==, (odds > FS_GUESS_UNKNOWN) - (odds < -FS_GUESS_UNKNOWN));
  }
  memset (numbers, FS_SEED_NONE, W * H);
  g_autoptr (FsGuess) nothing = fs_guess_new_objects (numbers, W, H);
  g_assert_false (fs_guess_is_mask (nothing));
  g_assert_cmpint (fs_guess_get_last_object (nothing), ==, 0);
}

/* A background stroke across one object leaves the one that touches it whole. */
static void
test_numbers_contradicted (void)
{
  enum { W = 60, H = 20 };
  uint8_t numbers[W * H];
  for (int p = 0; p < W * H; p++)
    numbers[p] = p / W < 3 || p / W >= 17 ? FS_SEED_BACKGROUND : p % W < 30 ? 2 : 3;
  g_autoptr (FsGuess) guess = fs_guess_new_objects (numbers, W, H);
  g_autoptr (FsMaskSeeds) seeds = fs_mask_seeds_new (guess);
  g_autoptr (FsSeedMap) strokes = fs_seed_map_new (W, H);
  const FsCapsule capsule = { 24, 10, 28, 10, 1 };
  fs_seed_map_paint (strokes, &capsule, FS_SEED_BACKGROUND, NULL, NULL);
  fs_mask_seeds_weigh (seeds, strokes);
  for (uint32_t p = 0; p < W * H; p++)
    if (numbers[p] == 3)
      g_assert_cmpint (fs_mask_seeds_get (seeds, p), ==, FS_SEED_OBJECT);
  g_assert_cmpint (fs_mask_seeds_get (seeds, 10 * W + 29), ==, FS_SEED_NONE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mask-guess/every-part", test_every_part);
  g_test_add_func ("/mask-guess/smooth-edge", test_smooth_edge);
  g_test_add_func ("/mask-guess/what-is-a-mask", test_what_is_a_mask);
  g_test_add_func ("/mask-guess/made-again", test_made_again);
  g_test_add_func ("/mask-guess/strokes-correct", test_strokes_correct);
  g_test_add_func ("/mask-guess/follows-strokes", test_follows_strokes);
  g_test_add_func ("/mask-guess/all-seeds", test_all_seeds);
  g_test_add_func ("/mask-guess/objects", test_objects);
  g_test_add_func ("/mask-guess/numbers", test_numbers);
  g_test_add_func ("/mask-guess/numbers-contradicted", test_numbers_contradicted);
  return g_test_run ();
}
