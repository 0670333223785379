/* SPDX-License-Identifier: MIT */
/* Progress of a cut: its stage and how much of that is done, for display.   Layer: app.
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
  atomic_int permille; /* of the stage that is done; 0 also where that is not known */
} FsStageNote;

/* Notes of the shown cut and of the fit that runs in parallel. */
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
