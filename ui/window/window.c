/* SPDX-License-Identifier: MIT */
#include "ui/window/window.h"

#include "ui/open/drop.h"
#include "ui/save/export_choice.h"
#include "ui/settings/preferences.h"
#include "ui/window/folder_flow.h"
#include "ui/window/job_flow.h"
#include "ui/window/window_actions.h"
#include "ui/window/window_document.h"
#include "ui/window/window_layout.h"
#include "ui/window/window_size.h"
#include "ui/window/window_state.h"
#include "ui/window/window_work.h"

G_DEFINE_FINAL_TYPE (FsWindow, fs_window, GTK_TYPE_APPLICATION_WINDOW)

/* ---- Opening ---- */

void
fs_window_open (FsWindow *self, GFile *file)
{
  const char *path = g_file_peek_path (file);
  if (path != NULL && self->hand_over == NULL && g_file_test (path, G_FILE_TEST_IS_DIR))
    fs_job_flow_open_folder (self->job_flow, path);
  else
    fs_open_flow_open (self->open_flow, file);
}

void
fs_window_recover (FsWindow *self, FsLostWork *lost)
{
  fs_open_flow_recover (self->open_flow, lost);
}

gboolean
fs_window_is_free (FsWindow *self)
{
  return !fs_open_flow_is_busy (self->open_flow)
         && (self->project == NULL || !fs_project_is_unsaved (self->project));
}

/* TRUE also while the session is being opened. */
static gboolean
shows_session (FsWindow *self, GFile *file)
{
  GFile *coming = fs_open_flow_get_file (self->open_flow);
  const char *path = g_file_peek_path (file);
  if (coming != NULL)
    return g_file_equal (coming, file) && path != NULL && fs_open_job_is_session (path);
  const char *session = self->project != NULL ? fs_project_get_session_path (self->project) : NULL;
  g_autoptr (GFile) shown = session != NULL ? g_file_new_for_path (session) : NULL;
  return shown != NULL && g_file_equal (shown, file);
}

GtkWindow *
fs_window_find_session (GtkApplication *application, GFile *file)
{
  for (GList *l = gtk_application_get_windows (application); l != NULL; l = l->next)
    if (FS_IS_WINDOW (l->data) && shows_session (l->data, file))
      return l->data;
  return NULL;
}

static void
destroy_window (FsWindow *self, gpointer user_data)
{
  gtk_widget_destroy (GTK_WIDGET (self));
}

static void
on_handed_over (gpointer user_data)
{
  destroy_window (user_data, NULL);
}

void
fs_window_set_hand_over (FsWindow *self, const char *folder)
{
  g_return_if_fail (self->hand_over == NULL && self->project == NULL);
  self->hand_over = fs_hand_over_flow_new (folder, self->messages, on_handed_over, self);
  fs_window_layout_set_hand_over (self);
  fs_window_actions_update (self);
}

/* ---- Signals of the template ---- */

static void
on_stroke_ended (FsWindow *self)
{
  if (self->latency_log != NULL)
    fs_latency_log_stroke_ended (self->latency_log);
}

static void
on_drag_data_received (FsWindow *self, GdkDragContext *context, int x, int y,
                       GtkSelectionData *data, guint info, guint time)
{
  g_auto (GStrv) uris = gtk_selection_data_get_uris (data);
  /* The window's own cut-out, dragged and dropped on itself. */
  if (context != NULL && gtk_drag_get_source_widget (context) != NULL)
    return;
  fs_drop_open (GTK_WINDOW (self), self->messages, uris);
}

/* ---- Closing ---- */

static gboolean
fs_window_delete_event (GtkWidget *widget, GdkEventAny *event)
{
  FsWindow *self = FS_WINDOW (widget);
  /* Nothing is returned, as by Cancel in a dialog; the other program keeps earlier strokes. */
  if (self->hand_over != NULL && self->project != NULL)
    fs_project_discard (self->project);
  if (self->hand_over != NULL || !fs_window_work_is_unsaved (self, FS_UNSAVED_CLOSING))
    return GDK_EVENT_PROPAGATE;
  fs_window_work_leave (self, FS_UNSAVED_CLOSING, destroy_window, NULL);
  return GDK_EVENT_STOP;
}

/* ---- The parts ---- */

FsProject *
fs_window_get_project (FsWindow *self)
{
  return self->project;
}

gboolean
fs_window_is_editable (FsWindow *self)
{
  return fs_window_state_is_editable (self);
}

FsDocument *
fs_window_get_document (FsWindow *self)
{
  return self->document;
}

FsTools *
fs_window_get_tools (FsWindow *self)
{
  return self->tools;
}

FsCanvas *
fs_window_get_canvas (FsWindow *self)
{
  return self->canvas;
}

GtkWidget *
fs_window_get_latency_label (FsWindow *self)
{
  return self->latency_label;
}

GtkWidget *
fs_window_get_side_panel (FsWindow *self)
{
  return GTK_WIDGET (self->side_panel);
}

FsSubjectFlow *
fs_window_get_subject_flow (FsWindow *self)
{
  return self->subject_flow;
}

GtkWidget *
fs_window_get_menu_button (FsWindow *self)
{
  return GTK_WIDGET (self->menu_button);
}

FsMessageBar *
fs_window_get_messages (FsWindow *self)
{
  return self->messages;
}

FsWindow *
fs_window_new (GtkApplication *application)
{
  return g_object_new (FS_TYPE_WINDOW, "application", application, NULL);
}

static void
fs_window_dispose (GObject *object)
{
  FsWindow *self = FS_WINDOW (object);
  /* First, since it ends a running stroke. */
  if (self->canvas != NULL)
    fs_canvas_set_document (self->canvas, NULL, NULL);
  if (self->autosave != NULL)
    fs_autosave_set_project (self->autosave, NULL);
  fs_window_document_drop (self);
  if (self->open_flow != NULL) {
    g_signal_handlers_disconnect_by_data (self->open_flow, self);
    fs_open_flow_close (self->open_flow);
  }
  g_clear_object (&self->open_flow);
  if (self->job_flow != NULL)
    fs_job_flow_close (self->job_flow);
  g_clear_object (&self->job_flow);
  if (self->export_all != NULL)
    fs_export_all_close (self->export_all);
  g_clear_object (&self->export_all);
  if (self->autosave != NULL)
    fs_autosave_close (self->autosave);
  g_clear_object (&self->autosave);
  if (self->folder_flow != NULL)
    fs_folder_flow_close (self->folder_flow);
  g_clear_object (&self->folder_flow);
  if (self->save_flow != NULL)
    fs_save_flow_close (self->save_flow);
  g_clear_object (&self->save_flow);
  if (self->export_flow != NULL)
    fs_export_flow_close (self->export_flow);
  g_clear_object (&self->export_flow);
  if (self->copy_flow != NULL)
    fs_copy_flow_close (self->copy_flow);
  g_clear_object (&self->copy_flow);
  if (self->import_flow != NULL)
    fs_import_flow_close (self->import_flow);
  g_clear_object (&self->import_flow);
  if (self->subject_flow != NULL)
    fs_subject_flow_close (self->subject_flow);
  g_clear_object (&self->subject_flow);
  if (self->hand_over != NULL)
    fs_hand_over_flow_close (self->hand_over);
  g_clear_object (&self->hand_over);
  g_clear_object (&self->drag_out);
  g_clear_object (&self->recent_menu);
  g_clear_object (&self->announcer);
  g_clear_object (&self->tools);
  g_clear_pointer (&self->own_session, g_free);
  G_OBJECT_CLASS (fs_window_parent_class)->dispose (object);
}

static void
fs_window_class_init (FsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fs_window_dispose;
  widget_class->delete_event = fs_window_delete_event;
  fs_window_layout_class_init (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, on_stroke_ended);
  gtk_widget_class_bind_template_callback (widget_class, on_drag_data_received);
}

static void
fs_window_init (FsWindow *self)
{
  self->tools = fs_tools_new ();
  fs_preferences_bind ("brush-size", self->tools, "brush-size");
  fs_preferences_bind ("view", self->tools, "view");
  g_object_bind_property (fs_export_choice_get (), "soft-mask", self->tools, "soft-mask",
                          G_BINDING_SYNC_CREATE);
  fs_window_layout_init (self);
  self->export_flow = fs_export_flow_new (GTK_WINDOW (self), self->messages);
  self->copy_flow = fs_copy_flow_new (self->messages);
  self->import_flow = fs_import_flow_new (GTK_WINDOW (self), self->messages, self->canvas);
  FsSubjectWidgets widgets = { self->canvas, self->messages, self->status_line,
                               self->subject_button, self->hint };
  self->subject_flow = fs_subject_flow_new (GTK_WINDOW (self), &widgets);
  self->drag_out = fs_drag_out_new (self->export_button);
  self->save_flow = fs_save_flow_new (GTK_WINDOW (self), self->messages, fs_window_find_session);
  g_signal_connect_object (self->save_flow, "leaves", G_CALLBACK (fs_window_document_leave), self,
                           G_CONNECT_SWAPPED);
  self->open_flow = fs_open_flow_new (GTK_WINDOW (self), self->messages);
  self->folder_flow = fs_folder_flow_new (self, fs_window_find_session);
  self->autosave = fs_autosave_new (self->save_flow, self->messages);
  self->export_all = fs_export_all_new (GTK_WINDOW (self), self->messages, self->autosave);
  self->job_flow = fs_job_flow_new (self);
  g_signal_connect_swapped (self->open_flow, "opened", G_CALLBACK (fs_window_document_opened),
                            self);
  g_signal_connect_swapped (self->open_flow, "ended", G_CALLBACK (fs_window_document_restored),
                            self);
  g_signal_connect_object (self->job_flow, "changed", G_CALLBACK (fs_window_actions_update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->subject_flow, "changed", G_CALLBACK (fs_window_actions_update),
                            self);
  gtk_drag_dest_set (GTK_WIDGET (self), GTK_DEST_DEFAULT_ALL, NULL, 0, GDK_ACTION_COPY);
  gtk_drag_dest_add_uri_targets (GTK_WIDGET (self));
  fs_window_actions_install (self);
  fs_window_size_remember (GTK_WINDOW (self));
}
