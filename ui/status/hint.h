/* SPDX-License-Identifier: MIT */
/* Hints over the photo: the user's next step, until it is done.   Layer: ui.
 *
 * One line each for object and background, until it has a stroke; before them Find Subject, if a
 * finder is set up. After a lasso, a box or a guess, for some seconds, how to go on. Only on the
 * first photos: their remaining number is a preference ("hints-left").
 *
 * Threads: the main one.
 */
#ifndef FS_UI_STATUS_HINT_H
#define FS_UI_STATUS_HINT_H

#include "app/live/document.h"
#include "ui/canvas/tools.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_HINT (fs_hint_get_type ())
G_DECLARE_FINAL_TYPE (FsHint, fs_hint, FS, HINT, GtkRevealer)

/* Follows `tools`: the hint for the background names the right button, or the brush if that button
 * does something else. */
void fs_hint_follow (FsHint *self, FsTools *tools);

/* While a subject finder runs, Find Subject is not suggested. */
void fs_hint_set_finding (FsHint *self, gboolean finding);

/* NULL hides it. */
void fs_hint_set_document (FsHint *self, FsDocument *document);

G_END_DECLS

#endif
