/* SPDX-License-Identifier: MIT */
/* Preferences of the window, stored by GSettings.   Layer: ui.
 *
 * The keys, with their ranges and defaults, are in data/io.github.fretsaw.Fretsaw.gschema.xml. GLib
 * aborts on a schema or a key that is not installed, so they are looked up first; a preference that
 * is missing is not stored, and everything else works.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_PREFERENCES_H
#define FS_UI_SETTINGS_PREFERENCES_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* The program's GSettings, not the caller's; NULL without the schema. */
GSettings *fs_preferences_get (void);

/* TRUE if `key` can be read and written with fs_preferences_get(). */
gboolean fs_preferences_has (const char *key);

/* Sets `property` of `object` to the stored value of `key`, and stores each later change of it.
 * Values stored later by other windows are not applied to this object. Enumerations are stored by
 * the nicks of their values. */
void fs_preferences_bind (const char *key, gpointer object, const char *property);

/* Resets all preferences. */
void fs_preferences_reset (void);

G_END_DECLS

#endif
