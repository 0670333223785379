/* SPDX-License-Identifier: MIT */
#include "app/session/restore.h"

#include "app/live/document_edge.h"

/* The length of one batch of strokes. */
#define BATCH_US 8000

typedef struct {
  FsDocument *document;
  GPtrArray *strokes; /* of FsStroke */
  GPtrArray *edge;    /* of FsEdgeEdit */
  guint n_undone;
  guint n_done;
  guint n_edge_done;
  gboolean *is_prior; /* [i] a later stroke has the mask of the first i as its previous one */
  FsRestoreProgress progress;
  gpointer user_data;
} Restore;

static void
restore_free (gpointer data)
{
  Restore *restore = data;
  g_object_unref (restore->document);
  g_ptr_array_unref (restore->strokes);
  g_ptr_array_unref (restore->edge);
  g_free (restore->is_prior);
  g_free (restore);
}

static Restore *
restore_new (FsDocument *document, const FsSession *session, guint n_undone)
{
  Restore *restore = g_new0 (Restore, 1);
  restore->document = g_object_ref (document);
  restore->strokes = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_stroke_unref);
  restore->edge = fs_edge_edits_new ();
  restore->n_undone = n_undone;
  restore->is_prior = g_new0 (gboolean, session->strokes->len + 1);
  for (guint i = 0; i < session->strokes->len; i++) {
    FsStroke *stroke = session->strokes->pdata[i];
    g_ptr_array_add (restore->strokes, fs_stroke_ref (stroke));
    if (session->settings.stability && stroke->after <= i)
      restore->is_prior[stroke->after] = TRUE;
  }
  restore->is_prior[0] = FALSE;
  for (guint i = 0; i < session->edge->len; i++)
    g_ptr_array_add (restore->edge, fs_edge_edit_ref (session->edge->pdata[i]));
  return restore;
}

/* The edits of the edge before the next stroke; after the last one all that are left. */
static void
edit_edge (Restore *restore)
{
  for (; restore->n_edge_done < restore->edge->len; restore->n_edge_done++) {
    const FsEdgeEdit *edit = restore->edge->pdata[restore->n_edge_done];
    if (restore->n_done < restore->strokes->len && edit->after_strokes > restore->n_done)
      return;
    fs_document_edit_edge_again (restore->document, edit);
  }
}

static void
paint_stroke (Restore *restore)
{
  const FsStroke *stroke = restore->strokes->pdata[restore->n_done++];
  FsDocument *document = restore->document;
  fs_document_begin_again (document, stroke);
  if (!fs_document_is_drawing (document))
    return;
  fs_document_extend_stroke (document, (const FsSample *)(gpointer)stroke->samples->data,
                             stroke->samples->len);
  fs_document_end_stroke (document);
}

static gboolean play_batch (gpointer user_data);

static void
on_restore_final (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  /* A solver that fails reports that by itself, and must not cost any strokes, nor their previous
   * masks. */
  fs_document_wait_final_finish (FS_DOCUMENT (source), result, NULL);
  play_batch (task);
}

static void
play_later (GTask *task)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  g_task_attach_source (task, source, play_batch);
}

static gboolean
play_batch (gpointer user_data)
{
  GTask *task = user_data;
  Restore *restore = g_task_get_task_data (task);
  gint64 until = g_get_monotonic_time () + BATCH_US;
  if (g_task_return_error_if_cancelled (task))
    return G_SOURCE_REMOVE;
  do {
    edit_edge (restore);
    if (restore->n_done == restore->strokes->len) {
      for (guint i = 0; i < restore->n_undone; i++)
        fs_document_undo (restore->document);
      g_task_return_boolean (task, TRUE);
      return G_SOURCE_REMOVE;
    }
    paint_stroke (restore);
  } while (!restore->is_prior[restore->n_done] && g_get_monotonic_time () < until);
  if (restore->progress)
    restore->progress (restore->n_done, restore->strokes->len, restore->user_data);
  if (restore->is_prior[restore->n_done])
    fs_document_wait_final_async (restore->document, g_task_get_cancellable (task),
                                  on_restore_final, g_object_ref (task));
  else
    play_later (task);
  return G_SOURCE_REMOVE;
}

void
fs_restore_async (FsDocument *document, const FsSession *session, guint n_undone,
                  GCancellable *cancellable, FsRestoreProgress progress,
                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (FS_IS_DOCUMENT (document) && session);
  g_return_if_fail (fs_document_get_n_strokes (document) == 0);
  g_return_if_fail (n_undone <= session->strokes->len + session->edge->len);

  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fs_restore_async);
  Restore *restore = restore_new (document, session, n_undone);
  restore->progress = progress;
  restore->user_data = user_data;
  g_task_set_task_data (task, restore, restore_free);
  play_later (task);
  g_object_unref (task);
}

gboolean
fs_restore_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* ---- Waiting ---- */

typedef struct {
  FsDocument *document;
  GMainLoop *loop;
  GError *error;
} Waiting;

static void
on_all_final (GObject *source, GAsyncResult *result, gpointer data)
{
  Waiting *waiting = data;
  fs_document_wait_final_finish (waiting->document, result, &waiting->error);
  g_main_loop_quit (waiting->loop);
}

static void
on_painted (GObject *source, GAsyncResult *result, gpointer data)
{
  Waiting *waiting = data;
  if (fs_restore_finish (result, &waiting->error))
    fs_document_wait_final_async (waiting->document, NULL, on_all_final, waiting);
  else
    g_main_loop_quit (waiting->loop);
}

gboolean
fs_restore_run (FsDocument *document, const FsSession *session, GError **error)
{
  g_return_val_if_fail (document && session, FALSE);
  g_autoptr (GMainLoop) loop = g_main_loop_new (g_main_context_get_thread_default (), FALSE);
  Waiting waiting = { .document = document, .loop = loop };
  fs_restore_async (document, session, 0, NULL, NULL, on_painted, &waiting);
  g_main_loop_run (loop);
  if (waiting.error)
    g_propagate_error (error, waiting.error);
  return !waiting.error;
}
