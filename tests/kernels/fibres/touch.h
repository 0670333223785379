/* SPDX-License-Identifier: MIT */
/* What the compiler calls before a kernel touches memory, where it is told to (-fsanitize=thread,
 * without that sanitizer's library): others may come between any two touches, and shared memory
 * that two threads touch without a barrier between them ends the program. */
#ifndef FS_TESTS_TOUCH_H
#define FS_TESTS_TOUCH_H

#include <unordered_map>

#include "tests/kernels/fibres/blocks.h"

enum { MAX_SHARED = 512 * 1024 };

#define UNTOUCHED __attribute__ ((no_sanitize_thread, noinline))

/* Who touched two bytes last, and after how many barriers of its block and of its warp. */
struct Touch {
  unsigned thread, n_block, n_warp;
  const void *line; /* of the kernel; NULL: nobody yet */
};

struct Cell {
  Touch write, read[DEVICE_MAX_WARPS]; /* a reader a warp */
};

struct Cells {
  unsigned block; /* + 1: of which block they are */
  std::unordered_map<const char *, Cell> cell;
};
static thread_local Cells cells;

/* Whether nothing orders two touches. Of a warp, all meetings count, and its threads may write what
 * is the same for all of them. */
UNTOUCHED static bool
touch_is_apart (const Touch &old, const Touch &now)
{
  if (old.line == NULL || old.thread == now.thread || old.n_block != now.n_block)
    return false;
  return old.thread / DEVICE_WARP != now.thread / DEVICE_WARP
         || (old.n_warp == now.n_warp && old.line != now.line);
}

UNTOUCHED static void
touch_shared (const char *place, bool is_write, const void *line)
{
  unsigned index = thread->index.x, warp = index / DEVICE_WARP;
  if (cells.block != runner->block.x + 1) {
    cells.block = runner->block.x + 1;
    cells.cell.clear ();
  }
  Cell &cell = cells.cell[place];
  unsigned n_barriers = runner->all.n_met + runner->grid->all.n_met;
  Touch now = { index, n_barriers, runner->warps[warp].n_met, line };
  if (touch_is_apart (cell.write, now))
    device_die ("its threads race for shared memory");
  for (int i = 0; is_write && i < DEVICE_MAX_WARPS; i++)
    if (touch_is_apart (cell.read[i], now))
      device_die ("its threads race for shared memory");
  (is_write ? cell.write : cell.read[warp]) = now;
}

/* Shared memory lies where the thread's own variables do, below its pointer. */
UNTOUCHED static void
touch (const void *place, long bytes, bool is_write, const void *line)
{
  if (!is_in_kernel)
    return;
  is_in_kernel = false;
  const char *end = (const char *)__builtin_thread_pointer (), *at = (const char *)place;
  if (at < end && end - at < MAX_SHARED)
    for (long i = 0; i < bytes; i += 2)
      touch_shared (at + i, is_write, line);
  else if (schedule > WARP_AFTER_WARP && device_draw (64) == 0)
    device_yield ();
  is_in_kernel = true;
}

extern "C" {
#define TOUCH(bytes)                                                                               \
  UNTOUCHED void __tsan_read##bytes (void *place)                                                  \
  {                                                                                                \
    touch (place, bytes, false, __builtin_return_address (0));                                     \
  }                                                                                                \
  UNTOUCHED void __tsan_write##bytes (void *place)                                                 \
  {                                                                                                \
    touch (place, bytes, true, __builtin_return_address (0));                                      \
  }
TOUCH (1)
TOUCH (2)
TOUCH (4)
TOUCH (8)
TOUCH (16)

UNTOUCHED void
__tsan_read_range (void *place, long bytes)
{
  touch (place, bytes, false, __builtin_return_address (0));
}

UNTOUCHED void
__tsan_write_range (void *place, long bytes)
{
  touch (place, bytes, true, __builtin_return_address (0));
}

UNTOUCHED void
__tsan_init ()
{
}

UNTOUCHED void
__tsan_vptr_update (void *, void *)
{
}

UNTOUCHED void
__tsan_func_entry (void *)
{
}

UNTOUCHED void
__tsan_func_exit (void *)
{
}

/* Of the host's own code. */
UNTOUCHED unsigned char
__tsan_atomic8_load (const volatile void *place, int order)
{
  return *(const volatile unsigned char *)place;
}

UNTOUCHED unsigned
__tsan_atomic32_fetch_add (volatile void *place, unsigned added, int order)
{
  unsigned *word = (unsigned *)place, old = *word;
  *word = old + added;
  return old;
}
}

#endif
