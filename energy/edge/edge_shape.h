/* SPDX-License-Identifier: MIT */
/* Shape of the edge: rounded corners, shift, contrast, haze.   Layer: energy.
 *
 * Threads: any, one at a time per plane.
 */
#ifndef FS_ENERGY_EDGE_EDGE_SHAPE_H
#define FS_ENERGY_EDGE_EDGE_SHAPE_H

#include "energy/edge/edge_window.h"

G_BEGIN_DECLS

/* Fills the window's mask. Corners are rounded where the settings say so: a pixel has the side of
 * most pixels around it, those at the centre counting most. Pixels with strokes keep theirs. */
void fs_edge_fill_mask (const FsEdgeWindow *window);

/* Alpha, 0 to 255, from the mask alone: a border of about a pixel's width without steps. Reads two
 * pixels around. */
uint8_t fs_edge_get_antialiased (const FsEdgeWindow *window, int x, int y);

/* Haze is an alpha of nearly 0 or 255 that the filter makes of noise. `raw` has the alpha of
 * `from`, `to` is inside it and gets its own without. */
void fs_edge_clear_haze (const uint8_t *raw, FsRect from, uint8_t *alpha, FsRect to);

/* So many pixels a shift reads around an area. */
int fs_edge_get_shift_margin (const FsEdgeSettings *settings);

/* Moves a border outwards, or inwards: alpha becomes the largest, or smallest, within a disc.
 * `alpha` has that of `from`, `to` gets its own. `scratch` has a row more than `from`. */
void fs_edge_shift (const FsEdgeSettings *settings, const uint8_t *alpha, FsRect from,
                    uint8_t *shifted, FsRect to, uint8_t *scratch);

/* Spreads n values around 128, so that fewer are between 0 and 255. */
void fs_edge_raise_contrast (const FsEdgeSettings *settings, uint8_t *alpha, gsize n);

G_END_DECLS

#endif
