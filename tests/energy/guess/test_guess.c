/* SPDX-License-Identifier: MIT */
/* A first guess: what becomes of its probabilities, and what strokes leave of its trust. */
#include "energy/energy.h"
#include "energy/energy_internal.h"
#include "energy/guess/guess_internal.h"
#include "tests/energy/geodesic/geodesic_cases.h"
#include "tests/faults/faults.h"

#include <string.h>

/* --- pictures in letters ---------------------------------------------------------------------- */

/* '#' is object for certain, '.' background, '+' and '-' are somewhat on either side. */
static uint16_t
probability (char c)
{
  return c == '#' ? UINT16_MAX : c == '.' ? 0 : c == '+' ? 0xb000 : 0x4fff;
}

static FsGuess *
read_guess (const char *const *rows, int n_rows, int photo_width, int photo_height)
{
  int w = (int)strlen (rows[0]);
  g_autofree uint16_t *plane = g_new (uint16_t, w * n_rows);
  for (int y = 0; y < n_rows; y++)
    for (int x = 0; x < w; x++)
      plane[y * w + x] = probability (rows[y][x]);
  return fs_guess_new (plane, w, n_rows, photo_width, photo_height);
}

/* Two objects of different sizes with a corner in common with nothing. Eight photo pixels each. */
static const char *const TWO[] = { "............", ".####.......", ".####...##..",
                                   ".####...##..", "............", "............" };
enum { SCALE = 8, TWO_W = 12 * SCALE, TWO_H = 6 * SCALE };

typedef struct {
  FsGuess *guess;
  FsOpinion *opinion;
  FsOpinionView view;
  FsSeedMap *seeds;
} Case;

static void
case_init (Case *c, const char *const *rows, int n_rows)
{
  int w = (int)strlen (rows[0]) * SCALE, h = n_rows * SCALE;
  c->guess = read_guess (rows, n_rows, w, h);
  c->opinion = fs_opinion_new (c->guess, NULL);
  c->seeds = fs_seed_map_new (w, h);
  g_assert_true (fs_opinion_view_init (&c->view, c->opinion, w, h));
}

static void
case_clear (Case *c)
{
  fs_opinion_view_clear (&c->view);
  fs_opinion_free (c->opinion);
  fs_guess_unref (c->guess);
  fs_seed_map_free (c->seeds);
}

/* A dot in the middle of a pixel of the guess. */
static void
dot (Case *c, int x, int y, uint8_t label)
{
  int u = x * SCALE + SCALE / 2, v = y * SCALE + SCALE / 2;
  fs_seed_map_set_run (c->seeds, v, u, u + 2, label);
}

/* In the middle of a pixel of the guess, in what the whole odds are. */
static double
share (Case *c, int x, int y)
{
  int pixel = (y * SCALE + SCALE / 2) * c->view.width + x * SCALE + SCALE / 2;
  g_assert_cmpint (c->view.row[y * SCALE + SCALE / 2] >> 8, ==, y);
  int odds = fs_guess_odds (c->guess, (size_t)(y * c->guess->width + x));
  return fs_opinion_view_get (&c->view, (uint32_t)pixel) / (double)odds;
}

static void
assert_weight (Case *c, int x, int y, double wanted)
{
  double found = share (c, x, y);
  if (found < wanted - 0.7 || found > wanted + 0.7)
    g_error ("(%d, %d) has %g times its odds, not %g", x, y, found, wanted);
}

/* --- the guess -------------------------------------------------------------------------------- */

static void
test_odds (void)
{
  static const char *const ONE[] = { "#" };
  g_autoptr (FsGuess) guess = read_guess (ONE, 1, 1, 1);
  for (int i = 0; i < FS_GUESS_STEPS; i++) {
    g_assert_cmpint (guess->odds[i], ==, -guess->odds[FS_GUESS_STEPS - 1 - i]);
    if (i > 0)
      g_assert_cmpint (guess->odds[i], >=, guess->odds[i - 1]);
  }
  g_assert_cmpint (guess->odds[FS_GUESS_STEPS - 1], ==, FS_GUESS_MAX);
  /* Three to one. */
  g_assert_cmpint (guess->odds[FS_GUESS_STEPS * 3 / 4], ==, 70);
}

static void
test_larger_than_the_photo (void)
{
  const uint16_t plane[] = { 0, 100, 7, 7, 200, 300, 7, 8 };
  g_autoptr (FsGuess) guess = fs_guess_new (plane, 4, 2, 2, 1);
  g_assert_cmpint (fs_guess_get_width (guess), ==, 2);
  g_assert_cmpint (fs_guess_get_height (guess), ==, 1);
  g_assert_cmpint (fs_guess_get_probability (guess)[0], ==, 150);
  g_assert_cmpint (fs_guess_get_probability (guess)[1], ==, 7);
  g_autoptr (FsGuess) same = fs_guess_new (plane, 4, 2, 100, 100);
  g_assert_cmpmem (fs_guess_get_probability (same), sizeof plane, plane, sizeof plane);
}

/* Object joins over corners, background does not. */
static void
test_components (void)
{
  static const char *const ROWS[] = { "##.#.", "##.#.", "..#..", "....." };
  g_autoptr (FsGuess) guess = read_guess (ROWS, 4, 5, 4);
  const uint32_t *component = guess->component;
  g_assert_cmpint (guess->n_components, ==, 3);
  g_assert_cmpint (component[0], ==, component[12]);
  g_assert_cmpint (component[0], ==, component[3]);
  g_assert_cmpint (component[2], !=, component[4]);
  g_assert_cmpint (component[2], !=, component[10]);
  g_assert_cmpint (component[4], ==, component[19]);
  g_assert_cmpint (guess->n_pixels[component[0]], ==, 7);
  g_assert_true (guess->is_object[component[0]] && !guess->is_object[component[2]]);
}

/* --- trust ------------------------------------------------------------------------------------ */

static void
test_no_strokes (void)
{
  Case c;
  case_init (&c, TWO, G_N_ELEMENTS (TWO));
  fs_opinion_weigh (c.opinion, c.seeds);
  assert_weight (&c, 2, 2, FS_OPINION_WEIGHT);
  assert_weight (&c, 8, 2, FS_OPINION_WEIGHT);
  assert_weight (&c, 11, 5, FS_OPINION_WEIGHT);
  case_clear (&c);
}

static void
test_which_object (void)
{
  Case c;
  case_init (&c, TWO, G_N_ELEMENTS (TWO));
  dot (&c, 2, 2, FS_SEED_OBJECT);
  fs_opinion_weigh (c.opinion, c.seeds);
  assert_weight (&c, 3, 3, FS_OPINION_WEIGHT_CONFIRMED);
  assert_weight (&c, 11, 5, FS_OPINION_WEIGHT_CONFIRMED);
  assert_weight (&c, 8, 2, 0);
  dot (&c, 8, 2, FS_SEED_OBJECT + 1); /* any object's strokes */
  fs_opinion_weigh (c.opinion, c.seeds);
  assert_weight (&c, 8, 3, FS_OPINION_WEIGHT_CONFIRMED);
  case_clear (&c);
}

static void
test_something_else_is_meant (void)
{
  Case c;
  case_init (&c, TWO, G_N_ELEMENTS (TWO));
  dot (&c, 6, 5, FS_SEED_OBJECT);
  fs_opinion_weigh (c.opinion, c.seeds);
  for (int x = 0; x < 12; x++)
    for (int y = 0; y < 6; y++)
      assert_weight (&c, x, y, 0);
  case_clear (&c);
}

static void
test_contradicted (void)
{
  Case c;
  case_init (&c, TWO, G_N_ELEMENTS (TWO));
  dot (&c, 2, 2, FS_SEED_BACKGROUND);
  fs_opinion_weigh (c.opinion, c.seeds);
  assert_weight (&c, 4, 3, 0);
  assert_weight (&c, 8, 2, FS_OPINION_WEIGHT);
  assert_weight (&c, 11, 5, FS_OPINION_WEIGHT);
  case_clear (&c);
}

/* Three pixels at the right of a long component are wrong: what is far away stays. */
static void
test_confirmed_and_contradicted (void)
{
  static const char LONG[] =
      "########################################################################################";
  const char *const ROWS[] = { LONG, LONG };
  Case c;
  case_init (&c, ROWS, 2);
  g_assert_cmpint (c.guess->n_components, ==, 1);
  case_clear (&c);

  char *rows[16];
  for (int y = 0; y < 16; y++) {
    rows[y] = g_strdup (LONG);
    if (y < 6 || y > 9)
      memset (rows[y], '.', strlen (LONG));
  }
  case_init (&c, (const char *const *)rows, 16);
  dot (&c, 3, 7, FS_SEED_OBJECT);
  dot (&c, 80, 9, FS_SEED_BACKGROUND);
  fs_opinion_weigh (c.opinion, c.seeds);
  assert_weight (&c, 80, 9, 0);
  for (int x = 1; x < 80; x++)
    g_assert_cmpfloat (share (&c, x - 1, 8), >=, share (&c, x, 8) - 0.05);
  assert_weight (&c, 3, 8, FS_OPINION_WEIGHT);
  assert_weight (&c, 3, 2, FS_OPINION_WEIGHT);
  /* Deeper in the component, it reaches farther. */
  double beside = share (&c, 70, 7);
  fs_seed_map_set_run (c.seeds, 9 * SCALE + SCALE / 2, 0, c.seeds->width, FS_SEED_NONE);
  dot (&c, 80, 7, FS_SEED_BACKGROUND);
  fs_opinion_weigh (c.opinion, c.seeds);
  g_assert_cmpfloat (share (&c, 70, 7), <, beside);
  case_clear (&c);
  for (int y = 0; y < 16; y++)
    g_free (rows[y]);
}

/* A component of more than half the photo is not dropped for one stroke. */
static void
test_huge (void)
{
  static const char *const ROWS[] = { ".###########", "############", "############",
                                      "############", "############", "############" };
  Case c;
  case_init (&c, ROWS, G_N_ELEMENTS (ROWS));
  dot (&c, 0, 1, FS_SEED_BACKGROUND);
  fs_opinion_weigh (c.opinion, c.seeds);
  assert_weight (&c, 0, 1, 0);
  assert_weight (&c, 11, 5, FS_OPINION_WEIGHT);
  case_clear (&c);
}

/* Something small that was missed, far from the part that is meant: the ground elsewhere stays. */
static void
test_small_object_far_away (void)
{
  Case c;
  case_init (&c, TWO, G_N_ELEMENTS (TWO));
  dot (&c, 2, 2, FS_SEED_OBJECT);
  dot (&c, 11, 5, FS_SEED_OBJECT);
  fs_opinion_weigh (c.opinion, c.seeds);
  assert_weight (&c, 11, 5, 0);
  assert_weight (&c, 2, 3, FS_OPINION_WEIGHT);
  assert_weight (&c, 0, 0, FS_OPINION_WEIGHT);
  case_clear (&c);
}

/* A stroke on what a part missed, beside it, means the part; one some way off something else. */
static void
test_next_to_a_part (void)
{
  char *rows[16];
  for (int y = 0; y < 16; y++)
    rows[y] = g_strnfill (88, y < 6 || y > 9 ? '.' : '#');
  static const struct {
    int apart;
    gboolean is_silent;
  } SEEDS[] = { { 0, FALSE }, { 1, FALSE }, { 8, TRUE } };
  for (size_t i = 0; i < G_N_ELEMENTS (SEEDS); i++) {
    Case c;
    case_init (&c, (const char *const *)rows, 16);
    fs_seed_map_set_run (c.seeds, 10 * SCALE + SEEDS[i].apart, 40, 42, FS_SEED_OBJECT);
    fs_opinion_weigh (c.opinion, c.seeds);
    g_assert_cmpint (fs_opinion_is_silent (c.opinion), ==, SEEDS[i].is_silent);
    assert_weight (&c, 80, 8, SEEDS[i].is_silent ? 0 : FS_OPINION_WEIGHT);
    case_clear (&c);
  }
  for (int y = 0; y < 16; y++)
    g_free (rows[y]);
}

/* Object all round; the same with a rim of background; and a subject that fills the frame. */
static void
test_inverted (void)
{
  static const char *const ROUND[] = { "############", "############", "#####..#####",
                                       "#####..#####", "############", "############" };
  static const char *const FRAMED[] = { "............", ".##########.", ".####..####.",
                                        ".####..####.", ".##########.", "............" };
  for (int i = 0; i < 2; i++) {
    Case c;
    case_init (&c, i == 0 ? ROUND : FRAMED, 6);
    dot (&c, 4, 3, FS_SEED_OBJECT); /* beside the hole */
    fs_opinion_weigh (c.opinion, c.seeds);
    assert_weight (&c, 11, 5, FS_OPINION_WEIGHT_CONFIRMED);
    dot (&c, 9, 3, FS_SEED_BACKGROUND); /* amid what is said to be object */
    fs_opinion_weigh (c.opinion, c.seeds);
    g_assert_cmpint (fs_opinion_is_silent (c.opinion), ==, i == 0);
    case_clear (&c);
  }

  /* Wrong in little, right in the middle; and strokes of the background alone leave it its trust
   * far away. */
  Case c;
  case_init (&c, ROUND, 6);
  dot (&c, 7, 3, FS_SEED_BACKGROUND);
  fs_opinion_weigh (c.opinion, c.seeds);
  g_assert_false (fs_opinion_is_silent (c.opinion));
  dot (&c, 1, 3, FS_SEED_OBJECT);
  fs_opinion_weigh (c.opinion, c.seeds);
  g_assert_cmpfloat (share (&c, 1, 3), >, 1);
  case_clear (&c);
}

/* --- a box ------------------------------------------------------------------------------------ */

/* All but these pixels of the photo is background. */
static void
draw_box (Case *c, int x0, int y0, int x1, int y1)
{
  for (int y = 0; y < c->seeds->height; y++) {
    fs_seed_map_set_run (c->seeds, y, 0, c->seeds->width, FS_SEED_BACKGROUND);
    if (y >= y0 && y < y1)
      fs_seed_map_set_run (c->seeds, y, x0, x1, FS_SEED_NONE);
  }
  fs_opinion_weigh (c->opinion, c->seeds);
}

static void
test_box (void)
{
  Case c;
  case_init (&c, TWO, G_N_ELEMENTS (TWO));
  fs_opinion_set_outlined (c.opinion, TRUE);
  draw_box (&c, 7 * SCALE, 1 * SCALE, 11 * SCALE, 5 * SCALE);
  g_assert_false (fs_opinion_is_silent (c.opinion));
  assert_weight (&c, 8, 2, FS_OPINION_WEIGHT);
  assert_weight (&c, 10, 4, FS_OPINION_WEIGHT);
  assert_weight (&c, 2, 2, 0);
  /* A little of it beyond the box contradicts nothing; more than a fifth is something else. */
  draw_box (&c, 7 * SCALE, 1 * SCALE, 10 * SCALE - 3, 5 * SCALE);
  assert_weight (&c, 8, 2, FS_OPINION_WEIGHT);
  draw_box (&c, 7 * SCALE, 1 * SCALE, 10 * SCALE - 4, 5 * SCALE);
  g_assert_true (fs_opinion_is_silent (c.opinion));
  assert_weight (&c, 8, 2, 0);
  /* Strokes have their own rules. */
  fs_opinion_set_outlined (c.opinion, FALSE);
  draw_box (&c, 7 * SCALE, 1 * SCALE, 10 * SCALE - 3, 5 * SCALE);
  assert_weight (&c, 8, 2, 0);
  case_clear (&c);
}

/* A box of these pixels of the guess: the ground in it is not trusted either where it is about
 * something else. */
static void
check_box (const char *const *rows, const int box[4], gboolean is_silent)
{
  Case c;
  case_init (&c, rows, 6);
  fs_opinion_set_outlined (c.opinion, TRUE);
  draw_box (&c, box[0] * SCALE, box[1] * SCALE, box[2] * SCALE, box[3] * SCALE);
  g_assert_cmpint (fs_opinion_is_silent (c.opinion), ==, is_silent);
  assert_weight (&c, box[0], box[3] - 1, is_silent ? 0 : FS_OPINION_WEIGHT);
  dot (&c, 8, 2, FS_SEED_OBJECT);
  fs_opinion_weigh (c.opinion, c.seeds);
  g_assert_false (fs_opinion_is_silent (c.opinion));
  case_clear (&c);
}

static void
test_box_round_something_else (void)
{
  static const char *const CORNERS[] = { "............", "............", "........#.#.",
                                         "............", "........#.#.", "............" };
  check_box (TWO, (const int[4]){ 5, 1, 8, 5 }, TRUE);  /* nothing  */
  check_box (TWO, (const int[4]){ 8, 1, 11, 6 }, TRUE); /* low      */
  check_box (TWO, (const int[4]){ 6, 2, 11, 5 }, TRUE); /* narrow   */
  check_box (TWO, (const int[4]){ 7, 1, 11, 5 }, FALSE);
  check_box (CORNERS, (const int[4]){ 6, 1, 12, 6 }, FALSE);
  check_box (CORNERS, (const int[4]){ 6, 0, 12, 6 }, TRUE); /* little of it */
}

/* What leaves hardly anything out says nothing. */
static void
test_box_round_the_photo (void)
{
  static const char *const SMALL[] = { "............", "..##........", "..##........",
                                       "............", "............", "............" };
  Case c;
  case_init (&c, SMALL, G_N_ELEMENTS (SMALL));
  fs_opinion_set_outlined (c.opinion, TRUE);
  draw_box (&c, 1, 0, TWO_W, TWO_H);
  assert_weight (&c, 2, 1, FS_OPINION_WEIGHT);
  draw_box (&c, SCALE, 0, TWO_W, TWO_H);
  assert_weight (&c, 2, 1, 0);
  case_clear (&c);
}

/* --- doubt ------------------------------------------------------------------------------------ */

static uint16_t *
doubt (Case *c, int x, int y, int *width, int *height)
{
  int w = c->seeds->width, u = x * SCALE + SCALE / 2, v = y * SCALE + SCALE / 2;
  uint32_t painted[] = { (uint32_t)(v * w + u), (uint32_t)(v * w + u + 1) };
  return fs_opinion_get_remaining_trust (c->opinion, painted, 2, width, height);
}

static int
doubt_at (const uint16_t *trust, int width, int height, int x, int y)
{
  return trust[(2 * y + 1) * height / 12 * width + (2 * x + 1) * width / 24];
}

static void
test_doubt (void)
{
  Case c;
  int w, h;
  case_init (&c, TWO, G_N_ELEMENTS (TWO));
  dot (&c, 2, 2, FS_SEED_OBJECT);
  fs_opinion_weigh (c.opinion, c.seeds);
  g_autofree uint16_t *first = doubt (&c, 2, 2, &w, &h);
  g_assert_nonnull (first);
  g_assert_cmpint (doubt_at (first, w, h, 8, 2), ==, 0);
  g_assert_cmpint (doubt_at (first, w, h, 2, 2), ==, 256);
  g_assert_cmpint (doubt_at (first, w, h, 11, 5), ==, 256);

  dot (&c, 3, 2, FS_SEED_OBJECT);
  fs_opinion_weigh (c.opinion, c.seeds);
  g_assert_null (doubt (&c, 3, 2, &w, &h));

  dot (&c, 10, 5, FS_SEED_BACKGROUND);
  fs_opinion_weigh (c.opinion, c.seeds);
  g_assert_null (doubt (&c, 10, 5, &w, &h));

  dot (&c, 4, 1, FS_SEED_BACKGROUND);
  fs_opinion_weigh (c.opinion, c.seeds);
  g_autofree uint16_t *against = doubt (&c, 4, 1, &w, &h);
  g_assert_nonnull (against);
  g_assert_cmpint (doubt_at (against, w, h, 4, 1), <, 30);
  g_assert_cmpint (doubt_at (against, w, h, 11, 5), ==, 256);
  g_assert_null (doubt (&c, 3, 2, &w, &h));
  case_clear (&c);
}

/* --- the photo -------------------------------------------------------------------------------- */

/* A bright disc; the guess is a disc of its size, `aside` pixels to the right. */
static gboolean
is_trusted_aside (int aside, int noise)
{
  enum { SIDE = 64, RADIUS2 = 100 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (FsImage) image = fs_image_new (SIDE, SIDE);
  g_autofree uint16_t *plane = g_new (uint16_t, SIDE * SIDE);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      int u = x - 20, v = y - 32, grey = u * u + v * v < RADIUS2 ? 180 : 70;
      grey += noise > 0 ? g_rand_int_range (rand, -noise, noise) : 0;
      image->pixels[y * SIDE + x] = FS_PIXEL (255, grey, grey, grey);
      u -= aside;
      plane[y * SIDE + x] = u * u + v * v < RADIUS2 ? 50000 : 15000;
    }
  g_autoptr (FsGuess) guess = fs_guess_new (plane, SIDE, SIDE, SIDE, SIDE);
  g_autoptr (FsOpinion) opinion = fs_opinion_new (guess, image);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (SIDE, SIDE);
  FsOpinionView view;
  g_assert_true (fs_opinion_view_init (&view, opinion, SIDE, SIDE));
  fs_opinion_weigh (opinion, seeds);
  uint32_t middle = 32 * SIDE + (uint32_t)(20 + aside);
  g_assert_cmpint (fs_opinion_view_get (&view, middle), >, 100);
  fs_seed_map_set_run (seeds, 32, 20 + aside, 22 + aside, FS_SEED_OBJECT);
  fs_opinion_weigh (opinion, seeds);
  gboolean is_trusted = fs_opinion_view_get (&view, middle) > 100;
  g_assert_true (is_trusted == (fs_opinion_view_get (&view, 0) < -100));
  fs_opinion_view_clear (&view);
  return is_trusted;
}

static void
test_of_another_photo (void)
{
  g_assert_true (is_trusted_aside (0, 0));
  g_assert_true (is_trusted_aside (1, 30));
  g_assert_false (is_trusted_aside (29, 0));
  g_assert_false (is_trusted_aside (29, 30));
}

/* --- views ------------------------------------------------------------------------------------ */

static FsGuess *
random_guess (GRand *rand, int width, int height)
{
  int w = g_rand_int_range (rand, 1, width + 4), h = g_rand_int_range (rand, 1, height + 4);
  g_autofree uint16_t *plane = g_new (uint16_t, w * h);
  for (int i = 0; i < w * h; i++)
    plane[i] = i > 0 && g_rand_int_range (rand, 0, 6)
                   ? plane[i - 1]
                   : (uint16_t)g_rand_int_range (rand, 0, UINT16_MAX + 1);
  return fs_guess_new (plane, w, h, width, height);
}

/* By the definition, in doubles. */
static double
plain_value (const FsOpinionView *view, int x, int y)
{
  FsStretchedPlane plane = fs_opinion_view_plane (view);
  double u = plane.column[x] / 256.0, v = plane.row[y] / 256.0, sum = 0;
  for (int j = 0; j < plane.height; j++)
    for (int i = 0; i < plane.width; i++)
      sum +=
          plane.values[j * plane.width + i] * MAX (0, 1 - ABS (i - u)) * MAX (0, 1 - ABS (j - v));
  return sum;
}

static void
test_views (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int i = 0; i < 60; i++) {
    int w = g_rand_int_range (rand, 1, 24), h = g_rand_int_range (rand, 1, 24);
    if (i % 20 == 0)
      w = 3000;
    g_autoptr (FsGuess) guess = random_guess (rand, w, h);
    g_autoptr (FsOpinion) opinion = fs_opinion_new (guess, NULL);
    g_autoptr (FsSeedMap) seeds = fs_seed_map_new (w, h);
    fs_opinion_weigh (opinion, seeds);
    w = i % 20 == 0 ? 600 : w; /* a reduced photo, smaller than most guesses */
    FsOpinionView view;
    g_assert_true (fs_opinion_view_init (&view, opinion, w, h));
    g_autofree int32_t *row = g_new (int32_t, w);
    for (int y = 0; y < h; y++) {
      int x0 = g_rand_int_range (rand, 0, w);
      for (int x = x0; x < w; x++)
        row[x - x0] = 1000;
      fs_opinion_view_add_row (&view, y, x0, w, row);
      for (int x = x0; x < w; x++) {
        int32_t one = fs_opinion_view_get (&view, (uint32_t)(y * w + x));
        g_assert_cmpint (row[x - x0], ==, 1000 + one);
        double plain = w < 600 ? plain_value (&view, x, y) : one;
        g_assert_true (one >= plain - 0.501 && one <= plain + 0.501);
      }
    }
    fs_opinion_view_clear (&view);
  }
}

/* --- energies --------------------------------------------------------------------------------- */

static int32_t *
tlinks_of (FsEnergy *energy, const FsSeedMap *seeds, size_t n)
{
  int32_t *tlinks = g_new (int32_t, n);
  fs_energy_fit (energy, seeds);
  fs_energy_fill_tlinks (energy, seeds, tlinks);
  return tlinks;
}

/* The t-links are those of the seeds and the guess, whatever was there before: strokes in between,
 * no guess, another one. Without one they are those of an energy that has never had any. */
static void
test_only_seeds_and_guess_count (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  int n_differ = 0;
  for (int i = 0; i < 40; i++) {
    FsCase c;
    FsSettings settings = FS_SETTINGS_DEFAULT;
    settings.model = (FsModelKind)g_rand_int_range (rand, 0, FS_N_MODELS);
    fs_case_init (&c, rand, 40, 2);
    int w = c.image->width, h = c.image->height;
    size_t n = (size_t)w * (size_t)h;
    g_autoptr (FsGuess) guess = random_guess (rand, w, h), other = random_guess (rand, w, h);
    g_autoptr (FsEnergy) plain = fs_energy_new (c.image, &settings, NULL, NULL);
    g_autoptr (FsEnergy) energy = fs_energy_new (c.image, &settings, NULL, NULL);
    g_assert_true (fs_energy_set_guess (energy, guess, NULL));
    g_autofree int32_t *first = tlinks_of (energy, c.seeds, n);
    g_autofree int32_t *bare = tlinks_of (plain, c.seeds, n);
    for (uint32_t p = 0; p < n; p++)
      g_assert_cmpint (first[p], ==, fs_energy_tlink (energy, p, c.seeds->label[p]));
    n_differ += memcmp (first, bare, n * sizeof *bare) != 0;

    g_autoptr (FsSeedMap) seeds = fs_seed_map_new (w, h);
    fs_seed_map_copy (seeds, c.seeds);
    fs_case_play (&c, rand);
    g_autofree int32_t *between = tlinks_of (energy, c.seeds, n);
    g_assert_nonnull (between);
    g_autofree int32_t *again = tlinks_of (energy, seeds, n);
    g_assert_cmpmem (again, n * sizeof *again, first, n * sizeof *first);

    g_autoptr (FsEnergy) sibling = fs_energy_new_sibling (energy, NULL);
    g_autofree int32_t *siblings = tlinks_of (sibling, seeds, n);
    g_assert_cmpmem (siblings, n * sizeof *again, first, n * sizeof *first);

    g_assert_true (fs_energy_set_guess (energy, other, NULL));
    g_autofree int32_t *others = tlinks_of (energy, seeds, n);
    g_assert_nonnull (others);
    g_assert_true (fs_energy_set_guess (energy, NULL, NULL));
    g_autofree int32_t *none = tlinks_of (energy, seeds, n);
    g_assert_cmpmem (none, n * sizeof *none, bare, n * sizeof *bare);
    g_assert_cmpint (fs_energy_get_soft_tlink (energy), ==, fs_energy_get_soft_tlink (plain));
    g_assert_true (fs_energy_set_guess (energy, guess, NULL));
    g_autofree int32_t *last = tlinks_of (energy, seeds, n);
    g_assert_cmpmem (last, n * sizeof *last, first, n * sizeof *first);
    fs_case_clear (&c);
  }
  g_assert_cmpint (n_differ, >, 20);
}

/* Every allocation refused in turn: no guess, told so, and the energy is as good as before. */
static void
test_memory (void)
{
  static const char *const ROWS[] = { ".##.", ".##.", "...." };
  g_autoptr (FsImage) image = fs_image_new (40, 30);
  memset (image->pixels, 0x55, 40 * 30 * sizeof *image->pixels);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (40, 30);
  g_autofree int32_t *bare = tlinks_of (energy, seeds, 1200);
  int n_refused = 0, n_made = 0;
  for (int n = 0; n_made == 0; n++) {
    g_autoptr (GError) error = NULL;
    fault_memory_after (n, FALSE);
    g_autoptr (FsGuess) guess = read_guess (ROWS, 3, 40, 30);
    gboolean is_set = guess && fs_energy_set_guess (energy, guess, &error);
    fault_memory_after (-1, FALSE);
    n_refused += !guess;
    n_made += is_set;
    if (guess && !is_set)
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    g_autofree int32_t *tlinks = tlinks_of (energy, seeds, 1200);
    g_assert_true ((memcmp (tlinks, bare, 1200 * sizeof *bare) != 0) == is_set);
  }
  g_assert_cmpint (n_refused, >=, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/energy/guess/odds", test_odds);
  g_test_add_func ("/energy/guess/larger-than-the-photo", test_larger_than_the_photo);
  g_test_add_func ("/energy/guess/components", test_components);
  g_test_add_func ("/energy/guess/no-strokes", test_no_strokes);
  g_test_add_func ("/energy/guess/which-object", test_which_object);
  g_test_add_func ("/energy/guess/something-else-is-meant", test_something_else_is_meant);
  g_test_add_func ("/energy/guess/contradicted", test_contradicted);
  g_test_add_func ("/energy/guess/confirmed-and-contradicted", test_confirmed_and_contradicted);
  g_test_add_func ("/energy/guess/huge", test_huge);
  g_test_add_func ("/energy/guess/small-object-far-away", test_small_object_far_away);
  g_test_add_func ("/energy/guess/next-to-a-part", test_next_to_a_part);
  g_test_add_func ("/energy/guess/inverted", test_inverted);
  g_test_add_func ("/energy/guess/box", test_box);
  g_test_add_func ("/energy/guess/box-round-something-else", test_box_round_something_else);
  g_test_add_func ("/energy/guess/box-round-the-photo", test_box_round_the_photo);
  g_test_add_func ("/energy/guess/doubt", test_doubt);
  g_test_add_func ("/energy/guess/of-another-photo", test_of_another_photo);
  g_test_add_func ("/energy/guess/views", test_views);
  g_test_add_func ("/energy/guess/only-seeds-and-guess-count", test_only_seeds_and_guess_count);
  g_test_add_func ("/energy/guess/memory", test_memory);
  return g_test_run ();
}
