/* SPDX-License-Identifier: MIT */
#include "ui/window/window_work.h"

#include "app/files/display_name.h"

char *
fs_window_work_name (FsWindow *self)
{
  const char *session = fs_project_get_session_path (self->project);
  g_autofree char *shown =
      fs_display_name (session != NULL ? session : fs_project_get_photo_path (self->project));
  return g_path_get_basename (shown);
}

/* Strokes that are still coming back are in their file, or in their journal. In the walk through a
 * folder an export ends the work on a photo (docs/decisions/sessions-and-journals.md). */
gboolean
fs_window_work_is_unsaved (FsWindow *self, FsUnsavedBefore before)
{
  return fs_window_state_is_editable (self) && fs_project_is_unsaved (self->project)
         && !(before == FS_UNSAVED_NEXT_PHOTO && fs_project_is_exported (self->project));
}

static void
on_saved_before_leaving (gboolean saved, gpointer user_data)
{
  FsWindow *self = user_data;
  if (saved && !fs_project_is_unsaved (self->project))
    self->go (self, self->go_data);
}

static void
on_unsaved_answer (FsUnsavedAnswer answer, gpointer user_data)
{
  FsWindow *self = user_data;
  if (answer == FS_UNSAVED_SAVE)
    fs_save_flow_save (self->save_flow, self->project, FALSE, on_saved_before_leaving, self);
  if (answer != FS_UNSAVED_DISCARD)
    return;
  fs_project_discard (self->project);
  self->go (self, self->go_data);
}

void
fs_window_work_leave (FsWindow *self, FsUnsavedBefore before,
                      void (*go) (FsWindow *self, gpointer user_data), gpointer user_data)
{
  self->go = go;
  self->go_data = user_data;
  if (!fs_window_work_is_unsaved (self, before)) {
    go (self, user_data);
    return;
  }
  g_autofree char *name = fs_window_work_name (self);
  fs_unsaved_dialog_ask (GTK_WINDOW (self), before, self->project, name, on_unsaved_answer, self);
}
