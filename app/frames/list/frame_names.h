/* SPDX-License-Identifier: MIT */
/* Patterns for the names of numbered images, with one place for the number.   Layer: app.
 *
 *   shot-%d.png      shot-1.png, shot-2.png, …, shot-10.png
 *   shot-%04d.png    shot-0001.png, …, shot-9999.png, shot-10000.png
 *   100%%-%d.png     100%-1.png, …
 *
 * There are %d, %0Nd with N from 1 to 18, and %%. Other percent signs are refused, except before a
 * character that no printf format has, as in "100%_%d.png": there they stand for themselves. Every
 * number has one name, and every name at most one number. Patterns are parsed here and never given
 * to printf.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_FRAMES_LIST_FRAME_NAMES_H
#define FS_APP_FRAMES_LIST_FRAME_NAMES_H

#include <glib.h>

G_BEGIN_DECLS

/* The largest number of digits in a name. */
#define FS_FRAME_MAX_DIGITS 18

typedef struct {
  char *before, *after; /* the number */
  int n_digits;         /* the smallest number of digits; 1 for %d */
} FsFrameNames;

/* Reads a pattern for a name, without folders. Errors: FS_FRAMES_ERROR_PATTERN, "PATTERN: reason".
 */
gboolean fs_frame_names_init (FsFrameNames *names, const char *pattern, GError **error);
void fs_frame_names_clear (FsFrameNames *names);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsFrameNames, fs_frame_names_clear)

/* The name of a number. g_free. */
char *fs_frame_names_expand (const FsFrameNames *names, guint64 number);

/* The number of a name; FALSE where it is not one of these names. */
gboolean fs_frame_names_match (const FsFrameNames *names, const char *name, guint64 *number);

G_END_DECLS

#endif
