/* SPDX-License-Identifier: MIT */
/* Grids of blocks of threads, on the host: each thread a fibre.
 *
 * The blocks that run at once have an OS thread each, so that `thread_local` is what `__shared__`
 * is; one of them runs at a time, and hands on to another where its fibres all wait and, now and
 * then, elsewhere. Everything is drawn from the schedule's number: 0 runs threads in turn, 1 lets
 * one warp run as far as it can before the others, any other number draws.
 *
 * A thread hands on where it meets others, and at some of the operations that other blocks can see.
 * Warps whose threads meet in different operations and kernels that wait for ever end the program.
 */
#ifndef FS_TESTS_BLOCKS_H
#define FS_TESTS_BLOCKS_H

#include <climits>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/kernels/fibres/fibre.h"

struct dim3 {
  unsigned x, y, z;
  dim3 (unsigned width = 1) : x (width), y (1), z (1)
  {
  }
};

[[noreturn]] static inline void
device_die (const char *what)
{
  fprintf (stderr, "kernel: %s\n", what);
  abort ();
}

/* --- Threads, blocks, grids --- */

enum {
  DEVICE_WARP = 32,
  DEVICE_STACK = 128 * 1024,
  DEVICE_HOST = -1,
  MAX_SWITCHES = 3000,
  MAX_RUNNERS = 8,
  DEVICE_MAX_WARPS = 32
};

enum Operation { SYNC_GRID, SYNC_BLOCK, OR_OF_BLOCK, SYNC_WARP, BITS, SHUFFLE, LEAST, UNION };

struct Runner;

struct Thread {
  Context context;
  Runner *home;
  dim3 index;
  bool is_done;
};

/* Where threads wait for one another. What they give lies in two places in turn: nobody comes to
 * the next meeting but one before all have read. */
struct Meeting {
  int n_expected, n_here;
  Operation operation;
  unsigned place, n_met;
  uint64_t given[2][DEVICE_WARP];
  uint32_t bits[2];
  int32_t least[2];
  std::vector<Thread *> waiting;
};

struct Grid;

/* An OS thread that runs blocks, one after another. */
struct Runner {
  Grid *grid;
  int number;
  Context context;
  dim3 block;
  std::vector<Thread> threads;
  std::deque<Thread *> ready;
  std::vector<Thread *> resting;
  Meeting all;
  std::vector<Meeting> warps;
  std::thread os_thread;
  bool has_begun, is_done;
};

struct Grid {
  std::function<void ()> kernel;
  int n_blocks, n_threads, n_begun;
  bool is_cooperative;
  Meeting all;
  std::vector<std::unique_ptr<Runner> > runners;
  std::mutex mutex;
  std::condition_variable handed_over;
  int turn; /* of a runner, or DEVICE_HOST */
  int64_t budget;
};

static thread_local Runner *runner;
static thread_local Thread *thread;
static thread_local bool is_in_kernel; /* and not in what the kernel calls here */

/* The schedule's numbers that are not drawn. */
enum { IN_TURN, WARP_AFTER_WARP };

static uint32_t schedule, random_state = 1;

static uint32_t
device_draw (uint32_t n)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state % n;
}

static void
device_schedule (uint32_t number)
{
  schedule = number;
  random_state = number * 2654435761u | 1;
}

/* Says whether the thread is in its kernel from here on; returns whether it was. */
__attribute__ ((no_sanitize ("thread"), noinline)) static bool
device_enter_kernel (bool is_in)
{
  bool before = is_in_kernel;
  is_in_kernel = is_in;
  return before;
}

/* While it lives, nobody comes between. */
struct Quiet {
  bool before;
  Quiet () : before (device_enter_kernel (false))
  {
  }
  ~Quiet ()
  {
    device_enter_kernel (before);
  }
};

/* --- Handing on --- */

/* The first of those that are ready, the last, or any. */
static Thread *
runner_pick (Runner *self)
{
  std::deque<Thread *> &ready = self->ready;
  Thread *picked = ready.back ();
  if (schedule == IN_TURN) {
    picked = ready.front ();
    ready.pop_front ();
    return picked;
  }
  if (schedule != WARP_AFTER_WARP)
    std::swap (picked, ready[device_draw ((uint32_t)ready.size ())]);
  ready.pop_back ();
  return picked;
}

/* Threads go on, given in their order. */
static void
device_wake (const std::vector<Thread *> &woken)
{
  size_t n = woken.size ();
  for (size_t i = 0; i < n; i++) {
    Thread *one = woken[schedule == WARP_AFTER_WARP ? n - 1 - i : i];
    one->home->ready.push_back (one);
  }
}

/* Lets others go first. */
static void
device_yield ()
{
  Quiet quiet;
  if (schedule == WARP_AFTER_WARP)
    runner->ready.push_front (thread);
  else
    runner->ready.push_back (thread);
  fibre_switch (&thread->context, &runner->context);
}

/* Waits for what others do, and lets them do it. */
static void
device_rest ()
{
  Quiet quiet;
  runner->resting.push_back (thread);
  fibre_switch (&thread->context, &runner->context);
}

/* At what other threads can see. */
static void
device_pause ()
{
  if (device_draw (schedule > WARP_AFTER_WARP ? 4 : 64) == 0)
    device_yield ();
}

static void
runner_wait_for_turn (Runner *self)
{
  std::unique_lock<std::mutex> lock (self->grid->mutex);
  self->grid->handed_over.wait (lock, [&] { return self->grid->turn == self->number; });
}

static void
grid_hand_to (Grid *grid, int turn)
{
  std::lock_guard<std::mutex> lock (grid->mutex);
  grid->turn = turn;
  grid->handed_over.notify_all ();
}

/* Those that rest look again whether they may go on. */
static void
runner_rouse (Runner *self)
{
  self->ready.insert (self->ready.end (), self->resting.begin (), self->resting.end ());
  self->resting.clear ();
}

/* A runner that can go on; -1 where none can. */
static int
grid_find_ready (Grid *grid)
{
  int n = (int)grid->runners.size (), first = (int)device_draw ((uint32_t)n);
  for (int i = 0; i < n; i++) {
    const Runner *other = grid->runners[(size_t)((first + i) % n)].get ();
    if (!other->has_begun || !other->ready.empty ())
      return other->number;
  }
  return -1;
}

/* The one to hand on to: the host where all are done. */
static int
grid_next (Grid *grid)
{
  int found = grid_find_ready (grid);
  if (found >= 0)
    return found;
  bool is_done = true;
  for (auto &other : grid->runners) {
    runner_rouse (other.get ());
    is_done &= other->is_done;
  }
  found = grid_find_ready (grid);
  if (found < 0 && !is_done)
    device_die ("its threads wait for ever");
  return is_done ? DEVICE_HOST : found;
}

/* Waits until all have come; returns the place where what they gave lies. */
template <typename Give>
static unsigned
device_meet (Meeting *meeting, Operation operation, Give give)
{
  Quiet quiet;
  unsigned place = meeting->place;
  if (meeting->n_here == 0) {
    meeting->operation = operation;
    meeting->bits[place] = 0;
    meeting->least[place] = INT32_MAX;
  } else if (meeting->operation != operation)
    device_die ("its threads meet in different operations");
  give (place);
  if (++meeting->n_here < meeting->n_expected) {
    meeting->waiting.push_back (thread);
    fibre_switch (&thread->context, &runner->context);
    return place;
  }
  meeting->n_here = 0;
  meeting->place ^= 1;
  meeting->n_met++;
  device_wake (meeting->waiting);
  meeting->waiting.clear ();
  return place;
}

/* --- Running a grid --- */

static void
device_begin ()
{
  fibre_enter (&runner->context);
  device_enter_kernel (true);
  runner->grid->kernel ();
  device_enter_kernel (false);
  thread->is_done = true;
  fibre_leave (&thread->context, &runner->context);
}

/* Stacks are kept for the kernels to come. Their tops would all fall on one line of the cache. */
static void
runner_give_stack (int number, int i, Context *fibre)
{
  static std::vector<std::unique_ptr<char[]> > stacks[MAX_RUNNERS];
  std::vector<std::unique_ptr<char[]> > &mine = stacks[number];
  while ((int)mine.size () <= i)
    mine.emplace_back (new char[DEVICE_STACK]);
  fibre_init (fibre, mine[(size_t)i].get (), DEVICE_STACK - (size_t)(i % 256) * 192, device_begin);
}

static void
runner_begin_block (Runner *self, int block)
{
  int n = self->grid->n_threads;
  std::vector<Thread *> all;
  self->block = dim3 ((unsigned)block);
  self->threads.assign ((size_t)n, Thread ());
  self->warps.assign ((size_t)(n / DEVICE_WARP), Meeting ());
  self->all = Meeting ();
  self->all.n_expected = n;
  for (Meeting &warp : self->warps)
    warp.n_expected = DEVICE_WARP;
  for (int i = 0; i < n; i++) {
    Thread *one = &self->threads[(size_t)i];
    one->home = self;
    one->index = dim3 ((unsigned)i);
    runner_give_stack (self->number, i, &one->context);
    all.push_back (one);
  }
  device_wake (all);
}

/* Hands on, and waits until somebody hands back. */
static void
runner_pause (Runner *self)
{
  Grid *grid = self->grid;
  for (auto &other : grid->runners)
    if (!self->ready.empty ()) /* what it does may be what they wait for, or the other way round */
      runner_rouse (other.get ());
  int next = grid->budget <= 0 ? (int)DEVICE_HOST : grid_next (grid);
  if (next == self->number)
    return;
  grid_hand_to (grid, next);
  runner_wait_for_turn (self);
}

/* Runs a block to its end; hands on where nothing of it can run, and where its time is over. */
static void
runner_run_block (Runner *self)
{
  int n_left = self->grid->n_threads;
  uint32_t time = 1 + device_draw (MAX_SWITCHES);
  while (n_left > 0) {
    if (self->ready.empty () || --time == 0 || --self->grid->budget == 0) {
      runner_pause (self);
      time = 1 + device_draw (MAX_SWITCHES);
      continue;
    }
    thread = runner_pick (self);
    fibre_switch (&self->context, &thread->context);
    n_left -= thread->is_done;
  }
}

static void
runner_main (Runner *self)
{
  Grid *grid = self->grid;
  runner_wait_for_turn (self);
  runner = self;
  self->has_begun = true;
  while (grid->n_begun < grid->n_blocks) {
    runner_begin_block (self, grid->n_begun++);
    runner_run_block (self);
  }
  self->is_done = true;
  grid_hand_to (grid, grid_next (grid));
}

static void
grid_start (Grid *grid)
{
  int n = grid->is_cooperative ? grid->n_blocks : 1;
  if (n > MAX_RUNNERS)
    device_die ("too many blocks at once");
  grid->all.n_expected = grid->n_blocks * grid->n_threads;
  grid->turn = DEVICE_HOST;
  for (int i = 0; i < n; i++) {
    grid->runners.emplace_back (new Runner ());
    grid->runners.back ()->grid = grid;
    grid->runners.back ()->number = i;
  }
  for (auto &one : grid->runners)
    one->os_thread = std::thread (runner_main, one.get ());
}

/* Runs it for a while, in which a budget of switches is used up, or to its end (budget 0). Returns
 * whether it has ended. */
static bool
grid_run (Grid *grid, int64_t budget)
{
  grid->budget = budget > 0 ? budget : INT64_MAX;
  int next = grid_next (grid);
  if (next != DEVICE_HOST) {
    std::unique_lock<std::mutex> lock (grid->mutex);
    grid->turn = next;
    grid->handed_over.notify_all ();
    grid->handed_over.wait (lock, [&] { return grid->turn == DEVICE_HOST; });
  }
  for (auto &one : grid->runners)
    if (!one->is_done)
      return false;
  for (auto &one : grid->runners)
    one->os_thread.join ();
  return true;
}

#endif
