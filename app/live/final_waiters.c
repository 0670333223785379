/* SPDX-License-Identifier: MIT */
#include "app/live/final_waiters.h"

typedef struct {
  GTask *task;
  gint64 asked_us; /* the time of the main loop's turn in which that was, or -1 */
  GError *error;   /* what came instead, or NULL */
} Waiter;

static gint64
main_loop_us (void)
{
  GSource *source = g_main_current_source ();
  return source ? g_source_get_time (source) : -1;
}

static void
fail_waiter (Waiter *waiter, const GError *error)
{
  if (!waiter->error)
    waiter->error = g_error_copy (error);
}

static gboolean
can_answer_first (FsFinalWaiters *waiters)
{
  Waiter *first = g_queue_peek_head (&waiters->waiting);
  return first && (first->error || waiters->is_final (waiters->owner));
}

void
fs_final_waiters_answer (FsFinalWaiters *waiters)
{
  if (can_answer_first (waiters))
    g_source_set_ready_time (waiters->answering, 0);
}

/* A task that was made in this turn would call back in a later one, when there may be another mask:
 * it waits for that. */
static gboolean
answer_when_final (gpointer user_data)
{
  FsFinalWaiters *waiters = user_data;
  GObject *owner = g_object_ref (waiters->owner); /* a callback may drop the last reference */
  while (can_answer_first (waiters)
         && ((Waiter *)g_queue_peek_head (&waiters->waiting))->asked_us != main_loop_us ()) {
    Waiter *first = g_queue_pop_head (&waiters->waiting);
    if (first->error)
      g_task_return_error (first->task, g_steal_pointer (&first->error));
    else if (!g_task_return_error_if_cancelled (first->task))
      g_task_return_boolean (first->task, TRUE);
    g_object_unref (first->task);
    g_free (first);
  }
  fs_final_waiters_answer (waiters);
  g_object_unref (owner);
  return G_SOURCE_CONTINUE;
}

static gboolean
dispatch_answering (GSource *source, GSourceFunc callback, gpointer user_data)
{
  g_source_set_ready_time (source, -1);
  return callback (user_data);
}

void
fs_final_waiters_init (FsFinalWaiters *waiters, GObject *owner,
                       gboolean (*is_final) (gpointer owner))
{
  static GSourceFuncs funcs = { .dispatch = dispatch_answering };
  GSource *source = g_source_new (&funcs, sizeof (GSource));
  g_source_set_static_name (source, "fretsaw final mask");
  g_source_set_callback (source, answer_when_final, waiters, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  *waiters = (FsFinalWaiters){ .owner = owner, .is_final = is_final, .answering = source };
  g_queue_init (&waiters->waiting);
}

void
fs_final_waiters_clear (FsFinalWaiters *waiters)
{
  g_source_destroy (waiters->answering);
  g_clear_pointer (&waiters->answering, g_source_unref);
  g_clear_error (&waiters->failure);
}

void
fs_final_waiters_add (FsFinalWaiters *waiters, GTask *task)
{
  Waiter *waiter = g_new0 (Waiter, 1);
  waiter->task = task;
  waiter->asked_us = main_loop_us ();
  if (waiters->failure)
    fail_waiter (waiter, waiters->failure);
  g_queue_push_tail (&waiters->waiting, waiter);
  fs_final_waiters_answer (waiters);
}

void
fs_final_waiters_fail (FsFinalWaiters *waiters, const GError *error)
{
  g_clear_error (&waiters->failure);
  waiters->failure = g_error_copy (error);
  for (GList *link = waiters->waiting.head; link; link = link->next)
    fail_waiter (link->data, error);
}

void
fs_final_waiters_expect (FsFinalWaiters *waiters)
{
  g_clear_error (&waiters->failure);
}
