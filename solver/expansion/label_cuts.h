/* SPDX-License-Identifier: MIT */
/* The cuts of labels that follow the moves of other labels, and the flow that goes from cut to cut
 * (expansion.h).   Layer: solver (expansion moves).
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_EXPANSION_LABEL_CUTS_H
#define FS_SOLVER_EXPANSION_LABEL_CUTS_H

#include "solver/expansion/expansion_state.h"

G_BEGIN_DECLS

/* The cut of a label's move, updated to these labels; NULL with an error. *has_news FALSE: nothing
 * has changed since the label's last move, and the cut would change nothing. */
FsMove *fs_label_cuts_prepare (FsExpansion *expansion, int label, const uint8_t *labels,
                               gboolean *has_news, GError **error);

/* Saves the flow of a label's solved cut for later cuts. */
gboolean fs_label_cuts_keep_flow (FsExpansion *expansion, int label, FsMove *move, GError **error);

G_END_DECLS

#endif
