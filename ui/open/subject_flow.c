/* SPDX-License-Identifier: MIT */
#include "ui/open/subject_flow.h"

#include "app/finder/subject_finder.h"
#include "ui/settings/finder_panel.h"
#include "ui/settings/preferences.h"
#include <glib/gi18n.h>

#define WAIT_MS 20

struct _FsSubjectFlow {
  GObject parent_instance;
  GtkWindow *window; /* NULL once closed; then `widgets` is not used either */
  FsSubjectWidgets widgets;

  GCancellable *cancellable; /* of the current run; NULL: none */
  FsDocument *document;      /* that gets the guess */
  char *finder;              /* its name */
  gint64 start_us;
  guint clock_id;
  FsGuess *guess; /* found; will be set when the running stroke has ended */
  guint waiting_id;
};

G_DEFINE_FINAL_TYPE (FsSubjectFlow, fs_subject_flow, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

gboolean
fs_subject_flow_is_running (FsSubjectFlow *self)
{
  return self->cancellable != NULL;
}

/* ---- Status ---- */

static void
show_time (FsSubjectFlow *self)
{
  int seconds = (int)((g_get_monotonic_time () - self->start_us) / G_USEC_PER_SEC);
  /* Translators: for how many seconds it has been at it */
  g_autofree char *text = g_strdup_printf (_ ("Finding the subject… %d s"), seconds);
  fs_status_line_set_finding (self->widgets.status_line, text, self->finder);
}

static gboolean
on_clock (gpointer user_data)
{
  show_time (user_data);
  return G_SOURCE_CONTINUE;
}

static void
end_run (FsSubjectFlow *self)
{
  g_clear_handle_id (&self->clock_id, g_source_remove);
  g_clear_handle_id (&self->waiting_id, g_source_remove);
  g_clear_object (&self->document);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->guess, fs_guess_unref);
  g_clear_pointer (&self->finder, g_free);
  if (self->window == NULL)
    return;
  fs_status_line_set_finding (self->widgets.status_line, NULL, NULL);
  fs_subject_button_set_running (self->widgets.button, FALSE);
  fs_hint_set_finding (self->widgets.hint, FALSE);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
show_message (FsSubjectFlow *self, GtkMessageType type, const char *text)
{
  fs_message_bar_show (self->widgets.messages, type, text);
}

/* ---- The guess ---- */

static gboolean
is_empty (const FsGuess *guess)
{
  const gsize n = (gsize)fs_guess_get_width (guess) * (gsize)fs_guess_get_height (guess);
  const uint16_t *probability = fs_guess_get_probability (guess);
  for (gsize i = 0; i < n; i++)
    if (probability[i] > G_MAXUINT16 / 2)
      return FALSE;
  return TRUE;
}

static gboolean
take_when_possible (gpointer user_data)
{
  FsSubjectFlow *self = user_data;
  if (fs_document_is_drawing (self->document))
    return G_SOURCE_CONTINUE;
  self->waiting_id = 0;
  fs_document_set_guess (self->document, self->guess, self->finder);
  fs_canvas_show_guess (self->widgets.canvas, self->guess);
  end_run (self);
  return G_SOURCE_REMOVE;
}

static void
take_guess (FsSubjectFlow *self, FsGuess *guess)
{
  self->guess = fs_guess_ref (guess);
  if (is_empty (guess)) {
    g_autofree char *text = g_strdup_printf (
        _ ("%s: nothing in this photo stands out; paint over what you want to keep"), self->finder);
    show_message (self, GTK_MESSAGE_WARNING, text);
    end_run (self);
  } else if (take_when_possible (self) == G_SOURCE_CONTINUE) {
    self->waiting_id = g_timeout_add (WAIT_MS, take_when_possible, self);
  }
}

/* ---- The run ---- */

typedef struct {
  FsSubjectFlow *flow;
  GCancellable *cancellable;
  GApplication *application; /* g_application_hold(): the child must not outlive the program */
} Run;

static void
run_free (Run *run)
{
  g_application_release (run->application);
  g_object_unref (run->application);
  g_object_unref (run->cancellable);
  g_object_unref (run->flow);
  g_free (run);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Run) run = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FsGuess) guess = fs_subject_finder_find_finish (result, &error);
  FsSubjectFlow *self = run->flow;
  if (self->cancellable != run->cancellable)
    return;
  if (guess != NULL) {
    take_guess (self, guess);
    return;
  }
  show_message (self, GTK_MESSAGE_ERROR, error->message);
  end_run (self);
}

static void
run_finder (FsSubjectFlow *self, FsSubjectFinder *finder)
{
  Run *job = g_new (Run, 1);
  self->document = g_object_ref (fs_canvas_get_document (self->widgets.canvas));
  self->cancellable = g_cancellable_new ();
  self->finder = g_strdup (fs_subject_finder_get_name (finder));
  self->start_us = g_get_monotonic_time ();
  self->clock_id = g_timeout_add_seconds (1, on_clock, self);
  show_time (self);
  fs_subject_button_set_running (self->widgets.button, TRUE);
  fs_hint_set_finding (self->widgets.hint, TRUE);
  fs_message_bar_clear (self->widgets.messages);
  g_signal_emit (self, signals[CHANGED], 0);

  GtkApplication *application = gtk_window_get_application (self->window);
  *job = (Run){ g_object_ref (self), g_object_ref (self->cancellable),
                g_object_ref (G_APPLICATION (application)) };
  g_application_hold (job->application);
  fs_subject_finder_find_async (finder, fs_document_get_image (self->document),
                                fs_document_get_marks (self->document), self->cancellable, on_found,
                                job);
}

void
fs_subject_flow_start (FsSubjectFlow *self)
{
  g_autoptr (GError) error = NULL;
  g_return_if_fail (self->window != NULL && fs_canvas_get_document (self->widgets.canvas) != NULL);
  if (fs_subject_flow_is_running (self))
    return;
  g_autoptr (FsSubjectFinder) finder = fs_subject_finder_new (NULL, &error);
  if (finder != NULL)
    run_finder (self, finder);
  else if (g_error_matches (error, FS_SUBJECT_FINDER_ERROR, FS_SUBJECT_FINDER_ERROR_NONE))
    fs_subject_button_explain (self->widgets.button);
  else
    show_message (self, GTK_MESSAGE_ERROR, error->message);
}

void
fs_subject_flow_photo_opened (FsSubjectFlow *self)
{
  if (fs_preferences_has (FS_FIND_ON_OPENING_KEY)
      && g_settings_get_boolean (fs_preferences_get (), FS_FIND_ON_OPENING_KEY))
    fs_subject_flow_start (self);
}

void
fs_subject_flow_cancel (FsSubjectFlow *self)
{
  if (!fs_subject_flow_is_running (self))
    return;
  g_cancellable_cancel (self->cancellable);
  end_run (self);
}

void
fs_subject_flow_close (FsSubjectFlow *self)
{
  fs_subject_button_close (self->widgets.button);
  self->window = NULL;
  fs_subject_flow_cancel (self);
}

FsSubjectFlow *
fs_subject_flow_new (GtkWindow *window, const FsSubjectWidgets *widgets)
{
  FsSubjectFlow *self = g_object_new (FS_TYPE_SUBJECT_FLOW, NULL);
  self->window = window;
  self->widgets = *widgets;
  return self;
}

static void
fs_subject_flow_class_init (FsSubjectFlowClass *klass)
{
  signals[CHANGED] = g_signal_new ("changed", FS_TYPE_SUBJECT_FLOW, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
fs_subject_flow_init (FsSubjectFlow *self)
{
}
