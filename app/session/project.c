/* SPDX-License-Identifier: MIT */
#include "app/session/project.h"

#include "app/files/same_file.h"
#include "app/files/task_source.h"
#include "app/live/document_edge.h"
#include "app/session/pasted.h"
#include "app/session/project_save.h"
#include "app/session/session_photo.h"

#include <string.h>

/* A journal that has grown so far is begun anew from the present state. */
#define JOURNAL_BYTES (64 << 20)

/* Beside those of FsDocumentEdit. */
enum { EDIT_LABELS = FS_DOCUMENT_EDGE_AGAIN + 1 };

/* A session of which only the labels, and that it is done, are used. */
typedef FsSession Labels;

/* The contents of a file. Undo and redo bring back the very same strokes; their previous mask may
 * be forgotten (stroke.h). */
typedef struct {
  FsStroke *stroke;
  guint after;
} SavedStroke;

typedef struct {
  GArray *strokes; /* of SavedStroke; NULL: there is no file */
  GPtrArray *edge; /* of FsEdgeEdit */
  FsSettings settings;
  Labels *labels;
} Saved;

struct _FsProject {
  GObject parent_instance;

  FsDocument *document;
  char *photo_path;
  char *sha256; /* of the photo; NULL until it is known */
  char *pixels; /* their sum; the same              */
  char *session_path;
  char session_sha256[FS_SESSION_SHA256_LENGTH + 1]; /* of that file; "": not known */
  char *folder;                                      /* of journals */
  GCancellable *closed;

  FsJournal *journal; /* NULL: everything is saved, or there is nothing */
  gsize journal_limit;
  gboolean journal_incomplete; /* an edit could not be written to it */
  gboolean restoring;
  gboolean unsaved;
  guint64 serial; /* of the newest edit */
  Labels *labels;
  Saved saved;    /* in the session */
  Saved exported; /* in pictures, last */
};

enum { CHANGED, JOURNAL_FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (FsProject, fs_project, G_TYPE_OBJECT)

static void
set_unsaved (FsProject *self, gboolean unsaved)
{
  if (self->unsaved == unsaved)
    return;
  self->unsaved = unsaved;
  g_signal_emit (self, signals[CHANGED], 0);
}

/* ---- What is in a file ---- */

static void
saved_stroke_clear (gpointer data)
{
  fs_stroke_unref (((SavedStroke *)data)->stroke);
}

static void
saved_clear (Saved *saved)
{
  g_clear_pointer (&saved->strokes, g_array_unref);
  g_clear_pointer (&saved->edge, g_ptr_array_unref);
  g_clear_pointer (&saved->labels, fs_session_free);
}

static Saved
copy_state (FsProject *self)
{
  FsDocument *document = self->document;
  Saved saved = { .strokes = g_array_new (FALSE, FALSE, sizeof (SavedStroke)),
                  .settings = fs_document_get_settings (document),
                  .labels = fs_session_new_labelled (self->labels) };
  g_array_set_clear_func (saved.strokes, saved_stroke_clear);
  for (guint i = 0; i < fs_document_get_n_finished (document); i++) {
    const FsStroke *stroke = fs_document_get_stroke (document, i);
    SavedStroke one = { fs_stroke_ref ((FsStroke *)stroke), stroke->after };
    g_array_append_val (saved.strokes, one);
  }
  guint n_edge;
  const GPtrArray *edge = fs_document_get_edge_edits (document, &n_edge);
  saved.edge = fs_edge_edits_new ();
  for (guint i = 0; i < n_edge; i++)
    g_ptr_array_add (saved.edge, fs_edge_edit_ref (edge->pdata[i]));
  return saved;
}

/* Takes it. */
static void
set_saved (FsProject *self, Saved saved)
{
  saved_clear (&self->saved);
  self->saved = saved;
}

static gboolean
is_present (FsProject *self, const Saved *saved)
{
  FsSettings settings = fs_document_get_settings (self->document);
  guint n = fs_document_get_n_finished (self->document), n_edge;
  const GPtrArray *edge = fs_document_get_edge_edits (self->document, &n_edge);
  if (!saved->strokes || saved->strokes->len != n || saved->edge->len != n_edge
      || !fs_settings_equal (&saved->settings, &settings)
      || saved->labels->done != self->labels->done
      || !fs_session_equal_labels (saved->labels, self->labels))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const FsStroke *stroke = fs_document_get_stroke (self->document, i);
    const SavedStroke *before = &g_array_index (saved->strokes, SavedStroke, i);
    if (before->stroke != stroke || before->after != stroke->after)
      return FALSE;
  }
  for (guint i = 0; i < n_edge; i++)
    if (saved->edge->pdata[i] != edge->pdata[i])
      return FALSE;
  return TRUE;
}

static gboolean
is_saved (FsProject *self)
{
  guint n_edge;
  fs_document_get_edge_edits (self->document, &n_edge);
  return (!self->session_path && !self->labels->done
          && fs_document_get_n_finished (self->document) + n_edge == 0)
         || is_present (self, &self->saved);
}

static void
set_path (char **path, const char *other)
{
  char *copy = g_strdup (other);
  g_free (*path);
  *path = copy;
}

/* ---- The journal ---- */

static gboolean
add_stroke (FsJournal *journal, const FsStroke *stroke, GError **error)
{
  return stroke->shape == FS_STROKE_GUESS
             ? fs_journal_add_guess (journal, (FsStroke *)stroke, error)
             : fs_journal_add_stroke (journal, stroke, error);
}

/* Those of the edge in their places among the strokes. */
static gboolean
add_edits (FsProject *self, FsJournal *journal, GError **error)
{
  FsDocument *document = self->document;
  guint n = fs_document_get_n_finished (document), n_all = n + fs_document_get_n_undone (document);
  guint n_edge, k = 0;
  const GPtrArray *edge = fs_document_get_edge_edits (document, &n_edge);
  for (guint i = 0; i <= n_all; i++) {
    for (; fs_edge_edits_redo_next (edge, k, i); k++)
      if (!fs_journal_add_edge (journal, edge->pdata[k], FALSE, error))
        return FALSE;
    if (i < n_all
        && !add_stroke (journal,
                        i < n ? fs_document_get_stroke (document, i)
                              : fs_document_get_undone (document, i - n),
                        error))
      return FALSE;
  }
  for (guint i = 0; i < n_all - n + edge->len - n_edge; i++)
    if (!fs_journal_add_undo (journal, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_files (FsProject *self, FsJournal *journal, GError **error)
{
  const FsImage *image = fs_document_get_image (self->document);
  return fs_journal_add_photo (journal, self->photo_path, image->width, image->height, error)
         && (!self->sha256 || fs_journal_add_sum (journal, self->sha256, error))
         && (!self->session_path || fs_journal_add_session (journal, self->session_path, error))
         && (!self->session_sha256[0]
             || fs_journal_add_session_sum (journal, self->session_sha256, error));
}

static gboolean
add_labels (FsProject *self, FsJournal *journal, GError **error)
{
  const GArray *labels = self->labels->labels;
  for (guint i = 0; i < labels->len; i++)
    if (!fs_journal_add_label (journal, (uint8_t)(i + 1),
                               &g_array_index (labels, FsSessionLabel, i), error))
      return FALSE;
  return fs_journal_add_done (journal, self->labels->done, error);
}

static gboolean
add_state (FsProject *self, FsJournal *journal, GError **error)
{
  FsSettings settings = fs_document_get_settings (self->document);
  return add_files (self, journal, error) && fs_journal_add_settings (journal, &settings, error)
         && add_labels (self, journal, error) && add_edits (self, journal, error)
         && fs_journal_publish (journal, error);
}

/* One that says all by itself takes the place of the one before. */
static gboolean
begin_journal (FsProject *self, GError **error)
{
  g_autoptr (FsJournal) journal = fs_journal_new (self->folder, error);
  if (!journal || !add_state (self, journal, error))
    return FALSE;
  fs_journal_remove (self->journal);
  self->journal = g_steal_pointer (&journal);
  self->journal_limit = MAX (JOURNAL_BYTES, 2 * fs_journal_get_size (self->journal));
  return TRUE;
}

static gboolean
append_edit (FsProject *self, int edit, GError **error)
{
  FsSettings settings = fs_document_get_settings (self->document);
  guint n = fs_document_get_n_finished (self->document), n_edge;
  const GPtrArray *edge = fs_document_get_edge_edits (self->document, &n_edge);
  switch (edit) {
  case FS_DOCUMENT_STROKE:
  case FS_DOCUMENT_GUESS:
    return add_stroke (self->journal, fs_document_get_stroke (self->document, n - 1), error);
  case FS_DOCUMENT_EDGE:
  case FS_DOCUMENT_EDGE_AGAIN:
    return fs_journal_add_edge (self->journal, edge->pdata[n_edge - 1],
                                edit == FS_DOCUMENT_EDGE_AGAIN, error);
  case FS_DOCUMENT_UNDO:
    return fs_journal_add_undo (self->journal, error);
  case FS_DOCUMENT_REDO:
    return fs_journal_add_redo (self->journal, error);
  case FS_DOCUMENT_SETTINGS:
    return fs_journal_add_settings (self->journal, &settings, error);
  case EDIT_LABELS:
    return add_labels (self, self->journal, error);
  default:
    g_return_val_if_reached (FALSE);
  }
}

static gboolean
follow_edit (FsProject *self, int edit, GError **error)
{
  if (self->journal && !self->journal_incomplete
      && fs_journal_get_size (self->journal) < self->journal_limit)
    return append_edit (self, edit, error);
  return begin_journal (self, error);
}

static void
journal_edit (FsProject *self, int edit)
{
  g_autoptr (GError) error = NULL;
  gboolean was_incomplete = self->journal_incomplete;
  self->journal_incomplete = !follow_edit (self, edit, &error);
  if (!self->journal_incomplete)
    fs_journal_flush (self->journal);
  else if (!was_incomplete)
    g_signal_emit (self, signals[JOURNAL_FAILED], 0, error);
}

/* A new one in place of one to which nothing can be appended. */
static void
renew_journal (FsProject *self)
{
  g_autoptr (GError) error = NULL;
  self->journal_incomplete = !begin_journal (self, &error);
  if (!self->journal_incomplete)
    fs_journal_flush (self->journal);
  else
    g_signal_emit (self, signals[JOURNAL_FAILED], 0, error);
}

static void
note_edit (FsProject *self, int edit)
{
  guint n_strokes = fs_document_get_n_strokes (self->document), n_edge;
  guint n_undone = fs_document_get_n_undone (self->document);
  const GPtrArray *edge = fs_document_get_edge_edits (self->document, &n_edge);
  self->serial++;
  if (self->restoring)
    return;
  if (self->journal || n_strokes + n_undone + edge->len > 0)
    journal_edit (self, edit);
  set_unsaved (self, !is_saved (self));
}

/* ---- The photo's sums ---- */

static void
take_sums (FsProject *self, const char *sum, const char *pixels)
{
  if (!self->pixels && pixels && *pixels)
    self->pixels = g_strdup (pixels);
  if (self->sha256 || !sum)
    return;
  self->sha256 = g_strdup (sum);
  /* Without it, recovery goes by the photo's size. */
  if (self->journal)
    fs_journal_add_sum (self->journal, sum, NULL);
}

static void
on_summed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  /* Saving sums a photo again that could not be read here, and says why it cannot. */
  const FsSessionSums *sums = fs_session_sums_finish (result, NULL);
  if (sums)
    take_sums (FS_PROJECT (source), sums->sha256, sums->pixels);
}

/* ---- Bringing back ---- */

static void
on_restored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  FsProject *self = g_task_get_source_object (task);
  GError *error = NULL;
  self->restoring = FALSE;
  if (!fs_restore_finish (result, &error)) {
    g_task_return_error (task, error);
    return;
  }
  if (!self->journal)
    set_saved (self, copy_state (self));
  else if (self->journal_incomplete)
    renew_journal (self);
  g_signal_emit (self, signals[CHANGED], 0);
  g_task_return_boolean (task, TRUE);
}

static void
restore_strokes (FsProject *self, const FsSession *session, guint n_undone,
                 FsRestoreProgress progress, GTask *task)
{
  self->restoring = TRUE;
  fs_restore_async (self->document, session, n_undone, g_task_get_cancellable (task), progress,
                    on_restored, task);
}

static void
take_labels (FsProject *self, const FsSession *session)
{
  fs_session_free (self->labels);
  self->labels = fs_session_new_labelled (session);
}

static void
set_session_sum (FsProject *self, const FsSession *session)
{
  g_strlcpy (self->session_sha256, session->file_sha256, sizeof self->session_sha256);
}

void
fs_project_open_async (FsProject *self, const FsSession *session, const char *session_path,
                       GCancellable *cancellable, FsRestoreProgress progress,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (FS_IS_PROJECT (self) && session && session_path);

  GTask *task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fs_project_restore_finish);
  set_path (&self->session_path, session_path);
  set_session_sum (self, session);
  take_labels (self, session);
  restore_strokes (self, session, 0, progress, task);
}

void
fs_project_recover_async (FsProject *self, FsLostWork *lost, GCancellable *cancellable,
                          FsRestoreProgress progress, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_return_if_fail (FS_IS_PROJECT (self) && lost && !self->journal);

  GTask *task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fs_project_restore_finish);
  const FsJournalContent *content = lost->content;
  const FsImage *image = fs_document_get_image (self->document);
  self->journal = g_steal_pointer (&lost->journal);
  self->journal_limit = MAX (JOURNAL_BYTES, 2 * fs_journal_get_size (self->journal));
  self->unsaved = TRUE;
  set_path (&self->session_path, content->session_path);
  set_session_sum (self, content->session);
  take_labels (self, content->session);
  self->journal_incomplete = content->damaged;
  if (!content->damaged && strcmp (content->photo, self->photo_path) != 0)
    self->journal_incomplete =
        !fs_journal_add_photo (self->journal, self->photo_path, image->width, image->height, NULL);
  restore_strokes (self, content->session, content->n_undone + content->n_edge_undone, progress,
                   task);
  fs_lost_work_free (lost);
}

gboolean
fs_project_restore_finish (FsProject *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* ---- Saving ---- */

typedef struct {
  FsProjectSave *save;
  guint64 serial;
  Saved saved;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;
  fs_project_save_free (saving->save);
  saved_clear (&saving->saved);
  g_free (saving);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Saving *saving = data;
  GError *error = NULL;
  if (fs_project_save_write (saving->save, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
fs_project_save_async (FsProject *self, const char *path, gboolean replace,
                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (FS_IS_PROJECT (self) && path);

  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fs_project_save_async);
  /* The file may be in place when the cancellation comes; then the answer is that it is. */
  g_task_set_check_cancellable (task, FALSE);
  Saving *saving = g_new0 (Saving, 1);
  saving->save =
      fs_project_save_new (self->document, self->labels, path, self->photo_path, self->sha256);
  if (!replace && fs_same_file (path, self->session_path))
    g_strlcpy (saving->save->replaced_sha256, self->session_sha256,
               sizeof saving->save->replaced_sha256);
  saving->save->is_new = !replace && !fs_same_file (path, self->session_path);
  if (self->pixels)
    g_strlcpy (saving->save->session->pixels, self->pixels, sizeof saving->save->session->pixels);
  saving->serial = self->serial;
  saving->saved = copy_state (self);
  g_task_set_task_data (task, saving, saving_free);
  fs_task_hold_source (task);
  g_task_run_in_thread (task, save_in_thread);
}

gboolean
fs_project_save_finish (FsProject *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  Saving *saving = g_task_get_task_data (G_TASK (result));
  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  if (strcmp (self->photo_path, saving->save->photo_path) != 0)
    fs_pasted_remove (self->photo_path);
  set_path (&self->photo_path, saving->save->photo_path);
  set_path (&self->session_path, saving->save->path);
  set_session_sum (self, saving->save->session);
  take_sums (self, saving->save->session->sha256, saving->save->session->pixels);
  set_saved (self, saving->saved);
  saving->saved = (Saved){ 0 };
  self->unsaved = !is_saved (self);
  if (saving->serial == self->serial) {
    g_clear_pointer (&self->journal, fs_journal_remove);
    self->journal_incomplete = FALSE;
  } else if (self->journal) {
    self->journal_incomplete |= !add_files (self, self->journal, NULL);
  }
  g_signal_emit (self, signals[CHANGED], 0);
  return TRUE;
}

/* ---- What objects are called ---- */

const char *
fs_project_get_name (FsProject *self, uint8_t label)
{
  g_return_val_if_fail (FS_IS_PROJECT (self) && label >= FS_SEED_OBJECT, NULL);

  if (label > self->labels->labels->len)
    return NULL;
  g_autofree char *unnamed = fs_session_unnamed (label);
  const char *name = g_array_index (self->labels->labels, FsSessionLabel, label - 1).name;
  return strcmp (name, unnamed) != 0 ? name : NULL;
}

uint32_t
fs_project_get_colour (FsProject *self, uint8_t label)
{
  g_return_val_if_fail (FS_IS_PROJECT (self) && label > FS_SEED_NONE, 0);

  return fs_session_get_colour (self->labels, label);
}

static void
note_labels (FsProject *self)
{
  note_edit (self, EDIT_LABELS);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
fs_project_set_label (FsProject *self, uint8_t label, const char *name, uint32_t colour)
{
  g_return_val_if_fail (FS_IS_PROJECT (self) && label >= FS_SEED_OBJECT, FALSE);

  g_autofree char *unnamed = fs_session_unnamed (label);
  g_autofree char *trimmed = g_strstrip (g_strdup (name ? name : ""));
  g_autoptr (FsSession) labels = fs_session_new_labelled (self->labels);
  if (!fs_session_name_label (labels, label, *trimmed ? trimmed : unnamed))
    return FALSE;
  g_array_index (labels->labels, FsSessionLabel, label - 1).colour = colour & 0xffffff;
  if (fs_session_equal_labels (labels, self->labels))
    return TRUE;
  fs_session_copy_labels (self->labels, labels);
  note_labels (self);
  return TRUE;
}

gboolean
fs_project_set_name (FsProject *self, uint8_t label, const char *name)
{
  return fs_project_set_label (self, label, name, fs_project_get_colour (self, label));
}

gboolean
fs_project_is_done (FsProject *self)
{
  return self->labels->done;
}

void
fs_project_set_done (FsProject *self, gboolean done)
{
  g_return_if_fail (FS_IS_PROJECT (self));

  if (self->labels->done == !!done)
    return;
  self->labels->done = !!done;
  note_labels (self);
}

/* ---- What it is ---- */

FsDocument *
fs_project_get_document (FsProject *self)
{
  return self->document;
}

const char *
fs_project_get_photo_path (FsProject *self)
{
  return self->photo_path;
}

const char *
fs_project_get_session_path (FsProject *self)
{
  return self->session_path;
}

gboolean
fs_project_is_unsaved (FsProject *self)
{
  return self->unsaved;
}

void
fs_project_mark_exported (FsProject *self)
{
  saved_clear (&self->exported);
  self->exported = copy_state (self);
}

gboolean
fs_project_is_exported (FsProject *self)
{
  return is_present (self, &self->exported);
}

void
fs_project_discard (FsProject *self)
{
  self->unsaved = FALSE;
}

void
fs_project_close (FsProject *self)
{
  g_cancellable_cancel (self->closed);
  g_signal_handlers_disconnect_by_data (self->document, self);
  if (self->unsaved)
    g_clear_pointer (&self->journal, fs_journal_free);
  else
    g_clear_pointer (&self->journal, fs_journal_remove);
  if (!self->unsaved)
    fs_pasted_remove (self->photo_path);
}

FsProject *
fs_project_new (FsDocument *document, const char *photo_path)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (document) && photo_path, NULL);

  FsProject *self = g_object_new (FS_TYPE_PROJECT, NULL);
  self->document = g_object_ref (document);
  self->photo_path = g_strdup (photo_path);
  g_signal_connect_object (document, "edited", G_CALLBACK (note_edit), self, G_CONNECT_SWAPPED);
  fs_session_sums_async (G_OBJECT (self), self->photo_path, fs_document_get_image (document),
                         self->closed, on_summed);
  return self;
}

static void
fs_project_finalize (GObject *object)
{
  FsProject *self = FS_PROJECT (object);
  fs_journal_free (self->journal);
  saved_clear (&self->saved);
  saved_clear (&self->exported);
  g_object_unref (self->document);
  g_object_unref (self->closed);
  fs_session_free (self->labels);
  g_free (self->photo_path);
  g_free (self->sha256);
  g_free (self->pixels);
  g_free (self->session_path);
  g_free (self->folder);
  G_OBJECT_CLASS (fs_project_parent_class)->finalize (object);
}

static void
fs_project_class_init (FsProjectClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);
  G_OBJECT_CLASS (klass)->finalize = fs_project_finalize;
  signals[CHANGED] =
      g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[JOURNAL_FAILED] = g_signal_new ("journal-failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
fs_project_init (FsProject *self)
{
  self->folder = fs_journals_folder ();
  self->closed = g_cancellable_new ();
  self->labels = fs_session_new ();
  fs_session_add_usual_labels (self->labels);
}
