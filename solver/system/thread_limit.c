/* SPDX-License-Identifier: MIT */
#include "solver/system/thread_limit.h"

static _Thread_local int limit;

int
fs_thread_limit_set (int n_threads)
{
  int previous = limit;
  limit = n_threads;
  return previous;
}

int
fs_thread_limit_get (void)
{
  return limit;
}
