/* SPDX-License-Identifier: MIT */
/* Temporal averaging of a cut-out's alpha, where the picture stands still.   Layer: app.
 *
 * Noise changes the alpha of a soft edge in each frame. A pixel's alpha is averaged with those that
 * it had in the frames before, back to the first of them in which the picture around it differs by
 * more than noise, or in which its mask has the other side while one of both alphas is 0 or 255.
 * All of these are alphas of single frames, so the result depends on no frame further back.
 *
 * Threads: any; uses as many as fs_energy_set_threads allows.
 */
#ifndef FS_APP_FRAMES_STEADY_ALPHA_H
#define FS_APP_FRAMES_STEADY_ALPHA_H

#include "energy/image/image.h"

G_BEGIN_DECLS

/* The most frames before one that its alpha is averaged with. */
enum { FS_STEADY_ALPHA_MAX = 3 };

/* One frame by itself. Planes have width · height bytes. */
typedef struct {
  const FsImage *image;
  const uint8_t *mask;  /* 0 or 1 */
  const uint8_t *alpha; /* of its edge alone, the same as its mask away from the border */
} FsSteadyFrame;

/* Writes the averaged alpha of `frame` into the alpha of `words`, width · height words as
 * fs_edge_get_row gives them; their colours stay. `previous`: n ≤ FS_STEADY_ALPHA_MAX frames, the
 * one just before first; one of another size ends them. `marks`: labels as painted, where alpha
 * stays; or NULL. */
void fs_steady_alpha_average (const FsSteadyFrame *frame, const FsSteadyFrame *previous, int n,
                              const uint8_t *marks, uint32_t *words);

G_END_DECLS

#endif
