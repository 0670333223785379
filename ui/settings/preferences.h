/* SPDX-License-Identifier: MIT */
/* Preferences that the window keeps from one run to the next.   Layer: ui.
 *
 * The keys, with their ranges and defaults, are in data/io.github.fretsaw.Fretsaw.gschema.xml. GLib
 * ends the program when it is asked for a schema or a key that is not installed, so they are looked
 * up first: what is missing is not remembered, and everything works.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_PREFERENCES_H
#define FS_UI_SETTINGS_PREFERENCES_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* The one GSettings of the program, which it keeps; NULL without the schema. */
GSettings *fs_preferences_get (void);

/* Returns whether `key` can be read and written with fs_preferences_get(). */
gboolean fs_preferences_has (const char *key);

/* Sets `property` of `object` to what was remembered as `key`, and remembers each change of it from
 * now on. What another window remembers later does not come back to this object. Enumerations are
 * stored by the nicks of their values. */
void fs_preferences_bind (const char *key, gpointer object, const char *property);

/* Forgets everything. */
void fs_preferences_reset (void);

G_END_DECLS

#endif
