/* SPDX-License-Identifier: MIT */
#include "solver/system/checked_memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define LINE_BYTES      64
#define HUGE_PAGE_BYTES ((size_t)2 << 20)
/* Fewer bytes save no more than a page fault. */
#define MIN_AT_ONCE ((size_t)8 << 10)
/* Where pages are larger the kernel declines, and they come one by one. */
#define PAGE_BYTES ((size_t)4096)
/* To clear one takes a tenth of a millisecond. */
#define SLOW_NS 1000000
/* After one that was slow none is tried for so many times as long as it took. */
#define REST 100
/* Memory that large blocks leave to lists and threads, which cannot do without: at least this, and
 * an eighth of the block. */
#define MIN_LEFT_BYTES ((size_t)16 << 20)
#define LARGE_BYTES    ((size_t)256 << 10)

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 36)
#define CAN_ADVISE_RANGES
#endif
#endif

/* As g_get_monotonic_time has it. */
static atomic_int_least64_t huge_pages_from_us;

static int64_t
thread_ns (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Huge pages are worth a twentieth of a search, and most of the page faults. But where the kernel
 * must first move other memory away, or a virtual machine's host find some, one costs as much as
 * ten times the small ones in its place. So they are taken one by one while they come quickly. When
 * one does not, there may be some again later, as what was used and given back is at hand for a
 * while: trying costs a hundredth of the time at most. */
static void
take_huge_pages (char *block, size_t bytes)
{
  for (size_t at = 0; at < bytes; at += HUGE_PAGE_BYTES) {
    if (g_get_monotonic_time () < atomic_load (&huge_pages_from_us))
      return;
    madvise (block + at, HUGE_PAGE_BYTES, MADV_HUGEPAGE);
    int64_t start_ns = thread_ns ();
    *(volatile char *)(block + at) = 0;
    int64_t ns = thread_ns () - start_ns;
    if (ns > SLOW_NS)
      atomic_store (&huge_pages_from_us, g_get_monotonic_time () + ns / 1000 * REST);
  }
}

/* Asks without taking: no page of it is touched. */
static gboolean
is_left (size_t bytes)
{
  void *asked = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return asked != MAP_FAILED && munmap (asked, bytes) == 0;
}

void *
fs_memory_new (size_t n, size_t size)
{
  size_t bytes;
  if (!g_size_checked_mul (&bytes, n, size) || bytes > SIZE_MAX / 2)
    return NULL;
  gboolean huge = bytes >= HUGE_PAGE_BYTES;
  if (huge) /* so that the last page can be a huge one */
    bytes = (bytes + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
  void *block = NULL;
  size_t boundary = huge ? HUGE_PAGE_BYTES : bytes >= LARGE_BYTES ? PAGE_BYTES : LINE_BYTES;
  if (posix_memalign (&block, boundary, MAX (bytes, 1)) != 0)
    return NULL;
  if (bytes >= LARGE_BYTES && !is_left (MAX (MIN_LEFT_BYTES, bytes / 8))) {
    free (block);
    return NULL;
  }
  if (huge)
    take_huge_pages (block, bytes);
  return block;
}

/* The pages that the range lies in. */
static struct iovec
pages_of (void *range, size_t bytes)
{
  char *first = (char *)range - (uintptr_t)range % PAGE_BYTES;
  bytes += (size_t)((char *)range - first);
  return (struct iovec){ first, (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES };
}

#ifdef MADV_POPULATE_WRITE
static void
ask_for (struct iovec pages)
{
  madvise (pages.iov_base, pages.iov_len, MADV_POPULATE_WRITE);
}

/* A recent kernel (Linux 6.18 does) takes advice for many ranges at once; others, and
 * sandboxes, refuse. */
static gboolean
ask_for_all (const FsMemoryRanges *ranges)
{
#ifdef CAN_ADVISE_RANGES
  enum { SELF = -10000 };
  static gint is_refused;
  if (g_atomic_int_get (&is_refused))
    return FALSE;
  if (process_madvise (SELF, ranges->range, (size_t)ranges->n, MADV_POPULATE_WRITE, 0) >= 0)
    return TRUE;
  g_atomic_int_set (&is_refused, TRUE);
#endif
  return FALSE;
}
#endif

void
fs_memory_need (void *range, size_t n, size_t size)
{
#ifdef MADV_POPULATE_WRITE
  if (n * size >= MIN_AT_ONCE)
    ask_for (pages_of (range, n * size));
#endif
}

void
fs_memory_ranges_add (FsMemoryRanges *ranges, void *range, size_t bytes)
{
  if (ranges->n == FS_MEMORY_RANGES_MAX)
    fs_memory_ranges_need (ranges);
  ranges->range[ranges->n++] = pages_of (range, bytes);
}

void
fs_memory_ranges_need (FsMemoryRanges *ranges)
{
#ifdef MADV_POPULATE_WRITE
  if (ranges->n > 0 && !ask_for_all (ranges))
    for (int i = 0; i < ranges->n; i++)
      if (ranges->range[i].iov_len >= MIN_AT_ONCE)
        ask_for (ranges->range[i]);
#endif
  ranges->n = 0;
}

void
fs_memory_free (void *block)
{
  free (block);
}
