/* SPDX-License-Identifier: MIT */
/* Previous mask: the final mask at the beginning of a stroke.   Layer: app.
 *
 * Threads: plain data, handed from thread to thread.
 */
#ifndef FS_APP_STROKES_PREVIOUS_MASK_H
#define FS_APP_STROKES_PREVIOUS_MASK_H

#include "energy/image/seed_map.h"

G_BEGIN_DECLS

typedef struct {
  GBytes *runs;         /* the mask (mask_runs.h)           */
  FsPixelList *painted; /* since then, each pixel once      */
} FsPreviousMask;

/* Takes a reference to the runs; nothing is painted yet. */
FsPreviousMask *fs_previous_mask_new (GBytes *runs);
void fs_previous_mask_free (FsPreviousMask *previous);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPreviousMask, fs_previous_mask_free)

G_END_DECLS

#endif
