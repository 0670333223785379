/* SPDX-License-Identifier: MIT */
/* The sample photo as a function of the pixel.   Layer: none, a tool of the repository.
 *
 * Light: the sun as a disc, one bounce of everything else, one glossy reflection, a thin lens, and
 * a sensor with photon noise. Each pixel has a random stream of its own, so that a rectangle comes
 * out the same alone as in the whole picture, up to the rounding of the C library's functions.
 */
#ifndef FS_DATA_SAMPLE_RENDER_H
#define FS_DATA_SAMPLE_RENDER_H

#include <stddef.h>
#include <stdint.h>

#define SAMPLE_WIDTH  1600
#define SAMPLE_HEIGHT 1067
#define SAMPLE_RAYS   36 /* a pixel, a square number */

/* Renders width × height pixels from (x, y) of the photo: rgb[3·(j·width + i)], and in
 * truth[j·width
 * + i] 255 where the robin covers at least half of a pixel's rays, else 0. */
void render_rectangle (int x, int y, int width, int height, uint8_t *rgb, uint8_t *truth);

/* Draws the hand-placed strokes of the sample into a zeroed map of the photo's size: 1 background,
 * 2 object. */
void draw_strokes (uint8_t *seeds);

#endif
