/* SPDX-License-Identifier: MIT */
/* Link tables of an energy: whoever computes links from them gets what the energy fills. The
 * CUDA backend is that of the kernels' twin, or with FRETSAW_TEST_BACKEND=cuda the module's. */
#include "solver/certificate.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/kernels/cuda/engine_host.h"
#include "tests/energy/terms/link_cases.h"

#include <string.h>

static gboolean
has_device (void)
{
  return g_strcmp0 (g_getenv ("FRETSAW_TEST_BACKEND"), "cuda") == 0;
}

static void
use_engine (void)
{
  g_autoptr (GError) error = NULL;
  fs_engine_host_fail_after (-1, FALSE, FS_ENGINE_DONE);
  fs_cuda_use_table (has_device () ? NULL : fs_engine_host ());
  g_assert_true (fs_cuda_is_available (&error));
  g_assert_no_error (error);
}

static const int SIDES[][2] = { { 1, 1 },   { 1, 40 },  { 67, 1 },    { 2, 2 },
                                { 31, 33 }, { 32, 32 }, { 33, 31 },   { 64, 64 },
                                { 50, 23 }, { 97, 5 },  { 320, 270 }, { 1, 90000 } };

static void
test_states (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  int n_fixed = 0;
  use_engine ();
  for (int i = 0; i < 5; i++)
    for (size_t j = 0; j < G_N_ELEMENTS (SIDES); j++) {
      FsLinkCase c;
      fs_link_case_init (&c, rand, SIDES[j][0], SIDES[j][1]);
      fs_link_case_check_state (&c);
      for (int edit = 0; edit < 3; edit++) {
        /* A star that changed leaves its mark in an unsolved state: capacities are as they were
         * made, for there is no flow. */
        fs_link_case_paint (&c, rand);
        fs_link_case_check_state (&c);
        fs_link_case_fit (&c, rand);
        fs_link_case_check_state (&c);
      }
      n_fixed += c.n_fixed;
      fs_link_case_clear (&c);
    }
  g_assert_cmpint (n_fixed, >, 40);
  g_assert_null (fs_cuda_notice ());
}

/* Links among the pixels of a rectangle, without planes and with them. */
static void
check_among (const FsLinkCase *c, GRand *rand)
{
  FsGrid *implicit = fs_energy_get_grid (c->energy), *plain = fs_energy_get_grid (c->plain);
  int x0 = g_rand_int_range (rand, 0, plain->width), y0 = g_rand_int_range (rand, 0, plain->height);
  int width = g_rand_int_range (rand, 1, 12), height = g_rand_int_range (rand, 1, 11);
  FsGrid part = { .width = MIN (width, plain->width - x0),
                  .height = MIN (height, plain->height - y0),
                  .neighbours = plain->neighbours };
  uint16_t links[FS_N_DIRECTIONS][FS_GRID_LINKS_MAX];
  uint16_t *out[] = { links[0], links[1], links[2], links[3] };
  implicit->links->read (implicit->links->data, x0, y0, part.width, part.height, out);
  for (int d = 0; d < fs_grid_n_directions (plain); d++)
    for (int y = 0; y < part.height; y++)
      for (int x = 0; x < part.width; x++) {
        size_t pixel = (size_t)(y0 + y) * (size_t)plain->width + (size_t)(x0 + x);
        int expected = fs_grid_has_neighbour (&part, x, y, d) ? plain->nlink[d][pixel] : 0;
        g_assert_cmpint (links[d][y * part.width + x], ==, expected);
      }
}

static void
test_among (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  int n_implicit = 0;
  use_engine ();
  for (int i = 0; i < 40; i++) {
    FsLinkCase c;
    fs_link_case_init (&c, rand, g_rand_int_range (rand, 1, 40), g_rand_int_range (rand, 1, 40));
    gboolean is_implicit = fs_energy_get_grid (c.energy)->links != NULL;
    for (int j = 0; is_implicit && j < 40; j++)
      check_among (&c, rand);
    n_implicit += is_implicit;
    fs_link_case_clear (&c);
  }
  g_assert_cmpint (n_implicit, >, 10);
}

static void
play (FsLinkCase *c, GRand *rand, int n_edits)
{
  fs_link_case_check_mask (c);
  for (int i = 0; i < n_edits; i++) {
    if (i % 2 == 0)
      fs_link_case_paint (c, rand);
    else
      fs_link_case_fit (c, rand);
    fs_link_case_check_mask (c);
  }
}

static void
test_masks (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  use_engine ();
  for (int i = 0; i < 30; i++) {
    FsLinkCase c;
    FsCertificate certificate;
    fs_link_case_init (&c, rand, g_rand_int_range (rand, 1, 70), g_rand_int_range (rand, 1, 70));
    play (&c, rand, 4);
    g_assert_cmpint (c.n_fills, ==, 0);
    g_assert_true (fs_solver_certify (c.solver, &certificate, NULL));
    g_assert_true (certificate.holds);
    g_assert_cmpint (c.n_fills, ==, 1);
    fs_link_case_clear (&c);
  }
  g_assert_null (fs_cuda_notice ());
}

/* Call 0, 1, 2, … of the device fails, until there is no such call: the processor goes on, with
 * planes that were filled for it, to the same masks. */
static void
test_every_call_failing (void)
{
  for (int for_ever = 0; for_ever < 2; for_ever++)
    for (int n = 0;; n++) {
      g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32)for_ever + 3);
      FsLinkCase c;
      use_engine ();
      fs_engine_host_fail_after (n, for_ever, FS_ENGINE_FAILED);
      fs_link_case_init (&c, rand, 45, 40);
      play (&c, rand, 4);
      g_assert_true ((fs_cuda_notice () == NULL) == fs_solver_builds (c.solver));
      g_assert_true ((c.n_fills > 0) == (fs_cuda_notice () != NULL));
      fs_link_case_clear (&c);
      if (fs_cuda_notice () != NULL)
        continue;
      g_assert_cmpint (n, >, 8);
      break;
    }
  use_engine ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/energy/implicit-links/states", test_states);
  g_test_add_func ("/energy/implicit-links/among", test_among);
  g_test_add_func ("/energy/implicit-links/masks", test_masks);
  if (!has_device ())
    g_test_add_func ("/energy/implicit-links/every-call-failing", test_every_call_failing);
  return g_test_run ();
}
