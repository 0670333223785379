/* SPDX-License-Identifier: MIT */
/* The result of `fretsaw frames`, and its report.   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_FRAMES_FRAMES_REPORT_H
#define FS_APP_FRAMES_FRAMES_REPORT_H

#include "app/frames/list/frames.h"

G_BEGIN_DECLS

typedef struct {
  guint n_frames;
  guint n_cut;                  /* in this run                 */
  guint n_reused;               /* whose mask was there        */
  guint n_lost;                 /* object lost and mask filled, in this run or before */
  guint n_failed;               /* n_cut + n_reused + n_lost + n_failed = n_frames */
  guint n_left;                 /* pictures of frames that are gone, in all folders */
  guint n_unused;               /* corrections of frames that a video does not have */
  char *guess;                  /* the source of guesses, or NULL */
  guint n_guessed, n_unguessed; /* of the frames that were cut: with a guess, and without */
  guint64 n_missing;
  GArray *gaps;            /* of FsFrameGap: the missing numbers */
  gint64 cut_us, total_us; /* without and with files */
  const char *backend;     /* of the last frame that was followed; NULL: none was */
  const char *device;      /* its name for people; NULL: none was                 */
} FsFramesResult;

void fs_frames_result_clear (FsFramesResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsFramesResult, fs_frames_result_clear)

/* "8 frames: 8 cut, 0 there already, 0 failed; …; 12 ms". g_free. */
char *fs_frames_result_describe (const FsFramesResult *r);

/* As JSON, with the messages (of char) about frames that failed, and about others. g_free. */
char *fs_frames_report_to_json (const FsFramesResult *r, const GPtrArray *failures,
                                const GPtrArray *warnings);

G_END_DECLS

#endif
