/* SPDX-License-Identifier: MIT */
/* The names of numbered images, as a pattern with one place for the number.   Layer: app.
 *
 *   shot-%d.png      shot-1.png, shot-2.png, …, shot-10.png
 *   shot-%04d.png    shot-0001.png, …, shot-9999.png, shot-10000.png
 *   100%%-%d.png     100%-1.png, …
 *
 * %d and %0Nd, with N from 1 to 18, and %% are all there is; another percent sign is refused, but
 * before what no format of printf has, as in "100%_%d.png", it stands for itself. Every number has
 * one name and every name at most one number. The pattern is read here and never given to printf.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_FRAMES_LIST_FRAME_NAMES_H
#define FS_APP_FRAMES_LIST_FRAME_NAMES_H

#include <glib.h>

G_BEGIN_DECLS

/* Of a number in a name. */
#define FS_FRAME_MAX_DIGITS 18

typedef struct {
  char *before, *after; /* the number */
  int n_digits;         /* at least so many; 1 for %d */
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
