/* SPDX-License-Identifier: MIT */
/* Stages of a cut, noted by the threads that work on it, for those who wait.   Layer: app.
 *
 * Threads: one writes a note, any reads it.
 */
#ifndef FS_APP_LIVE_LIVE_STAGE_H
#define FS_APP_LIVE_LIVE_STAGE_H

#include <glib.h>
#include <stdatomic.h>

G_BEGIN_DECLS

typedef enum {
  FS_STAGE_IDLE,
  FS_STAGE_PREPARING, /* the photo: links between its pixels */
  FS_STAGE_LEARNING,  /* colour models                       */
  FS_STAGE_PROVING,   /* the exact cut                       */
  FS_STAGE_REFINING,  /* the border                          */
} FsStage;

/* Zeroed: idle. */
typedef struct {
  atomic_int stage;
  atomic_int permille; /* of the stage, where it can say */
} FsStageNote;

/* Of the cut that is shown, and of the models that are fitted beside it. */
typedef struct {
  FsStageNote front, fit;
} FsStageBoard;

/* `note` may be NULL. */
static inline void
fs_stage_enter (FsStageNote *note, FsStage stage)
{
  if (note == NULL)
    return;
  atomic_store (&note->permille, 0);
  atomic_store (&note->stage, (int)stage);
}

/* Reports an FsProgress; `note` may be NULL. */
static inline void
fs_stage_report (double fraction, gpointer note)
{
  if (note != NULL)
    atomic_store (&((FsStageNote *)note)->permille, (int)(fraction * 1000));
}

G_END_DECLS

#endif
