/* SPDX-License-Identifier: MIT */
/* Data shared by the files of a window (window.h): layout, document, actions, work.   Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_WINDOW_STATE_H
#define FS_UI_WINDOW_WINDOW_STATE_H

#include "app/session/project.h"
#include "ui/canvas/canvas.h"
#include "ui/canvas/tools.h"
#include "ui/open/import_flow.h"
#include "ui/open/open_flow.h"
#include "ui/open/subject_button.h"
#include "ui/open/subject_flow.h"
#include "ui/save/autosave.h"
#include "ui/save/copy_flow.h"
#include "ui/save/drag_out.h"
#include "ui/save/export_flow.h"
#include "ui/save/hand_over_flow.h"
#include "ui/save/save_flow.h"
#include "ui/settings/finder_panel.h"
#include "ui/settings/edge_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/settings/tool_panel.h"
#include "ui/status/accessible_announcer.h"
#include "ui/status/hint.h"
#include "ui/status/latency_log.h"
#include "ui/status/message_bar.h"
#include "ui/status/status_line.h"
#include "ui/folder/export_all.h"
#include "ui/folder/object_button.h"
#include "ui/folder/object_list.h"
#include "ui/folder/photo_strip.h"
#include "ui/window/side_panel.h"

G_BEGIN_DECLS

/* The action that would lose unsaved work (window_work.h). */
typedef enum { FS_UNSAVED_CLOSING, FS_UNSAVED_NEXT_PHOTO } FsUnsavedBefore;

typedef struct _FsWindow FsWindow;
typedef struct _FsFolderFlow FsFolderFlow; /* folder_flow.h, which needs this header */
typedef struct _FsJobFlow FsJobFlow;       /* job_flow.h, the same */

struct _FsWindow {
  GtkApplicationWindow parent;

  GtkStack *title_stack;
  GtkStack *content_stack;
  FsMessageBar *messages;
  FsCanvas *canvas;
  FsPhotoStrip *photo_strip;
  FsObjectList *object_list;
  FsStatusLine *status_line;
  FsSettingsPanel *settings_panel;
  FsEdgePanel *edge_panel;
  FsToolPanel *tool_panel;
  FsSubjectButton *subject_button;
  FsObjectButton *object_button;
  FsFinderPanel *finder_panel;
  FsSidePanel *side_panel;
  GtkWidget *panel_space;
  FsHint *hint;
  GtkWidget *history_buttons;
  GtkWidget *latency_label;
  GtkWidget *compare_button;
  GtkWidget *settings_button;
  GtkWidget *export_button;
  GtkWidget *open_buttons;
  GtkAdjustment *brush_size;
  GtkEntry *brush_entry;

  FsTools *tools;
  FsAccessibleAnnouncer *announcer;
  char *own_session;    /* of work that the session being opened takes the place of, or NULL */
  FsProject *project;   /* NULL: the empty state */
  FsDocument *document; /* the project's */
  GtkMenuButton *menu_button;
  GtkMenuButton *view_button;
  GtkLabel *view_label;
  GMenu *recent_menu;
  FsOpenFlow *open_flow;
  FsFolderFlow *folder_flow;
  FsJobFlow *job_flow;
  FsSaveFlow *save_flow;
  FsAutosave *autosave; /* on for photos of a job */
  FsExportFlow *export_flow;
  FsExportAll *export_all;
  FsCopyFlow *copy_flow;
  FsImportFlow *import_flow;
  FsSubjectFlow *subject_flow;
  FsHandOverFlow *hand_over; /* NULL: the window is not open for another program */
  FsDragOut *drag_out;
  FsLatencyLog *latency_log;

  /* Called once the question about unsaved work is answered. */
  void (*go) (FsWindow *self, gpointer user_data);
  gpointer go_data;
  FsUnsavedBefore before;
};

/* TRUE if there is a document that is not being restored. */
static inline gboolean
fs_window_state_is_editable (const FsWindow *self)
{
  return self->document != NULL && !fs_open_flow_is_restoring (self->open_flow);
}

G_END_DECLS

#endif
