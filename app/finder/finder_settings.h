/* SPDX-License-Identifier: MIT */
/* Settings of the subject finder, and presets.   Layer: app.
 *
 * A preset is a name for a command line (subject_finder.h). The user's settings are in a file that
 * window and commands read:
 *
 *   ~/.config/fretsaw/subject-finder.ini   ($XDG_CONFIG_HOME)
 *     [subject-finder]
 *     command=rembg i -om {photo} {mask}     a command line, or the name of a preset
 *     time-limit=300                         seconds
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_FINDER_FINDER_SETTINGS_H
#define FS_APP_FINDER_FINDER_SETTINGS_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_FINDER_TIME_LIMIT_S     300
#define FS_FINDER_MAX_TIME_LIMIT_S 86400

typedef struct {
  char *command;    /* NULL: the first preset that is installed */
  int time_limit_s; /* 1 to FS_FINDER_MAX_TIME_LIMIT_S          */
} FsFinderSettings;

/* Loads the settings; a missing or damaged file gives the defaults. */
void fs_finder_settings_load (FsFinderSettings *settings);
/* Saves the settings; other keys of the file stay. Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_finder_settings_save (const FsFinderSettings *settings, GError **error);
void fs_finder_settings_clear (FsFinderSettings *settings);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsFinderSettings, fs_finder_settings_clear)

/* The path of the settings. g_free. */
char *fs_finder_settings_path (void);

/* The names of all presets, the preferred one first, terminated by NULL. */
const char *const *fs_finder_presets_get_names (void);

/* The command line of a preset; NULL for an unknown name. That of "fretsaw-subject" has the first
 * model in ~/.local/share/fretsaw/models, by file name. g_free. */
char *fs_finder_preset_get_command (const char *name);

/* TRUE if its program is on PATH, and the model that it needs exists. */
gboolean fs_finder_preset_is_installed (const char *name);

/* ~/.local/share/fretsaw/models. g_free. */
char *fs_finder_models_folder (void);

G_END_DECLS

#endif
