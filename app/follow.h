/* SPDX-License-Identifier: MIT */
/* One object from a frame to the next.   Layer: app.
 *
 * The former frame's mask is moved by the whole pixels that make the object's own pixels match the
 * next frame best (block matching, coarse to fine). What lies well inside it then is object, what
 * lies well outside is background, and in the band between them the frame is cut anew with these as
 * seeds: the graph is shrunk to a band around the former silhouette, as Garrett & Saito 2009 name
 * it, and the colours are learnt from each frame again. The result is a function of the two frames
 * and the mask alone.
 *
 * Threads: any; the cut blocks.
 */
#ifndef FS_APP_FOLLOW_H
#define FS_APP_FOLLOW_H

#include "energy/image.h"
#include "energy/seed_map.h"
#include "solver/solver.h"

G_BEGIN_DECLS

/* The least number of pixels that can be followed. */
#define FS_FOLLOW_LEAST_PX 16

typedef struct {
  int dx, dy;
} FsShift;

/* How far the object of a mask (width·height bytes, 0 or 1) moved between two frames of one size,
 * up to a sixth of the frame's sides. */
FsShift fs_follow_measure (const FsImage *former, const uint8_t *mask, const FsImage *next);

/* The same wherever in the frame it is, or for the most part. */
FsShift fs_follow_seek (const FsImage *former, const uint8_t *mask, const FsImage *next);

/* Seeds from a mask that was moved. Pixels that came into the frame are not seeds. */
void fs_follow_make_seeds (const uint8_t *mask, FsShift shift, FsSeedMap *seeds);

/* Cuts a frame by dense seeds, the certificate's sums compared. `mask`: width·height bytes, 0 or 1.
 * Errors: FS_SOLVER_ERROR. */
gboolean fs_follow_cut (FsImage *image, const FsSeedMap *seeds, uint8_t *mask, GError **error);

G_END_DECLS

#endif
