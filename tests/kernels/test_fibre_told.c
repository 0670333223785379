/* SPDX-License-Identifier: MIT */
/* Bands told in tables to the CUDA engine's own source, each of its threads a fibre: the
 * processor's cut in every schedule, and whichever call of the CUDA library fails. */
#include "solver/cuda.h"
#include "tests/energy/told_cases.h"
#include "tests/kernels/fibres/fibre_control.h"

static void
use_fibres (guint32 schedule)
{
  fibre_fail_after (-1, FALSE, FIBRE_LAUNCH_FAILED);
  fibre_set_schedule (schedule, 1 + (int)(schedule % 3));
  fs_cuda_use_table (fs_engine_cuda ());
  g_assert_true (fs_cuda_is_available (NULL));
}

/* Bands one after another, which grow and shrink. Returns whether the device cut them all. */
static gboolean
check_bands (GRand *rand, const int sides[][2], int n)
{
  FsBandSpace space = fs_frame_told_space ();
  g_autoptr (FsCudaBand) device = fs_cuda_band_new (&space);
  gboolean is_there = device != NULL;
  for (int i = 0; i < n && is_there; i++) {
    FsToldCase c;
    fs_told_case_init (&c, rand, sides[i][0], sides[i][1]);
    is_there = fs_told_case_check (&c, device);
    fs_told_case_clear (&c);
  }
  return is_there;
}

static void
test_schedules (void)
{
  static const int SIDES[][2] = { { 40, 30 }, { 90, 60 }, { 31, 20 }, { 120, 110 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (guint32 i = 0; i < 6; i++) {
    use_fibres (i);
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
    use_fibres (i + 1);
    g_assert_true (check_bands (rand, SIDES, G_N_ELEMENTS (SIDES)));
  }
  g_assert_null (fs_cuda_notice ());
}

static const int FEW[][2] = { { 20, 14 }, { 80, 60 } };

/* Returns how many calls of the CUDA library it made, those at the end not counted. */
static int
count_calls (void)
{
  use_fibres (0);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  int before = fibre_n_calls ();
  g_assert_true (check_bands (rand, FEW, G_N_ELEMENTS (FEW)));
  return fibre_n_calls () - before;
}

/* Every call in its turn. Only what releases memory may fail unheard, and only once. */
static void
check_failures (FibreError code, gboolean for_ever)
{
  int n_calls = count_calls (), n_unheard = 0;
  g_test_message ("%d calls", n_calls);
  g_assert_cmpint (n_calls, >, 40);
  for (int n = 0; n < n_calls; n++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (3);
    use_fibres (0);
    fibre_fail_after (n, for_ever, code);
    gboolean is_there = check_bands (rand, FEW, G_N_ELEMENTS (FEW));
    g_assert_true (is_there == (fs_cuda_notice () == NULL));
    g_assert_cmpint (fibre_n_allocated (), ==, 0);
    n_unheard += is_there;
  }
  /* Those that release memory as it grows, and at the end. */
  g_assert_cmpint (n_unheard, <=, for_ever ? 11 : 20);
}

static void
test_every_call_failing (void)
{
  check_failures (FIBRE_NO_MEMORY, FALSE);
  check_failures (FIBRE_LAUNCH_FAILED, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/fibre-told/schedules", test_schedules);
  g_test_add_func ("/kernels/fibre-told/races", test_races);
  g_test_add_func ("/kernels/fibre-told/every-call-failing", test_every_call_failing);
  return g_test_run ();
}
