/* SPDX-License-Identifier: MIT */
/* Applying a move to the labelling, and the labelling's energy.   Layer: solver (expansion moves).
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_EXPANSION_APPLY_MOVE_H
#define FS_SOLVER_EXPANSION_APPLY_MOVE_H

#include "solver/expansion/move/label_problem.h"

G_BEGIN_DECLS

typedef struct {
  const FsLabelProblem *problem;
  uint8_t *changed;           /* [n]: whether a pixel is in `pixels`, and in a component */
  GArray *pixels, *component; /* of uint32_t */
  GArray *previous;           /* of uint8_t  */
  FsLabelEnergy energy;       /* of the labels, where it is known */
  gboolean is_energy_known;
} FsMoveUpdate;

/* FALSE: not enough memory; fs_move_update_clear has to be called all the same. */
gboolean fs_move_update_init (FsMoveUpdate *update, const FsLabelProblem *problem);
void fs_move_update_clear (FsMoveUpdate *update);

/* Lists a pixel in `pixels`, once. */
void fs_move_update_add (FsMoveUpdate *update, uint32_t p);
void fs_move_update_forget (FsMoveUpdate *update);

/* Gives the label to the pixels whose mask is 0, which lowers the energy if there are any. If they
 * are many, the energy is summed later. By components, where terms were truncated: only connected
 * components of them that lower the energy get it. Returns the number of changed pixels. `pixels`
 * is empty before and afterwards. */
int64_t fs_move_update_apply (FsMoveUpdate *update, const uint8_t *mask, int label, uint8_t *labels,
                              gboolean by_components);

/* Sums the energy of the labels, unless it is known. */
void fs_move_update_know_energy (FsMoveUpdate *update, const uint8_t *labels);

G_END_DECLS

#endif
