/* SPDX-License-Identifier: MIT */
/* Band along the moved border, in which the object of a frame is cut.   Layer: energy.
 *
 * The previous mask is moved with the object. Pixels well inside it are fixed to the object, pixels
 * well outside to the background, and only the band along its border is cut (Garrett & Saito 2009;
 * the band is that of Lombaert et al. 2005, from frame to frame instead of from level to level).
 *
 * The band lies in a window of the frame, which moves with the object: a pixel of the window is the
 * same place of the object in every frame, so that the flow can be reused. The window may extend
 * beyond the frame. Nothing made from a band depends on where the window ends, as long as it
 * contains the object and `margin` pixels around it.
 *
 * Threads: one at a time.
 */
#ifndef FS_ENERGY_FRAMES_FRAME_BAND_H
#define FS_ENERGY_FRAMES_FRAME_BAND_H

#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "solver/multilevel/band_problem.h"

G_BEGIN_DECLS

/* The units of distance in a pixel. */
#define FS_FRAME_BAND_UNIT 5

/* States of a window's pixels: to be cut; fixed to a side; outside the frame. */
typedef enum {
  FS_FRAME_FREE,
  FS_FRAME_BACKGROUND,
  FS_FRAME_OBJECT,
  FS_FRAME_OUTSIDE,
} FsFrameState;

typedef struct {
  const uint8_t *mask; /* [height · width] of the previous frame, 0 or 1 */
  int width, height;   /* of the frames                                */
  int dx, dy;          /* the object's motion since                    */
} FsMovedMask;

/* Sides of a block: one alone, or both. */
typedef enum {
  FS_FRAME_BLOCK_BACKGROUND,
  FS_FRAME_BLOCK_OBJECT,
  FS_FRAME_BLOCK_MIXED,
} FsFrameBlock;

typedef struct {
  FsRect window;     /* in pixels of the frame */
  int width, height; /* the window's           */
  int dx, dy;        /* the motion of the mask */
  uint8_t *label;    /* [height · width] the moved mask; where the previous frame had no pixel, the
                        label of its nearest one */
  /* [height · width] the distance of free pixels from the nearest border of labels, in units, by
   * steps of 5 and 7 (chamfer, within some 2 %); 0 where the previous frame had no pixel. */
  uint16_t *distance;
  uint8_t *state;    /* [height · width] FsFrameState */
  FsBandRun *runs;   /* of free pixels, in row order */
  size_t *row_start; /* [height + 1]: runs of row y are row_start[y] … row_start[y + 1] − 1 */
  size_t n_runs, n_free;
  int half_width; /* in units, on the outside of the border */

  /* Blocks of 2^shift × 2^shift pixels of the frame; the first contains the window's first pixel.
   * Each has its side and its distance, in units, from the nearest block that a border touches. */
  int shift, first_column, first_row, columns, rows;
  uint8_t *block; /* FsFrameBlock; the index is fs_frame_band_block () */
  uint16_t *block_distance;
  FsBandRun *near; /* pixels that may be free, by rows of blocks */
  size_t *near_start, n_near;
  size_t capacity, block_capacity, rows_capacity;
} FsFrameBand;

/* The index of a block, 0 ≤ column < columns and 0 ≤ row < rows; there is one more on each side. */
size_t fs_frame_band_block (const FsFrameBand *band, int column, int row);

void fs_frame_band_init (FsFrameBand *band);
void fs_frame_band_clear (FsFrameBand *band);

/* The bounding rectangle of a mask's object; empty where there is none. Cost O(N). */
FsRect fs_frame_band_find_object (const uint8_t *mask, int width, int height);

/* The pixels of a band on either side of the border, in frames of this size. */
int fs_frame_band_half_width_px (int width, int height);

/* Makes the band of a moved mask in a window, which contains the moved object with one more pixel,
 * or the frame's side, all round. Pixels that are new in the frame near the object are free, too.
 * The inner half of objects thinner than the band stays fixed. FALSE where memory is short. Cost:
 * O(window) of bytes copied and read, and some operations a pixel near the border. */
gboolean fs_frame_band_make (FsFrameBand *band, const FsMovedMask *moved, FsRect window,
                             int half_width_px);

/* Applies strokes to a band. Their pixels are fixed to their sides. Pixels within radius_px of them
 * that the moved mask has on the other side become free and lose their prior. `strokes` is of the
 * whole frame, and the window contains the frame with one more pixel all round. FALSE where memory
 * is short; the band is then invalid. Cost: O(window). */
gboolean fs_frame_band_mend (FsFrameBand *band, const FsSeedMap *strokes, int radius_px);

G_END_DECLS

#endif
