/* SPDX-License-Identifier: MIT */
/* Dialogs of the real window, answered as a person would. Waiting is for a state, as in stage.h. */
#ifndef FS_TESTS_GUI_DIALOGS_H
#define FS_TESTS_GUI_DIALOGS_H

#include "tests/gui/stage.h"

/* The dialog that is open, as soon as somebody could have looked at it. */
GtkWidget *dialogs_wait (void);
/* Presses the button of a response. */
void dialogs_press (GtkWidget *dialog, int response);
/* Presses the one that is marked as destructive. */
void dialogs_press_destructive (GtkWidget *dialog);

/* In a file chooser that saves: the suggested name must be `expected`; it is saved in the stage's
 * folder as `name`. Returns the path. g_free. */
char *dialogs_save_as (Stage *stage, const char *expected, const char *name);
/* The same in another folder, under the suggested name. */
char *dialogs_save_in (const char *folder, const char *expected);
/* In a file chooser that saves: it must begin in `folder`, with this name; it is cancelled, and so
 * is the dialog that this leads back to. */
void dialogs_expect (const char *folder, const char *name);
/* In a file chooser that saves: a place that has no path is chosen. */
void dialogs_save_nowhere (void);
/* In a file chooser that opens. */
void dialogs_choose (const char *path);

/* Until the message bar's task has begun and ended. */
void dialogs_wait_for_task (Stage *stage);

#endif
