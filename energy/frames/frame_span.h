/* SPDX-License-Identifier: MIT */
/* The last frames of a sequence as one graph.   Layer: energy.
 *
 * Each frame is a layer: the free pixels of its band are nodes, with the t-links and the eight
 * n-links that the frame's own cut has (frame_energy.h). A node is tied to the nine pixels round
 * the place where it was in the frame before, by the motion that moved the band:
 *
 *   λ·S·T·e^(−1.5·√(d²/m)) / len,   T = 1/16, len = 1, √2 or √3
 *
 * so that it has 8 + 9 neighbours, and 9 or so more in the frame after: a graph that is no grid. A
 * tie to a pixel that is fixed in the frame before is part of a t-link, as an n-link is. All frames
 * of the span are cut together, and what counts is the newest one's mask: the masks of the others
 * have been written, and are cut again to see what the newest frame is tied to.
 *
 * A layer is a function of its frame and mask and of those of the frame before, so that a span can
 * be made anew from what was written. The oldest layer has no ties. A frame that a person has
 * marked is a layer without nodes: all of it is fixed.
 *
 * Source: video cuts over space and time, after Boykov & Jolly 2001 (n-dimensional graphs); window
 * and weights are ours. Any flow within the capacities is a valid start (Kohli & Torr 2007): the
 * flow of the layers that stay is taken off the capacities of the next graph, which leaves every
 * labelling's energy but for a constant.
 *
 * Threads: one at a time.
 */
#ifndef FS_ENERGY_FRAMES_FRAME_SPAN_H
#define FS_ENERGY_FRAMES_FRAME_SPAN_H

#include "energy/frames/frame_energy.h"
#include "solver/graph/graph.h"

G_BEGIN_DECLS

#define FS_FRAME_SPAN_MAX 16
/* A tie to the very place counts so many times less than a link to a neighbour. */
#define FS_FRAME_SPAN_TIE_PARTS 16
/* Of the graph's nodes: where there would be more it has fewer frames. */
#define FS_FRAME_SPAN_MAX_NODES (1u << 20)

typedef struct _FsFrameSpan FsFrameSpan;

/* Of 2 ≤ n_frames ≤ FS_FRAME_SPAN_MAX. */
FsFrameSpan *fs_frame_span_new (int n_frames);
void fs_frame_span_free (FsFrameSpan *span);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrameSpan, fs_frame_span_free)

/* Forgets all frames. */
void fs_frame_span_clear (FsFrameSpan *span);

/* Forgets all frames but this, of which the mask is fixed. Takes a reference, copies the mask.
 * FALSE where memory is short. */
gboolean fs_frame_span_begin (FsFrameSpan *span, FsImage *image, const uint8_t *mask);

/* Adds the next frame, of the same size, by its band and energy; its mask is not known yet. In
 * place of one that was added and has none. FALSE where memory is short; the span is then without
 * it. Cost: some 200 operations a free pixel. */
gboolean fs_frame_span_add (FsFrameSpan *span, FsImage *image, const FsFrameBand *band,
                            const FsFrameEnergy *energy);

/* Forgets a frame that was added and has no mask. */
void fs_frame_span_drop (FsFrameSpan *span);

/* The mask of the frame that was added. Where the band was elsewhere, so that the mask differs from
 * it where all is fixed, the whole span is forgotten. The oldest frame goes where there are as many
 * as the next one needs. */
void fs_frame_span_set_mask (FsFrameSpan *span, const uint8_t *mask);

/* The graph of all frames up to the one that was added, less the flow that is reused. It is the
 * span's, until the span is changed. NULL where memory is short. */
FsGraph *fs_frame_span_make_graph (FsFrameSpan *span);

/* Flow that was taken off, summed over pairs, and what is missing for it in the graph's energies.
 */
int64_t fs_frame_span_get_reused_flow (const FsFrameSpan *span);
int64_t fs_frame_span_get_constant (const FsFrameSpan *span);

/* The energy of a labelling of the graph's nodes, from the capacities as they are without flow.
 * Cost O(nodes + links). */
int64_t fs_frame_span_sum (const FsFrameSpan *span, const uint8_t *labels);

/* Takes over the flow that a cut of the graph has left: what is left of each edge, in its order. */
void fs_frame_span_reuse_flow (FsFrameSpan *span, const uint32_t *residual);

/* Writes the labels of the free pixels of the frame that was added, in its window. */
void fs_frame_span_read (const FsFrameSpan *span, const uint8_t *labels, uint8_t *cut);

G_END_DECLS

#endif
