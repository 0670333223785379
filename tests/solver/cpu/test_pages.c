/* SPDX-License-Identifier: MIT */
/* Pages are there before they are touched: in one call of the kernel's, where that is refused in
 * one for each part, and for all groups of tiles that are built, but not for others. */
#include "solver/cpu/state/pages.h"
#include "solver/system/checked_memory.h"
#include "tests/solver/problem.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { PAGE = 4096, BLOCK_PAGES = 200 };

static gboolean
pages_can_be_asked_for (void)
{
#ifdef MADV_POPULATE_WRITE
  void *page = mmap (NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_assert_true (page != MAP_FAILED);
  gboolean done = madvise (page, PAGE, MADV_POPULATE_WRITE) == 0;
  munmap (page, PAGE);
  if (done && sysconf (_SC_PAGESIZE) == PAGE)
    return TRUE;
#endif
  g_test_skip ("this system gives no pages of 4,096 bytes before they are touched");
  return FALSE;
}

/* Of the pages that the bytes lie in, those that are there. */
static size_t
n_present (const void *part, size_t bytes)
{
  unsigned char present[BLOCK_PAGES + 1];
  char *first = (char *)part - (uintptr_t)part % PAGE;
  size_t n = (size_t)((const char *)part + bytes - first + PAGE - 1) / PAGE;
  size_t sum = 0;
  g_assert_cmpuint (n, <=, G_N_ELEMENTS (present));
  g_assert_cmpint (mincore (first, n * PAGE, present), ==, 0);
  for (size_t i = 0; i < n; i++)
    sum += present[i] & 1;
  return sum;
}

/* Two pages of each four, asked for by ranges that begin and end inside them. */
static void
check_parts (void)
{
  char *block = fs_memory_new (BLOCK_PAGES, PAGE);
  char *whole = block + (PAGE - (uintptr_t)block % PAGE);
  FsMemoryRanges ranges = { .n = 0 };
  whole[0] = 7;
  g_assert_cmpuint (n_present (whole + PAGE, (BLOCK_PAGES - 2) * PAGE), ==, 0);
  for (int page = 0; page + 4 < BLOCK_PAGES; page += 4)
    fs_memory_ranges_add (&ranges, whole + page * PAGE + 5, PAGE);
  fs_memory_ranges_need (&ranges);
  g_assert_cmpint (ranges.n, ==, 0);
  for (int page = 0; page + 4 < BLOCK_PAGES; page += 4) {
    g_assert_cmpuint (n_present (whole + page * PAGE, 2 * PAGE), ==, 2);
    g_assert_cmpuint (n_present (whole + (page + 2) * PAGE, 2 * PAGE), ==, 0);
  }
  g_assert_cmpint (whole[0], ==, 7);
  g_assert_cmpint (whole[PAGE], ==, 0);
  fs_memory_free (block);
}
G_STATIC_ASSERT (BLOCK_PAGES / 4 < FS_MEMORY_RANGES_MAX);

/* All ranges but those of the last call are asked for where there is no room for more. */
static void
check_more_parts_than_fit (void)
{
  char *block = fs_memory_new (BLOCK_PAGES, PAGE);
  char *whole = block + (PAGE - (uintptr_t)block % PAGE);
  FsMemoryRanges ranges = { .n = 0 };
  for (int i = 0; i < FS_MEMORY_RANGES_MAX + 1; i++)
    fs_memory_ranges_add (&ranges, whole + 3 * i * PAGE, 2 * PAGE);
  g_assert_cmpint (ranges.n, ==, 1);
  g_assert_cmpuint (n_present (whole, 3 * FS_MEMORY_RANGES_MAX * PAGE), ==,
                    2 * FS_MEMORY_RANGES_MAX);
  fs_memory_ranges_need (&ranges);
  g_assert_cmpuint (n_present (whole + 3 * FS_MEMORY_RANGES_MAX * PAGE, 2 * PAGE), ==, 2);
  fs_memory_free (block);
}

static void
test_ranges (void)
{
  if (!pages_can_be_asked_for ())
    return;
  check_parts ();
  check_more_parts_than_fit ();
}

/* As in a sandbox, or with an older kernel. */
static void
refuse_to_ask_for_all (void)
{
#ifdef SYS_process_madvise
  struct sock_filter filter[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_process_madvise, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { G_N_ELEMENTS (filter), filter };
  g_assert_cmpint (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), ==, 0);
  g_assert_cmpint (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), ==, 0);
#endif
}

static void
test_ranges_refused (void)
{
  if (!g_test_subprocess ()) {
    g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
    g_test_trap_assert_passed ();
    return;
  }
  refuse_to_ask_for_all ();
  test_ranges ();
}

/* --- groups of tiles --- */

static size_t
n_present_nodes (const void *plane, size_t bytes_a_node, size_t tile, size_t n_tiles)
{
  size_t bytes = FS_CPU_TILE_PIXELS * bytes_a_node;
  return n_present ((const char *)plane + tile * bytes, n_tiles * bytes);
}

/* The pages of a group: of its words, and of the rest. */
static void
check_group (const FsCpuLayout *layout, size_t group, gboolean words, gboolean rest)
{
  size_t tile = group * FS_CPU_GROUP_TILES;
  size_t n = MIN (FS_CPU_GROUP_TILES, layout->n_nodes / FS_CPU_TILE_PIXELS - tile);
  size_t residual_bytes = (size_t)layout->n_directions * sizeof *layout->residual;
  size_t residual_pages = (n * FS_CPU_TILE_PIXELS * residual_bytes - 1) / PAGE + 1;
  g_assert_cmpuint (n_present_nodes (layout->word, 4, tile, n), ==, words);
  g_assert_cmpuint (n_present_nodes (layout->excess, 4, tile, n), ==, rest);
  g_assert_cmpuint (n_present_nodes (layout->residual, residual_bytes, tile, n), ==,
                    rest ? residual_pages : 0);
  if (rest) /* two groups share a page of arcs */
    g_assert_cmpuint (n_present_nodes (layout->arcs, 2, tile, n), ==, 1);
}

/* A photo of 24 × 16 tiles: three groups for each two rows. */
static void
check_groups (FsNeighbours neighbours)
{
  enum { COLS = 24, ROWS = 16, N_TILES = COLS * ROWS };
  g_autoptr (Problem) problem =
      problem_new (COLS * FS_CPU_TILE, ROWS * FS_CPU_TILE, neighbours, FALSE);
  FsCpuLayout layout;
  g_assert_true (fs_cpu_layout_init (&layout, &problem->grid));
  g_assert_cmpuint (fs_cpu_pages_n_groups (&layout), ==, N_TILES / FS_CPU_GROUP_TILES);

  fs_cpu_pages_want (&layout, 16, 4); /* tile 112, the first of group 7 */
  fs_cpu_pages_take (&layout, 4, 5);
  for (size_t group = 0; group < fs_cpu_pages_n_groups (&layout); group++)
    /* Around it are tiles 87 … 89, 111 and 113, 135 … 137. */
    check_group (&layout, group, group >= 5 && group <= 8, group == 7);

  size_t last = fs_cpu_pages_n_groups (&layout) - 1;
  fs_cpu_pages_need (&layout, N_TILES - 1);
  check_group (&layout, last, TRUE, TRUE);
  check_group (&layout, last - 2, FALSE, FALSE);

  /* What was asked for once is not asked for again, though the pages are gone. */
  g_assert_cmpint (madvise (layout.excess, 12 * PAGE, MADV_DONTNEED), ==, 0);
  fs_cpu_pages_need (&layout, 112);
  fs_cpu_pages_take (&layout, 0, ROWS);
  g_assert_cmpuint (n_present (layout.excess, 12 * PAGE), ==, 0);
  fs_cpu_layout_clear (&layout);
}

static void
test_groups (void)
{
  if (!pages_can_be_asked_for ())
    return;
  check_groups (FS_NEIGHBOURS_4);
  check_groups (FS_NEIGHBOURS_8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  mallopt (M_MMAP_THRESHOLD, 1 << 17); /* each large block is new, … */
  mallopt (M_PERTURB, 0);              /* … and has no pages yet       */
  g_test_add_func ("/pages/ranges", test_ranges);
  g_test_add_func ("/pages/ranges-refused", test_ranges_refused);
  g_test_add_func ("/pages/groups", test_groups);
  return g_test_run ();
}
