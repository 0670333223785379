/* SPDX-License-Identifier: MIT */
/* On which thread a task's source object goes, where a worker drops the task's last reference. */
#include "app/files/task_source.h"

typedef struct {
  GObject *source;
  GTask *task;
  gboolean is_done; /* atomic */
  GThread *gone_on;
} Course;

static void
on_gone (gpointer data, GObject *where)
{
  ((Course *)data)->gone_on = g_thread_self ();
}

/* Holds on to the task until everybody else has let go of it, as a worker of GTask may. */
static gpointer
hold (gpointer data)
{
  Course *course = data;
  while (!g_atomic_int_get (&course->is_done))
    g_usleep (1000);
  g_object_unref (course->task);
  return NULL;
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  Course *course = data;
  g_assert_true (g_task_propagate_boolean (G_TASK (result), NULL));
  g_clear_object (&course->source);
}

/* Comes once the reference that GTask has for the callback is gone. */
static gboolean
on_later (gpointer data)
{
  g_atomic_int_set (&((Course *)data)->is_done, TRUE);
  return G_SOURCE_REMOVE;
}

static void
test_worker_is_last (void)
{
  Course course = { .source = g_object_new (G_TYPE_CANCELLABLE, NULL) };
  g_object_weak_ref (course.source, on_gone, &course);
  course.task = g_task_new (course.source, NULL, on_done, &course);
  fs_task_hold_source (course.task);
  g_task_return_boolean (course.task, TRUE);
  GThread *worker = g_thread_new ("worker", hold, &course);
  while (course.source != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_idle_add (on_later, &course);
  while (!g_atomic_int_get (&course.is_done))
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (worker);
  g_assert_null (course.gone_on);
  g_main_context_iteration (NULL, TRUE);
  g_assert_true (course.gone_on == g_thread_self ());
}

/* With the task, where that is let go by its own thread: nobody has to wait for a main loop. */
static void
test_at_once (void)
{
  Course course = { .source = g_object_new (G_TYPE_CANCELLABLE, NULL) };
  g_assert_true (g_main_context_acquire (NULL));
  GTask *task = g_task_new (course.source, NULL, NULL, NULL);
  g_object_weak_ref (course.source, on_gone, &course);
  fs_task_hold_source (task);
  g_clear_object (&course.source);
  g_object_unref (task);
  g_assert_true (course.gone_on == g_thread_self ());
  g_main_context_release (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/task-source/worker-is-last", test_worker_is_last);
  g_test_add_func ("/task-source/at-once", test_at_once);
  return g_test_run ();
}
