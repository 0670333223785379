/* SPDX-License-Identifier: MIT */
/* Subject finders that are known by name, and which one is wanted.   Layer: app.
 *
 * A preset is a name with a command line (subject_finder.h says what is in one). The user's own is
 * in a file that window and commands read:
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

/* A file that is not there, or damaged, says nothing. */
void fs_finder_settings_load (FsFinderSettings *settings);
/* Leaves other keys of the file alone. Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_finder_settings_save (const FsFinderSettings *settings, GError **error);
void fs_finder_settings_clear (FsFinderSettings *settings);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsFinderSettings, fs_finder_settings_clear)

/* Their path. g_free. */
char *fs_finder_settings_path (void);

/* All presets, the preferred one first; NULL comes last. */
const char *const *fs_finder_presets_get_names (void);

/* The command line of a preset; NULL where no preset has that name. Of "fretsaw-subject" it names
 * the first model in ~/.local/share/fretsaw/models, by its file's name. g_free. */
char *fs_finder_preset_get_command (const char *name);

/* Returns whether its program is on PATH, and the model that it needs is there. */
gboolean fs_finder_preset_is_installed (const char *name);

/* ~/.local/share/fretsaw/models. g_free. */
char *fs_finder_models_folder (void);

G_END_DECLS

#endif
