/* SPDX-License-Identifier: MIT */
/* Colour models of object and background along the border in a sequence of frames.   Layer: energy.
 *
 * Three sources are mixed:
 *
 *   - the first frame, which a person marked: it keeps the model from drifting to something else;
 *   - the previous frame: it has both sides up to the border;
 *   - the present frame, outside the band only, where the sides are sure: it has what just changed.
 *
 * Each is a smoothed histogram (colour_density.h) of pixels near the border, with the weight
 * e^(−2·d / distance cap). Their densities are mixed 1 : 2 : 1.
 *
 * Source: Garrett & Saito 2009 (colours carried from frame to frame and learnt again); the three
 * weights are ours.
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
  int16_t by_colour[FS_COLOUR_BINS]; /* t-links of the bins looked up so far; else NOT_YET */
} FsFrameColours;

/* NULL where memory is short. */
FsFrameColours *fs_frame_colours_new (void);
void fs_frame_colours_free (FsFrameColours *colours);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrameColours, fs_frame_colours_free)

/* The largest distance from the border at which pixels are sampled, in frames of this size. */
int fs_frame_colours_distance_cap_px (int width, int height);

/* Fills the tables from the previous frame, whose mask was moved to make the band: four pixels of
 * each block. */
void fs_frame_colours_of_mask (FsSideTables *tables, const FsImage *image, const FsFrameBand *band);

/* The same from the fixed pixels of the frame that is to be cut. */
void fs_frame_colours_of_band (FsSideTables *tables, const FsImage *image, const FsFrameBand *band);

/* Both at once, into the previous and the present tables. */
void fs_frame_colours_learn (FsFrameColours *colours, const FsImage *previous,
                             const FsImage *present, const FsFrameBand *band);

/* Fills the table of the strokes on the frame that is to be cut. */
void fs_frame_colours_of_strokes (FsSideTables *tables, const FsImage *image,
                                  const FsSeedMap *strokes);

/* Mixes the three sources and the strokes; with `new_background` the background's colours are those
 * of the present frame alone. About 4 ms. */
void fs_frame_colours_mix (FsFrameColours *colours, gboolean new_background);

/* Looks up the t-links of the free pixels' bins. Cost: 0.1 µs a bin. */
void fs_frame_colours_weigh (FsFrameColours *colours, const FsImage *image,
                             const FsFrameBand *band);

/* The sum of the t-links, positive towards object, of the free pixels with label 1 (height · width
 * bytes, 0 or 1). After fs_frame_colours_weigh. */
int64_t fs_frame_colours_score (const FsFrameColours *colours, const FsImage *image,
                                const FsFrameBand *band, const uint8_t *labels);

/* Histogram intersection of two tables, in [0, 1]; 0 where one is empty. */
double fs_frame_colours_overlap (const FsColourTable *a, const FsColourTable *b);

G_END_DECLS

#endif
