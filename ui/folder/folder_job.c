/* SPDX-License-Identifier: MIT */
#include "ui/folder/folder_job.h"

#include <gio/gio.h>

#define WATCH_PAUSE_MS 400

struct _FsFolderJob {
  GObject parent_instance;
  char *folder;
  GFileMonitor *monitor; /* NULL where the folder cannot be watched */
  GCancellable *closed;
  guint watch_id;

  FsFolderClasses *base; /* in the file, as it was last read or written; NULL: not read yet */
  FsFolderClasses *mine;
  gboolean is_saving;

  FsFolderList *list; /* NULL: not read yet */
  gboolean is_reading, reads_again;
  char *failure; /* that was told last; NULL: all is well */
};

enum { CLASSES_CHANGED, LIST_CHANGED, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FsFolderJob, fs_folder_job, G_TYPE_OBJECT)

const char *
fs_folder_job_get_folder (FsFolderJob *self)
{
  return self->folder;
}

/* Tells each failure once. */
static void
report_failure (FsFolderJob *self, const GError *error)
{
  if (g_strcmp0 (self->failure, error->message) == 0)
    return;
  g_free (self->failure);
  self->failure = g_strdup (error->message);
  g_signal_emit (self, signals[FAILED], 0, error->message);
}

/* ---- Reading ---- */

typedef struct {
  char *folder;
  FsFolderList *previous;
  /* The results. */
  FsFolderList *list;
  FsFolderClasses *classes;
  GError *list_error, *classes_error;
} Look;

static void
look_free (gpointer data)
{
  Look *look = data;
  g_free (look->folder);
  fs_folder_list_free (look->previous);
  fs_folder_list_free (look->list);
  fs_folder_classes_free (look->classes);
  g_clear_error (&look->list_error);
  g_clear_error (&look->classes_error);
  g_free (look);
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Look *look = data;
  look->classes = fs_folder_classes_read (look->folder, &look->classes_error);
  look->list = fs_folder_list_read (look->folder, look->previous, cancellable, &look->list_error);
  g_task_return_boolean (task, TRUE);
}

static gboolean
are_same_lists (const FsFolderList *a, const FsFolderList *b)
{
  if (a == NULL || b == NULL || a->photos->len != b->photos->len)
    return FALSE;
  for (guint i = 0; i < a->photos->len; i++) {
    const FsFolderPhoto *of_a = fs_folder_list_get (a, i), *of_b = fs_folder_list_get (b, i);
    if (!g_str_equal (of_a->name, of_b->name) || of_a->state != of_b->state)
      return FALSE;
  }
  return TRUE;
}

static void
take_list (FsFolderJob *self, FsFolderList *list)
{
  const gboolean same = are_same_lists (self->list, list);
  fs_folder_list_free (self->list);
  self->list = list;
  if (!same)
    g_signal_emit (self, signals[LIST_CHANGED], 0);
}

static void
set_classes (FsFolderJob *self, FsFolderClasses *base, FsFolderClasses *mine)
{
  const gboolean same = self->mine != NULL && fs_folder_classes_equal (self->mine, mine);
  fs_folder_classes_free (self->base);
  fs_folder_classes_free (self->mine);
  self->base = base;
  self->mine = mine;
  if (!same)
    g_signal_emit (self, signals[CLASSES_CHANGED], 0);
}

/* Edits that are not saved yet go with what somebody else has changed. */
static void
take_file (FsFolderJob *self, FsFolderClasses *theirs)
{
  FsFolderClasses *mine = self->base != NULL || self->mine->classes->len > 0
                              ? fs_folder_classes_merge (self->base, self->mine, theirs)
                              : fs_folder_classes_copy (theirs);
  set_classes (self, theirs, mine);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsFolderJob) self = user_data;
  Look *look = g_task_get_task_data (G_TASK (result));
  self->is_reading = FALSE;
  if (g_cancellable_is_cancelled (self->closed))
    return;
  if (look->list != NULL)
    take_list (self, g_steal_pointer (&look->list));
  else
    report_failure (self, look->list_error);
  if (look->classes != NULL && !self->is_saving)
    take_file (self, g_steal_pointer (&look->classes));
  else if (look->classes_error != NULL)
    report_failure (self, look->classes_error);
  else
    g_clear_pointer (&self->failure, g_free);
  if (self->reads_again)
    fs_folder_job_refresh (self);
}

void
fs_folder_job_refresh (FsFolderJob *self)
{
  self->reads_again = self->is_reading;
  if (self->is_reading || g_cancellable_is_cancelled (self->closed))
    return;
  self->is_reading = TRUE;
  Look *look = g_new0 (Look, 1);
  look->folder = g_strdup (self->folder);
  look->previous = self->list != NULL ? fs_folder_list_copy (self->list) : NULL;
  g_autoptr (GTask) task = g_task_new (NULL, self->closed, on_looked, g_object_ref (self));
  g_task_set_source_tag (task, fs_folder_job_refresh);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, look, look_free);
  g_task_run_in_thread (task, look_in_thread);
}

static gboolean
on_watch_pause (gpointer user_data)
{
  FsFolderJob *self = user_data;
  self->watch_id = 0;
  fs_folder_job_refresh (self);
  return G_SOURCE_REMOVE;
}

static void
on_folder_changed (FsFolderJob *self)
{
  if (self->watch_id == 0)
    self->watch_id = g_timeout_add (WATCH_PAUSE_MS, on_watch_pause, self);
}

/* ---- Classes ---- */

typedef struct {
  char *folder;
  FsFolderClasses *base, *mine;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;
  g_free (saving->folder);
  fs_folder_classes_free (saving->base);
  fs_folder_classes_free (saving->mine);
  g_free (saving);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Saving *saving = data;
  GError *error = NULL;
  FsFolderClasses *merged =
      fs_folder_classes_save (saving->folder, saving->base, saving->mine, &error);
  if (merged != NULL)
    g_task_return_pointer (task, merged, (GDestroyNotify)fs_folder_classes_free);
  else
    g_task_return_error (task, error);
}

static void save_classes (FsFolderJob *self);

/* Edits that came meanwhile were made from what was saved, which the file has now merged. */
static void
on_classes_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsFolderJob) self = user_data;
  g_autoptr (GError) error = NULL;
  const Saving *saving = g_task_get_task_data (G_TASK (result));
  FsFolderClasses *merged = g_task_propagate_pointer (G_TASK (result), &error);
  self->is_saving = FALSE;
  if (merged == NULL) {
    report_failure (self, error);
    return;
  }
  const gboolean edited = !fs_folder_classes_equal (self->mine, saving->mine);
  set_classes (self, merged, fs_folder_classes_merge (saving->mine, self->mine, merged));
  if (edited)
    save_classes (self);
}

static void
save_classes (FsFolderJob *self)
{
  if (self->is_saving)
    return;
  self->is_saving = TRUE;
  Saving *saving = g_new0 (Saving, 1);
  saving->folder = g_strdup (self->folder);
  saving->base = self->base != NULL ? fs_folder_classes_copy (self->base) : NULL;
  saving->mine = fs_folder_classes_copy (self->mine);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_classes_saved, g_object_ref (self));
  g_task_set_source_tag (task, save_classes);
  g_task_set_task_data (task, saving, saving_free);
  g_task_run_in_thread (task, save_in_thread);
}

const FsFolderClasses *
fs_folder_job_get_classes (FsFolderJob *self)
{
  return self->mine;
}

void
fs_folder_job_take_classes (FsFolderJob *self, FsFolderClasses *classes)
{
  FsFolderClasses *base = g_steal_pointer (&self->base);
  if (fs_folder_classes_equal (self->mine, classes)) {
    self->base = base;
    fs_folder_classes_free (classes);
    return;
  }
  set_classes (self, base, classes);
  save_classes (self);
}

/* ---- The photos ---- */

const FsFolderList *
fs_folder_job_get_list (FsFolderJob *self)
{
  return self->list;
}

void
fs_folder_job_set_state (FsFolderJob *self, const char *photo, FsFolderState state)
{
  int place = self->list != NULL ? fs_folder_list_find (self->list, photo) : -1;
  if (place < 0 || fs_folder_list_get (self->list, (guint)place)->state == state)
    return;
  FsFolderPhoto *known = fs_folder_list_get (self->list, (guint)place);
  known->state = state;
  known->changed_us = 0; /* is read again */
  g_signal_emit (self, signals[LIST_CHANGED], 0);
}

/* ---- The object ---- */

void
fs_folder_job_close (FsFolderJob *self)
{
  g_cancellable_cancel (self->closed);
  g_clear_handle_id (&self->watch_id, g_source_remove);
  if (self->monitor != NULL)
    g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_clear_object (&self->monitor);
}

FsFolderJob *
fs_folder_job_new (const char *folder)
{
  FsFolderJob *self = g_object_new (FS_TYPE_FOLDER_JOB, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  self->folder = g_strdup (folder);
  self->monitor = g_file_monitor_directory (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (on_folder_changed), self,
                             G_CONNECT_SWAPPED);
  fs_folder_job_refresh (self);
  return self;
}

static void
fs_folder_job_finalize (GObject *object)
{
  FsFolderJob *self = FS_FOLDER_JOB (object);
  g_clear_handle_id (&self->watch_id, g_source_remove);
  g_clear_object (&self->monitor);
  g_object_unref (self->closed);
  fs_folder_classes_free (self->base);
  fs_folder_classes_free (self->mine);
  fs_folder_list_free (self->list);
  g_free (self->folder);
  g_free (self->failure);
  G_OBJECT_CLASS (fs_folder_job_parent_class)->finalize (object);
}

static void
fs_folder_job_class_init (FsFolderJobClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);
  G_OBJECT_CLASS (klass)->finalize = fs_folder_job_finalize;
  signals[CLASSES_CHANGED] = g_signal_new ("classes-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 0);
  signals[LIST_CHANGED] =
      g_signal_new ("list-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
fs_folder_job_init (FsFolderJob *self)
{
  self->closed = g_cancellable_new ();
  self->mine = fs_folder_classes_new ();
}
