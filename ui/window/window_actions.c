/* SPDX-License-Identifier: MIT */
#include "ui/window/window_actions.h"

#include "ui/settings/object_name.h"
#include "ui/open/photo_folder.h"
#include "ui/window/folder_flow.h"
#include "ui/window/job_flow.h"
#include "ui/window/paste.h"

static void
on_undo (FsWindow *self)
{
  fs_document_undo (self->document);
}

static void
on_redo (FsWindow *self)
{
  fs_document_redo (self->document);
}

static void
on_find_subject (FsWindow *self)
{
  fs_subject_flow_start (self->subject_flow);
}

static void
on_cancel_finding (FsWindow *self)
{
  fs_subject_flow_cancel (self->subject_flow);
}

static void
on_dismiss_guess (FsWindow *self)
{
  fs_document_set_guess (self->document, NULL, NULL);
}

static void
on_set_up_finder (FsWindow *self)
{
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->side_panel), TRUE);
  fs_finder_panel_present (self->finder_panel);
}

static void
on_next_photo (FsWindow *self)
{
  fs_folder_flow_step (self->folder_flow, 1);
}

static void
on_previous_photo (FsWindow *self)
{
  fs_folder_flow_step (self->folder_flow, -1);
}

static void
on_label_folder (FsWindow *self)
{
  fs_job_flow_begin (self->job_flow);
}

static void
on_finish_photo (FsWindow *self)
{
  fs_job_flow_finish (self->job_flow);
}

static void
on_next_unfinished (FsWindow *self)
{
  fs_job_flow_next_unfinished (self->job_flow);
}

static void
on_photo_done (FsWindow *self)
{
  fs_job_flow_toggle_done (self->job_flow);
}

static void
on_photo_strip (FsWindow *self)
{
  GtkRevealer *strip = GTK_REVEALER (self->photo_strip);
  gtk_revealer_set_reveal_child (strip, !gtk_revealer_get_reveal_child (strip));
  fs_window_actions_update (self);
}

static void
on_save (FsWindow *self)
{
  fs_save_flow_save (self->save_flow, self->project, FALSE, NULL, NULL);
}

static void
on_save_as (FsWindow *self)
{
  fs_save_flow_save (self->save_flow, self->project, TRUE, NULL, NULL);
}

static void
on_export (FsWindow *self)
{
  fs_export_flow_ask (self->export_flow, self->project);
}

static void
on_export_again (FsWindow *self)
{
  fs_export_flow_repeat (self->export_flow, self->project,
                         fs_job_flow_get_job (self->job_flow) != NULL);
}

static void
on_export_all (FsWindow *self)
{
  fs_export_all_ask (self->export_all, fs_job_flow_get_job (self->job_flow));
}

static void
on_export_all_again (FsWindow *self)
{
  fs_export_all_repeat (self->export_all, fs_job_flow_get_job (self->job_flow));
}

static void
on_apply (FsWindow *self)
{
  fs_hand_over_flow_start (self->hand_over, self->project);
}

static void
on_import_mask (FsWindow *self)
{
  fs_import_flow_ask (self->import_flow, self->project);
}

static void
on_copy (FsWindow *self)
{
  fs_copy_flow_start (self->copy_flow, self->project);
}

static void
on_paste (FsWindow *self)
{
  fs_paste (self);
}

static void
on_swap (FsWindow *self)
{
  fs_tools_swap (self->tools);
}

static void
on_name_object (FsWindow *self)
{
  fs_object_name_ask (GTK_WINDOW (self), self->project, fs_tools_get_object (self->tools));
}

static void
on_cycle_view (FsWindow *self)
{
  fs_tools_cycle_view (self->tools);
}

static void
on_brush_smaller (FsWindow *self)
{
  fs_tools_step_brush_size (self->tools, FALSE);
}

static void
on_brush_larger (FsWindow *self)
{
  fs_tools_step_brush_size (self->tools, TRUE);
}

static void
on_zoom_in (FsWindow *self)
{
  fs_canvas_zoom_step (self->canvas, TRUE);
}

static void
on_zoom_out (FsWindow *self)
{
  fs_canvas_zoom_step (self->canvas, FALSE);
}

static void
on_zoom_fit (FsWindow *self)
{
  fs_canvas_zoom_fit (self->canvas);
}

static void
on_zoom_original (FsWindow *self)
{
  fs_canvas_zoom_original (self->canvas);
}

static void
on_close (FsWindow *self)
{
  gtk_window_close (GTK_WINDOW (self));
}

static const struct {
  const char *name;
  void (*activate) (FsWindow *self);
} entries[] = {
  { "undo", on_undo },
  { "redo", on_redo },
  { "find-subject", on_find_subject },
  { "cancel-finding", on_cancel_finding },
  { "dismiss-guess", on_dismiss_guess },
  { "set-up-finder", on_set_up_finder },
  { "next-photo", on_next_photo },
  { "previous-photo", on_previous_photo },
  { "label-folder", on_label_folder },
  { "finish-photo", on_finish_photo },
  { "next-unfinished", on_next_unfinished },
  { "save", on_save },
  { "save-as", on_save_as },
  { "export", on_export },
  { "export-again", on_export_again },
  { "export-all", on_export_all },
  { "export-all-again", on_export_all_again },
  { "apply", on_apply },
  { "import-mask", on_import_mask },
  { "copy", on_copy },
  { "paste", on_paste },
  { "swap", on_swap },
  { "name-object", on_name_object },
  { "cycle-view", on_cycle_view },
  { "brush-smaller", on_brush_smaller },
  { "brush-larger", on_brush_larger },
  { "zoom-in", on_zoom_in },
  { "zoom-out", on_zoom_out },
  { "zoom-fit", on_zoom_fit },
  { "zoom-original", on_zoom_original },
  { "close", on_close },
};

/* Those of a job, with a state. */
static const struct {
  const char *name;
  void (*activate) (FsWindow *self);
} switches[] = {
  { "photo-done", on_photo_done },
  { "photo-strip", on_photo_strip },
};

static void
set_enabled (FsWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
set_switch (FsWindow *self, const char *name, gboolean enabled, gboolean on)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (on));
}

/* Keys typed into an entry are not shortcuts: many actions have a letter or a digit. Those of a job
 * come before these. */
static gboolean
on_key (GtkWindow *window, GdkEventKey *event)
{
  if (GTK_IS_EDITABLE (gtk_window_get_focus (window)))
    return gtk_window_propagate_key_event (window, event);
  return fs_job_flow_key (((FsWindow *)window)->job_flow, event);
}

void
fs_window_actions_install (FsWindow *self)
{
  g_signal_connect (self, "key-press-event", G_CALLBACK (on_key), NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++) {
    g_autoptr (GSimpleAction) action = g_simple_action_new (entries[i].name, NULL);
    g_signal_connect_swapped (action, "activate", G_CALLBACK (entries[i].activate), self);
    g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
  }
  for (gsize i = 0; i < G_N_ELEMENTS (switches); i++) {
    g_autoptr (GSimpleAction) action =
        g_simple_action_new_stateful (switches[i].name, NULL, g_variant_new_boolean (FALSE));
    g_signal_connect_swapped (action, "activate", G_CALLBACK (switches[i].activate), self);
    g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
  }
  FsTools *tools = self->tools;
  const struct {
    const char *name;
    gpointer object;
    const char *property;
  } bound[] = {
    { "tool", tools, "tool" },
    { "object", tools, "object" },
    { "view", tools, "view" },
    { "compare", tools, "comparing" },
    { "split", tools, "split" },
    { "side-panel", self->side_panel, "reveal-child" },
    { "menu", self->menu_button, "active" },
    { "latency", self->latency_label, "visible" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (bound); i++) {
    g_autoptr (GPropertyAction) action =
        g_property_action_new (bound[i].name, bound[i].object, bound[i].property);
    g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
  }
  fs_window_actions_update (self);
}

void
fs_window_actions_update (FsWindow *self)
{
  FsDocument *document = self->document;
  gboolean open = document != NULL, editable = fs_window_state_is_editable (self);
  gboolean has_mask = open && fs_document_get_status (document).has_mask;
  static const char *const zooms[] = { "zoom-in", "zoom-out", "zoom-fit", "zoom-original" };
  for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++)
    set_enabled (self, zooms[i], open);
  const gboolean is_for_other = self->hand_over != NULL;
  gboolean own =
      open && !is_for_other && fs_photo_folder_is_own (fs_project_get_photo_path (self->project));
  set_enabled (self, "next-photo", own);
  set_enabled (self, "previous-photo", own);
  const gboolean is_job = open && fs_job_flow_get_job (self->job_flow) != NULL;
  set_enabled (self, "label-folder", own && editable && !is_job);
  set_enabled (self, "finish-photo", is_job && editable);
  set_enabled (self, "next-unfinished", is_job && editable);
  set_switch (self, "photo-done", is_job && editable, is_job && fs_project_is_done (self->project));
  set_enabled (self, "export-all", is_job && editable);
  set_enabled (self, "export-all-again", is_job && editable);
  set_switch (self, "photo-strip", is_job,
              gtk_revealer_get_reveal_child (GTK_REVEALER (self->photo_strip)));
  set_enabled (self, "save", editable);
  set_enabled (self, "import-mask", editable);
  set_enabled (self, "name-object", editable);
  set_enabled (self, "save-as", editable);
  set_enabled (self, "undo", editable && fs_document_can_undo (document));
  set_enabled (self, "redo", editable && fs_document_can_redo (document));
  gboolean finding = fs_subject_flow_is_running (self->subject_flow);
  set_enabled (self, "find-subject", editable && !finding);
  set_enabled (self, "cancel-finding", finding);
  set_enabled (self, "dismiss-guess", editable && fs_document_get_guess (document) != NULL);
  set_enabled (self, "export", has_mask && editable);
  set_enabled (self, "export-again", has_mask && editable);
  set_enabled (self, "apply", has_mask && editable && is_for_other);
  set_enabled (self, "paste", !is_for_other);
  set_enabled (self, "copy", has_mask && editable);
}
