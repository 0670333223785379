/* SPDX-License-Identifier: MIT */
#include "ui/window/job_flow.h"

#include "app/live/document_edge.h"
#include "ui/folder/class_choice.h"
#include "ui/folder/classes_dialog.h"
#include "ui/open/photo_folder.h"
#include "ui/window/folder_flow.h"
#include <glib/gi18n.h>

struct _FsJobFlow {
  GObject parent_instance;
  FsWindow *window; /* NULL once closed */
  FsFolderJob *job; /* NULL: the photo is not part of one */
  FsProject *project;
  char *first_class;       /* that the last photo was begun with; NULL: none yet */
  gboolean is_chosen;      /* a class has been chosen for this photo */
  GCancellable *searching; /* for a folder's first photo; NULL: no search is running */
  FsFolderList *coming;    /* the folder that is being opened, less the photos that cannot be */
  guint place;             /* in it, of the photo that is being opened */
  char *skipped;           /* why the last one of those cannot be opened; NULL: all can */
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FsJobFlow, fs_job_flow, G_TYPE_OBJECT)

FsFolderJob *
fs_job_flow_get_job (FsJobFlow *self)
{
  return self->job;
}

static gboolean
is_ready (FsJobFlow *self)
{
  return self->window != NULL && self->job != NULL && self->project != NULL
         && fs_window_state_is_editable (self->window);
}

/* ---- Classes ---- */

void
fs_job_flow_choose_class (FsJobFlow *self, const char *name, gboolean is_new)
{
  const FsFolderClass *class =
      is_ready (self) ? fs_folder_classes_find (fs_folder_job_get_classes (self->job), name) : NULL;
  if (class == NULL)
    return;
  const int object = fs_class_choice_find (self->project, class, is_new);
  self->is_chosen = TRUE;
  if (object > 0)
    fs_tools_set_object (self->window->tools, object);
}

/* The class that the last photo was begun with; at first that of the first key. */
static void
choose_first_class (FsJobFlow *self)
{
  if (!is_ready (self) || self->is_chosen)
    return;
  const FsFolderClasses *classes = fs_folder_job_get_classes (self->job);
  const FsFolderClass *class = fs_folder_classes_find (classes, self->first_class);
  if (class == NULL)
    class = fs_folder_classes_find_key (classes, 1);
  if (class == NULL && classes->classes->len > 0)
    class = fs_folder_classes_get (classes, 0);
  FsTool tool = fs_tools_get_tool (self->window->tools);
  if (class == NULL)
    return;
  fs_job_flow_choose_class (self, class->name, FALSE);
  fs_tools_set_tool (self->window->tools, tool);
}

static void
show_colours (FsJobFlow *self)
{
  if (self->project != NULL)
    fs_class_choice_show_colours (self->window->tools, self->project,
                                  self->job != NULL ? fs_folder_job_get_classes (self->job) : NULL);
}

static void
on_classes_changed (FsJobFlow *self)
{
  choose_first_class (self);
  show_colours (self);
}

static void
on_job_failed (FsJobFlow *self, const char *text)
{
  fs_message_bar_show (self->window->messages, GTK_MESSAGE_ERROR, text);
}

/* ---- The photo that is shown ---- */

static void
drop_coming (FsJobFlow *self)
{
  g_clear_pointer (&self->coming, fs_folder_list_free);
  g_clear_pointer (&self->skipped, g_free);
}

/* The folder's first photo that can be opened is there: tells of one before it that cannot. */
static void
end_coming (FsJobFlow *self)
{
  FsMessageBar *messages = self->window->messages;
  if (self->skipped != NULL && fs_message_bar_get_text (messages) == NULL)
    fs_message_bar_show (messages, GTK_MESSAGE_ERROR, self->skipped);
  drop_coming (self);
}

static FsFolderState
get_state (FsProject *project)
{
  FsDocument *document = fs_project_get_document (project);
  guint n_edge;
  fs_document_get_edge_edits (document, &n_edge);
  return fs_project_is_done (project)                         ? FS_FOLDER_DONE
         : fs_document_get_n_finished (document) + n_edge > 0 ? FS_FOLDER_BEGUN
                                                              : FS_FOLDER_EMPTY;
}

static void
on_project_changed (FsJobFlow *self)
{
  if (is_ready (self))
    fs_folder_job_set_state (self->job, fs_project_get_photo_path (self->project),
                             get_state (self->project));
  show_colours (self);
}

static void
on_saved (FsJobFlow *self)
{
  if (self->job != NULL)
    fs_folder_job_refresh (self->job);
}

static void
on_photo_chosen (FsJobFlow *self, const char *path)
{
  fs_folder_flow_go (self->window->folder_flow, path);
}

static void
drop_job (FsJobFlow *self)
{
  if (self->job == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->job, self);
  fs_folder_job_close (self->job);
  g_clear_object (&self->job);
}

/* The job of the photo's folder; the same one as before, where that is the same. */
static void
take_job (FsJobFlow *self)
{
  const char *photo = self->project != NULL ? fs_project_get_photo_path (self->project) : NULL;
  const gboolean own =
      photo != NULL && self->window->hand_over == NULL && fs_photo_folder_is_own (photo);
  g_autofree char *folder = own ? g_path_get_dirname (photo) : NULL;
  if (folder == NULL || !fs_folder_classes_is_there (folder)) {
    drop_job (self);
    return;
  }
  if (self->job != NULL && g_str_equal (fs_folder_job_get_folder (self->job), folder))
    return;
  drop_job (self);
  self->job = fs_folder_job_new (folder);
  g_signal_connect_object (self->job, "classes-changed", G_CALLBACK (on_classes_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->job, "failed", G_CALLBACK (on_job_failed), self,
                           G_CONNECT_SWAPPED);
}

/* Gives the next photo of the job the settings and the class of the last one. */
static void
take_along (FsJobFlow *self, FsProject *last, gboolean is_new)
{
  const char *first = fs_class_choice_get_first (last);
  if (first != NULL) {
    g_free (self->first_class);
    self->first_class = g_strdup (first);
  }
  FsSettings settings = fs_document_get_settings (fs_project_get_document (last));
  if (is_new)
    fs_document_set_settings (fs_project_get_document (self->project), &settings);
}

static void
follow_project (FsJobFlow *self, gboolean is_restored)
{
  FsWindow *window = self->window;
  g_autoptr (FsProject) last = g_steal_pointer (&self->project);
  g_autoptr (FsFolderJob) last_job = self->job != NULL ? g_object_ref (self->job) : NULL;
  if (last != NULL)
    g_signal_handlers_disconnect_by_data (last, self);
  self->project = window->project != NULL ? g_object_ref (window->project) : NULL;
  self->is_chosen = FALSE;
  fs_tools_set_labels (window->tools, NULL);
  take_job (self);
  if (self->project == NULL)
    return;
  end_coming (self);
  g_signal_connect_object (self->project, "changed", G_CALLBACK (on_project_changed), self,
                           G_CONNECT_SWAPPED);
  if (last != NULL && self->job != NULL && self->job == last_job)
    take_along (self, last, is_restored);
}

void
fs_job_flow_follow (FsJobFlow *self, gboolean is_restored)
{
  g_return_if_fail (self->window != NULL);

  if (self->project != self->window->project)
    follow_project (self, is_restored);
  const gboolean saves = self->job != NULL && is_restored && self->project != NULL;
  fs_autosave_set_project (self->window->autosave, saves ? self->project : NULL);
  fs_photo_strip_set_job (self->window->photo_strip, self->job,
                          self->project != NULL ? fs_project_get_photo_path (self->project) : NULL);
  fs_object_list_set_job (self->window->object_list, self->job,
                          fs_window_state_is_editable (self->window) ? self->project : NULL);
  fs_object_button_set_in_job (self->window->object_button, self->job != NULL);
  choose_first_class (self);
  on_project_changed (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* ---- On to other photos ---- */

static void
report_all_done (FsJobFlow *self)
{
  const guint n = fs_folder_job_get_list (self->job)->photos->len;
  g_autofree char *text =
      g_strdup_printf (ngettext ("The folder’s photo is done.", "All %u photos are done.", n), n);
  fs_message_bar_show (self->window->messages, GTK_MESSAGE_INFO, text);
}

static void
on_flushed (gboolean saved, gpointer user_data)
{
}

/* The last photo that is not done is tried again, and reported, where it cannot be opened. */
static int
find_next (FsJobFlow *self, const FsFolderList *list)
{
  const int place =
      fs_folder_list_find (list, fs_folder_flow_get_place (self->window->folder_flow));
  const int next = fs_folder_list_next_unfinished (list, place);
  const gboolean is_shown =
      place == fs_folder_list_find (list, fs_project_get_photo_path (self->project));
  if (next >= 0 || place < 0 || is_shown)
    return next;
  return fs_folder_list_get (list, (guint)place)->state != FS_FOLDER_DONE ? place : -1;
}

void
fs_job_flow_next_unfinished (FsJobFlow *self)
{
  if (!is_ready (self))
    return;
  const FsFolderList *list = fs_folder_job_get_list (self->job);
  if (list == NULL) {
    fs_folder_flow_step (self->window->folder_flow, 1);
    return;
  }
  const int next = find_next (self, list);
  if (next >= 0) {
    g_autofree char *path = fs_folder_list_path (list, (guint)next);
    fs_folder_flow_go (self->window->folder_flow, path);
  } else if (fs_project_is_done (self->project)) {
    report_all_done (self);
    fs_autosave_flush (self->window->autosave, on_flushed, NULL);
  }
}

/* Nothing while the next photo is being opened: it would be passed over unseen. */
void
fs_job_flow_finish (FsJobFlow *self)
{
  if (!is_ready (self) || fs_open_flow_is_busy (self->window->open_flow)
      || fs_document_is_drawing (fs_project_get_document (self->project)))
    return;
  fs_project_set_done (self->project, TRUE);
  fs_job_flow_next_unfinished (self);
}

void
fs_job_flow_toggle_done (FsJobFlow *self)
{
  if (is_ready (self))
    fs_project_set_done (self->project, !fs_project_is_done (self->project));
}

/* ---- Keys ---- */

/* The digit on a key, whether it needs Shift, as on some keyboards, or not; 0: there is none. */
static int
find_digit (const GdkEventKey *event)
{
  GdkKeymap *keymap = gdk_keymap_get_for_display (gdk_display_get_default ());
  if (event->keyval >= GDK_KEY_KP_1 && event->keyval <= GDK_KEY_KP_9)
    return (int)(event->keyval - GDK_KEY_KP_0);
  static const GdkModifierType states[] = { 0, GDK_SHIFT_MASK };
  for (gsize i = 0; i < G_N_ELEMENTS (states); i++) {
    guint keyval = 0;
    gdk_keymap_translate_keyboard_state (keymap, event->hardware_keycode, states[i], event->group,
                                         &keyval, NULL, NULL, NULL);
    if (keyval >= GDK_KEY_1 && keyval <= GDK_KEY_9)
      return (int)(keyval - GDK_KEY_0);
  }
  return 0;
}

static gboolean
press_digit (FsJobFlow *self, const GdkEventKey *event)
{
  const int digit = find_digit (event);
  const FsFolderClasses *classes = fs_folder_job_get_classes (self->job);
  if (digit == 0 || classes->classes->len == 0)
    return FALSE;
  const FsFolderClass *class = fs_folder_classes_find_key (classes, digit);
  if (class != NULL) {
    fs_job_flow_choose_class (self, class->name, (event->state & GDK_SHIFT_MASK) != 0);
    return TRUE;
  }
  g_autofree char *text = g_strdup_printf (_ ("No class has the key %d."), digit);
  fs_message_bar_show (self->window->messages, GTK_MESSAGE_OTHER, text);
  return TRUE;
}

gboolean
fs_job_flow_key (FsJobFlow *self, const GdkEventKey *event)
{
  const GdkModifierType modifiers = event->state & (GDK_CONTROL_MASK | GDK_MOD1_MASK);
  if (!is_ready (self) || modifiers != 0)
    return FALSE;
  if (press_digit (self, event))
    return TRUE;
  /* Lists and entries have these keys for themselves. */
  if ((event->state & GDK_SHIFT_MASK) != 0
      || gtk_window_get_focus (GTK_WINDOW (self->window)) != GTK_WIDGET (self->window->canvas))
    return FALSE;
  switch (event->keyval) {
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
  case GDK_KEY_ISO_Enter:
    if (fs_canvas_has_key_cursor (self->window->canvas))
      return FALSE;
    fs_job_flow_finish (self);
    return TRUE;
  case GDK_KEY_Page_Down:
  case GDK_KEY_KP_Page_Down:
    fs_folder_flow_step (self->window->folder_flow, 1);
    return TRUE;
  case GDK_KEY_Page_Up:
  case GDK_KEY_KP_Page_Up:
    fs_folder_flow_step (self->window->folder_flow, -1);
    return TRUE;
  default:
    return FALSE;
  }
}

/* ---- Beginning ---- */

static void
on_classes_named (FsFolderClasses *classes, gpointer user_data)
{
  g_autoptr (FsJobFlow) self = user_data;
  g_autoptr (FsFolderClasses) named = classes;
  if (named == NULL || self->window == NULL || self->project == NULL)
    return;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_path_get_dirname (fs_project_get_photo_path (self->project));
  g_autoptr (FsFolderClasses) saved = fs_folder_classes_save (folder, NULL, named, &error);
  if (saved == NULL) {
    on_job_failed (self, error->message);
    return;
  }
  take_job (self);
  fs_job_flow_follow (self, fs_window_state_is_editable (self->window));
}

/* Names that objects of the photo have already are proposed. */
void
fs_job_flow_begin (FsJobFlow *self)
{
  if (self->project == NULL || self->job != NULL)
    return;
  g_autoptr (FsFolderClasses) proposed = fs_folder_classes_new ();
  for (int object = 1; object <= FS_TOOLS_LAST_OBJECT; object++) {
    const char *name = fs_project_get_name (self->project, fs_tools_object_label (object));
    if (name != NULL)
      fs_folder_classes_add (proposed, name);
  }
  fs_classes_dialog_ask (GTK_WINDOW (self->window), proposed, on_classes_named,
                         g_object_ref (self));
}

static void
find_first_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const char *folder = data;
  GError *error = NULL;
  g_autoptr (FsFolderList) list = fs_folder_list_read (folder, NULL, cancellable, &error);
  if (list == NULL) {
    g_task_return_error (task, error);
    return;
  }
  g_task_return_pointer (task, g_steal_pointer (&list), (GDestroyNotify)fs_folder_list_free);
}

static void
open_first (FsJobFlow *self)
{
  const FsFolderList *list = self->coming;
  const int next =
      fs_folder_classes_is_there (list->folder) ? fs_folder_list_next_unfinished (list, -1) : 0;
  self->place = (guint)MAX (next, 0);
  g_autofree char *path = fs_folder_list_path (list, self->place);
  fs_folder_flow_go (self->window->folder_flow, path);
}

/* A photo that cannot be opened does not keep the others from being opened. */
static void
on_open_failed (FsJobFlow *self, GFile *file)
{
  if (self->window == NULL || self->coming == NULL)
    return;
  g_autoptr (GFile) folder = g_file_new_for_path (self->coming->folder);
  if (g_file_has_parent (file, folder) && self->coming->photos->len > 1) {
    g_free (self->skipped);
    self->skipped = g_strdup (fs_message_bar_get_text (self->window->messages));
    g_ptr_array_remove_index (self->coming->photos, self->place);
    open_first (self);
  } else {
    drop_coming (self);
  }
}

static void
on_first_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsJobFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FsFolderList) list = g_task_propagate_pointer (G_TASK (result), &error);
  if (self->window == NULL || self->searching != g_task_get_cancellable (G_TASK (result)))
    return;
  g_clear_object (&self->searching);
  fs_message_bar_end_task (self->window->messages);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  drop_coming (self);
  if (list != NULL && list->photos->len > 0) {
    self->coming = g_steal_pointer (&list);
    open_first (self);
    return;
  }
  fs_message_bar_show (self->window->messages, GTK_MESSAGE_ERROR,
                       error != NULL ? error->message : _ ("There are no photos in the folder."));
}

static void
stop_searching (FsJobFlow *self)
{
  if (self->searching != NULL)
    g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
}

void
fs_job_flow_open_folder (FsJobFlow *self, const char *folder)
{
  g_return_if_fail (self->window != NULL && folder != NULL);

  stop_searching (self);
  self->searching = g_cancellable_new ();
  fs_message_bar_begin_task (self->window->messages, _ ("Reading the folder…"), self->searching);
  g_autoptr (GTask) task = g_task_new (NULL, self->searching, on_first_found, g_object_ref (self));
  g_task_set_source_tag (task, fs_job_flow_open_folder);
  g_task_set_task_data (task, g_canonicalize_filename (folder, NULL), g_free);
  g_task_run_in_thread (task, find_first_in_thread);
}

/* ---- The object ---- */

void
fs_job_flow_close (FsJobFlow *self)
{
  stop_searching (self);
  drop_job (self);
  if (self->project != NULL)
    g_signal_handlers_disconnect_by_data (self->project, self);
  g_signal_handlers_disconnect_by_data (self->window->photo_strip, self);
  self->window = NULL;
}

FsJobFlow *
fs_job_flow_new (FsWindow *window)
{
  FsJobFlow *self = g_object_new (FS_TYPE_JOB_FLOW, NULL);
  self->window = window;
  g_signal_connect_object (window->photo_strip, "chosen", G_CALLBACK (on_photo_chosen), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (window->open_flow, "failed", G_CALLBACK (on_open_failed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (window->autosave, "saved", G_CALLBACK (on_saved), self,
                           G_CONNECT_SWAPPED);
  return self;
}

static void
fs_job_flow_finalize (GObject *object)
{
  FsJobFlow *self = FS_JOB_FLOW (object);
  g_clear_object (&self->project);
  g_free (self->first_class);
  drop_coming (self);
  G_OBJECT_CLASS (fs_job_flow_parent_class)->finalize (object);
}

static void
fs_job_flow_class_init (FsJobFlowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fs_job_flow_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
fs_job_flow_init (FsJobFlow *self)
{
}
