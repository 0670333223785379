/* SPDX-License-Identifier: MIT */
#include "app/live/live_thread.h"

#include "app/live/live_cut.h"
#include "app/live/mailbox.h"
#include "app/strokes/history.h"

#include <glib/gi18n.h>
#include <stdbool.h>

/* The threads that have been cancelled and have not ended yet. */
static struct {
  GMutex lock;
  GCond ended;
  guint n;
} ending;

enum { MAX_WAITING_S = 5 };

/* An edit on its way to the thread. */
typedef struct {
  FsEdit edit;
  guint64 generation;
  gint64 time_us;
} Message;

struct _FsLive {
  gatomicrefcount refs; /* the owner and the thread */
  GMutex lock;
  GCond posted;
  GQueue queue; /* of Message, under the lock */
  gboolean quit;
  FsLiveInterrupt interrupt;
  FsStageBoard board;
  /* The owner's: */
  guint64 n_edits;
  gboolean has_thread;

  FsMailbox *mailbox;
  /* The thread's: */
  FsLiveCut *cut;
  GQueue held;   /* of Message, taken from `queue` and not applied yet */
  guint64 taken; /* number of edits taken from `queue` */

  GMainContext *context;
  void (*wake) (gpointer user_data);
  gpointer user_data;
  GSource *wake_source;
};

static void
message_free (Message *message)
{
  g_free ((gpointer)message->edit.samples);
  g_clear_pointer (&message->edit.guess, fs_guess_unref);
  g_free (message);
}

static void
live_unref (FsLive *live)
{
  if (!g_atomic_ref_count_dec (&live->refs))
    return;
  g_queue_clear_full (&live->queue, (GDestroyNotify)message_free);
  g_queue_clear_full (&live->held, (GDestroyNotify)message_free);
  fs_mailbox_free (live->mailbox);
  g_mutex_clear (&live->lock);
  g_cond_clear (&live->posted);
  g_main_context_unref (live->context);
  g_free (live);
}

/* Moves all waiting messages to `drained`. Blocks until there is one, unless the cut has work left.
 * Returns FALSE when the thread has to end. */
static gboolean
wait_for_edits (FsLive *live, GQueue *drained)
{
  g_mutex_lock (&live->lock);
  while (!live->quit && g_queue_is_empty (&live->queue) && !fs_live_cut_has_work (live->cut))
    g_cond_wait (&live->posted, &live->lock);
  gboolean go_on = !live->quit;
  *drained = live->queue;
  g_queue_init (&live->queue);
  if (go_on) {
    atomic_store (&live->interrupt.newer, false);
    atomic_store (&live->interrupt.overtaken, false);
  }
  g_mutex_unlock (&live->lock);
  return go_on;
}

/* Applies the messages; where memory is short they stay queued, so that none is lost. */
static void
apply_messages (FsLive *live, GQueue *drained)
{
  Message *message;
  while ((message = g_queue_pop_head (drained))) {
    live->taken = message->generation;
    g_queue_push_tail (&live->held, message);
  }
  if (!fs_live_cut_is_ready (live->cut))
    return;
  while ((message = g_queue_pop_head (&live->held))) {
    fs_live_cut_apply (live->cut, &message->edit, message->generation, message->time_us);
    message_free (message);
  }
}

/* Takes one step of work. A cancelled step is taken again by the next call. */
static void
work (FsLive *live)
{
  g_autoptr (GError) error = NULL;
  fs_live_cut_step (live->cut, &live->interrupt, live->mailbox, &error);
  if (error)
    fs_mailbox_post_error (live->mailbox, error, live->taken);
}

/* On the solver thread. */
static void
on_published (gpointer data)
{
  FsLive *live = data;
  g_source_set_ready_time (live->wake_source, 0);
}

/* On the fitter's thread. */
static void
on_fit_done (gpointer data)
{
  FsLive *live = data;
  g_mutex_lock (&live->lock);
  g_cond_signal (&live->posted);
  g_mutex_unlock (&live->lock);
}

static void
note_ending (int change)
{
  g_mutex_lock (&ending.lock);
  ending.n += (guint)change;
  g_cond_broadcast (&ending.ended);
  g_mutex_unlock (&ending.lock);
}

static gpointer
live_thread (gpointer data)
{
  FsLive *live = data;
  GQueue drained;
  while (wait_for_edits (live, &drained)) {
    apply_messages (live, &drained);
    work (live);
  }
  g_queue_clear_full (&drained, (GDestroyNotify)message_free);
  g_clear_pointer (&live->cut, fs_live_cut_free);
  g_source_unref (live->wake_source);
  live_unref (live);
  note_ending (-1);
  return NULL;
}

/* Starts the thread. Where that fails, edits wait and the next one tries again. */
static void
ensure_thread (FsLive *live)
{
  if (live->has_thread)
    return;
  g_atomic_ref_count_inc (&live->refs);
  g_source_ref (live->wake_source);
  GThread *thread = g_thread_try_new ("fretsaw-solver", live_thread, live, NULL);
  live->has_thread = thread != NULL;
  if (live->has_thread) {
    g_thread_unref (thread);
    return;
  }
  g_source_unref (live->wake_source);
  live_unref (live);
  g_autoptr (GError) error = g_error_new_literal (FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                                                  _ ("not enough memory for the thread that cuts"));
  fs_mailbox_post_error (live->mailbox, error, live->n_edits);
}

guint64
fs_live_post (FsLive *live, const FsEdit *edit)
{
  g_return_val_if_fail (live && edit, 0);

  Message *message = g_new0 (Message, 1);
  message->edit = *edit;
  message->edit.samples = g_memdup2 (edit->samples, edit->n_samples * sizeof *edit->samples);
  message->edit.guess = edit->guess ? fs_guess_ref (edit->guess) : NULL;
  message->generation = ++live->n_edits;
  message->time_us = g_get_monotonic_time ();

  g_mutex_lock (&live->lock);
  g_queue_push_tail (&live->queue, message);
  atomic_store (&live->interrupt.newer, true);
  if (fs_edit_overtakes (edit->kind))
    atomic_store (&live->interrupt.overtaken, true);
  g_cond_signal (&live->posted);
  g_mutex_unlock (&live->lock);
  ensure_thread (live);
  return live->n_edits;
}

static gboolean
dispatch_wake (GSource *source, GSourceFunc callback, gpointer user_data)
{
  g_source_set_ready_time (source, -1);
  return callback (user_data);
}

static gboolean
on_wake (gpointer data)
{
  FsLive *live = data;
  live->wake (live->user_data);
  return G_SOURCE_CONTINUE;
}

static GSource *
wake_source_new (FsLive *live)
{
  static GSourceFuncs funcs = { .dispatch = dispatch_wake };
  GSource *source = g_source_new (&funcs, sizeof (GSource));
  g_source_set_static_name (source, "fretsaw live loop");
  g_source_set_callback (source, on_wake, live, NULL);
  g_source_attach (source, live->context);
  return source;
}

FsLive *
fs_live_new (FsImage *image, const FsSettings *settings, GMainContext *context,
             void (*wake) (gpointer user_data), gpointer user_data)
{
  g_return_val_if_fail (image && settings && wake, NULL);

  FsLive *live = g_new0 (FsLive, 1);
  g_atomic_ref_count_init (&live->refs);
  g_mutex_init (&live->lock);
  g_cond_init (&live->posted);
  g_queue_init (&live->queue);
  g_queue_init (&live->held);
  live->context = context ? g_main_context_ref (context) : g_main_context_ref_thread_default ();
  live->wake = wake;
  live->user_data = user_data;
  live->interrupt.board = &live->board;
  live->cut = fs_live_cut_new (image, settings, on_fit_done, live);
  live->wake_source = wake_source_new (live);
  live->mailbox = fs_mailbox_new (image->width, image->height, on_published, live);
  if (!live->mailbox) {
    fs_live_free (live);
    return NULL;
  }
  ensure_thread (live);
  return live;
}

void
fs_live_free (FsLive *live)
{
  if (!live)
    return;
  g_source_destroy (live->wake_source);
  g_source_unref (live->wake_source);
  if (!live->has_thread) {
    fs_live_cut_free (live->cut);
    live_unref (live);
    return;
  }
  note_ending (1);

  g_mutex_lock (&live->lock);
  live->quit = TRUE;
  atomic_store (&live->interrupt.newer, true);
  atomic_store (&live->interrupt.overtaken, true);
  g_cond_signal (&live->posted);
  g_mutex_unlock (&live->lock);
  live_unref (live);
}

guint
fs_live_wait_for_threads (void)
{
  gint64 end_us = g_get_monotonic_time () + MAX_WAITING_S * G_TIME_SPAN_SECOND;
  g_mutex_lock (&ending.lock);
  while (ending.n > 0 && g_cond_wait_until (&ending.ended, &ending.lock, end_us))
    ;
  guint n = ending.n;
  g_mutex_unlock (&ending.lock);
  return n;
}

/* The stage of the shown cut; if that is idle, of the running fit. */
FsStage
fs_live_get_stage (FsLive *live, double *fraction)
{
  FsStageNote *front = &live->board.front;
  FsStageNote *note = atomic_load (&front->stage) != FS_STAGE_IDLE ? front : &live->board.fit;
  *fraction = atomic_load (&note->permille) / 1e3;
  return (FsStage)atomic_load (&note->stage);
}

gboolean
fs_live_collect (FsLive *live, uint8_t *mask, uint8_t *tiles, FsLiveState *state, GError **error)
{
  return fs_mailbox_collect (live->mailbox, mask, tiles, state, error);
}
