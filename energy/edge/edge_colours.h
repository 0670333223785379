/* SPDX-License-Identifier: MIT */
/* Colours of the object where it mixes with the background.   Layer: energy.
 *
 * The object's colour is separated from the background's by the means of both nearby, weighted with
 * alpha (Forte, "Approximate Fast Foreground Colour Estimation", 2021), so that no fringe of the
 * old background remains.
 *
 * Threads: one at a time per window.
 */
#ifndef FS_ENERGY_EDGE_EDGE_COLOURS_H
#define FS_ENERGY_EDGE_EDGE_COLOURS_H

#include "energy/edge/edge_window.h"

G_BEGIN_DECLS

/* Alpha is read so far around a pixel; pixels. */
int fs_edge_colours_get_margin (const FsEdgeSettings *settings);

/* Writes the word, 0xAARRGGBB, of each pixel of `area`, inside the window's tile and the photo;
 * rows of `stride` words, `words` that of the first pixel. */
void fs_edge_colours_find (const FsEdgeWindow *window, FsRect area, uint32_t *words, gsize stride);

G_END_DECLS

#endif
