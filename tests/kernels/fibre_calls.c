/* SPDX-License-Identifier: MIT */
#include "tests/kernels/fibre_calls.h"

#include "solver/cuda/cuda_backend.h"

void
fibre_begin (const FsEngineTable *table, guint32 schedule, int n_blocks)
{
  g_autoptr (GError) error = NULL;
  fibre_fail_after (-1, FALSE, FIBRE_LAUNCH_FAILED);
  fibre_set_schedule (schedule, n_blocks);
  fs_cuda_use_table (table);
  g_assert_true (fs_cuda_is_available (&error));
  g_assert_no_error (error);
}

void
fibre_begin_schedule (const FsEngineTable *table, guint32 schedule)
{
  fibre_begin (table, schedule, 1 + (int)(schedule % 3));
}

guint32
fibre_n_schedules (void)
{
  return g_getenv ("FRETSAW_TEST_SHARE") != NULL ? 3 : 6;
}

int
fibre_fail_each (const FibreCalls *calls, FibreError code, gboolean for_ever)
{
  fibre_begin (calls->table, 0, calls->n_blocks);
  int n_calls = calls->play (calls->data), n_unheard = 0;
  g_assert_null (fs_cuda_notice ());
  g_test_message ("%d calls", n_calls);
  g_assert_cmpint (n_calls, >, calls->least);
  static int round;
  gboolean is_reduced = g_getenv ("FRETSAW_TEST_SHARE") != NULL || fibre_is_touched ();
  int stride = MAX (is_reduced ? calls->stride : calls->n_rounds, 1);
  for (int n = round++ % stride; n < n_calls; n += stride) {
    fibre_begin (calls->table, 0, calls->n_blocks);
    fibre_fail_after (n, for_ever, code);
    calls->play (calls->data);
    g_assert_cmpint (fibre_n_allocated (), ==, 0);
    n_unheard += fs_cuda_notice () == NULL;
  }
  return n_unheard;
}
