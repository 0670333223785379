/* SPDX-License-Identifier: MIT */
/* Guesses that a subject finder has found before, stored in the user's cache folder.   Layer: app.
 *
 * An entry is the picture that the finder wrote, byte for byte, in a file named by its key and by
 * its own sum, so that one that is damaged is not taken. They are in fretsaw/guesses of
 * $XDG_CACHE_HOME or ~/.cache, at most FS_GUESS_CACHE_MAX_FILES of them and
 * FS_GUESS_CACHE_MAX_BYTES in all; those that were not asked for longest go first. Failures of the
 * disk only cost the entry.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_FINDER_GUESS_CACHE_H
#define FS_APP_FINDER_GUESS_CACHE_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_GUESS_CACHE_MAX_FILES 1000
#define FS_GUESS_CACHE_MAX_BYTES (G_GUINT64_CONSTANT (256) << 20)
/* A larger picture is not stored. */
#define FS_GUESS_CACHE_MAX_FILE_BYTES (G_GUINT64_CONSTANT (16) << 20)

/* The path of the entry of a key (hexadecimal digits), whole; NULL: there is none. g_free. */
char *fs_guess_cache_find (const char *key);

/* Stores a copy of the file. */
void fs_guess_cache_store (const char *key, const char *path);

/* Removes the entry of a key, if there is one. */
void fs_guess_cache_drop (const char *key);

/* Their path. g_free. */
char *fs_guess_cache_folder (void);

G_END_DECLS

#endif
