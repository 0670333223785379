/* SPDX-License-Identifier: MIT */
/* Playback of a session's strokes into a document, as a person would have painted them.
 * Layer: app.
 *
 * Samples come at the times that the session gives, one by one, whatever the solver does; pauses
 * within a stroke last at most FS_PLAYER_MAX_PAUSE_MS, since nothing is learnt from waiting. The
 * next stroke begins when the mask is final, or after FS_PLAYER_MAX_REST_MS: a person who sees
 * where to paint does not wait for seconds. The previous mask of a later stroke (stability) is
 * waited for in any case. Where somebody watches every stroke waits, so that every final mask is
 * seen. All of it runs on the document's main context, which is to be the
 * caller's thread-default one.
 *
 * Latencies count from the moment when a sample was due (for a stroke's end: its last sample) to
 * the moment when the mask that is the first to hold it has been merged into the document, before
 * anybody paints it on a screen. A mask that holds several new edits counts once, from the oldest.
 * A preview that brings only new colour models counts from the edit that asked for them, the
 * stroke's end.
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

/* An observer of every edit before the document gets it, and of every mask; FALSE ends the play.
 * Samples of edits stay until the play ends. */
typedef struct {
  gboolean (*edit) (FsDocument *document, const FsEdit *edit, gpointer data, GError **error);
  gboolean (*mask) (FsDocument *document, gpointer data, GError **error);
  gpointer data;
} FsPlayerWatch;

/* Plays all strokes into a new document and blocks until the last mask is final. `watch` may be
 * NULL; what it takes is not counted in latencies, but they are not those of a person painting.
 * Errors: those of the document and of the watch, naming no file. */
gboolean fs_player_play (FsDocument *document, const FsSession *session, const FsPlayerWatch *watch,
                         FsPlayerTimes *times, GError **error);

G_END_DECLS

#endif
