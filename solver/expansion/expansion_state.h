/* SPDX-License-Identifier: MIT */
/* Data of an expansion (expansion.h) that its moves share.   Layer: solver (expansion moves).
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_EXPANSION_EXPANSION_STATE_H
#define FS_SOLVER_EXPANSION_EXPANSION_STATE_H

#include "solver/expansion/apply_move.h"
#include "solver/expansion/device.h"
#include "solver/expansion/fill_base.h"
#include "solver/expansion/move/local_maxflow.h"
#include "solver/expansion/move/move.h"
#include "solver/expansion/order.h"

G_BEGIN_DECLS

typedef struct _FsExpansion FsExpansion;

struct _FsExpansion {
  const FsLabelProblem *problem;
  gboolean reuses_cycles, reuses_labels, coarse_first; /* as in FsExpansionOptions */
  int max_cycles;
  guint32 shuffle;
  FsMoveRun run;
  FsProgress progress;      /* the run's, with reports of a whole cycle */
  const FsProgress *caller; /* its progress                             */
  int n_made;               /* moves of this cycle                      */
  int64_t reported_us;
  FsTruncation truncation;
  FsLocalMaxflow maxflow;
  FsSolver *spare; /* not used by any label's cut now */
  FsDuals duals;
  gboolean has_duals;   /* of all labels, from a dual start */
  FsBase base;          /* of the first cuts after that     */
  FsMoveDevice *device; /* NULL: moves are made here */
  gboolean is_lost;     /* the device failed in this run */
  FsMove *scratch;      /* the cut of labels that have none of their own; or NULL      */
  uint8_t *unfolded;    /* labels whose first cut's flow is in no duals yet, in order  */
  int n_unfolded;
  FsMove **label_cut;     /* [n_labels]: each label's own cut, or NULL                   */
  gboolean *was_made;     /* [n_labels]: the label's first move                          */
  gboolean *was_answered; /* [n_labels]: its cut was solved and has not changed since    */
  GArray *new_data;       /* of uint32_t: pixels with other data costs, ever             */
  guint *n_data_known;    /* [n_labels]: how many of them the label's cut knows          */
  uint8_t *mask;
  uint8_t *left;           /* the labels that the last run left */
  int64_t left_smoothness; /* of them; −1: there was none       */
  FsMoveUpdate update;
  FsLabelOrder order;
};

G_END_DECLS

#endif
