/* SPDX-License-Identifier: MIT */
/* The last frames of a sequence as one graph.   Layer: energy.
 *
 * Each frame is a layer: the free pixels of its band are nodes, with the t-links and the eight
 * n-links that the frame's own cut has (frame_energy.h). *Ties* join a node with the 3 × 3 pixels
 * of the frame before around its place there, by the motion that moved the band:
 *
 *   λ·S·T·e^(−1.5·√(d²/m)) / len,   T = 1/16, len = 1, √2 or √3
 *
 * A node has 8 + 9 neighbours, and about 9 more in the frame after. The graph is not a grid. A tie
 * to a pixel that is fixed in the frame before is part of a t-link, as such an n-link is. All
 * frames of the span are cut together, but only the newest one's mask is used: the masks of the
 * others have been written already.
 *
 * A layer is a function of its frame and mask and of those of the frame before, so that a span can
 * be made again from written frames. The oldest layer has no ties. A frame that a person has marked
 * is a layer without nodes: all of it is fixed.
 *
 * Source: cuts of video over space and time, after Boykov & Jolly 2001 (n-dimensional graphs);
 * window and weights are ours. Any flow within the capacities is a valid start (Kohli & Torr 2007):
 * the flow of the layers that stay is subtracted from the capacities of the next graph, which
 * changes every labelling's energy by the same constant.
 *
 * Threads: one at a time.
 */
#ifndef FS_ENERGY_FRAMES_FRAME_SPAN_H
#define FS_ENERGY_FRAMES_FRAME_SPAN_H

#include "energy/frames/frame_energy.h"
#include "solver/graph/graph.h"

G_BEGIN_DECLS

#define FS_FRAME_SPAN_MAX 16
/* 1 / T. */
#define FS_FRAME_SPAN_TIE_PARTS 16
/* The limit of the graph's nodes; where it would be exceeded the graph has fewer frames. */
#define FS_FRAME_SPAN_MAX_NODES (1u << 20)

typedef struct _FsFrameSpan FsFrameSpan;

/* For 2 ≤ n_frames ≤ FS_FRAME_SPAN_MAX. */
FsFrameSpan *fs_frame_span_new (int n_frames);
void fs_frame_span_free (FsFrameSpan *span);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrameSpan, fs_frame_span_free)

/* Forgets all frames. */
void fs_frame_span_clear (FsFrameSpan *span);

/* Starts again with this frame alone, whose mask is fixed. Takes a reference, copies the mask.
 * FALSE where memory is short. */
gboolean fs_frame_span_begin (FsFrameSpan *span, FsImage *image, const uint8_t *mask);

/* Adds the next frame, of the same size, by its band and energy; it has no mask yet. Replaces an
 * added frame that still has none. FALSE where memory is short; the frame is not added then. Cost:
 * some 200 operations a free pixel. */
gboolean fs_frame_span_add (FsFrameSpan *span, FsImage *image, const FsFrameBand *band,
                            const FsFrameEnergy *energy);

/* Removes the added frame, if it has no mask yet. */
void fs_frame_span_drop (FsFrameSpan *span);

/* Sets the mask of the added frame. Where it contradicts the band's fixed pixels, the band was in
 * the wrong place, and all frames are forgotten. The oldest frame is removed where there would be
 * too many with the next one. */
void fs_frame_span_set_mask (FsFrameSpan *span, const uint8_t *mask);

/* The graph of all frames up to the added one, without the reused flow. Owned by the span, valid
 * until it changes. NULL where memory is short. */
FsGraph *fs_frame_span_make_graph (FsFrameSpan *span);

/* The reused flow, summed over pairs, and the constant by which the graph's energies are lower. */
int64_t fs_frame_span_get_reused_flow (const FsFrameSpan *span);
int64_t fs_frame_span_get_constant (const FsFrameSpan *span);

/* The energy of a labelling of the graph's nodes, by the capacities before flow was subtracted.
 * Cost O(nodes + links). */
int64_t fs_frame_span_sum (const FsFrameSpan *span, const uint8_t *labels);

/* Takes over the flow of a cut of the graph, as the residual of each edge in order. */
void fs_frame_span_reuse_flow (FsFrameSpan *span, const uint32_t *residual);

/* Writes the labels of the added frame's free pixels into a plane of its window. */
void fs_frame_span_read (const FsFrameSpan *span, const uint8_t *labels, uint8_t *cut);

G_END_DECLS

#endif
