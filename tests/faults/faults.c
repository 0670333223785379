/* SPDX-License-Identifier: MIT */
#include "tests/faults/faults.h"

#include "solver/cpu/search/search_state.h"
#include "solver/system/checked_memory.h"

/* Names that the linker gives, see `--wrap` of ld. A function is wrapped only for callers in other
 * files: lld wraps calls within its own file as well, GNU ld does not. */
void *__real_fs_memory_new (size_t n, size_t size);
void *__wrap_fs_memory_new (size_t n, size_t size);
gboolean __real_fs_cpu_search_is_cancelled (const FsCpuSearch *search);
gboolean __wrap_fs_cpu_search_is_cancelled (const FsCpuSearch *search);

static gint memory_countdown = -1, is_memory_refused_for_ever, poll_countdown = -1;

void
fault_memory_after (int n_more, gboolean for_ever)
{
  g_atomic_int_set (&is_memory_refused_for_ever, for_ever);
  g_atomic_int_set (&memory_countdown, n_more);
}

static gboolean
is_memory_refused (void)
{
  gint left = g_atomic_int_get (&memory_countdown);
  if (left < 0 || (left == 0 && g_atomic_int_get (&is_memory_refused_for_ever)))
    return left == 0;
  g_atomic_int_set (&memory_countdown, left - 1);
  return left == 0;
}

void *
__wrap_fs_memory_new (size_t n, size_t size)
{
  return is_memory_refused () ? NULL : __real_fs_memory_new (n, size);
}

void
fault_cancel_after (int n_polls)
{
  g_atomic_int_set (&poll_countdown, n_polls);
}

static gboolean
is_cancelled (void)
{
  gint left = g_atomic_int_get (&poll_countdown);
  return left == 0 || (left > 0 && g_atomic_int_dec_and_test (&poll_countdown));
}

gboolean
__wrap_fs_cpu_search_is_cancelled (const FsCpuSearch *search)
{
  return is_cancelled () || __real_fs_cpu_search_is_cancelled (search);
}
