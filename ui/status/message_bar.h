/* SPDX-License-Identifier: MIT */
/* Bars over the photo, without moving it: messages, a running task, a question.   Layer: ui.
 *
 * One of each at a time. A message stays until it is closed or replaced; one that reports success
 * (GTK_MESSAGE_INFO) or that nothing was done (GTK_MESSAGE_OTHER) disappears by itself. A task has
 * progress and a Cancel button.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_STATUS_MESSAGE_BAR_H
#define FS_UI_STATUS_MESSAGE_BAR_H

#include "app/live/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_MESSAGE_BAR (fs_message_bar_get_type ())
G_DECLARE_FINAL_TYPE (FsMessageBar, fs_message_bar, FS, MESSAGE_BAR, GtkBox)

/* `text` is shown as it is, without markup. */
void fs_message_bar_show (FsMessageBar *self, GtkMessageType type, const char *text);
/* The same for a sentence about a file, "PATH: reason", without the path's folder. */
void fs_message_bar_show_about (FsMessageBar *self, GtkMessageType type, const char *text,
                                const char *path);
/* Sets the time after which messages of success disappear from now on; the default is long enough
 * to read them. */
void fs_message_bar_set_news_seconds (FsMessageBar *self, guint seconds);
void fs_message_bar_clear (FsMessageBar *self);
/* The message that is shown, or NULL. */
const char *fs_message_bar_get_text (FsMessageBar *self);

/* Shows a task; its Cancel button cancels `cancellable`. A task that ends within a moment is not
 * shown. */
void fs_message_bar_begin_task (FsMessageBar *self, const char *text, GCancellable *cancellable);
void fs_message_bar_set_fraction (FsMessageBar *self, double fraction);
/* Sets the reason for the wait, shown after the task's text; NULL: none. */
void fs_message_bar_set_reason (FsMessageBar *self, const char *reason);
/* Keeps the reason at the current stage of the document's cut, until the task ends or another
 * reason is set. */
void fs_message_bar_follow (FsMessageBar *self, FsDocument *document);
/* The task's text, or NULL. */
const char *fs_message_bar_get_task (FsMessageBar *self);
void fs_message_bar_end_task (FsMessageBar *self);
gboolean fs_message_bar_has_task (FsMessageBar *self);

typedef enum {
  FS_ANSWER_NONE, /* the bar was closed or destroyed */
  FS_ANSWER_ACCEPT,
  FS_ANSWER_REJECT,
} FsAnswer;

typedef void (*FsAnswered) (FsAnswer answer, gpointer user_data);

/* Asks with two buttons, whose labels have mnemonics. Only while there is no other question.
 * `answered` is called once. */
void fs_message_bar_ask (FsMessageBar *self, const char *text, const char *accept,
                         const char *reject, FsAnswered answered, gpointer user_data);
/* Withdraws the question: it is answered by FS_ANSWER_NONE. */
void fs_message_bar_withdraw (FsMessageBar *self);
/* The current question, or NULL. */
const char *fs_message_bar_get_question (FsMessageBar *self);

G_END_DECLS

#endif
