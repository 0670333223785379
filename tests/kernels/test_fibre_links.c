/* SPDX-License-Identifier: MIT */
/* Links that the CUDA engine's own source makes, each of its threads a fibre: those that the energy
 * fills, in every schedule, and the processor's mask whichever call of the CUDA library fails. */
#include "solver/cuda/cuda_backend.h"
#include "tests/energy/terms/link_cases.h"
#include "tests/kernels/fibre_calls.h"

#include <string.h>

/* `solves`: else it looks at states, which only a device has that works. Returns how many calls of
 * the CUDA library it made, those at the end not counted. */
static int
check_case (GRand *rand, int width, int height, gboolean solves)
{
  FsLinkCase c;
  int before = fibre_n_calls ();
  fs_link_case_init (&c, rand, width, height);
  if (!solves)
    fs_link_case_check_state (&c);
  for (int i = 0; i < 2; i++) {
    fs_link_case_paint (&c, rand);
    fs_link_case_fit (&c, rand);
    if (solves)
      fs_link_case_check_mask (&c);
    else
      fs_link_case_check_state (&c);
  }
  int n_calls = fibre_n_calls () - before;
  fs_link_case_clear (&c);
  return n_calls;
}

static void
test_links (void)
{
  static const int SIDES[][2] = { { 1, 1 }, { 1, 40 }, { 67, 1 }, { 33, 31 }, { 40, 36 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (guint32 i = 0; i < fibre_n_schedules (); i++)
    for (size_t j = 0; j < G_N_ELEMENTS (SIDES); j++) {
      fibre_begin_schedule (fs_engine_cuda (), i);
      check_case (rand, SIDES[j][0], SIDES[j][1], (i + j) % 2);
    }
  fibre_begin_schedule (fs_engine_cuda (), 1);
  check_case (rand, 300, 280, FALSE);
  g_assert_null (fs_cuda_notice ());
  g_assert_cmpint (fibre_n_allocated (), ==, 0);
}

/* Small, for builds in which every touch of memory counts (fibres/touch.h). */
static void
test_races (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  for (guint32 i = 0; i < 6; i++) {
    fibre_begin_schedule (fs_engine_cuda (), i + 1);
    check_case (rand, 33, 20, TRUE);
  }
  g_assert_null (fs_cuda_notice ());
}

static int
play (gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  return check_case (rand, 20, 14, TRUE);
}

/* Those two that release what there was for terms, each time that they grow, may fail unheard. */
static void
test_every_call_failing (void)
{
  const FibreCalls calls = {
    .table = fs_engine_cuda (), .n_blocks = 1, .play = play, .least = 60, .stride = 2
  };
  g_assert_cmpint (fibre_fail_each (&calls, FIBRE_NO_MEMORY, FALSE), <=, 2 * 3);
  g_assert_cmpint (fibre_fail_each (&calls, FIBRE_LAUNCH_FAILED, TRUE), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/fibre-links/links", test_links);
  g_test_add_func ("/kernels/fibre-links/races", test_races);
  g_test_add_func ("/kernels/fibre-links/every-call-failing", test_every_call_failing);
  return g_test_run ();
}
