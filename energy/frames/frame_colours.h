/* SPDX-License-Identifier: MIT */
/* The colours of object and background near a border that moves from frame to frame.
 * Layer: energy.
 *
 * Three sources, of which each knows what the others cannot: the first frame, which a person
 * marked, keeps the object from becoming something else little by little; the previous frame knows
 * both sides up to the border; the present one, of which only what lies beyond the band is sure,
 * knows what has just changed. Each is a smoothed histogram (colour_density.h) of pixels near the
 * border, weighing e^(−2·d / distance cap); their densities are mixed, 1 : 2 : 1.
 *
 * Source: the three weights are ours; that colours are carried from frame to frame and learnt again
 * is from Garrett & Saito 2009.
 *
 * Threads: one at a time.
 */
#ifndef FS_ENERGY_FRAMES_FRAME_COLOURS_H
#define FS_ENERGY_FRAMES_FRAME_COLOURS_H

#include "energy/colour/colour_density.h"
#include "energy/colour/colour_histogram.h"
#include "energy/frames/frame_band.h"

G_BEGIN_DECLS

/* [0] background, [1] object. */
typedef struct {
  FsColourTable side[2];
} FsSideTables;

typedef struct {
  FsSideTables first, previous, present;
  FsSideTables strokes; /* by strokes on the present frame; else empty */
  FsSideTables mixed;
  int16_t by_colour[FS_COLOUR_BINS]; /* t-links of bins that were asked for; else NOT_YET */
} FsFrameColours;

/* NULL where memory is short. */
FsFrameColours *fs_frame_colours_new (void);
void fs_frame_colours_free (FsFrameColours *colours);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrameColours, fs_frame_colours_free)

/* The largest distance from the border at which pixels are sampled, in frames of this size. */
int fs_frame_colours_distance_cap_px (int width, int height);

/* Fills tables from the frame whose mask was moved to make the band: four pixels of each
 * block. */
void fs_frame_colours_of_mask (FsSideTables *tables, const FsImage *image, const FsFrameBand *band);

/* The same from what is sure of the frame that is to be cut. */
void fs_frame_colours_of_band (FsSideTables *tables, const FsImage *image, const FsFrameBand *band);

/* Both at once, into the previous and the present tables. */
void fs_frame_colours_learn (FsFrameColours *colours, const FsImage *previous,
                             const FsImage *present, const FsFrameBand *band);

/* Fills the table of the strokes on the frame that is to be cut. */
void fs_frame_colours_of_strokes (FsSideTables *tables, const FsImage *image,
                                  const FsSeedMap *strokes);

/* Mixes the three sources and the strokes; with `new_background` the background is of the present
 * one alone. About 4 ms. */
void fs_frame_colours_mix (FsFrameColours *colours, gboolean new_background);

/* Looks up the t-links of the free pixels' bins. Cost: 0.1 µs a bin. */
void fs_frame_colours_weigh (FsFrameColours *colours, const FsImage *image,
                             const FsFrameBand *band);

/* What the colours of the free pixels of label 1 (height · width bytes, 0 or 1) say of them on the
 * whole: the sum of their t-links, towards object. After fs_frame_colours_weigh. */
int64_t fs_frame_colours_score (const FsFrameColours *colours, const FsImage *image,
                                const FsFrameBand *band, const uint8_t *labels);

/* How much of one table's colours the other one has, in [0, 1]; 0 where one is empty. */
double fs_frame_colours_overlap (const FsColourTable *a, const FsColourTable *b);

G_END_DECLS

#endif
