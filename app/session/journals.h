/* SPDX-License-Identifier: MIT */
/* The folder of journals, and the recovery of work from those of crashed processes.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_SESSION_JOURNALS_H
#define FS_APP_SESSION_JOURNALS_H

#include "app/session/journal.h"

G_BEGIN_DECLS

/* fretsaw/journals in $XDG_STATE_HOME or ~/.local/state. g_free. */
char *fs_journals_folder (void);

/* Work of a crashed process: its journal, which is locked now, and its content. */
typedef struct {
  FsJournal *journal;
  FsJournalContent *content;
} FsLostWork;

void fs_lost_work_free (FsLostWork *lost);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLostWork, fs_lost_work_free)

/* Lists the lost work (of FsLostWork, owned by the array), the newest first: journals with at least
 * one stroke (undone ones count), and damaged ones. Undamaged journals without strokes and
 * unfinished files are removed; journals that this version cannot read stay. Blocks while it reads.
 */
GPtrArray *fs_journals_find_lost (const char *folder);

/* Removes pasted images (pasted.h) older than a week that no lost work needs. Does nothing while
 * other processes have locked journals, or there are damaged ones, which may need them. */
void fs_journals_tidy_pasted (const char *folder, const GPtrArray *lost);

G_END_DECLS

#endif
