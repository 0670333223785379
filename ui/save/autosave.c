/* SPDX-License-Identifier: MIT */
#include "ui/save/autosave.h"

#include "app/folder/folder_photos.h"
#include "ui/open/photo_folder.h"
#include <glib/gi18n.h>

#define PAUSE_MS 1000

struct _FsAutosave {
  GObject parent_instance;
  FsSaveFlow *save_flow;  /* NULL once closed */
  FsMessageBar *messages; /* the same */
  FsProject *project;     /* NULL: off */
  guint timer_id;
  gboolean is_writing;
  FsProject *left;     /* is saved once more, and closed, when what is being written is in place */
  gboolean is_refused; /* somebody keeps the file as it is: only a flush tries again */
  gboolean has_failed; /* the next edit, or flush, tries again */
  FsSaveDone done;     /* of a flush that waits; NULL: none */
  gpointer user_data;
};

enum { SAVED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FsAutosave, fs_autosave, G_TYPE_OBJECT)

static void write_session (FsAutosave *self);

static void
end_flush (FsAutosave *self, gboolean saved)
{
  FsSaveDone done = self->done;
  self->done = NULL;
  if (done != NULL)
    done (saved, self->user_data);
}

/* Work that was brought back after a crash may not know of its session, which was written last of
 * all. NULL: all names are those of other photos' sessions. g_free. */
static char *
find_path (FsProject *project)
{
  const char *session = fs_project_get_session_path (project);
  const char *photo = fs_project_get_photo_path (project);
  char *path = session != NULL ? g_strdup (session) : fs_photo_folder_find_session (photo);
  return path != NULL ? path : fs_folder_photos_new_session (photo);
}

/* After a session is in place: what came meanwhile, or whoever waits. */
static void
go_on (FsAutosave *self)
{
  if (self->project != NULL && fs_project_is_unsaved (self->project) && self->done != NULL)
    write_session (self);
  else
    end_flush (self, TRUE);
}

static void
on_left_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsAutosave) self = user_data;
  g_autoptr (GError) error = NULL;
  if (!fs_project_save_finish (FS_PROJECT (source), result, &error) && self->messages != NULL)
    fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, error->message);
  fs_project_close (FS_PROJECT (source));
  if (self->save_flow != NULL)
    g_signal_emit (self, signals[SAVED], 0);
}

/* Takes the project. If it cannot be saved, its journal stays. */
static void
write_left (FsAutosave *self, FsProject *taken)
{
  g_autoptr (FsProject) project = taken;
  g_autofree char *path = find_path (project);
  if (path != NULL && fs_project_is_unsaved (project))
    fs_project_save_async (project, path, FALSE, NULL, on_left_written, g_object_ref (self));
  else
    fs_project_close (project);
}

static void
on_saved_by_flow (gboolean saved, gpointer user_data)
{
  g_autoptr (FsAutosave) self = user_data;
  self->is_writing = FALSE;
  self->is_refused = !saved && self->project != NULL && fs_project_is_unsaved (self->project);
  if (saved) {
    g_signal_emit (self, signals[SAVED], 0);
    go_on (self);
  } else {
    end_flush (self, FALSE);
  }
}

static void
on_session_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsAutosave) self = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean saved = fs_project_save_finish (FS_PROJECT (source), result, &error);
  const gboolean is_current = self->project == (FsProject *)source;
  self->is_writing = FALSE;
  if (self->left == (FsProject *)source)
    write_left (self, g_steal_pointer (&self->left));
  if (self->save_flow == NULL)
    return;
  if (!is_current) {
    go_on (self);
  } else if (saved) {
    self->has_failed = self->is_refused = FALSE;
    g_signal_emit (self, signals[SAVED], 0);
    go_on (self);
  } else if (g_error_matches (error, FS_SESSION_ERROR, FS_SESSION_ERROR_CHANGED)) {
    g_autofree char *path = find_path (self->project);
    self->is_writing = TRUE;
    fs_save_flow_save_to (self->save_flow, self->project, path, on_saved_by_flow,
                          g_object_ref (self));
  } else {
    self->has_failed = TRUE;
    fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, error->message);
    end_flush (self, FALSE);
  }
}

/* All names being those of other photos' sessions, a person has to choose one. */
static void
write_session (FsAutosave *self)
{
  g_autofree char *path = find_path (self->project);
  g_clear_handle_id (&self->timer_id, g_source_remove);
  self->is_writing = TRUE;
  if (path != NULL)
    fs_project_save_async (self->project, path, FALSE, NULL, on_session_written,
                           g_object_ref (self));
  else
    fs_save_flow_save (self->save_flow, self->project, FALSE, on_saved_by_flow,
                       g_object_ref (self));
}

/* A stroke that grows is not in the session, and saved once it has ended. */
static gboolean
on_pause (gpointer user_data)
{
  FsAutosave *self = user_data;
  if (self->is_writing || fs_document_is_drawing (fs_project_get_document (self->project)))
    return G_SOURCE_CONTINUE;
  self->timer_id = 0;
  if (fs_project_is_unsaved (self->project) && !self->is_refused)
    write_session (self);
  return G_SOURCE_REMOVE;
}

static void
wait_for_pause (FsAutosave *self)
{
  g_clear_handle_id (&self->timer_id, g_source_remove);
  self->timer_id = g_timeout_add (PAUSE_MS, on_pause, self);
}

static void
on_edited (FsAutosave *self)
{
  self->has_failed = FALSE;
  wait_for_pause (self);
}

static void
on_project_changed (FsAutosave *self)
{
  if (fs_project_is_unsaved (self->project) && !self->has_failed)
    wait_for_pause (self);
}

void
fs_autosave_set_project (FsAutosave *self, FsProject *project)
{
  g_return_if_fail (FS_IS_AUTOSAVE (self));

  if (self->project == project)
    return;
  g_clear_handle_id (&self->timer_id, g_source_remove);
  if (self->project != NULL) {
    g_signal_handlers_disconnect_by_data (self->project, self);
    g_signal_handlers_disconnect_by_data (fs_project_get_document (self->project), self);
  }
  g_clear_object (&self->project);
  self->has_failed = self->is_refused = FALSE;
  if (project == NULL)
    return;
  self->project = g_object_ref (project);
  g_signal_connect_object (project, "changed", G_CALLBACK (on_project_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (fs_project_get_document (project), "edited", G_CALLBACK (on_edited),
                           self, G_CONNECT_SWAPPED);
  on_project_changed (self);
}

gboolean
fs_autosave_let_go (FsAutosave *self)
{
  g_return_val_if_fail (FS_IS_AUTOSAVE (self), FALSE);

  if (self->project == NULL || !fs_project_is_unsaved (self->project))
    return FALSE;
  FsProject *project = g_object_ref (self->project);
  fs_autosave_set_project (self, NULL);
  if (self->is_writing && self->left == NULL)
    self->left = project;
  else
    write_left (self, project);
  return TRUE;
}

gboolean
fs_autosave_is_on (FsAutosave *self)
{
  return self->project != NULL;
}

void
fs_autosave_flush (FsAutosave *self, FsSaveDone done, gpointer user_data)
{
  g_return_if_fail (self->project != NULL && done != NULL);

  self->done = done;
  self->user_data = user_data;
  if (self->is_writing)
    return;
  if (fs_project_is_unsaved (self->project))
    write_session (self);
  else
    end_flush (self, TRUE);
}

void
fs_autosave_close (FsAutosave *self)
{
  fs_autosave_set_project (self, NULL);
  self->done = NULL;
  self->save_flow = NULL;
  self->messages = NULL;
}

FsAutosave *
fs_autosave_new (FsSaveFlow *save_flow, FsMessageBar *messages)
{
  FsAutosave *self = g_object_new (FS_TYPE_AUTOSAVE, NULL);
  self->save_flow = save_flow;
  self->messages = messages;
  return self;
}

static void
fs_autosave_class_init (FsAutosaveClass *klass)
{
  signals[SAVED] = g_signal_new ("saved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
fs_autosave_init (FsAutosave *self)
{
}
