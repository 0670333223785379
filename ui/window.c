/* SPDX-License-Identifier: MIT */
#include "ui/window.h"

#include "app/backend_choice.h"
#include "ui/choice.h"
#include "ui/drop.h"
#include "ui/export_flow.h"
#include "ui/hint.h"
#include "ui/latency_log.h"
#include "ui/open_job.h"
#include "ui/preferences.h"
#include "ui/settings_panel.h"
#include "ui/status_line.h"
#include "ui/window_actions.h"
#include "ui/window_size.h"
#include <glib/gi18n.h>
#include <math.h>

struct _FsWindow {
  GtkApplicationWindow parent;

  GtkStack *title_stack;
  GtkStack *content_stack;
  FsMessageBar *messages;
  FsCanvas *canvas;
  FsStatusLine *status_line;
  FsSettingsPanel *settings_panel;
  FsHint *hint;
  GtkWidget *history_buttons;
  GtkWidget *settings_button;
  GtkWidget *export_button;
  GtkAdjustment *brush_size;

  FsTools *tools;
  FsDocument *document; /* NULL: the empty state */
  GFile *file;          /* of the document */
  FsExportFlow *export_flow;
  FsLatencyLog *latency_log;
  GCancellable *opening; /* while a photo loads */
};

G_DEFINE_FINAL_TYPE (FsWindow, fs_window, GTK_TYPE_APPLICATION_WINDOW)

/* ---- The document ---- */

static void
on_document_changed (FsWindow *self)
{
  fs_window_actions_update (self);
  gtk_widget_set_sensitive (self->export_button, fs_document_get_status (self->document).has_mask);
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
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_pointer (&self->latency_log, fs_latency_log_free);
  g_clear_object (&self->document);
  g_clear_object (&self->file);
}

static void
show_document (FsWindow *self, FsOpened *opened, GFile *file)
{
  drop_document (self);
  FsSettings settings = fs_settings_panel_get_defaults ();
  self->document = fs_document_new (opened->photo->image, &settings);
  self->file = g_object_ref (file);
  self->latency_log = fs_latency_log_new (self->document);
  watch_document (self);

  g_autofree char *name = g_filename_display_basename (g_file_peek_path (file));
  gtk_stack_set_visible_child_name (self->content_stack, "photo");
  gtk_stack_set_visible_child_name (self->title_stack, "views");
  gtk_widget_show (self->history_buttons);
  gtk_widget_show (self->settings_button);
  gtk_widget_show (self->export_button);
  gtk_widget_show (GTK_WIDGET (self->status_line));
  fs_canvas_set_document (self->canvas, self->document, g_steal_pointer (&opened->pyramid));
  fs_status_line_set_document (self->status_line, self->document, name);
  fs_settings_panel_set_document (self->settings_panel, self->document);
  gtk_window_set_title (GTK_WINDOW (self), name);
  fs_hint_set_document (self->hint, self->document);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  on_document_changed (self);
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

/* ---- Opening ---- */

typedef struct {
  FsWindow *window;
  GFile *file;
  GCancellable *cancellable;
} Opening;

static void
opening_free (Opening *opening)
{
  g_object_unref (opening->window);
  g_object_unref (opening->file);
  g_object_unref (opening->cancellable);
  g_free (opening);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opening, opening_free)

/* `path` is NULL for a file of another computer. */
static void
show_error (FsWindow *self, const GError *error, const char *path)
{
  if (path != NULL)
    fs_message_bar_show_about (self->messages, GTK_MESSAGE_ERROR, error->message, path);
  else
    fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, error->message);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Opening) opening = user_data;
  FsWindow *self = opening->window;
  g_autoptr (GError) error = NULL;
  g_autoptr (FsOpened) opened = fs_open_job_finish (result, &error);
  /* Another photo, or the end of the window, has overtaken this one. */
  if (self->opening != opening->cancellable)
    return;
  g_clear_object (&self->opening);
  fs_message_bar_end_task (self->messages);
  const char *path = g_file_peek_path (opening->file);
  if (opened == NULL) {
    if (!g_cancellable_is_cancelled (opening->cancellable))
      show_error (self, error, path);
    return;
  }
  show_document (self, opened, opening->file);
  if (opened->photo->warning != NULL)
    fs_message_bar_show_about (self->messages, GTK_MESSAGE_WARNING, opened->photo->warning, path);
}

static void
cancel_opening (FsWindow *self)
{
  if (self->opening == NULL)
    return;
  g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
}

void
fs_window_open (FsWindow *self, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *shown = g_filename_display_name (name);
  g_autofree char *text = g_strdup_printf (_ ("Opening “%s”…"), shown);
  cancel_opening (self);
  self->opening = g_cancellable_new ();
  fs_message_bar_clear (self->messages);
  fs_message_bar_begin_task (self->messages, text, self->opening);

  Opening *opening = g_new (Opening, 1);
  opening->window = g_object_ref (self);
  opening->file = g_object_ref (file);
  opening->cancellable = g_object_ref (self->opening);
  fs_open_job_start (file, self->opening, on_opened, opening);
}

gboolean
fs_window_is_free (FsWindow *self)
{
  return self->opening == NULL
         && (self->document == NULL || !fs_document_is_modified (self->document));
}

static void
on_drag_data_received (FsWindow *self, GdkDragContext *context, int x, int y,
                       GtkSelectionData *data, guint info, guint time)
{
  g_auto (GStrv) uris = gtk_selection_data_get_uris (data);
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  for (int i = 0; uris != NULL && uris[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GFile) file = fs_drop_file_for_uri (uris[i], &error);
    if (file != NULL)
      fs_application_open (FS_APPLICATION (application), GTK_WINDOW (self), file);
    else
      fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, error->message);
  }
}

/* ---- Closing ---- */

enum { RESPONSE_EXPORT = 1, RESPONSE_CLOSE };

static void
on_close_response (GtkDialog *dialog, int response, FsWindow *self)
{
  gtk_widget_destroy (GTK_WIDGET (dialog));
  if (response == RESPONSE_EXPORT)
    fs_window_export (self, FS_EXPORT_CUTOUT);
  else if (response == RESPONSE_CLOSE)
    gtk_widget_destroy (GTK_WIDGET (self));
}

static void
ask_before_closing (FsWindow *self)
{
  GtkWidget *dialog =
      gtk_message_dialog_new (GTK_WINDOW (self), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                              GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
                              _ ("Close without exporting?"));
  gtk_message_dialog_format_secondary_text (
      GTK_MESSAGE_DIALOG (dialog), _ ("What you painted since the last export will be lost."));
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _ ("Close _Without Exporting"), RESPONSE_CLOSE,
                          _ ("_Cancel"), GTK_RESPONSE_CANCEL, _ ("_Export Cut-Out…"),
                          RESPONSE_EXPORT, NULL);
  GtkWidget *close = gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), RESPONSE_CLOSE);
  gtk_style_context_add_class (gtk_widget_get_style_context (close),
                               GTK_STYLE_CLASS_DESTRUCTIVE_ACTION);
  gtk_dialog_set_response_sensitive (GTK_DIALOG (dialog), RESPONSE_EXPORT,
                                     fs_document_get_status (self->document).has_mask);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), RESPONSE_EXPORT);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_close_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
fs_window_delete_event (GtkWidget *widget, GdkEventAny *event)
{
  FsWindow *self = FS_WINDOW (widget);
  if (self->document == NULL || !fs_document_is_modified (self->document))
    return GDK_EVENT_PROPAGATE;
  ask_before_closing (self);
  return GDK_EVENT_STOP;
}

/* ---- The parts ---- */

void
fs_window_export (FsWindow *self, FsExportKind kind)
{
  g_return_if_fail (self->document != NULL);
  fs_export_flow_ask (self->export_flow, self->document, kind, self->file);
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

FsMessageBar *
fs_window_get_messages (FsWindow *self)
{
  return self->messages;
}

FsWindow *
fs_window_new (FsApplication *application)
{
  return g_object_new (FS_TYPE_WINDOW, "application", application, NULL);
}

static void
fs_window_dispose (GObject *object)
{
  FsWindow *self = FS_WINDOW (object);
  cancel_opening (self);
  if (self->export_flow != NULL)
    fs_export_flow_close (self->export_flow);
  g_clear_object (&self->export_flow);
  if (self->canvas != NULL)
    fs_canvas_set_document (self->canvas, NULL, NULL);
  drop_document (self);
  g_clear_object (&self->tools);
  G_OBJECT_CLASS (fs_window_parent_class)->dispose (object);
}

/* The slider's steps are ratios: half as large is as far as twice as large. */
static gboolean
size_to_slider (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  g_value_set_double (to, log2 (g_value_get_int (from)));
  return TRUE;
}

static gboolean
slider_to_size (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  g_value_set_int (to, (int)lround (exp2 (g_value_get_double (from))));
  return TRUE;
}

/* The buttons are called after the values: tool_object, view_mask, … */
static void
for_each_choice (GType type, const char *property,
                 void (*visit) (const char *child, const char *property, int value, gpointer data),
                 gpointer data)
{
  g_autoptr (GEnumClass) enumeration = g_type_class_ref (type);
  for (guint i = 0; i < enumeration->n_values; i++) {
    g_autofree char *child = g_strdup_printf ("%s_%s", property, enumeration->values[i].value_nick);
    visit (child, property, enumeration->values[i].value, data);
  }
}

static void
declare_choice (const char *child, const char *property, int value, gpointer widget_class)
{
  gtk_widget_class_bind_template_child_full (widget_class, child, FALSE, 0);
}

static void
bind_choice (const char *child, const char *property, int value, gpointer user_data)
{
  FsWindow *self = user_data;
  GObject *button = gtk_widget_get_template_child (GTK_WIDGET (self), FS_TYPE_WINDOW, child);
  fs_choice_bind (GTK_TOGGLE_BUTTON (button), G_OBJECT (self->tools), property, value);
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
  gtk_widget_class_bind_template_child (widget_class, FsWindow, hint);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, history_buttons);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, settings_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, export_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, brush_size);
  for_each_choice (FS_TYPE_TOOL, "tool", declare_choice, widget_class);
  for_each_choice (FS_TYPE_VIEW, "view", declare_choice, widget_class);
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
  g_type_ensure (FS_TYPE_HINT);
  g_type_ensure (FS_TYPE_MESSAGE_BAR);
  g_type_ensure (FS_TYPE_SETTINGS_PANEL);
  g_type_ensure (FS_TYPE_STATUS_LINE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/window.ui");
  bind_template_children (widget_class);
}

static void
fs_window_init (FsWindow *self)
{
  self->tools = fs_tools_new ();
  fs_preferences_bind ("brush-size", self->tools, "brush-size");
  fs_preferences_bind ("view", self->tools, "view");
  gtk_widget_init_template (GTK_WIDGET (self));
  fs_canvas_set_tools (self->canvas, self->tools);
  for_each_choice (FS_TYPE_TOOL, "tool", bind_choice, self);
  for_each_choice (FS_TYPE_VIEW, "view", bind_choice, self);
  g_object_bind_property_full (self->tools, "brush-size", self->brush_size, "value",
                               G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE, size_to_slider,
                               slider_to_size, NULL, NULL);
  self->export_flow = fs_export_flow_new (GTK_WINDOW (self), self->messages);
  fs_status_line_set_document (self->status_line, NULL, NULL);
  fs_settings_panel_set_document (self->settings_panel, NULL);
  on_zoom_changed (self);
  gtk_drag_dest_set (GTK_WIDGET (self), GTK_DEST_DEFAULT_ALL, NULL, 0, GDK_ACTION_COPY);
  gtk_drag_dest_add_uri_targets (GTK_WIDGET (self));
  fs_window_actions_install (self);
  fs_window_size_remember (GTK_WINDOW (self));
}
