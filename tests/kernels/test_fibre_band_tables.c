/* SPDX-License-Identifier: MIT */
/* Bands as link tables, solved by the CUDA engine's own source with a fibre for each thread: the
 * CPU's cut in every schedule, and with any call of the CUDA library failing. */
#include "solver/cuda/cuda_backend.h"
#include "tests/energy/frames/frame_tables_cases.h"
#include "tests/kernels/fibre_calls.h"

/* Bands one after another, which grow and shrink. Returns whether the device cut them all. */
static gboolean
check_bands (GRand *rand, const int sides[][2], int n)
{
  FsBandSpace space = fs_frame_tables_space ();
  g_autoptr (FsCudaBand) device = fs_cuda_band_new (&space);
  gboolean is_there = device != NULL;
  for (int i = 0; i < n && is_there; i++) {
    FsFrameTablesCase c;
    fs_frame_tables_case_init (&c, rand, sides[i][0], sides[i][1]);
    is_there = fs_frame_tables_case_check (&c, device);
    fs_frame_tables_case_clear (&c);
  }
  return is_there;
}

static void
test_schedules (void)
{
  static const int SIDES[][2] = { { 40, 30 }, { 90, 60 }, { 31, 20 }, { 120, 110 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (guint32 i = 0; i < fibre_n_schedules (); i++) {
    fibre_begin_schedule (fs_engine_cuda (), i);
    g_assert_true (check_bands (rand, SIDES, G_N_ELEMENTS (SIDES)));
  }
  g_assert_null (fs_cuda_notice ());
  g_assert_cmpint (fibre_n_allocated (), ==, 0);
}

/* Small, for builds in which every touch of memory counts (fibres/touch.h). */
static void
test_races (void)
{
  static const int SIDES[][2] = { { 30, 20 }, { 50, 30 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  for (guint32 i = 0; i < 3; i++) {
    fibre_begin_schedule (fs_engine_cuda (), i + 1);
    g_assert_true (check_bands (rand, SIDES, G_N_ELEMENTS (SIDES)));
  }
  g_assert_null (fs_cuda_notice ());
}

static const int FEW[][2] = { { 20, 14 }, { 80, 60 } };

static int
play (gconstpointer data G_GNUC_UNUSED)
{
  int before = fibre_n_calls ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  gboolean is_there = check_bands (rand, FEW, G_N_ELEMENTS (FEW));
  g_assert_true (is_there == (fs_cuda_notice () == NULL));
  return fibre_n_calls () - before;
}

/* Those that release memory as it grows, and at the end, may fail unheard. */
static void
test_every_call_failing (void)
{
  const FibreCalls calls = {
    .table = fs_engine_cuda (), .n_blocks = 1, .play = play, .least = 40, .stride = 2
  };
  g_assert_cmpint (fibre_fail_each (&calls, FIBRE_NO_MEMORY, FALSE), <=, 20);
  g_assert_cmpint (fibre_fail_each (&calls, FIBRE_LAUNCH_FAILED, TRUE), <=, 11);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/fibre-band-tables/schedules", test_schedules);
  g_test_add_func ("/kernels/fibre-band-tables/races", test_races);
  g_test_add_func ("/kernels/fibre-band-tables/every-call-failing", test_every_call_failing);
  return g_test_run ();
}
