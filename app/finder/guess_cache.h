/* SPDX-License-Identifier: MIT */
/* Cache of guesses from subject finders, in the user's cache folder.   Layer: app.
 *
 * An entry is the picture that the finder wrote, byte for byte. Its file's name has its key and its
 * checksum, so that a damaged one is not used. Entries are in fretsaw/guesses of $XDG_CACHE_HOME or
 * ~/.cache, at most FS_GUESS_CACHE_MAX_FILES with FS_GUESS_CACHE_MAX_BYTES in all; the least
 * recently used are removed first. A disk error only loses the entry.
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

/* The path of the undamaged entry of a key (hexadecimal digits); NULL: there is none. g_free. */
char *fs_guess_cache_find (const char *key);

/* Stores a copy of the file. */
void fs_guess_cache_store (const char *key, const char *path);

/* Removes the entry of a key, if there is one. */
void fs_guess_cache_drop (const char *key);

/* The path of the cache. g_free. */
char *fs_guess_cache_folder (void);

G_END_DECLS

#endif
