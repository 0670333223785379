/* SPDX-License-Identifier: MIT */
#include "app/files/process_limits.h"

#include <gio/gio.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static gboolean
has_limit (guint64 *bytes)
{
  struct rlimit limit;
  if (getrlimit (RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return FALSE;
  *bytes = (guint64)limit.rlim_cur;
  return TRUE;
}

void
fs_process_limits_prepare (void)
{
  guint64 bytes;
  signal (SIGXFSZ, SIG_IGN);
#ifdef M_ARENA_MAX
  if (has_limit (&bytes))
    mallopt (M_ARENA_MAX, 1);
#endif
}

/* --- threads --- */

typedef struct {
  GMutex mutex;
  GCond may_end;
  gboolean ends;
} Gate;

static gpointer
wait_at_gate (gpointer data)
{
  Gate *gate = data;
  g_mutex_lock (&gate->mutex);
  while (!gate->ends)
    g_cond_wait (&gate->may_end, &gate->mutex);
  g_mutex_unlock (&gate->mutex);
  return NULL;
}

gboolean
fs_process_limits_allow_threads (guint n, GError **error)
{
  Gate gate = { .ends = FALSE };
  g_autofree GThread **threads = g_new (GThread *, n);
  guint n_started = 0;
  g_mutex_init (&gate.mutex);
  g_cond_init (&gate.may_end);
  while (n_started < n
         && (threads[n_started] = g_thread_try_new ("probe", wait_at_gate, &gate, NULL)) != NULL)
    n_started++;
  g_mutex_lock (&gate.mutex);
  gate.ends = TRUE;
  g_cond_broadcast (&gate.may_end);
  g_mutex_unlock (&gate.mutex);
  for (guint i = 0; i < n_started; i++)
    g_thread_join (threads[i]);
  g_mutex_clear (&gate.mutex);
  g_cond_clear (&gate.may_end);
  if (n_started == n)
    return TRUE;
  g_set_error (error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN,
               "%u of %u threads can be started: there are too many processes (ulimit -u) or there "
               "is too little address space (ulimit -v)",
               n_started, n);
  return FALSE;
}

static void
do_nothing (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_boolean (task, TRUE);
}

gboolean
fs_process_limits_start_workers (GError **error)
{
  enum { N_OF_TASKS = 2, N_MORE = 2 };
  if (!fs_process_limits_allow_threads (N_OF_TASKS + N_MORE, error))
    return FALSE;
  g_thread_pool_set_max_idle_time (0); /* idle ones stay */
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_set_source_tag (task, fs_process_limits_start_workers);
  g_task_run_in_thread_sync (task, do_nothing);
  return g_task_propagate_boolean (task, error);
}

/* --- memory --- */

guint64
fs_process_limits_left_bytes (void)
{
  guint64 max, used = 0;
  unsigned long long n_pages = 0;
  if (!has_limit (&max))
    return G_MAXUINT64;
  FILE *file = fopen ("/proc/self/statm", "re");
  if (file) {
    if (fscanf (file, "%llu", &n_pages) == 1)
      used = (guint64)n_pages * (guint64)sysconf (_SC_PAGESIZE);
    fclose (file);
  }
  return max > used ? max - used : 0;
}
