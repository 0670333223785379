/* SPDX-License-Identifier: MIT */
/* The content of a journal (journal.h).   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_SESSION_JOURNAL_READ_H
#define FS_APP_SESSION_JOURNAL_READ_H

#include "app/session/session.h"

G_BEGIN_DECLS

#define FS_JOURNAL_MAX_PATH_BYTES 4096

#define FS_JOURNAL_ERROR (fs_journal_error_quark ())
GQuark fs_journal_error_quark (void);

typedef enum {
  FS_JOURNAL_ERROR_IO,     /* cannot be made, read or written                          */
  FS_JOURNAL_ERROR_FORMAT, /* not a journal of this format, or nothing of it is whole  */
  FS_JOURNAL_ERROR_LOCKED, /* another window or process writes it                      */
} FsJournalError;

/* The contents of a journal. Labels of objects that it does not name are the usual ones. */
typedef struct {
  char *photo;         /* absolute path, in the file system's encoding                    */
  char *session_path;  /* the same, or NULL: never saved                                  */
  FsSession *session;  /* size (0: not known), sums ("": not known), settings, strokes and edits of
                          the edge, the undone last */
  guint n_undone;      /* so many of the last strokes are undone                          */
  guint n_edge_undone; /* and of the edits of the edge                                    */
  gboolean has_labels; /* it says what they are called                                   */
  gboolean damaged;    /* the file has more than this, which cannot be read: strokes may be
                          missing, and `photo` may be misspelt */
} FsJournalContent;

void fs_journal_content_free (FsJournalContent *content);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsJournalContent, fs_journal_content_free)

/* Errors: FS_JOURNAL_ERROR_FORMAT, "NAME: reason". */
FsJournalContent *fs_journal_parse (const char *name, const uint8_t *bytes, gsize n_bytes,
                                    GError **error);

G_END_DECLS

#endif
