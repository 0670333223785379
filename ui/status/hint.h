/* SPDX-License-Identifier: MIT */
/* Hints over the photo: the next thing to do, until it is done.   Layer: ui.
 *
 * One line for each side that has no stroke yet; it goes as soon as its side is painted on. Before
 * them Find Subject, where a finder is set up. After a lasso, a box or a guess, how to go on, for a
 * moment. On the first photos only: how many are left is remembered ("hints-left").
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

/* Names the way to the background that `tools` leave open: the right button, or a brush. */
void fs_hint_follow (FsHint *self, FsTools *tools);

/* While a subject finder runs, nothing is said of it. */
void fs_hint_set_finding (FsHint *self, gboolean finding);

/* NULL hides it. */
void fs_hint_set_document (FsHint *self, FsDocument *document);

G_END_DECLS

#endif
