/* SPDX-License-Identifier: MIT */
/* The question whether to save unsaved work, before a window closes or opens another photo.
 * Layer: ui. Threads: the main one. */
#ifndef FS_UI_SAVE_UNSAVED_DIALOG_H
#define FS_UI_SAVE_UNSAVED_DIALOG_H

#include "app/session/project.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum { FS_UNSAVED_CANCEL, FS_UNSAVED_SAVE, FS_UNSAVED_DISCARD } FsUnsavedAnswer;

/* The action that would lose the work. */
typedef enum { FS_UNSAVED_CLOSING, FS_UNSAVED_NEXT_PHOTO } FsUnsavedBefore;

typedef void (*FsUnsavedAnswered) (FsUnsavedAnswer answer, gpointer user_data);

/* Asks about a work, which it calls `name`. Answers once; never, if `parent` goes before. */
void fs_unsaved_dialog_ask (GtkWindow *parent, FsUnsavedBefore before, FsProject *project,
                            const char *name, FsUnsavedAnswered answered, gpointer user_data);

G_END_DECLS

#endif
