/* SPDX-License-Identifier: MIT */
/* Band along the moved border, in which the object of a frame is cut.   Layer: energy.
 *
 * The previous mask is moved by as many pixels as the object is. What lies well inside it is
 * object, what lies well outside background, and only the band between them is to be cut: the graph
 * is shrunk to a band around the previous silhouette (Garrett & Saito 2009; the band is that of
 * Lombaert et al. 2005, from frame to frame instead of from level to level).
 *
 * All of it lies in a window of the frame, which moves with the object: a pixel of the window is
 * the same place of the object in every frame, so that a flow can stay where it is. The window may
 * stick out of the frame. Nothing that is made from a band depends on where the window ends, as
 * long as it holds the object and `margin` pixels round it.
 *
 * Threads: one at a time.
 */
#ifndef FS_ENERGY_FRAMES_FRAME_BAND_H
#define FS_ENERGY_FRAMES_FRAME_BAND_H

#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "solver/multilevel/band_problem.h"

G_BEGIN_DECLS

/* Of a distance of one pixel. */
#define FS_FRAME_BAND_UNIT 5

/* Of a window's pixels: to be cut; fixed; and outside the frame. */
typedef enum {
  FS_FRAME_FREE,
  FS_FRAME_BACKGROUND,
  FS_FRAME_OBJECT,
  FS_FRAME_OUTSIDE,
} FsFrameState;

typedef struct {
  const uint8_t *mask; /* [height · width] of the previous frame, 0 or 1 */
  int width, height;   /* of the frames                                */
  int dx, dy;          /* how far the object has moved since           */
} FsMovedMask;

/* Of blocks: on one side alone, or both. */
typedef enum {
  FS_FRAME_BLOCK_BACKGROUND,
  FS_FRAME_BLOCK_OBJECT,
  FS_FRAME_BLOCK_MIXED,
} FsFrameBlock;

typedef struct {
  FsRect window;     /* in pixels of the frame */
  int width, height; /* the window's           */
  int dx, dy;        /* how far the mask was moved */
  uint8_t *label;    /* [height · width] the moved mask; that of the nearest pixel of the previous
                        frame where it has none */
  /* [height · width] to the nearest border of labels, in units, by steps of 5 and 7 (chamfer, some
   * 2 % off): of free pixels; 0 where the previous frame had no pixel. */
  uint16_t *distance;
  uint8_t *state;    /* [height · width] FsFrameState */
  FsBandRun *runs;   /* of free pixels, in row order */
  size_t *row_start; /* [height + 1]: runs of row y are row_start[y] … row_start[y + 1] − 1 */
  size_t n_runs, n_free;
  int half_width; /* in units, on the outside of the border */

  /* The same in blocks of 2^shift pixels of the frame, the first of which holds the window's first
   * pixel: what they hold, and how far, in units of pixels, the next is that a border touches. */
  int shift, first_column, first_row, columns, rows;
  uint8_t *block; /* FsFrameBlock; as fs_frame_band_block () numbers them */
  uint16_t *block_distance;
  FsBandRun *near; /* pixels that may be free, by rows of blocks */
  size_t *near_start, n_near;
  size_t capacity, block_capacity, rows_capacity;
} FsFrameBand;

/* The place of a block, 0 ≤ column < columns and 0 ≤ row < rows; there is one more on each side. */
size_t fs_frame_band_block (const FsFrameBand *band, int column, int row);

void fs_frame_band_init (FsFrameBand *band);
void fs_frame_band_clear (FsFrameBand *band);

/* Where a mask's object lies; empty where there is none. O(N). */
FsRect fs_frame_band_find_object (const uint8_t *mask, int width, int height);

/* The pixels of a band on either side of the border, in frames of this size. */
int fs_frame_band_half_width_px (int width, int height);

/* Makes the band of a moved mask in a window, which holds the moved object and a pixel more, or the
 * frame's side, all round. What came into the frame beside the object is free, too. Of objects
 * thinner than the band the inner half stays fixed. FALSE where memory is short. Cost: O(window) of
 * bytes copied and read, and some operations a pixel near the border. */
gboolean fs_frame_band_make (FsFrameBand *band, const FsMovedMask *moved, FsRect window,
                             int half_width_px);

/* Lays a person's strokes over a band. Their pixels are fixed to their sides; what the moved mask
 * says of the other side no farther than radius_px from them counts no more: it is free and has no
 * prior. Strokes are of the whole frame, which the window holds with a pixel more all round. FALSE
 * where memory is short; the band is then of no use. Cost: O(window). */
gboolean fs_frame_band_mend (FsFrameBand *band, const FsSeedMap *strokes, int radius_px);

G_END_DECLS

#endif
