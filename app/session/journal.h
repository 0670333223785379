/* SPDX-License-Identifier: MIT */
/* Journal: a file with all unsaved edits of a document, for recovery after a crash.   Layer: app.
 *
 * It is in the user's state folder, from the first edit that is not saved until the document is
 * saved or its work discarded. It has all that recovery needs except the photo's pixels: the state
 * at its beginning, and every edit since.
 *
 *   "fretsaw-journal-1\n", then records: kind, length (u32 each), payload, CRC-32 of all three.
 *   Numbers are little endian.
 *
 *   PHOTO     width, height (u32), path      first, and again if the photo was found elsewhere
 *   SUM       64 digits                      the photo's SHA-256, when it is known
 *   SESSION   path                           the session file that the work belongs to
 *   SETTINGS  see journal.c                  strokes before it lose their previous mask (history.h)
 *   STROKE    shape, label, samples, …       drops what redo could bring back
 *   UNDO, REDO
 *   LABEL     label, colour (u32), name      the names of the strokes' labels
 *   SESSION_SUM  64 digits                   the session file's SHA-256, as it was read or written
 *   EDGE_STROKE    as STROKE, of a zone of the edge (edge_history.h)
 *   EDGE_SETTINGS  see journal_record.c      a change of them, or one in place of the newest change
 *   DONE      0 or 1 (u32)                   the photo is called done, or not any more
 *   GUESS     bytes of the name (u32), name, PNG   a guess as a stroke; without a PNG none
 *   OBJECTS   the same, with a PNG of the numbers of objects
 *
 * A record is appended by one write, which is undone where it fails, so that a killed process
 * leaves at most one torn record, the last. The write is in the kernel before the call returns,
 * which is enough for a crash of the program; a worker flushes it to the disk, for a crash of the
 * machine.
 *
 * Incomplete, unknown and invalid records are skipped. Such a journal is damaged: nothing is
 * appended to it, and it is never shortened or deleted. When its work is saved, discarded or
 * written to a new journal, the file is renamed to NAME.damaged.
 *
 * An open journal is locked (flock), so that other processes and windows do not take it for that of
 * a crashed one.
 *
 * Threads: one at a time per journal. Appending blocks for one write to the page cache.
 */
#ifndef FS_APP_SESSION_JOURNAL_H
#define FS_APP_SESSION_JOURNAL_H

#include "app/session/journal_read.h"

G_BEGIN_DECLS

#define FS_JOURNAL_SUFFIX         ".journal"
#define FS_JOURNAL_DAMAGED_SUFFIX ".damaged"  /* in place of that suffix                       */
#define FS_JOURNAL_NEW_PREFIX     ".new-"     /* before fs_journal_publish()                   */
#define FS_JOURNAL_MAX_BYTES      (256 << 20) /* no more is read                            */

typedef struct _FsJournal FsJournal;

/* Makes a locked journal in `folder`, which is made if need be. It has no name that recovery finds
 * before fs_journal_publish(). Errors: FS_JOURNAL_ERROR_IO. */
FsJournal *fs_journal_new (const char *folder, GError **error);

/* Locks and reads the journal of another process that has crashed; further records are appended to
 * it. Errors: FS_JOURNAL_ERROR. */
FsJournal *fs_journal_open (const char *path, FsJournalContent **content, GError **error);

/* Each appends a record. Errors: FS_JOURNAL_ERROR_IO, or FORMAT where it is damaged; the journal is
 * then as it was before. */
gboolean fs_journal_add_photo (FsJournal *journal, const char *path, int width, int height,
                               GError **error);
gboolean fs_journal_add_sum (FsJournal *journal, const char *sha256, GError **error);
gboolean fs_journal_add_session (FsJournal *journal, const char *path, GError **error);
gboolean fs_journal_add_session_sum (FsJournal *journal, const char *sha256, GError **error);
gboolean fs_journal_add_settings (FsJournal *journal, const FsSettings *settings, GError **error);
gboolean fs_journal_add_stroke (FsJournal *journal, const FsStroke *stroke, GError **error);
/* A stroke that sets or dismisses a guess. */
gboolean fs_journal_add_guess (FsJournal *journal, FsStroke *stroke, GError **error);
/* An edit of the edge, made after all strokes so far. `continues`: in place of the newest one. */
gboolean fs_journal_add_edge (FsJournal *journal, const FsEdgeEdit *edit, gboolean continues,
                              GError **error);
gboolean fs_journal_add_undo (FsJournal *journal, GError **error);
gboolean fs_journal_add_redo (FsJournal *journal, GError **error);
gboolean fs_journal_add_label (FsJournal *journal, uint8_t label, const FsSessionLabel *named,
                               GError **error);
gboolean fs_journal_add_done (FsJournal *journal, gboolean done, GError **error);

/* Gives the journal the name by which recovery finds it. Errors: FS_JOURNAL_ERROR_IO. */
gboolean fs_journal_publish (FsJournal *journal, GError **error);
/* Makes a worker flush it to the disk. */
void fs_journal_flush (FsJournal *journal);
gsize fs_journal_get_size (const FsJournal *journal);
const char *fs_journal_get_path (const FsJournal *journal);
/* The path that a damaged journal gets when it is removed; NULL if it is not damaged. g_free. */
char *fs_journal_get_path_aside (const FsJournal *journal);

/* Unlocks the journal. The file stays; one that was never published is removed. */
void fs_journal_free (FsJournal *journal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsJournal, fs_journal_free)
/* Removes the file, after its work has been saved or discarded; a damaged one is renamed. */
void fs_journal_remove (FsJournal *journal);

G_END_DECLS

#endif
