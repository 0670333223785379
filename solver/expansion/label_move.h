/* SPDX-License-Identifier: MIT */
/* One label's move: its cut, made here or on a device, and the pixels that take the label.
 * Layer: solver (expansion moves).
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_EXPANSION_LABEL_MOVE_H
#define FS_SOLVER_EXPANSION_LABEL_MOVE_H

#include "solver/expansion/expansion_state.h"

G_BEGIN_DECLS

/* Makes the move; *n_changed pixels took the label; it is not written where a cut had no news.
 * Errors: those of fs_expansion_run; where the device failed, FALSE without an error, and the
 * expansion's `is_lost` is set. */
gboolean fs_label_move_make (FsExpansion *expansion, int label, uint8_t *labels, int64_t *n_changed,
                             GError **error);

G_END_DECLS

#endif
