/* SPDX-License-Identifier: MIT */
/* Places of a refined border: not at the end of its band, and at the photo's own pixels where the
 * photo was reduced. And components are added and removed before, however far it reaches. */
#include "cut/refine_cut.h"

#include "energy/implicit_links.h"
#include "energy/refine/refine_box.h"
#include "solver/backend.h"
#include "solver/certificate.h"
#include "solver/cpu/search/search.h"
#include "tests/faults/faults.h"

#include <math.h>
#include <string.h>

enum { W = 320, H = 200, BODY_X1 = 90 };
/* Of the tongue: an added component (energy/refine/add_components.h) borders more of the body than
 * a narrow one. */
enum { NARROW = 20, BROAD = 30 };
#define BAND_PX (377.4 / 20)

typedef struct {
  int length, breadth; /* of the tongue */
  double radius_px;    /* of the strokes */
  gboolean inside_out;
} Shape;

/* Strokes that cover too little for components of the first mask to be removed, and enough. */
#define THIN_PX  1
#define THICK_PX 6

/* A body at the left edge, of one colour with a tongue that it puts out: the first mask has the
 * body alone. With `inside_out` the body is background and the tongue a notch. */
typedef struct {
  FsImage *image;
  FsSeedMap *seeds;
  FsEnergy *energy;
  uint8_t *first;
  uint8_t *truth; /* with the tongue */
} Case;

static void
case_init (Case *c, Shape shape, GRand *rand)
{
  c->image = fs_image_new (W, H);
  c->seeds = fs_seed_map_new (W, H);
  c->first = g_malloc (W * H);
  c->truth = g_malloc (W * H);
  for (int i = 0; i < W * H; i++) {
    gboolean body = i % W < BODY_X1;
    gboolean tongue = i % W < BODY_X1 + shape.length && ABS (2 * (i / W) - 199) < shape.breadth;
    uint32_t noise = (uint32_t)g_rand_int_range (rand, 0, 8);
    c->image->pixels[i] = (body || tongue ? 0xffc08060u : 0xff304070u) + noise;
    c->first[i] = body != shape.inside_out;
    c->truth[i] = (body || tongue) != shape.inside_out;
  }
  double radius = shape.radius_px;
  FsCapsule body = { 30, 40, 50, 160, radius }, ground = { 200, 20, 200, 60, radius };
  fs_seed_map_paint (c->seeds, &body, shape.inside_out ? FS_SEED_BACKGROUND : FS_SEED_OBJECT, NULL,
                     NULL);
  fs_seed_map_paint (c->seeds, &ground, shape.inside_out ? FS_SEED_OBJECT : FS_SEED_BACKGROUND,
                     NULL, NULL);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
  fs_energy_fit (c->energy, c->seeds);
}

static void
case_clear (Case *c)
{
  fs_energy_free (c->energy);
  fs_seed_map_free (c->seeds);
  fs_image_unref (c->image);
  g_free (c->first);
  g_free (c->truth);
}

static uint8_t *
refine_border (const Case *c)
{
  uint8_t *mask = g_memdup2 (c->first, W * H);
  g_auto (FsRefineCut) refined = { 0 };
  FsCertificate certificate;
  g_assert_true (
      fs_refine_cut_run (&refined, c->energy, c->seeds, &fs_backend_cpu, mask, NULL, NULL));
  g_assert_true (refined.solution.exact);
  g_assert_true (fs_solver_certify (refined.solver, &certificate, NULL) && certificate.holds);
  FsRect area = fs_refinement_get_area (refined.refinement);
  int width = area.x1 - area.x0;
  g_autofree uint8_t *cut = g_malloc (fs_grid_n_pixels (refined.solver->grid));
  fs_solver_read_mask (refined.solver, 0, 0, width, area.y1 - area.y0, cut, (size_t)width);
  g_autofree uint8_t *again = g_memdup2 (mask, W * H);
  g_assert_false (fs_refinement_write (refined.refinement, cut, again));
  return mask;
}

/* Within reach of one widened band: all of it is taken in. */
static void
test_widens (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int trial = 0; trial < 6; trial++) {
    Case c;
    case_init (&c,
               (Shape){ (int)(BAND_PX * (1.1 + 0.05 * (trial / 2))), NARROW, THIN_PX, trial % 2 },
               rand);
    g_autofree uint8_t *mask = refine_border (&c);
    g_assert_cmpmem (mask, W * H, c.truth, W * H);
    case_clear (&c);
  }
}

/* Farther than that: it is left out whole, not cut off where the band ends. */
static void
test_refuses (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  for (int trial = 0; trial < 6; trial++) {
    Case c;
    case_init (&c, (Shape){ (int)(BAND_PX * (4.5 + trial / 2)), NARROW, THIN_PX, trial % 2 }, rand);
    g_autofree uint8_t *mask = refine_border (&c);
    int n_differences = 0;
    for (int i = 0; i < W * H; i++) {
      n_differences += mask[i] != c.first[i];
      g_assert_true (mask[i] == c.first[i] || i % W < BODY_X1);
    }
    g_assert_cmpint (n_differences, <, 20); /* where the tongue begins */
    case_clear (&c);
  }
}

/* Among strokes enough, a part that reaches farther is found by the whole photo's colours: of the
 * object, or a notch of background that has most of its border with the object. */
static void
test_mends_parts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  for (int trial = 0; trial < 6; trial++) {
    Case c;
    case_init (&c, (Shape){ (int)(BAND_PX * (3 + trial / 2)), BROAD, THICK_PX, trial % 2 }, rand);
    g_autofree uint8_t *mask = refine_border (&c);
    g_assert_cmpmem (mask, W * H, c.truth, W * H);
    case_clear (&c);
  }
}

/* A tongue of a colour that the first mask has on the other side alone. */
static void
two_colours_init (Case *c, GRand *rand)
{
  case_init (c, (Shape){ (int)(BAND_PX * 4), 2 * BROAD, THICK_PX, FALSE }, rand);
  for (int i = 0; i < W * H; i++)
    if (c->truth[i] && !c->first[i])
      c->image->pixels[i] = 0xff58b048u + (uint32_t)g_rand_int_range (rand, 0, 8);
  FsCapsule tongue = { BODY_X1 + 15, 90, BODY_X1 + BAND_PX * 4 - 15, 110, THICK_PX };
  fs_seed_map_paint (c->seeds, &tongue, FS_SEED_OBJECT, NULL, NULL);
  fs_energy_free (c->energy);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
  fs_energy_fit (c->energy, c->seeds);
}

/* What a guess from the strokes finds, on a thread of its own or after the rounds from the mask. */
static void
test_guesses_parts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  Case c;
  two_colours_init (&c, rand);
  for (int n_threads = 1; n_threads <= 2; n_threads++) {
    fs_energy_set_threads (n_threads);
    g_autofree uint8_t *mask = refine_border (&c);
    g_assert_cmpmem (mask, W * H, c.truth, W * H);
  }
  fs_energy_set_threads (0);
  case_clear (&c);
}

/* Whichever thread is cancelled first. */
static void
test_stops (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  Case c;
  two_colours_init (&c, rand);
  int n_stopped = 0;
  for (int n = 1; n <= 160; n++) {
    g_autofree uint8_t *mask = g_memdup2 (c.first, W * H);
    g_auto (FsRefineCut) refined = { 0 };
    g_autoptr (GError) error = NULL;
    const FsProgress progress = { 0 };
    fs_energy_set_threads (n % 4 == 0 ? 1 : 2);
    fault_cancel_after (n);
    gboolean is_done =
        fs_refine_cut_run (&refined, c.energy, c.seeds, &fs_backend_cpu, mask, &progress, &error);
    fault_cancel_after (-1);
    g_assert_true (is_done ? !error
                           : g_error_matches (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED));
    n_stopped += !is_done;
  }
  g_assert_cmpint (n_stopped, >, 0);
  fs_energy_set_threads (0);
  case_clear (&c);
}

/* --- a large photo --- */

enum { LARGE_W = 1001, LARGE_H = 703, N_LARGE = LARGE_W * LARGE_H };

/* A disc with a wire of three pixels that leads away from it. */
static gboolean
is_of_disc (int x, int y)
{
  return hypot (x - 400, y - 350) < 150.3 || (ABS (y - 350) < 2 && x > 400 && x < 800);
}

/* The first mask has the wire, and a disc of another size. `implicit`: the photo terms have no
 * n-links. */
static void
large_case_init (Case *c, double radius, gboolean implicit, GRand *rand)
{
  *c = (Case){ .image = fs_image_new (LARGE_W, LARGE_H),
               .seeds = fs_seed_map_new (LARGE_W, LARGE_H),
               .first = g_malloc (N_LARGE),
               .truth = g_malloc (N_LARGE) };
  for (int i = 0; i < N_LARGE; i++) {
    int x = i % LARGE_W, y = i / LARGE_W;
    uint32_t noise = (uint32_t)g_rand_int_range (rand, 0, 8);
    c->truth[i] = (uint8_t)is_of_disc (x, y);
    c->first[i] = hypot (x - 400, y - 350) < radius || (c->truth[i] && x > 400);
    c->image->pixels[i] = (c->truth[i] ? 0xffc08060u : 0xff304070u) + noise;
  }
  FsCapsule disc = { 380, 300, 420, 400, 9 }, ground = { 900, 20, 900, 660, 9 };
  fs_seed_map_paint (c->seeds, &disc, FS_SEED_OBJECT, NULL, NULL);
  fs_seed_map_paint (c->seeds, &ground, FS_SEED_BACKGROUND, NULL, NULL);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  c->energy = (implicit ? fs_energy_new_implicit : fs_energy_new) (c->image, &settings, NULL, NULL);
  fs_energy_fit (c->energy, c->seeds);
}

static uint8_t *
look_at_large (const Case *c)
{
  uint8_t *mask = g_memdup2 (c->first, N_LARGE);
  g_auto (FsRefineCut) refined = { 0 };
  FsCertificate certificate;
  g_assert_true (
      fs_refine_cut_run (&refined, c->energy, c->seeds, &fs_backend_cpu, mask, NULL, NULL));
  g_assert_nonnull (refined.detail);
  g_assert_true (refined.solution.exact);
  g_assert_true (fs_refine_cut_certify (&refined, mask, &certificate, NULL));
  g_assert_true (certificate.holds);
  mask[0] ^= 1; /* a pixel that is not free */
  g_assert_true (fs_refine_cut_certify (&refined, mask, &certificate, NULL));
  g_assert_true (certificate.holds);
  mask[0] ^= 1;
  const FsBandProblem *problem = fs_border_detail_get_problem (refined.detail);
  g_assert_cmpuint (problem->n_pixels, <, N_LARGE / 20); /* not all of the band */
  uint32_t row = 0;
  while (problem->row_start[row + 1] == 0)
    row++;
  uint8_t *free_pixel = &mask[row * LARGE_W + (uint32_t)problem->runs[0].x0];
  *free_pixel ^= 1;
  g_assert_true (fs_refine_cut_certify (&refined, mask, &certificate, NULL));
  g_assert_false (certificate.holds);
  *free_pixel ^= 1;
  return mask;
}

static void
test_draws_large_photos_to_the_pixel (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int trial = 0; trial < 4; trial++) {
    Case c;
    large_case_init (&c, 140 + 7 * trial, trial % 2, rand);
    g_autofree uint8_t *mask = look_at_large (&c);
    g_assert_cmpmem (mask, N_LARGE, c.truth, N_LARGE);
    case_clear (&c);
  }
}

static void
test_large_photos_do_not_depend_on_threads (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  Case c;
  large_case_init (&c, 161, FALSE, rand);
  fs_energy_set_threads (1);
  g_autofree uint8_t *one = look_at_large (&c);
  fs_energy_set_threads (4);
  g_autofree uint8_t *four = look_at_large (&c);
  fs_energy_set_threads (0);
  g_assert_cmpmem (one, N_LARGE, four, N_LARGE);
  case_clear (&c);
}

/* Of the links of free pixels to and from all their neighbours: how many are not the plane's. */
static int
count_other_links (const FsBandProblem *problem, int y, int x, const FsGrid *grid)
{
  int n = 0;
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    int dx = fs_direction_dx ((FsDirection)d), dy = fs_direction_dy ((FsDirection)d);
    int from = y * LARGE_W + x, into = from - dy * LARGE_W - dx;
    n += problem->nlink[d][fs_band_spans_find (problem->spans, LARGE_W, x, y)]
         != grid->nlink[d][from];
    if (y >= dy && x >= dx && x - dx < LARGE_W)
      n += problem->nlink[d][fs_band_spans_find (problem->spans, LARGE_W, x - dx, y - dy)]
           != grid->nlink[d][into];
  }
  return n;
}

static void
test_links_that_are_read_are_those_of_planes (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  Case c;
  large_case_init (&c, 150, TRUE, rand);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  g_autoptr (FsEnergy) other = fs_energy_new (c.image, &settings, NULL, NULL);
  const FsGrid *grid = fs_energy_get_grid (other);
  g_autofree uint8_t *mask = g_memdup2 (c.first, N_LARGE);
  g_auto (FsRefineCut) refined = { 0 };
  g_assert_true (
      fs_refine_cut_run (&refined, c.energy, c.seeds, &fs_backend_cpu, mask, NULL, NULL));
  const FsBandProblem *problem = fs_border_detail_get_problem (refined.detail);
  g_assert_nonnull (problem->spans);
  g_assert_cmpuint (problem->n_pixels, >, 0);
  for (int y = 0; y < LARGE_H; y++)
    for (uint32_t i = problem->row_start[y]; i < problem->row_start[y + 1]; i++)
      for (int x = problem->runs[i].x0; x < problem->runs[i].x1; x++)
        g_assert_cmpint (count_other_links (problem, y, x, grid), ==, 0);
  case_clear (&c);
}

enum { NOT_FREE = G_MAXINT32 };

/* The t-links of the pixels that are free in the last cut. */
static int32_t *
read_tlinks (const Case *c)
{
  g_autofree uint8_t *mask = g_memdup2 (c->first, N_LARGE);
  g_auto (FsRefineCut) refined = { 0 };
  g_assert_true (
      fs_refine_cut_run (&refined, c->energy, c->seeds, &fs_backend_cpu, mask, NULL, NULL));
  const FsBandProblem *problem = fs_border_detail_get_problem (refined.detail);
  const int32_t *tlinks = problem->tlinks;
  int32_t *plane = g_new (int32_t, N_LARGE);
  for (int i = 0; i < N_LARGE; i++)
    plane[i] = NOT_FREE;
  for (int y = 0; y < LARGE_H; y++)
    for (uint32_t i = problem->row_start[y]; i < problem->row_start[y + 1]; i++)
      for (int x = problem->runs[i].x0; x < problem->runs[i].x1; x++)
        plane[y * LARGE_W + x] = *tlinks++;
  return plane;
}

/* The locality filter clamps pixels; the others' t-links are what they were. */
static void
check_held_alone_differ (Case *c)
{
  g_autofree int32_t *kept = read_tlinks (c);
  g_assert_true (fs_energy_set_mask_prior (c->energy, NULL, NULL, 0, NULL));
  g_autofree int32_t *before = read_tlinks (c);
  int n_held = 0, n_free = 0;
  for (int i = 0; i < N_LARGE; i++) {
    g_assert_true (kept[i] == NOT_FREE || kept[i] == before[i]);
    n_held += kept[i] != before[i];
    n_free += kept[i] != NOT_FREE;
  }
  g_assert_cmpint (n_held, >, 100);
  g_assert_cmpint (n_free, >, 100);
}

/* Far from what was painted the previous mask stays, to the pixel. */
static void
test_large_photos_keep_the_previous_mask (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  Case c;
  large_case_init (&c, 150.3, TRUE, rand);
  g_autofree uint8_t *previous = g_memdup2 (c.truth, N_LARGE);
  for (int i = 0; i < N_LARGE; i++) /* the upper edge, moved in by some pixels */
    previous[i] = previous[i] && hypot (i % LARGE_W - 400, i / LARGE_W - 356) < 150.3;
  memcpy (c.first, previous, N_LARGE);
  uint32_t painted = 650 * LARGE_W + 900;
  g_assert_true (fs_energy_set_mask_prior (c.energy, previous, &painted, 1, NULL));
  g_autofree uint8_t *mask = look_at_large (&c);
  int n_others = 0;
  for (int i = 0; i < N_LARGE; i++) {
    g_assert_true (mask[i] == previous[i] || previous[i] == c.truth[i]);
    n_others += mask[i] != previous[i];
  }
  g_assert_cmpint (n_others, <, 200); /* beside what is clamped */
  check_held_alone_differ (&c);
  case_clear (&c);
}

/* A disc of one colour amid a box, on a ground of another. */
static void
box_case_init (Case *c, gboolean star, GRand *rand)
{
  c->image = fs_image_new (W, H);
  c->seeds = fs_seed_map_new (W, H);
  c->first = g_malloc0 (W * H);
  c->truth = g_malloc (W * H);
  g_autofree uint8_t *labels = g_malloc (W * H);
  for (int i = 0; i < W * H; i++) {
    c->truth[i] = hypot (i % W - 100, i / W - 90) < 35;
    c->image->pixels[i] =
        (c->truth[i] ? 0xffc08060u : 0xff304070u) + (uint32_t)g_rand_int_range (rand, 0, 8);
    gboolean inside = ABS (i % W - 100) < 50 && ABS (i / W - 90) < 50;
    labels[i] = inside ? FS_SEED_NONE : FS_SEED_BACKGROUND;
  }
  fs_seed_map_set (c->seeds, labels);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.star = star;
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
  fs_energy_fit (c->energy, c->seeds);
}

/* Whatever little of it the first cut had, the disc is found. */
static void
test_a_box_is_not_empty (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  for (int n_first = 0; n_first < 3; n_first++) {
    Case c;
    box_case_init (&c, FALSE, rand);
    memset (c.first + 60 * W + 60, 1, (size_t)n_first);
    g_autofree uint8_t *mask = refine_border (&c);
    g_assert_cmpmem (mask, W * H, c.truth, W * H);
    case_clear (&c);
  }
}

static void
check_box_stays (const Case *c)
{
  g_autofree uint8_t *mask = g_memdup2 (c->first, W * H);
  fs_refinement_open_box (c->energy, c->seeds, mask);
  g_assert_cmpmem (mask, W * H, c->first, W * H);
}

/* A first cut of a quarter of the box stands, and any of strokes. */
static void
test_a_first_cut_stands (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  Case c;
  box_case_init (&c, TRUE, rand);
  check_box_stays (&c);
  case_clear (&c);
  box_case_init (&c, FALSE, rand);
  for (int i = 0, left = (int)(c.seeds->n_seeds[FS_SEED_NONE] / 4); left > 0; i++)
    if (c.seeds->label[i] == FS_SEED_NONE) {
      c.first[i] = 1;
      left--;
    }
  check_box_stays (&c);
  FsCapsule dot = { 100, 90, 100, 90, 3 };
  fs_seed_map_paint (c.seeds, &dot, FS_SEED_OBJECT, NULL, NULL);
  memset (c.first, 0, W * H);
  fs_energy_fit (c.energy, c.seeds);
  check_box_stays (&c);
  case_clear (&c);
}

/* A guess as large as the photo, rather sure of a disc that is moved by dx. */
static void
guess_disc (const Case *c, int dx)
{
  g_autofree uint16_t *plane = g_new0 (uint16_t, W * H);
  for (int i = 0; i < W * H; i++)
    plane[i] = hypot (i % W - 100 - dx, i / W - 90) < 35 ? 0xd000 : 0x3000;
  g_autoptr (FsGuess) guess = fs_guess_new (plane, W, H, W, H);
  g_assert_true (fs_energy_set_guess (c->energy, guess, NULL));
  fs_energy_fit (c->energy, c->seeds);
}

static void
fit_again (Case *c)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.star = FALSE;
  fs_energy_free (c->energy);
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
  fs_energy_fit (c->energy, c->seeds);
}

/* As if it were not there; one about what is in the box is heard. */
static void
test_a_guess_about_something_else (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  Case c;
  box_case_init (&c, FALSE, rand);
  guess_disc (&c, 0);
  check_box_stays (&c);
  for (int i = 0; i < W * H; i++)
    if (hypot (i % W - 250, i / W - 90) < 35)
      c.image->pixels[i] = 0xff20a020u;
  fit_again (&c);
  guess_disc (&c, 150);
  g_autofree uint8_t *mask = refine_border (&c);
  g_assert_cmpmem (mask, W * H, c.truth, W * H);
  case_clear (&c);
}

/* Ground of the object's colour beside the photo's edge does not tell of the ground in the box. */
static void
test_far_ground_says_little (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (10);
  Case c;
  box_case_init (&c, FALSE, rand);
  for (int i = 0; i < W * H; i++)
    if (ABS (i % W - 100) >= 90 || ABS (i / W - 90) >= 85)
      c.image->pixels[i] = 0xffc08060u;
  fit_again (&c);
  g_autofree uint8_t *mask = refine_border (&c);
  g_assert_cmpmem (mask, W * H, c.truth, W * H);
  case_clear (&c);
}

/* What a round adds to all t-links of colours that are weighed as before. */
static int32_t
what_a_round_adds (FsRefinement *refinement, const uint8_t *mask)
{
  size_t n = fs_grid_n_pixels (fs_refinement_get_grid (refinement));
  g_autofree int32_t *before = g_new (int32_t, n), *after = g_new (int32_t, n);
  fs_refinement_learn (refinement, mask, before);
  fs_refinement_learn (refinement, mask, after);
  int32_t max = 0;
  for (size_t i = 0; i < n; i++)
    max = MAX (max, after[i] - before[i]);
  return max;
}

/* A box is filled: each round after a short mask leans more to the object, and none after others.
 */
static void
test_short_masks_grow (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  Case c;
  box_case_init (&c, FALSE, rand);
  g_autofree uint8_t *mask = g_memdup2 (c.truth, W * H);
  for (int i = 0; i < W * H; i++)
    mask[i] = mask[i] && i / W < 90;
  g_autoptr (FsRefinement) refinement = fs_refinement_new (c.energy, c.seeds, c.truth, NULL);
  g_assert_false (fs_refinement_is_short (refinement, c.truth));
  g_assert_true (fs_refinement_is_short (refinement, mask));
  g_assert_cmpint (what_a_round_adds (refinement, c.truth), ==, 0);
  g_assert_cmpint (what_a_round_adds (refinement, mask), ==, (int)(0.3 * 64 + 0.5));
  guess_disc (&c, 0);
  g_autoptr (FsRefinement) guessed = fs_refinement_new (c.energy, c.seeds, c.truth, NULL);
  g_assert_false (fs_refinement_is_short (guessed, mask));
  case_clear (&c);
}

/* While it is short it is cut again, though nothing changes. */
static void
test_short_masks_are_cut_again (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);
  for (int is_short = 0; is_short < 2; is_short++) {
    Case c;
    box_case_init (&c, FALSE, rand);
    for (int i = 0; i < W * H && is_short; i++)
      c.image->pixels[i] = hypot (i % W - 100, i / W - 90) < 15 ? 0xffc08060u : 0xff304070u;
    fit_again (&c);
    g_auto (FsRefineCut) refined = { 0 };
    g_assert_true (
        fs_refine_cut_run (&refined, c.energy, c.seeds, &fs_backend_cpu, c.first, NULL, NULL));
    if (is_short)
      g_assert_cmpint (refined.n_rounds, ==, 8);
    else
      g_assert_cmpint (refined.n_rounds, <, 5);
    case_clear (&c);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/refine-cut/widens", test_widens);
  g_test_add_func ("/refine-cut/box-is-not-empty", test_a_box_is_not_empty);
  g_test_add_func ("/refine-cut/first-cut-stands", test_a_first_cut_stands);
  g_test_add_func ("/refine-cut/guess-about-something-else", test_a_guess_about_something_else);
  g_test_add_func ("/refine-cut/far-ground-says-little", test_far_ground_says_little);
  g_test_add_func ("/refine-cut/short-masks-grow", test_short_masks_grow);
  g_test_add_func ("/refine-cut/short-masks-are-cut-again", test_short_masks_are_cut_again);
  g_test_add_func ("/refine-cut/refuses", test_refuses);
  g_test_add_func ("/refine-cut/mends-parts", test_mends_parts);
  g_test_add_func ("/refine-cut/guesses-parts", test_guesses_parts);
  g_test_add_func ("/refine-cut/stops", test_stops);
  g_test_add_func ("/refine-cut/draws-large-photos-to-the-pixel",
                   test_draws_large_photos_to_the_pixel);
  g_test_add_func ("/refine-cut/large-photos-do-not-depend-on-threads",
                   test_large_photos_do_not_depend_on_threads);
  g_test_add_func ("/refine-cut/links-that-are-read-are-those-of-planes",
                   test_links_that_are_read_are_those_of_planes);
  g_test_add_func ("/refine-cut/large-photos-keep-the-previous-mask",
                   test_large_photos_keep_the_previous_mask);
  return g_test_run ();
}
