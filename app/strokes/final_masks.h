/* SPDX-License-Identifier: MIT */
/* Store of final masks, which later strokes may have as their previous mask (stability).
 * Layer: app.
 *
 * There is at most one for each state of the history, which is a number of strokes from 1 on. They
 * are run-length encoded and limited in total size; a simple mask of 12 megapixels takes a tenth of
 * a megabyte. A mask that was dropped can be computed again (live_previous_mask.c).
 *
 * Threads: plain data.
 */
#ifndef FS_APP_STROKES_FINAL_MASKS_H
#define FS_APP_STROKES_FINAL_MASKS_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_FINAL_MASKS_MAX_BYTES (256 << 20)

typedef struct {
  GPtrArray *runs; /* of GBytes (mask_runs.h): of the first i + 1 strokes, or NULL */
  gsize n_bytes, n_bytes_max;
} FsFinalMasks;

void fs_final_masks_init (FsFinalMasks *masks);
void fs_final_masks_clear (FsFinalMasks *masks);

/* The mask of the state of n strokes; NULL where there is none. Borrowed. */
GBytes *fs_final_masks_get (const FsFinalMasks *masks, guint n);
/* TRUE if the mask would not exceed the limit. */
gboolean fs_final_masks_can_take (const FsFinalMasks *masks, GBytes *runs);
/* Adds the mask of the state of n strokes, which has none yet; takes the bytes. FALSE where that
 * would exceed the limit. */
gboolean fs_final_masks_set (FsFinalMasks *masks, guint n, GBytes *runs);
/* Drops the mask of the state of n strokes, if there is one. */
void fs_final_masks_drop (FsFinalMasks *masks, guint n);
/* Drops all masks but those of the first n states. */
void fs_final_masks_truncate (FsFinalMasks *masks, guint n);

G_END_DECLS

#endif
