/* SPDX-License-Identifier: MIT */
#include "ui/window/folder_flow.h"

#include "app/files/display_name.h"
#include "ui/open/photo_folder.h"
#include "ui/window/window_work.h"
#include <glib/gi18n.h>

struct _FsFolderFlow {
  GObject parent_instance;
  FsWindow *window; /* NULL once closed */
  FsSessionFinder finder;
  GCancellable *cancellable; /* of the search for a photo; NULL: none is running */

  char *photo, *file; /* to be opened as soon as no work would be lost: `file` is the photo or its
                       * session */
  /* The last step that opened something: while `from` is shown, the next one starts at `to`. */
  char *from, *to;
};

G_DEFINE_FINAL_TYPE (FsFolderFlow, fs_folder_flow, G_TYPE_OBJECT)

static const char *
get_shown (FsFolderFlow *self)
{
  FsProject *project = self->window->project;
  return project != NULL ? fs_project_get_photo_path (project) : NULL;
}

/* ---- Opening ---- */

static void
open_found (FsWindow *window, gpointer user_data)
{
  FsFolderFlow *self = user_data;
  g_free (self->from);
  g_free (self->to);
  self->from = g_strdup (get_shown (self));
  self->to = g_strdup (self->photo);
  g_autoptr (GFile) file = g_file_new_for_path (self->file);
  GtkWindow *has_it = self->finder (gtk_window_get_application (GTK_WINDOW (window)), file);
  if (has_it != NULL)
    gtk_window_present (has_it);
  else
    fs_open_flow_open (window->open_flow, file);
}

/* ---- Searching, on a worker ---- */

typedef struct {
  char *base;
  int step;              /* 0: `photo` is given */
  char *photo, *session; /* found, or NULL */
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;
  g_free (search->base);
  g_free (search->photo);
  g_free (search->session);
  g_free (search);
}

static void
search_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Search *search = data;
  GError *error = NULL;
  if (search->step != 0)
    search->photo = fs_photo_folder_find (search->base, search->step, cancellable, &error);
  if (search->photo != NULL)
    search->session = fs_photo_folder_find_session (search->photo);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
report_end (FsFolderFlow *self, const Search *search)
{
  g_autofree char *shown = fs_display_name (search->base);
  g_autofree char *name = g_path_get_basename (shown);
  g_autofree char *text =
      g_strdup_printf (search->step > 0 ? _ ("“%s” is the last photo of its folder.")
                                        : _ ("“%s” is the first photo of its folder."),
                       name);
  fs_message_bar_show (self->window->messages, GTK_MESSAGE_OTHER, text);
}

static void
go_to (FsFolderFlow *self, Search *search)
{
  if (g_strcmp0 (search->photo, get_shown (self)) == 0) {
    /* Back to the shown photo, from one that could not be opened or is still being opened. */
    g_clear_pointer (&self->to, g_free);
    fs_open_flow_cancel (self->window->open_flow);
    fs_message_bar_clear (self->window->messages);
    return;
  }
  g_free (self->photo);
  g_free (self->file);
  self->photo = g_steal_pointer (&search->photo);
  self->file = g_strdup (search->session != NULL ? search->session : self->photo);
  fs_window_work_leave (self->window, FS_UNSAVED_NEXT_PHOTO, open_found, self);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsFolderFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  Search *search = g_task_get_task_data (G_TASK (result));
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  if (self->cancellable != g_task_get_cancellable (G_TASK (result)) || self->window == NULL)
    return;
  g_clear_object (&self->cancellable);
  if (!done)
    fs_message_bar_show (self->window->messages, GTK_MESSAGE_ERROR, error->message);
  else if (search->photo == NULL)
    report_end (self, search);
  else
    go_to (self, search);
}

static void
stop_searching (FsFolderFlow *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

/* Takes the search. */
static void
start_search (FsFolderFlow *self, Search *search)
{
  stop_searching (self);
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_found, g_object_ref (self));
  g_task_set_source_tag (task, start_search);
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, search_in_thread);
}

const char *
fs_folder_flow_get_place (FsFolderFlow *self)
{
  const char *shown = get_shown (self);
  return self->to != NULL && g_strcmp0 (shown, self->from) == 0 ? self->to : shown;
}

void
fs_folder_flow_step (FsFolderFlow *self, int step)
{
  g_return_if_fail (self->window != NULL);

  const char *shown = get_shown (self);
  if (shown == NULL || !fs_photo_folder_is_own (shown))
    return;
  Search *search = g_new0 (Search, 1);
  search->base = g_strdup (fs_folder_flow_get_place (self));
  search->step = step;
  start_search (self, search);
}

void
fs_folder_flow_go (FsFolderFlow *self, const char *photo)
{
  g_return_if_fail (self->window != NULL && photo != NULL);

  Search *search = g_new0 (Search, 1);
  search->photo = g_strdup (photo);
  start_search (self, search);
}

void
fs_folder_flow_close (FsFolderFlow *self)
{
  stop_searching (self);
  self->window = NULL;
}

FsFolderFlow *
fs_folder_flow_new (FsWindow *window, FsSessionFinder finder)
{
  FsFolderFlow *self = g_object_new (FS_TYPE_FOLDER_FLOW, NULL);
  self->window = window;
  self->finder = finder;
  return self;
}

static void
fs_folder_flow_finalize (GObject *object)
{
  FsFolderFlow *self = FS_FOLDER_FLOW (object);
  g_free (self->photo);
  g_free (self->file);
  g_free (self->from);
  g_free (self->to);
  G_OBJECT_CLASS (fs_folder_flow_parent_class)->finalize (object);
}

static void
fs_folder_flow_class_init (FsFolderFlowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fs_folder_flow_finalize;
}

static void
fs_folder_flow_init (FsFolderFlow *self)
{
}
