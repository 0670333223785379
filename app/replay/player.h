/* SPDX-License-Identifier: MIT */
/* Playback of a session's strokes into a document, as a person would have painted them.
 * Layer: app.
 *
 * Samples are added one by one at the times of the session, whatever the solver does; pauses within
 * a stroke are shortened to FS_PLAYER_MAX_PAUSE_MS. The next stroke begins when the mask is final,
 * or after FS_PLAYER_MAX_REST_MS, since a person who sees where to paint does not wait for seconds.
 * It always waits for the mask that is the previous mask of a later stroke (stability); with a
 * watch, for every final mask. All of it runs on the document's main context, which must be the
 * caller's thread-default one.
 *
 * A latency is the time from the moment when a sample was due (for a stroke's end: its last sample)
 * until the first mask with it has been merged into the document, before it is drawn. A mask with
 * several new edits counts once, from the oldest. A preview that differs only by new colour models
 * counts from the stroke's end.
 */
#ifndef FS_APP_REPLAY_PLAYER_H
#define FS_APP_REPLAY_PLAYER_H

#include "app/files/latencies.h"
#include "app/live/document.h"
#include "app/live/live_types.h"
#include "app/session/session.h"

G_BEGIN_DECLS

#define FS_PLAYER_MAX_PAUSE_MS 250
#define FS_PLAYER_MAX_REST_MS  2000

typedef struct {
  FsLatencies masks;    /* to the first mask of whatever kind              */
  FsLatencies previews; /* to every mask that is not exact                 */
  FsLatencies exact;    /* to the first exact mask                         */
  FsLatencies final;    /* from a stroke's end until its mask was final, where it had before
                             the next one began */
} FsPlayerTimes;

void fs_player_times_init (FsPlayerTimes *times);
void fs_player_times_clear (FsPlayerTimes *times);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsPlayerTimes, fs_player_times_clear)

/* Watch: called for every edit before the document gets it, and for every mask; FALSE ends the
 * play. The samples of edits stay valid until the play ends. */
typedef struct {
  gboolean (*edit) (FsDocument *document, const FsEdit *edit, gpointer data, GError **error);
  gboolean (*mask) (FsDocument *document, gpointer data, GError **error);
  gpointer data;
} FsPlayerWatch;

/* Plays all strokes into a new document and blocks until the last mask is final. `watch` may be
 * NULL; its own time is not counted in latencies, but with one they are not those of a person
 * painting. Errors: those of the document and of the watch, without a file's name. */
gboolean fs_player_play (FsDocument *document, const FsSession *session, const FsPlayerWatch *watch,
                         FsPlayerTimes *times, GError **error);

G_END_DECLS

#endif
