/* SPDX-License-Identifier: MIT */
/* The folder of journals, and what crashed processes left in it.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_SESSION_JOURNALS_H
#define FS_APP_SESSION_JOURNALS_H

#include "app/session/journal.h"

G_BEGIN_DECLS

/* fretsaw/journals in $XDG_STATE_HOME or ~/.local/state. g_free. */
char *fs_journals_folder (void);

/* Work that nobody holds: its journal, locked from now on, and what it says. */
typedef struct {
  FsJournal *journal;
  FsJournalContent *content;
} FsLostWork;

void fs_lost_work_free (FsLostWork *lost);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLostWork, fs_lost_work_free)

/* Everything with at least one stroke (undone ones count), and what is damaged, the newest first;
 * of FsLostWork, which the array owns. A whole journal without strokes and a half-made file are
 * removed; one that this version cannot read is left alone. Blocks for the time of reading. */
GPtrArray *fs_journals_find_lost (const char *folder);

/* Removes pasted images (pasted.h) that a crash left and no lost work needs, after a week. Does
 * nothing while other processes hold journals, which may need them, or damaged ones lie there. */
void fs_journals_tidy_pasted (const char *folder, const GPtrArray *lost);

G_END_DECLS

#endif
