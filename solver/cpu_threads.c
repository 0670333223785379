/* SPDX-License-Identifier: MIT */
#include "solver/cpu_threads.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct {
  FsThreadsWork work;
  gpointer data;
  int n_items;
  atomic_int next;
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

static void *
worker_main (void *data)
{
  Worker *worker = data;
  take_items (worker->job, worker->worker);
  return NULL;
}

void
fs_threads_run (int n_threads, int n_items, FsThreadsWork work, gpointer data)
{
  Job job = { .work = work, .data = data, .n_items = n_items };
  Worker workers[FS_THREADS_MAX];
  int n_started = 1;
  int n_wanted = MIN (MIN (n_threads, n_items), FS_THREADS_MAX);
  while (n_started < n_wanted) {
    Worker *worker = &workers[n_started];
    *worker = (Worker){ .job = &job, .worker = n_started };
    if (pthread_create (&worker->thread, NULL, worker_main, worker) != 0)
      break;
    n_started++;
  }
  take_items (&job, 0);
  for (int i = 1; i < n_started; i++)
    pthread_join (workers[i].thread, NULL);
}
