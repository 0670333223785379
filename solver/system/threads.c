/* SPDX-License-Identifier: MIT */
#include "solver/system/threads.h"

#include "solver/system/thread_limit.h"

#include <pthread.h>
#include <stdatomic.h>

enum { WAITING, RUNNING, DONE };

typedef struct {
  FsThreadsWork work;
  gpointer data;
  int n_items;
  int thread_limit;      /* of the caller */
  atomic_int next;       /* without an order */
  FsThreadsOrder *order; /* with one, and then what follows */
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int n_done;    /* so many of the first are: no need to look there */
  int n_waiting; /* so many were not begun */
} Job;

typedef struct {
  Job *job;
  int worker;
  pthread_t thread;
} Worker;

static void
take_items (Job *job, int worker)
{
  int item;
  while ((item = atomic_fetch_add (&job->next, 1)) < job->n_items)
    job->work (item, worker, job->data);
}

static gboolean
is_done (const Job *job, int item)
{
  return item < 0 || job->order[item].state == DONE;
}

/* The first item that waits for nothing but a thread, or −1. */
static int
find_ready (Job *job)
{
  while (is_done (job, job->n_done))
    job->n_done++;
  for (int i = job->n_done; i < job->n_items; i++)
    if (job->order[i].state == WAITING && is_done (job, job->order[i].before[0])
        && is_done (job, job->order[i].before[1]))
      return i;
  return -1;
}

static void
take_items_in_order (Job *job, int worker)
{
  pthread_mutex_lock (&job->mutex);
  while (job->n_waiting > 0) {
    int item = find_ready (job);
    if (item < 0) {
      pthread_cond_wait (&job->changed, &job->mutex);
      continue;
    }
    job->order[item].state = RUNNING;
    job->n_waiting--;
    pthread_mutex_unlock (&job->mutex);
    job->work (item, worker, job->data);
    pthread_mutex_lock (&job->mutex);
    job->order[item].state = DONE;
    pthread_cond_broadcast (&job->changed);
  }
  pthread_mutex_unlock (&job->mutex);
}

static void
take (Job *job, int worker)
{
  if (job->order != NULL)
    take_items_in_order (job, worker);
  else
    take_items (job, worker);
}

static void *
worker_main (void *data)
{
  Worker *worker = data;
  fs_thread_limit_set (worker->job->thread_limit);
  take (worker->job, worker->worker);
  return NULL;
}

static void
run_job (Job *job, int n_threads)
{
  Worker workers[FS_THREADS_MAX];
  int n_started = 1;
  job->thread_limit = fs_thread_limit_get ();
  int n_wanted = MIN (MIN (n_threads, job->n_items), FS_THREADS_MAX);
  while (n_started < n_wanted) {
    Worker *worker = &workers[n_started];
    *worker = (Worker){ .job = job, .worker = n_started };
    if (pthread_create (&worker->thread, NULL, worker_main, worker) != 0)
      break;
    n_started++;
  }
  take (job, 0);
  for (int i = 1; i < n_started; i++)
    pthread_join (workers[i].thread, NULL);
}

void
fs_threads_run (int n_threads, int n_items, FsThreadsWork work, gpointer data)
{
  Job job = { .work = work, .data = data, .n_items = n_items };
  run_job (&job, n_threads);
}

void
fs_threads_run_in_order (int n_threads, int n_items, FsThreadsOrder *order, FsThreadsWork work,
                         gpointer data)
{
  Job job = {
    .work = work, .data = data, .n_items = n_items, .order = order, .n_waiting = n_items
  };
  pthread_mutex_init (&job.mutex, NULL);
  pthread_cond_init (&job.changed, NULL);
  run_job (&job, n_threads);
  pthread_cond_destroy (&job.changed);
  pthread_mutex_destroy (&job.mutex);
}
