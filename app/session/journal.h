/* SPDX-License-Identifier: MIT */
/* The journal: every stroke on disk from the moment it ends.   Layer: app.
 *
 * One file a document, in the user's state folder, from the first edit that is not saved until the
 * document is saved or given up. It says by itself all that recovery needs but the photo's pixels:
 * it begins with the state at its making, and every edit is appended.
 *
 *   "fretsaw-journal-1\n", then records: kind, length (u32 each), payload, CRC-32 of all three.
 *   Numbers are little endian.
 *
 *   PHOTO     width, height (u32), path      first, and again where the photo was found elsewhere
 *   SUM       64 digits                      the photo's SHA-256, when it is known
 *   SESSION   path                           the session file that the work belongs to
 *   SETTINGS  see journal.c                  strokes before it lose their previous mask (history.h)
 *   STROKE    shape, label, samples, …       forgets what was undone
 *   UNDO, REDO
 *   LABEL     label, colour (u32), name      what the strokes' labels are called
 *   SESSION_SUM  64 digits                   the session file's SHA-256, as it was read or written
 *   GUESS     bytes of the name (u32), name, PNG   a guess as a stroke; without a PNG none
 *
 * A record is appended by one write and taken back where that fails, so that a process that is
 * killed leaves at most one torn record, the last. Appending reaches the kernel before the call
 * returns, which is what surviving a crash of the program takes; a worker flushes it to the disk,
 * for a crash of the machine.
 *
 * A record that is not whole, not known or makes no sense is passed over, and reading goes on with
 * the next one that is whole. Such a journal is damaged: nothing is appended to it and it is never
 * shortened or deleted. When its work is saved, given up or written to a new journal, the file is
 * kept as NAME.damaged.
 *
 * A journal that is open is locked (flock): another process or window that looks for what crashed
 * ones left behind does not see it.
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

/* Makes a journal, locked, in `folder`, which is made too. Nobody finds it before
 * fs_journal_publish(). Errors: FS_JOURNAL_ERROR_IO. */
FsJournal *fs_journal_new (const char *folder, GError **error);

/* Locks and reads a journal that another process left behind; what is appended from now on follows.
 * The file stays as it is. Errors: FS_JOURNAL_ERROR. */
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
gboolean fs_journal_add_undo (FsJournal *journal, GError **error);
gboolean fs_journal_add_redo (FsJournal *journal, GError **error);
gboolean fs_journal_add_label (FsJournal *journal, uint8_t label, const FsSessionLabel *named,
                               GError **error);

/* Gives it the name by which recovery finds it. Errors: FS_JOURNAL_ERROR_IO. */
gboolean fs_journal_publish (FsJournal *journal, GError **error);
/* Asks a worker to flush it to the disk. */
void fs_journal_flush (FsJournal *journal);
gsize fs_journal_get_size (const FsJournal *journal);
const char *fs_journal_get_path (const FsJournal *journal);
/* The path of a damaged one once it is removed; NULL: it is whole. g_free. */
char *fs_journal_get_path_aside (const FsJournal *journal);

/* Unlocks and leaves the file where it is; one that was never published is removed. */
void fs_journal_free (FsJournal *journal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsJournal, fs_journal_free)
/* Removes the file: its work is saved or given up. A damaged one is put aside instead. */
void fs_journal_remove (FsJournal *journal);

G_END_DECLS

#endif
