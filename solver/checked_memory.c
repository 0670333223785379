/* SPDX-License-Identifier: MIT */
#include "solver/checked_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LINE_BYTES      64
#define HUGE_PAGE_BYTES ((size_t)2 << 20)

static gint countdown = -1;
static gint refuse_for_ever;

void
fs_memory_fail_after (int n_more, gboolean for_ever)
{
  g_atomic_int_set (&refuse_for_ever, for_ever);
  g_atomic_int_set (&countdown, n_more);
}

static gboolean
refused (void)
{
  gint left = g_atomic_int_get (&countdown);
  if (left < 0)
    return FALSE;
  if (left == 0) {
    if (!g_atomic_int_get (&refuse_for_ever))
      g_atomic_int_set (&countdown, -1);
    return TRUE;
  }
  g_atomic_int_set (&countdown, left - 1);
  return FALSE;
}

void *
fs_memory_new (size_t n, size_t size)
{
  size_t bytes;
  if (!g_size_checked_mul (&bytes, n, size) || bytes > SIZE_MAX / 2 || refused ())
    return NULL;
  gboolean huge = bytes >= HUGE_PAGE_BYTES;
  if (huge) /* so that the last page can be a huge one */
    bytes = (bytes + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
  void *block = NULL;
  if (posix_memalign (&block, huge ? HUGE_PAGE_BYTES : LINE_BYTES, MAX (bytes, 1)) != 0)
    return NULL;
  if (huge)
    madvise (block, bytes, MADV_HUGEPAGE);
  return block;
}

void
fs_memory_free (void *block)
{
  free (block);
}
