/* SPDX-License-Identifier: MIT */
#include "ui/window/window_actions.h"

#include "ui/open/subject_flow.h"
#include "ui/settings/object_name.h"
#include "ui/open/photo_folder.h"
#include "ui/window/paste.h"

static void
on_undo (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_document_undo (fs_window_get_document (user_data));
}

static void
on_redo (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_document_redo (fs_window_get_document (user_data));
}

static void
on_find_subject (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_subject_flow_start (fs_window_get_subject_flow (user_data));
}

static void
on_cancel_finding (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_subject_flow_cancel (fs_window_get_subject_flow (user_data));
}

static void
on_dismiss_guess (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_document_set_guess (fs_window_get_document (user_data), NULL, NULL);
}

static void
on_set_up_finder (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_revealer_set_reveal_child (GTK_REVEALER (fs_window_get_side_panel (user_data)), TRUE);
  fs_finder_panel_present (fs_window_get_finder_panel (user_data));
}

static void
on_next_photo (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_window_step (user_data, 1);
}

static void
on_previous_photo (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_window_step (user_data, -1);
}

static void
on_save (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_window_save (user_data, FALSE);
}

static void
on_save_as (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_window_save (user_data, TRUE);
}

static void
on_export (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_window_export (user_data, FALSE);
}

static void
on_export_again (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_window_export (user_data, TRUE);
}

static void
on_import_mask (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_window_import_mask (user_data);
}

static void
on_copy (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_window_copy (user_data);
}

static void
on_paste (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_paste (user_data);
}

static void
on_swap (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_tools_swap (fs_window_get_tools (user_data));
}

static void
on_name_object (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_object_name_ask (user_data, fs_window_get_project (user_data),
                      fs_tools_get_object (fs_window_get_tools (user_data)));
}

static void
on_cycle_view (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_tools_cycle_view (fs_window_get_tools (user_data));
}

static void
on_brush_smaller (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_tools_step_brush_size (fs_window_get_tools (user_data), FALSE);
}

static void
on_brush_larger (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_tools_step_brush_size (fs_window_get_tools (user_data), TRUE);
}

static void
on_zoom_in (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_canvas_zoom_step (fs_window_get_canvas (user_data), TRUE);
}

static void
on_zoom_out (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_canvas_zoom_step (fs_window_get_canvas (user_data), FALSE);
}

static void
on_zoom_fit (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_canvas_zoom_fit (fs_window_get_canvas (user_data));
}

static void
on_zoom_original (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fs_canvas_zoom_original (fs_window_get_canvas (user_data));
}

static void
on_close (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_window_close (user_data);
}

static const GActionEntry entries[] = {
  { .name = "undo", .activate = on_undo },
  { .name = "redo", .activate = on_redo },
  { .name = "find-subject", .activate = on_find_subject },
  { .name = "cancel-finding", .activate = on_cancel_finding },
  { .name = "dismiss-guess", .activate = on_dismiss_guess },
  { .name = "set-up-finder", .activate = on_set_up_finder },
  { .name = "next-photo", .activate = on_next_photo },
  { .name = "previous-photo", .activate = on_previous_photo },
  { .name = "save", .activate = on_save },
  { .name = "save-as", .activate = on_save_as },
  { .name = "export", .activate = on_export },
  { .name = "export-again", .activate = on_export_again },
  { .name = "import-mask", .activate = on_import_mask },
  { .name = "copy", .activate = on_copy },
  { .name = "paste", .activate = on_paste },
  { .name = "swap", .activate = on_swap },
  { .name = "name-object", .activate = on_name_object },
  { .name = "cycle-view", .activate = on_cycle_view },
  { .name = "brush-smaller", .activate = on_brush_smaller },
  { .name = "brush-larger", .activate = on_brush_larger },
  { .name = "zoom-in", .activate = on_zoom_in },
  { .name = "zoom-out", .activate = on_zoom_out },
  { .name = "zoom-fit", .activate = on_zoom_fit },
  { .name = "zoom-original", .activate = on_zoom_original },
  { .name = "close", .activate = on_close },
};

static void
enable (FsWindow *window, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (window), name);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* Keys typed into an entry are none of the window's: many actions have a letter or a digit.
 */
static gboolean
on_key (GtkWindow *window, GdkEventKey *event)
{
  return GTK_IS_EDITABLE (gtk_window_get_focus (window))
         && gtk_window_propagate_key_event (window, event);
}

void
fs_window_actions_install (FsWindow *window)
{
  g_signal_connect (window, "key-press-event", G_CALLBACK (on_key), NULL);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), window);
  FsTools *tools = fs_window_get_tools (window);
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
    { "side-panel", fs_window_get_side_panel (window), "reveal-child" },
    { "menu", fs_window_get_menu_button (window), "active" },
    { "latency", fs_window_get_latency_label (window), "visible" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (bound); i++) {
    g_autoptr (GPropertyAction) action =
        g_property_action_new (bound[i].name, bound[i].object, bound[i].property);
    g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
  }
  fs_window_actions_update (window);
}

void
fs_window_actions_update (FsWindow *window)
{
  FsDocument *document = fs_window_get_document (window);
  gboolean open = document != NULL, editable = fs_window_is_editable (window);
  gboolean has_mask = open && fs_document_get_status (document).has_mask;
  static const char *const zooms[] = { "zoom-in", "zoom-out", "zoom-fit", "zoom-original" };
  for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++)
    enable (window, zooms[i], open);
  FsProject *project = fs_window_get_project (window);
  gboolean own = open && fs_photo_folder_is_own (fs_project_get_photo_path (project));
  enable (window, "next-photo", own);
  enable (window, "previous-photo", own);
  enable (window, "save", editable);
  enable (window, "import-mask", editable);
  enable (window, "name-object", editable);
  enable (window, "save-as", editable);
  enable (window, "undo", editable && fs_document_can_undo (document));
  enable (window, "redo", editable && fs_document_can_redo (document));
  gboolean finding = fs_subject_flow_is_running (fs_window_get_subject_flow (window));
  enable (window, "find-subject", editable && !finding);
  enable (window, "cancel-finding", finding);
  enable (window, "dismiss-guess", editable && fs_document_get_guess (document) != NULL);
  enable (window, "export", has_mask && editable);
  enable (window, "export-again", has_mask && editable);
  enable (window, "copy", has_mask && editable);
}
