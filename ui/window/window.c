/* SPDX-License-Identifier: MIT */
#include "ui/window/window.h"

#include "app/backend/backend_choice.h"
#include "app/files/display_name.h"
#include "ui/settings/brush_entry.h"
#include "ui/settings/brush_slider.h"
#include "ui/save/copy_flow.h"
#include "ui/save/drag_out.h"
#include "ui/open/drop.h"
#include "ui/save/export_flow.h"
#include "ui/status/adaptive_bin.h"
#include "ui/window/folder_flow.h"
#include "ui/status/hint.h"
#include "ui/open/import_flow.h"
#include "ui/status/latency_log.h"
#include "ui/status/latency_readout.h"
#include "ui/status/accessible_announcer.h"
#include "ui/window/object_button.h"
#include "ui/open/open_flow.h"
#include "ui/settings/preferences.h"
#include "ui/open/recent.h"
#include "ui/window/session_offer.h"
#include "ui/save/save_flow.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/side_panel.h"
#include "ui/status/status_line.h"
#include "ui/settings/tool_panel.h"
#include "ui/window/window_actions.h"
#include "ui/window/window_choices.h"
#include "ui/window/window_size.h"
#include <glib/gi18n.h>

struct _FsWindow {
  GtkApplicationWindow parent;

  GtkStack *title_stack;
  GtkStack *content_stack;
  FsMessageBar *messages;
  FsCanvas *canvas;
  FsStatusLine *status_line;
  FsSettingsPanel *settings_panel;
  FsToolPanel *tool_panel;
  FsSubjectButton *subject_button;
  FsObjectButton *object_button;
  FsFinderPanel *finder_panel;
  FsSidePanel *side_panel;
  GtkWidget *panel_space;
  FsHint *hint;
  GtkWidget *history_buttons;
  GtkWidget *latency_label;
  GtkWidget *compare_button;
  GtkWidget *settings_button;
  GtkWidget *export_button;
  GtkAdjustment *brush_size;
  GtkEntry *brush_entry;

  FsTools *tools;
  FsNarrator *narrator;
  FsProject *project;   /* NULL: the empty state */
  FsDocument *document; /* the work's */
  GtkMenuButton *menu_button;
  GtkMenuButton *view_button;
  GtkLabel *view_label;
  GMenu *recent_menu;
  FsOpenFlow *open_flow;
  FsFolderFlow *folder_flow;
  FsSaveFlow *save_flow;
  FsExportFlow *export_flow;
  FsCopyFlow *copy_flow;
  FsImportFlow *import_flow;
  FsSubjectFlow *subject_flow;
  FsDragOut *drag_out;
  FsLatencyLog *latency_log;

  /* The action that waits for an answer about unsaved work. */
  void (*go) (FsWindow *self, gpointer user_data);
  gpointer go_data;
};

G_DEFINE_FINAL_TYPE (FsWindow, fs_window, GTK_TYPE_APPLICATION_WINDOW)

/* ---- The document ---- */

static void
on_document_changed (FsWindow *self)
{
  gboolean cut = fs_document_get_status (self->document).has_mask;
  fs_drag_out_set_project (self->drag_out, cut ? self->project : NULL);
  fs_window_actions_update (self);
}

static void
on_document_failed (FsWindow *self, const GError *error)
{
  g_autofree char *text =
      g_strdup_printf (_ ("The cut could not be computed: %s. Your strokes are kept; undo the "
                          "last one or paint on to try again."),
                       error->message);
  fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, text);
}

/* That a graphics processor is not there or has failed is said once. */
static void
on_status_changed (FsWindow *self)
{
  const char *notice = fs_backend_choice_take_notice ();
  if (notice != NULL)
    fs_message_bar_show (self->messages, GTK_MESSAGE_INFO, notice);
}

static void
watch_document (FsWindow *self)
{
  static const char *const changes[] = { "notify::can-undo", "notify::can-redo", "notify::busy",
                                         "status-changed" };
  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    g_signal_connect_object (self->document, changes[i], G_CALLBACK (on_document_changed), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "status-changed", G_CALLBACK (on_status_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "failed", G_CALLBACK (on_document_failed), self,
                           G_CONNECT_SWAPPED);
}

static void
drop_document (FsWindow *self)
{
  if (self->document == NULL)
    return;
  fs_subject_flow_cancel (self->subject_flow);
  g_signal_handlers_disconnect_by_data (self->document, self);
  g_signal_handlers_disconnect_by_data (self->project, self);
  fs_drag_out_set_project (self->drag_out, NULL);
  fs_project_close (self->project);
  g_clear_pointer (&self->latency_log, fs_latency_log_free);
  self->document = NULL;
  g_clear_object (&self->project);
}

/* The name to call the work by. */
static char *
work_name (FsWindow *self)
{
  const char *session = fs_project_get_session_path (self->project);
  g_autofree char *shown =
      fs_display_name (session != NULL ? session : fs_project_get_photo_path (self->project));
  return g_path_get_basename (shown);
}

static void
on_work_changed (FsWindow *self)
{
  g_autofree char *name = work_name (self);
  /* Translators: the title of a window whose work is not saved */
  g_autofree char *marked = g_strdup_printf (_ ("• %s"), name);
  gtk_window_set_title (GTK_WINDOW (self), fs_project_is_unsaved (self->project) ? marked : name);
  fs_window_actions_update (self);
}

static void
on_journal_failed (FsWindow *self, const GError *error)
{
  g_autofree char *text =
      g_strdup_printf (_ ("Your strokes are not safe from a crash at the moment (%s). Save the "
                          "session now and then."),
                       error->message);
  fs_message_bar_show (self->messages, GTK_MESSAGE_WARNING, text);
}

static void
show_widgets (FsWindow *self, gboolean photo)
{
  gtk_stack_set_visible_child_name (self->content_stack, photo ? "photo" : "empty");
  gtk_stack_set_visible_child_name (self->title_stack, photo ? "views" : "title");
  gtk_widget_set_visible (self->history_buttons, photo);
  gtk_widget_set_visible (self->compare_button, photo);
  gtk_widget_set_visible (self->settings_button, photo);
  gtk_widget_set_visible (self->export_button, photo);
  gtk_widget_set_visible (GTK_WIDGET (self->status_line), photo);
}

static void
show_document (FsWindow *self, FsProject *project, FsOpened *opened)
{
  /* Only the walk through a folder replaces unsaved work. */
  if (self->project != NULL && fs_project_is_exported (self->project))
    fs_project_discard (self->project);
  drop_document (self);
  self->project = g_object_ref (project);
  self->document = fs_project_get_document (project);
  self->latency_log = fs_latency_log_new (self->document);
  watch_document (self);
  g_signal_connect_object (project, "changed", G_CALLBACK (on_work_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (project, "journal-failed", G_CALLBACK (on_journal_failed), self,
                           G_CONNECT_SWAPPED);

  g_autofree char *shown = fs_display_name (fs_project_get_photo_path (project));
  g_autofree char *name = g_path_get_basename (shown);
  gboolean editable = fs_window_is_editable (self);
  show_widgets (self, TRUE);
  gtk_widget_set_sensitive (GTK_WIDGET (self->canvas), editable);
  fs_canvas_set_document (self->canvas, self->document, g_steal_pointer (&opened->pyramid));
  fs_status_line_set_document (self->status_line, self->document, name);
  fs_settings_panel_set_document (self->settings_panel, editable ? self->document : NULL);
  fs_hint_set_document (self->hint, editable ? self->document : NULL);
  fs_narrator_set_project (self->narrator, project);
  fs_object_button_set_project (self->object_button, project);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  on_document_changed (self);
  on_work_changed (self);
}

static void
show_nothing (FsWindow *self)
{
  fs_canvas_set_document (self->canvas, NULL, NULL);
  fs_status_line_set_document (self->status_line, NULL, NULL);
  fs_settings_panel_set_document (self->settings_panel, NULL);
  fs_hint_set_document (self->hint, NULL);
  fs_narrator_set_project (self->narrator, NULL);
  fs_object_button_set_project (self->object_button, NULL);
  drop_document (self);
  show_widgets (self, FALSE);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Fretsaw"));
  fs_window_actions_update (self);
}

static void
on_stroke_ended (FsWindow *self)
{
  if (self->latency_log != NULL)
    fs_latency_log_stroke_ended (self->latency_log);
}

static void
on_zoom_changed (FsWindow *self)
{
  double zoom;
  g_object_get (self->canvas, "zoom", &zoom, NULL);
  fs_status_line_set_zoom (self->status_line, zoom);
}

static void
on_latency_shown (FsWindow *self)
{
  fs_status_line_set_detailed (self->status_line, gtk_widget_get_visible (self->latency_label));
}

/* Files come and go while nobody looks. */
static void
on_menu_toggled (FsWindow *self)
{
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->menu_button)))
    fs_recent_fill (self->recent_menu);
}

/* ---- Opening ---- */

/* These views hide the background, and after a first stroke nearly everything is background. */
static void
leave_views_of_result (FsWindow *self)
{
  FsView view = fs_tools_get_view (self->tools);
  if (view == FS_VIEW_CUTOUT || view == FS_VIEW_MASK)
    fs_tools_set_view (self->tools, FS_VIEW_OVERLAY);
}

static void
on_opened (FsWindow *self, FsProject *project, FsOpened *opened)
{
  const char *path = opened->session_path != NULL ? opened->session_path : opened->photo_path;
  fs_recent_add (path);
  fs_tools_forget_object (self->tools);
  if (opened->session == NULL)
    leave_views_of_result (self);
  show_document (self, project, opened);
  if (opened->session == NULL)
    fs_subject_flow_photo_opened (self->subject_flow);
  fs_session_offer_show (GTK_WINDOW (self), self->messages, opened->saved_session);
}

/* The strokes are back. Where they were not waited for, what is there is no work of anybody's. */
static void
on_restored (FsWindow *self, gboolean done)
{
  if (!done) {
    show_nothing (self);
    return;
  }
  gtk_widget_set_sensitive (GTK_WIDGET (self->canvas), TRUE);
  fs_settings_panel_set_document (self->settings_panel, self->document);
  fs_hint_set_document (self->hint, self->document);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  on_document_changed (self);
  on_work_changed (self);
}

void
fs_window_open (FsWindow *self, GFile *file)
{
  fs_open_flow_open (self->open_flow, file);
}

void
fs_window_stop_opening (FsWindow *self)
{
  fs_open_flow_cancel (self->open_flow);
}

void
fs_window_step (FsWindow *self, int step)
{
  fs_folder_flow_step (self->folder_flow, step);
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

gboolean
fs_window_has_session (FsWindow *self, GFile *file)
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
    if (FS_IS_WINDOW (l->data) && fs_window_has_session (l->data, file))
      return l->data;
  return NULL;
}

gboolean
fs_window_is_editable (FsWindow *self)
{
  return self->document != NULL && !fs_open_flow_is_restoring (self->open_flow);
}

static void
on_drag_data_received (FsWindow *self, GdkDragContext *context, int x, int y,
                       GtkSelectionData *data, guint info, guint time)
{
  g_auto (GStrv) uris = gtk_selection_data_get_uris (data);
  /* The cut-out that was meant to leave, let go too early. */
  if (context != NULL && gtk_drag_get_source_widget (context) != NULL)
    return;
  fs_drop_open (GTK_WINDOW (self), self->messages, uris);
}

/* ---- Saving and closing ---- */

void
fs_window_save (FsWindow *self, gboolean ask)
{
  g_return_if_fail (self->project != NULL);
  fs_save_flow_save (self->save_flow, self->project, ask, NULL, NULL);
}

static void
on_saved_before_leaving (gboolean saved, gpointer user_data)
{
  FsWindow *self = user_data;
  if (saved && !fs_project_is_unsaved (self->project))
    self->go (self, self->go_data);
}

static void
on_unsaved_answer (FsUnsavedAnswer answer, gpointer user_data)
{
  FsWindow *self = user_data;
  if (answer == FS_UNSAVED_SAVE)
    fs_save_flow_save (self->save_flow, self->project, FALSE, on_saved_before_leaving, self);
  if (answer != FS_UNSAVED_DISCARD)
    return;
  fs_project_discard (self->project);
  self->go (self, self->go_data);
}

/* Strokes that are still coming back are in their file, or in their journal. In the walk through a
 * folder an export ends the work on a photo (docs/decisions/sessions-and-journals.md). */
static gboolean
has_unsaved_work (FsWindow *self, FsUnsavedBefore before)
{
  return fs_window_is_editable (self) && fs_project_is_unsaved (self->project)
         && !(before == FS_UNSAVED_NEXT_PHOTO && fs_project_is_exported (self->project));
}

void
fs_window_leave (FsWindow *self, FsUnsavedBefore before,
                 void (*go) (FsWindow *self, gpointer user_data), gpointer user_data)
{
  self->go = go;
  self->go_data = user_data;
  if (!has_unsaved_work (self, before)) {
    go (self, user_data);
    return;
  }
  g_autofree char *name = work_name (self);
  fs_unsaved_dialog_ask (GTK_WINDOW (self), before, self->project, name, on_unsaved_answer, self);
}

static void
destroy (FsWindow *self, gpointer user_data)
{
  gtk_widget_destroy (GTK_WIDGET (self));
}

static gboolean
fs_window_delete_event (GtkWidget *widget, GdkEventAny *event)
{
  FsWindow *self = FS_WINDOW (widget);
  if (!has_unsaved_work (self, FS_UNSAVED_CLOSING))
    return GDK_EVENT_PROPAGATE;
  fs_window_leave (self, FS_UNSAVED_CLOSING, destroy, NULL);
  return GDK_EVENT_STOP;
}

/* ---- The parts ---- */

void
fs_window_export (FsWindow *self, gboolean again)
{
  g_return_if_fail (self->project != NULL);
  if (again)
    fs_export_flow_repeat (self->export_flow, self->project);
  else
    fs_export_flow_ask (self->export_flow, self->project);
}

void
fs_window_import_mask (FsWindow *self)
{
  g_return_if_fail (self->project != NULL);
  fs_import_flow_ask (self->import_flow, self->project);
}

void
fs_window_copy (FsWindow *self)
{
  g_return_if_fail (self->project != NULL);
  fs_copy_flow_start (self->copy_flow, self->project);
}

FsProject *
fs_window_get_project (FsWindow *self)
{
  return self->project;
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

FsFinderPanel *
fs_window_get_finder_panel (FsWindow *self)
{
  return self->finder_panel;
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
  /* First, since it ends a stroke that is being painted. */
  if (self->canvas != NULL)
    fs_canvas_set_document (self->canvas, NULL, NULL);
  drop_document (self);
  if (self->open_flow != NULL) {
    g_signal_handlers_disconnect_by_data (self->open_flow, self);
    fs_open_flow_close (self->open_flow);
  }
  g_clear_object (&self->open_flow);
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
  g_clear_object (&self->drag_out);
  g_clear_object (&self->recent_menu);
  g_clear_object (&self->narrator);
  g_clear_object (&self->tools);
  G_OBJECT_CLASS (fs_window_parent_class)->dispose (object);
}

/* Where there is no room for the views' buttons, one button names the view and opens a menu. */
static void
on_view_changed (FsWindow *self)
{
  g_autoptr (GEnumClass) views = g_type_class_ref (FS_TYPE_VIEW);
  const GEnumValue *view = g_enum_get_value (views, (int)fs_tools_get_view (self->tools));
  gtk_label_set_text (self->view_label, fs_window_choices_call ("view", view->value_nick, self));
}

static void
bind_template_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, FsWindow, title_stack);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, content_stack);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, messages);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, canvas);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, status_line);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, settings_panel);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, tool_panel);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, object_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, subject_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, side_panel);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, finder_panel);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, panel_space);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, hint);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, history_buttons);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, latency_label);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, compare_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, settings_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, export_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, brush_size);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, brush_entry);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, view_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, view_label);
  fs_window_choices_declare (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, on_menu_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_stroke_ended);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_drag_data_received);
}

static void
fs_window_class_init (FsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fs_window_dispose;
  widget_class->delete_event = fs_window_delete_event;
  g_type_ensure (FS_TYPE_CANVAS);
  g_type_ensure (FS_TYPE_FINDER_PANEL);
  g_type_ensure (FS_TYPE_FITTING);
  g_type_ensure (FS_TYPE_HINT);
  g_type_ensure (FS_TYPE_MESSAGE_BAR);
  g_type_ensure (FS_TYPE_OBJECT_BUTTON);
  g_type_ensure (FS_TYPE_SETTINGS_PANEL);
  g_type_ensure (FS_TYPE_SIDE_PANEL);
  g_type_ensure (FS_TYPE_SUBJECT_BUTTON);
  g_type_ensure (FS_TYPE_TOOL_PANEL);
  g_type_ensure (FS_TYPE_STATUS_LINE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/window.ui");
  bind_template_children (widget_class);
}

static void
show_menu (FsWindow *self)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/io/github/fretsaw/Fretsaw/menu.ui");
  gtk_menu_button_set_menu_model (self->menu_button,
                                  G_MENU_MODEL (gtk_builder_get_object (builder, "primary_menu")));
  gtk_menu_button_set_menu_model (self->view_button,
                                  G_MENU_MODEL (gtk_builder_get_object (builder, "view_menu")));
  self->recent_menu = g_object_ref (G_MENU (gtk_builder_get_object (builder, "recent_menu")));
  fs_recent_fill (self->recent_menu);
}

static void
fs_window_init (FsWindow *self)
{
  self->tools = fs_tools_new ();
  fs_preferences_bind ("brush-size", self->tools, "brush-size");
  fs_preferences_bind ("view", self->tools, "view");
  gtk_widget_init_template (GTK_WIDGET (self));
  fs_canvas_set_tools (self->canvas, self->tools);
  fs_hint_follow (self->hint, self->tools);
  fs_tool_panel_set_tools (self->tool_panel, self->tools);
  fs_object_button_set_tools (self->object_button, self->tools);
  fs_side_panel_set_space (self->side_panel, self->panel_space);
  fs_preferences_bind ("side-panel", self->side_panel, "reveal-child");
  g_signal_connect_object (self->latency_label, "notify::visible", G_CALLBACK (on_latency_shown),
                           self, G_CONNECT_SWAPPED);
  fs_latency_readout_attach (GTK_LABEL (self->latency_label), fs_canvas_get_probe (self->canvas));
  self->narrator =
      fs_narrator_new (GTK_WIDGET (self->canvas), self->tools, fs_window_choices_call, self);
  fs_window_choices_bind (self);
  g_signal_connect_object (self->tools, "notify::view", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  on_view_changed (self);
  fs_brush_slider_bind (self->brush_size, self->tools);
  fs_brush_entry_bind (self->brush_entry, self->tools, GTK_WIDGET (self->canvas));
  self->export_flow = fs_export_flow_new (GTK_WINDOW (self), self->messages);
  self->copy_flow = fs_copy_flow_new (self->messages);
  self->import_flow = fs_import_flow_new (GTK_WINDOW (self), self->messages, self->canvas);
  FsSubjectWidgets widgets = { self->canvas, self->messages, self->status_line,
                               self->subject_button, self->hint };
  self->subject_flow = fs_subject_flow_new (GTK_WINDOW (self), &widgets);
  self->drag_out = fs_drag_out_new (self->export_button);
  self->save_flow = fs_save_flow_new (GTK_WINDOW (self), self->messages, fs_window_find_session);
  self->open_flow = fs_open_flow_new (GTK_WINDOW (self), self->messages);
  self->folder_flow = fs_folder_flow_new (self);
  g_signal_connect_swapped (self->open_flow, "opened", G_CALLBACK (on_opened), self);
  g_signal_connect_swapped (self->open_flow, "ended", G_CALLBACK (on_restored), self);
  g_signal_connect_swapped (self->subject_flow, "changed", G_CALLBACK (fs_window_actions_update),
                            self);
  show_menu (self);
  fs_status_line_set_document (self->status_line, NULL, NULL);
  fs_settings_panel_set_document (self->settings_panel, NULL);
  on_zoom_changed (self);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Fretsaw"));
  gtk_drag_dest_set (GTK_WIDGET (self), GTK_DEST_DEFAULT_ALL, NULL, 0, GDK_ACTION_COPY);
  gtk_drag_dest_add_uri_targets (GTK_WIDGET (self));
  fs_window_actions_install (self);
  fs_window_size_remember (GTK_WINDOW (self));
}
