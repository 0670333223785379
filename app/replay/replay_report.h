/* SPDX-License-Identifier: MIT */
/* The result of a replay, and its report.   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_REPLAY_REPLAY_REPORT_H
#define FS_APP_REPLAY_REPLAY_REPORT_H

#include "app/files/latencies.h"
#include "app/live/document.h"

G_BEGIN_DECLS

typedef struct {
  char *warning; /* about the photo, or NULL */
  char *note;    /* about which photo it is, or NULL */
  FsSettings settings;
  int width, height;
  guint n_strokes; /* and guesses */
  char *guess;     /* the name of the last guess; "": it has none; NULL: there is no guess */
  FsDocumentStatus status; /* of the last mask */
  int64_t object_pixels;
  guint n_objects;                                /* that `set` got */
  FsLatencySummary masks, previews, exact, final; /* as in player.h */
  gint64 decode_us, play_us, map_us, write_us, total_us;
} FsReplayResult;

void fs_replay_result_clear (FsReplayResult *result);

/* The report as JSON. g_free. */
char *fs_replay_result_to_json (const FsReplayResult *result);

G_END_DECLS

#endif
