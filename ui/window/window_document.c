/* SPDX-License-Identifier: MIT */
#include "ui/window/window_document.h"

#include "app/backend/backend_choice.h"
#include "app/files/display_name.h"
#include "ui/open/open_files.h"
#include "ui/open/recent.h"
#include "ui/window/job_flow.h"
#include "ui/window/window_actions.h"
#include "ui/window/window_layout.h"
#include "ui/window/window_work.h"
#include <glib/gi18n.h>

/* ---- Signals of document and project ---- */

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

/* Reports once that a GPU is missing or has failed. */
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
on_work_changed (FsWindow *self)
{
  g_autofree char *name = fs_window_work_name (self);
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

/* ---- Another document ---- */

void
fs_window_document_drop (FsWindow *self)
{
  if (self->document == NULL)
    return;
  fs_subject_flow_cancel (self->subject_flow);
  g_signal_handlers_disconnect_by_data (self->document, self);
  g_signal_handlers_disconnect_by_data (self->project, self);
  fs_drag_out_set_project (self->drag_out, NULL);
  if (!fs_autosave_let_go (self->autosave))
    fs_project_close (self->project);
  fs_autosave_set_project (self->autosave, NULL);
  g_clear_pointer (&self->latency_log, fs_latency_log_free);
  self->document = NULL;
  g_clear_object (&self->project);
}

static void
show_document (FsWindow *self, FsProject *project, FsOpened *opened)
{
  /* Unsaved work is only replaced by a step through a folder, after an export. */
  if (self->project != NULL && fs_project_is_exported (self->project)
      && !fs_autosave_is_on (self->autosave))
    fs_project_discard (self->project);
  fs_window_document_drop (self);
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
  gboolean editable = fs_window_state_is_editable (self);
  fs_window_layout_set_has_photo (self, TRUE);
  gtk_widget_set_sensitive (GTK_WIDGET (self->canvas), editable);
  fs_canvas_set_document (self->canvas, self->document, g_steal_pointer (&opened->pyramid));
  fs_status_line_set_document (self->status_line, self->document, fs_canvas_get_edge (self->canvas),
                               name);
  fs_settings_panel_set_document (self->settings_panel, editable ? self->document : NULL);
  fs_edge_panel_set_document (self->edge_panel, editable ? self->document : NULL);
  fs_hint_set_document (self->hint, editable ? self->document : NULL);
  fs_accessible_announcer_set_project (self->announcer, project);
  fs_object_button_set_project (self->object_button, project);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  fs_job_flow_follow (self->job_flow, editable);
  on_document_changed (self);
  on_work_changed (self);
}

static void
show_nothing (FsWindow *self)
{
  fs_canvas_set_document (self->canvas, NULL, NULL);
  fs_status_line_set_document (self->status_line, NULL, NULL, NULL);
  fs_settings_panel_set_document (self->settings_panel, NULL);
  fs_edge_panel_set_document (self->edge_panel, NULL);
  fs_hint_set_document (self->hint, NULL);
  fs_accessible_announcer_set_project (self->announcer, NULL);
  fs_object_button_set_project (self->object_button, NULL);
  fs_window_document_drop (self);
  fs_job_flow_follow (self->job_flow, FALSE);
  fs_window_layout_set_has_photo (self, FALSE);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Fretsaw"));
  fs_window_actions_update (self);
}

/* ---- A saved session in the photo's folder ---- */

typedef struct {
  GtkWindow *window;
  char *session_path;
} Offer;

/* The key of the window's pending offer. */
static const char *const offer_key = "fs-session-offer";

static void
on_offer_answer (FsAnswer answer, gpointer user_data)
{
  Offer *offer = user_data;
  GtkWindow *window = offer->window;
  g_autoptr (GFile) file = g_file_new_for_path (offer->session_path);
  g_object_set_data (G_OBJECT (window), offer_key, NULL);
  g_free (offer->session_path);
  g_free (offer);
  if (answer == FS_ANSWER_ACCEPT)
    fs_open_files (window, &file, 1);
}

/* Offers the session in the message bar, unless that has another question; NULL withdraws an
 * earlier offer. If strokes were painted meanwhile, the session opens in another window. */
static void
offer_session (FsWindow *self, const char *session_path)
{
  if (g_object_get_data (G_OBJECT (self), offer_key) != NULL)
    fs_message_bar_withdraw (self->messages);
  if (session_path == NULL || fs_message_bar_get_question (self->messages) != NULL)
    return;
  Offer *offer = g_new0 (Offer, 1);
  offer->window = GTK_WINDOW (self);
  offer->session_path = g_strdup (session_path);
  g_object_set_data (G_OBJECT (self), offer_key, offer);
  g_autofree char *shown = fs_display_name (session_path);
  g_autofree char *name = g_path_get_basename (shown);
  g_autofree char *text =
      g_strdup_printf (_ ("Strokes on this photo are saved in the same folder, in “%s”."), name);
  fs_message_bar_ask (self->messages, text, _ ("_Open Them"), _ ("_Begin Anew"), on_offer_answer,
                      offer);
}

/* ---- Opened and restored ---- */

/* These views hide the background, which after a first stroke is nearly everything. */
static void
leave_views_of_result (FsWindow *self)
{
  FsView view = fs_tools_get_view (self->tools);
  if (view == FS_VIEW_CUTOUT || view == FS_VIEW_MASK || view == FS_VIEW_EDGE)
    fs_tools_set_view (self->tools, FS_VIEW_OVERLAY);
}

/* In a job the strokes of a photo are always there; none is painted until they are. */
static void
open_saved (FsWindow *self, const char *session_path)
{
  g_autoptr (GFile) file = g_file_new_for_path (session_path);
  gtk_widget_set_sensitive (GTK_WIDGET (self->canvas), FALSE);
  fs_autosave_set_project (self->autosave, NULL);
  offer_session (self, NULL);
  fs_open_files (GTK_WINDOW (self), &file, 1);
}

void
fs_window_document_opened (FsWindow *self, FsProject *project, FsOpened *opened)
{
  const char *path = opened->session_path != NULL ? opened->session_path : opened->photo_path;
  if (self->hand_over == NULL)
    fs_recent_add (path);
  fs_tools_forget_object (self->tools);
  if (opened->session == NULL)
    leave_views_of_result (self);
  show_document (self, project, opened);
  if (opened->session == NULL)
    fs_subject_flow_photo_opened (self->subject_flow);
  if (opened->saved_session != NULL && fs_job_flow_get_job (self->job_flow) != NULL)
    open_saved (self, opened->saved_session);
  else
    offer_session (self, opened->saved_session);
}

void
fs_window_document_leave (FsWindow *self, const char *path, const char *own)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_free (self->own_session);
  self->own_session = g_strdup (own);
  fs_open_flow_open (self->open_flow, file);
}

static void
report_own_session (FsWindow *self)
{
  g_autofree char *own = g_steal_pointer (&self->own_session);
  if (own == NULL)
    return;
  g_autofree char *shown = fs_display_name (own);
  g_autofree char *name = g_path_get_basename (shown);
  g_autofree char *text = g_strdup_printf (_ ("Your strokes are saved in “%s”."), name);
  fs_message_bar_show (self->messages, GTK_MESSAGE_WARNING, text);
}

void
fs_window_document_restored (FsWindow *self, gboolean done)
{
  report_own_session (self);
  if (!done) {
    show_nothing (self);
    return;
  }
  gtk_widget_set_sensitive (GTK_WIDGET (self->canvas), TRUE);
  fs_settings_panel_set_document (self->settings_panel, self->document);
  fs_edge_panel_set_document (self->edge_panel, self->document);
  fs_hint_set_document (self->hint, self->document);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  fs_job_flow_follow (self->job_flow, TRUE);
  on_document_changed (self);
  on_work_changed (self);
}
