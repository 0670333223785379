/* SPDX-License-Identifier: MIT */
#include "ui/status/message_bar.h"

#include "app/files/display_name.h"
#include "ui/status/wait_reason.h"
#include <string.h>

#define MOMENT_MS 150
#define LOOK_MS   100 /* between two polls of the cut's stage */
/* Messages of success disappear after this time; errors stay until they are closed. */
#define NEWS_SECONDS 8

struct _FsMessageBar {
  GtkBox parent;
  GtkInfoBar *message;
  GtkLabel *message_label;
  GtkImage *message_icon;
  GtkInfoBar *task;
  GtkLabel *task_label;
  GtkProgressBar *task_progress;
  GtkInfoBar *question;
  GtkLabel *question_label;
  GtkButton *question_accept;
  GtkButton *question_reject;
  GCancellable *cancellable; /* set while a task runs */
  char *task_text;           /* without a reason */
  FsDocument *document;      /* whose stage is shown as the reason, or NULL */
  guint look_id;
  FsAnswered answered; /* set while a question is asked */
  gpointer answered_data;
  guint reveal_id;
  guint news_id;
  guint news_seconds;
};

G_DEFINE_FINAL_TYPE (FsMessageBar, fs_message_bar, GTK_TYPE_BOX)

static const char *
icon_for (GtkMessageType type)
{
  switch (type) {
  case GTK_MESSAGE_ERROR:
    return "dialog-error-symbolic";
  case GTK_MESSAGE_WARNING:
    return "dialog-warning-symbolic";
  case GTK_MESSAGE_OTHER:
    return "dialog-information-symbolic";
  default:
    return "object-select-symbolic";
  }
}

static gboolean
on_news_read (gpointer user_data)
{
  FsMessageBar *self = user_data;
  self->news_id = 0;
  gtk_info_bar_set_revealed (self->message, FALSE);
  return G_SOURCE_REMOVE;
}

void
fs_message_bar_show (FsMessageBar *self, GtkMessageType type, const char *text)
{
  g_clear_handle_id (&self->news_id, g_source_remove);
  if (type == GTK_MESSAGE_INFO || type == GTK_MESSAGE_OTHER)
    self->news_id = g_timeout_add_seconds (self->news_seconds, on_news_read, self);
  gtk_info_bar_set_message_type (self->message, type);
  gtk_image_set_from_icon_name (self->message_icon, icon_for (type), GTK_ICON_SIZE_MENU);
  gtk_label_set_text (self->message_label, text);
  gtk_widget_show (GTK_WIDGET (self->message));
  gtk_info_bar_set_revealed (self->message, TRUE);
}

void
fs_message_bar_show_about (FsMessageBar *self, GtkMessageType type, const char *text,
                           const char *path)
{
  g_autofree char *shown = fs_display_name (path);
  g_autofree char *base = g_path_get_basename (shown);
  g_autofree char *brief = NULL;
  if (g_str_has_prefix (text, shown))
    brief = g_strconcat (base, text + strlen (shown), NULL);
  fs_message_bar_show (self, type, brief != NULL ? brief : text);
}

void
fs_message_bar_set_news_seconds (FsMessageBar *self, guint seconds)
{
  self->news_seconds = seconds;
}

void
fs_message_bar_clear (FsMessageBar *self)
{
  g_clear_handle_id (&self->news_id, g_source_remove);
  gtk_info_bar_set_revealed (self->message, FALSE);
}

const char *
fs_message_bar_get_text (FsMessageBar *self)
{
  if (!gtk_info_bar_get_revealed (self->message))
    return NULL;
  return gtk_label_get_text (self->message_label);
}

static gboolean
reveal_task (gpointer user_data)
{
  FsMessageBar *self = user_data;
  self->reveal_id = 0;
  gtk_widget_show (GTK_WIDGET (self->task));
  gtk_info_bar_set_revealed (self->task, TRUE);
  return G_SOURCE_REMOVE;
}

static void
show_reason (FsMessageBar *self, const char *reason)
{
  g_autofree char *text = reason != NULL ? g_strdup_printf ("%s %s", self->task_text, reason)
                                         : g_strdup (self->task_text);
  gtk_label_set_text (self->task_label, text);
}

static void
stop_following (FsMessageBar *self)
{
  g_clear_handle_id (&self->look_id, g_source_remove);
  g_clear_object (&self->document);
}

static gboolean
on_look (gpointer user_data)
{
  FsMessageBar *self = user_data;
  g_autofree char *reason = fs_wait_reason_of (self->document);
  show_reason (self, reason);
  return G_SOURCE_CONTINUE;
}

void
fs_message_bar_follow (FsMessageBar *self, FsDocument *document)
{
  g_return_if_fail (self->cancellable != NULL);
  stop_following (self);
  self->document = g_object_ref (document);
  self->look_id = g_timeout_add (LOOK_MS, on_look, self);
}

void
fs_message_bar_set_reason (FsMessageBar *self, const char *reason)
{
  stop_following (self);
  if (self->cancellable != NULL)
    show_reason (self, reason);
}

const char *
fs_message_bar_get_task (FsMessageBar *self)
{
  return self->cancellable != NULL ? gtk_label_get_text (self->task_label) : NULL;
}

void
fs_message_bar_begin_task (FsMessageBar *self, const char *text, GCancellable *cancellable)
{
  fs_message_bar_end_task (self);
  self->cancellable = g_object_ref (cancellable);
  g_free (self->task_text);
  self->task_text = g_strdup (text);
  gtk_label_set_text (self->task_label, text);
  gtk_progress_bar_set_fraction (self->task_progress, 0);
  gtk_widget_hide (GTK_WIDGET (self->task_progress));
  self->reveal_id = g_timeout_add (MOMENT_MS, reveal_task, self);
}

void
fs_message_bar_set_fraction (FsMessageBar *self, double fraction)
{
  gtk_progress_bar_set_fraction (self->task_progress, fraction);
  gtk_widget_show (GTK_WIDGET (self->task_progress));
}

void
fs_message_bar_end_task (FsMessageBar *self)
{
  g_clear_handle_id (&self->reveal_id, g_source_remove);
  g_clear_object (&self->cancellable);
  stop_following (self);
  gtk_info_bar_set_revealed (self->task, FALSE);
}

gboolean
fs_message_bar_has_task (FsMessageBar *self)
{
  return self->cancellable != NULL;
}

static void
on_message_closed (FsMessageBar *self)
{
  fs_message_bar_clear (self);
}

static void
on_task_response (FsMessageBar *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

/* ---- The question ---- */

static void
answer (FsMessageBar *self, FsAnswer given)
{
  FsAnswered answered = self->answered;
  self->answered = NULL;
  if (answered != NULL)
    answered (given, self->answered_data);
}

static void
on_question_response (FsMessageBar *self, int response)
{
  gtk_info_bar_set_revealed (self->question, FALSE);
  if (response == GTK_RESPONSE_ACCEPT)
    answer (self, FS_ANSWER_ACCEPT);
  else if (response == GTK_RESPONSE_REJECT)
    answer (self, FS_ANSWER_REJECT);
  else
    answer (self, FS_ANSWER_NONE);
}

void
fs_message_bar_ask (FsMessageBar *self, const char *text, const char *accept, const char *reject,
                    FsAnswered answered, gpointer user_data)
{
  g_return_if_fail (self->answered == NULL);
  self->answered = answered;
  self->answered_data = user_data;
  gtk_label_set_text (self->question_label, text);
  gtk_button_set_label (self->question_accept, accept);
  gtk_button_set_label (self->question_reject, reject);
  gtk_widget_show (GTK_WIDGET (self->question));
  gtk_info_bar_set_revealed (self->question, TRUE);
}

void
fs_message_bar_withdraw (FsMessageBar *self)
{
  gtk_info_bar_set_revealed (self->question, FALSE);
  answer (self, FS_ANSWER_NONE);
}

const char *
fs_message_bar_get_question (FsMessageBar *self)
{
  return self->answered != NULL ? gtk_label_get_text (self->question_label) : NULL;
}

/* ---- Pointer input ---- */

static void
add_bar (cairo_region_t *region, const GtkAllocation *whole, GtkInfoBar *bar)
{
  GtkAllocation part;
  if (!gtk_info_bar_get_revealed (bar))
    return;
  gtk_widget_get_allocation (GTK_WIDGET (bar), &part);
  part.x -= whole->x;
  part.y -= whole->y;
  cairo_region_union_rectangle (region, &part);
}

/* Around and between the bars pointer events go to the photo. GtkOverlay's "pass-through" does not
 * work here: with it GTK 3 searches for the buttons of a second bar at the position of the first
 * one's. */
static void
fs_message_bar_size_allocate (GtkWidget *widget, GtkAllocation *allocation)
{
  FsMessageBar *self = FS_MESSAGE_BAR (widget);
  GTK_WIDGET_CLASS (fs_message_bar_parent_class)->size_allocate (widget, allocation);
  if (!gtk_widget_get_realized (widget))
    return;
  cairo_region_t *region = cairo_region_create ();
  add_bar (region, allocation, self->message);
  add_bar (region, allocation, self->task);
  add_bar (region, allocation, self->question);
  gdk_window_input_shape_combine_region (gtk_widget_get_window (widget), region, 0, 0);
  cairo_region_destroy (region);
}

static void
fs_message_bar_realize (GtkWidget *widget)
{
  GtkAllocation allocation;
  GTK_WIDGET_CLASS (fs_message_bar_parent_class)->realize (widget);
  gtk_widget_get_allocation (widget, &allocation);
  fs_message_bar_size_allocate (widget, &allocation);
}

static void
fs_message_bar_dispose (GObject *object)
{
  FsMessageBar *self = FS_MESSAGE_BAR (object);
  g_clear_handle_id (&self->news_id, g_source_remove);
  g_clear_handle_id (&self->reveal_id, g_source_remove);
  g_clear_object (&self->cancellable);
  stop_following (self);
  g_clear_pointer (&self->task_text, g_free);
  answer (self, FS_ANSWER_NONE);
  G_OBJECT_CLASS (fs_message_bar_parent_class)->dispose (object);
}

static void
fs_message_bar_class_init (FsMessageBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fs_message_bar_dispose;
  widget_class->size_allocate = fs_message_bar_size_allocate;
  widget_class->realize = fs_message_bar_realize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/message_bar.ui");
  gtk_widget_class_bind_template_child (widget_class, FsMessageBar, message);
  gtk_widget_class_bind_template_child (widget_class, FsMessageBar, message_label);
  gtk_widget_class_bind_template_child (widget_class, FsMessageBar, message_icon);
  gtk_widget_class_bind_template_child (widget_class, FsMessageBar, task);
  gtk_widget_class_bind_template_child (widget_class, FsMessageBar, task_label);
  gtk_widget_class_bind_template_child (widget_class, FsMessageBar, task_progress);
  gtk_widget_class_bind_template_child (widget_class, FsMessageBar, question);
  gtk_widget_class_bind_template_child (widget_class, FsMessageBar, question_label);
  gtk_widget_class_bind_template_child (widget_class, FsMessageBar, question_accept);
  gtk_widget_class_bind_template_child (widget_class, FsMessageBar, question_reject);
  gtk_widget_class_bind_template_callback (widget_class, on_question_response);
  gtk_widget_class_bind_template_callback (widget_class, on_message_closed);
  gtk_widget_class_bind_template_callback (widget_class, on_task_response);
}

static void
fs_message_bar_init (FsMessageBar *self)
{
  self->news_seconds = NEWS_SECONDS;
  gtk_widget_init_template (GTK_WIDGET (self));
}
