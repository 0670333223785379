/* SPDX-License-Identifier: MIT */
#include "ui/window/application.h"

#include "app/folder/folder_classes.h"
#include "ui/open/file_filters.h"
#include "ui/open/photo_folder.h"
#include "ui/fretsaw_resources.h"
#include "ui/open/open_files.h"
#include "ui/open/photo_preview.h"
#include "ui/save/hand_over_flow.h"
#include "ui/settings/preferences.h"
#include "ui/settings/sample.h"
#include "ui/settings/style.h"
#include "ui/window/recovery.h"
#include "ui/window/window.h"
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#define MAX_REGISTRATIONS     20
#define REGISTRATION_PAUSE_US 50000

struct _FsApplication {
  GtkApplication parent;
  char *hand_over; /* the folder that gets the cut-out; NULL: files are opened as usual */
  gboolean is_terminated;
};

G_DEFINE_FINAL_TYPE (FsApplication, fs_application, GTK_TYPE_APPLICATION)

/* ---- Actions ---- */

static void
on_open_response (GtkFileChooserNative *chooser, int response, FsApplication *self)
{
  if (response == GTK_RESPONSE_ACCEPT) {
    GtkWindow *from = gtk_native_dialog_get_transient_for (GTK_NATIVE_DIALOG (chooser));
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
    if (file != NULL)
      fs_application_open (self, from, file);
  }
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (chooser));
  g_object_unref (chooser);
}

/* The folder of the window's photo, if that is the user's own file. g_free. */
static char *
find_own_folder (GtkWindow *window)
{
  FsProject *project = FS_IS_WINDOW (window) ? fs_window_get_project (FS_WINDOW (window)) : NULL;
  const char *photo = project != NULL ? fs_project_get_photo_path (project) : NULL;
  return photo != NULL && fs_photo_folder_is_own (photo) ? g_path_get_dirname (photo) : NULL;
}

/* By default the dialog begins with recent files, which are empty at first and rarely contain the
 * next photo. */
static void
start_among_photos (GtkFileChooser *chooser, GtkWindow *window)
{
  g_autofree char *folder = find_own_folder (window);
  if (folder == NULL)
    folder = g_strdup (g_get_user_special_dir (G_USER_DIRECTORY_PICTURES));
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (chooser, folder);
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  FsApplication *self = user_data;
  GtkWindow *parent = gtk_application_get_active_window (GTK_APPLICATION (self));
  GtkFileChooserNative *chooser =
      gtk_file_chooser_native_new (_ ("Open a Photo or a Session"), parent,
                                   GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));
  fs_file_filters_add_openable (GTK_FILE_CHOOSER (chooser));
  fs_photo_preview_attach (chooser);
  start_among_photos (GTK_FILE_CHOOSER (chooser), parent);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_open_response), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
on_open_sample (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autoptr (GFile) sample = fs_sample_find ();
  if (sample != NULL)
    fs_application_open (user_data, gtk_application_get_active_window (user_data), sample);
}

static void
on_open_recent (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  fs_application_open (user_data, gtk_application_get_active_window (user_data), file);
}

static void
on_open_files (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  guint32 id;
  g_autofree const char **uris = NULL;
  g_variant_get (parameter, "(u^a&s)", &id, &uris);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  for (const char **uri = uris; *uri != NULL; uri++)
    g_ptr_array_add (files, g_file_new_for_uri (*uri));
  GtkWindow *from = id != 0 ? gtk_application_get_window_by_id (user_data, id)
                            : gtk_application_get_active_window (user_data);
  fs_application_open_many (user_data, from, (GFile **)files->pdata, files->len);
}

static void
on_new_window (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_window_present (GTK_WINDOW (fs_window_new (user_data)));
}

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  /* Each window may ask about its work and stay open. */
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (user_data));
  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_close (l->data);
}

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_show_about_dialog (gtk_application_get_active_window (user_data),            /**/
                         "program-name", _ ("Fretsaw"),                            /**/
                         "logo-icon-name", FS_APPLICATION_ICON,                    /**/
                         "version", FS_VERSION,                                    /**/
                         "comments", _ ("Cut things out of photos, to the pixel"), /**/
                         "license-type", GTK_LICENSE_MIT_X11,                      /**/
                         NULL);
}

static void
on_shortcuts_hidden (GtkWidget *widget, gpointer user_data)
{
  gtk_window_set_transient_for (GTK_WINDOW (widget), NULL);
}

/* GTK 3.24.38 keeps the style contexts of a destroyed GtkShortcutsWindow and uses them when the
 * theme changes. Therefore there is one, which is hidden and never destroyed, instead of
 * GtkApplication's help overlay, one per window. */
static void
on_shortcuts (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  static GtkWidget *shortcuts;
  if (shortcuts == NULL) {
    g_autoptr (GtkBuilder) builder =
        gtk_builder_new_from_resource ("/io/github/fretsaw/Fretsaw/shortcuts.ui");
    shortcuts = GTK_WIDGET (gtk_builder_get_object (builder, "shortcuts"));
    g_signal_connect (shortcuts, "delete-event", G_CALLBACK (gtk_widget_hide_on_delete), NULL);
    g_signal_connect (shortcuts, "hide", G_CALLBACK (on_shortcuts_hidden), NULL);
  }
  gtk_window_set_transient_for (GTK_WINDOW (shortcuts),
                                gtk_application_get_active_window (user_data));
  gtk_window_present (GTK_WINDOW (shortcuts));
}

static const GActionEntry actions[] = {
  { .name = "open", .activate = on_open },
  { .name = "open-recent", .activate = on_open_recent, .parameter_type = "s" },
  { .name = FS_OPEN_FILES_NAME, .activate = on_open_files, .parameter_type = FS_OPEN_FILES_TYPE },
  { .name = "new-window", .activate = on_new_window },
  { .name = "open-sample", .activate = on_open_sample },
  { .name = "quit", .activate = on_quit },
  { .name = "shortcuts", .activate = on_shortcuts },
  { .name = "about", .activate = on_about },
};

static void
set_accels (GtkApplication *self)
{
  static const struct {
    const char *action;
    const char *accels[4];
  } table[] = {
    { "app.open", { "<Primary>o" } },
    { "app.new-window", { "<Primary>n" } },
    { "win.next-photo", { "<Primary>Page_Down", "<Primary>KP_Page_Down" } },
    { "win.previous-photo", { "<Primary>Page_Up", "<Primary>KP_Page_Up" } },
    { "win.finish-photo", { "<Primary>Return", "<Primary>KP_Enter" } },
    { "win.next-unfinished", { "u" } },
    { "win.photo-done", { "m" } },
    { "win.save", { "<Primary>s" } },
    { "win.save-as", { "<Primary><Shift>s" } },
    { "app.quit", { "<Primary>q" } },
    { "app.shortcuts", { "<Primary>question", "F1" } },
    { "win.close", { "<Primary>w" } },
    { "win.apply", { "<Primary>Return", "<Primary>KP_Enter" } },
    { "win.export-again", { "<Primary>e" } },
    { "win.export", { "<Primary><Shift>e" } },
    { "win.export-all", { "<Primary><Shift>l" } },
    { "win.export-all-again", { "<Primary>l" } },
    { "win.import-mask", { "<Primary>i" } },
    { "win.copy", { "<Primary>c" } },
    { "win.paste", { "<Primary>v" } },
    { "win.undo", { "<Primary>z" } },
    { "win.redo", { "<Primary><Shift>z", "<Primary>y" } },
    { "win.find-subject", { "g" } },
    { "win.dismiss-guess", { "d" } },
    { "win.cycle-view", { "f" } },
    { "win.split", { "s" } },
    { "win.menu", { "F10" } },
    { "win.latency", { "F12" } },
    { "win.side-panel", { "F9" } },
    { "win.photo-strip", { "F8" } },
    { "win.tool::object", { "b" } },
    { "win.tool::background", { "n" } },
    { "win.tool::eraser", { "e" } },
    { "win.tool::lasso", { "l" } },
    { "win.tool::box", { "r" } },
    { "win.tool::refine", { "w" } },
    { "win.tool::hard", { "q" } },
    { "win.tool::hand", { "h" } },
    { "win.name-object", { "F2" } },
    { "win.object(1)", { "1", "KP_1" } },
    { "win.object(2)", { "2", "KP_2" } },
    { "win.object(3)", { "3", "KP_3" } },
    { "win.object(4)", { "4", "KP_4" } },
    { "win.object(5)", { "5", "KP_5" } },
    { "win.object(6)", { "6", "KP_6" } },
    { "win.object(7)", { "7", "KP_7" } },
    { "win.object(8)", { "8", "KP_8" } },
    { "win.object(9)", { "9", "KP_9" } },
    { "win.swap", { "x" } },
    /* Brackets are used by other programs; many keyboards have them only with AltGr. */
    { "win.brush-smaller", { "bracketleft", "comma" } },
    { "win.brush-larger", { "bracketright", "period" } },
    { "win.zoom-in", { "<Primary>plus", "<Primary>equal", "<Primary>KP_Add" } },
    { "win.zoom-out", { "<Primary>minus", "<Primary>KP_Subtract" } },
    { "win.zoom-fit", { "<Primary>0", "<Primary>KP_0" } },
    { "win.zoom-original", { "<Primary>1", "<Primary>KP_1" } },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    gtk_application_set_accels_for_action (self, table[i].action, table[i].accels);
}

/* ---- Start-up ---- */

static gboolean
was_left_without_answer (const GError *error)
{
  return g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY)
         || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN)
         || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER)
         || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD);
}

/* The process that owns the name may be about to exit and leave the bus without a reply; then the
 * name is, or soon becomes, free. After other errors the caller registers once more and reports
 * them. */
static void
register_patiently (GApplication *application)
{
  for (int i = 0; i < MAX_REGISTRATIONS; i++) {
    g_autoptr (GError) error = NULL;
    if (g_application_register (application, NULL, &error) || !was_left_without_answer (error))
      return;
    g_usleep (REGISTRATION_PAUSE_US);
  }
}

static gboolean
fs_application_local_command_line (GApplication *application, char ***arguments, int *status)
{
  gboolean has_options = FALSE;
  for (char **word = *arguments + 1; *word != NULL; word++)
    has_options = has_options || (*word)[0] == '-';
  /* Options may change how to register; the parent class handles them. */
  if (!has_options)
    register_patiently (application);
  return G_APPLICATION_CLASS (fs_application_parent_class)
      ->local_command_line (application, arguments, status);
}

/* A window for another program has one photo. */
static void
disable_opening (FsApplication *self)
{
  static const char *const names[] = { "open", "open-recent", "open-sample", "new-window" };
  for (gsize i = 0; self->hand_over != NULL && i < G_N_ELEMENTS (names); i++) {
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), names[i]);
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), FALSE);
  }
}

static void
fs_application_startup (GApplication *application)
{
  /* Before GtkApplication's startup, which searches the base path for icons and help. */
  g_resources_register (fretsaw_get_resource ());
  G_APPLICATION_CLASS (fs_application_parent_class)->startup (application);
  g_action_map_add_action_entries (G_ACTION_MAP (application), actions, G_N_ELEMENTS (actions),
                                   application);
  g_autoptr (GFile) sample = fs_sample_find ();
  GAction *open_sample = g_action_map_lookup_action (G_ACTION_MAP (application), "open-sample");
  g_simple_action_set_enabled (G_SIMPLE_ACTION (open_sample), sample != NULL);
  disable_opening (FS_APPLICATION (application));
  set_accels (GTK_APPLICATION (application));
  gtk_window_set_default_icon_name (FS_APPLICATION_ICON);
  fs_style_load (G_ACTION_MAP (application));
}

static void
fs_application_shutdown (GApplication *application)
{
  if (fs_preferences_get () != NULL)
    g_settings_sync ();
  G_APPLICATION_CLASS (fs_application_parent_class)->shutdown (application);
}

static void
fs_application_activate (GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));
  if (window == NULL)
    window = GTK_WINDOW (fs_window_new (GTK_APPLICATION (application)));
  gtk_window_present (window);
  if (FS_IS_WINDOW (window))
    fs_recovery_offer (GTK_APPLICATION (application), FS_WINDOW (window));
}

static void
fs_application_open_files (GApplication *application, GFile **files, int n, const char *hint)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (application));
  fs_application_open_many (FS_APPLICATION (application), active, files, (guint)n);
}

/* Opens the earlier strokes on the photo, if the folder has them. */
static void
open_for_hand_over (FsApplication *self, GFile *photo)
{
  g_autofree char *path = g_build_filename (self->hand_over, FS_HAND_OVER_SESSION, NULL);
  g_autoptr (GFile) session = g_file_new_for_path (path);
  if (gtk_application_get_windows (GTK_APPLICATION (self)) != NULL)
    return;
  FsWindow *window = fs_window_new (GTK_APPLICATION (self));
  fs_window_set_hand_over (window, self->hand_over);
  fs_window_open (window, g_file_test (path, G_FILE_TEST_EXISTS) ? session : photo);
  gtk_window_present (GTK_WINDOW (window));
}

/* TRUE where work on a photo of this folder, a job, is brought back in the window. */
static gboolean
recover_in_folder (FsApplication *self, FsWindow *window, GFile *file)
{
  const char *folder = g_file_peek_path (file);
  return folder != NULL && g_file_test (folder, G_FILE_TEST_IS_DIR)
         && fs_folder_classes_is_there (folder)
         && fs_recovery_take (GTK_APPLICATION (self), window, folder);
}

void
fs_application_open (FsApplication *self, GtkWindow *from, GFile *file)
{
  if (self->hand_over != NULL) {
    open_for_hand_over (self, file);
    return;
  }
  FsWindow *window = NULL;
  GtkWindow *has_it = fs_window_find_session (GTK_APPLICATION (self), file);
  if (has_it != NULL) {
    gtk_window_present (has_it);
    return;
  }
  if (from != NULL && FS_IS_WINDOW (from) && fs_window_is_free (FS_WINDOW (from)))
    window = FS_WINDOW (from);
  else
    window = fs_window_new (GTK_APPLICATION (self));
  if (!recover_in_folder (self, window, file))
    fs_window_open (window, file);
  gtk_window_present (GTK_WINDOW (window));
  fs_recovery_offer (GTK_APPLICATION (self), window);
}

void
fs_application_open_many (FsApplication *self, GtkWindow *from, GFile **files, guint n)
{
  guint n_opened = MIN (n, FS_APPLICATION_MAX_AT_ONCE);
  for (guint i = 0; i < n_opened; i++)
    fs_application_open (self, from, files[i]);
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));
  if (n < 2 || !FS_IS_WINDOW (window))
    return;
  FsMessageBar *messages = fs_window_get_messages (FS_WINDOW (window));
  /* One of the windows may cover the others. */
  g_autofree char *text =
      n == n_opened ? g_strdup_printf (_ ("%u files were opened, each in a window of its own."), n)
                    : g_strdup_printf (
                        _ ("%u of %u files were opened, each in a window. Open the others when "
                           "you are done with these."),
                        n_opened, n);
  fs_message_bar_show (messages, n == n_opened ? GTK_MESSAGE_INFO : GTK_MESSAGE_WARNING, text);
}

static void
fs_application_finalize (GObject *object)
{
  g_free (FS_APPLICATION (object)->hand_over);
  G_OBJECT_CLASS (fs_application_parent_class)->finalize (object);
}

static void
fs_application_class_init (FsApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);
  G_OBJECT_CLASS (klass)->finalize = fs_application_finalize;
  application_class->local_command_line = fs_application_local_command_line;
  application_class->startup = fs_application_startup;
  application_class->shutdown = fs_application_shutdown;
  application_class->activate = fs_application_activate;
  application_class->open = fs_application_open_files;
}

static void
fs_application_init (FsApplication *self)
{
}

FsApplication *
fs_application_new (void)
{
  return g_object_new (FS_TYPE_APPLICATION, "application-id", FS_APPLICATION_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN, NULL);
}

FsApplication *
fs_application_new_for_hand_over (const char *folder)
{
  FsApplication *self =
      g_object_new (FS_TYPE_APPLICATION, "application-id", FS_APPLICATION_ID, "flags",
                    G_APPLICATION_HANDLES_OPEN | G_APPLICATION_NON_UNIQUE, NULL);
  self->hand_over = g_canonicalize_filename (folder, NULL);
  return self;
}

/* The other program is gone. A window of this kind closes without a question. */
static gboolean
on_terminated (gpointer application)
{
  FS_APPLICATION (application)->is_terminated = TRUE;
  on_quit (NULL, NULL, application);
  return G_SOURCE_REMOVE;
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *file = g_build_filename (path, name, NULL);
    g_unlink (file);
  }
  g_rmdir (path);
}

/* argv of `fretsaw --hand-over FOLDER PHOTO`, as app/commands/commands.c has checked it. */
static int
run_for_hand_over (char **argv)
{
  char *words[] = { argv[0], argv[3], NULL };
  g_autoptr (FsApplication) application = fs_application_new_for_hand_over (argv[2]);
  g_unix_signal_add (SIGTERM, on_terminated, application);
  const int status = g_application_run (G_APPLICATION (application), 2, words);
  if (application->is_terminated && g_getenv ("FRETSAW_HAND_OVER_PRIVATE") != NULL)
    remove_folder (application->hand_over);
  return status;
}

int
fs_application_main (int argc, char **argv)
{
  bindtextdomain (GETTEXT_PACKAGE, LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  if (!gtk_init_check (NULL, NULL)) {
    g_printerr (_ ("fretsaw: there is no display to open a window on; “fretsaw --help” says what "
                   "works without one\n"));
    return 1;
  }
  g_set_application_name (_ ("Fretsaw"));
  /* Desktop shells find a window's desktop entry by its class. */
  gdk_set_program_class (FS_APPLICATION_ID);
  if (argc == 4 && g_str_equal (argv[1], "--hand-over"))
    return run_for_hand_over (argv);
  g_autoptr (FsApplication) application = fs_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
