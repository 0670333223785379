/* SPDX-License-Identifier: MIT */
/* Memory that may be refused.   Layer: solver (value header).
 *
 * GLib's allocators abort when memory ends; the solver promises an error instead, so everything
 * that grows with the photo is allocated here, the energy's planes too. Large blocks are aligned to
 * 2 MiB and use huge pages where the kernel has some, because a search accesses them at random, and
 * because page faults at the first access to a plane take as long as filling it. Without huge
 * pages, fs_memory_new_whole() and fs_memory_need() populate a block's pages in one call.
 *
 * Threads: safe.
 */
#ifndef FS_SOLVER_SYSTEM_CHECKED_MEMORY_H
#define FS_SOLVER_SYSTEM_CHECKED_MEMORY_H

#include <glib.h>
#include <stddef.h>
#include <sys/uio.h>

G_BEGIN_DECLS

/* n·size bytes aligned to 64, from 256 KiB on to a page, not cleared. NULL when memory ends or the
 * product overflows. Freed by fs_memory_free. A block of 256 KiB or more is also refused where less
 * than 16 MiB, or an eighth of it, would be left for GLib's lists and strings and for threads'
 * stacks, which cannot be refused. */
void *fs_memory_new (size_t n, size_t size);

void fs_memory_free (void *block);

/* Populates the pages of a block of any allocator, or of a range of one, before it is written. One
 * call is several times cheaper than a page fault for each. */
void fs_memory_need (void *range, size_t n, size_t size);

/* fs_memory_need for many ranges, not necessarily of whole pages, in one system call where
 * possible. */
#define FS_MEMORY_RANGES_MAX 64
typedef struct {
  struct iovec range[FS_MEMORY_RANGES_MAX];
  int n;
} FsMemoryRanges;

/* Adds a range; where the list is full, its ranges are populated first. */
void fs_memory_ranges_add (FsMemoryRanges *ranges, void *range, size_t bytes);
/* Populates all ranges of the list, and empties it. */
void fs_memory_ranges_need (FsMemoryRanges *ranges);

/* fs_memory_new for a block that is written as a whole next: with its pages. */
static inline void *
fs_memory_new_whole (size_t n, size_t size)
{
  void *block = fs_memory_new (n, size);
  if (block != NULL)
    fs_memory_need (block, n, size);
  return block;
}

G_END_DECLS

#endif
