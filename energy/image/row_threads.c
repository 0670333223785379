/* SPDX-License-Identifier: MIT */
#include "energy/image/row_threads.h"

#include "energy/image/threads.h"
#include "solver/system/thread_limit.h"

/* A thread is started for this many pixels' work at least; more than MAX_THREADS are limited by the
 * memory bus. */
enum { MIN_PIXELS_A_THREAD = 100000, MAX_THREADS = 4 };

static int n_threads_allowed; /* atomic; 0: as many as there are processors */

void
fs_energy_set_threads (int n_threads)
{
  g_return_if_fail (n_threads >= 0);
  g_atomic_int_set (&n_threads_allowed, n_threads);
}

int
fs_energy_get_threads (void)
{
  int own = fs_thread_limit_get ();
  int n = own > 0 ? own : g_atomic_int_get (&n_threads_allowed);
  return n > 0 ? n : (int)g_get_num_processors ();
}

typedef struct {
  int y0, y1;
  int thread_limit; /* of the caller */
  FsRowFunc func;
  gpointer data;
} Chunk;

static gpointer
run_chunk (gpointer data)
{
  Chunk *chunk = data;
  fs_thread_limit_set (chunk->thread_limit);
  chunk->func (chunk->y0, chunk->y1, chunk->data);
  return NULL;
}

void
fs_row_threads_run (int n_rows, int n_pixels_a_row, FsRowFunc func, gpointer data)
{
  gint64 n_worth = (gint64)n_rows * n_pixels_a_row / MIN_PIXELS_A_THREAD;
  int n_threads = (int)CLAMP (n_worth, 1, MIN (MAX_THREADS, fs_energy_get_threads ()));
  Chunk chunks[MAX_THREADS];
  GThread *threads[MAX_THREADS] = { NULL };
  for (int i = 0; i < n_threads; i++) {
    chunks[i] =
        (Chunk){ (int)((gint64)n_rows * i / n_threads), (int)((gint64)n_rows * (i + 1) / n_threads),
                 fs_thread_limit_get (), func, data };
    if (i > 0)
      threads[i] = g_thread_try_new ("fretsaw-rows", run_chunk, &chunks[i], NULL);
  }
  run_chunk (&chunks[0]);
  for (int i = 1; i < n_threads; i++)
    if (threads[i])
      g_thread_join (threads[i]);
    else
      run_chunk (&chunks[i]);
}

void
fs_row_threads_run_each (int n, FsRowFunc func, gpointer data)
{
  fs_row_threads_run (n, MIN_PIXELS_A_THREAD, func, data);
}
