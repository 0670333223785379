/* SPDX-License-Identifier: MIT */
/* Quick look at a session file: its photo, and how far it is.   Layer: app.
 *
 * Reads the outermost members of the text alone and passes over strokes, so that the sessions of a
 * whole folder take a moment. It does not validate: a file that fs_session_read() refuses may pass,
 * and whoever opens it is told.
 *
 * Threads: any; reading blocks.
 */
#ifndef FS_APP_FOLDER_SESSION_SCAN_H
#define FS_APP_FOLDER_SESSION_SCAN_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *photo;          /* as the session names it, UTF-8; NULL: not found */
  gboolean done;        /* session.h                                       */
  gboolean has_strokes; /* or edits of the edge                            */
} FsSessionScan;

/* FALSE where the text is no JSON object. */
gboolean fs_session_scan_text (const char *text, gsize n_bytes, FsSessionScan *scan);
/* FALSE where the file cannot be read as well. */
gboolean fs_session_scan_file (const char *path, FsSessionScan *scan);
void fs_session_scan_clear (FsSessionScan *scan);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsSessionScan, fs_session_scan_clear)

G_END_DECLS

#endif
