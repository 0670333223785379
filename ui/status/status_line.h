/* SPDX-License-Identifier: MIT */
/* Status line under the photo: its name, the state of the cut, the device that computes it, and the
 * zoom.   Layer: ui.
 *
 * Properties (read only, notify): "updating-edge" (boolean: it says that the edge is computed).
 *
 * Threads: the main one. */
#ifndef FS_UI_STATUS_STATUS_LINE_H
#define FS_UI_STATUS_STATUS_LINE_H

#include "app/edge/live_edge.h"
#include "app/live/document.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_STATUS_LINE (fs_status_line_get_type ())
G_DECLARE_FINAL_TYPE (FsStatusLine, fs_status_line, FS, STATUS_LINE, GtkBox)

/* Follows a document and its edge; `name` is the photo's displayed name. All NULL: nothing is open.
 */
void fs_status_line_set_document (FsStatusLine *self, FsDocument *document, FsLiveEdge *edge,
                                  const char *name);
/* Shows or hides the energy of the cut and its time. */
void fs_status_line_set_detailed (FsStatusLine *self, gboolean detailed);
/* Shows `text` about the running subject finder of this name, and a button that cancels it; NULL:
 * none runs. */
void fs_status_line_set_finding (FsStatusLine *self, const char *text, const char *finder);
/* Screen pixels per image pixel; 0 without a photo. */
void fs_status_line_set_zoom (FsStatusLine *self, double zoom);

G_END_DECLS

#endif
