/* SPDX-License-Identifier: MIT */
/* The settled masks that later strokes may keep (stability), by their runs.   Layer: app.
 *
 * One for each state of the history that has had one: its number of strokes, from 1 on. Together
 * they take no more than a limit; an easy mask of 12 megapixels takes a tenth of a megabyte. One
 * that is not there any more can be made again (live_previous_mask.c).
 *
 * Threads: plain data.
 */
#ifndef FS_APP_STROKES_SETTLED_MASKS_H
#define FS_APP_STROKES_SETTLED_MASKS_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_KEPT_BYTES_MAX (256 << 20)

typedef struct {
  GPtrArray *runs; /* of GBytes (mask_runs.h): of the first i + 1 strokes, or NULL */
  gsize n_bytes, n_bytes_max;
} FsKeptMasks;

void fs_kept_masks_init (FsKeptMasks *kept);
void fs_kept_masks_clear (FsKeptMasks *kept);

/* The mask of the state of n strokes; NULL where there is none. Borrowed. */
GBytes *fs_kept_masks_get (const FsKeptMasks *kept, guint n);
gboolean fs_kept_masks_has_room (const FsKeptMasks *kept, GBytes *runs);
/* Takes the bytes; there are none for n yet. FALSE where there is no room. */
gboolean fs_kept_masks_set (FsKeptMasks *kept, guint n, GBytes *runs);
/* Forgets that of n, if there is one. */
void fs_kept_masks_drop (FsKeptMasks *kept, guint n);
/* Forgets all but those of the first n states. */
void fs_kept_masks_forget (FsKeptMasks *kept, guint n);

G_END_DECLS

#endif
