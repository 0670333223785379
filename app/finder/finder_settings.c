/* SPDX-License-Identifier: MIT */
#include "app/finder/finder_settings.h"

#include "app/export/export.h"

#include <string.h>

#define GROUP      "subject-finder"
#define COMMAND    "command"
#define TIME_LIMIT "time-limit"

/* Options for a mask alone, from each program's help. The last one names its output itself. */
static const struct {
  const char *name, *command;
} presets[] = {
  { "fretsaw-subject", NULL }, /* with the model that is there */
  { "rembg", "rembg i -om {photo} {mask}" },
  { "backgroundremover", "backgroundremover -i {photo} -om -o {mask}" },
  { "transparent-background",
    "transparent-background --source {photo} --dest {folder} --type map" },
};

/* --- presets ---------------------------------------------------------------------------------- */

const char *const *
fs_finder_presets_get_names (void)
{
  static const char *names[G_N_ELEMENTS (presets) + 1];
  static gsize is_filled;
  if (g_once_init_enter (&is_filled)) {
    for (gsize i = 0; i < G_N_ELEMENTS (presets); i++)
      names[i] = presets[i].name;
    g_once_init_leave (&is_filled, 1);
  }
  return names;
}

char *
fs_finder_models_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "fretsaw", "models", NULL);
}

/* The first by name, which everybody can see to. */
static char *
find_model (void)
{
  g_autofree char *folder = fs_finder_models_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autofree char *first = NULL;
  for (const char *name = dir ? g_dir_read_name (dir) : NULL; name; name = g_dir_read_name (dir))
    if (g_str_has_suffix (name, ".onnx") && (!first || strcmp (name, first) < 0)) {
      g_free (first);
      first = g_strdup (name);
    }
  return first ? g_build_filename (folder, first, NULL) : NULL;
}

static char *
own_finder_command (void)
{
  g_autofree char *model = find_model (), *folder = fs_finder_models_folder ();
  g_autofree char *named =
      model ? g_steal_pointer (&model) : g_build_filename (folder, "MODEL.onnx", NULL);
  g_autofree char *quoted = g_shell_quote (named);
  return g_strdup_printf ("fretsaw-subject %s {photo} {mask}", quoted);
}

char *
fs_finder_preset_get_command (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (presets); i++)
    if (strcmp (presets[i].name, name) == 0)
      return presets[i].command ? g_strdup (presets[i].command) : own_finder_command ();
  return NULL;
}

gboolean
fs_finder_preset_is_installed (const char *name)
{
  g_autofree char *path = g_find_program_in_path (name);
  g_autofree char *model = strcmp (name, presets[0].name) == 0 ? find_model () : g_strdup ("");
  return path && model;
}

/* --- settings --------------------------------------------------------------------------------- */

char *
fs_finder_settings_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "fretsaw", "subject-finder.ini", NULL);
}

static GKeyFile *
load_file (void)
{
  g_autofree char *path = fs_finder_settings_path ();
  GKeyFile *file = g_key_file_new ();
  g_key_file_load_from_file (file, path, G_KEY_FILE_KEEP_COMMENTS, NULL);
  return file;
}

void
fs_finder_settings_load (FsFinderSettings *settings)
{
  g_autoptr (GKeyFile) file = load_file ();
  g_autofree char *command = g_key_file_get_string (file, GROUP, COMMAND, NULL);
  int time_limit_s = g_key_file_get_integer (file, GROUP, TIME_LIMIT, NULL);
  *settings = (FsFinderSettings){
    .command = command && *g_strstrip (command) ? g_steal_pointer (&command) : NULL,
    .time_limit_s =
        time_limit_s >= 1 ? MIN (time_limit_s, FS_FINDER_MAX_TIME_LIMIT_S) : FS_FINDER_TIME_LIMIT_S,
  };
}

gboolean
fs_finder_settings_save (const FsFinderSettings *settings, GError **error)
{
  g_autoptr (GKeyFile) file = load_file ();
  if (settings->command)
    g_key_file_set_string (file, GROUP, COMMAND, settings->command);
  else
    g_key_file_remove_key (file, GROUP, COMMAND, NULL);
  g_key_file_set_integer (file, GROUP, TIME_LIMIT, settings->time_limit_s);
  g_autofree char *path = fs_finder_settings_path (), *folder = g_path_get_dirname (path);
  g_mkdir_with_parents (folder, 0700);
  gsize n_bytes;
  g_autofree char *text = g_key_file_to_data (file, &n_bytes, NULL);
  return fs_export_write_text (path, text, (gssize)n_bytes, error);
}

void
fs_finder_settings_clear (FsFinderSettings *settings)
{
  g_clear_pointer (&settings->command, g_free);
}
