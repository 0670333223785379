/* SPDX-License-Identifier: MIT */
/* The bars over the photo, which they do not move: what went wrong or well, and what is going on.
 * Layer: ui.
 *
 * One message at a time, which stays until it is closed or replaced (good news leave by
 * themselves), one running task with progress and a way to stop it, and one question.
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
/* The same for a sentence about a file, "PATH: reason": the folder is left out. */
void fs_message_bar_show_about (FsMessageBar *self, GtkMessageType type, const char *text,
                                const char *path);
/* The time for which good news stay from now on. At first that is as long as reading takes. */
void fs_message_bar_set_news_seconds (FsMessageBar *self, guint seconds);
void fs_message_bar_clear (FsMessageBar *self);
/* The message that is shown, or NULL. */
const char *fs_message_bar_get_text (FsMessageBar *self);

/* Shows a task; its Cancel button cancels `cancellable`. A task that ends within a moment is never
 * seen. */
void fs_message_bar_begin_task (FsMessageBar *self, const char *text, GCancellable *cancellable);
void fs_message_bar_set_fraction (FsMessageBar *self, double fraction);
/* Why it takes its time, after the task's text; NULL: no word. */
void fs_message_bar_set_reason (FsMessageBar *self, const char *reason);
/* The same, over and over, from what the document's cut is at, until it is final, the task ends
 * or has another reason. */
void fs_message_bar_follow (FsMessageBar *self, FsDocument *document);
/* The task's text, or NULL. */
const char *fs_message_bar_get_task (FsMessageBar *self);
void fs_message_bar_end_task (FsMessageBar *self);
gboolean fs_message_bar_has_task (FsMessageBar *self);

typedef enum {
  FS_ANSWER_NONE, /* the bar was closed, or has gone */
  FS_ANSWER_ACCEPT,
  FS_ANSWER_REJECT,
} FsAnswer;

typedef void (*FsAnswered) (FsAnswer answer, gpointer user_data);

/* Asks with two buttons, whose labels have mnemonics. Only while nothing else is asked; answers
 * once. */
void fs_message_bar_ask (FsMessageBar *self, const char *text, const char *accept,
                         const char *reject, FsAnswered answered, gpointer user_data);
/* Takes the question back: it is answered with FS_ANSWER_NONE. */
void fs_message_bar_withdraw (FsMessageBar *self);
/* The question that is asked, or NULL. */
const char *fs_message_bar_get_question (FsMessageBar *self);

G_END_DECLS

#endif
