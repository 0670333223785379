/* SPDX-License-Identifier: MIT */
/* A small made photo, sessions on it, and what their replays give. */
#ifndef FS_TESTS_APP_MADE_SESSIONS_H
#define FS_TESTS_APP_MADE_SESSIONS_H

#include "app/replay/replay.h"
#include "tests/app/replay/replay_check.h"
#include "app/session/session.h"
#include "energy/image/image.h"

enum { MADE_WIDTH = 150, MADE_HEIGHT = 110 };

/* A folder with a photo, and the paths of files in it; the session holds made_add_strokes(). */
typedef struct {
  char *folder, *photo, *session, *mask, *report;
} MadeSession;

void made_set_up (MadeSession *fixture, gconstpointer data);
void made_tear_down (MadeSession *fixture, gconstpointer data);

/* An ellipse on a ground, both noisy: x² + 2·y² < MADE_WIDTH²/9 from the middle. */
FsImage *made_image (guint32 seed);
/* The same as a PNG; its path. */
char *made_photo (const char *folder, const char *name, guint32 seed);

/* Of a photo, without strokes. */
FsSession *made_session (const char *photo);
void made_add_stroke (FsSession *session, uint8_t label, float radius, float x0, float y0, float x1,
                      float y1);
/* Both sides' first strokes, more of each, one that strays, an eraser over it. */
void made_add_strokes (FsSession *session);

/* Must succeed. */
FsReplayResult made_replay (const FsReplayJob *job);
/* The same with every exact mask against a fresh solve. */
FsReplayResult made_checked_replay (const FsReplayJob *job, ReplayCheckCounts *counts);
/* Bytes of 0 and 255, as the file of a mask holds them. */
uint8_t *made_read_mask (const char *path);
/* Painted as in a window: a stroke keeps the mask that is final when it begins, and one comes
 * before its predecessor has. Returns the mask as made_read_mask() would. */
uint8_t *made_record_stable (FsSession *session, FsImage *image);

#endif
