/* SPDX-License-Identifier: MIT */
/* Run-length encoded masks.   Layer: app.
 *
 * Runs of equal pixels alternate, background first, row after row without a break; each length
 * takes 7 bits a byte. A mask of an easy photo shrinks to a hundredth of a byte a pixel.
 *
 * Threads: immutable.
 */
#ifndef FS_APP_STROKES_MASK_RUNS_H
#define FS_APP_STROKES_MASK_RUNS_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* `mask`: n bytes, 0 or 1. */
GBytes *fs_mask_runs_pack (const uint8_t *mask, size_t n);
/* Writes the n bytes that were packed. */
void fs_mask_runs_unpack (GBytes *runs, uint8_t *mask, size_t n);

G_END_DECLS

#endif
